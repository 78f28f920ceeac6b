import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { DAY } from '../../src/common/time.js';
import type { Database, Queryable } from '../../src/database/database.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { JobQueues, QUEUES } from '../../src/database/job-queues.js';
import { MailDelivery, MailOutbox } from '../../src/mail/mail-outbox.js';
import { type Mail, SMTP_LIMITS, SmtpMailer } from '../../src/mail/mailer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expireJobs, passPauses, postedMails, workDue } from '../support/jobs.js';
import { MailServer } from '../support/mail-server.js';

const NOW = new Date('2026-11-23T08:00:00.000Z');

let now = NOW;
let testDatabase: TestDatabase;
let server: MailServer;
let gateway: TestGateway;
let database: Database;
let outbox: MailOutbox;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  server = await MailServer.start();
  gateway = await startGateway({ database: testDatabase, config: { smtpUrl: server.url }, now: () => now });
  database = gateway.app.database;
  const queues = new JobQueues(database, new DatabaseClock());
  outbox = new MailOutbox(
    database,
    (tx, mailIds) =>
      queues.enqueue(
        tx,
        'mail',
        mailIds.map((mailId) => ({ data: { mailId } })),
      ),
    () => now,
  );
});

afterAll(async () => {
  await gateway?.close();
  await server?.goAway();
  await testDatabase?.drop();
});

beforeEach(async () => {
  now = NOW;
  server.received.length = 0;
  server.refusals.length = 0;
  await database.rows('delete from outgoing_mail');
  await database.rows('delete from pgboss.job');
});

const MAIL: Mail = {
  to: 'reader@example.com',
  subject: 'Würde „Ufi“ lesen',
  html: '<p>Grüße</p>',
  text: 'Grüße',
  headers: { 'List-Unsubscribe': '<https://example.com/unsubscribe>' },
};

async function post(mail: Partial<Mail> = {}): Promise<string> {
  const [id] = await database.transaction((tx) => outbox.post(tx, { ...MAIL, ...mail }));
  return id!;
}

const work = () => workDue(gateway.app);

/** Runs jobs and skips pauses until no job is left. */
async function workThrough(): Promise<number> {
  let rounds = 0;
  for (; (await work()) > 0; rounds += 1) await passPauses(database);
  return rounds;
}

test('delivers what was posted, once, as it was written', async () => {
  const id = await post();
  await work();
  await work();
  const [mail, ...others] = server.received;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    recipients: ['reader@example.com'],
    subject: MAIL.subject,
    from: { name: 'Compliance Gateway', address: 'no-reply@gateway.example' },
    to: [{ name: '', address: 'reader@example.com' }],
    messageId: `<${id}@gateway.example>`,
    date: NOW.toISOString(),
  });
  expect(mail?.html?.trim()).toBe(MAIL.html);
  expect(mail?.text?.trim()).toBe(MAIL.text);
  expect(mail?.head).toMatch(/^List-Unsubscribe: <https:\/\/example\.com\/unsubscribe>\r$/m);
  expect(mail?.head).toMatch(/^Auto-Submitted: auto-generated\r$/m);
});

test('a mail of a transaction that is rolled back is never sent', async () => {
  const broken = database.transaction(async (tx) => {
    await outbox.post(tx, MAIL);
    throw new Error('changed our mind');
  });
  await expect(broken).rejects.toThrow('changed our mind');
  expect(await work()).toBe(0);
  expect(await postedMails(database)).toEqual([]);
});

test('removes what a mail said when it is sent, because it may contain a secret', async () => {
  await post();
  expect(await postedMails(database)).toMatchObject([{ state: 'QUEUED', attempts: 0, content: { text: 'Grüße' } }]);
  await work();
  expect(await postedMails(database)).toMatchObject([
    { state: 'SENT', attempts: 1, content: null, lastError: null, sentAt: NOW.toISOString() },
  ]);
  const jobs = await database.rows<{ data: object }>('select data from pgboss.job');
  expect(JSON.stringify(jobs)).not.toContain('Gr');
});

test.each([
  ['a subject', { subject: 'Report\r\nBcc: thief@example.com\r\n\r\nBody' }],
  ['a header', { headers: { 'X-Name': 'Ufi\nBcc: thief@example.com' } }],
])('%s cannot begin a header of its own, nor reach another reader', async (_what, mail) => {
  await post(mail);
  await work();
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.recipients).toEqual(['reader@example.com']);
  expect(server.received[0]?.head).not.toMatch(/^bcc:/im);
});

test.each(['a@example.com, b@example.com', 'Name <a@example.com>', 'a@example.com\r\nRCPT TO:<b@example.com>'])(
  'an address that is none (%j) is given up, and reaches no one',
  async (to) => {
    await post({ to });
    expect(await workThrough()).toBe(1);
    expect(server.received).toEqual([]);
    expect(await postedMails(database)).toMatchObject([
      { state: 'FAILED', lastError: 'The address is no e-mail address.' },
    ]);
  },
);

test('a recipient that the server refuses for good is not tried again, and is stored as a dead letter', async () => {
  server.refusals.push({ at: 'RCPT', code: 550 });
  const mailId = await post();
  expect(await workThrough()).toBe(1);
  expect(server.received).toEqual([]);
  expect(await postedMails(database)).toMatchObject([
    { state: 'FAILED', attempts: 1, lastError: 'The mail server refused the recipient (550).' },
  ]);
  expect(await database.rows(`select data from pgboss.job where name = 'mail-dead'`)).toEqual([{ data: { mailId } }]);
});

test.each([
  ['the sender is not ours to use', 'MAIL', 553, 'sender'],
  ['we should have said who we are', 'MAIL', 530, 'sender'],
  ['we should say it before a recipient', 'RCPT', 530, 'recipient'],
  ['what we said is too weak', 'DATA', 534, 'message'],
] as const)('no mail is lost while %s (%s, %i): it goes when that is set right', async (_what, at, code, refused) => {
  server.refusals.push({ at, code });
  await post();
  await work();
  expect(await postedMails(database)).toMatchObject([
    { state: 'QUEUED', lastError: `The mail server refused the ${refused} (${code}).` },
  ]);
  await passPauses(database);
  await work();
  expect(await postedMails(database)).toMatchObject([{ state: 'SENT', attempts: 2 }]);
});

const MESSAGE = { ...MAIL, headers: {}, id: randomUUID(), date: NOW };

test('a server that answers the end of a message late gets the mail once', async () => {
  const limits = { connect: 1_000, silence: 30_000, whole: 40_000 };
  const mailer = new SmtpMailer(server.url, { name: 'Gateway', address: 'no-reply@gateway.example' }, limits);
  server.beforeTaking = () => setTimeout(limits.connect + 200);
  await mailer.send(MESSAGE, new AbortController().signal).finally(() => (server.beforeTaking = async () => undefined));
  expect(server.received).toHaveLength(1);
});

test.each([
  ['greets', { connect: 50, silence: 30_000, whole: 30_000 }, 'greeting'],
  ['answers', { connect: 5_000, silence: 50, whole: 30_000 }, 'answer'],
  ['comes to an end', { connect: 5_000, silence: 30_000, whole: 50 }, 'answer'],
])('a server that never %s is tried again', async (_what, limits, missing) => {
  const silent = await MailServer.start(missing === 'greeting' ? { onConnect: () => undefined } : {});
  silent.beforeTaking = () => new Promise(() => undefined);
  const mailer = new SmtpMailer(silent.url, { name: 'Gateway', address: 'no-reply@gateway.example' }, limits);
  await expect(mailer.send(MESSAGE, new AbortController().signal)).rejects.toMatchObject({
    message: 'The mail server did not answer in time.',
    permanent: false,
  });
  await silent.goAway();
});

test('a server has ten minutes to answer, and no other worker makes the delivery meanwhile', () => {
  const seconds = QUEUES.find(({ name }) => name === 'mail')?.settings.expireInSeconds ?? 0;
  expect(SMTP_LIMITS.silence).toBeGreaterThanOrEqual(10 * 60_000);
  expect(SMTP_LIMITS.whole).toBeGreaterThan(SMTP_LIMITS.silence);
  expect(seconds * 1000).toBeGreaterThan(SMTP_LIMITS.whole + 60_000);
});

test('a mail that has gone is written down as soon as the database is back, however long that takes', async () => {
  const id = await post();
  let outages = 8;
  const shaky: Queryable = {
    rows: async (sql, values) => {
      if (sql.includes(`"state" = 'SENT'`) && outages-- > 0) throw new Error('the database is away');
      return database.rows(sql, values);
    },
  };
  const mailer = new SmtpMailer(server.url, { name: 'Gateway', address: 'no-reply@gateway.example' });
  const delivery = new MailDelivery(shaky, mailer, () => now, [1, 2]);
  await delivery.deliver(id, new AbortController().signal);
  expect(await postedMails(database)).toMatchObject([{ state: 'SENT', attempts: 1 }]);
});

test('when its time is over before that, the next try writes it down and sends nothing', async () => {
  const id = await post();
  const over = new AbortController();
  let away = true;
  const shaky: Queryable = {
    rows: async (sql, values) => {
      if (!away || !sql.includes(`"state" = 'SENT'`)) return database.rows(sql, values);
      over.abort();
      throw new Error('the database is away');
    },
  };
  const mailer = new SmtpMailer(server.url, { name: 'Gateway', address: 'no-reply@gateway.example' });
  const delivery = new MailDelivery(shaky, mailer, () => now);
  await expect(delivery.deliver(id, over.signal)).rejects.toThrow('the database is away');
  expect(await postedMails(database)).toMatchObject([{ state: 'QUEUED' }]);
  away = false;
  await delivery.deliver(id, new AbortController().signal);
  expect(await postedMails(database)).toMatchObject([{ state: 'SENT', attempts: 1 }]);
  expect(server.received).toHaveLength(1);
});

test('a server that refuses temporarily gets the same message again, later', async () => {
  server.refusals.push({ at: 'RCPT', code: 451 }, { at: 'DATA', code: 452 });
  const id = await post();
  expect(await work()).toBe(1);
  expect(await postedMails(database)).toMatchObject([
    { state: 'QUEUED', attempts: 1, lastError: 'The mail server refused the recipient (451).' },
  ]);
  // Not before the end of its pause.
  expect(await work()).toBe(0);
  expect(await workThrough()).toBe(0);
  await passPauses(database);
  expect(await workThrough()).toBe(2);
  expect(server.received).toMatchObject([{ messageId: `<${id}@gateway.example>` }]);
  expect(await postedMails(database)).toMatchObject([{ state: 'SENT', attempts: 3, lastError: null }]);
});

test('what a server says reaches neither the record nor its readers', async () => {
  server.refusals.push({ at: 'RCPT', code: 550 });
  await post();
  await work();
  expect(JSON.stringify(await postedMails(database))).not.toContain('host.internal');
});

test('a server that is away loses nothing: the mail goes when it is back', async () => {
  await server.goAway();
  await post();
  expect(await work()).toBe(1);
  expect(await postedMails(database)).toMatchObject([
    { state: 'QUEUED', lastError: 'The mail server could not be reached.' },
  ]);
  const deferred = 'gateway_jobs{queue="mail",state="deferred"}';
  expect(await gateway.app.metrics.text()).toContain(`${deferred} 1`);
  await server.comeBack();
  await passPauses(database);
  await work();
  expect(server.received).toHaveLength(1);
  expect(await gateway.app.metrics.text()).not.toContain(deferred);
});

test('is given up after ten tries, is stored as a dead letter, and is sent when an operator sends it back', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) server.refusals.push({ at: 'DATA', code: 421 });
  await post();
  expect(await workThrough()).toBe(10);
  expect(await postedMails(database)).toMatchObject([{ state: 'FAILED', attempts: 10 }]);
  const dead = (await gateway.app.metrics.text()).match(/^gateway_jobs\{.*$/gm);
  expect(dead).toContain('gateway_jobs{queue="mail-dead",state="waiting"} 1');

  const [letter] = await database.rows<{ data: object }>(`select data from pgboss.job where name = 'mail-dead'`);
  await database.rows(`insert into pgboss.job (name, data) values ('mail', $1)`, [JSON.stringify(letter?.data)]);
  await work();
  expect(server.received).toHaveLength(1);
  expect(await postedMails(database)).toMatchObject([{ state: 'SENT' }]);
});

test('two instances that look at once deliver each mail once', async () => {
  const second = await startGateway({ database: testDatabase, config: { smtpUrl: server.url } });
  try {
    for (let number = 0; number < 12; number += 1) await post({ to: `reader${number}@example.com` });
    const worked = await Promise.all([work(), workDue(second.app), work(), workDue(second.app)]);
    expect(worked.reduce((sum, count) => sum + count, 0)).toBe(12);
    expect(server.received.map(({ recipients }) => recipients[0]).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, number) => `reader${number}@example.com`).toSorted(),
    );
  } finally {
    await second.close();
  }
});

test('a delivery that was taken for crashed is not made again when it had been written down', async () => {
  await post();
  await work();
  await database.rows(`update pgboss.job set state = 'active'`);
  await expireJobs(database);
  expect(await work()).toBe(1);
  expect(server.received).toHaveLength(1);
});

test('sends over TLS where the server requires a name and a password, and says when they are refused', async () => {
  const strict = await MailServer.start({
    secure: false,
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username, password }, _session, answer) =>
      username === 'gateway' && password === 'p@ss'
        ? answer(null, { user: username })
        : answer(Object.assign(new Error('no'), { responseCode: 535 })),
  });
  const address = (password: string) =>
    `${strict.url.replace('//', `//gateway:${password}@`)}?requireTLS=true&tls.rejectUnauthorized=false`;
  const known = await startGateway({ database: testDatabase, config: { smtpUrl: address('p%40ss') } });
  const unknown = await startGateway({ database: testDatabase, config: { smtpUrl: address('guess') } });
  const distrusting = await startGateway({ database: testDatabase, config: { smtpUrl: strict.url } });
  try {
    await post();
    await workDue(unknown.app);
    expect(await postedMails(database)).toMatchObject([
      { lastError: 'The mail server refused our credentials (535).' },
    ]);
    await passPauses(database);
    // Its certificate is signed by no authority.
    await workDue(distrusting.app);
    expect(await postedMails(database)).toMatchObject([
      { state: 'QUEUED', lastError: 'No secure connection to the mail server could be made.' },
    ]);
    await passPauses(database);
    await workDue(known.app);
    expect(strict.received).toHaveLength(1);
    expect(await postedMails(database)).toMatchObject([{ state: 'SENT', attempts: 3 }]);
  } finally {
    await Promise.all([known.close(), unknown.close(), distrusting.close()]);
    await strict.goAway();
  }
});

test('without a server mails become files, for their owner only, and a second delivery the same file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mails-'));
  const offline = await startGateway({ database: testDatabase, dataDir, config: { smtpUrl: undefined } });
  try {
    const id = await post();
    await workDue(offline.app);
    await database.rows(`update outgoing_mail set state = 'QUEUED', content = $1`, [JSON.stringify(MAIL)]);
    await database.rows(`update pgboss.job set state = 'active'`);
    await expireJobs(database);
    expect(await workDue(offline.app)).toBe(1);

    const names = await readdir(join(dataDir, 'mail'));
    expect(names).toEqual([`2026-11-23T08-00-00-000Z-${id}.eml`]);
    const path = join(dataDir, 'mail', names[0]!);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await PostalMime.parse(await readFile(path))).toMatchObject({ subject: MAIL.subject });
  } finally {
    await offline.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('files of mails go with their records, also what a crash has left of one, and no others', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mails-'));
  const offline = await startGateway({
    ...{ database: testDatabase, dataDir, config: { smtpUrl: undefined }, now: () => NOW },
  });
  try {
    const [old, recent] = [await post(), await post()];
    await workDue(offline.app);
    const folder = join(dataDir, 'mail');
    await writeFile(join(folder, `.2026-05-01T08-00-00-000Z-${old}.4711`), 'To: reader@example.com');
    await writeFile(join(folder, 'notes.txt'), 'of the operator');
    expect(await readdir(folder)).toHaveLength(4);
    await database.rows('update outgoing_mail set created_at = $1 where id = $2', [
      new Date(NOW.getTime() - 181 * DAY).toISOString(),
      old,
    ]);
    // A file that cannot be deleted retains its record, by which a later sweep finds it.
    const stuck = join(folder, `2026-05-01T08-00-00-000Z-${old}.stuck`);
    await mkdir(stuck);
    await expect(offline.app.jobs.run('mails.purgeOld')).rejects.toThrow();
    await rmdir(stuck);
    await writeFile(stuck, 'To: reader@example.com');
    await offline.app.jobs.run('mails.purgeOld');
    expect((await readdir(folder)).toSorted()).toEqual([expect.stringContaining(recent), 'notes.txt']);
  } finally {
    await offline.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('what waited for three weeks, while no instance worked jobs, is sent', async () => {
  await post({ to: 'patient@example.com' });
  await database.rows(
    `update pgboss.job set created_on = created_on - interval '21 days', start_after = start_after - interval '21 days',
                           keep_until = keep_until - interval '21 days'`,
  );
  now = new Date(NOW.getTime() + 21 * DAY);
  await database.rows('update pgboss.queue set maintain_on = null');
  const boss = await gateway.app.jobs.queues.boss();
  await boss.supervise('mail');
  await gateway.app.jobs.run('mails.purgeOld');
  await work();
  expect(await postedMails(database)).toMatchObject([{ recipient: 'patient@example.com', state: 'SENT' }]);
});

test('mails that no job has sent for a week count as failed, and the log says how many', async () => {
  const lines: unknown[][] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) };
  const purging = new MailOutbox(
    database,
    async () => undefined,
    () => now,
    undefined,
    log,
  );
  await purging.post(database, { ...MAIL, to: 'lost@example.com' }, { ...MAIL, to: 'lost-too@example.com' });
  now = new Date(NOW.getTime() + 8 * DAY);
  await purging.purgeOld();
  await purging.purgeOld();
  expect(await postedMails(database)).toMatchObject([{ state: 'FAILED' }, { state: 'FAILED' }]);
  expect(lines).toEqual([[{ mails: 2 }, 'mails that no job has sent for a week count as failed']]);
});

test('all that is old goes at once, however much it is', async () => {
  await database.rows(
    `insert into outgoing_mail (id, recipient, state, created_at)
     select gen_random_uuid(), 'reader@example.com', 'SENT', $1 from generate_series(1, 2500)`,
    [new Date(NOW.getTime() - 181 * DAY).toISOString()],
  );
  await gateway.app.jobs.run('mails.purgeOld');
  expect(await postedMails(database)).toEqual([]);
});

test('what failed mails said is forgotten after a month, and every record after half a year', async () => {
  server.refusals.push({ at: 'RCPT', code: 550 });
  await post({ to: 'refused@example.com' });
  await work();
  await post({ to: 'sent@example.com' });
  await work();
  await post({ to: 'lost@example.com' });
  const records = async () =>
    Object.fromEntries((await postedMails(database)).map(({ recipient, ...mail }) => [recipient, mail]));
  const purgeAfter = async (days: number) => {
    now = new Date(NOW.getTime() + days * DAY);
    await gateway.app.jobs.run('mails.purgeOld');
    return records();
  };

  expect(await purgeAfter(6)).toMatchObject({
    'refused@example.com': { content: { text: MAIL.text } },
    'lost@example.com': { state: 'QUEUED' },
  });
  expect(await purgeAfter(8)).toMatchObject({
    'lost@example.com': { state: 'FAILED', lastError: 'It was never tried.' },
  });
  expect(await purgeAfter(31)).toMatchObject({
    'refused@example.com': { content: null, lastError: 'The mail server refused the recipient (550).' },
    'sent@example.com': { state: 'SENT' },
  });
  expect(Object.keys(await purgeAfter(181))).toEqual([]);
});
