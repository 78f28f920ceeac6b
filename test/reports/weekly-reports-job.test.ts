import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Contact } from '../../src/entities/organizations.js';
import { leavesOf } from '../../src/services/workflows/catalog.js';
import { startTwoGateways } from '../support/watched-gateway.js';
import { CATALOG } from '../support/catalog.js';
import { postedMails, postWeeklyReports, workDue } from '../support/jobs.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { MailServer } from '../support/mail-server.js';
import { buildReport } from '../support/seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  join,
  buildPerson,
  buildOrganization,
  buildThreatBlocker,
  buildWorkflow,
} from '../support/test-data.js';

/** A Monday, eight in the morning in Rome. */
const MONDAY = '2026-11-23T07:00:00.000Z';

let now = new Date(MONDAY);

const server = await MailServer.start();
const [gateway, second] = await startTwoGateways({
  config: { smtpUrl: server.url, appUrl: 'https://app.example' },
  now: () => now,
});
const { database } = gateway.app;
afterAll(() => server.goAway());

beforeEach(async () => {
  now = new Date(MONDAY);
  server.received.length = 0;
  await database.rows('delete from incident');
  await database.rows('delete from document_version');
  await database.rows('delete from organization');
  await database.rows('delete from outgoing_mail');
  await database.rows('delete from pgboss.job');
});

const contact = (email: string, more: Partial<Contact> = {}): Contact => ({
  name: '',
  role: '',
  email,
  phone: '',
  emailReport: true,
  ...more,
});

async function organization(
  contacts: Contact[],
  { name = 'Rossi', timeZone = 'Europe/Rome', weekday = 1, createdAt = '2026-01-01T00:00:00Z' } = {},
): Promise<number> {
  const id = await buildOrganization(database, name);
  await database.rows(
    'update organization set contacts = $2, time_zone = $3, report_weekday = $4, created_at = $5 where id = $1',
    [id, JSON.stringify(contacts), timeZone, weekday, createdAt],
  );
  return id;
}

const setContacts = (id: number, contacts: Contact[]) =>
  database.rows('update organization set contacts = $2 where id = $1', [id, JSON.stringify(contacts)]);

const postDue = (from = gateway) => postWeeklyReports(from.app);
const at = (instant: string) => (now = new Date(instant));
const recipients = async () => (await postedMails(database)).map(({ recipient }) => recipient).toSorted();

/** The reports enqueued since the last call, by recipient. */
async function postedAt(instant: string): Promise<string[]> {
  at(instant);
  const before = await recipients();
  await postDue();
  const after = await recipients();
  for (const known of before) after.splice(after.indexOf(known), 1);
  return after;
}

describe('who gets a weekly report', () => {
  test('every contact that enabled it, each mailbox once, and no other', async () => {
    await organization([
      contact('a@example.com'),
      contact('b@example.com', { emailReport: false }),
      contact('', { emailReport: true, phone: '1' }),
      contact('c@example.com'),
      contact('A@Example.com'),
    ]);
    await organization([contact('a@example.com')], { name: 'Bianchi' });
    await postDue();
    await workDue(gateway.app);
    expect(server.received.map((mail) => [mail.recipients[0], mail.subject]).toSorted()).toEqual([
      ['a@example.com', '“Bianchi”: weekly security report, week 48 of 2026'],
      ['a@example.com', '“Rossi”: weekly security report, week 48 of 2026'],
      ['c@example.com', '“Rossi”: weekly security report, week 48 of 2026'],
    ]);
  });

  test('each in the language of its user, else in that of the organization', async () => {
    const contacts = ['ben@example.com', 'cleo@example.com'].map((email) => contact(email));
    const id = await organization([contact('Anna@example.com', { name: 'Anna' }), ...contacts]);
    await database.rows(`update organization set language = 'it' where id = $1`, [id]);
    await database.rows(
      `insert into app_user (id, username, email, email_verified_at, language, deactivated_at)
       values (gen_random_uuid(), 'anna', 'anna@example.com', now(), 'de', null), (gen_random_uuid(), 'ben', 'ben@example.com', null, 'de', null),
              (gen_random_uuid(), 'cleo', 'cleo@example.com', now(), 'de', now())`,
    );
    await postDue();
    await workDue(gateway.app);
    const received = server.received.toSorted((one, other) => (one.recipients[0]! < other.recipients[0]! ? -1 : 1));
    expect(received.map(({ subject }) => subject)).toEqual([
      '„Rossi“: wöchentlicher Sicherheitsbericht, Woche 48 des Jahres 2026',
      // The address of the second user is unverified, and the third one is deactivated.
      '«Rossi»: rapporto settimanale sulla sicurezza, settimana 48 del 2026',
      '«Rossi»: rapporto settimanale sulla sicurezza, settimana 48 del 2026',
    ]);
    await database.rows(`delete from app_user where username in ('anna', 'ben', 'cleo')`);
  });

  test('no contact of an organization that was deleted, before or at that moment', async () => {
    const id = await organization([contact('a@example.com')]);
    await database.rows('update organization set deleted_at = $2 where id = $1', [id, MONDAY]);
    await postDue();
    expect(await recipients()).toEqual([]);

    await database.rows('update organization set deleted_at = null where id = $1', [id]);
    // Deleted while its report is being written: the transaction waits for this one, and sees its result.
    let posting: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await tx.rows('update organization set deleted_at = $2 where id = $1', [id, MONDAY]);
      posting = postDue(second);
      await someoneWaits(tx);
    });
    await posting;
    expect(await recipients()).toEqual([]);
  });

  test('no contact of a sandbox', async () => {
    const id = await organization([contact('a@example.com')]);
    await database.rows('update organization set sandbox = true where id = $1', [id]);
    await postDue();
    expect(await recipients()).toEqual([]);
  });

  test('no contact of a new organization before its first weekday has come', async () => {
    await organization([contact('a@example.com')], { createdAt: '2026-11-24T12:00:00Z' });
    expect(await postedAt('2026-11-25T12:00:00Z')).toEqual([]);
    expect(await postedAt('2026-11-30T06:59:59Z')).toEqual([]);
    expect(await postedAt('2026-11-30T07:00:00Z')).toEqual(['a@example.com']);
  });

  test('a contact that is added in the middle of a week, from the next one on', async () => {
    const id = await organization([contact('a@example.com')]);
    expect(await postedAt(MONDAY)).toEqual(['a@example.com']);
    await setContacts(id, [contact('a@example.com'), contact('b@example.com')]);
    expect(await postedAt('2026-11-25T12:00:00Z')).toEqual([]);
    expect(await postedAt('2026-11-30T07:00:00Z')).toEqual(['a@example.com', 'b@example.com']);
  });
});

describe('when it comes', () => {
  test('at eight of the weekday that the organization chose, where the organization is', async () => {
    await organization([contact('rome@example.com')]);
    await organization([contact('kiribati@example.com')], { timeZone: 'Pacific/Kiritimati' });
    await organization([contact('friday@example.com')], { weekday: 5 });
    // Those of the previous week, which no instance sent.
    expect(await postedAt('2026-11-22T17:59:59Z')).toEqual([
      'friday@example.com',
      'kiribati@example.com',
      'rome@example.com',
    ]);
    expect(await postedAt('2026-11-22T18:00:00Z')).toEqual(['kiribati@example.com']);
    expect(await postedAt('2026-11-23T06:59:59Z')).toEqual([]);
    expect(await postedAt('2026-11-23T07:00:00Z')).toEqual(['rome@example.com']);
    expect(await postedAt('2026-11-26T12:00:00Z')).toEqual([]);
    expect(await postedAt('2026-11-27T07:00:00Z')).toEqual(['friday@example.com']);
  });

  test('so many minutes after eight, for batches of organizations in turn', async () => {
    const before = await organization([]);
    const continueFrom = (id: number) =>
      database.rows(`select setval(pg_get_serial_sequence('organization', 'id'), $1::bigint)`, [id]);
    await continueFrom(7 * 50);
    await organization([contact('seven@example.com')]);
    await continueFrom(67 * 50 + 20);
    await organization([contact('seven@example.org')]);
    await continueFrom(before);
    expect(await postedAt('2026-11-23T07:06:59Z')).toEqual([]);
    expect(await postedAt('2026-11-23T07:07:00Z')).toEqual(['seven@example.com', 'seven@example.org']);
  });

  test('once in an ISO week, though the organization changes its weekday and its zone', async () => {
    const id = await organization([contact('a@example.com')]);
    const manager = await buildPerson(database, 'manager');
    await join(database, manager, id, 'ORGANIZATION_MANAGER');
    const path = `/api/v1/organizations/${id}/settings`;
    const settle = async (report_weekday: number, time_zone: string) =>
      expectStatus(await gateway.rest.patch(path, { token: manager.token, body: { report_weekday, time_zone } }), 200);
    expect(await postedAt('2026-11-23T07:00:00Z')).toEqual(['a@example.com']);
    await settle(3, 'Europe/Rome');
    expect(await postedAt('2026-11-25T12:00:00Z')).toEqual([]);
    await settle(5, 'America/New_York');
    expect(await postedAt('2026-11-27T20:00:00Z')).toEqual([]);
    expect(await postedAt('2026-12-04T13:00:00Z')).toEqual(['a@example.com']);
    await settle(1, 'Asia/Tokyo');
    expect(await postedAt('2026-12-05T13:00:00Z')).toEqual([]);
    expect(await postedAt('2026-12-06T23:00:00Z')).toEqual(['a@example.com']);
  });

  test('later, but still, when nothing ran at its time; and of several missed weeks the newest only', async () => {
    await organization([contact('sunday@example.com')], { weekday: 7 });
    await organization([contact('monday@example.com')]);
    expect(await postedAt('2026-11-23T02:00:00Z')).toEqual(['monday@example.com', 'sunday@example.com']);
    expect(await postedAt('2026-12-20T12:00:00Z')).toEqual(['monday@example.com', 'sunday@example.com']);
    expect(await postedAt('2026-12-20T12:01:00Z')).toEqual([]);
  });

  test('in week 53, and in week 1 after it', async () => {
    await organization([contact('a@example.com')]);
    await postedAt('2026-12-21T08:00:00Z');
    expect(await postedAt('2026-12-28T07:00:00Z')).toEqual(['a@example.com']);
    expect(await postedAt('2027-01-03T22:00:00Z')).toEqual([]);
    expect(await postedAt('2027-01-04T07:00:00Z')).toEqual(['a@example.com']);
    const weeks = await database.rows<{ week: string }>('select week from weekly_report order by id');
    expect(weeks.map(({ week }) => week)).toEqual(['2026-W52', '2026-W53', '2027-W01']);
  });
});

test('a time zone that is none, to this runtime, delays no other organization', async () => {
  await organization([contact('a@example.com')], { timeZone: 'Europe/Atlantis' });
  await organization([contact('b@example.com')], { name: 'Bianchi' });
  await postDue();
  expect(await recipients()).toEqual(['b@example.com']);
  expect(await failures()).toEqual(['no weekly reports: organizations or time zones Europe/Atlantis']);
});

/** What failed jobs say. */
async function failures(): Promise<string[]> {
  const jobs = await database.rows<{ message: string }>(
    `select output ->> 'message' as message from pgboss.job where name = 'weekly-report' and state = 'failed'`,
  );
  return jobs.map(({ message }) => message);
}

/** Number of batches that are read. */
async function enqueuedAt(instant: string): Promise<number> {
  at(instant);
  await gateway.app.jobs.run('weeklyReportPosting.enqueueDue');
  return workDue(gateway.app, 'weekly-report');
}

test('an organization is not looked at before its first report is due, in the calendar that it begins with', async () => {
  at('2026-11-25T12:00:00Z');
  const { token } = await buildPerson(database, 'founder');
  const contacts = [{ name: '', role: '', email: 'new@example.com', phone: '', email_report: true }];
  expectStatus(await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'New', contacts } }), 201);
  expect(await enqueuedAt('2026-11-25T12:01:00Z')).toBe(0);
  expect(await enqueuedAt('2026-11-30T07:59:59Z')).toBe(0);
  expect(await enqueuedAt('2026-11-30T08:00:00Z')).toBe(1);
  await enqueuedAt('2026-11-30T09:00:00Z');
  expect(await recipients()).toEqual(['new@example.com']);
});

test('an organization is not looked at again until its next report is due', async () => {
  await organization([contact('a@example.com')]);
  const friday = await organization([contact('friday@example.com')], { weekday: 5 });
  expect(await enqueuedAt(MONDAY)).toBe(1);
  expect(await enqueuedAt('2026-11-23T07:01:00Z')).toBe(0);
  expect(await enqueuedAt('2026-11-27T06:59:59Z')).toBe(0);
  expect(await enqueuedAt('2026-11-27T07:00:00Z')).toBe(1);
  // Over the end of summer time in New York.
  await database.rows(`update organization set time_zone = 'America/New_York', report_due_at = null where id = $1`, [
    friday,
  ]);
  expect(await enqueuedAt('2027-03-12T13:00:00Z')).toBe(1);
  expect(await enqueuedAt('2027-03-19T11:59:59Z')).toBe(1);
  expect(await enqueuedAt('2027-03-19T12:00:00Z')).toBe(1);
  expect(await recipients()).toHaveLength(7);
});

test('which weeks were posted is known for half a year, and no longer', async () => {
  const id = await organization([contact('a@example.com')]);
  const run = (week: string) =>
    database.rows('insert into weekly_report_run (organization_id, week, posted_at) values ($1, $2, now())', [
      id,
      week,
    ]);
  await run('2026-W21');
  await run('2026-W22');
  await postDue();
  const weeks = await database.rows<{ week: string }>('select week from weekly_report_run order by week');
  expect(weeks.map(({ week }) => week)).toEqual(['2026-W22', '2026-W48']);
});

describe('one for each contact, organization and week', () => {
  test('with instances that post and deliver at the same moment', async () => {
    for (let number = 0; number < 5; number += 1)
      await organization([contact(`a${number}@example.com`), contact(`b${number}@example.com`)]);
    await gateway.app.jobs.run('weeklyReportPosting.enqueueDue');
    // Another key of the same batch, as if the queue had taken its running worker for crashed.
    await database.rows(`update pgboss.job set singleton_key = 'first'`);
    await Promise.all([postDue(), postDue(second), postDue(), postDue(second)]);
    const states = await database.rows(`select distinct state from pgboss.job where name = 'weekly-report'`);
    expect(states).toEqual([{ state: 'completed' }]);
    const worked = await Promise.all([workDue(gateway.app), workDue(second.app)]);
    expect(worked[0] + worked[1]).toBe(10);
    const sent = server.received.map((mail) => mail.recipients[0]);
    expect(new Set(sent).size).toBe(10);
    expect(sent).toHaveLength(10);
  });

  test('after a crash in the middle of posting: an organization has all of its reports, or none and then all', async () => {
    const id = await organization([contact('a@example.com'), contact('b@example.com')]);
    await database.rows(`
      create function crash() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$`);
    await database.rows(`
      create trigger crash before insert on weekly_report for each row when (new.email = 'b@example.com')
        execute function crash()`);
    await organization([contact('c@example.com')], { name: 'Bianchi' });
    await postDue();
    expect(await failures()).toEqual([`no weekly reports: organizations or time zones ${id}`]);
    expect(await recipients()).toEqual(['c@example.com']);
    expect(await database.rows('select 1 from weekly_report_run where organization_id = $1', [id])).toEqual([]);

    await database.rows('drop function crash cascade');
    await postDue();
    expect(await recipients()).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });
});

describe('what it says', () => {
  async function busyOrganization(): Promise<number> {
    const id = await organization([contact('a@example.com', { name: 'Anna <Rossi>' })], {
      name: 'Rossi & "Figli" <spa>',
    });
    await buildWorkflow(database, id, 'nis2-directive');
    await buildWorkflow(database, id, 'iso-27001-2022');
    const state = (controlId: string, status: string, dueDate: string | null) =>
      database.rows(
        `insert into control_state (organization_id, workflow_id, control_id, status, due_date, updated_at)
         values ($1, 'iso-27001-2022', $2, $3, $4, now())`,
        [id, controlId, status, dueDate],
      );
    // No control was done eight days ago; the progress from the day of the last report on is reported now.
    await database.rows(
      `insert into workflow_progress (organization_id, workflow_id, day, total, to_do, in_progress, done, not_applicable)
       values ($1, 'iso-27001-2022', '2026-11-15', 100, 100, 0, 0, 0),
                ($1, 'iso-27001-2022', '2026-11-16', 100, 70, 0, 30, 0), ($1, 'iso-27001-2022', '2026-11-21', 100, 50, 0, 50, 0)`,
      [id],
    );
    await state('A.5.1', 'DONE', '2026-11-01');
    await state('A.5.5', 'DONE', null);
    await database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, valid_until)
       values ($1, 'iso-27001-2022', 'A.5.5', 'd.txt', 1, 'text/plain', 'attached', 'content', 'y', '2026-11-01')`,
      [id],
    );
    await state('A.5.2', 'IN_PROGRESS', '2026-11-22');
    await state('A.5.3', 'TO_DO', '2026-11-23');
    await state('A.5.4', 'NOT_APPLICABLE', '2026-11-01');
    const incident = await buildIncident(database, id);
    await database.rows('update incident set title = $2, aware_at = $3 where id = $1', [
      incident,
      '<script>alert("x")</script>',
      '2026-11-22T08:00:00Z',
    ]);
    await database.rows(`update cloud_defender set status = 3, fqdn = 'down.example.com' where id = $1`, [
      await buildCloudDefender(database, id),
    ]);
    await database.rows('update threat_blocker set status = 1 where id = $1', [await buildThreatBlocker(database, id)]);
    return id;
  }

  test('progress, overdue controls, open incidents with their clocks and device health, in both forms', async () => {
    await busyOrganization();
    await postDue();
    await workDue(gateway.app);
    const [mail] = server.received;
    expect(mail?.text).toContain('+1 point since last week');
    expect(mail?.text).toContain('no figure for last week');
    const forms = [mail?.text ?? '', (mail?.html ?? '').replaceAll(/<[^>]+>/g, ' ')];
    for (const form of forms) {
      expect(form).toContain('week 48 of 2026');
      expect(form).toMatch(/2 of 1\d\d controls done \(1 with stale evidence\), 1 in progress/);
      expect(form).toMatch(/Overdue controls \(1\)/i);
      expect(form).toContain('A.5.2');
      expect(form).toContain('due 22 November 2026');
      expect(form).not.toMatch(/A\.5\.[1345]\b/);
      expect(form).toMatch(/Open incidents \(1\)/i);
      expect(form).toContain('early warning (NIS 2) is due 23 November 2026, 09:00 (Europe/Rome, UTC+1)');
      expect(form).toContain('1 down');
      expect(form).toContain('down.example.com');
      expect(form).toContain('1 healthy');
      expect(form).toContain('1 control is overdue, 1 incident is open, 1 device is down.');
    }
  });

  test('a report that may be sent after its deadline by law is due until then', async () => {
    const id = await busyOrganization();
    await database.rows(
      `update incident set significant = false, exploited_vulnerability = true, aware_at = '2026-11-01T08:00:00Z',
                           fix_available_at = '2026-11-09T06:00:00Z' where organization_id = $1`,
      [id],
    );
    const [incident] = await database.rows<{ id: number }>('select id from incident where organization_id = $1', [id]);
    for (const stage of ['EARLY_WARNING', 'NOTIFICATION']) await buildReport(database, incident!.id, stage);
    await database.rows("update incident_report set regime_id = 'cra-vulnerability'");
    await postDue();
    await workDue(gateway.app);
    const { text = '', html = '' } = server.received[0] ?? {};
    for (const form of [text, html])
      expect(form).toContain('(CRA, exploited vulnerability) is due 23 November 2026, 23:59:59 (Europe/Rome, UTC+1)');
  });

  test('what is critical first, and all that it names with a link to the application, in Italian as well', async () => {
    const id = await busyOrganization();
    await database.rows(`update organization set language = 'it' where id = $1`, [id]);
    const [late, critical] = [await buildIncident(database, id), await buildIncident(database, id)];
    await database.rows(
      `update incident set significant = true, aware_at = '2026-11-20T08:00:00Z', title = 'Late' where id = $1`,
      [late],
    );
    await database.rows(
      `update incident set severity = 'CRITICAL', significant = false, aware_at = '2026-11-22T10:00:00Z', title = 'Worst' where id = $1`,
      [critical],
    );
    await postDue();
    await workDue(gateway.app);
    const [mail] = server.received;
    const { text = '', html = '' } = mail ?? {};
    expect(text).toContain(`- #${critical} Worst (Critica, Aperto)`);
    expect(text).toContain('preallarme (NIS 2): termine scaduto il 21 novembre 2026, 09:00 (Europe/Rome, UTC+1)');
    expect(text).toContain('1 controllo è scaduto, 3 incidenti sono aperti, 1 dispositivo è inattivo.');
    expect(html).toContain('&#60;script&#62;alert(');
    for (const form of [text, html]) {
      expect(form.indexOf(' Worst')).toBeLessThan(form.indexOf(' Late'));
      for (const path of [
        `/organizations/${id}/incidents/${critical}`,
        `/organizations/${id}/workflows/iso-27001-2022`,
        `/organizations/${id}/workflows/iso-27001-2022/controls/A.5.2`,
      ])
        expect(form).toContain(`https://app.example${path}`);
      expect(form).toMatch(/https:\/\/app\.example\/cloud-defender\/\d+/);
    }
    expect(html).toContain('<html lang="it">');
  });

  test('of more open incidents than it shows, what is critical, and those whose reports are due first', async () => {
    const id = await busyOrganization();
    await database.rows(
      `insert into incident (organization_id, title, severity, aware_at, significant, next_deadline_at)
       select $1, 'Number ' || n, case n when 5 then 'CRITICAL' else 'LOW' end, at, true, at + interval '24 hours'
         from (select n, $2::timestamptz - make_interval(hours => 100 + n) as at from generate_series(1, 20) n) numbered`,
      [id, MONDAY],
    );
    await postDue();
    const { text } = (await postedMails(database))[0]!.content!;
    expect([...text.matchAll(/Number (\d+)/g)].map(([, number]) => Number(number))).toEqual([
      ...[5, 20, 19, 18, 17, 16, 15, 14, 13, 12],
    ]);
  });

  test('no word of a record becomes markup, and none a header', async () => {
    await busyOrganization();
    await database.rows(`update organization set name = $1`, ['Rossi\r\nBcc: thief@example.com <b>']);
    await postDue();
    await workDue(gateway.app);
    const [mail] = server.received;
    expect(mail?.subject).toContain('Rossi Bcc: thief@example.com');
    expect(mail?.head).not.toMatch(/^bcc:/im);
    expect(mail?.recipients).toEqual(['a@example.com']);
    expect(mail?.html).not.toMatch(/<script|<b>|<Rossi>/);
    expect(mail?.html).toContain('&#60;script&#62;');
    expect(mail?.text).toContain('Hello Anna <Rossi>,');
  });

  test('looks like its organization: its colour, which carries white letters, and its logo', async () => {
    const id = await organization([contact('a@example.com')]);
    await database.rows('update organization set custom_colors = $2, logo = $3 where id = $1', [
      id,
      JSON.stringify({ primary: '#0D3A80', primaryHover: '#0D3A80', primaryDark: '#0D3A80' }),
      '/logos/abc.png',
    ]);
    await postDue();
    const { html } = (await postedMails(database)).at(-1)!.content!;
    expect(html).toMatch(/background-color:#0D3A80;[^"]*color:#ffffff/);
    expect(html).toContain(`src="${gateway.url}/logos/abc.png" alt=""`);
  });

  test('needs nothing that mail programs withhold: no script, no vector graphics, no outside style, every picture named', async () => {
    await busyOrganization();
    await postDue();
    const html = (await postedMails(database))[0]!.content!.html;
    expect(html).not.toMatch(/<(script|svg|link|iframe|form|video|object)\b|\son\w+=|@import|url\(/i);
    for (const [image] of html.matchAll(/<img\b[^>]*>/g)) expect(image).toMatch(/\salt="/);
    for (const [table] of html.matchAll(/<table\b[^>]*>/g)) expect(table).toContain('role="presentation"');
    expect(Buffer.byteLength(html)).toBeLessThan(100 * 1024);
  });

  test('stays small however much there is to report', async () => {
    const id = await busyOrganization();
    const controls = leavesOf(CATALOG.find('iso-27001-2022')!);
    await database.rows('delete from control_state');
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status, due_date, updated_at)
       select $1, 'iso-27001-2022', control, 'TO_DO', '2026-01-01', now() from unnest($2::text[]) control`,
      [id, [...controls]],
    );
    await database.rows(
      `insert into incident (organization_id, title, severity, aware_at, significant)
       select $1, repeat('Long ', 2000) || n, 'LOW', $2::timestamptz - make_interval(hours => n), true from generate_series(1, 300) n`,
      [id, MONDAY],
    );
    await postDue();
    const { html, text } = (await postedMails(database))[0]!.content!;
    expect(Buffer.byteLength(html)).toBeLessThan(100 * 1024);
    expect(text).toContain('OPEN INCIDENTS (301)');
    expect(text).toContain('and 291 more');
    expect(text).toContain(`OVERDUE CONTROLS (${controls.size})`);
    expect(text).toContain(`and ${controls.size - 10} more`);
  });
});
