import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import type { Answer, GraphQLResult } from '../support/clients.js';
import { GRAPHQL_CODES, INSIDES } from '../support/graphql-contract.js';
import { withStory } from '../support/matchers.js';
import { MARKER } from './fields.js';

export { MARKER };

/** An answer that keeps the rules for hostile input, whether it is a success or not. */
export function expectComposed(answer: Answer<GraphQLResult>): void {
  withStory(answer, () => {
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(INSIDES);
    for (const error of answer.body.errors ?? []) {
      expect(GRAPHQL_CODES).toContain(error.extensions?.code);
      const { code, messages, reason, fields = [], ...others } = error.extensions;
      expect([typeof code, Array.isArray(messages), others]).toEqual(['string', true, {}]);
      if (reason !== undefined) expect(code).toBe('CONFLICT');
      expect(fields.length).toBeLessThanOrEqual(50);
      expect(error.extensions.messages.length).toBeLessThanOrEqual(50);
    }
  });
}

/** As `expectComposed`; and it is refused, in words that hold nothing of the value. */
export function expectRefused(answer: Answer<GraphQLResult>): void {
  expectComposed(answer);
  withStory(answer, () => {
    expect(answer.body.errors?.length).toBeGreaterThan(0);
    expect(answer.text).not.toContain(MARKER);
  });
}

/** As `expectRefused`: as bad input, wherever it was found. What a field's own rules find comes with status 200. */
export function expectInvalid(answer: Answer<GraphQLResult>): void {
  expectRefused(answer);
  withStory(answer, () => {
    expect([200, 400]).toContain(answer.status);
    for (const { extensions } of answer.body.errors ?? []) expect(extensions.code).toBe('BAD_USER_INPUT');
  });
}

/** As `expectRefused`, before anything ran. */
export function expectBadInput(answer: Answer<GraphQLResult>): void {
  expectRefused(answer);
  withStory(answer, () => {
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(
      answer.body.errors?.map(() => 'BAD_USER_INPUT'),
    );
    expect(answer.body.data ?? null).toBeNull();
  });
}

/** A fingerprint of all that is stored, but for what is written from the side: the use of tokens, and positions of consumers. */
export async function fingerprint(database: Database): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name not in ('token_address', 'event_consumer') order by 1`,
  );
  const prints: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.rows<{ print: string }>(
      `select md5(coalesce(string_agg(line, ',' order by line), '')) as print
         from (select (to_jsonb(t) - 'last_used_at')::text as line from "${name}" t) lines`,
    );
    prints.push(`${name} ${row?.print}`);
  }
  return prints.join('\n');
}
