import { describe, expect, test } from '@jest/globals';
import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { startGateway } from '../support/gateway.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join } from '../support/test-data.js';

const CREATE = mutation(
  'POST /api/v1/organizations/{organization_id}/audit-trail/checkpoints',
  'createAuditCheckpoint',
  'checkpoint { log position hash at key_id: keyId signature }',
);
const JOB = 'auditCheckpoints.createDue';

const { gateway, testData } = await startSeededGateway();

const rows = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

async function newOrganization(): Promise<number> {
  const id = await buildOrganization(gateway.app.database, 'With checkpoints');
  await join(gateway.app.database, testData.officer, id, 'SECURITY_OFFICER');
  return id;
}

const headHash = async (organizationId: number) =>
  (await rows<{ hash: Buffer }>('select hash from audit_log where organization_id = $1', [organizationId]))[0]!.hash;

const stored = (organizationId: number) =>
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
    expect(await stored(id)).toEqual([{ position: 2, signature: Buffer.from(checkpoint.signature, 'base64url') }]);
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
  await rows(`insert into audit_log (user_id, position, hash) values ($1, 1, sha256('user'))`, [testData.viewer.id]);
  await jobs.run(JOB);
  await buildAuditEntry(database, moved);
  await jobs.run(JOB);
  await jobs.run(JOB);
  expect((await stored(moved)).map(({ position }) => position)).toEqual([1, 2]);
  expect((await stored(still)).map(({ position }) => position)).toEqual([1]);
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
    const other = await startGateway({ config: { secretKey }, database: gateway.database });
    const text = await (await fetch(`${other.url}/.well-known/audit-keys.json`)).text();
    await other.close();
    return text;
  };
  const [one, other] = [await keysOf('a'.repeat(32)), await keysOf('b'.repeat(32))];
  expect(one).not.toBe(other);
  expect(await keysOf('a'.repeat(32))).toBe(one);
});
