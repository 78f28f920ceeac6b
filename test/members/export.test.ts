import { describe, expect, test } from '@jest/globals';
import { buildAuditEntry } from '../support/audit.js';
import { APIS, type Api } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildEngagement, buildServiceAccount, newMember } from '../support/people.js';
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

/** More than the gateway reads at a time. */
const MANY = 501;

/** The section with the rows of each column that names an author. */
const AUTHORED: Readonly<Record<string, string>> = {
  'control_attestation.attested_by': 'controls_attested',
  'control_attestation.countersigned_by': 'attestations_countersigned',
  'control_attestation.withdrawn_by': 'attestations_withdrawn',
  'document_version.created_by': 'documents_uploaded',
  'evidence_request.answered_by': 'evidence_requests_answered',
  'evidence_request.created_by': 'evidence_requested',
  'incident.closed_by': 'incidents_closed',
  'incident.opened_by': 'incidents_opened',
  'incident_attachment.created_by': 'incident_attachments_uploaded',
  'incident_note.created_by': 'incident_notes_added',
  'incident_report.recorded_by': 'incident_reports_recorded',
  // The sender of a report records it; a correction by another adds a row.
  'incident_report.sent_by': 'incident_reports_recorded',
  'sign_off.created_by': 'sign_offs',
  'workflow_import.imported_by': 'workflows_imported',
};

let now = new Date();

const { gateway, testData } = await startSeededGateway({ now: () => now });

const query = (text: string, values: unknown[] = []) => gateway.app.database.rows<{ id: number }>(text, values);
const get = (url: string, token?: string) =>
  fetch(url, { headers: { ...(token !== undefined && { 'x-service-token': token }) } });

async function addressOf(token?: string) {
  const answer = await gateway.graphql.call('mutation { exportMe { downloadUrl expiresAt } }', {
    ...(token !== undefined && { token }),
  });
  return { data: answer.body.data?.exportMe, code: answer.body.errors?.[0]?.extensions?.code as string | undefined };
}

/** With a token in REST, and by the address that GraphQL signs. */
async function exported(api: Api, { token }: Pick<Person, 'token'>) {
  const answer =
    api === 'REST'
      ? await get(`${gateway.url}/api/v1/profile/export`, token)
      : await get((await addressOf(token)).data.downloadUrl);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

/** Newest first, without refusals, which are recorded within a second. */
const lastActions = async ({ id }: Person) =>
  (
    await gateway.app.database.rows<{ action: string; actor: string }>(
      `select e.action, e.actor from audit_entry e join audit_log l on l.id = e.log_id where l.user_id = $1 and e.action <> 'ACCESS_REFUSED' order by e.position desc`,
      [id],
    )
  ).map(({ action, actor }) => [action, actor]);

/** A member with one object of each kind. */
async function memberWithData(): Promise<Person & { organizationId: number }> {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, 'With data');
  await join(database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
  const person = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  await buildWorkflow(database, organizationId);
  await gateway.rest.call('PATCH', '/api/v1/profile', { token: person.token, body: { first_name: 'Ada' } });
  await gateway.rest.call('POST', `/api/v1/v-ciso/incidents/${organizationId}`, {
    token: person.token,
    body: { title: 'Confidential loss', severity: 'LOW', aware_at: now.toISOString() },
  });
  const incidentId = await buildIncident(database, organizationId);
  await query('update incident set closed_by = $2 where id = $1', [incidentId, person.username]);
  await query(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_by, recorded_by, reason)
     values ((select organization_id from incident where id = $1), $1, 'nis2', 'EARLY_WARNING', $2, $2, 'Late')`,
    [incidentId, person.username],
  );
  await query(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     values ((select organization_id from incident where id = $1), $1, 'log.txt', 'text/plain', 1, repeat('0', 64), $2)`,
    [incidentId, person.username],
  );
  await query(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     values ((select organization_id from incident where id = $1), $1, 'Confidential note', $2)`,
    [incidentId, person.username],
  );
  await query(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'iso-27001-2022', 'A.5.1', 'policy.txt', 1, 'text/plain', 'attached', repeat('0', 64), $2)`,
    [organizationId, person.username],
  );
  await query(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by) values ($1, 'own', 'WORKFLOW', '{}', $2)`,
    [organizationId, person.username],
  );
  await query(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id)
     values ($1, 'iso-27001-2022', 'A.5.1', 'TO_DO', $2)`,
    [organizationId, person.id],
  );
  await query(
    `insert into control_attestation (organization_id, workflow_id, control_id, statement, evidence, position, attested_by, attested_by_id, attested_at, countersigned_by, withdrawn_by, compared_up_to)
     values ($1, 'iso-27001-2022', 'A.5.1', 'In force.', '{}', 1, $2, $3, now(), $2, $2, 1)`,
    [organizationId, person.username, person.id],
  );
  const engagementId = await buildEngagement(database, organizationId, {});
  await query(
    `insert into evidence_request (organization_id, engagement_id, workflow_id, control_id, text, created_by, answered_by)
     values ($1, $2, 'iso-27001-2022', 'A.5.1', 'Which?', $3, $3)`,
    [organizationId, engagementId, person.username],
  );
  await query(
    `insert into sign_off (organization_id, engagement_id, workflow_id, statement, created_by) values ($1, $2, 'iso-27001-2022', 'Seen.', $3)`,
    [organizationId, engagementId, person.username],
  );
  await buildServiceAccount(database, organizationId, person);
  await query(
    `insert into scim_user (id, organization_id, membership_id, user_name, user_name_key, emails, email, active, made_user)
     select gen_random_uuid(), organization_id, id, 'In the directory', 'in the directory', '[]', 'a@example.com', true, true
       from membership where user_id = $1`,
    [person.id],
  );
  await query(
    `insert into user_identity (issuer, subject, user_id, created_at) values ('https://id.example.com', $1, $2, now())`,
    [`subject of ${person.username}`, person.id],
  );
  await query(
    `insert into token_recovery (email, network, created_at, user_id, digest) values ($1, '192.0.2.1', now(), $2, $3)`,
    [`${person.username}@example.com`, person.id, `secret ${person.id}`],
  );
  await query(
    `insert into invitation (organization_id, email, invited_by_id, role, digest, sent_at, expires_at)
     values ($1, $2, null, 'VIEWER', $3, '{}', now()), ($1, 'other@else.example', $4, 'VIEWER', $5, '{}', now())`,
    [organizationId, `${person.username}@example.com`, `secret in ${person.id}`, person.id, `secret out ${person.id}`],
  );
  await query(
    `insert into outgoing_mail (id, recipient, content, state) values (gen_random_uuid(), $1, '{"text": "secret"}', 'FAILED')`,
    [`${person.username}@Example.com`],
  );
  await query(`update membership set mail_preferences = '{"incident": "NEVER"}' where user_id = $1`, [person.id]);
  await buildNotifications(database, person, organizationId, MANY);
  return { ...person, organizationId };
}

describe.each(APIS)('through %s', (api) => {
  test('the export has every kind of data about the user, and nothing about another', async () => {
    const person = await memberWithData();
    const { organizationId, username } = person;
    const { profile, audit_trail: trail, actions_in_organizations: actions, ...lists } = await exported(api, person);
    expect(profile).toMatchObject({ id: person.id, username, email: `${username}@example.com`, first_name: 'Ada' });
    expect(lists.notifications).toHaveLength(MANY);
    expect(new Set(lists.notifications.map(({ id }: { id: number }) => id)).size).toBe(MANY);
    // Their content belongs to the organization, which may have removed the user or blocked the token since.
    expect(JSON.stringify(lists.notifications)).not.toMatch(/title|message/i);
    const one = (list: object) => [expect.objectContaining(list)];
    expect(lists).toMatchObject({
      exported_at: now.toISOString(),
      memberships: one({
        ...{ organization_id: organizationId, organization: 'With data', role: 'ORGANIZATION_MANAGER' },
        mail_preferences: { incident: 'NEVER' },
      }),
      tokens: one({ name: 'test', prefix: person.token.slice(0, 8), origin: 'API', provider_id: null }),
      identities: one({ issuer: 'https://id.example.com', subject: `subject of ${username}` }),
      invitations_received: one({ organization_id: organizationId, role: 'VIEWER' }),
      invitations_sent: one({ organization_id: organizationId, role: 'VIEWER' }),
      recoveries: one({ used_at: null }),
      mails: one({ state: 'FAILED' }),
      directories: one({ organization_id: organizationId, user_name: 'In the directory' }),
      service_accounts: one({ organization_id: organizationId }),
      controls_owned: one({ control_id: 'A.5.1' }),
      documents_uploaded: one({ original_name: 'policy.txt' }),
      incidents_opened: one({ organization_id: organizationId }),
      incidents_closed: one({ organization_id: organizationId }),
      incident_reports_recorded: one({ reason: 'Late' }),
      incident_attachments_uploaded: one({ original_name: 'log.txt' }),
      incident_notes_added: one({ organization_id: organizationId }),
      workflows_imported: one({ workflow_id: 'own' }),
    });
    expect(Object.values(AUTHORED).filter((section) => lists[section]?.length !== 1)).toEqual([]);
    expect(trail[0]).toMatchObject({
      action: 'PROFILE_UPDATED',
      subject: { type: 'USER', id: person.id },
      changes: [{ field: 'firstName', before: expect.any(String), after: 'Ada' }],
    });
    expect(actions).toEqual([
      expect.objectContaining({
        organization_id: organizationId,
        action: 'INCIDENT_OPENED',
        address: '127.0.0.1',
        subject: { type: 'INCIDENT', id: expect.any(String) },
      }),
    ]);
  });

  test('it has no secret, no address of others, and no contents of organizations', async () => {
    const person = await memberWithData();
    const text = JSON.stringify(await exported(api, person));
    expect(text).toContain('policy.txt');
    for (const word of [
      'secret',
      'digest',
      person.token,
      'other@else.example',
      'Confidential',
      testData.owner.username,
    ])
      expect([word, text.includes(word)]).toEqual([word, false]);
  });

  test('what the user did in an organization that it has left is in it', async () => {
    const { database } = gateway.app;
    const person = await newMember(database, testData.organizationId, 'VIEWER');
    await gateway.rest.call('POST', `/api/v1/organizations/${testData.organizationId}/leave`, { token: person.token });
    await buildAuditEntry(database, testData.otherOrganizationId);
    const { memberships, actions_in_organizations: actions } = await exported(api, person);
    expect(memberships).toEqual([]);
    expect(actions).toMatchObject([{ organization_id: testData.organizationId, action: 'MEMBER_LEFT' }]);
  });

  test('an export is recorded in the trail of the user, and is in itself; another one of the same minute is counted', async () => {
    const person = await buildPerson(gateway.app.database, 'recorded');
    await exported(api, person);
    const { audit_trail: trail } = await exported(api, person);
    const actor = api === 'REST' ? person.id : 'signed-address';
    expect(await lastActions(person)).toEqual([['PROFILE_EXPORTED', actor]]);
    expect(trail.map(({ action }: { action: string }) => action)).toEqual(['PROFILE_EXPORTED']);
  });
});

test('every column that names an author has a section', async () => {
  const columns = await gateway.app.database.rows<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_by' and data_type = 'text'`,
  );
  expect(columns.map(({ name }) => name).toSorted()).toEqual(Object.keys(AUTHORED).toSorted());
});

test('it is refused without a token, and to a token that may not read', async () => {
  const person = await buildPerson(gateway.app.database, 'refused');
  const writeOnly = await buildToken(gateway.app.database, person, { scopes: ['write'] });
  const url = `${gateway.url}/api/v1/profile/export`;
  expect([(await get(url)).status, (await get(url, writeOnly)).status]).toEqual([401, 403]);
  expect([(await addressOf()).code, (await addressOf(writeOnly)).code]).toEqual(['UNAUTHENTICATED', 'FORBIDDEN']);
  expect(await lastActions(person)).toEqual([]);
});

test('a signed address serves its user alone, until it expires or the user was erased', async () => {
  const { database } = gateway.app;
  const [person, other] = [await buildPerson(database, 'addressed'), await buildPerson(database, 'neighbour')];
  const { downloadUrl, expiresAt } = (await addressOf(person.token)).data;
  expect(Date.parse(expiresAt) - now.getTime()).toBeLessThanOrEqual(15 * 60 * 1000);
  const statusOf = async (url: string) => (await get(url)).status;
  expect(await statusOf(downloadUrl)).toBe(200);
  const expires = /expires=(\d+)/.exec(downloadUrl)![1]!;
  expect(await statusOf(downloadUrl.replace(person.id, other.id))).toBe(404);
  expect(await statusOf(downloadUrl.replace(expires, String(Number(expires) + 60)))).toBe(404);
  expect(await statusOf(downloadUrl.replace(/&signature=.*/, '&signature='))).toBe(404);
  const malformed = await gateway.rest.get('/api/v1/profile/export?for=no-uuid', person);
  // For a token it is a parameter like others.
  expect(malformed.status).toBe(400);
  const before = now;
  now = new Date(Date.parse(expiresAt) + 1000);
  expect(await statusOf(downloadUrl)).toBe(404);
  now = before;
  await gateway.rest.call('DELETE', `/api/v1/profile?username=${person.username}`, { token: person.token });
  expect(await statusOf(downloadUrl)).toBe(404);
});

test('the answer is a file that no cache stores, and a request for its headers alone is not recorded', async () => {
  const person = await buildPerson(gateway.app.database, 'headers');
  const { headers } = await fetch(`${gateway.url}/api/v1/profile/export`, {
    method: 'HEAD',
    headers: { 'x-service-token': person.token },
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.json"/);
  expect(await lastActions(person)).toEqual([]);
});
