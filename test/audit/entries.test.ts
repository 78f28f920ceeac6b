import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import {
  canonicalJson,
  PersonalValue,
  seal,
  unseal,
  type SealedValue,
} from '../../src/services/audit/personal-values.js';
import type { AuditAction } from '../../src/values/audit.js';
import { expectStatus, withStory } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import {
  buildCloudDefender,
  buildPerson,
  buildThreatBlocker,
  buildWorkflow,
  type Person,
} from '../support/test-data.js';

interface Row {
  position: number;
  entry: string;
  hash: Buffer;
  action: string;
  actor: string;
  subject: string;
  parent: string | null;
}

const { gateway, testData } = await startSeededGateway();

const sql = <Found extends object>(text: string, values: unknown[] = []) =>
  gateway.app.database.rows<Found>(text, values);

const trailOf = (organizationId: number) =>
  sql<Row>(
    `select e.* from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by position`,
    [organizationId],
  );

const incidents = () => `/api/v1/v-ciso/incidents/${testData.organizationId}`;

async function openIncident(title: string): Promise<number> {
  const body = { title, severity: 'HIGH' };
  const answer = await gateway.rest.post(incidents(), { token: testData.analyst.token, body });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

const newest = async () => (await trailOf(testData.organizationId)).at(-1)!;
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

test('an entry names the actor, its token, the request and what has changed', async () => {
  const id = await openIncident('Stolen laptop');
  const request = 'request-of-the-entry';
  await gateway.rest.call('PATCH', `${incidents()}/${id}`, {
    token: testData.analyst.token,
    headers: { 'x-request-id': request },
    body: { severity: 'LOW', title: 'Stolen laptop' },
  });
  const row = await newest();
  expect(row).toMatchObject({ action: 'INCIDENT_UPDATED', actor: testData.analyst.id, subject: `INCIDENT/${id}` });
  expect(JSON.parse(row.entry)).toEqual({
    action: 'INCIDENT_UPDATED',
    actor: { type: 'USER', id: testData.analyst.id, token: expect.any(Number), address: expect.any(Object) },
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    changes: { severity: { before: 'HIGH', after: 'LOW' } },
    request,
    state: { version: 2 },
    subject: { type: 'INCIDENT', id: String(id), name: 'Stolen laptop' },
  });
});

test('the address of the actor is encrypted under the key of the user and lost with it', async () => {
  await openIncident('Address');
  const { entry } = await newest();
  const { address } = JSON.parse(entry).actor as { address: SealedValue };
  expect(entry).not.toContain('127.0.0.1');
  const [{ key } = { key: null }] = await sql<{ key: Buffer }>(
    'select personal_key as key from app_user where id = $1',
    [testData.analyst.id],
  );
  expect(unseal(address, key)).toMatch(/127\.0\.0\.1$/);
  expect(unseal(address, null)).toBeUndefined();
  expect(unseal(address, Buffer.alloc(32))).toBeUndefined();
});

test('no two values are sealed with the same nonce, and one that is repeated is sealed once', () => {
  const key = Buffer.alloc(32, 7);
  const sealedNow = (value: string) => seal(new PersonalValue(testData.analyst.id, value), key);
  const nonces = Array.from({ length: 600 }, (_, at) => {
    const sealed = sealedNow(`127.0.0.${at % 2}`);
    expect(unseal(sealed, key)).toBe(`127.0.0.${at % 2}`);
    return Buffer.from(sealed.sealed!, 'base64url').toString('hex', 0, 12);
  });
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(sealedNow('127.0.0.3')).toEqual(sealedNow('127.0.0.3'));
  expect(seal(new PersonalValue(testData.analyst.id, '127.0.0.3'), Buffer.alloc(32, 8))).not.toEqual(
    sealedNow('127.0.0.3'),
  );
});

test('each entry carries the SHA-256 of the hash before it and of its own text', async () => {
  for (const title of ['First', 'Second “quoted” ü \u{1F512}', 'Third']) await openIncident(title);
  let hash = sha256(`organization/${testData.organizationId}`);
  const rows = await trailOf(testData.organizationId);
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  for (const row of rows) {
    hash = sha256(hash, row.entry);
    expect(row.hash).toEqual(hash);
  }
});

test('the trail of an organization begins with its creation, whatever its texts and names look like', async () => {
  const name = '","subject":{"id":"1';
  const body = {
    name,
    compliance_frameworks: [{ value: 'NIS2', fields: { entity_type: 'essential', subject: { id: '7' } } }],
  };
  const { token, id: owner } = testData.owner;
  const answer = await gateway.rest.post('/api/v1/organizations', { token, body });
  expectStatus(answer, 201);
  const { id, created_at } = answer.body.data;
  const [row, ...others] = await trailOf(id);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ position: 1, action: 'ORGANIZATION_CREATED', subject: `ORGANIZATION/${id}` });
  expect(row!.hash).toEqual(sha256(sha256(`organization/${id}`), row!.entry));
  const { subject, actor, at, changes } = JSON.parse(row!.entry);
  expect({ subject, at }).toEqual({ subject: { type: 'ORGANIZATION', id: String(id), name }, at: created_at });
  expect(actor).toMatchObject({ type: 'USER', id: owner });
  expect(changes.complianceFrameworks).toEqual({ after: body.compliance_frameworks });
  expect(await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail/verification`, { token })).toMatchObject({
    body: { data: { valid: true, entries: 1 } },
  });
});

test('entries that are appended at the same time take one place each', async () => {
  const before = (await trailOf(testData.organizationId)).length;
  await Promise.all(Array.from({ length: 24 }, (_, number) => openIncident(`Parallel ${number}`)));
  const rows = await trailOf(testData.organizationId);
  expect(rows).toHaveLength(before + 24);
  expect(rows.at(-1)!.position).toBe(before + 24);
});

test('a change that is refused leaves no entry', async () => {
  const id = await openIncident('Refused');
  const before = await newest();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  const answer = await gateway.rest.call('PATCH', `${incidents()}/${id}`, {
    token: testData.analyst.token,
    body: { aware_at: future },
  });
  expect(answer.status).toBe(400);
  expect((await newest()).position).toBe(before.position);
});

describe('entries, checkpoints and heads cannot be changed, not even by the owner of the tables', () => {
  test.each([
    'update audit_entry set entry = entry',
    'delete from audit_entry',
    'truncate audit_entry',
    'delete from audit_log',
    'truncate audit_log',
    'update audit_log set position = position - 1',
    'update audit_log set organization_id = organization_id + 1000, position = position + 1',
    'truncate audit_checkpoint',
  ])('%s', async (statement) => {
    await openIncident('Kept');
    await expect(sql(statement)).rejects.toThrow(/append-only/);
  });
});

describe('canonical JSON is written as a published implementation of RFC 8785 writes it', () => {
  test.each<[string, object]>([
    ['keys in another order', { b: 1, a: { d: 2, c: 3 }, '': 0 }],
    ['keys that are numbers', { 10: 'ten', 9: 'nine', 1: 'one', '01': 'text' }],
    ['keys beyond ASCII', { '\u{1F600}': 1, '\uFB33': 2, ö: 3, '\u0080': 4, '\r': 5, '€': 6 }],
    ['strings with what JSON escapes', ['"\\/\b\f\n\r\t\u0000\u001F\u007F\u2028\u2029é\u{1F512}']],
    ['numbers', [0, -0, 1e21, 1e-7, 333333333.3333333, 5e-324, Number.MAX_SAFE_INTEGER, 0.1 + 0.2]],
    ['literals and empty values', [true, false, null, '', [], {}, [[]], [{}]]],
    ['values that JSON has not', { absent: undefined, list: [undefined, 1], first: undefined, last: 'here' }],
    ['instants', { at: new Date('2026-11-22T10:11:12.013Z') }],
  ])('%s', (_name, value) => expect(canonicalJson(value)).toBe(canonicalize(value)));
});

test('texts that are not well-formed are made so, as keys and as values', () => {
  expect(canonicalJson({ '\uD800': ['a\uDC00'] })).toBe('{"\uFFFD":["a\uFFFD"]}');
});

interface Entry {
  action: AuditAction;
  actor: { type: string; id: string };
  subject: { type: string; id: string; name: unknown; parent?: { type: string; id: string } };
  changes?: Record<string, { before?: unknown; after?: unknown }>;
  reason?: string;
}

await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

/** Entries that `work` has added to the trails of the organization and of users, oldest first. */
async function added(work: () => Promise<unknown>): Promise<{ text: string; entries: Entry[] }> {
  const since = new Date();
  await work();
  const rows = await gateway.app.database.rows<{ entry: string }>(
    `select entry from audit_entry where at >= $1 order by log_id, position`,
    [since.toISOString()],
  );
  return { text: rows.map(({ entry }) => entry).join('\n'), entries: rows.map(({ entry }) => JSON.parse(entry)) };
}

async function mutate(document: string, variables: object, { token } = testData.owner) {
  const answer = await gateway.graphql.call(document, { token, variables });
  withStory(answer, () => expect(answer.body.errors).toBeUndefined());
  return answer.body.data;
}

async function upload(content: string, { token }: Person) {
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-directive/documents/21.2.a/versions`;
  const body = {
    filename: `${content}.txt`,
    content: Buffer.from(content).toString('base64'),
    content_type: 'text/plain',
  };
  const answer = await gateway.rest.post(path, { token, body });
  withStory(answer, () => expect(answer.status).toBe(201));
  return answer.body.data;
}

describe('changes of a state that is there already', () => {
  const organizationId = () => testData.organizationId;

  test('deleting and restoring a device leaves one entry each, repeating it none', async () => {
    const id = await buildCloudDefender(gateway.app.database, organizationId());
    const { entries } = await added(async () => {
      await mutate(
        'mutation ($id: ID!) { deleteCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } } }',
        { id },
      );
      const restore =
        'mutation ($id: ID!) { restoreCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } } }';
      await mutate(restore, { id });
      await mutate(restore, { id });
    });
    expect(entries.map(({ action }) => action)).toEqual(['DEVICE_DELETED', 'DEVICE_RESTORED']);
    expect(entries[0]!.subject).toMatchObject({ type: 'CLOUD_DEFENDER', id: String(id) });
  });

  test('closing and reopening an incident leaves one entry each, repeating it none', async () => {
    const open = `mutation ($id: ID!) { openIncident(input: { organizationId: $id, title: "Twice", severity: LOW }) { incident { databaseId } } }`;
    const { openIncident } = await mutate(open, { id: organizationId() });
    const variables = { id: openIncident.incident.databaseId, organization: organizationId() };
    const { entries } = await added(async () => {
      for (const name of ['closeIncident', 'closeIncident', 'reopenIncident', 'reopenIncident'])
        await mutate(
          `mutation ($organization: ID!, $id: ID!) { ${name}(input: { organizationId: $organization, incidentId: $id }) { incident { id } } }`,
          variables,
        );
    });
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['INCIDENT_CLOSED', { status: { before: 'OPEN', after: 'CLOSED' } }],
      ['INCIDENT_REOPENED', { status: { before: 'CLOSED', after: 'OPEN' } }],
    ]);
  });

  test('alert preferences leave an entry when one of them is another', async () => {
    const set = (atb: boolean) =>
      mutate(
        'mutation ($id: ID!, $atb: Boolean) { updateAlerts(input: { organizationId: $id, atb: $atb }) { alerts { atb } } }',
        { id: organizationId(), atb },
      );
    const { entries } = await added(async () => {
      await set(false);
      await set(false);
    });
    expect(entries).toMatchObject([{ action: 'MEMBER_UPDATED', changes: { atb: { before: true, after: false } } }]);
  });

  test('mail preferences leave an entry when one of them is another', async () => {
    const set = (incident: string) =>
      mutate(
        'mutation ($id: ID!, $incident: MailDelivery) { updateMailPreferences(input: { organizationId: $id, incident: $incident }) { mailPreferences { incident } } }',
        { id: organizationId(), incident },
      );
    const { entries } = await added(async () => {
      await set('NEVER');
      await set('NEVER');
    });
    expect(entries).toMatchObject([
      {
        action: 'MEMBER_UPDATED',
        changes: { mailPreferences: { before: { incident: 'URGENT_ONLY' }, after: { incident: 'NEVER' } } },
      },
    ]);
  });

  test('an organization that is sent back as it is leaves no entry', async () => {
    const path = `/api/v1/organizations/${organizationId()}`;
    const { token } = testData.owner;
    const { name, website, sectors, contacts } = (await gateway.rest.get(path, { token })).body.data;
    const { entries } = await added(() =>
      gateway.rest.call('PATCH', path, { token, body: { name, website, sectors, contacts } }),
    );
    expect(entries).toEqual([]);
  });
});

describe('what no trail may contain', () => {
  test('the key and the plug-in configuration of a threat blocker show as changed', async () => {
    const id = await buildThreatBlocker(gateway.app.database, testData.organizationId);
    const { text, entries } = await added(async () => {
      await mutate(
        'mutation ($id: ID!) { updateThreatBlocker(input: { threatBlockerId: $id, plugin: { name: "p", config: { password: "hunter2" } } }) { threatBlocker { id } } }',
        { id },
      );
      await mutate('mutation ($id: ID!) { rotateAtbKey(input: { threatBlockerId: $id }) { threatBlocker { id } } }', {
        id,
      });
    });
    expect(entries.map(({ action }) => action)).toEqual(['DEVICE_UPDATED', 'DEVICE_KEY_ROTATED']);
    expect(entries[0]!.changes).toMatchObject({ pluginConfig: { after: 'changed' } });
    expect(entries[1]!.changes).toEqual({ atbKey: { after: 'changed' } });
    expect(text).not.toContain('hunter2');
  });

  test('tokens, invited addresses, contacts and names of users do not stand in a trail', async () => {
    const { token } = testData.owner;
    const { text, entries } = await added(async () => {
      const made = await mutate(
        'mutation { createApiToken(input: { name: "Backup", scopes: [READ] }) { token apiToken { id } } }',
        {},
      );
      expect(made.createApiToken.token).toMatch(/^scp_/);
      await mutate(
        'mutation ($id: ID!) { inviteMember(input: { organizationId: $id, email: "new.person@example.com", role: VIEWER }) { invitation { id } } }',
        { id: testData.organizationId },
      );
      await mutate('mutation { updateProfile(input: { firstName: "Wilhelmina" }) { user { firstName } } }', {});
      await gateway.rest.call('PATCH', `/api/v1/organizations/${testData.organizationId}`, {
        token,
        body: {
          contacts: [
            { name: 'Contact Person', role: 'CISO', email: 'contact@example.com', phone: '', email_report: false },
          ],
        },
      });
    });
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'MEMBER_INVITED',
      'ORGANIZATION_UPDATED',
      'PROFILE_UPDATED',
      'TOKEN_CREATED',
    ]);
    for (const secret of [
      'scp_',
      'inv_',
      'new.person',
      'Wilhelmina',
      'Contact Person',
      'contact@',
      token,
      testData.owner.username,
    ])
      expect(text).not.toContain(secret);
  });
});

test('a version that makes way for a newer one leaves a tombstone and notifies its uploader and the officers', async () => {
  const first = await upload('policy of the officer', testData.officer);
  const { entries } = await added(async () => {
    for (let number = 0; number < 10; number += 1) await upload(`junk ${number}`, testData.analyst);
  });
  const trimmed = entries.filter(({ action }) => action === 'DOCUMENT_TRIMMED');
  expect(trimmed).toMatchObject([
    {
      actor: { type: 'USER', id: testData.analyst.id },
      subject: {
        type: 'DOCUMENT_VERSION',
        id: String(first.id),
        name: 'policy of the officer.txt',
        parent: { type: 'CONTROL', id: 'nis2-directive/21.2.a' },
      },
      changes: {
        sha256: { before: expect.stringMatching(/^[0-9a-f]{64}$/) },
        uploader: { before: testData.officer.id },
      },
    },
  ]);
  const titles = async ({ token }: Person) =>
    (await gateway.rest.get('/api/v1/notifications?limit=100', { token })).body.data.map(
      ({ title }: { title: string }) => title,
    ) as string[];
  expect(await titles(testData.officer)).toContain('Document version removed');
  expect(await titles(testData.owner)).toContain('Document version removed');
  expect(await titles(testData.viewer)).not.toContain('Document version removed');
});

test('a deleted file that was the copy of a report says of which one', async () => {
  const { organizationId, analyst } = testData;
  const incidentId = await openIncident('Reported');
  const form = new FormData();
  form.append('file', new Blob(['As it was sent'], { type: 'text/plain' }), 'sent.txt');
  const path = `${incidents()}/${incidentId}/attachments`;
  const headers = { 'x-service-token': analyst.token };
  const attached = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: form });
  const { id } = ((await attached.json()) as { data: { id: number } }).data;
  await sql(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_by, recorded_by, attachment_id)
     values ($1, $2, 'nis2', 'NOTIFICATION', $3, $3, $4)`,
    [organizationId, incidentId, analyst.username, id],
  );
  const { entries } = await added(async () =>
    expectStatus(await gateway.rest.delete(`${path}/${id}`, { token: analyst.token }), 200),
  );
  expect(entries.find(({ action }) => action === 'ATTACHMENT_DELETED')!.changes).toMatchObject({
    filename: { before: 'sent.txt' },
    copyOf: { before: [{ regimeId: 'nis2', stage: 'NOTIFICATION', number: 1 }] },
  });
});

test('the token of an entry is the object that owners manage, and null once it has ended', async () => {
  const { owner, officer, analyst } = testData;
  const id = await openIncident('Lost badge');
  const read = (token: string) =>
    gateway.graphql.call(
      `query ($id: ID!) { node(id: $id) { ... on Incident { history(first: 1) { nodes { actor { tokenId token { databaseId member { username } } } } } } } }`,
      { token, variables: { id: `Incident:${id}` } },
    );
  const actorIn = ({ body }: Awaited<ReturnType<typeof read>>) =>
    (body.data as { node: { history: { nodes: { actor: { tokenId: number; token: unknown } }[] } } }).node.history
      .nodes[0]!.actor;
  const seen = actorIn(await read(owner.token));
  expect(seen.token).toEqual({ databaseId: seen.tokenId, member: { username: analyst.username } });

  const refused = await read(officer.token);
  expect(actorIn(refused).token).toBeNull();
  expect(refused.body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);

  await sql('update api_token set revoked_at = now() where id = $1', [seen.tokenId]);
  const ended = await read(owner.token);
  expect(ended.body.errors).toBeUndefined();
  expect(actorIn(ended)).toEqual({ tokenId: seen.tokenId, token: null });
});

const LEAVING = {
  removed: (id: number, person: Person) =>
    gateway.rest.delete(`/api/v1/organizations/${id}/users/${person.id}`, { token: testData.owner.token }),
  'on its own': (id: number, { token }: Person) => gateway.rest.post(`/api/v1/organizations/${id}/leave`, { token }),
  erased: (_: number, { token, username }: Person) =>
    gateway.rest.delete(`/api/v1/profile?username=${username}`, { token }),
};

test.each(Object.entries(LEAVING))(
  'controls of a member who goes (%s) have an entry for their lost owner',
  async (_, go) => {
    const { organizationId: id, owner } = testData;
    const person = await newMember(gateway.app.database, id, 'VIEWER');
    const path = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/controls`;
    const body = { control_ids: ['21.2.c', '21.2.d'], changes: { owner_id: person.id } };
    expectStatus(await gateway.rest.call('PATCH', path, { token: owner.token, body }), 200);
    const { entries } = await added(async () => expectStatus(await go(id, person), 200));
    const released = entries.filter(({ action }) => action === 'CONTROL_UPDATED');
    expect(released.map(({ subject }) => subject).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      body.control_ids.map((control) => ({
        type: 'CONTROL',
        id: `nis2-directive/${control}`,
        name: expect.stringMatching(/./),
        parent: { type: 'WORKFLOW', id: 'nis2-directive' },
      })),
    );
    for (const { changes } of released) expect(changes).toEqual({ ownerId: { before: person.id, after: null } });
    const control = await gateway.rest.get(`${path}/21.2.c`, { token: owner.token });
    expect(control.body.data).toMatchObject({ owner: null });
  },
);

test.each([true, false])('the entry of a member who is removed says whether it was active: %s', async (active) => {
  const { organizationId: id, owner } = testData;
  const person = await newMember(gateway.app.database, id, 'VIEWER');
  const path = `/api/v1/organizations/${id}/users/${person.id}`;
  expectStatus(await gateway.rest.call('PATCH', path, { token: owner.token, body: { active } }), 200);
  const { entries } = await added(async () => expectStatus(await LEAVING.removed(id, person), 200));
  expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
    ['MEMBER_REMOVED', { role: { before: 'VIEWER' }, active: { before: active } }],
  ]);
});

test('a transfer has an entry for the role of each: of the member, and of the earlier owner', async () => {
  const earlier = await buildPerson(gateway.app.database, 'earlier');
  const made = await gateway.rest.post('/api/v1/organizations', { token: earlier.token, body: { name: 'Handed on' } });
  const { id } = made.body.data as { id: number };
  const heir = await newMember(gateway.app.database, id, 'VIEWER');
  const path = `/api/v1/organizations/${id}/transfer`;
  const { entries } = await added(async () =>
    expectStatus(await gateway.rest.post(path, { token: earlier.token, body: { user_id: heir.id } }), 200),
  );
  expect(entries.map(({ action, subject, changes }) => [action, subject.id, changes!['role']])).toEqual([
    ['MEMBER_UPDATED', earlier.id, { before: 'ORGANIZATION_OWNER', after: 'ORGANIZATION_MANAGER' }],
    ['OWNERSHIP_TRANSFERRED', heir.id, { before: 'VIEWER', after: 'ORGANIZATION_OWNER' }],
  ]);
});

test('an invitation that is sent again says until when its earlier link was valid', async () => {
  const { organizationId, owner } = testData;
  const path = `/api/v1/organizations/${organizationId}/invitations`;
  const body = { email: 'again@example.com', role: 'VIEWER' };
  const { data } = (await gateway.rest.post(path, { token: owner.token, body })).body;
  const { entries } = await added(async () =>
    expectStatus(await gateway.rest.post(`${path}/${data.id}/resend`, { token: owner.token }), 200),
  );
  const { changes } = entries.find(({ action }) => action === 'INVITATION_RESENT')!;
  expect(changes).toEqual({ expiresAt: { before: data.expires_at, after: expect.stringMatching(/Z$/) } });
});

test('a rotation says until when the token that it replaces goes on', async () => {
  const { token } = testData.owner;
  const body = { name: 'Nightly', scopes: ['READ'] };
  const { api_token: old } = (await gateway.rest.post('/api/v1/tokens', { token, body })).body.data;
  const { entries } = await added(() => gateway.rest.post(`/api/v1/tokens/${old.id}/rotate`, { token, body: {} }));
  const replaced = (await gateway.rest.get(`/api/v1/tokens/${old.id}`, { token })).body.data;
  const { changes } = entries.find(({ action }) => action === 'TOKEN_ROTATED')!;
  expect(changes).toMatchObject({ previousTokenUntil: { after: replaced.expires_at } });
});
