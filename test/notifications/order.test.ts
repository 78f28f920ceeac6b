import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;
const clients: pg.Client[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await gateway.close();
});

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

/** Whether the second waits for a lock, as the server says: no test has to sleep. */
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
  const kept = await waiting;
  expect(kept).toBeGreaterThan(lost);
  expect(await visible()).toEqual([...before, kept]);
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
