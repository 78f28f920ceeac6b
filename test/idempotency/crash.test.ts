import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { buildWorld, type World } from '../support/world.js';
import type { GatewayProcess } from '../survival/support/gateway-process.js';
import { Ground } from '../survival/support/ground.js';
import { until } from '../survival/support/until.js';

let ground: Ground;
let database: Database;
let world: World;

beforeAll(async () => {
  ground = await Ground.lay('idempotency');
  ({ database } = ground);
  world = await buildWorld(database);
}, 120_000);

afterAll(() => ground?.clear(), 60_000);

/** Sends a request whose answer is never read. */
function sendUnread({ port }: GatewayProcess, headers: Record<string, string>, body: object): Socket {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-service-token': world.owner.token,
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
  const gateway = await ground.start();
  const socket = sendUnread(gateway, key, body);
  await until('the change is committed', async () => (await tokensCalled(body.name)) === 1);
  await gateway.end('SIGKILL');
  socket.destroy();
  const rest = new RestClient((await ground.start()).url);
  const answer = await rest.post('/api/v1/tokens', { token: world.owner.token, headers: key, body });
  const { token } = expectData(answer, 201);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(await tokensCalled(body.name)).toBe(1);
  expectStatus(await rest.get('/api/v1/organizations', { token }), 200);
}, 120_000);

test('a request that was lost with the gateway before COMMIT is executed by the retry, at once', async () => {
  const key = { 'idempotency-key': '"killed-before-commit"' };
  const body = { name: 'Killed before commit' };
  const gateway = await ground.start();
  let socket: Socket | undefined;
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from app_user where id = $1 for update', [world.owner.id]);
    socket = sendUnread(gateway, key, body);
    await someoneWaits(database);
    await gateway.end('SIGKILL');
  });
  socket?.destroy();
  const rest = new RestClient((await ground.start()).url);
  // The server notices that its client has died when it next writes to it.
  const answer = await until('the lock of the dead gateway is released', async () => {
    const each = await rest.post('/api/v1/tokens', { token: world.owner.token, headers: key, body });
    return each.status === 409 ? undefined : each;
  });
  expectStatus(answer, 201);
  expect(answer.headers.get('idempotency-replayed')).toBe(null);
  expect(await tokensCalled(body.name)).toBe(1);
}, 120_000);
