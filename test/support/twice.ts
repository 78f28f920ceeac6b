import { expect } from '@jest/globals';
import type { GraphQLClient } from './clients.js';
import { withStory } from './matchers.js';

interface Options {
  token?: string;
  variables?: object;
}

/**
 * Sends an operation twice and returns its data: it is interpreted at first and then compiled, and both responses must
 * be equal.
 */
export async function dataTwice(client: GraphQLClient, query: string, options: Options) {
  const answer = await answerTwice(client, query, options);
  withStory(answer, () => expect(answer.body.errors).toBeUndefined());
  return answer.body.data;
}

/** Sends an operation that must fail twice, interpreted and compiled; returns the errors, which must be equal. */
export async function errorsTwice(client: GraphQLClient, query: string, options: Options) {
  const answer = await answerTwice(client, query, options);
  withStory(answer, () => expect(answer.body.errors).toBeDefined());
  return answer.body.errors ?? [];
}

/** Sends an operation twice, interpreted and compiled; the answers must be equal. */
export async function answerTwice(client: GraphQLClient, query: string, options: Options) {
  const interpreted = await client.call(query, options);
  const compiled = await client.call(query, options);
  withStory(compiled, () => expect(compiled.body).toEqual(interpreted.body));
  withStory(compiled, () => expect(compiled.status).toBe(interpreted.status));
  return compiled;
}
