import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Answer, Envelope, GraphQLResult } from './clients.js';
import { expectStatus, withStory } from './matchers.js';

/** A header with a key that no other test uses. */
export function newKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `"${randomUUID()}"` };
}

/** Expects a replay of `first`: status, body, and the headers of the record. */
export function expectReplay(answer: Answer<unknown>, first: Answer<unknown>): void {
  withStory(answer, () => {
    expect(answer.status).toBe(first.status);
    expect(answer.text).toBe(first.text);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    for (const name of ['content-type', 'location', 'etag'])
      expect(answer.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get('idempotency-replayed')).toBe(null);
  });
}

/** Expects REST's conflict of a key that belongs to another request. */
export function expectReused(answer: Answer<Envelope>, messages: readonly number[] = [1009]): void {
  expectStatus(answer, 409);
  withStory(answer, () => {
    expect(answer.text).toBe(JSON.stringify({ error: 1, messages }));
    expect(answer.headers.get('conflict-reason')).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(answer.headers.get('retry-after')).toBe(null);
  });
}

/** Expects GraphQL's conflict of an idempotency key, with this reason. */
export function expectReason(answer: Answer<GraphQLResult>, reason: string): void {
  withStory(answer, () => {
    expect(answer.status).toBe(409);
    expect(answer.body.errors?.[0]?.message).toMatch(/Idempotency-Key/);
    expect(answer.body.data ?? null).toBe(null);
    expect(answer.body.errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'CONFLICT', messages: [1009], reason },
    ]);
  });
}
