import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { PersonalValue, seal, unseal, type SealedValue } from '../../src/services/audit/personal-values.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';

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
