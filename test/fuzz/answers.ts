import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import type { Answer, GraphQLResult } from '../support/clients.js';
import { GRAPHQL_CODES, INSIDES } from '../support/graphql-contract.js';
import { withStory } from '../support/matchers.js';
import { MARKER } from './fields.js';

export { MARKER };

/** An answer that keeps the rules for hostile input, whether it is a success or not. Compared at once: `expect` is slow. */
export function expectComposed(answer: Answer<GraphQLResult>): void {
  withStory(answer, () => {
    const { status, text, body } = answer;
    const oddErrors = (body.errors ?? []).filter((error) => !isComposed(error));
    expect({ isFault: status >= 500, showsInsides: INSIDES.test(text), oddErrors }).toEqual({
      isFault: false,
      showsInsides: false,
      oddErrors: [],
    });
  });
}

function isComposed({ extensions }: Partial<GraphQLError>): boolean {
  if (extensions === undefined) return false;
  const { code, messages, reason, fields = [], ...others } = extensions;
  const areFew = [messages, fields].every((list) => Array.isArray(list) && list.length <= 50);
  const isListed = GRAPHQL_CODES.includes(code) && (reason === undefined || code === 'CONFLICT');
  return isListed && areFew && Object.keys(others).length === 0;
}

type GraphQLError = NonNullable<GraphQLResult['errors']>[number];

const codesOf = ({ body }: Answer<GraphQLResult>) => (body.errors ?? []).map(({ extensions }) => extensions.code);

/** As `expectComposed`; and it is refused, in words that hold nothing of the value. */
export function expectRefused(answer: Answer<GraphQLResult>): void {
  expectComposed(answer);
  withStory(answer, () => {
    const { body, text } = answer;
    const isRefused = (body.errors ?? []).length > 0;
    expect({ isRefused, showsValue: text.includes(MARKER) }).toEqual({ isRefused: true, showsValue: false });
  });
}

/** As `expectRefused`: as bad input, wherever it was found. What a field's own rules find comes with status 200. */
export function expectInvalid(answer: Answer<GraphQLResult>): void {
  expectRefused(answer);
  withStory(answer, () => {
    expect([200, 400]).toContain(answer.status);
    expect(new Set(codesOf(answer))).toEqual(new Set(['BAD_USER_INPUT']));
  });
}

/** As `expectRefused`, before anything ran. */
export function expectBadInput(answer: Answer<GraphQLResult>): void {
  expectRefused(answer);
  withStory(answer, () => {
    const { status, body } = answer;
    const codes = codesOf(answer);
    expect({ status, codes, data: body.data ?? null }).toEqual({
      status: 400,
      codes: codes.map(() => 'BAD_USER_INPUT'),
      data: null,
    });
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
