import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUR } from '../../src/common/time.js';
import { Database } from '../../src/database/database.js';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { DEMO_REPORTS } from '../../src/app/jobs.js';
import { CHECK_STATUSES } from '../../src/values/enums.js';
import { TestClock } from '../support/clock.js';
import { CATALOG } from '../support/catalog.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { settled } from '../support/settled.js';

const clock = new TestClock();

let gateway: TestGateway;
let database: Database;
let facts: DemoFacts;

beforeAll(async () => {
  gateway = await startGateway({ config: { demo: true }, now: clock.now });
  database = await Database.open(gateway.database.url, 1);
  const { config } = gateway;
  const settings = { databaseUrl: gateway.database.url, config, catalog: CATALOG, now: clock.now };
  facts = (await seedDemo(settings)) as DemoFacts;
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});

const { HEALTHY, DEGRADED, DOWN } = CHECK_STATUSES;

/** Devices of the first organization, by domain name or device id. */
async function statuses(): Promise<Record<string, number>> {
  const rows = await database.rows<{ name: string; status: number }>(
    `select fqdn as name, status from cloud_defender where organization_id = $1 and deleted_at is null
      union all select device_id, status from threat_blocker where organization_id = $1 and deleted_at is null`,
    [facts.organization_id],
  );
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
}

const AS_SEEDED = {
  'portal.valdoria.example.com': HEALTHY,
  'www.valdoria.example.com': DEGRADED,
  'status.valdoria.example.com': DOWN,
  'VE-ATB-0001': HEALTHY,
  'VE-ATB-0002': DEGRADED,
};

const alerts = async () => {
  await settled(database);
  const [row] = await database.rows<{ n: number }>(
    `select count(*) as n from notification where title similar to '% (down|back)'`,
  );
  return row!.n;
};

async function watch(): Promise<void> {
  for (const kind of ['cloudDefenders', 'threatBlockers']) await gateway.app.jobs.run(`${kind}.markSilent`);
}

/** Beginnings of the hours that a device has reported, newest first. */
async function reported(kind: 'cloud_defender' | 'threat_blocker', id: number): Promise<number[]> {
  const rows = await database.rows<{ datetime: string }>(
    `select datetime from ${kind}_check where device_id = $1 order by datetime desc`,
    [id],
  );
  return rows.map(({ datetime }) => Date.parse(datetime));
}

test('the trail of an organization shows how it came to what it has, verifies, and notifies no member', async () => {
  const before = await database.rows('select id from notification');
  const { body } = await gateway.graphql.call(
    `query ($id: ID!, $incident: ID!) {
      organization(id: $id) { auditTrailVerification { valid entries } auditTrail(first: 100) { nodes { at } } }
      incident(organizationId: $id, id: $incident) { history { nodes { action actor { user { username } } } } }
    }`,
    { token: facts.tokens.owner, variables: { id: facts.organization_id, incident: facts.incident_id } },
  );
  const { auditTrailVerification: verification, auditTrail } = body.data.organization;
  expect(verification).toEqual({ valid: true, entries: expect.any(Number) });
  expect(verification.entries).toBeGreaterThan(50);
  const times = auditTrail.nodes.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  const { nodes: history } = body.data.incident.history;
  expect(history.at(-1)).toMatchObject({ action: 'INCIDENT_OPENED' });
  expect(history.map(({ action }: { action: string }) => action)).toContain('REPORT_RECORDED');
  await settled(database);
  expect(await database.rows('select id from notification')).toEqual(before);
});

test('the devices have reported through the next day, and the one that was down still is', async () => {
  const before = await alerts();
  for (let hour = 1; hour <= 26; hour += 1) {
    clock.set(hour);
    await gateway.app.jobs.run(DEMO_REPORTS);
    await watch();
  }
  expect(await statuses()).toEqual(AS_SEEDED);
  expect(await alerts()).toBe(before);
  const answer = await gateway.rest.call('GET', `/api/v1/atb/${facts.atb_id}`, {
    headers: { 'X-Service-Token': facts.tokens.owner },
  });
  expect(answer).toMatchObject({ status: 200, body: { data: { check: { status: HEALTHY } } } });
});

test('an hour is reported once, however often and late they report, and the series has no gap', async () => {
  clock.set(60);
  await gateway.app.jobs.run(DEMO_REPORTS);
  await gateway.app.jobs.run(DEMO_REPORTS);
  const newest = Math.floor(clock.now().getTime() / HOUR) * HOUR;
  for (const [kind, id] of [
    ['cloud_defender', facts.cloud_defender_id],
    ['threat_blocker', facts.atb_id],
  ] as const) {
    const times = await reported(kind, id);
    expect(times).toEqual(times.map((_, index) => newest - index * HOUR));
    expect(times).toHaveLength(168 + 60);
  }
});

test('a gateway that was off for a month has a week made up for, in traffic as well', async () => {
  clock.set(60 + 30 * 24);
  await watch();
  expect(Object.values(await statuses())).toEqual(Object.values(AS_SEEDED).map(() => DOWN));
  await gateway.app.jobs.run(DEMO_REPORTS);
  await watch();
  expect(await statuses()).toEqual(AS_SEEDED);
  expect(await reported('threat_blocker', facts.atb_id)).toHaveLength(168 + 60 + 168);
  const [row] = await database.rows<{ n: number }>(
    'select count(*) as n from threat_blocker_traffic where device_id = $1',
    [facts.atb_id],
  );
  expect(row!.n).toBe(168 + 60 + 168);
});

test('a device that was deleted, or set up under the name of another, reports nothing', async () => {
  const call = (method: string, path: string, body?: object) =>
    gateway.rest.call(method, path, {
      headers: { 'X-Service-Token': facts.tokens.owner, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const gone = facts.cloud_defender_id;
  const count = (await reported('cloud_defender', gone)).length;
  await call('DELETE', `/api/v1/cloud-defender/${gone}`);
  await database.rows(
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services)
     select organization_id, email, fqdn, endpoint, services from cloud_defender where id = $1`,
    [gone],
  );
  clock.set(60 + 31 * 24);
  await gateway.app.jobs.run(DEMO_REPORTS);
  expect(await reported('cloud_defender', gone)).toHaveLength(count);
  expect((await statuses())['portal.valdoria.example.com']).toBe(CHECK_STATUSES.UNKNOWN);
});

test('a gateway without demo data has no such devices', async () => {
  const plain = await startGateway({ now: clock.now });
  await expect(plain.app.jobs.run(DEMO_REPORTS)).rejects.toThrow('no periodic job');
  await plain.close();
});
