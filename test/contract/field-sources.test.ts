import { expect, test } from '@jest/globals';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { requireFieldSources } from '../../src/graphql/field-sources.js';

const schema = buildSchema(`
  type Query { incident: Incident }
  type Incident { title: String!  note: String  openedBy: Person  files: [String!] }
  type Person { username: String! }`);
(schema.getType('Incident') as GraphQLObjectType).getFields()['files']!.resolve = () => [];

const column = {};
const incident = { title: column, note: { needs: {} }, openedBy: { object: { username: column } } };

test('a schema whose fields are all columns, computed or resolved is accepted', () => {
  expect(() => requireFieldSources(schema, new Map([['Incident', incident]]))).not.toThrow();
});

test.each([
  ['a column that was renamed', { ...incident, note: undefined, remark: column }, 'Incident.note'],
  ['an object that lacks a column', { ...incident, openedBy: { object: { name: column } } }, 'Person.username'],
])('the gateway does not start with %s', (_what, properties, field) => {
  const records = new Map([['Incident', properties as Record<string, object>]]);
  expect(() => requireFieldSources(schema, records)).toThrow(
    `GraphQL fields that are neither columns nor computed and have no resolver: ${field}`,
  );
});

test('the gateway does not start with records of a type that the schema lacks', () => {
  expect(() => requireFieldSources(schema, new Map([['Accident', incident]]))).toThrow(
    'Records are read as Accident, which is no object type of the schema',
  );
});
