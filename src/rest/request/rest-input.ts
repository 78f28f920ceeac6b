import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
} from 'graphql';
import { composerOf } from '../../common/composed-text.js';
import { InputValidator } from '../../common/input-validator.js';
import { badUserInput, messageOf } from '../../errors.js';
import { restName } from '../view/rest-names.js';
import { constraintsOf, type Json } from '../../common/input-schema.js';

/** How REST spells fields, ids and enums. */
export const REST_SPELLING = { spell: restName, keys: true, enumSchema: restEnum };

/** Validates REST's input in its spelling. */
export const validator = new InputValidator(REST_SPELLING);

/** An input object in REST's spelling: it is validated, and converted to GraphQL's spelling. */
export class RestInput {
  private readonly names: Names;
  private readonly compose: (fields: unknown) => unknown;

  /** A field that is `omitted` must not be sent: it is filled otherwise. */
  constructor(
    private readonly type: GraphQLInputObjectType,
    private readonly omitted: ReadonlySet<string> = new Set(),
  ) {
    this.names = namesOf(type);
    this.compose = composerOf(type, restName) ?? ((fields) => fields);
  }

  /** Throws BAD_USER_INPUT with every error, whether a field is unknown, of a wrong type or against a rule. */
  read(sent: unknown): Record<string, unknown> {
    const fields = this.compose(sent);
    let errors = validator.objectErrors(this.type, sent, this.omitted);
    // A few texts are longer when they are composed, and two may be the same then.
    if (errors.length === 0 && fields !== sent) errors = validator.objectErrors(this.type, fields, this.omitted);
    if (errors.length > 0) throw badUserInput(errors.map((error) => messageOf(error, restName)));
    return rename(fields, this.names) as Record<string, unknown>;
  }
}

/** GraphQL's name of each field and value by REST's, with the fields below it; JSON values are unchanged. */
type Names = ReadonlyMap<string, { name: string; below: Names | Values | undefined }>;
type Values = ReadonlyMap<unknown, string | null>;

function namesOf(type: GraphQLInputObjectType): Names {
  const fields = Object.values(type.getFields());
  return new Map(
    fields.map((field) => {
      const inner = getNamedType(field.type);
      const below = isInputObjectType(inner) ? namesOf(inner) : isEnumType(inner) ? valuesOf(inner, field) : undefined;
      return [restName(field.name, type.name), { name: field.name, below }];
    }),
  );
}

/** The empty text of REST is null. */
function valuesOf(type: GraphQLEnumType, field: GraphQLInputField): Values {
  return new Map([...restValues(type), ...(constraintsOf(field).orEmpty ? [['', null] as const] : [])]);
}

function rename(value: unknown, names: Names | Values): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null)
    return names.has(value as never) ? (names as Values).get(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const { name = key, below } = (names as Names).get(key) ?? {};
      return [name, below ? rename(item, below) : item];
    }),
  );
}

/** Enums that REST spells by their values (specification 2.2, 2.3, 2.6), where GraphQL has names. */
const BY_VALUE: ReadonlySet<string> = new Set([
  ...['DocumentSource', 'DeviceHealth', 'EntityType', 'Sector', 'Industry', 'Nis2Sector', 'Infrastructure'],
  ...['ComplianceFrameworkValue', 'IncidentCategory', 'EventType'],
]);

/** GraphQL's name of each value of an enum, by REST's name. */
export function restValues(type: GraphQLEnumType): ReadonlyMap<string | number, string> {
  const isByValue = BY_VALUE.has(type.name);
  return new Map(type.getValues().map(({ name, value }) => [isByValue ? (value as string | number) : name, name]));
}

/** The JSON Schema of an enum of REST; numbers are published with their names. */
export function restEnum(type: GraphQLEnumType): Json {
  const values = restValues(type);
  const [first] = values.keys();
  if (typeof first !== 'number') return { type: 'string', enum: [...values.keys()] };
  return { type: 'integer', format: 'int32', enum: [...values.keys()], 'x-enum-varnames': [...values.values()] };
}

/** Serializers of those enums: resolvers return the values. */
export const REST_SERIALIZERS = Object.fromEntries([...BY_VALUE].map((name) => [name, (value: unknown) => value]));
