import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { seedTestData, type TestData } from '../support/test-data.js';
import { connectTo } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { until } from './support/until.js';

let installation: Installation;
let testData: TestData;

beforeAll(async () => {
  installation = await Installation.create('shutdown');
  testData = await seedTestData(installation.database);
});

afterAll(() => installation?.clear());

function get(agent: Agent, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Service-Token': testData.owner.token };
    request(url, { agent, headers }, resolve).once('error', reject).end();
  });
}

test('SIGTERM resets no connection of sixteen clients that keep theirs alive and never pause', async () => {
  const gateway = await installation.start();
  const path = `/api/v1/organizations/${testData.organizationId}/users`;
  const failures: string[] = [];
  let answered = 0;
  let closing = 0;
  const clients = Array.from({ length: 16 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const response = await get(agent, gateway.url + path);
        await text(response);
        if (response.statusCode !== 200) failures.push(`status ${response.statusCode}`);
        answered += 1;
        if (response.headers.connection === 'close') closing += 1;
      }
    } catch (error) {
      // The end of every client: nothing listens any more.
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code !== 'ECONNREFUSED') failures.push(code);
    } finally {
      agent.destroy();
    }
  });
  await until('the clients are at work', () => answered > 200);
  gateway.signal('SIGTERM');
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(closing).toBe(16);
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.complaint).toBe('');
});

test('a request on an idle connection is answered after SIGTERM, with Connection: close', async () => {
  const gateway = await installation.start();
  const socket = connect(gateway.port, '127.0.0.1');
  let heard = '';
  let closed = false;
  socket.on('data', (bytes) => (heard += bytes.toString())).on('close', () => (closed = true));
  const ask = () => socket.write('GET /health/ready HTTP/1.1\r\nHost: gateway\r\n\r\n');
  ask();
  await until('it is answered', () => heard.includes('"status":"ready"'));
  gateway.signal('SIGTERM');
  await until('nothing listens any more', async () => (await connectTo(gateway.port)) === 'refused');
  heard = '';
  ask();
  await until('the connection is closed', () => closed);
  expect(heard).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(heard).toMatch(/^connection: close\r$/im);
  expect(heard).toContain('"status":"not ready","draining":true');
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
});

test('a client that never sends and never leaves does not keep the gateway from stopping', async () => {
  const gateway = await installation.start();
  const silent = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  const half = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  half.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: gate');
  silent.on('error', () => undefined);
  await until('both are connected', () => !silent.connecting && !half.connecting);
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  silent.destroy();
  half.destroy();
});
