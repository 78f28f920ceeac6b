import { expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { DocumentLimits } from '../../src/graphql/document-limits.js';
import { DocumentValidator } from '../../src/graphql/document-validator.js';

const schema = buildSchema(`
  type Query { a(i: Input): Int }
  type Mutation { acceptInvitation: Int }
  input Input { name: String!, tags: [String], inner: Inner }
  input Inner { name: String! }
`);
const documentValidator = () =>
  new DocumentValidator(schema, {
    introspection: 'token',
    limits: new DocumentLimits(schema),
  });

test('documents of callers without a token do not push those of others out of memory', () => {
  const subject = documentValidator();
  expect(subject.admit({ query: '{ a }' })).toHaveProperty('operation');
  for (let n = 0; n < 2_000; n += 1) expect(subject.anonymousErrors(`{ __typename } # ${n}`)).toBeUndefined();
  expect(subject.known('{ a }')).toBeDefined();
  expect(subject['anonymousDocuments']['documents'].size).toBe(50);
});

test('a document that was refused is not kept', () => {
  const subject = documentValidator();
  for (const query of ['{ a }', '{ nothing }', '{ __schema { description } }'])
    expect(subject.anonymousErrors(query)).toHaveLength(1);
  expect(subject.admit({ query: '{ nothing }' })).toHaveLength(1);
  for (const cache of ['documents', 'anonymousDocuments'] as const) expect(subject[cache]['documents'].size).toBe(0);
});

// graphql-js writes a wrong object out whole, in each of up to 50 errors.
test('what is wrong with large variables is found before they are executed', () => {
  const document = parse('query ($i: Input) { a(i: $i) }');
  const faultsOf = (i: unknown) =>
    documentValidator().callError(document, getOperationAST(document) ?? undefined, { i }, 'checked')?.messages ?? [];
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 1]));
  expect(faultsOf({ name: 'a', ...keys })).toHaveLength(50);
  expect(faultsOf({ name: keys })).toEqual(['name must be a string']);
  expect(faultsOf({ name: 'a', tags: keys })).toEqual(['tags must be an array of strings']);
  expect(faultsOf({ name: 'a', inner: keys })).toHaveLength(50);
  expect(faultsOf({ name: 'x'.repeat(1_000_000), inner: 'x'.repeat(1_000_000) })).toEqual(['inner must be an object']);
  expect(faultsOf({ name: 'x'.repeat(1_000_000) })).toEqual([]);
});
