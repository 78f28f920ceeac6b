import {
  buildSchema,
  getNamedType,
  isEnumType,
  Kind,
  parse,
  type GraphQLNamedType,
  type GraphQLObjectType as ObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toEnumName } from '../../src/common/naming.js';

/** Suffix of the descriptions of fields that are null where REST has the empty text. */
export const OPTIONAL = 'Null when there is none.';
const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));

/** Values of enums with another spelling in REST than in GraphQL. */
const HEALTH = ['UNKNOWN', 'HEALTHY', 'DEGRADED', 'DOWN'];
const VALUES: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(HEALTH.map((name, value) => [name, value])),
  ATTACHED: 'attached',
  GENERATED: 'generated',
  IMPORTED: 'imported',
};

/** Spellings by GraphQL's names, of the enums whose descriptions are the spellings. */
const SPELLINGS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .map(
      (type) =>
        [type.name, type.getValues().map(({ name, description }) => [name, description ?? ''] as const)] as const,
    )
    .filter(([, values]) => values.every(([name, description]) => toEnumName(description) === name))
    .map(([name, values]) => [name, new Map(values)]),
);

/** Values of REST for fields that are enums of GraphQL. */
const ENUMS: Readonly<Record<string, string>> = {
  ...{ sectors: 'Sector', industries: 'Industry', nis2_sector: 'Nis2Sector', infrastructure: 'Infrastructure' },
  ...{ value: 'ComplianceFrameworkValue', category: 'IncidentCategory' },
};

/** Converts a value of a REST field to GraphQL's enum; invalid values are unchanged, to be rejected. */
export function inEnumNames(field: string, value: unknown): unknown {
  const values = SPELLINGS.get(ENUMS[field] ?? '');
  if (values === undefined || typeof value !== 'string') return value;
  return value === '' ? null : ([...values].find(([, spelling]) => spelling === value)?.[0] ?? value);
}

// Tests read it and specify their expectation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

/** Converts GraphQL's response to a document of one operation: values, people and "none" as in REST. */
export function inRestValues(document: string, data: Data): Data {
  const [operation] = parse(document).definitions as [OperationDefinitionNode];
  return shown(schema.getRootType(operation.operation) as ObjectType, operation.selectionSet, data);
}

function shown(type: GraphQLNamedType, set: SelectionSetNode | undefined, value: Data): Data {
  if (Array.isArray(value)) return value.map((item) => shown(type, set, item));
  if (typeof value === 'string')
    return (isEnumType(type) ? SPELLINGS.get(type.name)?.get(value) : undefined) ?? VALUES[value] ?? value;
  if (typeof value !== 'object' || value === null || set === undefined) return value;
  if (Object.keys(value).join() === 'username') return value.username;
  const fields = { ...value };
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const of = node.typeCondition === undefined ? type : schema.getType(node.typeCondition.name.value)!;
      Object.assign(fields, shown(of, node.selectionSet, fields));
    }
    if (node.kind !== Kind.FIELD) continue;
    const name = node.alias?.value ?? node.name.value;
    const field = (type as ObjectType).getFields()[node.name.value];
    if (field === undefined || !(name in fields)) continue;
    const isOptional = field.description?.endsWith(OPTIONAL);
    fields[name] =
      fields[name] === null && isOptional ? '' : shown(getNamedType(field.type), node.selectionSet, fields[name]);
  }
  return fields;
}

/** Converts a body of REST to GraphQL's input: names in camel case, enums by their names, JSON unchanged. */
export function inGraphQLInput(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [toCamelCase(name), inputValue(name, value)]),
  );
}

/** `organization_id` as `organizationId`. */
export const toCamelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function inputValue(name: string, value: unknown): unknown {
  if (name === 'status' && typeof value === 'number') return HEALTH[value] ?? value;
  if (name === 'source' && typeof value === 'string') return value.toUpperCase();
  if (name === 'config' || name === 'fields' || typeof value !== 'object' || value === null)
    return inEnumNames(name, value);
  if (Array.isArray(value)) return value.map((item) => inputValue(name, item));
  return name === 'stat'
    ? inHealthNames(value as Record<string, unknown>)
    : inGraphQLInput(value as Record<string, unknown>);
}

/** Enums whose values messages list. */
const LISTED = ['Infrastructure', 'ComplianceFrameworkValue'].flatMap((name) => [...(SPELLINGS.get(name) ?? [])]);
const WORDS: Readonly<Record<string, string | number>> = { ...VALUES, ...Object.fromEntries(LISTED) };

/** A message about such an enum in REST's wording; only GraphQL suggests similar values. */
export function inRestWords(message: string): string {
  const plain = message.replace(/: did you mean .*\?$/, '');
  return plain.replaceAll(/\b[A-Z][A-Z0-9_]*\b/g, (word) => String(WORDS[word] ?? word));
}

/** The state of each part of a device, as GraphQL names it. */
const inHealthNames = (stat: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(stat).map(([part, state]) => [part, HEALTH[state as number] ?? state]));
