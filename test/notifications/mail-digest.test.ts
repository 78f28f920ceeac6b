import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Queryable } from '../../src/database/database.js';
import { UnsubscribeLinks } from '../../src/services/shared/unsubscribe-links.js';
import { startTwoGateways } from '../support/watched-gateway.js';
import { postedMails, type MailRecord } from '../support/jobs.js';
import { someoneWaits } from '../support/lock-waits.js';
import { newMember } from '../support/people.js';
import { buildOrganization, type Person } from '../support/test-data.js';

/** Eight in the morning in Rome. */
const MORNING = '2026-11-23T07:00:00.000Z';
const HOUR = 60 * 60 * 1000;

let now = new Date(MORNING);
let organizationId: number;

const [gateway, second] = await startTwoGateways({ now: () => now });
const { database } = gateway.app;

beforeEach(async () => {
  now = new Date(MORNING);
  await database.rows('delete from organization');
  await database.rows('delete from outgoing_mail');
  organizationId = await buildOrganization(database, 'Rossi & Figli');
  await database.rows(`update organization set time_zone = 'Europe/Rome'`);
});

/** With a verified address. */
async function reader(preferences: object, role: 'VIEWER' | 'ORGANIZATION_OWNER' = 'VIEWER'): Promise<Person> {
  const person = await newMember(database, organizationId, role);
  await database.rows('update app_user set email_verified_at = now() where id = $1', [person.id]);
  await database.rows('update membership set mail_preferences = $2 where user_id = $1', [
    person.id,
    JSON.stringify(preferences),
  ]);
  return person;
}

function notified(
  { id }: Person,
  title: string,
  { type = 'INCIDENT', at = now, read = false } = {},
  tx: Pick<Queryable, 'rows'> = database,
) {
  return tx.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, read, created_at, icon, href)
     values ($1, $2, $3, $3 || ' has happened.', $4, 'OPEN', $5, $6, '', '/organizations/1/incidents/2')`,
    [id, organizationId, title, type, read, at],
  );
}

const postDue = (from = gateway) => from.app.jobs.run('mailDigests.postDue');
const mails = () => postedMails(database);
const subjects = async () => (await mails()).map(({ content }) => content?.subject);

describe('a daily mail', () => {
  test('lists what its member has not read in the categories that it wants daily, the newest first', async () => {
    const person = await reader({ incident: 'DAILY', device: 'DAILY', member: 'NEVER', document: 'IMMEDIATELY' });
    await notified(person, 'First');
    await notified(person, 'Second', { type: 'DEVICE' });
    await notified(person, 'Read', { read: true });
    for (const type of ['MEMBER', 'DOCUMENT', 'TOKEN']) await notified(person, type, { type });
    await notified(await reader({}), 'Of another member');
    await postDue();
    const [{ recipient, content }, ...others] = (await mails()) as [MailRecord];
    expect(others).toEqual([]);
    expect(recipient).toBe(`${person.username}@example.com`);
    expect(content?.subject).toBe('2 unread notifications, “Rossi & Figli”');
    const link = /^<(.*)>$/.exec(content!.headers['List-Unsubscribe']!)![1]!;
    expect(content?.text).toBe(
      [
        `Second\nSecond has happened.\n${gateway.config.publicUrl}/organizations/1/incidents/2`,
        `First\nFirst has happened.\n${gateway.config.publicUrl}/organizations/1/incidents/2`,
        `-- \nYou are receiving this e-mail as a member of “Rossi & Figli” at ${gateway.config.publicUrl}. Your mail preferences there determine which notifications are sent by e-mail.\nTo unsubscribe from these e-mails: ${link}\n`,
      ].join('\n\n'),
    );
    expect(content?.html).toContain('Rossi &#38; Figli');
    expect(content?.html).toContain(`href="${link.replaceAll('&', '&#38;')}"`);
  });

  test('lists fifty notifications and counts the others', async () => {
    const person = await reader({ incident: 'DAILY' });
    for (let n = 1; n <= 51; n += 1) await notified(person, `Number ${n}.`);
    await postDue();
    const [mail] = (await mails()) as [MailRecord];
    expect(mail.content?.subject).toMatch(/^51 unread notifications/);
    expect(mail.content?.text.match(/^Number \d+\.$/gm)).toHaveLength(50);
    expect(mail.content?.text).toContain('1 more is in your notifications.');
  });

  test('goes to no address that is not verified, and to no deactivated member or user', async () => {
    const people = [await reader({ incident: 'DAILY' }), await reader({ incident: 'DAILY' })];
    people.push(await reader({ incident: 'DAILY' }));
    for (const person of people) await notified(person, 'Something');
    const [unverified, member, user] = people.map(({ id }) => id);
    await database.rows('update app_user set email_verified_at = null where id = $1', [unverified]);
    await database.rows('update membership set deactivated_at = now() where user_id = $1', [member]);
    await database.rows('update app_user set deactivated_at = now() where id = $1', [user]);
    await postDue();
    expect(await mails()).toEqual([]);
  });

  test('comes once a day, at eight in the time zone of the organization, with what is new', async () => {
    const person = await reader({ incident: 'DAILY' });
    const at = async (instant: string) => {
      now = new Date(instant);
      await postDue();
      return subjects();
    };
    await at(MORNING);
    // Less than two days before the mail after the next one.
    await notified(person, 'After eight', { at: new Date('2026-11-23T08:00:00.000Z') });
    expect(await at('2026-11-23T20:00:00.000Z')).toEqual([]);
    expect(await at('2026-11-24T06:59:59.999Z')).toEqual([]);
    expect(await at('2026-11-24T07:00:00.000Z')).toHaveLength(1);
    expect(await at('2026-11-24T07:05:00.000Z')).toHaveLength(1);
    expect(await at('2026-11-25T07:00:00.000Z')).toHaveLength(1);
    await notified(person, 'Two days later');
    expect(await at('2026-11-26T07:00:00.000Z')).toHaveLength(2);
    expect((await mails())[1]?.content?.text).not.toContain('After eight');
  });

  test('leaves what is made while it is posted to the next one', async () => {
    const person = await reader({ incident: 'DAILY' });
    await notified(person, 'Before it');
    let posted: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      // The newest one is determined by then.
      await tx.rows('lock table app_user in access exclusive mode');
      posted = postDue();
      await someoneWaits(tx, 1);
      await notified(person, 'Meanwhile', {}, tx);
    });
    await posted;
    now = new Date(now.getTime() + 24 * HOUR);
    await postDue();
    expect((await mails()).map(({ content }) => content?.text.split('\n')[0]).toSorted()).toEqual([
      'Before it',
      'Meanwhile',
    ]);
  });

  test('leaves out what is older than two days', async () => {
    const person = await reader({ incident: 'DAILY' });
    await notified(person, 'Old', { at: new Date(now.getTime() - 49 * HOUR) });
    await notified(person, 'Recent', { at: new Date(now.getTime() - 47 * HOUR) });
    await postDue();
    expect((await mails()).map(({ content }) => content?.text.split('\n')[0])).toEqual(['Recent']);
  });

  test('has what a member who wants mails at once from now on was to get daily, unless it wants none in the end', async () => {
    const people = [await reader({ incident: 'DAILY', device: 'DAILY' }), await reader({ incident: 'DAILY' })];
    const [person, other] = people as [Person, Person];
    await notified(person, 'Of the day before');
    await postDue();
    await database.rows('delete from outgoing_mail');
    const change = async ({ token }: Person, incident: string) => {
      const body = { incident, ...(incident === 'IMMEDIATELY' && { workflow: 'DAILY' }) };
      const path = `/api/v1/organizations/${organizationId}/mail-preferences`;
      expect((await gateway.rest.patch(path, { token, body })).status).toBe(200);
    };
    now = new Date(now.getTime() + HOUR);
    // The maximum number of deferred notifications, all of them older.
    await database.rows(
      `insert into mail_allowance (membership_id, hour, mails, held)
       select id, date_trunc('hour', $2::timestamptz), 0,
              array(select '2020-01-01'::timestamptz + make_interval(secs => n) from generate_series(1, 1000) n)
         from membership where user_id = $1`,
      [person.id, now],
    );
    for (const each of people) {
      await notified(each, 'Unread');
      await notified(each, 'Read', { read: true });
      await notified(each, 'Of a device', { type: 'DEVICE', at: new Date(now.getTime() - HOUR) });
      await change(each, 'IMMEDIATELY');
    }
    await change(other, 'NEVER');
    await notified(person, 'Mailed at once', { at: new Date(now.getTime() + 1) });
    now = new Date(now.getTime() + 24 * HOUR);
    await postDue();
    const [{ recipient, content }, ...others] = (await mails()) as [MailRecord];
    expect(others).toEqual([]);
    expect(recipient).toBe(`${person.username}@example.com`);
    expect(content?.text.match(/^(?:Unread|Read|Of a device|Of the day before|Mailed at once)$/gm)).toEqual([
      'Of a device',
      'Unread',
    ]);
  });

  test('is posted once by two instances that meet', async () => {
    await notified(await reader({ incident: 'DAILY' }), 'Something');
    let instances: Promise<unknown>[] = [];
    await database.transaction(async (tx) => {
      await tx.rows('lock table outgoing_mail in exclusive mode');
      instances = [postDue(gateway), postDue(second)];
      await someoneWaits(tx, 2);
    });
    await Promise.all(instances);
    expect(await subjects()).toHaveLength(1);
  });

  test('does not go to a user who is erased meanwhile', async () => {
    const person = await reader({ incident: 'DAILY' });
    await notified(person, 'Something');
    let begun: Promise<unknown>[] = [];
    await database.transaction(async (tx) => {
      await tx.rows('lock table outgoing_mail in exclusive mode');
      begun = [postDue()];
      await someoneWaits(tx, 1);
      begun.push(gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token }));
      await someoneWaits(tx, 2);
    });
    expect(await Promise.all(begun)).toMatchObject([undefined, { status: 200 }]);
    expect((await mails()).filter(({ recipient }) => recipient !== '')).toEqual([]);
  });

  test('of an organization whose time zone is none does not delay those of others', async () => {
    await notified(await reader({ incident: 'DAILY' }), 'Something');
    await database.rows(`update organization set time_zone = 'Nowhere/Land'`);
    const broken = organizationId;
    organizationId = await buildOrganization(database, 'Bianchi');
    await notified(await reader({ incident: 'DAILY' }), 'Something');
    await expect(postDue()).rejects.toThrow(`no daily mails: organizations ${broken}`);
    expect(await subjects()).toEqual(['One unread notification, “Bianchi”']);
  });
});

describe('the link to unsubscribe', () => {
  test('stays good after a new key of the gateway, as long as the earlier one is named', () => {
    const reader = { organizationId, email: 'reader@example.com', categories: ['incident'] as const };
    const [before, after] = ['a key of the time before it was changed', 'the key that has come after it'];
    const { searchParams } = new URL(new UnsubscribeLinks('https://gateway.example', before).address(reader));
    expect(new UnsubscribeLinks('', after, [before]).read(searchParams)).toEqual(reader);
    expect(new UnsubscribeLinks('', after).read(searchParams)).toBeUndefined();
  });

  const chosen = { incident: 'DAILY', device: 'DAILY', member: 'IMMEDIATELY' };
  const preferences = async ({ id }: Person) =>
    (
      await database.rows<{ preferences: object }>(
        'select mail_preferences as preferences from membership where user_id = $1',
        [id],
      )
    )[0]?.preferences;

  async function linkTo(person: Person): Promise<string> {
    await notified(person, 'Something');
    await postDue();
    const mail = (await mails()).find(({ recipient }) => recipient.startsWith(person.username));
    return /^<(.*)>$/.exec(mail!.content!.headers['List-Unsubscribe']!)![1]!;
  }

  test('ends the mails of its categories to its member with one click, and is recorded once', async () => {
    const [person, colleague] = [await reader(chosen), await reader(chosen)];
    const link = await linkTo(person);
    const page = await (await fetch(link)).text();
    expect(page).toContain('Unsubscribe from these e-mails?');
    expect(page).toContain('Rossi &#38; Figli</strong> in the categories incidents, devices are sent to');
    expect(await preferences(person)).toEqual(chosen);
    const click = async () => {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      const answer = await fetch(link, { method: 'POST', body });
      return [answer.status, await answer.text()];
    };
    const stopped = [200, expect.stringContaining('These e-mails have been stopped')];
    expect([await click(), await click()]).toEqual([stopped, stopped]);
    expect(await preferences(person)).toEqual({ incident: 'NEVER', device: 'NEVER', member: 'IMMEDIATELY' });
    expect(await preferences(colleague)).toEqual(chosen);
    const entries = await database.rows(`select action, actor from audit_entry where subject = 'MEMBER/' || $1`, [
      person.id,
    ]);
    expect(entries).toEqual([{ action: 'MEMBER_UPDATED', actor: 'unsubscribe' }]);
  });

  test('ends no mails of other categories, members or organizations when it is changed', async () => {
    const person = await reader(chosen);
    const link = new URL(await linkTo(person));
    for (const [name, value] of [
      ['categories', 'member'],
      ['email', 'other@example.com'],
      ['organization', '1'],
    ] as const) {
      const other = new URL(link);
      other.searchParams.set(name, value);
      expect((await fetch(other, { method: 'POST' })).status).toBe(404);
    }
    link.searchParams.delete('categories');
    expect((await fetch(link, { method: 'POST' })).status).toBe(404);
    expect(await preferences(person)).toEqual(chosen);
  });

  test('answers as before when the member has left', async () => {
    const person = await reader(chosen);
    const link = await linkTo(person);
    await database.rows('delete from membership where user_id = $1', [person.id]);
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  });
});
