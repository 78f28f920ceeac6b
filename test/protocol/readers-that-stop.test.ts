import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, request, type IncomingMessage } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { mock } from 'node:test';
import { LIMITS } from '../../src/values/limits.js';
import { buildAuditEntry } from '../support/audit.js';
import { readEvents } from '../support/events.js';
import { startGateway } from '../support/gateway.js';
import { follow, RawSocket, take, TRANSPORTS, webSocketUrl, type Transport } from '../support/live.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';

const KIBIBYTE = 1024;
/** Characters of a message, and number of messages while a reader has stopped: megabytes. */
const MESSAGE = 2 * KIBIBYTE;
const MANY = 2_000;
/** More than a connection buffers before it reports that it is full, and the result that filled it. */
const ON_ITS_WAY = 128 * KIBIBYTE;

const ADDED =
  'subscription ($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { id: databaseId message } }';

const { gateway, testData } = await startSeededGateway();
const { database, services } = gateway.app;
const server = createServer(gateway.app.listener).on('upgrade', gateway.app.upgrade);
let person: Person;
/** The cursor after which everything is new. */
let since: number;
let lines: Line[] = [];

beforeEach(async () => {
  person = await buildPerson(database, 'reader');
  await join(database, person, testData.organizationId, 'SECURITY_OFFICER');
  since = (await notify(1, 0))[0]!;
});
afterEach(() => {
  mock.timers.reset();
  for (const { near } of lines) near.destroy();
  lines = [];
});
afterAll(() => void server.removeAllListeners());

async function notify(count: number, characters = MESSAGE): Promise<number[]> {
  const rows = await database.rows<{ id: number }>(
    `insert into notification (user_id, organization_id, title, message, type, action)
     select $1, $2, n::text, repeat('x', $4::int), 'SYSTEM', 'NONE' from generate_series(1, $3::int) n returning id`,
    [person.id, testData.organizationId, count, characters],
  );
  return rows.map(({ id }) => id);
}

/** A connection without a network, whose buffers would take part of the output: here the gateway buffers all of it. */
class Line {
  readonly near: Duplex;
  private readonly far: Duplex;

  constructor(highWaterMark = 64 * KIBIBYTE) {
    [this.near, this.far] = duplexPair({ highWaterMark });
    // Both ends are destroyed together, like those of a socket.
    this.far.once('close', () => this.near.destroy());
    this.near.once('close', () => this.far.destroy());
    Object.assign(this.far, { remoteAddress: '127.0.0.1' });
    lines.push(this);
    server.emit('connection', this.far);
  }

  /** Bytes that the gateway has written and the reader has not read. */
  get unsent(): number {
    return this.far.writableLength;
  }

  get isFull(): boolean {
    return this.far.writableNeedDrain;
  }

  get isCutOff(): boolean {
    return this.far.destroyed;
  }
}

/** A subscriber to new notifications. */
interface Reader {
  line: Line;
  stop(): void;
  goOn(): void;
  /** Ids of the notifications that were sent to it. */
  ids(): number[];
}

async function overWebSocket(): Promise<Reader & { raw: RawSocket }> {
  const line = new Line();
  const raw = await RawSocket.open('ws://gateway/graphql', { line: line.near });
  raw.send({ type: 'connection_init', payload: { 'X-Service-Token': person.token } });
  await raw.message('connection_ack');
  raw.send({ type: 'subscribe', id: '1', payload: { query: ADDED, variables: { afterDatabaseId: since } } });
  const ids = () => raw.messages.flatMap(({ type, payload }) => (type === 'next' ? [idOf(payload)] : []));
  return { line, raw, ids, stop: () => raw.socket.pause(), goOn: () => raw.socket.resume() };
}

async function overSse(): Promise<Reader> {
  const line = new Line();
  const variables = JSON.stringify({ afterDatabaseId: since });
  const path = `/graphql/stream?${new URLSearchParams({ query: ADDED, variables })}`;
  let text = '';
  const headers = { 'X-Service-Token': person.token };
  const sent = request({ path, headers, createConnection: () => line.near as never });
  sent.on('error', () => undefined).end();
  const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  response.on('error', () => undefined).setEncoding('utf8');
  response.on('data', (piece: string) => (text += piece));
  const ids = () => [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => idOf(JSON.parse(data!)));
  return { line, ids, stop: () => void response.pause(), goOn: () => void response.resume() };
}

const idOf = (result: unknown) => (result as { data: { notificationAdded: { id: number } } }).data.notificationAdded.id;

const READERS = { WebSocket: overWebSocket, SSE: overSse } satisfies Record<Transport, () => Promise<Reader>>;

describe.each(TRANSPORTS)('a subscriber over %s that stops reading', (transport) => {
  test('is sent no more than is on its way, while others get everything, as it does once it reads on', async () => {
    const reader = await READERS[transport]();
    const [first] = await notify(1);
    await until(() => reader.ids().length === 1);
    reader.stop();
    const others = follow(gateway, 'SSE', { query: ADDED, variables: { afterDatabaseId: first }, token: person.token });
    const ids = await notify(MANY);
    const heard = await take(others, MANY);
    expect(heard.map(idOf)).toEqual(ids);
    expect(reader.line.unsent).toBeGreaterThan(0);
    expect(reader.line.unsent).toBeLessThan(ON_ITS_WAY);
    reader.goOn();
    await until(() => reader.ids().length === 1 + MANY);
    expect(reader.ids()).toEqual([first, ...ids]);
    await others.return?.();
  });
});

const heartbeat = () => mock.timers.tick(LIMITS.live.pingSeconds * 1000);

test('a stream of server-sent events is cut off when nothing of it is read between two heartbeats', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const reader = await overSse();
  for (const total of [MANY, 2 * MANY]) {
    reader.stop();
    await notify(MANY);
    await until(() => reader.line.isFull);
    heartbeat();
    expect(reader.line.isCutOff).toBe(false);
    if (total > MANY) break;
    reader.goOn();
    await until(() => reader.ids().length === total);
  }
  heartbeat();
  await until(() => reader.line.isCutOff);
});

test('a WebSocket is cut off when it answers no ping until the next one, and no other is', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const own = await startGateway({ database: gateway.database });
  try {
    const [stopped, other] = [
      await RawSocket.as(webSocketUrl(own.url), person.token),
      await RawSocket.as(webSocketUrl(own.url), person.token),
    ];
    const pongs = () => other.messages.filter(({ type }) => type === 'pong').length;
    stopped.socket.pause();
    for (const count of [1, 2, 3]) {
      heartbeat();
      // Its earlier responses are read by then.
      other.send({ type: 'ping' });
      await until(() => pongs() === count);
    }
    stopped.socket.resume();
    expect((await stopped.closed).code).toBe(1006);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
    other.socket.close();
  } finally {
    await own.close();
  }
});

test('a WebSocket may send more while little is unread, and is cut off when it does while a megabyte is', async () => {
  const { raw, line } = await overWebSocket();
  raw.socket.pause();
  await notify(1, LIMITS.live.unsentBytes - 10 * KIBIBYTE);
  await until(() => line.unsent > LIMITS.live.unsentBytes - 10 * KIBIBYTE);
  const before = line.unsent;
  raw.send({ type: 'ping' });
  await until(() => line.unsent > before || line.isCutOff);
  expect(line.isCutOff).toBe(false);
  raw.socket.resume();
  await raw.message('pong');
  raw.socket.pause();
  await notify(1, LIMITS.live.unsentBytes);
  await until(() => line.unsent > LIMITS.live.unsentBytes);
  expect(line.isCutOff).toBe(false);
  raw.send({ type: 'ping' });
  await until(() => line.isCutOff);
});

/** A request of REST whose response is not read. */
function unread(path: string, highWaterMark?: number): Line {
  const line = new Line(highWaterMark);
  line.near.write(`GET ${path} HTTP/1.1\r\nHost: gateway\r\nX-Service-Token: ${person.token}\r\n\r\n`);
  return line;
}

test('requests of REST whose answers are not read take no place of those that wait for events', async () => {
  const { organizationId } = testData;
  const waiting = () => services.eventWakes.figures.waiting;
  const { next } = await readEvents('REST', gateway, { after: 'latest' }, person.token);
  const path = `/api/v1/events?after=${next}&wait=${LIMITS.events.maxWaitSeconds}`;
  const stopped = Array.from({ length: LIMITS.events.waitingPerUser }, () => unread(path, 1));
  await until(() => waiting() === LIMITS.events.waitingPerUser);
  await buildAuditEntry(database, organizationId);
  await until(() => stopped.every(({ unsent }) => unsent > 0));
  const after = (await readEvents('REST', gateway, { after: 'latest' }, person.token)).next;
  const other = readEvents('REST', gateway, { after, wait: LIMITS.events.maxWaitSeconds }, person.token);
  await until(() => waiting() === 1);
  await buildAuditEntry(database, organizationId);
  expect((await other).events).toHaveLength(1);
});

test('a list as a table is read page by page as its reader takes it', async () => {
  const path = '/api/v1/notifications?format=csv';
  await notify(MANY);
  const line = unread(path);
  await until(() => line.isFull);
  const whole = await fetch(gateway.url + path, { headers: { 'X-Service-Token': person.token } });
  expect((await whole.text()).length).toBeGreaterThan(MANY * MESSAGE);
  // A few pages of a hundred.
  expect(line.unsent).toBeLessThan(5 * 100 * MESSAGE);
});
