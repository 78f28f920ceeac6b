import { describe, expect, test } from '@jest/globals';
import { generateToken } from '../../src/auth/token.js';
import { hasCodes } from '../../src/rest/answer/answer.js';
import { isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { rawRequest } from '../support/rest.js';

const gateway = await startSharedGateway();

const NEEDS_TOKEN = '{"error":1,"messages":[1001]}';
const NEEDS_TOKEN_GRAPHQL =
  '{"errors":[{"message":"A valid X-Service-Token is required","extensions":{"code":"UNAUTHENTICATED","messages":[1001]}}]}\n';

/** Announces a megabyte of JSON and sends none of it: the response cannot depend on the body. */
async function answerToUnsentBody(method: string, path: string): Promise<[status: number, text: string]> {
  const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
  const { status, text } = await rawRequest(gateway.url, method, path, { headers });
  return [status, text];
}

describe('without a token, before a byte of the body has arrived,', () => {
  const routes = ROUTES.filter((route) => isOperationRoute(route) && route.body !== undefined);
  const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, '1');

  test('every REST route that needs a token answers 401', async () => {
    const closed = routes.filter(({ open }) => open === undefined);
    expect(closed.length).toBeGreaterThan(20);
    const answers = await Promise.all(closed.map(({ method, path }) => answerToUnsentBody(method, pathOf(path))));
    const expected = closed.map(({ path }) => [401, hasCodes(path) ? NEEDS_TOKEN : '{"error":1,"messages":[]}']);
    expect(answers).toEqual(expected);
  });

  test('every REST route that needs none refuses more than 4 KB', async () => {
    const open = routes.filter((route) => route.open === true);
    expect(open.map(({ path }) => path)).toContain('/api/v1/invitations/accept');
    const refusal = '{"error":1,"messages":["The body must not exceed 4096 bytes"]}';
    for (const { method, path } of open) expect(await answerToUnsentBody(method, path)).toEqual([400, refusal]);
  });

  test('GraphQL answers 401 to more than 16 KB', async () => {
    const [status, text] = await answerToUnsentBody('POST', '/graphql');
    expect([status, text]).toEqual([401, NEEDS_TOKEN_GRAPHQL.trimEnd()]);
  });
});

describe('without a token GraphQL answers', () => {
  const aliases = Array.from({ length: 300 }, (_, at) => `a${at}: viewer { user { id } }`).join(' ');
  const invalid =
    '{"errors":[{"message":"The document is not valid GraphQL (line 1, column 3)","extensions":' +
    '{"code":"BAD_USER_INPUT","messages":["The document is not valid GraphQL (line 1, column 3)"]},' +
    '"locations":[{"line":1,"column":3}]}]}\n';

  test.each([
    ['401 to hundreds of aliases', `{ ${aliases} }`, 401, NEEDS_TOKEN_GRAPHQL],
    [
      '401 to a circle of fragments',
      '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
      401,
      NEEDS_TOKEN_GRAPHQL,
    ],
    ['400 to a document that is no GraphQL', '{ 1', 400, invalid],
  ])('%s', async (_case, query, status, text) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await rawRequest(gateway.url, 'POST', '/graphql', { headers, body: JSON.stringify({ query }) });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });
});

describe('REST answers', () => {
  test.each([
    ['401 to a token that does not exist', '/api/v1/organizations', generateToken(), 401, NEEDS_TOKEN],
    [
      '404 to a download without a signature',
      '/api/v1/downloads/documents/1',
      '',
      404,
      '{"error":1,"messages":[1004]}',
    ],
  ])('%s', async (_case, path, token, status, text) => {
    const answer = await rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': token } });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });
});
