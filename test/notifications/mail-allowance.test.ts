import { beforeEach, describe, expect, test } from '@jest/globals';
import { lockConsumer } from '../../src/services/audit/consumer.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { postedMails, type MailRecord } from '../support/jobs.js';
import { someoneWaits } from '../support/lock-waits.js';
import { newMember } from '../support/people.js';
import { settled } from '../support/settled.js';
import { buildIncident, buildOrganization, type Person } from '../support/test-data.js';

const HOUR = 60 * 60 * 1000;
/** Half past eight: the daily mail of the day is due. */
const MORNING = new Date('2026-11-23T08:30:00.000Z');

let now = MORNING;
let organizationId: number;
let owner: Person;

const gateway = await startSharedGateway({ now: () => now });
const { database } = gateway.app;

beforeEach(async () => {
  now = MORNING;
  await settled(database, 'mails');
  await database.rows('delete from incident');
  await database.rows('delete from organization');
  await database.rows('delete from outgoing_mail');
  organizationId = await buildOrganization(database, 'Rossi & Figli');
  owner = await verified('ORGANIZATION_OWNER', {});
});

/** With a verified address. */
async function verified(role: 'VIEWER' | 'ORGANIZATION_OWNER', preferences: object): Promise<Person> {
  const person = await newMember(database, organizationId, role);
  await database.rows('update app_user set email_verified_at = now() where id = $1', [person.id]);
  await database.rows('update membership set mail_preferences = $2 where user_id = $1', [
    person.id,
    JSON.stringify(preferences),
  ]);
  return person;
}

/** A minute after the latest time. */
async function openIncident(title: string): Promise<void> {
  now = new Date(now.getTime() + 60_000);
  await gateway.graphql.data(
    `mutation { openIncident(input: { organizationId: ${organizationId}, title: "${title}", severity: LOW }) { __typename } }`,
    { token: owner.token },
  );
}

/** Waits until everything recorded is mailed. */
async function mails(): Promise<MailRecord[]> {
  await settled(database, 'mails');
  return postedMails(database);
}

/** Sets the number of mails in the hour of that morning, and of so many hours later. */
const spend = ({ id }: Person, count: number, hours = 0) =>
  database.rows(
    `insert into mail_allowance (membership_id, hour, mails, held)
     select m.id, date_trunc('hour', $3::timestamptz), $2, '{}' from membership m where m.user_id = $1`,
    [id, count, new Date(MORNING.getTime() + hours * HOUR)],
  );

/** Enqueues the mails that are due at half past eight, so many days later. */
async function digestOn(days: number): Promise<void> {
  now = new Date(MORNING.getTime() + days * 24 * HOUR);
  await gateway.app.jobs.run('mailDigests.postDue');
}

const subjectsTo = async ({ username }: Person) =>
  (await mails()).filter(({ recipient }) => recipient.startsWith(username)).map(({ content }) => content?.subject);
const OPENED = 'Incident opened, “Rossi & Figli”';

describe('a member gets 20 mails at once in an hour', () => {
  test('the twentieth goes out; what comes after it joins the next daily mail, once, and the others get theirs', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    const other = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 19);
    for (const title of ['Twentieth', 'Second', 'Third']) {
      await openIncident(title);
      await mails();
    }
    expect(await subjectsTo(eager)).toEqual([OPENED]);
    expect(await subjectsTo(other)).toHaveLength(3);
    await digestOn(0);
    expect((await mails()).filter(({ content }) => content?.subject.includes('unread'))).toEqual([]);
    await digestOn(1);
    const daily = (await mails()).filter(({ content }) => content?.subject.includes('unread'));
    expect(daily.map(({ recipient, content }) => [recipient, content?.subject])).toEqual([
      [`${eager.username}@example.com`, '2 unread notifications, “Rossi & Figli”'],
    ]);
    expect(daily[0]?.content?.text).toMatch(/“Third”\.\n[^]*“Second”\.\n/);
    expect(daily[0]?.content?.text).not.toContain('Twentieth');
    const link = /^<(.*)>$/.exec(daily[0]!.content!.headers['List-Unsubscribe']!)![1]!;
    expect((await fetch(link.replace(/^https?:\/\/[^/]+/, gateway.url), { method: 'POST' })).status).toBe(200);
    const [{ preferences }] = (await database.rows<{ preferences: object }>(
      'select mail_preferences as preferences from membership where user_id = $1',
      [eager.id],
    )) as [{ preferences: object }];
    expect(preferences).toEqual({ incident: 'NEVER' });
    await digestOn(2);
    expect((await mails()).filter(({ content }) => content?.subject.includes('unread'))).toHaveLength(1);
  });

  test('what was read meanwhile, or is not wanted any more, is not in the daily mail', async () => {
    const [reader, leaver] = [
      await verified('VIEWER', { incident: 'IMMEDIATELY' }),
      await verified('VIEWER', { incident: 'IMMEDIATELY' }),
    ];
    await spend(reader, 20);
    await spend(leaver, 20);
    await openIncident('Held');
    await mails();
    await database.rows('update notification set read = true where user_id = $1', [reader.id]);
    await database.rows(`update membership set mail_preferences = '{"incident": "NEVER"}' where user_id = $1`, [
      leaver.id,
    ]);
    await digestOn(1);
    expect(await mails()).toEqual([]);
    expect(await database.rows(`select 1 from mail_allowance where held <> '{}'`)).toEqual([]);
  });

  test('what is not among the notifications yet when the daily mail goes out joins the next one', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20, -1);
    await database.transaction(async (tx) => {
      await lockConsumer(tx, 'notifications');
      now = new Date(MORNING.getTime() - 0.6 * HOUR);
      await openIncident('At five to eight');
      await mails();
      await digestOn(0);
      expect(await mails()).toEqual([]);
    });
    await openIncident('After the daily mail');
    await settled(database, 'notifications');
    await digestOn(1);
    const daily = (await mails()).filter(({ content }) => content?.subject.includes('unread'));
    expect(daily.map(({ recipient }) => recipient)).toEqual([`${eager.username}@example.com`]);
    expect(daily[0]?.content?.text).toContain('“At five to eight”');
    expect(await database.rows(`select 1 from mail_allowance where held <> '{}'`)).toEqual([]);
  });

  test('the daily mail says that there may be more where as many were deferred as can be', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20);
    await database.rows(
      `update mail_allowance set held = array(select '2020-01-01'::timestamptz + make_interval(secs => n) from generate_series(1, 1000) n)`,
    );
    await openIncident('Held');
    await mails();
    await digestOn(1);
    const [daily] = await mails();
    expect(daily?.content?.subject).toBe('At least one unread notification, “Rossi & Figli”');
    expect(daily?.content?.text).toContain('“Held”');
    expect(daily?.content?.text).toContain('There may be more than are counted');
    expect(daily?.content?.html).toContain('There may be more than are counted');
    expect(await database.rows(`select 1 from mail_allowance where held <> '{}'`)).toEqual([]);
  });

  test('what was deferred for a member who wants it daily since then is in the daily mail once', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20);
    await openIncident('Held');
    await mails();
    await settled(database, 'notifications');
    await database.rows(`update membership set mail_preferences = '{"incident": "DAILY"}' where user_id = $1`, [
      eager.id,
    ]);
    await digestOn(1);
    expect(await subjectsTo(eager)).toEqual(['One unread notification, “Rossi & Figli”']);
  });

  test('what is deferred while the daily mail is posted joins the next one', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20);
    await openIncident('Held');
    await mails();
    await settled(database, 'notifications');
    let posted: Promise<void> = Promise.resolve();
    await database.transaction(async (tx) => {
      const [{ at }] = (await tx.rows<{ at: string }>(
        `insert into notification (user_id, organization_id, title, message, type, action, created_at)
         values ($1, $2, 'Meanwhile', '', 'INCIDENT', 'NONE', $3) returning created_at as at`,
        [eager.id, organizationId, new Date(MORNING.getTime() + 23.9 * HOUR)],
      )) as [{ at: string }];
      await tx.rows('update mail_allowance set held = array[$1::timestamptz] || held', [at]);
      posted = digestOn(1);
      await someoneWaits(tx);
    });
    await posted;
    await digestOn(2);
    const texts = (await mails()).map(({ content }) => content?.text);
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text?.includes('Meanwhile'))).toHaveLength(1);
  });

  test('the daily mail counts what was deferred together with what its member wants daily', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY', device: 'DAILY' });
    await spend(eager, 20);
    await openIncident('Held');
    await mails();
    await settled(database, 'notifications');
    await database.rows(
      `insert into notification (user_id, organization_id, title, message, type, action, created_at)
       select $1, $2, 'Silent', '', 'DEVICE', 'NONE', $3 from generate_series(1, 2)`,
      [eager.id, organizationId, now],
    );
    await digestOn(1);
    expect(await subjectsTo(eager)).toEqual(['3 unread notifications, “Rossi & Figli”']);
  });

  test('those of an earlier hour do not count', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20, -1);
    await openIncident('Next hour');
    expect(await subjectsTo(eager)).toEqual([OPENED]);
    expect(await database.rows('select mails, held from mail_allowance')).toEqual([{ mails: 1, held: [] }]);
  });

  test('a deadline is mailed all the same', async () => {
    await spend(owner, 20);
    const id = await buildIncident(database, organizationId);
    await database.rows('update incident set significant = true, aware_at = $2 where id = $1', [
      id,
      new Date(now.getTime() - 25 * HOUR),
    ]);
    await gateway.app.jobs.run('incidentReminders.remind');
    expect(await subjectsTo(owner)).toEqual(['Early warning (NIS 2) overdue, “Rossi & Figli”']);
  });

  test('what is deferred is removed with the membership', async () => {
    const eager = await verified('VIEWER', { incident: 'IMMEDIATELY' });
    await spend(eager, 20);
    await database.rows('delete from membership where user_id = $1', [eager.id]);
    expect(await database.rows('select 1 from mail_allowance')).toEqual([]);
  });
});
