import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { MAX_ERRORS, nameOf, UNNAMED_FIELD, type FieldError, type Path } from '../errors.js';
import {
  constraintsOf,
  objectSchema,
  valueSchema,
  type Constraints,
  type Json,
  type RuleError,
  type SchemaOptions,
} from './input-schema.js';
import { addKeywords, INT_32, isRecord, SAFE_INTEGER, SCALAR_SENTENCES } from './keywords.js';

/** Validates values of input types in one spelling of their fields: types, unknown fields and constraints together. */
export class InputValidator {
  private readonly objects = new WeakMap<GraphQLInputObjectType, Map<string, Check>>();
  private readonly values = new Map<string, Check>();
  private readonly schemas = new WeakMap<Json, Check>();
  private readonly options: SchemaOptions;
  private readonly first: Ajv2020;
  private readonly all: Ajv2020;

  /** With `singles`, a single value is accepted as a list of one, as in GraphQL. */
  constructor(
    options: Omit<SchemaOptions, 'nested'>,
    private readonly lists: 'singles' | undefined = undefined,
  ) {
    this.options = { ...options, nested: (type) => objectSchema(type, this.options) };
    this.first = new Ajv2020({ ...AJV, allErrors: false, verbose: true });
    this.all = new Ajv2020({ ...AJV, allErrors: true, verbose: true });
    for (const ajv of [this.first, this.all]) addKeywords(ajv, options.spell);
  }

  /** All errors of an object of this type, at most MAX_ERRORS; `omitted` fields are unknown. */
  objectErrors(type: GraphQLInputObjectType, value: unknown, omitted: ReadonlySet<string> = NONE): FieldError[] {
    let checks = this.objects.get(type);
    if (checks === undefined) this.objects.set(type, (checks = new Map<string, Check>()));
    const key = [...omitted].join();
    let check = checks.get(key);
    if (check === undefined) checks.set(key, (check = this.check(objectSchema(type, this.options, omitted))));
    return this.errorsOf(check, type, value, omitted);
  }

  /** The same for a value of any type. */
  valueErrors(type: GraphQLInputType, value: unknown): FieldError[] {
    const bare = getNullableType(type);
    if (isInputObjectType(bare)) return this.objectErrors(bare, value);
    const key = type.toString();
    let check = this.values.get(key);
    if (check === undefined) {
      check = this.check(valueSchema(type, {}, this.options));
      if (this.values.size < MAX_VALUE_TYPES) this.values.set(key, check);
    }
    return this.errorsOf(check, type, value, NONE);
  }

  /** The first error of a value that is not an object, such as a parameter; undefined when it is valid. */
  schemaError(schema: Json, value: unknown): string | undefined {
    let check = this.schemas.get(schema);
    if (check === undefined) this.schemas.set(schema, (check = this.check(schema)));
    if (check.first(value)) return undefined;
    const all = (check.all ??= this.all.compile(schema));
    all(value);
    return onePerPlace((all.errors ?? []).map((error) => this.found(error, value)))[0]?.sentence;
  }

  private check(schema: Json): Check {
    return { schema, first: this.first.compile(schema), all: undefined };
  }

  /** A valid value is checked once; only an invalid one is checked again for all errors. */
  private errorsOf(check: Check, type: GraphQLInputType, value: unknown, omitted: ReadonlySet<string>): FieldError[] {
    if (check.first(value)) return [];
    const [firstError] = check.first.errors ?? [];
    const found: Found[] = [];
    const left = { items: MAX_ITEMS, isCut: false };
    const bounded = this.bounded(type, value, { path: [], constraints: {}, found, omitted, left });
    const all = (check.all ??= this.all.compile(check.schema));
    if (!all(bounded)) found.push(...(all.errors ?? []).map((error) => this.found(error, bounded)));
    // Errors may follow the part that was checked.
    if (left.isCut && found.length === 0 && firstError !== undefined) found.push(this.found(firstError, value));
    return inOrder(onePerPlace(found), check.schema).slice(0, MAX_ERRORS);
  }

  private found(error: ErrorObject, root: unknown): Found {
    const path = pathOf(error.instancePath, root);
    const { keyword, params, parentSchema } = error;
    if (keyword === 'additionalProperties')
      return unknownField(path, String(params['additionalProperty']), Object.keys(parentSchema?.['properties'] ?? {}));
    if (keyword === 'required')
      return { keyword, path: [...path, String(params['missingProperty'])], sentence: 'is required' };
    const { at = [], sentence, whole } = params as Partial<RuleError>;
    const below = at.map((part) => (typeof part === 'string' ? this.options.spell(part) : part));
    const near = keyword === 'enum' ? this.nearValues(error) : '';
    const wrong = { keyword, path: [...path, ...below], sentence: `${sentenceOf(error, path, sentence)}${near}` };
    return whole ? { ...wrong, whole } : wrong;
  }

  /** Values that resemble the input, where they are too many to list. */
  private nearValues({ data, parentSchema }: ErrorObject): string {
    const { listName, enum: values = [] } = parentSchema as Described;
    if (listName === undefined || typeof data !== 'string' || data.length > MAX_NEAR) return '';
    return (
      this.options.near?.(
        data,
        values.filter((value) => typeof value === 'string'),
      ) ?? ''
    );
  }

  /**
   * Bounds the part of a value that is checked: lists to their limit, all lists together to MAX_ITEMS, and unknown
   * fields to a page, so that larger inputs are not refused more slowly.
   */
  private bounded(type: GraphQLInputType, value: unknown, at: Bound): unknown {
    const bare = getNullableType(type);
    if (isListType(bare)) return this.boundedList(bare.ofType as GraphQLInputType, value, at);
    if (!isInputObjectType(bare) || !isRecord(value)) return value;
    const fields = new Map(
      Object.values(bare.getFields()).map((field) => [this.options.spell(field.name, bare.name), field]),
    );
    const bounded: Record<string, unknown> = {};
    let unknown = 0;
    for (const key of Object.keys(value)) {
      const field = fields.get(key);
      const isKnown = field !== undefined && !at.omitted.has(field.name);
      if (!isKnown && (unknown += 1) > MAX_ERRORS) continue;
      const below = { ...at, path: [...at.path, key], omitted: NONE };
      const item = isKnown
        ? this.bounded(field.type, value[key], { ...below, constraints: constraintsOf(field) })
        : undefined;
      // A key "__proto__" is an ordinary key, and must not become the prototype.
      Object.defineProperty(bounded, key, { value: item, enumerable: true, configurable: true, writable: true });
    }
    return bounded;
  }

  private boundedList(itemType: GraphQLInputType, value: unknown, at: Bound): unknown {
    const { maxItems = MAX_ITEMS, single, sentences } = at.constraints;
    const isSingle = (single === true || this.lists === 'singles') && fits(itemType, value);
    const items: unknown = isSingle ? [value] : value;
    if (!Array.isArray(items)) return items;
    const sentence = sentences?.['maxItems'] ?? `must not have more than ${maxItems} items`;
    if (items.length > maxItems) at.found.push({ keyword: 'maxItems', path: at.path, sentence });
    // One item of each list remains, so that none is reported as empty.
    const shown = items.slice(0, Math.max(1, Math.min(maxItems, at.left.items)));
    at.left.items -= shown.length;
    if (shown.length < items.length) at.left.isCut = true;
    return shown.map((item, index) =>
      this.bounded(itemType, item, { ...at, path: [...at.path, index], constraints: {} }),
    );
  }
}

interface Check {
  readonly schema: Json;
  readonly first: ValidateFunction;
  all: ValidateFunction | undefined;
}

interface Found extends FieldError {
  readonly keyword: string;
}

interface Bound {
  readonly path: Path;
  readonly constraints: Constraints;
  readonly found: Found[];
  readonly omitted: ReadonlySet<string>;
  /** Items of lists that may still be checked. */
  readonly left: { items: number; isCut: boolean };
}

const AJV = {
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  validateSchema: false,
  meta: false,
  code: { optimize: false },
} as const;
const NONE: ReadonlySet<string> = new Set();
/** Items of all lists together, and of one without its own limit, in the search for errors. */
const MAX_ITEMS = 2_000;
/** Variable types with cached checks. */
const MAX_VALUE_TYPES = 500;
/** Characters of a text that is compared with the values of a list. */
const MAX_NEAR = 100;
/** A key is input: it is only named when it is short and printable. */
const PRINTABLE_KEY = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u;

/** Whether a value is accepted as a list of one; otherwise a list is required. */
function fits(itemType: GraphQLInputType, value: unknown): boolean {
  const bare = getNullableType(itemType);
  if (isInputObjectType(bare)) return isRecord(value);
  if (isListType(bare) || value === undefined || value === null || typeof value === 'object') return false;
  try {
    return bare.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}

/** The most common unknown name is the spelling of the other API. */
function unknownField(path: Path, key: string, known: readonly string[]): Found {
  const keyword = 'additionalProperties';
  if (!PRINTABLE_KEY.test(key)) return { keyword, path, sentence: UNNAMED_FIELD };
  const meant = known.find((name) => unspelled(name) === unspelled(key));
  const sentence = meant === undefined ? 'is not a known field' : `is not a known field. Did you mean ${meant}?`;
  return { keyword, path: [...path, key], sentence };
}

/** `number_employees`, `numberEmployees` and `number-employees` are equal. */
function unspelled(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** Creates the message of a keyword and its parameters. */
function sentenceOf({ keyword, params, parentSchema, data }: ErrorObject, path: Path, own: string | undefined): string {
  const schema = (parentSchema ?? {}) as Described;
  const said = schema.sentences?.[keyword];
  if ((keyword === 'type' || keyword === 'enum') && data === null && typeof path.at(-1) !== 'number')
    return schema.sentences?.['null'] ?? (schema.notNull ? 'must not be null' : 'is required');
  if (said !== undefined) return said;
  if (own !== undefined) return own;
  if (keyword === 'enum' || (keyword === 'type' && schema.names)) return `must be one of ${valuesOf(schema)}`;
  if (keyword === 'type') return `must be ${typeWords(schema)}`;
  if (keyword === 'minimum') return `must be an integer of ${schema.minimum} or more`;
  if (keyword === 'maximum') return `must not be greater than ${schema.maximum}`;
  if (keyword === 'minItems')
    return schema.minItems === 1 ? 'must not be empty' : `must have at least ${schema.minItems} items`;
  return `must keep ${keyword} ${JSON.stringify(params)}`;
}

/** Keywords of a schema that describe a place. */
interface Described extends Omit<Constraints, 'items'> {
  readonly type?: string | readonly string[];
  /** The values are the names of an enum of GraphQL. */
  readonly names?: true;
  readonly scalar?: { readonly name: string };
  readonly items?: Described;
}

/** The published values; an enum may have others, which are refused later or only returned. */
function valuesOf({ enum: known = [], listName, published }: Described): string {
  const values = (published?.['enum'] as Described['enum']) ?? known;
  return listName ?? values.filter((value) => value !== '' && (value as unknown) !== null).join(', ');
}

function typeWords({ type, scalar, format, minimum, items }: Described): string {
  const [first, second] = [type].flat().filter((name) => name !== 'null');
  if (scalar !== undefined) return SCALAR_SENTENCES[scalar.name]?.replace('must be ', '') ?? 'valid';
  if (second !== undefined) return 'a string or an integer';
  if (first === 'integer' && (format as string) === 'int64' && minimum === undefined)
    return SAFE_INTEGER.replace('must be ', '');
  if (first === 'integer')
    return minimum === undefined ? INT_32.replace('must be ', '') : `an integer of ${minimum} or more`;
  if (first === 'array') return `an array of ${PLURALS[[items?.type].flat()[0] ?? ''] ?? 'values'}`;
  return (first && TYPE_WORDS[first]) ?? 'valid';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};

const PLURALS: Readonly<Record<string, string>> = { string: 'strings', integer: 'integers', object: 'objects' };

/** The segments of a JSON pointer: a number is an index where it leads into a list. */
function pathOf(pointer: string, root: unknown): Path {
  let at = root;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      const part = Array.isArray(at) ? Number(key) : key;
      at = (at as Record<string | number, unknown>)[part];
      return part;
    });
}

/**
 * One error is reported for a place, the first of these keywords; errors of rules for several fields are all
 * reported.
 */
const RANKS = ['type', 'minLength', 'maxLength', 'text', 'enum', 'minimum', 'maximum', 'format', 'scalar', 'minItems'];

function onePerPlace(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>();
  for (const error of found) {
    const place = error.keyword === 'rule' ? `${nameOf(error.path)} ${error.sentence}` : nameOf(error.path);
    const other = best.get(place);
    if (other === undefined || rankOf(error) < rankOf(other)) best.set(place, error);
  }
  return [...best.values()];
}

function rankOf({ keyword }: Found): number {
  const rank = RANKS.indexOf(keyword);
  return rank < 0 ? RANKS.length : rank;
}

/** In the order of the schema's fields, unknown ones last. */
function inOrder(found: readonly Found[], schema: Json): Found[] {
  return found
    .map((error) => ({ error, place: placeOf(error, schema) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : Number(one.place > other.place)))
    .map(({ error }) => error);
}

/** A sort key in the order of the schema's fields: an object before its fields. */
function placeOf({ path, sentence }: Found, schema: Json): string {
  let at: Json | undefined = schema;
  const place = path.map((part) => {
    const { properties = {}, items } = (at ?? {}) as { properties?: Record<string, Json>; items?: Json };
    const names = Object.keys(properties);
    const index = typeof part === 'number' ? part : names.indexOf(part);
    at = typeof part === 'number' ? items : properties[part];
    return index < 0 ? names.length : index;
  });
  const last = sentence === UNNAMED_FIELD ? [Number.MAX_SAFE_INTEGER] : [];
  return [...place, ...last].map((part) => String(part).padStart(16, '0')).join('/');
}
