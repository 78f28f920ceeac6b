import { expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();

/** Sends raw lines and returns all received data until the connection is closed. */
function spoken(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('data', (bytes) => (heard += bytes.toString())).once('close', () => resolve(heard));
    socket.once('error', reject).write([...lines, '', ''].join('\r\n'));
  });
}

const REFUSAL = '{"error":1,"messages":["The request is not valid HTTP"]}';

test.each([
  ['no HTTP', ['Hello?']],
  ['a method that there is none of', ['BREW /api/v1/token HTTP/1.1', 'Host: gateway']],
  ['a header without a colon', ['GET /api/v1/token HTTP/1.1', 'Host: gateway', 'colonless']],
  ['two lengths', ['POST /graphql HTTP/1.1', 'Host: gateway', 'Content-Length: 1', 'Content-Length: 2']],
  ['a request that names no host', ['GET / HTTP/1.1']],
  ['a query that names no host', ['POST /graphql HTTP/1.1', 'Content-Length: 0']],
])('%s is refused in the envelope, with a request id, and the line is closed', async (_what, lines) => {
  const [head, body] = (await spoken(...lines)).split('\r\n\r\n') as [string, string];
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/^x-request-id: \S{36}$/im);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
  expect(body).toBe(REFUSAL);
});

test.each(['/api/v1/search?q=città', '/api/v1/search?q=two words', '/a\tb'])(
  'an address that is not percent-encoded is refused by what is wrong: %s',
  async (address) => {
    expect(await spoken(`GET ${address} HTTP/1.1`, 'Host: gateway')).toMatch(
      /^HTTP\/1\.1 400 .+\{"error":1,"messages":\["The address must be percent-encoded: spaces, and all that is not ASCII"\]\}$/s,
    );
  },
);

test.each([
  ['of an older HTTP, which knows no host', ['GET /api/v1/openapi.json HTTP/1.0']],
  [
    'with an unknown expectation',
    ['GET /api/v1/openapi.json HTTP/1.1', 'Host: gateway', 'Expect: the-unexpected', 'Connection: close'],
  ],
])('a request %s is answered as any other', async (_what, lines) => {
  const answer = await spoken(...lines);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/^x-request-id: \S{36}\r$/im);
});
