import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionLimits } from '../../src/http/connections.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createLogger } from '../../src/logger.js';
import { tooSlow } from '../../src/app/server.js';
import { OPERATIONS } from '../attack/fuzz/rest-requests.js';
import { contractErrors } from '../support/contract.js';
import { startGateway, testConfig, type TestGateway } from '../support/gateway.js';
import { rawRequest } from '../support/rest.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';

const clients: Socket[] = [];
const servers: { close(): Promise<void> }[] = [];
let gateway: TestGateway;
let testData: TestData;

// For the whole file: most tests wait for time limits, concurrently.
beforeAll(async () => {
  const { connections } = testConfig('', '');
  gateway = await startGateway({
    config: { connections: { ...connections, headerSeconds: 1, requestSeconds: 600, bodyGraceSeconds: 1 } },
  });
  testData = await seedTestData(gateway.app.database);
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  await Promise.all([gateway?.close(), ...servers.map((server) => server.close())]);
});

/**
 * A client that sends given data and never closes its side; records the received data, and whether it was disconnected.
 */
class Client {
  heard = '';
  ended = false;
  private readonly socket: Socket;

  constructor(url: string, ...lines: string[]) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    clients.push(this.socket);
    const end = () => (this.ended = true);
    this.socket.on('data', (bytes) => (this.heard += bytes.toString()));
    this.socket.on('end', end).on('close', end).on('error', end);
    if (lines.length > 0) this.socket.write(lines.join('\r\n'));
  }

  write(text: string): void {
    this.socket.write(text);
  }

  leave(): void {
    this.socket.destroy();
  }

  stopReading(): void {
    this.socket.pause();
  }

  get body(): string {
    return this.heard.split('\r\n\r\n')[1] ?? '';
  }
}

const post = (path: string, token: string, length = 20_000) => [
  `POST ${path} HTTP/1.1`,
  'Host: gateway',
  `X-Service-Token: ${token}`,
  'Content-Type: application/json',
  `Content-Length: ${length}`,
  '',
  '{',
];

describe('a gateway with short time limits', () => {
  test.concurrent(
    'answers 408 to headers that never end, and closes the connection of a client that never does',
    async () => {
      const slow = Array.from({ length: 50 }, () => new Client(gateway.url, 'GET / HTTP/1.1', 'Host: gate'));
      const silent = Array.from({ length: 50 }, () => new Client(gateway.url));
      const all = [...slow, ...silent];
      await until('every client is answered', () => all.every(({ ended }) => ended));
      await until('every connection is gone', async () => (await gateway.connections()) === 0);
      for (const { heard, body } of all) {
        expect(heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        expect(heard).toMatch(/^x-request-id: \S{36}\r$/im);
        expect(body).toBe('{"error":1,"messages":["The request arrived too slowly"]}');
      }
    },
  );

  test.concurrent('closes the connection of a client that sent no HTTP and never closes', async () => {
    const garbage = Array.from({ length: 50 }, () => new Client(gateway.url, 'Hello?', '', ''));
    await until('every client is answered', () => garbage.every(({ ended }) => ended));
    await until('every connection is gone', async () => (await gateway.connections()) === 0);
    for (const { heard } of garbage) expect(heard).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('answers 431 to headers that are too large', async () => {
    const client = new Client(gateway.url, 'GET / HTTP/1.1', 'Host: gateway', `X-Much: ${'x'.repeat(20_000)}`, '', '');
    await until('it is answered', () => client.ended);
    expect(client.heard).toMatch(/^HTTP\/1\.1 431 /);
    expect(client.body).toBe('{"error":1,"messages":["The headers of the request are too large"]}');
  });

  test('answers an address that is too long at any operation as openapi.json says', async () => {
    for (const { method, template } of OPERATIONS) {
      const target = `${template.replaceAll(/\{\w+\}/g, '1')}?search=${'x'.repeat(20_000)}`;
      const { status, headers, bytes } = await rawRequest(gateway.url, method, target);
      expect(status).toBe(431);
      const exchange = { method, target, sent: {}, body: undefined, status, answer: bytes };
      expect(contractErrors({ ...exchange, headers: headers as Record<string, string> })).toEqual([]);
    }
  });

  test.concurrent.each(['/api/v1/organizations', '/api/v1/organizations/1/settings'])(
    'answers 408 in the envelope to a body that arrives too slowly at %s',
    async (path) => {
      const method = path.endsWith('settings') ? 'PATCH' : 'POST';
      const [, ...lines] = post(path, testData.owner.token);
      const client = new Client(gateway.url, `${method} ${path} HTTP/1.1`, ...lines);
      await until('it is answered', () => client.ended);
      expect(client.heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(client.heard).toMatch(/^connection: close\r$/im);
      expect(client.body).toBe('{"error":1,"messages":["The body arrived too slowly"]}');
      await until('its connection is gone', async () => (await gateway.connections()) === 0);
    },
  );

  test.concurrent.each(['/graphql', '/graphql/stream'])(
    'answers 408 as a GraphQL error to a body that arrives too slowly at %s',
    async (path) => {
      const client = new Client(gateway.url, ...post(path, testData.owner.token));
      const trickle = setInterval(() => client.write(' '), 100);
      await until('it is answered', () => client.ended);
      clearInterval(trickle);
      expect(client.heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      const messages = ['The body arrived too slowly'];
      const extensions = { code: 'REQUEST_TIMEOUT', messages };
      expect(JSON.parse(client.body)).toEqual({ errors: [{ message: messages[0], extensions }] });
      await until('its connection is gone', async () => (await gateway.connections()) === 0);
    },
  );

  test.concurrent('takes a body that arrives slowly and above the minimum rate', async () => {
    const name = 'A slow organization';
    const text = JSON.stringify({ name, description: 'd'.repeat(4_000) });
    const [, ...lines] = post('', testData.userWithoutOrganization.token, text.length).slice(0, -1);
    const client = new Client(gateway.url, 'POST /api/v1/organizations HTTP/1.1', ...lines, '');
    for (let at = 0; at < text.length; at += 500) {
      client.write(text.slice(at, at + 500));
      await new Promise((done) => setTimeout(done, 250));
    }
    await until('it is answered', () => client.heard.includes('\r\n\r\n'));
    expect(client.heard).toMatch(/^HTTP\/1\.1 201 /);
    client.leave();
  });
});

describe('a server with connection limits', () => {
  async function serve(limits: Partial<ConnectionLimits>, listener: RequestListener) {
    const http = createHttpServer(
      { ...testConfig('', '').connections, ...limits },
      { log: createLogger('silent'), tooSlow },
    );
    servers.push(http);
    http.server.on('request', listener);
    await new Promise<void>((done) => http.server.listen(0, '127.0.0.1', done));
    const open = () => new Promise<number>((resolve) => http.server.getConnections((_error, count) => resolve(count)));
    return { url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`, open };
  }

  const GET = ['GET / HTTP/1.1', 'Host: gateway', '', ''];
  const ok: RequestListener = (_request, response) => void response.end('ok');

  test.concurrent.each([['maxConnections'], ['maxConnectionsPerAddress']] as const)(
    'closes connections above %s at once, and takes new ones when old ones have gone',
    async (cap) => {
      const { url, open } = await serve({ [cap]: 3 }, ok);
      const answered = Array.from({ length: 3 }, () => new Client(url, ...GET));
      await until('three are answered', () => answered.every(({ body }) => body === 'ok'));
      const refused = new Client(url, ...GET);
      await until('the fourth is closed', () => refused.ended);
      expect(refused.heard).toBe('');
      expect(await open()).toBe(3);
      answered[0]!.leave();
      await until('a place is free', async () => (await open()) === 2);
      const next = new Client(url, ...GET);
      await until('it is answered', () => next.body === 'ok');
    },
  );

  test.concurrent('does not count a body as slow while the gateway itself does not read it', async () => {
    let release = () => {};
    const { url } = await serve({ bodyGraceSeconds: 1 }, (request, response) => {
      release = () => void request.on('end', () => response.end('read')).resume();
    });
    const client = new Client(url, ...post('/', '', 1_000_000).slice(0, -1), '');
    client.write('x'.repeat(1_000_000));
    await new Promise((done) => setTimeout(done, 4_000));
    expect(client.heard).toBe('');
    release();
    await until('it is answered', () => client.body === 'read');
  });

  test.concurrent(
    'cuts off a client that stops reading in the middle, no later than one that waits for an answer',
    async () => {
      const large = Buffer.alloc(32 * 1024 * 1024, 'x');
      const closed: string[] = [];
      let taken = () => 0;
      const { url } = await serve({ stallSeconds: 3 }, ({ url: path = '', socket }, response) => {
        socket.once('close', () => closed.push(path));
        if (path !== '/') return;
        taken = () => socket.bytesWritten - socket.writableLength;
        response.end(large);
      });
      new Client(url, ...GET).stopReading();
      // The other client begins once this one stops reading.
      for (let before = -1; before !== taken() || before === 0; before = taken())
        await new Promise((done) => setTimeout(done, 1_000));
      new Client(url, 'GET /unanswered HTTP/1.1', ...GET.slice(1));
      await until('both are cut off', () => closed.includes('/') && closed.includes('/unanswered'));
      expect(closed[0]).toBe('/');
    },
  );

  test.concurrent('cuts off a client that does not read its answer, and not one that reads slowly', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024, 'x');
    const { url, open } = await serve({ stallSeconds: 2 }, (_request, response) => void response.end(large));
    const stalled = new Client(url, ...GET);
    stalled.stopReading();
    await until('it is cut off', async () => (await open()) === 0);
    let received = 0;
    const reader = connect(Number(new URL(url).port), '127.0.0.1');
    clients.push(reader);
    reader.write(GET.join('\r\n'));
    reader.on('data', (bytes) => {
      received += bytes.length;
      reader.pause();
      setTimeout(() => reader.resume(), 5);
    });
    await until('the slow reader has all of it', () => received > large.length);
  });
});
