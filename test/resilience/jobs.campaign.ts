import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { JobQueues } from '../../src/database/job-queues.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { expireJobs, passPauses, postedMails } from '../support/jobs.js';
import { MailServer } from '../support/mail-server.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { Link } from './support/link.js';
import { until } from '../support/until.js';

let installation: Installation;
/** A connection to the database outside the link. */
let database: Database;
let link: Link;
let server: MailServer;
let outbox: MailOutbox;
let queues: JobQueues;
/** Runs from one test to the next, until one ends it. */
let gateway: GatewayProcess | undefined;

beforeAll(async () => {
  installation = await Installation.create('jobs');
  ({ database } = installation);
  queues = new JobQueues(database, new DatabaseClock());
  outbox = new MailOutbox(
    database,
    (tx, mailIds) =>
      queues.enqueue(
        tx,
        'mail',
        mailIds.map((mailId) => ({ data: { mailId } })),
      ),
    () => new Date(),
  );
  link = await Link.to(installation.databaseUrl);
  server = await MailServer.start();
});

afterEach(async () => {
  link.restore();
  server.received.length = 0;
  await database.rows('delete from outgoing_mail');
  await database.rows('delete from pgboss.job');
});

afterAll(async () => {
  await installation?.killAll();
  await link?.close();
  await installation?.clear();
  await server?.goAway();
});

const running = async () => (gateway ??= await installation.start({ SMTP_URL: server.url, DATABASE_URL: link.url }));

async function end(signal?: NodeJS.Signals) {
  const ending = gateway?.end(signal);
  gateway = undefined;
  return ending;
}

const post = (to: string) =>
  database.transaction((tx) => outbox.post(tx, { to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }));
const recipients = () => server.received.map((mail) => mail.recipients[0]);
const arrives = (to: string) => until(`the mail to ${to} arrives`, () => recipients().includes(to));
const isSent = async () => (await postedMails(database))[0]?.state === 'SENT';

test('a running gateway delivers what is posted, two hundred mails at once, and follows its schedule', async () => {
  await running();
  await post('a@example.com');
  await arrives('a@example.com');
  expect(await database.rows('select key, cron, timezone from pgboss.schedule order by key')).toContainEqual({
    key: 'mails.purgeOld',
    cron: '20 3 * * *',
    timezone: 'UTC',
  });

  server.received.length = 0;
  const readers = Array.from({ length: 200 }, (_, number) => `reader${number}@example.com`);
  await database.transaction(async (tx) => {
    for (const to of ['a@example.com, b@example.com', ...readers])
      await outbox.post(tx, { to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' });
  });
  // Ten at each poll, every two seconds, would take 40 seconds.
  await until('all have arrived', () => server.received.length >= readers.length, 35_000);
  expect(recipients().toSorted()).toEqual(readers.toSorted());
});

test('stopped while a mail is on its way, it is left for the next instance and not lost', async () => {
  await running();
  let ending: Promise<unknown> | undefined;
  server.beforeTaking = async () => {
    server.beforeTaking = async () => undefined;
    ending = end();
    await ending;
  };
  await post('a@example.com');
  await until('the mail is on its way', () => ending !== undefined);
  expect(await ending).toEqual({ code: 0, signal: null });
  expect(await postedMails(database)).toMatchObject([{ state: 'QUEUED' }]);
  await passPauses(database);
  await running();
  await until('it is written down', isSent);
});

test('killed after the server has the mail and before that is written down, it is sent once more as the same message', async () => {
  const { ended } = await running();
  server.beforeTaking = async () => {
    server.beforeTaking = async () => undefined;
    await end('SIGKILL');
  };
  const id = await post('a@example.com');
  await arrives('a@example.com');
  await ended;
  expect(await postedMails(database)).toMatchObject([{ state: 'QUEUED', attempts: 1 }]);

  await running();
  await expireJobs(database);
  await until('it is written down', isSent);
  const ids = server.received.map(({ messageId }) => messageId);
  expect(ids).toEqual([`<${id}@localhost>`, `<${id}@localhost>`]);
});

test('a database that goes away ends no gateway and prevents none from stopping, and jobs go on when it is back', async () => {
  const { url } = await running();
  await post('before@example.com');
  await arrives('before@example.com');
  link.cut();
  await post('meanwhile@example.com');
  await until('the error was logged', () => gateway?.out.includes('the job queue has an error'));
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  link.restore();
  await arrives('meanwhile@example.com');
  expect(recipients().filter((to) => to === 'before@example.com')).toHaveLength(1);
  link.cut();
  expect(await end()).toEqual({ code: 0, signal: null });
});

test('an instance with JOBS=0 works nothing', async () => {
  await end('SIGKILL');
  const elsewhere = await MailServer.start();
  const idle = await installation.start({ SMTP_URL: elsewhere.url, JOBS: '0' });
  await post('a@example.com');
  // It had as long as another instance takes to start.
  await running();
  await arrives('a@example.com');
  expect(elsewhere.received).toEqual([]);
  await idle.end('SIGKILL');
  await elsewhere.goAway();
});

test('a running gateway needs rows only: a role that may change no table serves and works', async () => {
  await end('SIGKILL');
  const role = 'gateway_rows_only';
  const url = new URL(installation.databaseUrl);
  url.username = role;
  url.password = 'local';
  await database.rows(`create role ${role} login password 'local'`);
  try {
    for (const schema of ['public', 'pgboss']) {
      await database.rows(`revoke create on schema ${schema} from public`);
      await database.rows(`grant usage on schema ${schema} to ${role}`);
      await database.rows(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
      await database.rows(`grant usage on all sequences in schema ${schema} to ${role}`);
    }
    const restricted = await installation.start({ SMTP_URL: server.url, DATABASE_URL: url.href });
    await post('a@example.com');
    await arrives('a@example.com');
    await until('the timetable was read', async () => {
      const rows = await database.rows<{ cron: string | null }>('select cron_on as cron from pgboss.version');
      return rows[0]?.cron != null && (await postedMails(database))[0]?.state === 'SENT';
    });
    expect(await restricted.end()).toEqual({ code: 0, signal: null });
    expect(restricted.out).not.toMatch(/permission denied|error/);
  } finally {
    await database.rows(`drop owned by ${role}`);
    await database.rows(`drop role ${role}`);
  }
});

test('a periodic job whose process was killed is worked again once it has given no sign of life for half a minute', async () => {
  await end('SIGKILL');
  const boss = await queues.boss();
  await boss.send('periodic', { name: 'mails.purgeOld' });
  const [job] = await boss.fetch('periodic');
  const stateAfter = async (seconds: number) => {
    await database.rows(`update pgboss.job set heartbeat_on = now() - $2 * interval '1 second' where id = $1::uuid`, [
      job?.id,
      seconds,
    ]);
    await database.rows('update pgboss.queue set monitor_claim_on = null, monitor_on = null');
    await boss.supervise('periodic');
    return (await database.rows('select state from pgboss.job where id = $1::uuid', [job?.id]))[0]?.['state'];
  };
  expect(await stateAfter(25)).toBe('active');
  expect(await stateAfter(31)).toBe('retry');
});
