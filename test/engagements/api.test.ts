import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { settled } from '../support/settled.js';
import { buildEngagement, buildServiceAccount, mailedSecrets, newMember, titlesOf } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildOrganization, buildPerson, buildWorkflow } from '../support/test-data.js';

let now = new Date();
const { gateway } = await startSeededGateway({ now: () => now });
const { database } = gateway.app;

async function audited() {
  const organizationId = await buildOrganization(database, 'Audited');
  await buildWorkflow(database, organizationId, 'nis2-directive');
  await buildWorkflow(database, organizationId, 'iso-27001-2022');
  const manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  const analyst = await newMember(database, organizationId, 'SECURITY_ANALYST');
  const auditor = await buildPerson(database, 'auditor');
  const engagementId = await buildEngagement(database, organizationId, {
    auditor,
    until: new Date(now.getTime() + DAY),
  });
  const path = `/api/v1/organizations/${organizationId}/engagements/${engagementId}`;
  return { organizationId, manager, analyst, auditor, engagementId, path };
}

const get = (path: string, { token }: { token: string }) => gateway.rest.get(path, { token });
const post = (path: string, { token }: { token: string }, body: object) =>
  gateway.rest.call('POST', path, { token, body });

const actionsOf = async (organizationId: number) =>
  await database.rows<{ action: string; actor: string; entry: string }>(
    `select e.action, e.actor, e.entry from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
    [organizationId],
  );

describe('an auditor', () => {
  test('is invited to an engagement, joins by the secret of the mail, and is no member', async () => {
    const { organizationId, manager, engagementId, path } = await audited();
    const email = `invited-${organizationId}@audit.example.com`;
    const invitations = `/api/v1/organizations/${organizationId}/invitations`;
    expect((await post(invitations, manager, { email, role: 'AUDITOR' })).status).toBe(400);
    const elsewhere = path.replace(/\d+$/, '2147483000');
    expect((await post(`${elsewhere}/invitations`, manager, { email })).status).toBe(404);
    expect((await post(`${path}/invitations`, manager, { email })).status).toBe(201);
    const [secret] = await mailedSecrets(database, email);
    const accepted = await gateway.rest.call('POST', '/api/v1/invitations/accept', { body: { secret } });
    expect(accepted.body.data).toMatchObject({ role: 'AUDITOR', organization_id: organizationId });
    const { token, user_id: userId } = accepted.body.data as { token: string; user_id: string };
    const own = await get('/api/v1/engagements', { token });
    expect((own.body.data as { id: number }[]).map(({ id }) => id)).toEqual([engagementId]);
    expect((await get(`/api/v1/organizations/${organizationId}`, { token })).status).toBe(404);
    expect((await get('/api/v1/organizations', { token })).body.data).toEqual([]);
    expect(await database.rows('select id from membership where user_id = $1', [userId])).toEqual([]);
    expect(await titlesOf(database, manager)).toContain('An auditor has joined');
  });

  test('reads what is in the scope and nothing else, and each read is on record', async () => {
    const { organizationId, manager, auditor, path } = await audited();
    const insert = (workflow: string, control: string, name: string, at: string) =>
      database.rows(
        `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
         values ($1, $2, $3, $4, 1, 'text/plain', 'attached', encode(sha256(convert_to($4::text, 'UTF8')), 'hex'), 'ann', $5)`,
        [organizationId, workflow, control, name, at],
      );
    await insert('nis2-directive', '21.2.a', 'in scope', '2024-01-01');
    await insert('nis2-directive', '21.2.a', 'first instant', '2020-01-01');
    await insert('nis2-directive', '21.2.a', 'before', '2019-12-31T23:59:59.999Z');
    await insert('nis2-directive', '21.2.a', 'after', '2100-01-01');
    await insert('iso-27001-2022', 'A.5.1', 'another workflow', '2024-01-01');
    const incident = await buildIncident(database, organizationId);
    const old = await buildIncident(database, organizationId);
    await database.rows(`update incident set aware_at = '2019-06-01' where id = $1`, [old]);
    const controls = await get(`${path}/controls?limit=100`, auditor);
    expect(new Set((controls.body.data as { workflow_id: string }[]).map((each) => each.workflow_id))).toEqual(
      new Set(['nis2-directive']),
    );
    const documents = await get(`${path}/documents`, auditor);
    expect((documents.body.data as { original_name: string }[]).map((each) => each.original_name)).toEqual([
      'first instant',
      'in scope',
    ]);
    const incidents = await get(`${path}/incidents`, auditor);
    expect((incidents.body.data as { id: number }[]).map((each) => each.id)).toEqual([incident]);
    await gateway.rest.call('PATCH', `/api/v1/organizations/${organizationId}`, {
      token: manager.token,
      body: { description: 'Changed' },
    });
    await gateway.rest.call(
      'PATCH',
      `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/controls/A.5.1`,
      { token: manager.token, body: { status: 'DONE' } },
    );
    await gateway.rest.call(
      'PATCH',
      `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/controls/21.2.a`,
      { token: manager.token, body: { status: 'DONE' } },
    );
    const trail = await get(`${path}/audit-trail`, auditor);
    const subjects = new Set(
      (trail.body.data as { subject: { type: string; id: string } }[]).map(
        ({ subject }) => `${subject.type}/${subject.id}`,
      ),
    );
    expect(subjects).toContain('CONTROL/nis2-directive/21.2.a');
    expect([...subjects].filter((each) => each.includes('iso-27001') || each.startsWith('ORGANIZATION'))).toEqual([]);
    expect(trail.text).not.toContain('127.0.0.1');
    const reads = (await actionsOf(organizationId)).filter(({ action }) => action === 'ENGAGEMENT_READ');
    expect(new Set(reads.map(({ actor }) => actor))).toEqual(new Set([auditor.id]));
    for (const part of ['CONTROLS', 'DOCUMENTS', 'INCIDENTS', 'AUDIT_TRAIL'])
      expect(reads.some(({ entry }) => entry.includes(`"${part}"`))).toBe(true);
  });

  test.each([
    ['to the instant of its end', 0, 404],
    ['a millisecond before it', -1, 200],
  ])('finds everything %s', async (_when, offset, status) => {
    const { auditor, path } = await audited();
    expect((await get(path, auditor)).status).toBe(200);
    const started = now;
    const [row] = await database.rows<{ until: string }>('select until from engagement where id = $1', [
      Number(path.split('/').at(-1)),
    ]);
    now = new Date(Date.parse(row!.until) + offset);
    for (const part of ['', '/controls', '/documents', '/incidents', '/audit-trail', '/requests', '/sign-offs'])
      expect([part, (await get(path + part, auditor)).status]).toEqual([part, status]);
    now = started;
  });

  test('asks for evidence in its scope, is answered, and signs off; members are notified and cannot do the same', async () => {
    const { organizationId, manager, analyst, auditor, path } = await audited();
    const control = { workflow_id: 'nis2-directive', control_id: '21.2.a' };
    const asked = await post(`${path}/requests`, auditor, { ...control, text: 'Minutes, please' });
    expect([asked.status, asked.body.data]).toMatchObject([
      201,
      { text: 'Minutes, please', created_by: auditor.username },
    ]);
    expect((await post(`${path}/requests`, manager, { ...control, text: 'x' })).status).toBe(404);
    expect(
      (await post(`${path}/requests`, auditor, { workflow_id: 'iso-27001-2022', control_id: 'A.5.1', text: 'x' }))
        .status,
    ).toBe(404);
    expect((await post(`${path}/requests`, auditor, { ...control, control_id: 'never-was', text: 'x' })).status).toBe(
      404,
    );
    const { id } = asked.body.data as { id: number };
    const answer = (body: object, { token }: { token: string }) =>
      gateway.rest.call('PATCH', `${path}/requests/${id}`, { token, body });
    expect((await answer({ answer: 'x' }, auditor)).status).toBe(404);
    expect((await answer({ answer: 'Uploaded', close: true }, analyst)).body.data).toMatchObject({
      answer: 'Uploaded',
      answered_by: analyst.username,
    });
    expect((await answer({ answer: 'x' }, analyst)).status).toBe(409);
    expect(
      (await post(`${path}/sign-offs`, auditor, { workflow_id: 'nis2-directive', statement: 'In force' })).status,
    ).toBe(201);
    expect((await post(`${path}/sign-offs`, manager, { workflow_id: 'nis2-directive', statement: 'x' })).status).toBe(
      404,
    );
    await settled(database);
    expect(await titlesOf(database, manager)).toEqual(
      expect.arrayContaining(['An auditor asks for evidence', 'An auditor has signed off']),
    );
    expect((await actionsOf(organizationId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['EVIDENCE_REQUESTED', 'EVIDENCE_REQUEST_ANSWERED', 'SIGNED_OFF']),
    );
  });

  test('is removed at once, and has no way into another engagement or organization', async () => {
    const { manager, auditor, path } = await audited();
    const other = await audited();
    expect((await get(other.path, auditor)).status).toBe(404);
    expect((await gateway.rest.call('DELETE', `${path}/auditors/${auditor.id}`, { token: manager.token })).status).toBe(
      200,
    );
    expect((await get(path, auditor)).status).toBe(404);
  });
});

test('an engagement is created with a scope that makes sense, ended at once, and is no role of a member or a service account', async () => {
  const { organizationId, manager, analyst, auditor, path } = await audited();
  const until = new Date(now.getTime() + DAY).toISOString();
  const input = {
    name: 'A',
    workflows: ['nis2-directive'],
    from: '2026-01-01T00:00:00Z',
    to: '2027-01-01T00:00:00Z',
    until,
  };
  const create = (change: object) =>
    post(`/api/v1/organizations/${organizationId}/engagements`, manager, { ...input, ...change });
  expect((await create({})).status).toBe(201);
  for (const wrong of [
    { to: input.from },
    { until: now.toISOString() },
    { until: new Date(now.getTime() + 731 * DAY).toISOString() },
    { workflows: [] },
    { workflows: ['never-was'] },
  ])
    expect([wrong, (await create(wrong)).status]).toEqual([wrong, 400]);
  expect(
    (await gateway.rest.call('PATCH', path, { token: manager.token, body: { until: now.toISOString() } })).status,
  ).toBe(200);
  expect((await get(path, auditor)).status).toBe(404);
  const member = await gateway.rest.call('PATCH', `/api/v1/organizations/${organizationId}/users/${analyst.id}`, {
    token: manager.token,
    body: { role: 'AUDITOR' },
  });
  expect(member.status).toBe(400);
  expect(
    (await post(`/api/v1/organizations/${organizationId}/service-accounts`, manager, { name: 'x', role: 'AUDITOR' }))
      .status,
  ).toBe(400);
  const account = await buildServiceAccount(database, organizationId, manager);
  expect((await get('/api/v1/engagements', account)).status).toBe(403);
});
