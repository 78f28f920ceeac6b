import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DAY } from '../../src/common/time.js';
import { NotificationRetention } from '../../src/services/notifications/notification-retention.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildOrganization, buildPerson } from '../support/test-data.js';

const clients: pg.Client[] = [];
// Closed before the gateway closes its database.
afterAll(() => Promise.all(clients.map((client) => client.end())));

const { gateway, testData } = await startSeededGateway();

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: gateway.database.url });
  clients.push(client);
  await client.connect();
  return client;
}

const INSERT = `insert into notification (user_id, organization_id, title, message, type, action)
  values ($1, $2, $3, '', 'SYSTEM', 'NONE') returning id`;
const insert = async (client: pg.Client, title: string) => {
  const { rows } = await client.query<{ id: string }>(INSERT, [testData.owner.id, testData.organizationId, title]);
  return Number(rows[0]!.id);
};
const visible = async () =>
  (await gateway.app.database.rows<{ id: number }>('select id from notification order by id')).map(({ id }) => id);

/** Whether the second waits for a lock, as reported by the server, so that no test sleeps. */
async function untilWaiting(client: pg.Client): Promise<void> {
  const { processID } = client as unknown as { processID: number };
  for (;;) {
    const [row] = await gateway.app.database.rows<{ waits: boolean }>(
      `select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1`,
      [processID],
    );
    if (row?.waits === true) return;
  }
}

test('a transaction that began first and commits last cannot slip in behind a higher id', async () => {
  const [one, two] = [await connect(), await connect()];
  await one.query('begin');
  await two.query('begin');
  const first = await insert(one, 'first');
  const waiting = insert(two, 'second');
  await untilWaiting(two);
  expect(await visible()).toEqual([]);
  await one.query('commit');
  const second = await waiting;
  expect(second).toBeGreaterThan(first);
  expect(await visible()).toEqual([first]);
  await two.query('commit');
  expect(await visible()).toEqual([first, second]);
});

test('a transaction that rolls back leaves a gap and delays no other', async () => {
  const [one, two] = [await connect(), await connect()];
  const before = await visible();
  await one.query('begin');
  const lost = await insert(one, 'lost');
  const waiting = insert(two, 'kept');
  await untilWaiting(two);
  await one.query('rollback');
  const stored = await waiting;
  expect(stored).toBeGreaterThan(lost);
  expect(await visible()).toEqual([...before, stored]);
});

test('a client that reads everything after the last id that it has seen misses nothing of many writers', async () => {
  const writers = await Promise.all(Array.from({ length: 6 }, connect));
  let writing = true;
  const seen: number[] = [];
  let last = (await visible()).at(-1) ?? 0;
  const read = async () => {
    const rows = await gateway.app.database.rows<{ id: number }>(
      'select id from notification where id > $1 order by id',
      [last],
    );
    seen.push(...rows.map(({ id }) => id));
    last = rows.at(-1)?.id ?? last;
  };
  const reading = (async () => {
    while (writing) await read();
    await read();
  })();
  const begun = last;
  await Promise.all(
    writers.map(async (client, index) => {
      for (let turn = 0; turn < 25; turn += 1) {
        await client.query('begin');
        await insert(client, `${index}.${turn}`);
        if (turn % 3 === 0) await insert(client, `${index}.${turn} again`);
        await client.query(turn % 5 === 4 ? 'rollback' : 'commit');
      }
    }),
  );
  writing = false;
  await reading;
  expect(seen).toEqual((await visible()).filter((id) => id > begun));
});

test('each statement announces the highest id that it made, and nothing where it made none', async () => {
  const listener = await connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen notification');
  const writer = await connect();
  const id = await insert(writer, 'heard');
  await writer.query(`insert into notification (user_id, organization_id, title, message, type, action)
    select user_id, organization_id, title, message, type, action from notification where false`);
  await listener.query('select 1');
  expect(heard).toEqual([String(id)]);
});

test('a user can be deleted with its notifications', async () => {
  const client = await connect();
  await client.query('begin');
  await client.query('delete from app_user where id = $1', [testData.owner.id]);
  expect(
    (await client.query('select 1 from notification_revision where user_id = $1', [testData.owner.id])).rows,
  ).toEqual([]);
  await client.query('rollback');
});

test('one of a user who does not exist is refused', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const made = gateway.app.database.rows(INSERT, [unknown, testData.organizationId, 'lost']);
  await expect(made).rejects.toThrow('notification_revision_user_id_foreign');
});

const OWNERS = {
  user: async () => ({ user_id: (await buildPerson(gateway.app.database, 'leaver')).id }),
  organization: async () => ({ organization_id: await buildOrganization(gateway.app.database, 'Goes') }),
} as const;

test.each([
  ['user', 'app_user', 'user_id'],
  ['organization', 'organization', 'organization_id'],
] as const)('one that is made while its %s is deleted goes with it, or is refused', async (owner, table, column) => {
  const [maker, deleter] = [await connect(), await connect()];
  for (const isMadeFirst of [true, false]) {
    const of = { user_id: testData.owner.id, organization_id: testData.organizationId, ...(await OWNERS[owner]()) };
    const make = () => maker.query(INSERT, [of.user_id, of.organization_id, 'last']);
    const remove = () => deleter.query(`delete from ${table} where id = $1`, [of[column]]);
    await make();
    const [first, firstDoes, second, secondDoes] = isMadeFirst
      ? ([maker, make, deleter, remove] as const)
      : ([deleter, remove, maker, make] as const);
    await first.query('begin');
    await firstDoes();
    const waiting = secondDoes().then(
      () => 'done',
      () => 'refused',
    );
    await untilWaiting(second);
    await first.query('commit');
    expect(await waiting).toBe(isMadeFirst ? 'done' : 'refused');
    const left = await gateway.app.database.rows(`select id from notification where ${column} = $1`, [of[column]]);
    expect(left).toEqual([]);
  }
});

test('one of an organization that does not exist is refused, and so are those that are made with it', async () => {
  const made = gateway.app.database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action)
     select $1, id, 'Lost', 'Lost', 'SYSTEM', 'NONE' from unnest($2::bigint[]) as id`,
    [testData.owner.id, [testData.organizationId, 9_007_199_254]],
  );
  await expect(made).rejects.toThrow('The organization of a notification does not exist');
  const left = await gateway.app.database.rows(`select id from notification where title = 'Lost'`);
  expect(left).toEqual([]);
});

test('one whose user has others being made and whose organization is deleted waits for neither in a circle', async () => {
  const [holder, maker, deleter] = [await connect(), await connect(), await connect()];
  const id = await buildOrganization(gateway.app.database, 'Goes');
  const make = () => maker.query(INSERT, [testData.owner.id, id, 'last']);
  await make();
  await holder.query('begin');
  await holder.query('update notification_revision set revision = revision + 1 where user_id = $1', [
    testData.owner.id,
  ]);
  const made = make();
  await untilWaiting(maker);
  const deleted = deleter.query('delete from organization where id = $1', [id]);
  await untilWaiting(deleter);
  await holder.query('commit');
  await made;
  await deleted;
  const left = await gateway.app.database.rows('select id from notification where organization_id = $1', [id]);
  expect(left).toEqual([]);
});

describe('retention', () => {
  const NOW = new Date();
  const retention = new NotificationRetention(gateway.app.database, () => NOW);
  beforeEach(() => gateway.app.database.rows('delete from notification'));

  async function made({ read, age }: { read: boolean; age: number }): Promise<void> {
    await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 1);
    await gateway.app.database.rows(
      `update notification set read = $1, created_at = $2, title = $3 where id = (select max(id) from notification)`,
      [read, new Date(NOW.getTime() - age).toISOString(), `${read ? 'read' : 'unread'} ${age}`],
    );
  }

  const stored = async () =>
    (await gateway.app.database.rows<{ title: string }>('select title from notification')).map(({ title }) => title);

  test('retains a read one for 90 days and an unread one for 365, to the millisecond', async () => {
    for (const read of [true, false])
      for (const days of [90, 365]) for (const late of [0, 1]) await made({ read, age: days * DAY + late });
    expect(await retention.purgeOld()).toBe(4);
    expect((await stored()).toSorted()).toEqual(
      [`read ${90 * DAY}`, `unread ${90 * DAY}`, `unread ${90 * DAY + 1}`, `unread ${365 * DAY}`].toSorted(),
    );
    expect(await retention.purgeOld()).toBe(0);
  });

  test('lets several instances purge at once while notifications are made, and each row goes once', async () => {
    await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 2_500);
    await buildNotifications(gateway.app.database, testData.viewer, testData.organizationId, 2_500);
    await gateway.app.database.rows(`update notification set read = true, created_at = '2026-01-01T00:00:00Z'`);
    const purges = [retention, retention, retention].map((each) => each.purgeOld());
    const making = [testData.owner, testData.viewer, testData.manager].map((person) =>
      buildNotifications(gateway.app.database, person, testData.organizationId, 5),
    );
    const purged = await Promise.all(purges);
    await Promise.all(making);
    await gateway.app.database.rows(`update notification set created_at = $1`, [NOW.toISOString()]);
    expect(purged.reduce((sum, count) => sum + count, 0)).toBe(5_000);
    expect(await stored()).toHaveLength(15);
  });
});
