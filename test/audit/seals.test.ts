import { expect, test } from '@jest/globals';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIS, callThrough, dataOf, type Operation } from '../support/apis.js';
import { buildAuditEntry, tamperWith, verifyOffline, type SqlStatement } from '../support/audit.js';
import { allOf, attacks, cutAfter } from '../support/trail-attacks.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { requireKnownKeys } from '../../src/services/audit/known-keys.js';
import type { SignedCheckpoint } from '../../src/services/audit/trails.js';
import { startGateway } from '../support/gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { newKey } from '../support/idempotency.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join as joinOrganization } from '../support/test-data.js';

/** Manipulations of a trail by a database superuser without the key of the gateway, and their detection. */

const VERIFY: Operation = {
  rest: 'GET /api/v1/organizations/{id}/audit-trail/verification',
  graphql: `query ($id: ID!) { organization(id: $id) { auditTrailVerification {
    valid verified_from: verifiedFrom verified_up_to: verifiedUpTo entries checkpoints fault { position reason message } } } }`,
  at: 'organization.auditTrailVerification',
};

const CREATE = mutation(
  'POST /api/v1/organizations/{organization_id}/audit-trail/checkpoints',
  'createAuditCheckpoint',
  'checkpoint { log position hash at number previous key_id: keyId signature chain_signature: chainSignature }',
);

const ENTRIES = 27;
/** Positions of the checkpoints; the first one is signed by the gateway itself. */
const CHECKPOINTS = [1, 5, 12, 27];

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;

const rows = <Row extends object>(text: string, values: unknown[] = []) => database.rows<Row>(text, values);

interface Trail {
  organizationId: number;
  logId: number;
}

const storedIn = (folder: string) => join(gateway.dataDir, 'files', 'audit-checkpoints', folder);
const folderOf = ({ organizationId }: Trail) => storedIn(`organization/${organizationId}`);
/** Folder of the first checkpoints of trails. */
const beginningsWith = ({ organizationId }: Trail) => storedIn(`beginnings/${Math.floor(organizationId / 1000)}`);

interface StoredCheckpoint {
  log: string;
  position: number;
  number: number;
  signature: string;
}

/** The checkpoints of a trail in the storage, without a file that is being written. */
async function storedCheckpoints(trail: Trail): Promise<StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = [];
  for (const folder of [beginningsWith(trail), folderOf(trail)])
    for (const name of (await readdir(folder)).filter((each) => !each.startsWith('.')).toSorted())
      found.push(
        ...[JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredCheckpoint | StoredCheckpoint[]].flat(),
      );
  return found.filter(({ log }) => log === `organization/${trail.organizationId}`);
}

async function newTrail(): Promise<Trail> {
  const organizationId = await buildOrganization(database, 'To be kept');
  await joinOrganization(database, testData.officer, organizationId, 'SECURITY_OFFICER');
  await joinOrganization(database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
  for (let position = 1; position <= ENTRIES; position += 1) {
    await buildAuditEntry(database, organizationId, { changes: { title: { after: `Number ${position}` } } });
    if (CHECKPOINTS.slice(1).includes(position)) await create(organizationId);
  }
  const [{ id } = { id: 0 }] = await rows<{ id: number }>('select id from audit_log where organization_id = $1', [
    organizationId,
  ]);
  return { organizationId, logId: id };
}

const create = async (organizationId: number, api: (typeof APIS)[number] = 'REST') =>
  dataOf(await callThrough(api, gateway, CREATE, { organization_id: organizationId }, testData.officer.token));

const verified = async ({ organizationId }: Trail, api: (typeof APIS)[number] = 'REST') =>
  dataOf(await callThrough(api, gateway, VERIFY, { id: organizationId }, testData.officer.token));

const tamper = (...statements: SqlStatement[]) => tamperWith(database, ...statements);

test.each(attacks(rows))(
  '$what is found and named through both APIs, and nothing is signed',
  async ({ attack, found }) => {
    const trail = await newTrail();
    expect(await verified(trail)).toMatchObject({ valid: true, checkpoints: CHECKPOINTS.length });
    await tamper(...(await attack(trail.logId)));
    for (const api of APIS) {
      const { valid, fault } = await verified(trail, api);
      expect([api, valid, fault]).toEqual([api, false, found]);
    }
    const rest = await gateway.rest.post(`/api/v1/organizations/${trail.organizationId}/audit-trail/checkpoints`, {
      token: testData.officer.token,
    });
    expectStatus(rest, 409);
    expect(rest.headers.get('conflict-reason')).toBe('AUDIT_TRAIL_FAULT');
    const query = `mutation { createAuditCheckpoint(input: { organizationId: ${trail.organizationId} }) { checkpoint { position } } }`;
    const { body } = await gateway.graphql.call(query, testData.officer);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'CONFLICT', reason: 'AUDIT_TRAIL_FAULT' } }] });
    const url = `${gateway.url}/api/v1/organizations/${trail.organizationId}/audit-trail.ndjson`;
    const exported = await fetch(url, { headers: { 'x-service-token': testData.officer.token } });
    expect([exported.status, exported.headers.get('audit-trail-fault')]).toEqual([
      ...[409, `${found.reason}; position=${found.position}`],
    ]);
  },
);

/** Key of the gateway: a copy of the database that diverged has checkpoints that are signed with it. */
const key = new CheckpointKey(gateway.config.secretKey);

type Said = Partial<Pick<SignedCheckpoint, 'hash' | 'previous'>> & { number: number; position: number };

/** A checkpoint of an entry that is signed with the key but was not created for this trail. */
async function signedElsewhere({ organizationId, logId }: Trail, said: Said) {
  const [entry] = await rows<{ hash: Buffer }>('select hash from audit_entry where log_id = $1 and position = $2', [
    ...[logId, Math.min(said.position, ENTRIES)],
  ]);
  const about = {
    log: `organization/${organizationId}`,
    hash: entry!.hash.toString('hex'),
    at: '2020-02-02T02:02:02.000Z',
  };
  return key.sign({ ...about, ...said });
}

const bytes = (text: string | undefined, encoding: 'hex' | 'base64url') =>
  text === undefined ? null : Buffer.from(text, encoding);
const COLUMNS = 'log_id, position, hash, created_at, key_id, signature, number, previous, chain_signature';

const inserted = ({ logId }: Trail, made: SignedCheckpoint): SqlStatement => [
  `insert into audit_checkpoint (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  [
    ...[logId, made.position, bytes(made.hash, 'hex'), made.at, made.keyId, bytes(made.signature, 'base64url')],
    ...[made.number, bytes(made.previous, 'hex'), bytes(made.chainSignature, 'base64url')],
  ],
];

const refusedToSign = async ({ organizationId }: Trail) => {
  const path = `/api/v1/organizations/${organizationId}/audit-trail/checkpoints`;
  const answer = await gateway.rest.post(path, { token: testData.officer.token });
  expect([answer.status, answer.headers.get('conflict-reason')]).toEqual([409, 'AUDIT_TRAIL_FAULT']);
  const log = `organization/${organizationId}`;
  return rows('select reason, position::int, message from audit_fault where log = $1', [log]);
};

test.each<[what: string, said: Said, found: { position: number; reason: string; message: string }]>([
  [
    'has a gap before it',
    { number: 6, position: 20 },
    {
      ...{ position: 20, reason: 'CHECKPOINT_MISSING' },
      message: 'Checkpoint 5 is missing, before the one of entry 20.',
    },
  ],
  [
    'is of an entry that the trail does not have',
    { number: 5, position: 28 },
    {
      ...{ position: 28, reason: 'CHECKPOINT_MISMATCH' },
      message: 'A checkpoint was signed for entry 28, which stands behind the head of the trail.',
    },
  ],
  [
    'is of another entry',
    { number: 5, position: 20, hash: '00'.repeat(32) },
    {
      ...{ position: 20, reason: 'CHECKPOINT_MISMATCH' },
      message: 'The checkpoint of entry 20 was signed for another entry.',
    },
  ],
  [
    'follows others',
    { number: 5, position: 20, previous: '00'.repeat(32) },
    {
      ...{ position: 20, reason: 'CHECKPOINT_MISMATCH' },
      message: 'The checkpoint of entry 20 was signed for another entry.',
    },
  ],
])(
  'a checkpoint of the key that no seal counts and that %s is found, and nothing is signed',
  async (_what, said, found) => {
    const trail = await newTrail();
    await tamper(inserted(trail, await signedElsewhere(trail, said)));
    expect(await refusedToSign(trail)).toEqual([found]);
    for (const api of APIS) expect((await verified(trail, api)).fault).toEqual(found);
    // No seal includes the inserted checkpoint: the trail is valid again without it.
    await tamper(['delete from audit_checkpoint where log_id = $1 and number = $2', [trail.logId, said.number]]);
    expect(await verified(trail)).toMatchObject({ valid: true, checkpoints: CHECKPOINTS.length });
  },
);

test('a checkpoint of another key that no seal counts is found, and nothing is signed', async () => {
  const trail = await newTrail();
  const made = await signedElsewhere(trail, { number: 5, position: 20 });
  await tamper(inserted(trail, { ...made, at: '2021-02-02T02:02:02.000Z' }));
  const found = {
    ...{ position: 20, reason: 'SIGNATURE_INVALID' },
    message: 'The checkpoint of entry 20 is not signed with the key of this gateway.',
  };
  expect(await refusedToSign(trail)).toEqual([found]);
  for (const api of APIS) expect((await verified(trail, api)).fault).toEqual(found);
});

test.each([
  [2, 12],
  [4, 27],
])(
  'another checkpoint of the key and of the same entry in the place of number %i is found at entry %i',
  async (number, position) => {
    const trail = await newTrail();
    const [own] = await rows<{ position: number; previous: Buffer }>(
      'select position, previous from audit_checkpoint where log_id = $1 and number = $2',
      [trail.logId, number],
    );
    const said = { number, position: own!.position, previous: own!.previous.toString('hex') };
    await tamper(
      ['delete from audit_checkpoint where log_id = $1 and number = $2', [trail.logId, number]],
      inserted(trail, await signedElsewhere(trail, said)),
    );
    const message = `The checkpoint of entry ${position} was signed for another entry.`;
    for (const api of APIS)
      expect((await verified(trail, api)).fault).toEqual({ position, reason: 'CHECKPOINT_MISMATCH', message });
  },
);

test('a database that has another newest checkpoint than the storage is found, and nothing is signed', async () => {
  const trail = await newTrail();
  const file = join(folderOf(trail), '0000000004.json');
  await writeFile(file, JSON.stringify(await signedElsewhere(trail, { number: 4, position: 27 })));
  const found = {
    ...{ position: 27, reason: 'CHECKPOINT_MISMATCH' },
    message: 'Checkpoint 4 of the storage, of entry 27, is not the one of the trail.',
  };
  expect(await refusedToSign(trail)).toEqual([found]);
  for (const api of APIS) expect((await verified(trail, api)).fault).toEqual(found);
});

test('the daily job signs other trails when one has a violation, and when the storage cannot be read for one', async () => {
  const [violated, unreadable, healthy] = [await newTrail(), await newTrail(), await newTrail()];
  for (const { organizationId } of [violated, unreadable, healthy]) await buildAuditEntry(database, organizationId);
  await tamper(['delete from audit_checkpoint where log_id = $1 and position = 27', [violated.logId]]);
  const folder = folderOf(unreadable);
  await rename(folder, `${folder}-away`);
  await writeFile(folder, 'no folder');
  const job = () => gateway.app.jobs.run('auditCheckpoints.createDue');
  const newest = async ({ logId }: Trail) =>
    (await rows<{ at: number }>('select max(position)::int as at from audit_checkpoint where log_id = $1', [logId]))[0]!
      .at;
  const message = `not signed: audit trails ${unreadable.logId}`;
  await expect(job()).rejects.toMatchObject({ message, cause: { code: 'UNAVAILABLE' } });
  expect(await Promise.all([violated, unreadable, healthy].map(newest))).toEqual([12, 27, 28]);
  await rm(folder);
  await rename(`${folder}-away`, folder);
  await job();
  expect(await Promise.all([violated, unreadable, healthy].map(newest))).toEqual([12, 28, 28]);
});

test('a trail that was deleted and begun anew by the next change is found', async () => {
  const trail = await newTrail();
  await tamper(...allOf(trail.logId, 'audit_entry', 'audit_checkpoint', 'audit_seal', 'audit_log'));
  await buildAuditEntry(database, trail.organizationId);
  for (const api of APIS)
    expect((await verified(trail, api)).fault).toMatchObject({ position: 27, reason: 'CHECKPOINT_MISSING' });
});

test('a whole trail set back to an earlier state with its seal is found by the storage', async () => {
  const trail = await newTrail();
  const { logId } = trail;
  const [seal] = await rows<Record<string, unknown>>('select * from audit_seal where log_id = $1', [logId]);
  await buildAuditEntry(database, trail.organizationId);
  await create(trail.organizationId);
  await tamper(
    ...cutAfter(logId, 27),
    ['delete from audit_checkpoint where log_id = $1 and position > 27', [logId]],
    [
      `update audit_seal set position = $2, hash = $3, checkpoints = $4, digest = $5, mac = $6 where log_id = $1`,
      [logId, seal!['position'], seal!['hash'], seal!['checkpoints'], seal!['digest'], seal!['mac']],
    ],
  );
  expect((await verified(trail)).fault).toEqual({
    ...{ position: 28, reason: 'CHECKPOINT_MISSING' },
    message: 'The storage has checkpoint 5, of entry 28, and the trail has not.',
  });
});

test('managers are notified of a violation once, members of lower roles are not, and the metrics count it', async () => {
  const trail = await newTrail();
  await tamper(['delete from audit_checkpoint where log_id = $1 and position = 12', [trail.logId]]);
  for (const api of [...APIS, ...APIS]) await verified(trail, api);
  const notified = await rows<{ id: string; message: string }>(
    `select user_id as id, message from notification where organization_id = $1 and title = 'The audit trail fails verification'`,
    [trail.organizationId],
  );
  expect(notified).toEqual([{ id: testData.manager.id, message: expect.stringContaining('Checkpoint 3 is missing') }]);
  const metrics = await gateway.app.metrics.text();
  expect(Number(/^gateway_audit_faults (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
});

test('a violation is recorded, and managers are notified, also if the request that finds it has an idempotency key', async () => {
  const trail = await newTrail();
  await tamper(...cutAfter(trail.logId, 26));
  const { organizationId } = trail;
  for (const headers of [newKey(), newKey()])
    expectStatus(
      await gateway.rest.post(`/api/v1/organizations/${organizationId}/audit-trail/checkpoints`, {
        token: testData.officer.token,
        headers,
      }),
      409,
    );
  expect(await rows('select reason from audit_fault where log = $1', [`organization/${organizationId}`])).toHaveLength(
    1,
  );
  expect(
    await rows(
      `select user_id from notification where organization_id = $1 and title = 'The audit trail fails verification'`,
      [organizationId],
    ),
  ).toHaveLength(1);
});

test('an organization goes on working after its trail was cut off, and its members are notified as before', async () => {
  const trail = await newTrail();
  await gateway.settled();
  await tamper(...cutAfter(trail.logId, 20));
  await verified(trail);
  const body = { title: 'After the cut', severity: 'HIGH' };
  const path = `/api/v1/v-ciso/incidents/${trail.organizationId}`;
  expectStatus(await gateway.rest.post(path, { token: testData.manager.token, body }), 201);
  await gateway.settled();
  const notified = await rows(
    `select 1 as one from notification where organization_id = $1 and message like '%After the cut%'`,
    [trail.organizationId],
  );
  expect(notified.length).toBeGreaterThan(0);
});

test('the storage has every checkpoint, the first one with others, and an export has all of them', async () => {
  const trail = await newTrail();
  const stored = await storedCheckpoints(trail);
  expect((await readdir(folderOf(trail))).toSorted()).toEqual([2, 3, 4].map((number) => `000000000${number}.json`));
  expect(stored.map(({ position, number }) => [number, position])).toEqual([
    [1, 1],
    [2, 5],
    [3, 12],
    [4, 27],
  ]);
  const text = await exported(trail);
  const signed = text
    .split('\n')
    .filter((line) => line.startsWith('{"earlier_checkpoint"'))
    .map((line) => (JSON.parse(line) as { earlier_checkpoint: { signature: string } }).earlier_checkpoint.signature);
  expect(signed).toEqual(stored.map(({ signature }) => signature));
  const result = await verifyOffline(text, await publishedKeys(), stored);
  expect(result).toEqual({ exitCode: 0, output: expect.stringMatching(/^valid up to position 28, /) });
});

const publishedKeys = async () => (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;

const exported = async ({ organizationId }: Trail) => {
  const url = `${gateway.url}/api/v1/organizations/${organizationId}/audit-trail.ndjson`;
  const answer = await fetch(url, { headers: { 'x-service-token': testData.officer.token } });
  expect(answer.status).toBe(200);
  return answer.text();
};

test.each<[what: string, change: (lines: string[]) => string[], found: RegExp]>([
  [
    'a checkpoint was taken out of',
    (lines) => lines.filter((line) => !line.includes('"number":3')),
    /checkpoint 3 is missing, before the one of entry 27/,
  ],
  [
    'a checkpoint was moved in',
    (lines) => {
      const at = lines.findIndex((line) => line.includes('"number":2'));
      return [...lines.toSpliced(at, 1).slice(0, at + 1), lines[at]!, ...lines.toSpliced(at, 1).slice(at + 1)];
    },
    /the checkpoint of entry 5 does not follow it/,
  ],
  [
    'an entry before a checkpoint was changed in',
    (lines) => lines.map((line) => line.replace('Number 5"', 'Number 6"')),
    /entry 5 was changed/,
  ],
])('offline it is found that %s an export', async (_what, change, found) => {
  const lines = (await exported(await newTrail())).trimEnd().split('\n');
  const result = await verifyOffline(change(lines).join('\n'), await publishedKeys());
  expect(result).toEqual({ exitCode: 1, output: expect.stringMatching(found) });
});

test.each(APIS)(
  'an entry put behind the head by SQL is set aside by the next change through %s, and recorded',
  async (api) => {
    const trail = await newTrail();
    await rows(
      `insert into audit_entry (log_id, position, entry, hash)
     select log_id, n, entry, hash from audit_entry cross join (values (28), (31)) as place(n) where log_id = $1 and position = 27`,
      [trail.logId],
    );
    expect((await verified(trail, api)).fault).toMatchObject({ position: 28, reason: 'HEAD_MISMATCH' });
    const OPEN = mutation('POST /api/v1/v-ciso/incidents/{organization_id}', 'openIncident', 'incident { title }');
    const input = { organization_id: trail.organizationId, title: 'Still working', severity: 'LOW' };
    const opened = dataOf(await callThrough(api, gateway, OPEN, input, testData.manager.token));
    expect(opened).toMatchObject({ title: 'Still working' });
    expect(await verified(trail, api)).toMatchObject({ valid: true, entries: 29 });
    const [entry] = await rows<{ entry: string }>('select entry from audit_entry where log_id = $1 and position = 29', [
      trail.logId,
    ]);
    expect(JSON.parse(entry!.entry)).toMatchObject({
      action: 'AUDIT_ENTRIES_SET_ASIDE',
      changes: { count: { after: 2 }, entries: { before: [{ position: 28 }, { position: 31 }] } },
    });
    expect(
      await rows('select position from audit_stray_entry where log_id = $1 order by position', [trail.logId]),
    ).toEqual([{ position: 28 }, { position: 31 }]);
    await gateway.settled();
    const notified = await rows<{ id: string }>(
      `select user_id as id from notification where organization_id = $1 and title like 'Entries not written by any gateway%'`,
      [trail.organizationId],
    );
    expect(notified).toEqual([{ id: testData.manager.id }]);
  },
);

test('a trail of an earlier version is sealed with the checkpoints that it has, which verify', async () => {
  const trail = await newTrail();
  const { logId } = trail;
  await tamper(
    ['update audit_checkpoint set previous = null, chain_signature = null where log_id = $1', [logId]],
    ...allOf(logId, 'audit_seal'),
  );
  for (const folder of [folderOf(trail), beginningsWith(trail)]) await rm(folder, { recursive: true });
  expect(await verified(trail)).toMatchObject({ valid: true, checkpoints: CHECKPOINTS.length });
  expect(await create(trail.organizationId)).toMatchObject({ position: 27 });
  await buildAuditEntry(database, trail.organizationId);
  expect(await create(trail.organizationId)).toMatchObject({ position: 28, number: 5 });
  expect(await storedCheckpoints(trail)).toHaveLength(5);
  const result = await verifyOffline(await exported(trail), await publishedKeys());
  expect(result).toEqual({ exitCode: 0, output: expect.stringMatching(/^valid up to position 29, /) });
});

test('a trail of an earlier version of which the storage has the first checkpoint alone is signed on', async () => {
  const organizationId = await buildOrganization(database, 'Of an earlier version');
  await joinOrganization(database, testData.officer, organizationId, 'SECURITY_OFFICER');
  await buildAuditEntry(database, organizationId);
  await create(organizationId);
  const [log] = await rows<{ id: number }>('select id from audit_log where organization_id = $1', [organizationId]);
  const trail = { organizationId, logId: log!.id };
  await tamper(
    ['update audit_checkpoint set previous = null, chain_signature = null where log_id = $1', [trail.logId]],
    ...allOf(trail.logId, 'audit_seal'),
  );
  await rm(beginningsWith(trail), { recursive: true });
  await buildAuditEntry(database, organizationId);
  expect(await create(organizationId)).toMatchObject({ position: 2, number: 2 });
  await rm(folderOf(trail), { recursive: true });
  await buildAuditEntry(database, organizationId);
  expect(await create(organizationId)).toMatchObject({ position: 3, number: 3 });
});

test('a violation is returned also if its alarm cannot be recorded', async () => {
  const trail = await newTrail();
  await tamper(['update audit_entry set hash = sha256(hash) where log_id = $1 and position = 3', [trail.logId]]);
  await rows('alter table audit_fault add constraint refused check (false) not valid');
  try {
    expect(await verified(trail)).toMatchObject({ valid: false, fault: { position: 3 } });
  } finally {
    await rows('alter table audit_fault drop constraint refused');
  }
});

test('a trail sealed and signed with an earlier secret key verifies if that key is configured, and is a violation without it', async () => {
  const trail = await newTrail();
  const violations = () =>
    rows<{ resolved: boolean }>(
      'select reason, resolved_at is not null as resolved from audit_fault where log = $1 order by reason',
      [`organization/${trail.organizationId}`],
    );
  const tampered = { reason: 'HASH_MISMATCH', resolved: false };
  await rows(
    `insert into audit_fault (log, reason, position, message, found_at) values ($1, 'HASH_MISMATCH', 3, 'Once.', now())`,
    [`organization/${trail.organizationId}`],
  );
  const own = gateway.config.secretKey;
  const secretKey = 'the secret key that comes after it';
  for (const [earlierSecretKeys, valid] of [
    [[], false],
    [[own], true],
    [[], false],
  ] as const) {
    const config = { secretKey, earlierSecretKeys, isEarlierKeyLost: !valid };
    const other = await startGateway({ config, database: gateway.database, dataDir: gateway.dataDir });
    try {
      const path = `/api/v1/organizations/${trail.organizationId}/audit-trail/verification`;
      expect(expectData(await other.rest.get(path, testData.officer))).toMatchObject({ valid });
      const published = await fetch(`${other.url}/.well-known/audit-keys.json`);
      const { keys } = (await published.json()) as { keys: { kid: string }[] };
      expect(keys.map(({ kid }) => kid)).toEqual([secretKey, ...earlierSecretKeys].map(keyIdOf));
      // Violations that do not depend on a key stay.
      expect(await violations()).toEqual([tampered, { reason: 'SIGNATURE_INVALID', resolved: valid }]);
    } finally {
      await other.close();
    }
  }
  const notified = `select 1 from notification where organization_id = $1 and title = 'The audit trail fails verification'`;
  expect(await rows(notified, [trail.organizationId])).toHaveLength(2);
});

test('a start without a key that trails were signed with is refused, unless the operator says that it is lost', async () => {
  await newTrail();
  const { app, config } = gateway;
  const own = { secretKey: config.secretKey, earlierSecretKeys: [], isEarlierKeyLost: false };
  const other = { ...own, secretKey: 'the secret key that comes after it' };
  await expect(requireKnownKeys(app.database, other)).rejects.toThrow(
    /were signed with another SECRET_KEY: set it again/,
  );
  for (const keys of [own, { ...other, earlierSecretKeys: [own.secretKey] }, { ...other, isEarlierKeyLost: true }])
    await expect(requireKnownKeys(app.database, keys)).resolves.toBeUndefined();
  // The oldest key has signed the first checkpoint of the first trail, one of the newest the last one of the last.
  await tamper([
    `insert into audit_checkpoint (log_id, position, hash, created_at, key_id, signature, number)
     select log_id, position + 1000, hash, created_at, key_id, signature, 1000 from audit_checkpoint where number = 1`,
    [],
  ]);
  const sign = (end: string, secretKey: string) =>
    tamper([
      `update audit_checkpoint c set key_id = $1 from (select ${end}(log_id) as log from audit_checkpoint) trail
        where log_id = trail.log and number = (select ${end}(number) from audit_checkpoint where log_id = trail.log)`,
      [keyIdOf(secretKey)],
    ]);
  for (const end of ['min', 'max']) {
    await sign(end, other.secretKey);
    await expect(requireKnownKeys(app.database, own)).rejects.toThrow(/EARLIER_SECRET_KEYS=lost/);
    await sign(end, own.secretKey);
    await expect(requireKnownKeys(app.database, own)).resolves.toBeUndefined();
  }
});

const keyIdOf = (secretKey: string) => new CheckpointKey(secretKey).ids[0];
