import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { pino } from 'pino';
import { lockConsumer } from '../../src/services/audit/consumer.js';
import { pseudonymOf } from '../../src/services/members/erased-names.js';
import { eraseUser } from '../../src/services/members/erasure.service.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
} from '../support/apis.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { buildAuditEntry } from '../support/audit.js';
import { CATALOG } from '../support/catalog.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { withoutTriggers } from '../support/planned-database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { mutation } from '../support/operations.js';
import { buildEngagement, buildInvitation, membership, newMember } from '../support/people.js';
import {
  buildIncident,
  buildNotifications,
  buildOrganization,
  buildPerson,
  buildToken,
  buildWorkflow,
  join,
  type Person,
} from '../support/test-data.js';

const ERASE: Operation = {
  rest: 'DELETE /api/v1/profile?username={username}',
  graphql: 'mutation ($input: EraseMeInput!) { eraseMe(input: $input) { user_id: userId pseudonym } }',
  at: 'eraseMe',
};

const CREATE = mutation('POST /api/v1/organizations', 'createOrganization', 'organization { id: databaseId }');

const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
const { gateway, testData } = await startSeededGateway({ log });

const query = <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  gateway.app.database.rows<Row>(text, values);

/** A person with unique words as user name, address and names. */
async function marked(): Promise<Person & { words: string[] }> {
  const person = await buildPerson(gateway.app.database, 'quixotine');
  const digits = person.id.slice(0, 8);
  const words = [person.username, `${digits}@vexillary.example`, `Zephyrina${digits}`, `O'Brontë${digits}`];
  await query(
    'update app_user set email = $2, email_verified_at = now(), first_name = $3, last_name = $4 where id = $1',
    [person.id, ...words.slice(1)],
  );
  return { ...person, words };
}

/** The tables with one of the words in any column of any row. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query(
        `select 1 from ${name} r, unnest($1::text[]) word
          where position(lower(word) in lower(r::text)) > 0 or position(lower(to_json(word)::text) in lower(r::text)) > 0 limit 1`,
        [words],
      );
      return rows.length > 0 ? [name.replace('public.', '')] : [];
    }),
  );
  return found.flat();
}

/** Columns of authors in which no row names the person. */
async function columnsWithout(username: string): Promise<string[]> {
  const columns = await query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_by' and data_type = 'text' order by 1, 2`,
  );
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const rows = await query(`select 1 from "${table}" where "${column}" = $1 limit 1`, [username]);
      return rows.length > 0 ? [] : [`${table}.${column}`];
    }),
  );
  return found.flat();
}

/** Stores the person in every place that copies a name or an address of a user. */
async function spread({ id, username, token, words }: Awaited<ReturnType<typeof marked>>): Promise<number> {
  const [, email] = words as [string, string];
  const organizationId = await buildOrganization(gateway.app.database, 'With traces');
  await join(gateway.app.database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  await join(gateway.app.database, { id }, organizationId, 'ORGANIZATION_MANAGER');
  await buildWorkflow(gateway.app.database, organizationId);
  const auth = { token };
  await gateway.rest.call('PATCH', '/api/v1/profile', { ...auth, body: { first_name: words[2] } });
  const opened = await gateway.rest.call('POST', `/api/v1/v-ciso/incidents/${organizationId}`, {
    ...auth,
    body: { title: 'Loss', severity: 'LOW', aware_at: new Date().toISOString() },
  });
  expect(opened.status).toBe(201);
  await gateway.rest.call('POST', `/api/v1/organizations/${organizationId}/invitations`, {
    ...auth,
    body: { email: 'someone@else.example', role: 'VIEWER' },
  });
  await gateway.rest.call('POST', '/api/v1/tokens', { ...auth, body: { name: `Laptop of ${words[2]}` } });
  await query(
    `update api_token set allowed_ips = '{192.0.2.7}', last_used_at = now() where user_id = $1 and name like 'Laptop %'`,
    [id],
  );
  const incidentId = await buildIncident(gateway.app.database, organizationId);
  await query(`update incident set opened_by = $2, closed_by = $2 where id = $1`, [incidentId, username]);
  await query(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_by, recorded_by)
     values ((select organization_id from incident where id = $1), $1, 'nis2', 'EARLY_WARNING', $2, $2)`,
    [incidentId, username],
  );
  await query(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by, uploader_id)
     values ((select organization_id from incident where id = $1), $1, 'a', 'text/plain', 1, repeat('0', 64), $2, $3)`,
    [incidentId, username, id],
  );
  await query(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     values ((select organization_id from incident where id = $1), $1, 'Noted', $2)`,
    [incidentId, username],
  );
  await query(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'iso-27001-2022', 'A.5.1', 'd', 1, 'text/plain', 'attached', repeat('0', 64), $2)`,
    [organizationId, username],
  );
  await query(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by) values ($1, 'own', 'WORKFLOW', '{"id":"own","name":"Own","source":{"text":""},"controls":[]}', $2)`,
    [organizationId, username],
  );
  await query(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id)
     values ($1, 'iso-27001-2022', 'A.5.1', 'TO_DO', $2)`,
    [organizationId, id],
  );
  await query(
    `insert into control_attestation (organization_id, workflow_id, control_id, statement, evidence, position, attested_by, attested_by_id, attested_at, countersigned_by, withdrawn_by, compared_up_to)
     values ($1, 'iso-27001-2022', 'A.5.1', 'In force.', '{}', 1, $2, $3, now(), $2, $2, 1)`,
    [organizationId, username, id],
  );
  const engagementId = await buildEngagement(gateway.app.database, organizationId, {});
  await query(
    `insert into evidence_request (organization_id, engagement_id, workflow_id, control_id, text, created_by, answered_by)
     values ($1, $2, 'iso-27001-2022', 'A.5.1', 'Which?', $3, $3)`,
    [organizationId, engagementId, username],
  );
  await query(
    `insert into sign_off (organization_id, engagement_id, workflow_id, statement, created_by) values ($1, $2, 'iso-27001-2022', 'Seen.', $3)`,
    [organizationId, engagementId, username],
  );
  await query(
    `insert into notification (user_id, organization_id, title, message, type, action)
     values ($1, $2, 'A member has recovered access', $3, 'TOKEN', 'NONE')`,
    [testData.owner.id, organizationId, `${username} (${email}) has made a new token. ${username}-x has not.`],
  );
  await query(
    `insert into token_recovery (email, network, created_at, user_id, digest) values ($1, '192.0.2.1', now(), $2, $3)`,
    [email, id, id],
  );
  await query(
    `insert into invitation (organization_id, email, role, digest, sent_at, expires_at, accepted_at)
     values ($1, $2, 'VIEWER', $3, '{}', now() + interval '1 day', now()), ($4, $2, 'VIEWER', $5, '{}', now() + interval '1 day', null)`,
    [organizationId, email, `accepted ${id}`, testData.otherOrganizationId, `open ${id}`],
  );
  await query(
    `insert into outgoing_mail (id, recipient, content, state) values (gen_random_uuid(), $1, null, 'SENT'),
       (gen_random_uuid(), 'someone@else.example', $2, 'FAILED'), (gen_random_uuid(), 'x@else.example', '{}', 'FAILED')`,
    [email, JSON.stringify({ text: `${words[2]} (${email}) invites you.` })],
  );
  await buildNotifications(gateway.app.database, { id }, organizationId, 3);
  return organizationId;
}

/** Trails of an organization or a user: every hash is computed from the previous one and the entry. */
async function isChained(log: string): Promise<boolean> {
  const [owner, id] = log.split('/') as [string, string];
  const rows = await query<{ entry: string; hash: Buffer }>(
    `select e.entry, e.hash from audit_entry e join audit_log l on l.id = e.log_id where l.${owner}_id::text = $1 order by e.position`,
    [id],
  );
  let hash = createHash('sha256').update(log).digest();
  expect(rows).not.toEqual([]);
  return rows.every((row) => {
    hash = createHash('sha256').update(hash).update(row.entry).digest();
    return hash.equals(row.hash);
  });
}

describe.each(APIS)('through %s', (api) => {
  const erase = (username: string, token?: string) => callThrough(api, gateway, ERASE, { username }, token);

  test('a user who was erased stands in no table any more, and its tokens are refused', async () => {
    const person = await marked();
    const organizationId = await spread(person);
    expect(await columnsWithout(person.username)).toEqual([]);
    expect(await tablesWith(person.words)).toEqual([
      ...['api_token', 'app_user', 'control_attestation', 'document_version', 'evidence_request', 'incident'],
      ...['incident_attachment', 'incident_note', 'incident_report', 'invitation', 'membership', 'notification'],
      ...['outgoing_mail', 'sign_off', 'token_recovery', 'workflow_import'],
    ]);
    const pseudonym = `erased-${person.id.replaceAll('-', '').slice(0, 12)}`;
    expect(dataOf(await erase(person.username, person.token))).toEqual({ user_id: person.id, pseudonym });
    expect(await tablesWith(person.words.slice(1))).toEqual([]);
    // A longer name that begins with it is the name of another user.
    expect(
      await query('select message from notification where position($1 in message) > 0', [person.username]),
    ).toEqual([
      {
        message: `${pseudonym} (${pseudonym}@erased.invalid) has made a new token. ${person.username}-x has not.`,
      },
    ]);
    await query('delete from notification where position($1 in message) > 0', [`${person.username}-x`]);
    expect(await tablesWith(person.words)).toEqual([]);
    expect(await membership(gateway.app.database, organizationId, person)).toBeUndefined();
    expectFailure(await erase(person.username, person.token), 'UNAUTHENTICATED');
    const [{ count }] = (await query(
      `select count(*) as count from incident where organization_id = $1 and $2 in (opened_by, closed_by)`,
      [organizationId, pseudonym],
    )) as [{ count: number }];
    expect(count).toBe(2);
    for (const table of ['notification', 'notification_revision'])
      expect(await query(`select from ${table} where user_id = $1`, [person.id])).toEqual([]);
    const tokens = 'select distinct name, allowed_ips, last_used_at from api_token where user_id = $1';
    expect(await query(tokens, [person.id])).toEqual([{ name: pseudonym, allowed_ips: [], last_used_at: null }]);
    expect(await query(`select 1 from outgoing_mail where recipient = 'x@else.example'`)).not.toEqual([]);
  });

  test('audit trails still verify, record the end of the membership, and show nothing personal', async () => {
    const person = await marked();
    const organizationId = await spread(person);
    await erase(person.username, person.token);
    for (const id of [organizationId, testData.otherOrganizationId]) {
      const { organization } = await gateway.graphql.data(
        `query ($id: ID!) { organization(id: $id) { auditTrailVerification { valid } auditTrail {
           nodes { action actor { user { username } userId address } subject { databaseId name } changes { field before after } } } } }`,
        { token: id === organizationId ? testData.owner.token : testData.nonMember.token, variables: { id } },
      );
      expect(organization.auditTrailVerification).toEqual({ valid: true });
      const { nodes } = organization.auditTrail;
      const [newest] = nodes;
      if (id === organizationId)
        expect(newest).toMatchObject({ action: 'MEMBER_LEFT', subject: { databaseId: person.id, name: null } });
      else expect(newest).toMatchObject({ action: 'INVITATION_CANCELLED' });
      for (const { actor } of nodes.filter((node: { actor: { userId: string } }) => node.actor.userId === person.id))
        expect(actor).toEqual({ userId: person.id, user: null, address: null });
      expect(await isChained(`organization/${id}`)).toBe(true);
    }
    expect(await isChained(`user/${person.id}`)).toBe(true);
    expect(
      await query(
        `select action from audit_entry e join audit_log l on l.id = e.log_id where l.user_id = $1 order by e.position desc limit 1`,
        [person.id],
      ),
    ).toEqual([{ action: 'USER_ERASED' }]);
  });

  test('the same address is invited again as that of a new user', async () => {
    const { database } = gateway.app;
    const person = await marked();
    const [, email] = person.words as [string, string];
    await join(database, person, testData.organizationId, 'VIEWER');
    await erase(person.username, person.token);
    const invited = await gateway.rest.call('POST', `/api/v1/organizations/${testData.organizationId}/invitations`, {
      token: testData.owner.token,
      body: { email, role: 'VIEWER' },
    });
    expect(invited.status).toBe(201);
    const [mail] = await query<{ text: string }>(
      `select content->>'text' as text from outgoing_mail where recipient = $1`,
      [email],
    );
    const [, secret] = /#(inv_\w+)/.exec(mail!.text)!;
    const accepted = await gateway.rest.call('POST', '/api/v1/invitations/accept', { body: { secret } });
    expect(accepted.status).toBe(201);
    expect(accepted.body.data).toMatchObject({ email, token: expect.any(String) });
    expect((accepted.body.data as { user_id: string }).user_id).not.toBe(person.id);
  });

  test('the last owner of an organization is refused with the reason, until it is deleted', async () => {
    const { database } = gateway.app;
    const person = await marked();
    const organizationId = await buildOrganization(database, 'Of one');
    await join(database, person, organizationId, 'ORGANIZATION_OWNER');
    const refused = await erase(person.username, person.token);
    expectConflict(refused, 'LAST_OWNER');
    expect(await membership(database, organizationId, person)).toEqual({ role: 'ORGANIZATION_OWNER', active: true });
    await query('update organization set deleted_at = now() where id = $1', [organizationId]);
    dataOf(await erase(person.username, person.token));
  });

  test('one of two owners is erased, and the managers are notified without its name', async () => {
    const { database } = gateway.app;
    const person = await newMember(database, testData.organizationId, 'ORGANIZATION_OWNER');
    const { pseudonym } = dataOf(await erase(person.username, person.token));
    await gateway.settled();
    const [row] = await query<{ message: string }>(
      'select message from notification where user_id = $1 order by id desc limit 1',
      [testData.manager.id],
    );
    expect(row?.message).toContain(pseudonym);
    // The consequences of a change are not part of its request. On a busy machine NOTIFY messages may be late.
    expect(warnings.filter((line) => !line.includes('announcements'))).toEqual([]);
  });

  test('a person who joins an organization meanwhile is refused with the reason, and stays as before', async () => {
    const { database } = gateway.app;
    const person = await marked();
    await join(database, person, testData.organizationId, 'VIEWER');
    const joined = await buildOrganization(database, 'Joined meanwhile');
    const erasing = await database.transaction(async (tx) => {
      // Blocked after the memberships are read, where the person is locked.
      await tx.rows('select from app_user where id = $1 for key share', [person.id]);
      const erasing = erase(person.username, person.token);
      await someoneWaits(tx);
      await join(database, person, joined, 'VIEWER');
      return { erasing };
    });
    expectConflict(await erasing.erasing, 'MEMBERSHIPS_CHANGED');
    for (const organizationId of [testData.organizationId, joined])
      expect(await membership(database, organizationId, person)).toEqual({ role: 'VIEWER', active: true });
  });

  test('a link to recover by that is made meanwhile goes as well', async () => {
    const { database } = gateway.app;
    const person = await buildPerson(database, 'recovering');
    const erasing = await database.transaction(async (tx) => {
      await tx.rows('select from app_user where id = $1 for key share', [person.id]);
      const erasing = erase(person.username, person.token);
      await someoneWaits(tx);
      await database.rows(
        `insert into token_recovery (network, created_at, user_id, digest, expires_at) values ('', now(), $1, $2, now() + interval '1 hour')`,
        [person.id, person.username],
      );
      return { erasing };
    });
    dataOf(await erasing.erasing);
    expect(await query('select from token_recovery where user_id = $1', [person.id])).toEqual([]);
  });

  test('a person creates no organization while it is erased: it would have no owner', async () => {
    const { database } = gateway.app;
    const person = await buildPerson(database, 'founder');
    const lock = ['select from app_user where id = $1 for update', [person.id]] as const;
    const [erased, created] = await inTurnBehind<Result>(database, lock, [
      () => erase(person.username, person.token),
      () => callThrough(api, gateway, CREATE, { name: 'Orphan' }, person.token),
    ]);
    dataOf(erased!);
    expectFailure(created!, 'UNAUTHENTICATED');
    expect(await query('select from membership where user_id = $1', [person.id])).toEqual([]);
  });

  test('what a person makes for itself while it is erased is refused, and nothing of it is left', async () => {
    const { database } = gateway.app;
    const person = await marked();
    const { id, secret } = await buildInvitation(database, {
      ...testData,
      email: person.words[1]!,
      role: 'SECURITY_ANALYST',
    });
    const { token } = person;
    const changes = [
      () => gateway.rest.post('/api/v1/tokens', { token, body: { name: 'Late' } }),
      () => gateway.rest.patch('/api/v1/profile', { token, body: { first_name: 'Late' } }),
      () => gateway.rest.post('/api/v1/profile/webhook-endpoints', { token, body: { url: 'https://a.example.com/' } }),
      () => gateway.rest.post('/api/v1/invitations/accept', { token, body: { secret } }),
    ];
    const lock = ['select from app_user where id = $1 for update', [person.id]] as const;
    const erasing = () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token });
    const [erased, ...answers] = await inTurnBehind(database, lock, [erasing, ...changes]);
    expect(erased!.status).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404]);
    expect(await query('select first_name as name from app_user where id = $1', [person.id])).toEqual([{ name: '' }]);
    for (const table of ['membership', 'webhook_endpoint'])
      expect([table, await query(`select from ${table} where user_id = $1`, [person.id])]).toEqual([table, []]);
    expect(await query('select name from api_token where user_id = $1 and revoked_at is null', [person.id])).toEqual(
      [],
    );
    expect(await query('select accepted_at as at from invitation where id = $1', [id])).toEqual([{ at: null }]);
  });

  test('a person who becomes an auditor while it is erased is removed as one, which is on record', async () => {
    const { database } = gateway.app;
    const person = await buildPerson(database, 'examiner');
    const { organizationId, owner } = testData;
    const engagementId = await buildEngagement(database, organizationId, {});
    const email = `${person.username}@example.com`;
    const { id, secret } = await buildInvitation(database, { organizationId, owner, email });
    await query(`update invitation set engagement_id = $2, role = 'AUDITOR' where id = $1`, [id, engagementId]);
    const { token } = person;
    const answers = await inTurnBehind(
      database,
      ['select from app_user where id = $1 for update', [person.id]],
      [
        () => gateway.rest.post('/api/v1/invitations/accept', { token, body: { secret } }),
        () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token }),
      ],
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(await query('select from engagement_auditor where user_id = $1', [person.id])).toEqual([]);
    const entries = await query<{ action: string }>(
      'select action from audit_entry where subject = $1 order by position',
      [`ENGAGEMENT/${engagementId}`],
    );
    expect(entries.map(({ action }) => action)).toEqual(['AUDITOR_JOINED', 'AUDITOR_REMOVED']);
  });

  test('a person who becomes the owner while it is erased stays, and one who is removed leaves once', async () => {
    const { database } = gateway.app;
    const [founder, person] = [await buildPerson(database, 'founder'), await buildPerson(database, 'heir')];
    const id = await buildOrganization(database, 'Transferred');
    await join(database, founder, id, 'ORGANIZATION_OWNER');
    await join(database, person, id, 'ORGANIZATION_MANAGER');
    const lock = ['select from organization where id = $1 for update', [id]] as const;
    const path = `/api/v1/organizations/${id}`;
    const erasing = () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token });
    const [transferred, refused] = await inTurnBehind(database, lock, [
      () => gateway.rest.post(`${path}/transfer`, { token: founder.token, body: { user_id: person.id } }),
      erasing,
    ]);
    expect([transferred!.status, refused!.status]).toEqual([200, 409]);
    expect(refused!.headers.get('conflict-reason')).toBe('LAST_OWNER');
    await query('update membership set role = $2 where user_id = $1', [founder.id, 'ORGANIZATION_OWNER']);
    const [removed, erased] = await inTurnBehind(database, lock, [
      () => gateway.rest.delete(`${path}/users/${person.id}`, { token: founder.token }),
      erasing,
    ]);
    expect([removed!.status, erased!.status]).toEqual([200, 200]);
    const entries = await query<{ action: string }>(
      `select e.action from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and e.subject = $2 and e.action like 'MEMBER%'`,
      [id, `MEMBER/${person.id}`],
    );
    expect(entries).toEqual([{ action: 'MEMBER_REMOVED' }]);
  });

  test('an invitation that the erasure cancels is neither sent again nor cancelled a second time', async () => {
    const { database } = gateway.app;
    const { organizationId, owner } = testData;
    const person = await buildPerson(database, 'invited');
    const { id } = await buildInvitation(database, { ...testData, email: `${person.username}@example.com` });
    const lock = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
    const path = `/api/v1/organizations/${organizationId}/invitations/${id}`;
    const { token } = owner;
    const answers = await inTurnBehind(database, lock, [
      () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token }),
      () => gateway.rest.post(`${path}/resend`, { token }),
      () => gateway.rest.delete(path, { token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
    const entries = await query<{ action: string }>(
      `select e.action from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and e.subject = $2`,
      [organizationId, `INVITATION/${id}`],
    );
    expect(entries).toEqual([{ action: 'INVITATION_CANCELLED' }]);
  });

  test('a control is given to a person while it is erased, and neither waits in vain', async () => {
    const { database } = gateway.app;
    const { organizationId, officer } = testData;
    await buildWorkflow(database, organizationId, 'nis2-directive').catch(() => undefined);
    const person = await buildPerson(database, 'controller');
    await join(database, person, organizationId, 'SECURITY_ANALYST');
    const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/controls/21.2.h`;
    const lock = ['select from app_user where id = $1 for update', [person.id]] as const;
    const answers = await inTurnBehind<{ status: number }>(database, lock, [
      () => gateway.rest.patch(path, { token: officer.token, body: { owner_id: person.id } }),
      () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('what others change of what a person wrote is waited for, and waits', async () => {
    const { database } = gateway.app;
    const { organizationId, owner } = testData;
    const person = await buildPerson(database, 'author');
    await join(database, person, organizationId, 'SECURITY_ANALYST');
    const incident = await buildIncident(database, organizationId);
    await query('update incident set opened_by = $2 where id = $1', [incident, person.username]);
    const path = `/api/v1/v-ciso/incidents/${organizationId}/${incident}`;
    const lock = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
    const [erased, changed] = await inTurnBehind<{ status: number }>(database, lock, [
      () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token }),
      () => gateway.rest.patch(path, { token: owner.token, body: { title: 'Changed' } }),
    ]);
    expect([changed!.status, erased!.status]).toEqual([200, 200]);
    const [row] = await query('select title, opened_by as by from incident where id = $1', [incident]);
    expect(row).toEqual({ title: 'Changed', by: expect.stringMatching(/^erased-/) });
  });

  test('it is refused without a token, without the scope, and without the own user name', async () => {
    const { database } = gateway.app;
    const person = await buildPerson(database, 'careful');
    expectFailure(await erase(person.username), 'UNAUTHENTICATED');
    const readOnly = await buildToken(database, person, { scopes: ['read'] });
    expectFailure(await erase(person.username, readOnly), 'FORBIDDEN');
    for (const username of [testData.owner.username, person.username.toUpperCase()])
      expectFailure(await erase(username, person.token), 'BAD_USER_INPUT', ['username must be your own user name']);
    expect(await query('select username from app_user where id = $1', [person.id])).toEqual([
      { username: person.username },
    ]);
  });
});

test.each(['notifications', 'mails'])(
  '%s that are being made are waited for, since they may name the user',
  async (name) => {
    const { database } = gateway.app;
    const person = await marked();
    const erasure = await database.transaction(async (tx) => {
      await lockConsumer(tx, name);
      const answer = callThrough('REST', gateway, ERASE, { username: person.username }, person.token);
      await someoneWaits(tx);
      expect(await query('select 1 from app_user where username = $1', [person.username])).toHaveLength(1);
      return { answer };
    });
    expect((await erasure.answer).data).toMatchObject({ user_id: person.id });
  },
);

test('names stay in organizations that the user has nothing to do with, where they are words of others', async () => {
  const person = await buildPerson(gateway.app.database, 'common');
  await query(
    `insert into notification (user_id, organization_id, title, message, type, action) values ($1, $2, 'T', $3, 'SYSTEM', 'NONE')`,
    [testData.nonMember.id, testData.otherOrganizationId, `About ${person.username}`],
  );
  await callThrough('REST', gateway, ERASE, { username: person.username }, person.token);
  expect(await query('select 1 from notification where message = $1', [`About ${person.username}`])).toHaveLength(1);
});

test('a name is replaced in notifications of an organization however many there are, a part of them at a time', async () => {
  const { database } = gateway.app;
  const person = await buildPerson(database, 'frequent');
  const organizationId = await buildOrganization(database, 'Large');
  await join(database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  await join(database, person, organizationId, 'VIEWER');
  await withoutTriggers(database, (tx) =>
    tx.rows(
      `insert into notification (user_id, organization_id, title, message, type, action)
       select $1, $2, 'T', case when n % 10000 = 0 then 'About ' || $3 else 'M' end, 'SYSTEM', 'NONE' from generate_series(1, 40000) n`,
      [testData.owner.id, organizationId, person.username],
    ),
  );
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
  const statements: SentStatement[] = [];
  await recording(database, statements).transaction((tx) =>
    eraseUser(tx, catalogs, { kind: 'system', name: 'test' }, { userId: person.id, at: new Date() }),
  );
  const replacing = statements.filter(({ text }) => /update "notification"/.test(text));
  expect(replacing).toHaveLength(3);
  const left = 'select message from notification where organization_id = $1 and message <> $2';
  const message = `About ${pseudonymOf(person.id)}`;
  expect(await query(left, [organizationId, 'M'])).toEqual([{ message }, { message }, { message }, { message }]);
});

test('mails that name the user go however many there are, a part of them at a time', async () => {
  const { database } = gateway.app;
  const person = await buildPerson(database, 'mailed');
  const content = `{"subject": "S", "text": "About ${person.username}@example.com"}`;
  await database.rows(
    `insert into outgoing_mail (id, recipient, state, content)
     select gen_random_uuid(), 'other@else.example', 'FAILED', case when n % 5000 = 0 then $1::jsonb end from generate_series(1, 25000) n`,
    [content],
  );
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
  const statements: SentStatement[] = [];
  const { mails } = await recording(database, statements).transaction((tx) =>
    eraseUser(tx, catalogs, { kind: 'system', name: 'test' }, { userId: person.id, at: new Date() }),
  );
  expect(mails).toHaveLength(5);
  expect(await query('select recipient from outgoing_mail where id = any($1)', [mails])).toEqual(
    mails.map(() => ({ recipient: '' })),
  );
  expect(await query('select 1 from outgoing_mail where content = $1::jsonb', [content])).toEqual([]);
  const looking = statements.filter(({ text }) => /delete from "outgoing_mail"/.test(text));
  expect(looking.length).toBeGreaterThanOrEqual(3);
  await database.rows(`delete from outgoing_mail where recipient = 'other@else.example' and state = 'FAILED'`);
});

test('what a person is writing while it is erased is refused, and its name is left nowhere', async () => {
  const { database } = gateway.app;
  const person = await marked();
  const { token } = person;
  const organizationId = await buildOrganization(database, 'Written in');
  await join(database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  await join(database, person, organizationId, 'ORGANIZATION_MANAGER');
  const incidents = `/api/v1/v-ciso/incidents/${organizationId}`;
  const incident = `${incidents}/${await buildIncident(database, organizationId)}`;
  const opened = { title: 'Late', severity: 'LOW', aware_at: new Date().toISOString() };
  const invited = { email: `late@${person.id}.example`, role: 'VIEWER' };
  const post = (path: string, body: object) => () => gateway.rest.post(path, { token, body });
  await gateway.rest.patch('/api/v1/profile', { token, body: { last_name: 'Recorded' } });
  // At the point where the erasure has recorded its effect on the organization, and replaced the name there.
  const lock = ['select from audit_log where user_id = $1 for update', [person.id]] as const;
  const [erased, ...answers] = await inTurnBehind(database, lock, [
    () => gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token }),
    post(incidents, opened),
    post(`${incident}/notes`, { text: 'Late' }),
    post(`${incident}/close`, {}),
    post(`/api/v1/organizations/${organizationId}/invitations`, invited),
  ]);
  expect(erased!.status).toBe(200);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  await gateway.settled();
  expect(await tablesWith(person.words)).toEqual([]);
});

test('a report of the user that another member corrects meanwhile does not name the user any more', async () => {
  const { database } = gateway.app;
  const person = await marked();
  const organizationId = await buildOrganization(database, 'Corrected in');
  await join(database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  await join(database, person, organizationId, 'SECURITY_OFFICER');
  const incidentId = await buildIncident(database, organizationId);
  const reports = `/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/reports`;
  const sent = { regime_id: 'nis2', stage: 'EARLY_WARNING' };
  expect((await gateway.rest.post(reports, { token: person.token, body: sent })).status).toBe(201);
  const [copy] = await query<{ id: number }>(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     values ($1, $2, 'a', 'text/plain', 1, repeat('0', 64), '') returning id`,
    [organizationId, incidentId],
  );
  const { corrected, erased } = await database.transaction(async (tx) => {
    // At the point where the correction has read the sender of the report, and is being stored.
    await tx.rows('select from incident_attachment where id = $1 for update', [copy!.id]);
    const corrected = gateway.rest.patch(`${reports}/nis2/EARLY_WARNING`, {
      token: testData.owner.token,
      body: { sent_at: new Date().toISOString(), attachment_id: copy!.id, reason: 'With its copy' },
    });
    await someoneWaits(tx);
    const erased = gateway.rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token });
    await Promise.race([erased, someoneWaits(tx, 2)]);
    return { corrected, erased };
  });
  expect([(await corrected).status, (await erased).status]).toEqual([200, 200]);
  await gateway.settled();
  expect(await tablesWith(person.words)).toEqual([]);
});

test('an organization that the user has left before is found by its audit trail', async () => {
  const { database } = gateway.app;
  const person = await newMember(database, testData.organizationId, 'VIEWER');
  const [documentId] = await query<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'nis2-directive', '21.2.a', 'd', 1, 'text/plain', 'attached', md5($2), $2) returning id`,
    [testData.organizationId, person.username],
  );
  await gateway.rest.call('POST', `/api/v1/organizations/${testData.organizationId}/leave`, { token: person.token });
  expect(await membership(database, testData.organizationId, person)).toBeUndefined();
  const { data } = await callThrough('REST', gateway, ERASE, { username: person.username }, person.token);
  expect(await query('select created_by from document_version where id = $1', [documentId!.id])).toEqual([
    { created_by: data.pseudonym },
  ]);
});

test('files of mails to the user are deleted, by the nightly job if not at once, and those of others stay', async () => {
  const person = await marked();
  const folder = joinPath(gateway.dataDir, 'mail');
  await mkdir(folder, { recursive: true });
  const ids: string[] = [];
  // The second has another spelling, as organizations may write the address of their contact.
  for (const recipient of [person.words[1]!, person.words[1]!.toUpperCase(), 'other@else.example']) {
    const [row] = await query<{ id: string }>(
      `insert into outgoing_mail (id, recipient, state) values (gen_random_uuid(), $1, 'SENT') returning id`,
      [recipient],
    );
    ids.push(row!.id);
    await writeFile(joinPath(folder, `2026-11-20T08-15-30-500Z-${row!.id}.eml`), 'To: someone');
  }
  await callThrough('REST', gateway, ERASE, { username: person.username }, person.token);
  const left = async () => {
    const names = await readdir(folder);
    return ids.map((id) => names.some((name) => name.includes(id)));
  };
  expect(await left()).toEqual([false, false, true]);
  // As after an earlier crash, or if the mail was being written meanwhile.
  await writeFile(joinPath(folder, `2026-11-20T08-15-30-500Z-${ids[0]}.eml`), 'To: someone');
  await gateway.app.jobs.run('mails.purgeOld');
  expect(await left()).toEqual([false, false, true]);
  expect(await query('select 1 from outgoing_mail where id = $1', [ids[0]])).toEqual([]);
});

test('an entry that is recorded about an erased user afterwards has nothing personal', async () => {
  const { database } = gateway.app;
  const person = await newMember(database, testData.organizationId, 'VIEWER');
  await callThrough('REST', gateway, ERASE, { username: person.username }, person.token);
  await buildAuditEntry(
    database,
    testData.organizationId,
    {},
    {
      ...{ kind: 'user', userId: person.id, personalKey: null, origin: { address: '192.0.2.99' } },
    },
  );
  const [row] = await query<{ entry: string }>(
    'select entry from audit_entry where actor = $1 order by position desc limit 1',
    [person.id],
  );
  expect(JSON.parse(row!.entry).actor.address).toEqual({ person: person.id, sealed: null });
});
