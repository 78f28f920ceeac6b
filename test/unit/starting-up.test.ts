import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startingUpHandler } from '../../src/app/server.js';

let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer(startingUpHandler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

test('a gateway that is starting lives, and is not to be restarted', async () => {
  const response = await fetch(`${address}/health/live`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'live' }]);
});

test.each([
  ['/api/v1/notifications?limit=1', { error: 1, messages: [] }],
  ['/', { error: 1, messages: [] }],
  ['/health/ready', { status: 'not ready', starting: true }],
  [
    '/scim/v2/organizations/1/Users',
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '503',
      detail: 'The service is not available at the moment; try again later',
    },
  ],
  [
    '/mcp',
    {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32000,
        message: 'The service is not available at the moment; try again later',
        data: { code: 'UNAVAILABLE', messages: [], retryAfter: 1 },
      },
    },
  ],
  [
    '/graphql',
    {
      errors: [
        {
          message: 'The service is not available at the moment; try again later',
          extensions: { code: 'UNAVAILABLE', messages: [] },
        },
      ],
    },
  ],
])('%s is answered with Retry-After, in the form of its API', async (path, body) => {
  // In a form that programs in Java accept by default.
  const accept = path === '/' ? '*/*' : 'text/html, image/gif, image/jpeg, */*; q=.2';
  const response = await fetch(`${address}${path}`, { headers: { accept, 'x-request-id': 'sent-too-early' } });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(response.headers.get('content-type')).toMatch(
    path.startsWith('/scim') ? /^application\/scim\+json/ : /^application\/json/,
  );
  expect(response.headers.get('x-request-id')).toBe('sent-too-early');
  expect(await response.json()).toEqual(body);
});

test('a browser gets a page in its language, which is loaded again', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
  const response = await fetch(`${address}/organizations/1`, { headers });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await response.text();
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('<meta http-equiv="refresh" content="1">');
  expect(page).toContain('<p>Der Dienst ist ');
});
