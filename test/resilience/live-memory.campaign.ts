import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { follow, RawSocket, take, webSocketUrl } from '../support/live.js';
import { buildPerson, seedTestData, join, type Person, type TestData } from '../support/test-data.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { peakDuring, residentBytes } from './support/memory.js';

const MEGABYTE = 1024 * 1024;
/** A thousand subscribers of one instance: forty of each person, which is below the limit of a token. */
const PEOPLE = 25;
const SOCKETS = 32;
const STREAMS = 8;
const ROUNDS = 10;

let installation: Installation;
let database: Database;
let testData: TestData;
let people: Person[];
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('live-memory');
  ({ database } = installation);
  testData = await seedTestData(database);
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => buildPerson(database, `follower${index}`)));
  for (const person of people) await join(database, person, testData.organizationId, 'VIEWER');
  gateway = await installation.start({ MAX_CONNECTIONS_PER_ADDRESS: '0' });
});

afterAll(() => installation?.clear());

const ADDED = 'subscription { notificationAdded(afterDatabaseId: 0) { title } }';

/** One notification for each person, all in one transaction. */
async function notifyAll(title: string): Promise<void> {
  await database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, icon, href)
     select person, $2, $3, 'Message', 'SYSTEM', 'OPEN', 'fa fa-bell', '/somewhere' from unnest($1::uuid[]) person`,
    [people.map(({ id }) => id), testData.organizationId, title],
  );
}

/** Titles received by one subscriber, once it has one of each round, including earlier ones. */
async function overSocket({ token }: Person): Promise<() => Promise<string[]>> {
  const socket = await RawSocket.as(webSocketUrl(gateway.url), token);
  socket.send({ type: 'subscribe', id: '1', payload: { query: ADDED } });
  const heard = () => socket.messages.filter(({ type }) => type === 'next').map(({ payload }) => titleOf(payload));
  await socket.message('next');
  return async () => {
    while (heard().length <= ROUNDS) await new Promise((resolve) => socket.socket.once('message', resolve));
    socket.socket.close();
    return heard();
  };
}

async function overStream({ token }: Person): Promise<() => Promise<string[]>> {
  const results = follow(gateway, 'SSE', { query: ADDED, token });
  const before = await take(results, 1);
  return async () => {
    const heard = [...before, ...(await take(results, ROUNDS))];
    await results.return?.();
    return heard.map(titleOf);
  };
}

const titleOf = (result: unknown) =>
  (result as { data: { notificationAdded: { title: string } } }).data.notificationAdded.title;

test('a thousand subscribers of one instance each receive everything once and in order, in bounded memory', async () => {
  await notifyAll('before');
  const before = residentBytes(gateway.pid);
  const peak = await peakDuring(gateway.pid, everybodyHears());
  const megabytes = Math.round((peak - before) / MEGABYTE);
  // 40 to 90 at the time of writing.
  expect(megabytes).toBeLessThan(150);
});

async function everybodyHears(): Promise<void> {
  const subscribers: (() => Promise<string[]>)[] = [];
  // One person after the other: a busy machine refuses a thousand concurrent requests for earlier events.
  for (const person of people) {
    const begun = [
      ...Array.from({ length: SOCKETS }, () => overSocket(person)),
      ...Array.from({ length: STREAMS }, () => overStream(person)),
    ];
    subscribers.push(...(await Promise.all(begun)));
  }
  const heard = Promise.all(subscribers.map((hear) => hear()));
  const titles = Array.from({ length: ROUNDS }, (_, round) => `round ${round}`);
  for (const title of titles) await notifyAll(title);
  const notified = await heard;
  expect(notified).toHaveLength(1000);
  for (const each of notified) expect(each).toEqual(['before', ...titles]);
}
