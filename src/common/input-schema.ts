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
 * Constraints of an input field beyond its GraphQL type: JSON Schema's words, and our own where it lacks one. It stands
 * on the field once; validation, the OpenAPI document and the descriptions are made of it.
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
  /** Which control characters a text may have: none, or tabs and line breaks. */
  readonly text?: 'line' | 'lines';
  /** White space around the text does not count, and invisible text counts as empty. */
  readonly trim?: true;
  /** The empty text means "none"; so does white space where it says `blank`. */
  readonly orEmpty?: true | 'blank';
  /** The field may be absent, and not null. */
  readonly notNull?: true;
  /** One item may stand for a list of one. */
  readonly single?: true;
  /** Items with the same value of this property are refused. */
  readonly uniqueBy?: string;
  /** JSON that is stored as sent: levels, the value itself being the first, and bytes. */
  readonly json?: { readonly levels: number; readonly bytes: number };
  /** A rule for several fields of one object. */
  readonly rule?: ObjectRule;
  /** The name of the values of `enum` in the sentence, where they are too many to list. */
  readonly listName?: string;
  /** Sentences that differ from the usual one, by keyword. */
  readonly sentences?: Readonly<Record<string, string>>;
  /** Published beside the rest and enforced elsewhere, such as by the rules of a catalog file. */
  readonly published?: Json;
  /** Why a text or list has no constraint here. */
  readonly unchecked?: string;
}

/** Checks an object and returns its errors; `read` gives the value of a field of it, or of an object inside of it. */
export type ObjectRule = (read: ReadField) => readonly RuleError[];
type ReadField = (field: string, of?: unknown) => unknown;

export interface RuleError extends Omit<FieldError, 'path'> {
  /** From the object on. */
  readonly at: Path;
}

/** How one spelling of an input type is made. */
export interface SchemaOptions {
  /** The name of a field in this spelling; `type` is the input type that has it. */
  spell(name: string, type?: string): string;
  /** Of an input type inside of another: its schema, or a reference to it. */
  nested(type: GraphQLInputObjectType): Json;
  /** For values that GraphQL has coerced: enums and instants are no JSON any more, and are right. */
  readonly coerced?: boolean;
  /** For ids that are REST's values, not GraphQL's `ID`. */
  readonly keys?: boolean;
  /** The end of a sentence that names values of a list which look like what was sent; empty where none does. */
  near?(sent: string, values: readonly string[]): string;
  /** The JSON Schema of an enum whose values this spelling does not call by their names. */
  enumSchema?(type: GraphQLEnumType): Json | undefined;
}

/** The JSON Schema of an input type without the fields that are `omitted`. */
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

/** The type of a field before ids became `ID`: what services and REST take. */
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

/** The same schema, with null as one more value. */
export function orNull(schema: Json): Json {
  if (schema['$ref'] !== undefined) {
    const { $ref, ...rest } = schema;
    return { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
  }
  const { type, enum: values, ...rest } = schema;
  // Without a type, values that GraphQL has coerced may be anything but what a list does not name.
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
  // Null is all that an enum of GraphQL has for "none".
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

/** Schema of a value with a format: a text, also where it is an `ID`. */
const TEXT: Json = { type: 'string' };

export const FORMATTED: Readonly<Record<string, Json>> = {
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
};

/** Scalars in answers look as in what is sent; but an id is a text, and JSON is anything. */
export const ANSWERED: Readonly<Record<string, Json>> = { ...SCALARS, ...FORMATTED, ID: { type: 'string' }, JSON: {} };

/** The schema of a value of one of our own scalars. */
function scalarSchema(scalar: GraphQLScalarType, { coerced }: SchemaOptions): Json {
  return SCALARS[scalar.name] ?? (coerced ? {} : { ...FORMATTED[scalar.name], scalar });
}
