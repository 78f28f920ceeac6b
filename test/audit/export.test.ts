import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { PersonalValue } from '../../src/services/audit/personal-values.js';
import { record } from '../../src/services/audit/record.js';
import { recordUser } from '../../src/services/audit/subjects.js';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { buildAuditEntry, verifyOffline } from '../support/audit.js';
import { startGateway } from '../support/gateway.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, join } from '../support/test-data.js';

/** More than the gateway reads at a time. */
const MANY = 600;

const { gateway, testData } = await startSeededGateway();

async function newOrganization(name = 'Exported'): Promise<number> {
  const id = await buildOrganization(gateway.app.database, name);
  await join(gateway.app.database, testData.officer, id, 'SECURITY_OFFICER');
  await join(gateway.app.database, testData.analyst, id, 'SECURITY_ANALYST');
  return id;
}

function send(organizationId: number, format: string, method = 'GET'): Promise<Response> {
  const url = `${gateway.url}/api/v1/organizations/${organizationId}/audit-trail.${format}`;
  // Uncompressed: a compressed response could be too short to wait for its reader.
  const headers = { 'x-service-token': testData.officer.token, 'accept-encoding': 'identity' };
  return fetch(url, { method, headers });
}

const textOf = async (organizationId: number, format: string) => (await send(organizationId, format)).text();
/** Without the checkpoints before the last one. */
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('{"earlier_checkpoint"'));
const stored = (organizationId: number) =>
  gateway.app.database.rows<{ position: number; entry: string; hash: string }>(
    `select e.position, e.entry, encode(e.hash, 'hex') as hash from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 order by e.position`,
    [organizationId],
  );

test('an export has every entry as it is stored, its own one last, and a signed checkpoint of it', async () => {
  const id = await newOrganization();
  for (let number = 0; number < MANY; number += 1) await buildAuditEntry(gateway.app.database, id);
  const text = await textOf(id, 'ndjson');
  const lines = linesOf(text);
  const entries = await stored(id);
  expect(entries).toHaveLength(MANY + 1);
  expect(lines.slice(0, -1)).toEqual(
    entries.map(({ position, hash, entry }) => `{"position":${position},"hash":"${hash}","entry":${entry}}`),
  );
  const last = entries.at(-1)!;
  expect(JSON.parse(last.entry)).toMatchObject({
    action: 'AUDIT_TRAIL_EXPORTED',
    actor: { id: testData.officer.id },
    changes: { format: { after: 'ndjson' } },
    subject: { type: 'ORGANIZATION', id: String(id), name: 'Exported' },
  });
  const { checkpoint } = JSON.parse(lines.at(-1)!);
  expect(checkpoint).toMatchObject({ log: `organization/${id}`, position: MANY + 1, hash: last.hash });
  const keys = (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;
  expect((await verifyOffline(text, keys)).exitCode).toBe(0);
});

describe('an export that is larger than the buffers of a connection', () => {
  let id: number;

  // The gateway waits until it is read.
  beforeAll(async () => {
    id = await newOrganization();
    const changes = { description: { after: 'x'.repeat(40_000) } };
    for (let number = 0; number < MANY; number += 1) await buildAuditEntry(gateway.app.database, id, { changes });
  });

  test('does not have what is added while it is read, and is whole', async () => {
    const answer = await send(id, 'ndjson');
    await buildAuditEntry(gateway.app.database, id);
    expect(linesOf(await answer.text())).toHaveLength(MANY + 2);
  });

  test('ends when its client leaves in the middle', async () => {
    const answer = await send(id, 'ndjson');
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    expect((await send(id, 'csv')).status).toBe(200);
  });
});

test('the answers name a file of their kind, which no cache stores', async () => {
  const id = await newOrganization('Città & Co.');
  for (const [format, type] of [
    ['ndjson', 'application/x-ndjson'],
    ['csv', 'text/csv; charset=utf-8'],
  ] as const) {
    const { headers } = await send(id, format);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, 'no-store']);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`audit trail \\d{4}-\\d\\d-\\d\\d\\.${format}`));
  }
});

test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
  'the day in the name of a file is that of the organization: %s',
  async (zone) => {
    const { token } = testData.owner;
    const { body } = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Far away' } });
    const path = `/api/v1/organizations/${body.data.id}`;
    const changed = await gateway.rest.patch(`${path}/settings`, { token, body: { time_zone: zone } });
    expect(changed.status).toBe(200);
    const days = [0, 60_000].map((later) => new Date(Date.now() + later).toLocaleDateString('sv', { timeZone: zone }));
    for (const file of ['proof', 'audit-trail.csv']) {
      const { status, headers } = await fetch(gateway.url + `${path}/${file}`, {
        headers: { 'x-service-token': token },
      });
      const name = headers.get('content-disposition');
      expect([file, status, name]).toEqual([file, 200, expect.stringMatching(days.join('|'))]);
    }
  },
);

test('HEAD answers the headers and records nothing', async () => {
  const id = await newOrganization();
  const answer = await send(id, 'ndjson', 'HEAD');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(await stored(id)).toEqual([]);
});

test('no token, address, user name or e-mail address is readable in an export as NDJSON', async () => {
  const id = await newOrganization();
  const { analyst } = testData;
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const body = { title: 'Stolen laptop', severity: 'HIGH' };
  expectStatus(await gateway.rest.post(incidents, { token: analyst.token, body }), 201);
  await record(
    gateway.app.database,
    { kind: 'system', name: 'tests.record' },
    {
      ...{ organizationId: id, at: new Date(), action: 'MEMBER_JOINED' },
      subject: { type: 'MEMBER', id: analyst.id, name: new PersonalValue(analyst.id, analyst.username) },
    },
  );
  const text = await textOf(id, 'ndjson');
  expect(text).toContain('Stolen laptop');
  for (const person of [analyst, testData.officer])
    for (const secret of [person.token, person.username, '127.0.0.1', '@']) expect(text).not.toContain(secret);
});

test('a table has the names of persons, but for those who were erased', async () => {
  const id = await newOrganization();
  const erased = await buildPerson(gateway.app.database, 'erased');
  for (const { id: userId, username } of [testData.analyst, erased])
    await record(
      gateway.app.database,
      { kind: 'user', userId, tokenId: 31, personalKey: null, origin: { requestId: 'the-request' } },
      {
        ...{ organizationId: id, at: new Date('2026-11-20T08:15:30.500Z'), action: 'MEMBER_UPDATED' },
        subject: { type: 'MEMBER', id: userId, name: new PersonalValue(userId, username) },
        changes: { role: { before: 'VIEWER', after: 'SECURITY_ANALYST' } },
        reason: 'A new task',
      },
    );
  await gateway.app.database.rows('update app_user set personal_key = null where id = $1', [erased.id]);
  const [head, first, second, own] = (await textOf(id, 'csv')).split('\r\n');
  expect(head).toBe(
    'position,at,action,actor_type,actor,actor_id,token_id,address,request_id,subject_type,subject_id,subject,parent_type,parent_id,changes,reason,hash,via,client',
  );
  const { analyst } = testData;
  const changes = '"[{""field"":""role"",""before"":""VIEWER"",""after"":""SECURITY_ANALYST""}]"';
  const when = '2026-11-20T08:15:30.500Z,MEMBER_UPDATED,USER';
  expect(first).toMatch(
    new RegExp(`^1,${when},${analyst.username},${analyst.id},31,,the-request,MEMBER,${analyst.id},,,,`),
  );
  expect(first).toContain(`,${changes},A new task,`);
  expect(second).toContain(`2,${when},,${erased.id},31,,the-request,MEMBER,${erased.id},,,,`);
  expect(own).toContain(`AUDIT_TRAIL_EXPORTED,USER,${testData.officer.username},`);
});

test('a table begins with a byte order mark, but where a program wants none', async () => {
  const id = await newOrganization();
  const begins = async (query: string) => {
    const headers = { 'x-service-token': testData.officer.token };
    const path = `/api/v1/organizations/${id}/audit-trail.csv${query}`;
    return (await rawRequest(gateway.url, 'GET', path, { headers })).bytes.subarray(0, 6).toString();
  };
  expect([await begins(''), await begins('?bom=0')]).toEqual(['\ufeffpos', 'positi']);
});

test('a spreadsheet runs no cell of a table as a formula', async () => {
  const id = await newOrganization();
  const subject = { type: 'INCIDENT', id: 1, name: '=HYPERLINK("https://example.com")' } as const;
  await buildAuditEntry(gateway.app.database, id, { subject, reason: '@SUM(1)' });
  const text = await textOf(id, 'csv');
  expect(text).toContain(`"'=HYPERLINK(""https://example.com"")"`);
  expect(text).toContain(`,'@SUM(1),`);
});

describe('checkpoints', () => {
  const CREATE = mutation(
    'POST /api/v1/organizations/{organization_id}/audit-trail/checkpoints',
    'createAuditCheckpoint',
    'checkpoint { log position hash at key_id: keyId signature }',
  );
  const JOB = 'auditCheckpoints.createDue';

  const rows = <Row extends object>(text: string, values: unknown[] = []) =>
    gateway.app.database.rows<Row>(text, values);

  const headHash = async (organizationId: number) =>
    (await rows<{ hash: Buffer }>('select hash from audit_log where organization_id = $1', [organizationId]))[0]!.hash;

  const checkpointsOf = (organizationId: number) =>
    rows<{ position: number; signature: Buffer }>(
      `select c.position, c.signature from audit_checkpoint c join audit_log l on l.id = c.log_id
      where l.organization_id = $1 order by c.position`,
      [organizationId],
    );

  const publishedKeys = async () =>
    (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as { keys: JsonWebKey[] };

  async function isSigned(checkpoint: Record<'at' | 'hash' | 'log' | 'position' | 'key_id' | 'signature', string>) {
    const { at, hash, log, position, key_id: keyId, signature } = checkpoint;
    const jwk = (await publishedKeys()).keys.find(({ kid }) => kid === keyId);
    const text = Buffer.from(JSON.stringify({ at, hash, log, position }));
    return verify(null, text, createPublicKey({ key: jwk!, format: 'jwk' }), Buffer.from(signature, 'base64url'));
  }

  describe.each(APIS)('through %s', (api) => {
    const create = async (organizationId: number) =>
      dataOf(await callThrough(api, gateway, CREATE, { organization_id: organizationId }, testData.officer.token));

    test('a checkpoint signs the newest entry with the published key, and is stored', async () => {
      const id = await newOrganization();
      await buildAuditEntry(gateway.app.database, id);
      await buildAuditEntry(gateway.app.database, id);
      const checkpoint = await create(id);
      const hash = (await headHash(id)).toString('hex');
      expect(checkpoint).toMatchObject({ log: `organization/${id}`, position: 2, hash });
      expect(await isSigned(checkpoint)).toBe(true);
      expect(await isSigned({ ...checkpoint, position: 1 })).toBe(false);
      expect(await checkpointsOf(id)).toEqual([
        { position: 1, signature: expect.any(Buffer) },
        { position: 2, signature: Buffer.from(checkpoint.signature, 'base64url') },
      ]);
    });

    test('that nothing was recorded yet is signed as position 0', async () => {
      const id = await newOrganization();
      const checkpoint = await create(id);
      const hash = createHash('sha256').update(`organization/${id}`).digest('hex');
      expect(checkpoint).toMatchObject({ position: 0, hash });
      expect(await isSigned(checkpoint)).toBe(true);
    });
  });

  test('the daily job writes one checkpoint for each trail that has moved on, also for those of users', async () => {
    const { database, jobs } = gateway.app;
    const [moved, still] = [await newOrganization(), await newOrganization()];
    for (const id of [moved, still]) await buildAuditEntry(database, id);
    await recordUser(
      database,
      { kind: 'system', name: 'tests.record' },
      { userId: testData.viewer.id, username: testData.viewer.username },
      { action: 'PROFILE_UPDATED', at: new Date() },
    );
    await jobs.run(JOB);
    await buildAuditEntry(database, moved);
    await jobs.run(JOB);
    await jobs.run(JOB);
    expect((await checkpointsOf(moved)).map(({ position }) => position)).toEqual([1, 2]);
    expect((await checkpointsOf(still)).map(({ position }) => position)).toEqual([1]);
    const [ofUser] = await rows<{ at: string; key: string; signature: Buffer; hash: Buffer }>(
      `select c.created_at as at, c.key_id as key, c.signature, c.hash from audit_checkpoint c
       join audit_log l on l.id = c.log_id where l.user_id = $1`,
      [testData.viewer.id],
    );
    const { at, key, signature, hash } = ofUser!;
    expect(
      await isSigned({
        ...{ at, key_id: key, log: `user/${testData.viewer.id}`, position: 1 as never },
        hash: hash.toString('hex'),
        signature: signature.toString('base64url'),
      }),
    ).toBe(true);
  });

  test('the public key is published as a key set for everybody, under its thumbprint, and can be cached', async () => {
    const answer = await fetch(`${gateway.url}/.well-known/audit-keys.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jwk-set+json']);
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
    const [{ crv, kty, x, kid, ...rest }] = keys as [Record<string, string>];
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
    expect({ keys: keys.length, crv, kty, kid, rest }).toEqual({
      ...{ keys: 1, crv: 'Ed25519', kty: 'OKP', kid: thumbprint },
      rest: { alg: 'EdDSA', use: 'sig' },
    });
    const etag = answer.headers.get('etag')!;
    const again = await fetch(answer.url, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('another secret key is another signing key, and the same one the same', async () => {
    const keysOf = async (secretKey: string) => {
      const other = await startGateway({
        config: { secretKey, isEarlierKeyLost: true },
        database: gateway.database,
      });
      const text = await (await fetch(`${other.url}/.well-known/audit-keys.json`)).text();
      await other.close();
      return text;
    };
    const [one, other] = [await keysOf('a'.repeat(32)), await keysOf('b'.repeat(32))];
    expect(one).not.toBe(other);
    expect(await keysOf('a'.repeat(32))).toBe(one);
  });
});
