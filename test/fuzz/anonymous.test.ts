import { describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { DOCUMENT_LIMITS } from '../../src/graphql/document-limits.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();

const many = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n)).join(' ');
const ACCEPT = 'mutation ($i: AcceptInvitationInput!) { acceptInvitation(input: $i) { token } }';

/**
 * The status and code of a response, which must cause no statement. The request is repeated if statements were executed,
 * since those of the gateway's background work may occur meanwhile.
 */
async function refused(query: string, variables?: object) {
  for (let attempts = 5; ; attempts -= 1) {
    const before = gateway.app.database.executed;
    const { status, body } = await gateway.graphql.call(query, variables && { variables });
    if (attempts > 0 && gateway.app.database.executed !== before) continue;
    expect(gateway.app.database.executed).toBe(before);
    return [status, body.errors?.[0]?.extensions.code, body.data];
  }
}

describe('a document that needs a caller and comes without a token', () => {
  test.each([
    ['a field', '{ viewer { user { id } } }'],
    ['a field that is not there', '{ nothing }'],
    ['a field in a fragment', '{ ...F } fragment F on Query { ... { formOptions { revision } } }'],
    ['a field of another operation', 'query A { __typename } query B { formOptions { revision } }'],
    ['a field behind one that needs none', '{ __typename viewer { user { id } } }'],
    ['a field under the name of one that needs none', '{ __typename: viewer { user { id } } }'],
    ['a field of an operation with variables', 'query Q($a: [Int!] = [1], $b: Int) { a: viewer { user { id } } }'],
    ['a circle of fragments', '{ ...A x: __typename } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['a fragment that is not there', '{ ...Nowhere }'],
    ['a mutation', 'mutation { createApiToken(input: { name: "a" }) { token } }'],
    ['a subscription', 'subscription { notificationAdded { id } }'],
    ['300 aliases', `{ ${many(300, (n) => `a${n}: viewer { user { id } }`)} }`],
    ['a fragment of 300 aliases', `{ __typename } fragment F on User { ${many(300, (n) => `a${n}: id`)} }`],
    ['a field 900 times', `{ viewer { ${'user { id } '.repeat(900)} } }`],
    ['4,000 open braces', '{a'.repeat(2_000)],
    ['100,000 characters', `{ __typename } #${'x'.repeat(99_000)}`],
  ])('is refused as that before it is validated: %s', async (_what, query) => {
    // Repeated: a refused document is not cached.
    for (let time = 0; time < 2; time += 1) expect(await refused(query)).toEqual([401, 'UNAUTHENTICATED', undefined]);
  });

  test('is refused when callers with a token have made it known', async () => {
    const query = '{ viewer { user { id } } }';
    for (let time = 0; time < 3; time += 1) await gateway.graphql.data(query, { token: testData.owner.token });
    expect(await refused(query)).toEqual([401, 'UNAUTHENTICATED', undefined]);
  });

  test('is refused by GET', async () => {
    const search = new URLSearchParams({ query: '{ viewer { user { id } } }' }).toString();
    const response = await fetch(`${gateway.url}/graphql?${search}`);
    expect(response.status).toBe(401);
  });
});

describe('without a token', () => {
  test('a body of more than 16 KB is refused before it is read', async () => {
    const { bodyBytes } = DOCUMENT_LIMITS.anonymous;
    const frame = JSON.stringify({ query: '{ __typename }', extensions: { x: '' } });
    const body = (size: number) => frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
    const post = (text: string) =>
      fetch(`${gateway.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
    expect((await post(body(bodyBytes))).status).toBe(200);
    expect((await post(body(bodyBytes + 1))).status).toBe(401);
    // No byte of the body is sent here.
    const unread = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 1_000_000 },
      });
      sent.once('response', (response) => resolve(response.statusCode)).once('error', reject);
      sent.flushHeaders();
    });
    expect(unread).toBe(401);
  });

  test('what anybody may send is answered and validated as ever', async () => {
    const call = async (query: string, variables?: object) => {
      const { status, body } = await gateway.graphql.call(query, variables && { variables });
      return [status, body.errors?.[0]?.extensions.code];
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await call('{ __typename }')).toEqual([200, undefined]);
      expect(await call(ACCEPT, { i: { secret: 'inv_unknown' } })).toEqual([200, 'NOT_FOUND']);
      expect(await call(ACCEPT, { i: { secret: 1 } })).toEqual([400, 'BAD_USER_INPUT']);
      expect(await call('mutation { acceptInvitation(input: { secret: "x" }) { nothing } }')).toEqual([
        400,
        'BAD_USER_INPUT',
      ]);
      expect(await call('{ __typename')).toEqual([400, 'BAD_USER_INPUT']);
    }
  });
});
