import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../src/database/database.js';
import type { Answer, GraphQLResult } from '../support/clients.js';
import { GRAPHQL_CODES, INSIDES } from '../support/graphql-contract.js';
import { withStory } from '../support/matchers.js';
import { MARKER } from './fields.js';

export { MARKER };

/** Properties of a response that are checked for invalid input. */
function factsOf({ status, text, body }: Answer<GraphQLResult>) {
  const errors = body.errors ?? [];
  return {
    isServerError: status >= 500,
    showsInsides: INSIDES.test(text),
    oddErrors: errors.filter((error) => !isComposed(error)),
    isRefused: errors.length > 0,
    showsValue: text.includes(MARKER),
    isBadInput: errors.length > 0 && errors.every(({ extensions }) => extensions.code === 'BAD_USER_INPUT'),
    status,
    data: body.data ?? null,
  };
}

type Facts = ReturnType<typeof factsOf>;

/** `expect` is slow, and most responses are correct. */
function expectFacts(answer: Answer<GraphQLResult>, expected: Partial<Facts>): void {
  const facts = factsOf(answer);
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, facts[name as keyof Facts]]));
  if (!isDeepStrictEqual(found, expected)) withStory(answer, () => expect(found).toEqual(expected));
}

const COMPOSED = { isServerError: false, showsInsides: false, oddErrors: [] };
const REFUSED = { ...COMPOSED, isRefused: true, showsValue: false };

/** A response that follows the rules for invalid input, successful or not. */
export function expectComposed(answer: Answer<GraphQLResult>): void {
  expectFacts(answer, COMPOSED);
}

/** As `expectComposed`, and refused, with messages that do not include the value. */
export function expectRefused(answer: Answer<GraphQLResult>): void {
  expectFacts(answer, REFUSED);
}

/** As `expectRefused`, as bad input, wherever it was detected. Errors of a field's own rules have status 200. */
export function expectInvalid(answer: Answer<GraphQLResult>): void {
  const status = answer.status === 200 ? 200 : 400;
  expectFacts(answer, { ...REFUSED, isBadInput: true, status });
}

/** As `expectRefused`, before any execution. */
export function expectBadInput(answer: Answer<GraphQLResult>): void {
  expectFacts(answer, { ...REFUSED, isBadInput: true, status: 400, data: null });
}

function isComposed({ extensions }: Partial<GraphQLError>): boolean {
  if (extensions === undefined) return false;
  const { code, messages, reason, fields = [], ...others } = extensions;
  const areFew = [messages, fields].every((list) => Array.isArray(list) && list.length <= 50);
  const isListed = GRAPHQL_CODES.includes(code) && (reason === undefined || code === 'CONFLICT');
  return isListed && areFew && Object.keys(others).length === 0;
}

type GraphQLError = NonNullable<GraphQLResult['errors']>[number];

/**
 * A fingerprint of all stored data, except asynchronous writes: the use of tokens, and the consequences of audit
 * entries, which it includes.
 */
export async function fingerprint(database: Database): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name not in ('token_address', 'event_consumer', 'event', 'audit_seal', 'audit_checkpoint') order by 1`,
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
