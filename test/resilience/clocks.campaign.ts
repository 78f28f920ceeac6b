import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DAY, HOUR, MINUTE } from '../../src/common/time.js';
import type { Database } from '../../src/database/database.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { JobQueues } from '../../src/database/job-queues.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { LIMITS } from '../../src/values/limits.js';
import { passPauses, postedMails } from '../support/jobs.js';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { createTestDatabase } from '../support/database.js';
import { Browser, startLyingProvider, type LyingProvider } from '../support/identity-providers.js';
import { MailServer } from '../support/mail-server.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { startSharedReceiver, verified } from '../support/receivers.js';
import { buildPerson, buildToken, buildWorkflow, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';
import { ROOT, SECRET_KEY, type GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';

/** Offset that is just below the limit of a start. */
const FAR = 4 * MINUTE;

const MOVED_CLOCK = pathToFileURL(join(ROOT, 'test/resilience/support/moved-clock.mjs')).href;
const receiver = await startSharedReceiver();

let installation: Installation;
let database: Database;
let mails: MailServer;
let provider: LyingProvider;
let instances: Record<'right' | 'ahead' | 'behind' | 'jumping', Instance>;
let owner: Person;
let organizationId: number;

interface Instance {
  gateway: GatewayProcess;
  rest: RestClient;
  graphql: GraphQLClient;
  /** Sets the clock of its machine to this many milliseconds after that of the database. */
  jump(ahead: number): Promise<void>;
}

// Four instances on one database; the one that is ahead runs the periodic jobs.
beforeAll(async () => {
  installation = await Installation.create('clocks');
  ({ database } = installation);
  mails = await MailServer.start();
  provider = await startLyingProvider();
  const [right, ahead, behind, jumping] = await Promise.all([
    start('right', 0, { JOBS: '0' }),
    start('ahead', FAR),
    start('behind', -FAR, { JOBS: '0' }),
    start('jumping', 0, { JOBS: '0' }),
  ]);
  instances = { right, ahead, behind, jumping };
  owner = await buildPerson(database, 'owner');
  const body = { name: 'Clocks', sectors: ['Energy'], nis2_sector: 'Energia - Energia elettrica' };
  organizationId = expectData(await right.rest.post('/api/v1/organizations', { token: owner.token, body }), 201).id;
});

afterAll(async () => {
  await installation?.clear();
  await Promise.all([provider?.close(), mails?.goAway()]);
});

async function start(name: string, milliseconds: number, env: Record<string, string> = {}): Promise<Instance> {
  const file = join(installation.dataDir, `${name}.clock`);
  await writeFile(file, String(milliseconds));
  const gateway = await installation.start(
    {
      ...{ MOVED_CLOCK: file, OUTGOING_NETWORKS: '127.0.0.0/8', SMTP_URL: mails.url },
      ...{ DOWNLOAD_LINK_MINUTES: '3', METRICS_PUBLIC: '1', ...env },
    },
    ['--import', MOVED_CLOCK],
  );
  return {
    gateway,
    rest: new RestClient(gateway.url),
    graphql: new GraphQLClient(gateway.url),
    async jump(to) {
      await writeFile(file, String(to));
      gateway.signal('SIGUSR2');
      await until('the clock is set', async () => (await readFile(`${file}.taken`, 'utf8')) === String(to));
    },
  };
}

const each = () => Object.entries(instances) as [keyof typeof instances, Instance][];
const incidents = () => `/api/v1/v-ciso/incidents/${organizationId}`;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

async function open({ rest }: Instance, more: object = {}, headers: Record<string, string> = {}) {
  const body = { title: 'Phishing', severity: 'LOW', ...more };
  return expectData(await rest.post(incidents(), { token: owner.token, body, headers }), 201);
}

const COUNT = `query ($id: ID!, $asOf: DateTime!) { organization(id: $id, asOf: $asOf) { incidents { totalCount } } }`;

/** Number of incidents at an instant, through both APIs; undefined if refused. */
async function countAsOf({ rest, graphql }: Instance, instant: string) {
  const { token } = owner;
  const listed = await rest.get(`${incidents()}?limit=1&as_of=${instant}`, { token });
  const { body } = await graphql.call(COUNT, { token, variables: { id: String(organizationId), asOf: instant } });
  return [listed.body.total, body.data?.organization?.incidents.totalCount] as [number?, number?];
}

/** Runs after a jump of the clock of one instance, and resets it. */
async function whileJumped(milliseconds: number, work: (instance: Instance) => Promise<void>): Promise<void> {
  const { jumping } = instances;
  await jumping.jump(milliseconds);
  try {
    await work(jumping);
  } finally {
    await jumping.jump(0);
  }
}

test('a token ends at the same time on every instance, and after a jump of the clock as well', async () => {
  const tokenUntil = (at: string) => buildToken(database, owner, { expiresAt: new Date(at) });
  const status = async ({ rest }: Instance, token: string) => (await rest.get('/api/v1/profile', { token })).status;
  const [ended, lasting] = [await tokenUntil(ago(20_000)), await tokenUntil(ago(-MINUTE * 3))];
  for (const [name, instance] of each())
    expect({ name, is: [await status(instance, ended), await status(instance, lasting)] }).toEqual({
      name,
      is: [401, 200],
    });
  const [long, endedLong] = [await tokenUntil(ago(-HOUR)), await tokenUntil(ago(HOUR))];
  for (const jump of [DAY, -DAY])
    await whileJumped(jump, async (instance) =>
      expect({ jump, is: [await status(instance, endedLong), await status(instance, long)] }).toEqual({
        jump,
        is: [401, 200],
      }),
    );
});

test('a state as of an instant does not change afterwards, and has what was written before through any instance', async () => {
  for (const [writer, through] of each()) {
    await open(through);
    const total = (await database.rows('select id from incident')).length;
    const at = new Date().toISOString();
    const counts = async () => {
      const found: object[] = [];
      for (const [reader, instance] of each()) found.push([writer, reader, ...(await countAsOf(instance, at))]);
      return found;
    };
    const expected = each().map(([reader]) => [writer, reader, total, total]);
    expect(await counts()).toEqual(expected);
    for (const [, instance] of each()) await open(instance);
    expect(await counts()).toEqual(expected);
  }
  for (const [name, instance] of each())
    expect([name, ...(await countAsOf(instance, ago(-MINUTE)))]).toEqual([name, undefined, undefined]);
});

test('instants that must not be in the future are judged alike, and a report may follow its incident at once', async () => {
  for (const [through, { rest }] of each()) {
    const awareAt = async (aware_at: string) =>
      (await rest.post(incidents(), { token: owner.token, body: { title: 'Now', severity: 'LOW', aware_at } })).status;
    expect({ through, is: [await awareAt(ago(1_000)), await awareAt(ago(-MINUTE))] }).toEqual({
      through,
      is: [201, 400],
    });
  }
  for (const [opener, instance] of each())
    for (const [sender, { rest }] of each()) {
      const { id, aware_at: awareAt } = await open(instance, { severity: 'CRITICAL', significant: true });
      expect(Math.abs(Date.parse(awareAt) - Date.now())).toBeLessThan(10_000);
      const body = { regime_id: 'nis2', stage: 'EARLY_WARNING' };
      const { status, text } = await rest.post(`${incidents()}/${id}/reports`, { token: owner.token, body });
      expect({ opener, sender, status, text }).toEqual({ opener, sender, status: 201, text });
    }
});

test('a key of idempotency is known to an instance whose clock went wrong by a day', async () => {
  const headers = { 'idempotency-key': `"${randomUUID()}"` };
  const title = `Once ${randomUUID()}`;
  const { id } = await open(instances.right, { title }, headers);
  await whileJumped(25 * HOUR, async (instance) => expect((await open(instance, { title }, headers)).id).toBe(id));
  expect(await database.rows('select id from incident where title = $1', [title])).toEqual([{ id }]);
});

test('an address for a download that one instance has signed is valid on the others, and not longer', async () => {
  await buildWorkflow(database, organizationId);
  const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/A.5.1/versions`;
  for (const [signer, { rest }] of each()) {
    const content = Buffer.from(signer).toString('base64');
    const body = { filename: `${signer}.txt`, content, content_type: 'text/plain' };
    const { download_url: url } = expectData(await rest.post(path, { token: owner.token, body }), 201);
    const { pathname, search, searchParams } = new URL(url);
    const seconds = Number(searchParams.get('expires')) - Date.now() / 1000;
    expect({ signer, isLong: seconds > 60 && seconds < 185 }).toEqual({ signer, isLong: true });
    for (const [through, instance] of each()) {
      const { status } = await fetch(`${instance.gateway.url}${pathname}${search}`);
      expect({ signer, through, status }).toEqual({ signer, through, status: 200 });
    }
  }
});

test('a webhook is delivered once, with a time that receivers take', async () => {
  const path = `/api/v1/organizations/${organizationId}/webhooks`;
  const body = { url: receiver.url, event_types: ['incident.opened'] };
  const { secret } = expectData(await instances.right.rest.post(path, { token: owner.token, body }), 201);
  const off: number[] = [];
  receiver.answer = (response, { headers }) => {
    off.push(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now()));
    response.writeHead(204).end();
  };
  await whileJumped(10 * MINUTE, async () => {
    for (let round = 0; round < 10; round += 1) for (const [, instance] of each()) await open(instance);
    await until('all are delivered', async () => {
      return (await database.rows(`select id from webhook_delivery where status = 'DELIVERED'`)).length === 40;
    });
  });
  expect(receiver.received).toHaveLength(40);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
  for (const received of receiver.received) verified(secret, received);
  expect(Math.max(...off)).toBeLessThan(MINUTE);
});

test('people sign in at a provider whose clock is right', async () => {
  const domain = 'clocks.example';
  await database.rows(
    `with provider as (
       insert into identity_provider (organization_id, name, issuer, client_id, client_secret, group_roles, redirect_uris, default_role)
       values ($1, $2::text, $3, 'gateway', null, '[]', '{}', 'VIEWER') returning id)
     insert into identity_domain (organization_id, provider_id, domain, challenge, verified_at)
     select $1, id, $2, 'c', now() from provider`,
    [organizationId, domain, provider.issuer],
  );
  for (const [name, { gateway }] of each()) {
    const browser = new Browser();
    provider.lie = {
      claims: {
        ...{ sub: name, email: `${name}@${domain}`, email_verified: true },
        exp: Math.floor(Date.now() / 1000) + 60,
      },
    };
    const { url } = await browser.begin(gateway.url, domain);
    provider.nonce = url.searchParams.get('nonce')!;
    const back = await browser.request(`${gateway.url}/sign-in/callback?code=c&state=${url.searchParams.get('state')}`);
    expect({ name, status: back.status, hasToken: browser.cookie(gateway.url, 'session') !== undefined }).toEqual({
      name,
      status: back.status,
      hasToken: true,
    });
  }
});

test('a report is not said to be overdue before it is', async () => {
  // The early warning of NIS 2 is due after 24 hours.
  const { id } = await open(instances.right, {
    ...{ severity: 'CRITICAL', significant: true, aware_at: ago(DAY - 3.5 * MINUTE) },
  });
  const [first] = await until('a reminder is recorded', async () => {
    const reminders = await database.rows<{ action: string }>(
      `select action from audit_entry where action in ('REPORT_DUE_SOON', 'REPORT_OVERDUE') and subject = $1
        order by position`,
      [`INCIDENT/${id}`],
    );
    return reminders.length > 0 && reminders;
  });
  expect(first).toEqual({ action: 'REPORT_DUE_SOON' });
});

test('jobs go on after the clock was set back while one was under way', async () => {
  const { ahead } = instances;
  const queues = new JobQueues(database, new DatabaseClock());
  const outbox = new MailOutbox(
    database,
    (tx, ids) =>
      queues.enqueue(
        tx,
        'mail',
        ids.map((mailId) => ({ data: { mailId } })),
      ),
    () => new Date(),
  );
  const post = (to: string) =>
    database.transaction((tx) => outbox.post(tx, { to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }));
  await until('older mails are sent', async () => (await postedMails(database)).every(({ state }) => state === 'SENT'));
  mails.beforeTaking = () => {
    mails.beforeTaking = async () => undefined;
    return ahead.jump(-HOUR);
  };
  try {
    await post('first@example.com');
    const arrives = (to: string) =>
      until(`${to} has mail`, () => mails.received.some(({ recipients }) => recipients[0] === to), MINUTE);
    await arrives('first@example.com');
    await post('second@example.com');
    await passPauses(database);
    await arrives('second@example.com');
  } finally {
    await ahead.jump(FAR);
  }
});

/** Runs the command of the operator on a machine whose clock is an hour ahead. */
async function bootstrapAhead(databaseUrl: string, ...args: string[]): Promise<void> {
  const file = join(installation.dataDir, 'operator.clock');
  await writeFile(file, String(HOUR));
  const command = ['--import', MOVED_CLOCK, join(ROOT, 'dist/main.js'), 'bootstrap', ...args];
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY, DATA_DIR: installation.dataDir, MOVED_CLOCK: file };
  await promisify(execFile)(process.execPath, command, { env });
}

test('an erasure by the operator, on a machine whose clock is an hour ahead, is recorded when it is done', async () => {
  const member = await newMember(database, organizationId, 'VIEWER');
  await bootstrapAhead(installation.databaseUrl, '--erase', `${member.username}@example.com`);
  const [entry] = await database.rows<{ at: string }>(
    `select at from audit_entry where action = 'USER_ERASED' order by log_id desc, position desc limit 1`,
  );
  expect(Math.abs(Date.parse(entry!.at) - Date.now())).toBeLessThan(MINUTE);
});

test('the token of the first user, made on a machine whose clock is an hour ahead, lasts from now on', async () => {
  const other = await createTestDatabase();
  await bootstrapAhead(other.url, '--email', 'ada@example.com');
  const client = new Client({ connectionString: other.url });
  await client.connect();
  const { rows } = await client.query<{ since: Date; days: number }>(
    'select created_at as since, extract(epoch from expires_at - created_at)::int / 86400 as days from api_token',
  );
  await client.end();
  await other.drop();
  expect(Math.abs(rows[0]!.since.getTime() - Date.now())).toBeLessThan(MINUTE);
  expect(rows[0]!.days).toBe(LIMITS.token.defaultDays);
});

test('the audit trail of all of this verifies, and its entries are in the order of their times', async () => {
  const path = `/api/v1/organizations/${organizationId}/audit-trail/verification`;
  for (const [name, { rest }] of each()) {
    const { valid } = expectData(await rest.get(path, { token: owner.token }));
    expect({ name, valid }).toEqual({ name, valid: true });
  }
  const late = await database.rows(
    `select lateness from audit_log where organization_id = $1 and lateness > interval '5 seconds'`,
    [organizationId],
  );
  expect(late).toEqual([]);
});

test('metrics say by how much the clock of a machine is ahead', async () => {
  const ahead = async ({ gateway }: Instance) =>
    Number(/^gateway_clock_ahead_seconds (\S+)$/m.exec(await (await fetch(`${gateway.url}/metrics`)).text())?.[1]);
  const { right, behind, jumping } = instances;
  expect(await ahead(right)).toBeCloseTo(0, 0);
  expect(await ahead(behind)).toBeCloseTo(-FAR / 1000, 0);
  await whileJumped(HOUR, async () => expect(await ahead(jumping)).toBeCloseTo(HOUR / 1000, 0));
});

test('no instance has ended, answered with an error of its own, or spins', async () => {
  for (const [name, { gateway, rest }] of each()) {
    expectStatus(await rest.get('/api/v1/profile', { token: owner.token }), 200);
    expect({ name, complaint: gateway.complaint }).toEqual({ name, complaint: '' });
    expect({ name, errors: gateway.out.match(/"level":(?:50|60).*/g) }).toEqual({ name, errors: null });
  }
});
