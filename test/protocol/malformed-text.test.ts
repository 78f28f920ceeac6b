import { expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const headers = { 'X-Service-Token': testData.owner.token, 'apollo-require-preflight': 'true' };

/** The path is sent raw; `fetch` would escape it. */
async function get(path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${gateway.url}/`, { path, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    request.on('error', reject).end();
  });
}

const USERS = `/api/v1/organizations/${testData.organizationId}/users`;

test.each([
  ['a byte that is no character', '?search=%FF'],
  ['half a character', '?limit=5&search=%C3'],
  ['a surrogate', '?search=%ED%A0%80'],
  ['a character that is replaced elsewhere in the text', '?search=%EF%BF%BD%FF'],
])('a query string with %s is refused with the name of the parameter', async (_what, query) => {
  const { status, body } = await get(USERS + query);
  expect([status, JSON.parse(body).messages]).toEqual([400, ['search must be valid UTF-8']]);
});

test('GraphQL names the parameter as well', async () => {
  for (const path of ['/graphql', '/graphql/stream']) {
    const { status, body } = await get(`${path}?query=%7B__typename%7D&operationName=%FF`);
    expect(status).toBe(400);
    expect(body).toContain('operationName must be valid UTF-8');
  }
});

test('a path with such bytes is not found', async () => {
  for (const path of [`${USERS}/%FF`, '/api/v1/v-ciso/available-workflows/%C3', '/api/v1/%FF'])
    expect(await get(path)).toMatchObject({ status: 404 });
});
