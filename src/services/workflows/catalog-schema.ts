import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { MAX_ERRORS, type Path } from '../../errors.js';
import type { CatalogDocument, CatalogError } from './catalog-text.js';

/** A test validates the schemas that are shipped: that and optimizing take longer than all checks of a start. */
const AJV = { strict: true, meta: false, validateSchema: false, code: { optimize: false } } as const;

/** The keywords that count in a part of a schema. */
interface Part {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Part>>;
  readonly maxItems?: number;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
}

/** A schema whose Ajv finds the first error alone, and one that finds all of a document of few items. */
interface Compiled {
  readonly schema: Part;
  readonly isValid: ValidateFunction;
  isValidInAll?: ValidateFunction;
  /** By the name of a list of the root. */
  readonly items: Map<string, ValidateFunction>;
}

/** A JSON Schema beside the files that it validates; read and compiled for the first of them. */
export class CatalogSchema {
  private compiled: Compiled | undefined;

  constructor(private readonly path: string) {}

  /** Errors, each with its path; those of the syntax alone where it has some, or what there is too much of. */
  errorsOf({ data, syntaxErrors }: CatalogDocument): readonly CatalogError[] {
    if (syntaxErrors.length > 0) return syntaxErrors.slice(0, MAX_ERRORS);
    const tooMany = this.countErrors(data);
    return tooMany.length > 0 ? tooMany : this.ruleErrors(data);
  }

  /** Lists that are too long, and objects of too many keys: nothing else of such a document is looked at. */
  countErrors(data: unknown): readonly CatalogError[] {
    const { schema } = this.rules();
    const errors: CatalogError[] = [];
    const add = (path: Path, most: number, what: string) =>
      errors.push({ path, sentence: `must NOT have more than ${most} ${what}` });
    const count = (part: Part, value: unknown, path: Path): void => {
      const { items, properties, maxItems = Infinity } = resolved(schema, part);
      if (typeof value !== 'object' || value === null || errors.length >= MAX_ERRORS) return;
      if (Array.isArray(value)) {
        if (value.length > maxItems) add(path, maxItems, 'items');
        else if (items) for (const [index, item] of value.entries()) count(items, item, [...path, index]);
      } else if (Object.keys(value).length > MAX_KEYS) {
        add(path, MAX_KEYS, 'keys');
      } else {
        for (const [key, own] of Object.entries(properties ?? {}))
          if (Object.hasOwn(value, key)) count(own, (value as Record<string, unknown>)[key], [...path, key]);
      }
    };
    count(schema, data, []);
    return errors;
  }

  /**
   * Ajv's errors of all items take the square of their number: only the first of the items that are wrong are given to
   * it, in the places of all.
   */
  private ruleErrors(data: unknown): CatalogError[] {
    const rules = this.rules();
    if (rules.isValid(data)) return [];
    const places = new Map<string, readonly number[]>();
    const part = { ...(data as Record<string, unknown>) };
    for (const [key, { items }] of Object.entries(rules.schema.properties ?? {})) {
      const list = part[key];
      if (items === undefined || !Array.isArray(list) || list.length <= 1) continue;
      let isItem = rules.items.get(key);
      if (isItem === undefined)
        rules.items.set(key, (isItem = new Ajv2020(AJV).compile({ ...items, $defs: rules.schema.$defs })));
      const wrong: number[] = [];
      for (let index = 0; index < list.length && wrong.length < MAX_ERRORS; index += 1)
        if (!isItem(list[index])) wrong.push(index);
      if (wrong.length === 0) continue;
      places.set(key, wrong);
      part[key] = wrong.map((index) => list[index] as unknown);
    }
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    rules.isValidInAll ??= new Ajv2020({ ...AJV, allErrors: true }).compile(rules.schema);
    rules.isValidInAll(isObject ? part : data);
    return (rules.isValidInAll.errors ?? []).slice(0, MAX_ERRORS).map((error) => {
      const [key, index, ...rest] = error.instancePath.split('/').slice(1).map(fromPointer);
      const place = key === undefined ? undefined : places.get(String(key))?.[Number(index)];
      const path = [key, place ?? index, ...rest].filter((name) => name !== undefined);
      return { path, sentence: sentenceOf(error) };
    });
  }

  private rules(): Compiled {
    if (this.compiled !== undefined) return this.compiled;
    const schema = JSON.parse(readFileSync(this.path, 'utf8')) as Part;
    return (this.compiled = { schema, isValid: new Ajv2020(AJV).compile(schema), items: new Map() });
  }
}

/** More than any object of a file has; each key that is not known is an error of its own. */
const MAX_KEYS = 50;

function resolved({ $defs = {} }: Part, { $ref, ...part }: Part): Part {
  return { ...($ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')]), ...part };
}

function fromPointer(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    return /^\w{1,64}$/.test(key) ? `unknown key ${key}` : 'unknown key';
  }
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message ?? 'is not valid';
}
