import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { MAX_ERRORS, type Path } from '../../errors.js';
import type { CatalogDocument, CatalogError } from './catalog-text.js';

/** Shipped schemas are validated by a test: validating and optimizing them takes longer than all checks of a start. */
const AJV = { strict: true, meta: false, validateSchema: false, code: { optimize: false } } as const;

/** The relevant keywords in a part of a schema. */
interface Part {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Part>>;
  readonly maxItems?: number;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
}

/** A schema with two validators: one stops at the first error, one finds all errors of a document of few items. */
interface Compiled {
  readonly schema: Part;
  readonly isValid: ValidateFunction;
  isValidInAll?: ValidateFunction;
  /** By the name of a list of the root. */
  readonly items: Map<string, ValidateFunction>;
}

/** A JSON Schema beside the files that it validates; compiled for the first of them. */
export class CatalogSchema {
  private compiled: Compiled | undefined;

  constructor(private readonly path: string) {}

  /** Errors, each with its path; only those of the syntax, or of excessive sizes, if there are some. */
  errorsOf({ data, syntaxErrors }: CatalogDocument): readonly CatalogError[] {
    if (syntaxErrors.length > 0) return syntaxErrors.slice(0, MAX_ERRORS);
    const tooMany = this.countErrors(data);
    return tooMany.length > 0 ? tooMany : this.ruleErrors(data);
  }

  /** Too long lists, and objects with too many keys: the rest of such a document is not checked. */
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
   * Collecting all of Ajv's errors takes quadratic time: only the first invalid items are given to
   * it, at the positions of all.
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

/** More than any object of a file has; each unknown key is an error of its own. */
const MAX_KEYS = 50;

function resolved({ $defs = {} }: Part, { $ref, ...part }: Part): Part {
  return { ...($ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')]), ...part };
}

function fromPointer(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') return unknownKey(String(error.params.additionalProperty));
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message ?? 'is not valid';
}

/** The error of a key, named if it is a short word. */
export function unknownKey(key: string): string {
  return /^[\w-]{1,64}$/.test(key) ? `unknown key ${key}` : 'unknown key';
}
