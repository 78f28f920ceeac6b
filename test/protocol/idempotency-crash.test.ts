import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import type { GatewayProcess } from '../resilience/support/gateway-process.js';
import { Installation } from '../resilience/support/installation.js';
import { until } from '../resilience/support/until.js';

let installation: Installation;
let database: Database;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('idempotency');
  ({ database } = installation);
  testData = await seedTestData(database);
  gateway = await installation.start();
});

afterAll(() => installation?.clear());

/** Sends a request whose answer is never read. */
function sendUnread({ port }: GatewayProcess, headers: Record<string, string>, body: object): Socket {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-service-token': testData.owner.token,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(`POST /api/v1/tokens HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  return socket;
}

const tokensCalled = async (name: string) =>
  (await database.rows<{ count: number }>('select count(*) as count from api_token where name = $1', [name]))[0]!.count;

test('an answer that was lost with the gateway after COMMIT is found by the retry at another one', async () => {
  const key = { 'idempotency-key': '"killed-after-commit"' };
  const body = { name: 'Killed after commit' };
  const socket = sendUnread(gateway, key, body);
  await until('the change is committed', async () => (await tokensCalled(body.name)) === 1);
  await gateway.end('SIGKILL');
  socket.destroy();
  gateway = await installation.start();
  const rest = new RestClient(gateway.url);
  const answer = await rest.post('/api/v1/tokens', { token: testData.owner.token, headers: key, body });
  const { token } = expectData(answer, 201);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(await tokensCalled(body.name)).toBe(1);
  expectStatus(await rest.get('/api/v1/organizations', { token }), 200);
});

test('a request that was lost with the gateway before COMMIT is executed by the retry, at once', async () => {
  const key = { 'idempotency-key': '"killed-before-commit"' };
  const body = { name: 'Killed before commit' };
  let socket: Socket | undefined;
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from app_user where id = $1 for update', [testData.owner.id]);
    socket = sendUnread(gateway, key, body);
    await someoneWaits(database);
    await gateway.end('SIGKILL');
  });
  socket?.destroy();
  gateway = await installation.start();
  const rest = new RestClient(gateway.url);
  // The server notices that its client has died when it next writes to it.
  const answer = await until('the lock of the dead gateway is released', async () => {
    const each = await rest.post('/api/v1/tokens', { token: testData.owner.token, headers: key, body });
    return each.status === 409 ? undefined : each;
  });
  expectStatus(answer, 201);
  expect(answer.headers.get('idempotency-replayed')).toBe(null);
  expect(await tokensCalled(body.name)).toBe(1);
});
