import { beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE } from '../../src/common/time.js';
import { digestToken, generateToken } from '../../src/auth/token.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { TokenRecoveryService } from '../../src/services/tokens/recovery.service.js';
import { APIS } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { allEvents } from '../support/events.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { postedMails, workDue } from '../support/jobs.js';
import { inTurnBehind } from '../support/lock-waits.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { buildInvitation, titlesOf } from '../support/people.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const START = Date.parse('2026-11-20T08:15:30.500Z');

let now = START;

const { gateway, testData } = await startSeededGateway({ now: () => new Date(now), config: { trustProxy: 1 } });
const { database } = gateway.app;
const mails = new MailOutbox(
  database,
  async () => {},
  () => new Date(now),
);
/** The gateway's own service, whose mails remain in the table of outgoing mails. */
const recovery = new TokenRecoveryService({
  ...{ database, mails, now: () => new Date(now) },
  queues: { enqueue: async () => {} },
  config: gateway.config,
});

beforeEach(async () => {
  now = START;
  for (const table of ['token_recovery', 'outgoing_mail', 'pgboss.job']) await rows(`delete from ${table}`);
});

const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  gateway.app.database.rows<Row & { [column: string]: unknown }>(text, values);
const emailOf = ({ username }: Person) => `${username}@example.com`;

const byRest = (email: string, from = '192.0.2.1') =>
  gateway.rest.post('/api/v1/recovery', { body: { email }, headers: { 'x-forwarded-for': from } });
const REQUEST =
  'mutation ($email: String!) { requestTokenRecovery(input: { email: $email }) { accepted linkMinutes } }';
const RECOVER =
  'mutation ($secret: String!) { recoverToken(input: { secret: $secret }) { token tokenExpiresAt userId username email } }';
const accept = (secret: string) => gateway.rest.post('/api/v1/recovery/accept', { body: { secret } });

async function verifiedPerson(name = 'forgetful'): Promise<Person> {
  const person = await buildPerson(gateway.app.database, name);
  await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
  await rows('update app_user set email_verified_at = now() where id = $1', [person.id]);
  return person;
}

/** Secrets in the enqueued mails to an address, once all look-up jobs are done. */
async function secretsOf(email: string): Promise<string[]> {
  const jobs = await rows<{ data: { recoveryId: number } }>(`select data from pgboss.job where name = 'recovery'`);
  for (const { data } of jobs) await recovery.deliver(data.recoveryId);
  await rows(`delete from pgboss.job where name = 'recovery'`);
  const mails = (await postedMails(gateway.app.database)).filter(({ recipient }) => recipient === email);
  return mails.flatMap(({ content }) => /\/recovery#(rec_\w+)/.exec(content?.text ?? '')?.[1] ?? []);
}

describe('a request for recovery', () => {
  test('of a person who is erased meanwhile is not mailed', async () => {
    const person = await verifiedPerson('erased');
    const lock = ['select from audit_log where organization_id = $1 for update', [testData.organizationId]] as const;
    await buildAuditEntry(database, testData.organizationId);
    const { token, username } = person;
    const [erased] = await inTurnBehind<{ status: number } | void>(database, lock, [
      () => gateway.rest.delete(`/api/v1/profile?username=${username}`, { token }),
      async () => {
        await byRest(emailOf(person));
        await secretsOf(emailOf(person));
      },
    ]);
    expect(erased!.status).toBe(200);
    expect(await rows('select recipient from outgoing_mail where recipient = $1', [emailOf(person)])).toEqual([]);
  });

  test('is answered with the same bytes whether the address is known or not, and mails the known one', async () => {
    const person = await verifiedPerson();
    const known = await byRest(emailOf(person).toUpperCase());
    const unknown = await byRest('unknown@example.com');
    expectData(known);
    withStory(unknown, () => expect([unknown.status, unknown.text]).toEqual([known.status, known.text]));
    expect(known.text).toBe('{"error":0,"messages":[],"data":{"accepted":true,"link_minutes":30}}');
    expect(await rows(`select 1 from pgboss.job where name = 'recovery'`)).toHaveLength(2);
    expect(await secretsOf(emailOf(person))).toEqual([expect.stringMatching(/^rec_[0-9A-Za-z]{36}$/)]);
    expect(await postedMails(gateway.app.database)).toHaveLength(1);
  });

  test('is mailed once, also when its job is run again', async () => {
    const person = await verifiedPerson();
    expectData(await byRest(emailOf(person)));
    const [job] = await rows<{ data: { recoveryId: number } }>(`select data from pgboss.job where name = 'recovery'`);
    for (let run = 0; run < 2; run += 1) await recovery.deliver(job!.data.recoveryId);
    expect(await postedMails(database)).toHaveLength(1);
  });

  test("is mailed in the user's language, else in that of its organization", async () => {
    await rows(`update organization set language = 'de' where id = $1`, [testData.organizationId]);
    const [italian, german] = [await verifiedPerson(), await verifiedPerson()];
    await rows(`update app_user set language = 'it' where id = $1`, [italian.id]);
    for (const person of [italian, german]) {
      expectData(await byRest(emailOf(person)));
      const [secret] = await secretsOf(emailOf(person));
      expectData(await accept(secret!), 201);
    }
    await settled(database, 'notifications');
    await rows(`update organization set language = 'en' where id = $1`, [testData.organizationId]);
    const subjectsTo = async (person: Person) =>
      (await postedMails(database))
        .filter(({ recipient }) => recipient === emailOf(person))
        .map(({ content }) => content?.subject)
        .toSorted();
    expect(await subjectsTo(italian)).toEqual(['Recupero dell’accesso', 'Un utente ha recuperato l’accesso']);
    expect(await subjectsTo(german)).toEqual([
      'Ein Benutzer hat seinen Zugang wiederhergestellt',
      'Zugang wiederherstellen',
    ]);
    expect(await subjectsTo(testData.owner)).toEqual(Array(2).fill('Ein Benutzer hat seinen Zugang wiederhergestellt'));
  });

  test('is answered by GraphQL in the same way', async () => {
    const person = await verifiedPerson();
    const answers = [];
    for (const email of [emailOf(person), 'unknown@example.com'])
      answers.push((await gateway.graphql.call(REQUEST, { variables: { email } })).text.trim());
    expect(new Set(answers)).toEqual(new Set(['{"data":{"requestTokenRecovery":{"accepted":true,"linkMinutes":30}}}']));
    expect(await secretsOf(emailOf(person))).toHaveLength(1);
  });

  test('sends no mail to an address that was never verified, or to a deactivated user', async () => {
    const unverified = await buildPerson(gateway.app.database, 'unverified');
    const deactivated = await verifiedPerson();
    await rows('update app_user set deactivated_at = now() where id = $1', [deactivated.id]);
    for (const person of [unverified, deactivated]) {
      expectData(await byRest(emailOf(person)));
      expect(await secretsOf(emailOf(person))).toEqual([]);
    }
  });

  test('is refused where the text is no address', async () => {
    expectError(await byRest('nobody'), 400, ['email must be an e-mail address']);
  });

  test('mails one address three times in an hour, and says nothing of it', async () => {
    const person = await verifiedPerson();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => byRest(emailOf(person), `198.51.100.${at}`)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await secretsOf(emailOf(person))).toHaveLength(3);
    now += 61 * MINUTE;
    expectData(await byRest(emailOf(person)));
    expect(await secretsOf(emailOf(person))).toHaveLength(4);
  });

  test('is refused to a caller after ten in an hour, whatever the addresses; of IPv6 a whole network is one', async () => {
    const statuses = async (from: (at: number) => string) => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => byRest(`somebody-${at}@example.com`, from(at))),
      );
      for (const answer of answers.filter(({ status }) => status === 429)) {
        expectError(answer, 429, [1029]);
        expect(answer.headers.get('retry-after')).toBe('3600');
      }
      return answers.map(({ status }) => status).toSorted();
    };
    const expected = [...Array<number>(10).fill(200), 429, 429];
    expect(await statuses(() => '192.0.2.7')).toEqual(expected);
    expect(await statuses((at) => `2001:db8:1:2:${at + 1}::1`)).toEqual(expected);
    expectData(await byRest('somebody@example.com', '2001:db8:1:3::1'));
  });
});

describe('the secret of a recovery link', () => {
  async function linkOf(person: Person): Promise<string> {
    expectData(await byRest(emailOf(person)));
    return (await secretsOf(emailOf(person))).at(-1) as string;
  }

  test('makes one token that reads and writes, once, and notifies the owners and the user', async () => {
    const person = await verifiedPerson();
    const deactivated = await buildPerson(database, 'deactivated');
    await join(database, deactivated, testData.organizationId, 'ORGANIZATION_OWNER');
    await rows('update membership set deactivated_at = now() where user_id = $1', [deactivated.id]);
    const closed = await buildPerson(database, 'closed');
    await join(database, closed, testData.organizationId, 'ORGANIZATION_OWNER');
    await rows('update app_user set deactivated_at = now() where id = $1', [closed.id]);
    const earlier = await buildOrganization(database, 'Earlier');
    await join(database, await buildPerson(database, 'stranger'), earlier, 'ORGANIZATION_OWNER');
    await join(database, person, earlier, 'VIEWER');
    await rows('update membership set deactivated_at = now() where organization_id = $1 and user_id = $2', [
      earlier,
      person.id,
    ]);
    const secret = await linkOf(person);
    const data = expectData(await accept(secret), 201);
    expect(data).toEqual({
      token: expect.stringMatching(/^scp_/),
      token_expires_at: new Date(START + 90 * 24 * 60 * MINUTE).toISOString(),
      user_id: person.id,
      username: person.username,
      email: emailOf(person),
    });
    const [{ scopes, name }] = expectData(await gateway.rest.get('/api/v1/tokens', { token: data.token }));
    expect([name, scopes]).toEqual(['Recovered token', ['READ', 'WRITE']]);
    expectError(await accept(secret), 404, [1004]);
    expect(await titlesOf(gateway.app.database, testData.owner)).toContain('A member has recovered access');
    expect(await titlesOf(gateway.app.database, testData.manager)).not.toContain('A member has recovered access');
    const mails = await postedMails(gateway.app.database);
    const notified = mails.filter(({ content }) => content?.subject === 'A user has recovered access');
    expect(notified.map(({ recipient }) => recipient).toSorted()).toEqual(
      [emailOf(person), emailOf(testData.owner)].toSorted(),
    );
  });

  test('is an event in the organizations of the user, for who may read their audit trails', async () => {
    const person = await verifiedPerson();
    const other = await buildOrganization(database, 'Followed');
    const [officer, viewer] = [await buildPerson(database, 'officer'), await buildPerson(database, 'viewer')];
    await join(database, officer, other, 'SECURITY_OFFICER');
    await join(database, viewer, other, 'VIEWER');
    await join(database, person, other, 'VIEWER');
    expectData(await accept(await linkOf(person)), 201);
    await settled(database, 'events');
    for (const api of APIS) {
      const read = async ({ token }: Person) =>
        (await allEvents(api, gateway, { organization_id: other }, token)).events.map(({ type, subject }) => ({
          type,
          subject,
        }));
      expect(await read(officer)).toEqual([{ type: 'token.recovered', subject: { type: 'MEMBER', id: person.id } }]);
      expect(await read(viewer)).toEqual([]);
    }
  });

  test('notifies an owner of its own recovery', async () => {
    const owner = await verifiedPerson('owner');
    const own = await buildOrganization(database, 'Of its own');
    await join(database, owner, own, 'ORGANIZATION_OWNER');
    expectData(await accept(await linkOf(owner)), 201);
    expect(await titlesOf(database, owner)).toContain('A member has recovered access');
  });

  test('mails 20 owners at most, one of each organization first', async () => {
    const person = await verifiedPerson();
    const large = await buildOrganization(database, 'Large');
    const small = await buildOrganization(database, 'Small');
    for (const id of [large, small]) await join(database, person, id, 'VIEWER');
    for (let count = 0; count < 21; count += 1)
      await join(database, await buildPerson(database, 'aa'), large, 'ORGANIZATION_OWNER');
    const last = await buildPerson(database, 'zz');
    await join(database, last, small, 'ORGANIZATION_OWNER');
    expectData(await accept(await linkOf(person)), 201);
    const mails = await postedMails(database);
    const notified = mails.filter(({ content }) => content?.subject === 'A user has recovered access');
    const recipients = notified.map(({ recipient }) => recipient);
    expect(recipients).toEqual(expect.arrayContaining([person, last, testData.owner].map(emailOf)));
    expect(recipients).toHaveLength(21);
  });

  test('works through GraphQL, and of ten who use it at once one gets a token', async () => {
    const secret = await linkOf(await verifiedPerson());
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.graphql.call(RECOVER, { variables: { secret } })),
    );
    const tokens = answers.flatMap(({ body }) => body.data?.recoverToken?.token ?? []);
    expect(tokens).toHaveLength(1);
    const codes = answers.flatMap(({ body }) => body.errors?.map(({ extensions }) => extensions.code) ?? []);
    expect(codes).toEqual(Array<string>(9).fill('NOT_FOUND'));
  });

  test('opens nothing after 30 minutes, after another link was used, or for a user who was deactivated or has moved', async () => {
    const late = await linkOf(await verifiedPerson());
    now += 30 * MINUTE;
    expectError(await accept(late), 404, [1004]);
    const person = await verifiedPerson();
    const [first, second] = [await linkOf(person), await linkOf(person)];
    expectStatus(await accept(second), 201);
    expectError(await accept(first), 404, [1004]);
    const ofAnother = await linkOf(await verifiedPerson());
    const other = await verifiedPerson();
    const [earlier, later] = [await linkOf(other), await linkOf(other)];
    expectStatus(await accept(earlier), 201);
    expectError(await accept(later), 404, [1004]);
    expectStatus(await accept(ofAnother), 201);
    const gone = await verifiedPerson();
    const secret = await linkOf(gone);
    await rows('update app_user set deactivated_at = now() where id = $1', [gone.id]);
    expectError(await accept(secret), 404, [1004]);
    const moved = await verifiedPerson();
    const toEarlier = await linkOf(moved);
    await rows('update app_user set email = $2 where id = $1', [moved.id, `moved-${emailOf(moved)}`]);
    expectError(await accept(toEarlier), 404, [1004]);
    for (const wrong of ['', 'rec_x', generateToken('recovery'), testData.owner.token])
      expectError(await accept(wrong), 404, [1004]);
  });

  test('is stored as a digest only, and removed after a day', async () => {
    const secret = await linkOf(await verifiedPerson());
    const stored = await rows('select * from token_recovery');
    expect(stored).toEqual([expect.objectContaining({ digest: digestToken(secret) })]);
    expect(JSON.stringify(stored)).not.toContain(secret);
    now += 24 * 60 * MINUTE;
    expect(await recovery.purgeOld()).toBe(0);
    now += 1;
    expect(await recovery.purgeOld()).toBe(1);
  });
});

test('the job of the queue writes and sends the mail', async () => {
  const person = await verifiedPerson();
  expectData(await byRest(emailOf(person)));
  expectData(await byRest('unknown@example.com'));
  expect(await workDue(gateway.app)).toBeGreaterThan(0);
  await workDue(gateway.app);
  expect(await postedMails(gateway.app.database)).toMatchObject([
    { recipient: emailOf(person), state: 'SENT', content: null },
  ]);
});

test('who accepts an invitation has a verified address, and can recover', async () => {
  const email = 'newcomer-by-mail@example.com';
  const { secret } = await buildInvitation(gateway.app.database, {
    ...testData,
    email,
    expiresAt: new Date(now + MINUTE),
  });
  expectStatus(await gateway.rest.post('/api/v1/invitations/accept', { body: { secret } }), 201);
  expectData(await byRest(email));
  expect(await secretsOf(email)).toHaveLength(1);
});

test('the page changes nothing when it is opened, and is served with its script', async () => {
  const secret = generateToken('recovery');
  for (const [path, type] of [
    ['/recovery', 'text/html; charset=utf-8'],
    [`/recovery?secret=${secret}`, 'text/html; charset=utf-8'],
    ['/recovery/assets/page.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const answer = await fetch(gateway.url + path);
    await answer.text();
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
  }
  expect(await rows('select 1 from token_recovery')).toEqual([]);
});
