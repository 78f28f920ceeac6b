import { expect, test } from '@jest/globals';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
  type GraphQLNamedType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toCamelCase } from '../../src/common/naming.js';
import { fieldsWithArguments } from '../fuzz/fields.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();

test('schema.graphql is the schema that the gateway serves', () => {
  const committed = readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8');
  expect(`${printSchema(lexicographicSortSchema(gateway.app.executor.schema))}\n`).toBe(committed);
});

test('every field that takes arguments is reached by a valid document, with which campaigns try its values', () => {
  const { schema } = gateway.app.executor;
  const problems = fieldsWithArguments(schema).flatMap(({ name, query }) =>
    validate(schema, parse(query)).map(({ message }) => [name, message]),
  );
  expect(problems).toEqual([]);
});

test('every type, field, argument and value of the schema says what it is', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const described = types.flatMap(partsOf);
  expect(described.length).toBeGreaterThan(types.length);
  const silent = described.filter(({ description }) => (description ?? '').trim() === '').map(({ name }) => name);
  expect(silent).toEqual([]);
});

test('a text that is stored without white space around it says so, as docs/rest.md promises', () => {
  const inputs = Object.values(gateway.app.executor.schema.getTypeMap()).filter(isInputObjectType);
  const trimmed = new Map([
    ['ThreatBlockerInput', ['deviceId', 'services', 'type']],
    ['CloudDefenderInput', ['services']],
    ['ThreatBlockerPluginInput', ['name']],
    ['ServiceAccountInput', ['name', 'description']],
    ['WebhookEndpointInput', ['description']],
    ['IncidentReportInput', ['reason', 'recipient', 'reference']],
    ['ProfileInput', ['firstName', 'lastName']],
    ['AcceptInvitationInput', ['firstName', 'lastName']],
    ['AttestationInput', ['reason']],
    ['AnswerEvidenceRequestInput', ['answer']],
    ['UpdateControlInput', ['justification']],
  ]);
  for (const [end, names] of trimmed) {
    const fields = inputs
      .filter(({ name }) => new RegExp(`^(?:Create|Update|Record|Correct|Withdraw)?${end}$`).test(name))
      .flatMap((type) => names.flatMap((name) => type.getFields()[name] ?? []));
    expect(fields.length).toBeGreaterThanOrEqual(names.length);
    for (const { name, description } of fields) expect(`${name}: ${description}`).toMatch(/ after trimming/);
  }
});

test('a description names fields and arguments as GraphQL does, and not as REST', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const described = types.flatMap(partsOf);
  const names = new Set(described.map(({ name }) => name.split('.').at(-1)!));
  // A fact of a reporting regime, whose names are those of its file.
  const others = ['`time_zone`'];
  const wrong = described.flatMap(({ name, description }) =>
    (description?.match(/`[a-z]+(?:_[a-z]+)+`/g) ?? [])
      .filter((word) => names.has(toCamelCase(word.slice(1, -1))) && !others.includes(word))
      .map((word) => `${name}: ${word}`),
  );
  expect(wrong).toEqual([]);
});

test.each(['schema.graphql', 'openapi.json'])('%s cites no document that its readers do not have', (name) => {
  const committed = readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8');
  expect(committed.match(/.*(?:specification|§).*/gi) ?? []).toEqual([]);
});

test('every argument and input field that is named like an id is an ID', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const inputs = types.flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
  // Names that other standards define.
  const foreign = ['deviceId', 'regimeId', 'clientId', 'afterDatabaseId'];
  const ids = inputs.filter(({ name }) => /^ids?$|[a-z]Ids?$/.test(name) && !foreign.includes(name));
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter(({ type }) => getNamedType(type).name !== 'ID').map(({ name }) => name)).toEqual([]);
  // Names in the file of a workflow or a mapping, and a key that is not a number.
  const others = ['atbKey', 'control', 'from', 'matches', 'parent', 'to'];
  const named = new Set([...ids.map(({ name }) => name), ...others]);
  expect(inputs.filter(({ name, type }) => getNamedType(type).name === 'ID' && !named.has(name))).toEqual([]);
});

test('a field that may be null says when it is', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const fields = types.flatMap((type) =>
    isObjectType(type) && !/^(Query|Mutation|Subscription)$/.test(type.name)
      ? Object.values(type.getFields()).map((field) => ({ ...field, of: type.name }))
      : [],
  );
  const nullable = fields.filter(({ type }) => !isNonNullType(type));
  expect(nullable.length).toBeGreaterThan(100);
  expect(
    nullable.filter(({ description }) => !/null/i.test(description ?? '')).map(({ of, name }) => `${of}.${name}`),
  ).toEqual([]);
});

test('a list of an organization may be null where a viewer may not read it, and nowhere else', async () => {
  const type = gateway.app.executor.schema.getType('Organization');
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const lists = fields.filter((field) => getNamedType(field.type).name.endsWith('Connection'));
  const { viewer, organizationId } = testData;
  const refused: string[] = [];
  for (const { name } of lists) {
    const query = `{ organization(id: ${organizationId}) { ${name} { totalCount } } }`;
    if ((await gateway.graphql.call(query, viewer)).body.errors !== undefined) refused.push(name);
  }
  expect(lists.filter((field) => !isNonNullType(field.type)).map(({ name }) => name)).toEqual(refused);
  expect(refused.length).toBeGreaterThan(0);
});

interface Described {
  name: string;
  description?: string | null | undefined;
}

/** The type itself and all types that it consists of, by their coordinates. */
function partsOf(type: GraphQLNamedType): Described[] {
  const of = (parts: readonly Described[], owner = type.name) =>
    parts.map(({ name, description }) => ({ name: `${owner}.${name}`, description }));
  if (isEnumType(type)) return [type, ...of(type.getValues())];
  if (isInputObjectType(type)) return [type, ...of(Object.values(type.getFields()))];
  if (!isObjectType(type) && !isInterfaceType(type)) return [type];
  const fields = Object.values(type.getFields());
  return [type, ...of(fields), ...fields.flatMap(({ name, args }) => of(args, `${type.name}.${name}`))];
}
