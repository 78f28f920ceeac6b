import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { ANONYMOUS } from '../../src/auth/caller.js';
import { toDomainError } from '../../src/graphql/errors.js';
import { GraphQLExecutor } from '../../src/graphql/executor.js';
import { OperationPipeline } from '../../src/graphql/pipeline.js';

const schema = buildSchema(`
  type Query { a(i: Input): Int }
  type Mutation { acceptInvitation: Int }
  input Input { name: String!, tags: [String], inner: Inner }
  input Inner { name: String! }
`);
/** No registered document. */
const NONE = {
  isEmpty: true,
  find: async () => undefined,
  withText: () => undefined,
  refresh: async () => undefined,
};
const pipeline = () => new OperationPipeline(new GraphQLExecutor(schema), 'token', NONE);
const USER = { caller: { kind: 'system', name: 'test' } } as const;

test('documents of callers without a token do not push those of others out of memory', () => {
  const subject = pipeline();
  expect(subject.admit({ query: '{ a }' }, USER)).toHaveProperty('operation');
  for (let n = 0; n < 2_000; n += 1) {
    const query = `{ __typename } # ${n}`;
    expect(subject.anonymousErrors(query)).toBeUndefined();
    expect(subject.admit({ query }, { caller: ANONYMOUS })).toHaveProperty('operation');
  }
  expect(subject['documents'].size).toBe(1);
  expect(subject['anonymousDocuments'].size).toBe(50);
});

test('a document that was refused is not cached', () => {
  const subject = pipeline();
  for (const query of ['{ a }', '{ nothing }', '{ __schema { description } }']) {
    expect(subject.anonymousErrors(query)).toHaveLength(1);
    expect(subject.admit({ query }, { caller: ANONYMOUS })).toHaveLength(1);
  }
  expect(subject.admit({ query: '{ nothing }' }, USER)).toHaveLength(1);
  for (const cache of ['documents', 'anonymousDocuments'] as const) expect(subject[cache].size).toBe(0);
});

// graphql-js prints an invalid object completely, in each of up to 50 errors.
test('what is wrong with large variables is found before they are executed', () => {
  const messagesOf = (i: unknown) => {
    const call = pipeline().admit({ query: 'query ($i: Input) { a(i: $i) }', variables: { i } }, USER);
    return 'operation' in call ? [] : toDomainError(call[0]).messages;
  };
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 1]));
  expect(messagesOf({ name: 'a', ...keys })).toHaveLength(50);
  expect(messagesOf({ name: keys })).toEqual(['name must be a string']);
  expect(messagesOf({ name: 'a', tags: keys })).toEqual(['tags must be an array of strings']);
  expect(messagesOf({ name: 'a', inner: keys })).toHaveLength(50);
  expect(messagesOf({ name: 'x'.repeat(1_000_000), inner: 'x'.repeat(1_000_000) })).toEqual([
    'inner must be an object',
  ]);
  expect(messagesOf({ name: 'x'.repeat(1_000_000) })).toEqual([]);
});
