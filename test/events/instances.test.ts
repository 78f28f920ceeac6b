import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { buildAuditEntry } from '../support/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { allEvents, readEvents, type ReadEvent } from '../support/events.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const WRITERS = 8;
const ENTRIES = 10;
const ORGANIZATIONS = 5;

let testDatabase: TestDatabase;
let dataDir: string;
/** Two instances on one database. */
let gateways: TestGateway[];
let person: Person;
let organizations: number[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  dataDir = await mkdtemp(joinPath(tmpdir(), 'events-'));
  const start = () => startGateway({ database: testDatabase, dataDir });
  gateways = await Promise.all([start(), start()]);
  const { database } = gateways[0]!.app;
  person = await buildPerson(database, 'follower');
  organizations = [];
  for (let number = 0; number < ORGANIZATIONS; number += 1) {
    const id = await buildOrganization(database, `Number ${number}`);
    await join(database, person, id, 'SECURITY_OFFICER');
    organizations.push(id);
  }
});

afterAll(async () => {
  for (const gateway of gateways ?? []) await gateway.close();
  await testDatabase?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function write(writer: number): Promise<void> {
  const { database } = gateways[writer % gateways.length]!.app;
  for (let entry = 0; entry < ENTRIES; entry += 1)
    await buildAuditEntry(database, organizations[(writer + entry) % ORGANIZATIONS]!);
}

test('a reader that follows while many write through two instances sees each entry once, in the order of its trail', async () => {
  const seen: ReadEvent[] = [];
  let after: string | undefined;
  const readOn = async () => {
    const page = await readEvents('REST', gateways[seen.length % 2]!, { after, limit: 7 }, person.token);
    seen.push(...page.events);
    after = page.next;
  };
  let isWriting = true;
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(
    () => (isWriting = false),
  );
  while (isWriting) await readOn();
  await writing;
  await settled(gateways[0]!.app.database, 'events');
  const rest = await allEvents('REST', gateways[1]!, { after }, person.token);
  seen.push(...rest.events);
  expect(seen).toHaveLength(WRITERS * ENTRIES);
  for (const id of organizations) {
    const positions = seen.filter((event) => event.organization_id === id).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  }
  const again = await allEvents('GraphQL', gateways[0]!, { limit: 100 }, person.token);
  expect(again.events.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
  const places = await gateways[0]!.app.database.rows<{ seq: number }>('select seq from event order by seq');
  expect(places.map(({ seq }) => seq)).toEqual(places.map((_, index) => index + 1));
});
