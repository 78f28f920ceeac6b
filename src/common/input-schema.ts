import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import type { FieldError, Path } from '../errors.js';
import { deprecationOf, describedWith, publishedDeprecation } from './deprecation.js';
import type { FormatName } from './formats.js';

/** A JSON Schema, or a part of one. */
export type Json = { readonly [key: string]: unknown };

/**
 * Constraints of an input field beyond its GraphQL type: keywords of JSON Schema, and our own. Declared once, on the
 * field; validation, the OpenAPI document and descriptions are generated from them.
 */
export interface Constraints {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: FormatName;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Constraints;
  readonly properties?: Readonly<Record<string, Json>>;
  /** Allowed control characters of a text: none, or tabs and line breaks. */
  readonly text?: 'line' | 'lines';
  /** White space around the text does not count, and invisible text counts as empty. */
  readonly trim?: true;
  /** The empty text means "none"; so does white space with `blank`. */
  readonly orEmpty?: true | 'blank';
  /** The field may be absent, and not null. */
  readonly notNull?: true;
  /** A single item is accepted as a list of one. */
  readonly single?: true;
  /** Items with the same value of this property are refused. */
  readonly uniqueBy?: string;
  /** JSON that is stored unchanged: levels, the value itself being the first, and bytes. */
  readonly json?: { readonly levels: number; readonly bytes: number };
  /** A rule for several fields of one object. */
  readonly rule?: ObjectRule;
  /** The name of the values of `enum` in the message, where they are too many to list. */
  readonly listName?: string;
  /** Messages that differ from the usual one, by keyword. */
  readonly sentences?: Readonly<Record<string, string>>;
  /** Published, but validated elsewhere, such as by the rules of a catalog file. */
  readonly published?: Json;
  /** The reason why a text or list has no constraint here. */
  readonly unchecked?: string;
}

/** Validates an object and returns its errors; `read` returns the value of a field of it, or of a nested object. */
export type ObjectRule = (read: ReadField) => readonly RuleError[];
type ReadField = (field: string, of?: unknown) => unknown;

export interface RuleError extends Omit<FieldError, 'path'> {
  /** Path below the object. */
  readonly at: Path;
}

/** Options for one spelling of an input type. */
export interface SchemaOptions {
  /** The name of a field in this spelling; `type` is its input type. */
  spell(name: string, type?: string): string;
  /** The schema of a nested input type, or a reference to it. */
  nested(type: GraphQLInputObjectType): Json;
  /** For values that GraphQL has coerced: enums and instants are no longer JSON, and are valid. */
  readonly coerced?: boolean;
  /** For ids in REST's form, not GraphQL's `ID`. */
  readonly keys?: boolean;
  /** The end of a message with values of a list that resemble the input; empty without any. */
  near?(sent: string, values: readonly string[]): string;
  /** The JSON Schema of an enum whose values have other names in this spelling. */
  enumSchema?(type: GraphQLEnumType): Json | undefined;
}

/** The JSON Schema of an input type without its `omitted` fields. */
export function objectSchema(
  type: GraphQLInputObjectType,
  options: SchemaOptions,
  omitted: ReadonlySet<string> = NONE,
): Json {
  const fields = Object.values(type.getFields()).filter(({ name }) => !omitted.has(name));
  const required = fields.filter(isRequiredInputField).map(({ name }) => options.spell(name, type.name));
  return {
    type: 'object',
    ...(type.description ? { description: type.description } : {}),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map((field) => {
        const text = describedWith(field.description, field.deprecationReason);
        const description = text === '' ? {} : { description: text };
        const value = valueSchema(options.keys ? keyTypeOf(field) : field.type, constraintsOf(field), options);
        const deprecation = deprecationOf(field);
        const published = deprecation && { ...(value['published'] as Json), ...publishedDeprecation(deprecation) };
        return [
          options.spell(field.name, type.name),
          { ...description, ...value, ...(published && { published }) },
        ] as const;
      }),
    ),
    ...(type.extensions['constraints'] as Json | undefined),
  };
}

/** The type of a field before ids became `ID`, as in services and REST. */
export function keyTypeOf({ extensions, type }: Pick<GraphQLInputField, 'extensions' | 'type'>): GraphQLInputType {
  return (extensions['keyType'] as GraphQLInputType | undefined) ?? type;
}

/** The JSON Schema of a value of any input type. */
export function valueSchema(type: GraphQLInputType, constraints: Constraints, options: SchemaOptions): Json {
  const { items = {}, ...own } = constraints;
  const bare = getNullableType(type);
  const schema: Json = isListType(bare)
    ? { type: 'array', items: valueSchema(bare.ofType as GraphQLInputType, items, options), ...own }
    : isInputObjectType(bare)
      ? options.nested(bare)
      : isEnumType(bare)
        ? { ...enumSchema(bare, own, options), ...own }
        : { ...scalarSchema(bare, options), ...(own.format !== undefined && TEXT), ...own };
  return isNonNullType(type) || own.notNull ? schema : orNull(schema);
}

export function constraintsOf({ extensions }: { extensions: Readonly<Record<string, unknown>> }): Constraints {
  return (extensions['constraints'] ?? {}) as Constraints;
}

/** The same schema that also accepts null. */
export function orNull(schema: Json): Json {
  if (schema['$ref'] !== undefined) {
    const { $ref, ...rest } = schema;
    return { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
  }
  const { type, enum: values, ...rest } = schema;
  // Without a type, any coerced value is valid unless a list excludes it.
  if (type === undefined && values === undefined) return schema;
  return {
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
    ...rest,
  };
}

const NONE: ReadonlySet<string> = new Set();

function enumSchema(type: GraphQLEnumType, { orEmpty }: Constraints, options: SchemaOptions): Json {
  if (options.coerced) return {};
  const schema = options.enumSchema?.(type);
  // GraphQL enums only have null for "none".
  if (schema !== undefined) return orEmpty ? { ...schema, enum: [...(schema['enum'] as unknown[]), ''] } : schema;
  return { type: 'string', enum: type.getValues().map(({ name }) => name), names: true };
}

export const SCALARS: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER },
  Float: { type: 'number' },
  String: { type: 'string' },
  ID: { type: ['string', 'integer'] },
  Boolean: { type: 'boolean' },
  JSONObject: { type: 'object', additionalProperties: true },
};

/** Schema of a value with a format: a text, also for an `ID`. */
const TEXT: Json = { type: 'string' };

export const FORMATTED: Readonly<Record<string, Json>> = {
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
};

/** Scalars in answers have the schemas of inputs, except that an id is a text and JSON is any value. */
export const ANSWERED: Readonly<Record<string, Json>> = { ...SCALARS, ...FORMATTED, ID: { type: 'string' }, JSON: {} };

/** The schema of a value of a custom scalar. */
function scalarSchema(scalar: GraphQLScalarType, { coerced }: SchemaOptions): Json {
  return SCALARS[scalar.name] ?? (coerced ? {} : { ...FORMATTED[scalar.name], scalar });
}
