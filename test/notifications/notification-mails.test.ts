import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '../../src/values/enums.js';
import { startTwoGateways } from '../support/watched-gateway.js';
import { postedMails, type MailRecord } from '../support/jobs.js';
import { expectStatus } from '../support/matchers.js';
import { buildEngagement, newMember, titlesOf } from '../support/people.js';
import { until } from '../support/until.js';
import { settled } from '../support/settled.js';
import {
  buildIncident,
  buildOrganization,
  buildPerson,
  buildThreatBlocker,
  buildToken,
  buildWorkflow,
  type Person,
} from '../support/test-data.js';

const PUBLIC_URL = 'https://gateway.example';

let organizationId: number;
let owner: Person;

// Either instance may enqueue a mail: their addresses are the same.
const [gateway] = await startTwoGateways({ config: { publicUrl: PUBLIC_URL } });
const { database } = gateway.app;

beforeEach(async () => {
  await settled(database, 'mails');
  await database.rows('delete from incident');
  await database.rows('delete from organization');
  await database.rows('delete from outgoing_mail');
  organizationId = await buildOrganization(database, 'Rossi & Figli');
  owner = await verified('ORGANIZATION_OWNER');
});

/** With a verified address. */
async function verified(role: Role, preferences: object | null = null): Promise<Person> {
  const person = await newMember(database, organizationId, role);
  await database.rows('update app_user set email_verified_at = now() where id = $1', [person.id]);
  await database.rows('update membership set mail_preferences = $2 where user_id = $1', [
    person.id,
    preferences && JSON.stringify(preferences),
  ]);
  return person;
}

async function mutate({ token }: Person, name: string, input: string): Promise<void> {
  await gateway.graphql.data(
    `mutation { ${name}(input: { organizationId: ${organizationId}, ${input} }) { __typename } }`,
    {
      token,
    },
  );
}

const changeRole = ({ id }: Person, role: Role) => mutate(owner, 'updateMember', `userId: "${id}", role: ${role}`);
const openIncident = (title: string) => mutate(owner, 'openIncident', `title: "${title}", severity: LOW`);

/** Waits until everything recorded is mailed. */
async function mails(): Promise<MailRecord[]> {
  await settled(database, 'mails');
  return postedMails(database);
}

const sent = async () => (await mails()).map(({ recipient, content }) => [recipient, content?.subject]).toSorted();
const mailTo = ({ username }: Person, subject: string) => [`${username}@example.com`, `${subject}, “Rossi & Figli”`];

/** Runs with the consumer of mails stopped, on all instances. */
function withoutMails(changes: () => Promise<void>): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.rows(`select pg_advisory_xact_lock(7214004, hashtext('mails'))`);
    await changes();
  });
}

describe('what is urgent is mailed at once', () => {
  test('to a member whose role was changed: what, where, why, and how to stop it', async () => {
    const [person, manager] = [await verified('VIEWER'), await verified('ORGANIZATION_MANAGER')];
    await changeRole(person, 'SECURITY_ANALYST');
    expect(await sent()).toEqual([mailTo(person, 'Your role was changed')]);
    const [{ content }] = (await mails()) as [MailRecord];
    const link = /^<(.*)>$/.exec(content!.headers['List-Unsubscribe']!)![1]!;
    expect(content?.text).toBe(
      [
        `Your role was changed\nYour role in the organization is now Security Analyst; it was Viewer before.\n${PUBLIC_URL}/organizations/${organizationId}/users`,
        `-- \nYou are receiving this e-mail as a member of “Rossi & Figli” at ${PUBLIC_URL}. Your mail preferences there determine which notifications are sent by e-mail.\nTo unsubscribe from these e-mails: ${link}\n`,
      ].join('\n\n'),
    );
    expect((await fetch(link.replace(PUBLIC_URL, gateway.url), { method: 'POST' })).status).toBe(200);
    await changeRole(person, 'VIEWER');
    expect(await sent()).toHaveLength(1);
    expect(await titlesOf(database, person)).toEqual(['Your role was changed', 'Your role was changed']);
    expect(await titlesOf(database, manager)).toEqual([]);
  });

  test('to no member who opted out of the category, and to no address that is not verified', async () => {
    const optedOut = await verified('VIEWER', { member: 'NEVER' });
    const unverified = await newMember(database, organizationId, 'VIEWER');
    const other = await verified('VIEWER', { incident: 'NEVER', member: 'DAILY' });
    for (const person of [optedOut, unverified, other]) await changeRole(person, 'SECURITY_ANALYST');
    expect(await sent()).toEqual([mailTo(other, 'Your role was changed')]);
  });

  test('to no member of an organization that is deleted by then, who finds it among the notifications once that is restored', async () => {
    const officer = await verified('SECURITY_OFFICER', { incident: 'IMMEDIATELY' });
    const path = `/api/v1/organizations/${organizationId}`;
    await withoutMails(async () => {
      await openIncident('Not for a mailbox');
      expectStatus(await gateway.rest.delete(path, { token: owner.token }), 200);
    });
    expect(await sent()).toEqual([]);
    expectStatus(await gateway.rest.post(`${path}/restore`, { token: owner.token }), 200);
    expect(await sent()).toEqual([]);
    expect(await titlesOf(database, officer)).toContain('Incident opened');
  });

  test("in the member's language, else the organization's, with what people have written as it is", async () => {
    const title = `{count} <b onload="x">l'{evil}</b>`;
    await database.rows(`update organization set language = 'it', time_zone = 'Europe/Rome' where id = $1`, [
      organizationId,
    ]);
    const [italian, german, english] = [
      await verified('SECURITY_OFFICER', { incident: 'IMMEDIATELY' }),
      await verified('SECURITY_OFFICER', { incident: 'IMMEDIATELY' }),
      await verified('SECURITY_OFFICER', { incident: 'IMMEDIATELY' }),
    ];
    await database.rows(`update app_user set language = 'de' where id = $1`, [german.id]);
    // The folder of a language may be removed.
    await database.rows(`update app_user set language = 'xx' where id = $1`, [english.id]);
    await openIncident(title.replaceAll('"', '\\"'));
    const posted = await mails();
    const mailOf = ({ username }: Person) => posted.find(({ recipient }) => recipient.startsWith(username))!.content!;
    expect(mailOf(italian).subject).toBe('Incidente aperto, «Rossi & Figli»');
    expect(mailOf(italian).text).toContain(`${owner.username} ha aperto «${title}».`);
    expect(mailOf(italian).text).toContain('Per non ricevere più questi messaggi: ');
    expect(mailOf(german).subject).toBe('Vorfall eröffnet, „Rossi & Figli“');
    expect(mailOf(german).html).toContain('<html lang="de">');
    expect(mailOf(german).html).toContain(
      `${owner.username} hat „{count} &#60;b onload=&#34;x&#34;&#62;l&#39;{evil}&#60;/b&#62;“ eröffnet.`,
    );
    expect(mailOf(english).subject).toBe('Incident opened, “Rossi & Figli”');
    expect(await titlesOf(database, italian)).toEqual(['Incidente aperto']);
    expect(await titlesOf(database, german)).toEqual(['Vorfall eröffnet']);
  });

  test('with the lines of what people have written, in both of its forms', async () => {
    await buildWorkflow(database, organizationId);
    const auditor = await buildPerson(database, 'auditor');
    const engagement = await buildEngagement(database, organizationId, { auditor, workflow: 'iso-27001-2022' });
    await database.rows(`update membership set mail_preferences = '{"workflow": "IMMEDIATELY"}' where user_id = $1`, [
      owner.id,
    ]);
    const body = { workflow_id: 'iso-27001-2022', control_id: 'A.5.1', text: 'Please send\n- the <policy>\n- the log' };
    const path = `/api/v1/organizations/${organizationId}/engagements/${engagement}/requests`;
    expectStatus(await gateway.rest.post(path, { token: auditor.token, body }), 201);
    const [{ content }] = (await mails()) as [MailRecord];
    expect(content?.text).toContain(': Please send\n- the <policy>\n- the log\n');
    expect(content?.html).toContain(': Please send<br>- the &#60;policy&#62;<br>- the log</p>');
  });

  test('to those who read devices when one is down, and not when it is back', async () => {
    const manager = await verified('ORGANIZATION_MANAGER');
    await verified('SECURITY_OFFICER');
    const eager = await verified('ORGANIZATION_MANAGER', { device: 'IMMEDIATELY' });
    const id = await buildThreatBlocker(database, organizationId);
    const token = await buildToken(database, owner, { scopes: ['telemetry'] });
    const report = (status: string, datetime: Date) =>
      gateway.graphql.data(
        `mutation ($id: ID!, $datetime: DateTime!) { reportThreatBlockerCheck(input: { threatBlockerId: $id,
          reports: [{ datetime: $datetime, stat: { vpn: ${status}, dnsbl: ${status}, iplist: ${status} } }] }) { __typename } }`,
        { token, variables: { id, datetime } },
      );
    await report('DOWN', new Date(Date.now() - 60_000));
    expect(await sent()).toEqual(
      [owner, manager, eager].map((person) => mailTo(person, 'Threat blocker down')).toSorted(),
    );
    await report('HEALTHY', new Date());
    expect((await sent()).filter(([, subject]) => subject?.includes('back'))).toEqual([
      mailTo(eager, 'Threat blocker back online'),
    ]);
  });

  test('to officers and above when a report is overdue: until when, and where to act', async () => {
    const officer = await verified('SECURITY_OFFICER');
    await verified('SECURITY_OFFICER', { incident: 'NEVER' });
    const analyst = await verified('SECURITY_ANALYST');
    const id = await buildIncident(database, organizationId);
    await database.rows(
      `update incident set significant = true, aware_at = now() - interval '25 hours' where id = $1`,
      [id],
    );
    await gateway.app.jobs.run('incidentReminders.remind');
    expect(await sent()).toEqual(
      [officer, owner].map((person) => mailTo(person, 'Early warning (NIS 2) overdue')).toSorted(),
    );
    expect(await titlesOf(database, analyst)).toEqual(['Early warning (NIS 2) overdue']);
    const [{ content }] = (await mails()) as [MailRecord];
    expect(content?.text).toMatch(
      /was due on \d+ \w+ \d{4}, \d\d:\d\d(:\d\d)? \(UTC\) and has not been recorded as sent\./,
    );
    expect(content?.text).toContain(`${PUBLIC_URL}/organizations/${organizationId}/incidents/${id}`);
  });

  test('to officers and above when a report is due soon: until when, and where to act', async () => {
    const officer = await verified('SECURITY_OFFICER');
    await verified('SECURITY_OFFICER', { incident: 'NEVER' });
    await verified('SECURITY_ANALYST');
    const id = await buildIncident(database, organizationId);
    await database.rows(
      `update incident set significant = true, aware_at = now() - interval '23 hours' where id = $1`,
      [id],
    );
    await gateway.app.jobs.run('incidentReminders.remind');
    expect(await sent()).toEqual(
      [officer, owner].map((person) => mailTo(person, 'Early warning (NIS 2) due soon')).toSorted(),
    );
    const [{ content }] = (await mails()) as [MailRecord];
    expect(content?.text).toMatch(/is due on \d+ \w+ \d{4}, \d\d:\d\d(:\d\d)? \(UTC\)\./);
    expect(content?.text).toContain(`${PUBLIC_URL}/organizations/${organizationId}/incidents/${id}`);
  });

  test('to the user of a token that expires soon', async () => {
    const person = await verified('VIEWER');
    await database.rows(
      `update api_token set created_at = now() - interval '80 days', expires_at = now() + interval '3 days' where user_id = $1`,
      [person.id],
    );
    await gateway.app.jobs.run('tokenWarnings.warnExpiring');
    expect(await sent()).toEqual([mailTo(person, 'One of your tokens expires soon')]);
  });
});

test('a member gets by mail at once what it chose, and what is its own doing never', async () => {
  const chosen = { incident: 'IMMEDIATELY' };
  await database.rows('update membership set mail_preferences = $1 where user_id = $2', [
    JSON.stringify(chosen),
    owner.id,
  ]);
  const eager = await verified('VIEWER', chosen);
  await verified('VIEWER', { incident: 'DAILY' });
  await openIncident('Phishing');
  expect(await sent()).toEqual([mailTo(eager, 'Incident opened')]);
});

describe('the consumer of mails', () => {
  test('delays no notification while it is behind, and then mails each entry once, what came together in one mail', async () => {
    const [eager, person] = [await verified('VIEWER', { incident: 'IMMEDIATELY' }), await verified('VIEWER')];
    await withoutMails(async () => {
      await openIncident('First');
      await openIncident('Second');
      await changeRole(person, 'SECURITY_ANALYST');
      expect(await titlesOf(database, eager)).toEqual(['Incident opened', 'Incident opened']);
      expect(await postedMails(database)).toEqual([]);
    });
    expect(await sent()).toEqual(
      [mailTo(eager, '2 notifications'), mailTo(person, 'Your role was changed')].toSorted(),
    );
    const mail = (await mails()).find(({ recipient }) => recipient.startsWith(eager.username));
    expect(mail?.content?.text).toMatch(/“First”\.\n[^]*“Second”\.\n/);
  });

  test('mails once what a crash has interrupted', async () => {
    const person = await verified('VIEWER');
    await database.transaction(async (tx) => {
      await tx.rows('lock table outgoing_mail in exclusive mode');
      await changeRole(person, 'SECURITY_ANALYST');
      // Only this session: others may wait for moments.
      await until(async () => {
        const crashed = await tx.rows(
          `select pg_terminate_backend(pid) from pg_locks where not granted and relation = 'outgoing_mail'::regclass`,
        );
        return crashed.length > 0;
      });
    });
    expect(await sent()).toEqual([mailTo(person, 'Your role was changed')]);
  });
});
