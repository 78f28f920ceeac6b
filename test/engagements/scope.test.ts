import { describe, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isObjectType, type GraphQLOutputType } from 'graphql';
import { constraintsOf } from '../../src/common/input-schema.js';
import { DAY } from '../../src/common/time.js';
import { buildAuditEntry } from '../support/audit.js';
import { buildEngagement, newMember } from '../support/people.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIdentityProvider } from '../support/seeded-organization.js';
import {
  buildIncident,
  buildOrganization,
  buildPerson,
  buildToken,
  buildWorkflow,
  join,
} from '../support/test-data.js';

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

const buildDocument = (organizationId: number, workflow: string, control: string, name: string, at: string) =>
  database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
     values ($1, $2, $3, $4, 1, 'text/plain', 'attached', encode(sha256(convert_to($4::text, 'UTF8')), 'hex'), 'ann', $5)`,
    [organizationId, workflow, control, name, at],
  );

const PARTS = ['', '/controls', '/documents', '/incidents', '/audit-trail', '/requests', '/sign-offs'];

const entriesOf = async (organizationId: number) =>
  await database.rows<{ action: string; actor: string; entry: string }>(
    `select e.action, e.actor, e.entry from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
    [organizationId],
  );

describe('an auditor', () => {
  test('reads what is in the scope and nothing else, and each read is on record', async () => {
    const { organizationId, manager, auditor, path } = await audited();
    const insert = (workflow: string, control: string, name: string, at: string) =>
      buildDocument(organizationId, workflow, control, name, at);
    await insert('nis2-directive', '21.2.a', 'in scope', '2024-01-01');
    await insert('nis2-directive', '21.2.a', 'first instant', '2020-01-01');
    await insert('nis2-directive', '21.2.a', 'before', '2019-12-31T23:59:59.999Z');
    await insert('nis2-directive', '21.2.a', 'after', '2100-01-01');
    await insert('iso-27001-2022', 'A.5.1', 'another workflow', '2024-01-01');
    const incident = await buildIncident(database, organizationId);
    const awareAt = async (at: string) => {
      const id = await buildIncident(database, organizationId);
      await database.rows('update incident set aware_at = $2 where id = $1', [id, at]);
      return id;
    };
    const first = await awareAt('2020-01-01');
    for (const at of ['2019-12-31T23:59:59.999Z', '2100-01-01']) await awareAt(at);
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
    expect((incidents.body.data as { id: number }[]).map((each) => each.id)).toEqual([incident, first]);
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
    const reads = (await entriesOf(organizationId)).filter(({ action }) => action === 'ENGAGEMENT_READ');
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
    for (const part of PARTS) expect([part, (await get(path + part, auditor)).status]).toEqual([part, status]);
    now = started;
  });

  test('has no way into another engagement or organization, by any of its paths', async () => {
    const { auditor, organizationId } = await audited();
    const other = await audited();
    const second = await buildEngagement(database, organizationId, {});
    for (const engagement of [other.path, `/api/v1/organizations/${organizationId}/engagements/${second}`])
      for (const part of PARTS) expect([part, (await get(engagement + part, auditor)).status]).toEqual([part, 404]);
    // Its own engagement is not found below another organization.
    const { engagementId } = await audited();
    expect((await get(`/api/v1/organizations/${organizationId}/engagements/${engagementId}`, auditor)).status).toBe(
      404,
    );
  });

  test('has lists as JSON only, and leaves no entry of a download or of what was not shown', async () => {
    const { auditor, organizationId, path } = await audited();
    for (const part of ['/controls', '/documents', '/incidents', '/audit-trail', '/requests', '/sign-offs'])
      for (const format of ['csv', 'xlsx']) {
        const address = `${path}${part}?format=${format}`;
        expect((await get(address, auditor)).status).toBe(404);
        expect((await gateway.rest.call('HEAD', address, { token: auditor.token })).status).toBe(404);
      }
    const actions = (await entriesOf(organizationId)).map(({ action }) => action);
    expect(actions).not.toContain('LIST_DOWNLOADED');
    expect(actions).not.toContain('ENGAGEMENT_READ');
  });

  test('finds no workflow any more that was dissociated, with its controls, documents and entries', async () => {
    const { organizationId, auditor, path } = await audited();
    await buildDocument(organizationId, 'nis2-directive', '21.2.a', 'of the workflow', '2024-01-01');
    await buildAuditEntry(database, organizationId);
    const total = async (part: string) => (await get(path + part, auditor)).body.total;
    expect([await total('/documents'), (await total('/controls'))! > 0]).toEqual([1, true]);
    await database.rows(
      `delete from organization_workflow where organization_id = $1 and workflow_id = 'nis2-directive'`,
      [organizationId],
    );
    expect([await total('/documents'), await total('/controls')]).toEqual([0, 0]);
    const control = { workflow_id: 'nis2-directive', control_id: '21.2.a' };
    expect((await post(`${path}/requests`, auditor, { ...control, text: 'x' })).status).toBe(404);
    expect((await post(`${path}/sign-offs`, auditor, { workflow_id: 'nis2-directive', statement: 'x' })).status).toBe(
      404,
    );
  });

  test('is judged as a member while it is one, also a deactivated one, and finds nothing of a deleted organization', async () => {
    const { organizationId, auditor, path } = await audited();
    const status = async () => (await get(path, auditor)).status;
    await join(database, auditor, organizationId, 'VIEWER');
    expect(await status()).toBe(403);
    expect((await get('/api/v1/engagements', auditor)).body.data).toEqual([]);
    await database.rows('update membership set deactivated_at = now() where user_id = $1', [auditor.id]);
    await until(async () => (await status()) === 404);
    await database.rows('delete from membership where user_id = $1', [auditor.id]);
    await until(async () => (await status()) === 200);
    await database.rows('update organization set deleted_at = now() where id = $1', [organizationId]);
    expect(await status()).toBe(404);
    expect((await get('/api/v1/engagements', auditor)).body.data).toEqual([]);
  });

  test('is refused with a token that is blocked in the organization, or came in an address where none may, or of a sign-in elsewhere', async () => {
    const { organizationId, auditor, path } = await audited();
    const blocked = await buildToken(database, auditor, {});
    await database.rows(
      `insert into token_block (organization_id, token_id) select $1, id from api_token where digest = encode(sha256($2::bytea), 'hex')`,
      [organizationId, blocked],
    );
    expect((await get(path, { token: blocked })).status).toBe(403);
    expect((await get('/api/v1/engagements', { token: blocked })).body.data).toEqual([]);
    const byQuery = () => gateway.rest.get(`${path}?X-Service-Token=${auditor.token}`);
    expect((await byQuery()).status).toBe(200);
    await database.rows('update organization set query_token_allowed = false where id = $1', [organizationId]);
    expect((await byQuery()).status).toBe(403);
    expect((await gateway.rest.get(`/api/v1/engagements?X-Service-Token=${auditor.token}`)).body.data).toEqual([]);
    const elsewhere = await buildOrganization(database, 'With a provider');
    const signedIn = await buildToken(database, auditor, {});
    await database.rows(
      `update api_token set origin = 'SIGN_IN', provider_id = $1 where digest = encode(sha256($2::bytea), 'hex')`,
      [await buildIdentityProvider(database, elsewhere), signedIn],
    );
    expect((await get(path, { token: signedIn })).status).toBe(404);
    expect((await get('/api/v1/engagements', { token: signedIn })).body.data).toEqual([]);
  });

  test('receives no stored answer of an Idempotency-Key once the engagement has ended', async () => {
    const { auditor, path, engagementId } = await audited();
    const body = { workflow_id: 'nis2-directive', statement: 'In force' };
    const sign = () =>
      gateway.rest.call('POST', `${path}/sign-offs`, {
        token: auditor.token,
        body,
        headers: { 'idempotency-key': '"signed-once"' },
      });
    const first = await sign();
    expect([first.status, (await sign()).text]).toEqual([201, first.text]);
    await database.rows('update engagement set until = $2 where id = $1', [engagementId, now]);
    const late = await sign();
    expect([late.status, late.text]).toEqual([404, '{"error":1,"messages":[1004]}']);
    expect(await database.rows('select id from sign_off where engagement_id = $1', [engagementId])).toHaveLength(1);
  });

  test('is erased: the engagement ends for it, on record, and its statements stay without its name', async () => {
    const { organizationId, auditor, path, manager } = await audited();
    await post(`${path}/sign-offs`, auditor, { workflow_id: 'nis2-directive', statement: 'In force' });
    const erased = await gateway.rest.call('DELETE', `/api/v1/profile?username=${auditor.username}`, {
      token: auditor.token,
    });
    expect(erased.status).toBe(200);
    const left = await get(`${path}/sign-offs`, manager);
    expect(left.body.data).toMatchObject([{ statement: 'In force', created_by: expect.stringMatching(/^erased-/) }]);
    expect(left.text).not.toContain(auditor.username);
    expect((await get(path, manager)).body.data).toMatchObject({ auditors: [] });
    expect((await entriesOf(organizationId)).map(({ action }) => action)).toContain('AUDITOR_REMOVED');
    const trail = await get(`/api/v1/organizations/${organizationId}/audit-trail`, manager);
    expect(trail.text).not.toContain(auditor.username);
  });
});

describe('the address of a document that was made for an auditor', () => {
  async function addressed() {
    const made = await audited();
    const upload = await gateway.rest.call(
      'POST',
      `/api/v1/v-ciso/organizations/${made.organizationId}/workflows/nis2-directive/documents/21.2.a/versions`,
      {
        token: made.analyst.token,
        body: { filename: 'policy.txt', content: Buffer.from('policy').toString('base64'), content_type: 'text/plain' },
      },
    );
    expect(upload.status).toBe(201);
    const { body } = await get(`${made.path}/documents`, made.auditor);
    const [{ download_url: url, id }] = body.data as [{ download_url: string; id: number }];
    return { ...made, url, id };
  }
  const fetched = async (url: string) => (await fetch(url.replace(/^https?:\/\/[^/]+/, gateway.url))).status;

  test('downloads it in its name, on record', async () => {
    const { url, auditor, organizationId, engagementId } = await addressed();
    const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, gateway.url));
    expect([answer.status, await answer.text()]).toEqual([200, 'policy']);
    const [entry] = (await entriesOf(organizationId)).filter(({ action }) => action === 'DOCUMENT_DOWNLOADED');
    expect(entry!.actor).toBe(auditor.id);
    expect(JSON.parse(entry!.entry).changes).toEqual({ engagement: { after: engagementId } });
  });

  test.each([
    ['the auditor is removed', 'delete from engagement_auditor where engagement_id = $1'],
    ['the engagement has ended', `update engagement set until = '2026-01-01' where id = $1`],
    [
      'the workflow was dissociated',
      'delete from organization_workflow w using engagement e where e.id = $1 and w.organization_id = e.organization_id',
    ],
    [
      'the document is about another period',
      `update document_version d set effective_at = '2019-01-01' from engagement e where e.id = $1 and d.organization_id = e.organization_id`,
    ],
    [
      'the auditor has become a member',
      `insert into membership (organization_id, user_id, role) select e.organization_id, a.user_id, 'VIEWER'
         from engagement e join engagement_auditor a on a.engagement_id = e.id where e.id = $1`,
    ],
  ])('leads nowhere as soon as %s', async (_what, change) => {
    const { url, engagementId } = await addressed();
    expect(await fetched(url)).toBe(200);
    await database.rows(change, [engagementId]);
    expect(await fetched(url)).toBe(404);
  });

  test('leads nowhere when any part of it was changed, and is not that of a member', async () => {
    const { url, path, manager, auditor, organizationId, engagementId } = await addressed();
    const ofMember = ((await get(`${path}/documents`, manager)).body.data as { download_url: string }[])[0]!
      .download_url;
    expect(ofMember).not.toContain('engagement=');
    // Each of them may download the document by a separate address.
    const colleague = await buildPerson(database, 'colleague');
    const until = new Date(now.getTime() + DAY);
    const other = await buildEngagement(database, organizationId, { auditor, until });
    await database.rows('insert into engagement_auditor (engagement_id, user_id) values ($1, $2)', [
      ...[engagementId, colleague.id],
    ]);
    for (const changed of [
      url.replace(/engagement=\d+/, `engagement=${other}`),
      url.replace(/for=[\w-]+/, `for=${colleague.id}`),
      url.replace(/engagement=\d+&/, ''),
      url.replace(/for=[\w-]+&/, ''),
      url.replace(/engagement=\d+&for=[\w-]+&/, ''),
      url.replace(/expires=(\d)/, 'expires=9$1'),
    ])
      expect([changed, await fetched(changed)]).toEqual([changed, 404]);
  });
});

describe('reads of an auditor', () => {
  const readsOf = async (organizationId: number) =>
    (await entriesOf(organizationId))
      .filter(({ action }) => action === 'ENGAGEMENT_READ')
      .map(({ entry }) => {
        const { part, shown } = (JSON.parse(entry) as { changes: Record<string, { after: string }> }).changes;
        return [part!.after, shown?.after];
      });

  test('are recorded with what was on the page, each page by itself, and the same page within a minute once', async () => {
    const { organizationId, auditor, path } = await audited();
    const [first, second] = [
      await buildIncident(database, organizationId),
      await buildIncident(database, organizationId),
    ];
    for (let time = 0; time < 2; time += 1) {
      await get(`${path}/incidents?limit=1`, auditor);
      await get(`${path}/incidents?limit=1&offset=1`, auditor);
    }
    await get(path, auditor);
    const reads = await readsOf(organizationId);
    expect(reads.map(([, shown]) => shown).toSorted()).toEqual([`${first}`, `${second}`, undefined].toSorted());
    expect(reads.map(([part]) => part)).toEqual(['INCIDENTS', 'INCIDENTS', 'ENGAGEMENT']);
  });

  test('are recorded of nested lists of several engagements, in the trail of each organization', async () => {
    const { organizationId, auditor } = await audited();
    const other = await buildOrganization(database, 'Audited as well');
    await buildWorkflow(database, other, 'nis2-directive');
    await buildEngagement(database, other, { auditor });
    const query = '{ engagements { nodes { controls(first: 2) { nodes { label } } incidents { totalCount } } } }';
    const { body } = await gateway.graphql.call(query, { token: auditor.token });
    expect(body.errors).toBeUndefined();
    for (const id of [organizationId, other])
      expect((await readsOf(id)).map(([part]) => part).toSorted()).toEqual(['CONTROLS', 'INCIDENTS']);
  });

  test('are seen by members with the rank for the trail, and are none of members', async () => {
    const { organizationId, auditor, manager, path } = await audited();
    await get(`${path}/controls`, manager);
    await get(`${path}/controls?limit=1`, auditor);
    const { body } = await get(`/api/v1/organizations/${organizationId}/audit-trail?action=ENGAGEMENT_READ`, manager);
    expect(body.data).toMatchObject([
      {
        actor: { user: auditor.username, user_id: auditor.id },
        changes: [{ field: 'part', after: 'CONTROLS' }, { field: 'shown' }],
      },
    ]);
  });
});

test('no type that an engagement leads to has a field of the rest of the schema', () => {
  const { schema } = gateway.app.executor;
  const reached = new Set<string>();
  const visit = (type: unknown) => {
    const named = getNamedType(type as GraphQLOutputType);
    if (!isObjectType(named) || reached.has(named.name)) return;
    reached.add(named.name);
    for (const field of Object.values(named.getFields())) visit(field.type);
  };
  visit(schema.getType('Engagement'));
  expect([...reached].filter((name) => !/^(Engagement|EvidenceRequest|SignOff)/.test(name)).toSorted()).toEqual([
    ...['AuditChange', 'AuditSubject', 'AuditSubjectParent', 'PageInfo', 'Person'],
  ]);
});

test('every input that takes a role takes those of members only', async () => {
  const { schema } = gateway.app.executor;
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isInputObjectType(type) ? Object.values(type.getFields()).map((field) => [type.name, field] as const) : [],
  );
  const roles = fields.filter(([, field]) => getNamedType(field.type).name === 'Role');
  expect(roles.length).toBeGreaterThan(6);
  const open = roles.filter(([, field]) => constraintsOf(field).enum?.includes('AUDITOR') !== false);
  expect(open.map(([type, { name }]) => `${type}.${name}`)).toEqual([]);
  const { organizationId, manager, analyst } = await audited();
  const query = `mutation { updateMember(input: { organizationId: ${organizationId}, userId: "${analyst.id}", role: AUDITOR }) { member { role } } }`;
  const { body } = await gateway.graphql.call(query, { token: manager.token });
  expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'role'] }] });
});
