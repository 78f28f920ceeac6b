import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { follow, RawSocket, take, webSocketUrl } from '../support/live.js';
import { buildPerson, seedTestData, join, type Person, type TestData } from '../support/test-data.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { peakDuring, residentBytes } from './support/memory.js';

const MEGABYTE = 1024 * 1024;
/** A thousand subscribers of one instance: forty of each person, which is below what one token may open. */
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

const ADDED =
  'subscription ($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { title } }';

/** One notification for each person, all in one transaction; returns the highest id. */
async function notifyAll(title: string): Promise<number> {
  const rows = await database.rows<{ id: number }>(
    `insert into notification (user_id, organization_id, title, message, type, action, icon, href)
     select person, $2, $3, 'Message', 'SYSTEM', 'OPEN', 'fa fa-bell', '/somewhere' from unnest($1::uuid[]) person returning id`,
    [people.map(({ id }) => id), testData.organizationId, title],
  );
  return Math.max(...rows.map(({ id }) => id));
}

/** Titles as one subscriber hears them, once it has heard so many. */
async function overSocket({ token }: Person, since: number): Promise<() => Promise<string[]>> {
  const socket = await RawSocket.as(webSocketUrl(gateway.url), token);
  socket.send({ type: 'subscribe', id: '1', payload: { query: ADDED, variables: { afterDatabaseId: since } } });
  return async () => {
    const heard = () => socket.messages.filter(({ type }) => type === 'next');
    while (heard().length < ROUNDS) await new Promise((resolve) => socket.socket.once('message', resolve));
    socket.socket.close();
    return heard().map(({ payload }) => (payload as Heard).data.notificationAdded.title);
  };
}

async function overStream({ token }: Person, since: number): Promise<() => Promise<string[]>> {
  const results = follow(gateway, 'SSE', { query: ADDED, variables: { afterDatabaseId: since }, token });
  return async () => {
    const heard = await take(results, ROUNDS);
    await results.return?.();
    return (heard as unknown as Heard[]).map(({ data }) => data.notificationAdded.title);
  };
}

interface Heard {
  data: { notificationAdded: { title: string } };
}

test('a thousand subscribers of one instance each receive everything once and in order, in bounded memory', async () => {
  const since = await notifyAll('before');
  const before = residentBytes(gateway.pid);
  const peak = await peakDuring(gateway.pid, everybodyHears(since));
  const megabytes = Math.round((peak - before) / MEGABYTE);
  // 40 to 90 when this was written.
  expect(megabytes).toBeLessThan(150);
});

async function everybodyHears(since: number): Promise<void> {
  const subscribers = await Promise.all(
    people.flatMap((person) => [
      ...Array.from({ length: SOCKETS }, () => overSocket(person, since)),
      ...Array.from({ length: STREAMS }, () => overStream(person, since)),
    ]),
  );
  const heard = Promise.all(subscribers.map((hear) => hear()));
  const titles = Array.from({ length: ROUNDS }, (_, round) => `round ${round}`);
  for (const title of titles) await notifyAll(title);
  const notified = await heard;
  expect(notified).toHaveLength(1000);
  for (const each of notified) expect(each).toEqual(titles);
}
