import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../src/database/database.js';
import { createLogger } from '../../src/logger.js';
import { Consumer } from '../../src/services/audit/consumer.js';
import { record } from '../../src/services/audit/record.js';
import { buildAuditEntry } from '../support/audit.js';
import { until } from '../support/until.js';
import { SYSTEM } from '../support/callers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildOrganization, buildPerson, join, seedTestData, type TestData } from '../support/test-data.js';

let database: TestDatabase;
/** Two instances on one database. */
let gateways: [TestGateway, TestGateway];
let testData: TestData;
let stopper: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  gateways = [await startGateway({ database }), await startGateway({ database })];
  testData = await seedTestData(gateways[0].app.database);
  stopper = new pg.Client({ connectionString: database.url });
  await stopper.connect();
});
afterAll(async () => {
  await stopper?.end();
  for (const gateway of gateways ?? []) await gateway.close();
  await database?.drop();
});
beforeEach(async () => {
  await gateways[0].settled();
  await sql('delete from notification');
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  gateways[0].app.database.rows<Row>(text, values);
const titles = async ({ id }: { id: string }) =>
  (await sql<{ title: string }>('select title from notification where user_id = $1 order by id', [id])).map(
    ({ title }) => title,
  );

/** No instance consumes meanwhile, like a stopped consumer, or one with a backlog. */
async function withoutConsumer(work: () => Promise<void>): Promise<void> {
  await stopper.query(`select pg_advisory_lock(7214004, hashtext('notifications'))`);
  try {
    await work();
  } finally {
    await stopper.query('select pg_advisory_unlock_all()');
  }
}

async function open(
  title: string,
  { instance = 0, organizationId = testData.organizationId, token = testData.owner.token } = {},
) {
  const answer = await gateways[instance as 0 | 1].rest.post(`/api/v1/v-ciso/incidents/${organizationId}`, {
    token,
    body: { title, severity: 'LOW' },
  });
  if (answer.status !== 201) throw new Error(answer.story);
  return answer.body.data.id as number;
}

test('an entry behind the head of a trail, which no gateway has written, is no notification', async () => {
  const organizationId = await buildOrganization(gateways[0].app.database, 'With a stray entry');
  await join(gateways[0].app.database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  await join(gateways[0].app.database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
  await withoutConsumer(async () => {
    await open('Written', { organizationId });
    await sql(
      `insert into audit_entry (log_id, position, entry, hash)
       select log_id, e.position + 1, entry, e.hash from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1`,
      [organizationId],
    );
  });
  await gateways[0].settled();
  expect(await titles(testData.manager)).toHaveLength(1);
});

describe('an entry of an action that this version does not know', () => {
  const trailOf = async (at: Date) => {
    const { database } = gateways[0].app;
    const organizationId = await buildOrganization(database, 'Of two versions');
    for (const [person, role] of [
      [testData.owner, 'ORGANIZATION_OWNER'],
      [testData.manager, 'ORGANIZATION_MANAGER'],
    ] as const)
      await join(database, person, organizationId, role);
    await withoutConsumer(async () => {
      const subject = { type: 'ORGANIZATION', id: organizationId, name: '' } as const;
      await record(database, SYSTEM, { organizationId, action: 'OF_A_NEWER_VERSION' as never, at, subject });
      await open('Behind it', { organizationId });
      await open('Elsewhere', { organizationId: testData.otherOrganizationId, token: testData.nonMember.token });
    });
    await until(async () => {
      const [{ behind } = { behind: true }] = await sql<{ behind: boolean }>(
        `select l.position > c.position as behind from audit_log l join event_consumer c on c.log_id = l.id
          where c.consumer = 'notifications' and l.organization_id = $1`,
        [testData.otherOrganizationId],
      );
      return !behind;
    });
    return organizationId;
  };

  test('is left to the instances of a newer one, with what stands behind it', async () => {
    const organizationId = await trailOf(new Date());
    const positions = `select from event_consumer c join audit_log l on l.id = c.log_id where l.organization_id = $1`;
    expect(await sql(positions, [organizationId])).toEqual([]);
    expect(await titles(testData.manager)).toEqual([]);
    await sql(
      `insert into event_consumer (consumer, log_id, position)
       select consumer, id, 1 from audit_log, unnest('{events,notifications,mails}'::text[]) as consumer where organization_id = $1`,
      [organizationId],
    );
    await gateways[0].settled();
    expect(await titles(testData.manager)).toEqual(['Incident opened']);
  });

  test('is passed over after an hour: no newer one is there any more', async () => {
    await trailOf(new Date(Date.now() - 61 * 60 * 1000));
    await gateways[0].settled();
    expect(await titles(testData.manager)).toEqual(['Incident opened']);
  });
});

/** The messages of opened incidents, in the order of the trail. */
async function recorded(): Promise<string[]> {
  const rows = await sql<{ title: string }>(
    `select e.entry::jsonb #>> '{subject,name}' as title from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.action = 'INCIDENT_OPENED' order by e.position desc limit 40`,
    [testData.organizationId],
  );
  return rows.map(({ title }) => `${testData.owner.username} has opened “${title}”.`).toReversed();
}

test('two instances notify each member of each entry once, in the order of the trail', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => open(`Both ${index}`, { instance: index % 2 })));
  await gateways[0].settled();
  const expected = await recorded();
  for (const member of [testData.manager, testData.officer, testData.analyst, testData.viewer]) {
    const rows = await sql<{ message: string }>('select message from notification where user_id = $1 order by id', [
      member.id,
    ]);
    expect(rows.map(({ message }) => message)).toEqual(expected);
  }
  expect(await titles(testData.owner)).toEqual([]);
});

test('members are notified while the row of a member of another organization is locked', async () => {
  const app = gateways[0].app.database;
  const locked = await buildPerson(app, 'held');
  await join(app, locked, testData.organizationId, 'VIEWER');
  await join(app, testData.analyst, testData.otherOrganizationId, 'VIEWER');
  await stopper.query('begin');
  try {
    await stopper.query('select 1 from app_user where id = $1 for update', [locked.id]);
    await open('Held up');
    await open('Elsewhere', { organizationId: testData.otherOrganizationId, token: testData.nonMember.token });
    const isThere = async () => (await titles(testData.analyst)).length > 0;
    await until('the other organization is notified', isThere, 30_000);
    expect(await titles(locked)).toEqual([]);
  } finally {
    await stopper.query('rollback');
  }
  await gateways[0].settled();
  expect(await titles(locked)).toEqual(['Incident opened']);
  await sql('delete from membership where user_id = $1', [locked.id]);
  await sql('delete from membership where user_id = $1 and organization_id = $2', [
    testData.analyst.id,
    testData.otherOrganizationId,
  ]);
});

test('a long trail is consumed to its end without a further wake, also what is passed over', async () => {
  const own = await createTestDatabase();
  const database = await Database.open(own.url, 2);
  const organizationId = await buildOrganization(database, 'Of a long trail');
  for (let position = 1; position <= 340; position += 1)
    await buildAuditEntry(database, organizationId, {
      action: position <= 300 ? 'INCIDENT_CLOSED' : 'INCIDENT_OPENED',
    });
  const handled: number[] = [];
  const consumer = new Consumer({
    ...{ database, name: 'notifications', actions: ['INCIDENT_OPENED'], log: createLogger('silent'), pause: 0 },
    handle: async (_tx, entries) => void handled.push(...entries.map(({ position }) => position)),
  });
  try {
    const [log] = await database.rows<{ id: number }>('select id from audit_log');
    consumer.wake([log!.id]);
    await until(() => handled.length === 40);
    await until(async () => (await consumer.lag()) === 0);
    expect(handled).toEqual(Array.from({ length: 40 }, (_, index) => 301 + index));
  } finally {
    await consumer.close();
    await database.close();
    await own.drop();
  }
});

test('changes do not wait for a consumer that is stopped, which later notifies of each of them once', async () => {
  await withoutConsumer(async () => {
    for (let index = 0; index < 40; index += 1) await open(`Stopped ${index}`, { instance: index % 2 });
    expect(await titles(testData.viewer)).toEqual([]);
    const figures = await gateways[1].app.metrics.text();
    expect(figures).toContain('gateway_consumer_lag{consumer="notifications"} 40');
  });
  await gateways[0].settled();
  expect(await titles(testData.viewer)).toHaveLength(40);
  expect(await gateways[1].app.metrics.text()).toContain('gateway_consumer_lag{consumer="notifications"} 0');
});

describe('what no instance was woken for is found at the next look of one', () => {
  let whileBroken: string[];
  let messages: (string | undefined)[];
  let ofCommand: string[];
  let withoutPosition: { lag: boolean; messages: number };

  // One wait for all: polls are seconds apart.
  beforeAll(async () => {
    await gateways[0].settled();
    await sql('delete from notification');
    await sql(`alter table notification add constraint broken check (message not like '%Broken%') not valid`);
    const others = { organizationId: testData.otherOrganizationId, token: testData.nonMember.token };
    await join(gateways[0].app.database, testData.viewer, testData.otherOrganizationId, 'VIEWER');
    const organizationId = await buildOrganization(gateways[0].app.database, 'Of a command');
    await join(gateways[0].app.database, testData.analyst, organizationId, 'VIEWER');
    try {
      await withoutConsumer(async () => {
        await open('Broken');
        await open('After it');
        await open('Elsewhere', others);
      });
      await until('the other trail is consumed', async () => (await titles(testData.viewer)).length > 0);
      whileBroken = await titles(testData.analyst);
      await sql(`alter table event_consumer add constraint broken check (position < 0) not valid`);
      await open('Taken back', others);
      withoutPosition = {
        lag: (await gateways[0].app.metrics.text()).includes('gateway_consumer_lag{consumer="notifications"} 3'),
        messages: (await titles(testData.viewer)).length,
      };
      // Outside a transaction of the gateway, which is therefore not woken.
      const { app } = gateways[0];
      const outside = { rows: app.database.rows.bind(app.database) };
      const subject = { type: 'ORGANIZATION', id: organizationId, name: 'Of a command' } as const;
      await record(outside, SYSTEM, { organizationId, action: 'ORGANIZATION_RESTORED', at: new Date(), subject });
    } finally {
      await sql('alter table notification drop constraint broken');
      await sql('alter table event_consumer drop constraint if exists broken');
    }
    await gateways[0].settled();
    const rows = await sql<{ message: string }>('select message from notification where user_id = $1 order by id', [
      testData.viewer.id,
    ]);
    messages = rows.map(({ message }) => /“(.*)”/.exec(message)?.[1]);
    ofCommand = await titles(testData.analyst);
  });

  test('entries of a process that runs no consumer', () => {
    expect(ofCommand.toSorted()).toEqual(['Incident opened', 'Incident opened', 'The organization was restored']);
  });

  test('an entry that cannot be handled, which delays its own trail only, and nothing of it is lost or doubled', () => {
    expect(whileBroken).toEqual([]);
    expect(messages.filter((message) => message !== 'Taken back')).toEqual(['Elsewhere', 'Broken', 'After it']);
  });

  test('an entry whose position was not stored, so that its notifications were taken back', () => {
    expect(withoutPosition).toEqual({ lag: true, messages: 1 });
    expect(messages.filter((message) => message === 'Taken back')).toHaveLength(1);
  });
});

test('members are those of the moment of notifying, and a user who was erased by then has no name', async () => {
  await withoutConsumer(async () => {
    await open('Before they went');
    await sql('delete from membership where user_id = $1', [testData.analyst.id]);
    await sql('update app_user set personal_key = null where id = $1', [testData.owner.id]);
  });
  await gateways[0].settled();
  const rows = await sql('select message from notification where user_id = any($1)', [
    [testData.analyst.id, testData.viewer.id],
  ]);
  expect(rows).toEqual([{ message: 'A former user has opened “Before they went”.' }]);
});

test('no member is notified of a new organization: there is nothing to consume', async () => {
  const { token } = testData.owner;
  const created = await gateways[0].rest.post('/api/v1/organizations', { token, body: { name: 'New' } });
  const organizationId = created.body.data.id as number;
  const positions = () =>
    sql(
      `select consumer, c.position from event_consumer c join audit_log l on l.id = c.log_id
        where l.organization_id = $1 order by consumer`,
      [organizationId],
    );
  // Its events may have been read by then.
  for (const consumer of ['mails', 'notifications'])
    expect(await positions()).toContainEqual({ consumer, position: 1 });
  await open('The first', { organizationId });
  await gateways[0].settled();
  expect(await positions()).toContainEqual({ consumer: 'notifications', position: 2 });
});
