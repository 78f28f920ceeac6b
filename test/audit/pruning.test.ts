import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import pg from 'pg';
import type { Queryable } from '../../src/database/database.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { APIS, callThrough, dataOf, type Operation } from '../support/apis.js';
import { buildAuditEntry, exportedByOperator, tamperWith, verifyOffline, type SqlStatement } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { buildOrganization, buildPerson, buildWorkflow, join, type Person } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const VERIFY: Operation = {
  rest: 'GET /api/v1/organizations/{id}/audit-trail/verification',
  graphql: `query ($id: ID!) { organization(id: $id) { auditTrailVerification {
    valid verified_from: verifiedFrom verified_up_to: verifiedUpTo entries checkpoints fault { position reason message } } } }`,
  at: 'organization.auditTrailVerification',
};
const JOB = 'auditPruning.pruneDue';

/** Hours. */
const DAY = 24;
const RETENTION = 400;
const SIGNED = 4;

const clock = new TestClock();
let organizationId: number;

const { gateway, testData } = await startSeededGateway({ now: clock.now });

beforeEach(async () => {
  clock.set(0);
  const { database } = gateway.app;
  organizationId = await buildOrganization(database, 'With retention');
  await join(database, testData.officer, organizationId, 'SECURITY_OFFICER');
});

// The job prunes the trails of all cases.
afterEach(() => retainFor(null));

const rows = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);
const tamper = (...statements: SqlStatement[]) => tamperWith(gateway.app.database, ...statements);

const retainFor = (days: number | null) =>
  rows('update organization set audit_retention_days = $2 where id = $1', [organizationId, days]);
const add = (count: number) =>
  Array.from({ length: count }).reduce<Promise<void>>(
    (before) => before.then(() => buildAuditEntry(gateway.app.database, organizationId, { at: clock.now() })),
    Promise.resolve(),
  );

/** Signs the newest entry, and returns the response. */
async function sign(): Promise<object> {
  const path = `/api/v1/organizations/${organizationId}/audit-trail/checkpoints`;
  const answer = await gateway.rest.post(path, { token: testData.officer.token });
  expectStatus(answer, 201);
  return answer.body;
}

/** Four entries and their checkpoint, so many days ago, and two present entries. */
async function agedTrail(days = RETENTION + 2): Promise<object> {
  clock.set(-days * DAY);
  await add(SIGNED);
  const checkpoint = await sign();
  clock.set(0);
  await add(2);
  return checkpoint;
}

/** The same, pruned: entry 7 records that the first four were removed. */
async function prunedTrail(): Promise<object> {
  const checkpoint = await agedTrail();
  await retainFor(RETENTION);
  await gateway.app.jobs.run(JOB);
  return checkpoint;
}

const logId = async () =>
  (await rows<{ id: number }>('select id from audit_log where organization_id = $1', [organizationId]))[0]!.id;
const positions = async (table: 'audit_entry' | 'audit_checkpoint' = 'audit_entry') =>
  (
    await rows<{ position: number }>(`select position from ${table} where log_id = $1 order by position`, [
      await logId(),
    ])
  ).map(({ position }) => position);
const verified = async (api: (typeof APIS)[number] = 'REST', by = gateway) =>
  dataOf(await callThrough(api, by, VERIFY, { id: organizationId }, testData.officer.token));
const exported = async () => {
  const url = `${gateway.url}/api/v1/organizations/${organizationId}/audit-trail.ndjson`;
  return (await fetch(url, { headers: { 'x-service-token': testData.officer.token } })).text();
};
const expectRefused = async (reason: string, position: number) => {
  const url = `${gateway.url}/api/v1/organizations/${organizationId}/audit-trail.ndjson`;
  const { status, headers } = await fetch(url, { headers: { 'x-service-token': testData.officer.token } });
  expect([status, headers.get('audit-trail-fault')]).toEqual([409, `${reason}; position=${position}`]);
};
const publishedKeys = async () => (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;
const verifiedOffline = async (text: string, checkpoints: object[] = []) =>
  verifyOffline(text, await publishedKeys(), checkpoints);

describe('entries past their retention', () => {
  test.each(APIS)('are removed up to the newest checkpoint, and the rest verifies through %s', async (api) => {
    await prunedTrail();
    expect([await positions(), await positions('audit_checkpoint')]).toEqual([
      [5, 6, 7],
      [1, SIGNED],
    ]);
    expect(await verified(api)).toEqual({
      ...{ valid: true, verified_from: 5, verified_up_to: 7, entries: 3, checkpoints: 0, fault: null },
    });
    const list = await gateway.rest.get(
      `/api/v1/organizations/${organizationId}/audit-trail?limit=1`,
      testData.officer,
    );
    expect(list.body).toMatchObject({ total: 3, data: [{ position: 7 }] });
  });

  test('are counted, as the log says how many a job has deleted', async () => {
    await agedTrail();
    await retainFor(RETENTION);
    expect(await gateway.app.services.auditPruning.pruneDue()).toBe(SIGNED);
    expect(await gateway.app.services.auditPruning.pruneDue()).toBe(0);
  });

  test('are named by an evidence pack that lacks them', async () => {
    await buildWorkflow(gateway.app.database, organizationId, 'nis2-directive');
    const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/evidence-pack`;
    const headers = { 'x-service-token': testData.officer.token };
    const readme = async () => {
      const { bytes } = await rawRequest(gateway.url, 'GET', path, { headers });
      return new Map([...unzipped(bytes)]).get('README.txt')!.content.toString();
    };
    await agedTrail();
    expect(await readme()).not.toContain('Removed:');
    await retainFor(RETENTION);
    await gateway.app.jobs.run(JOB);
    expect(await readme()).toContain(
      `Removed:       The entries of the audit trail up to ${SIGNED}, after their retention`,
    );
  });

  test('are removed with a signed entry that names the last one', async () => {
    await prunedTrail();
    const [row] = await rows<{ entry: string }>('select entry from audit_entry where log_id = $1 and position = 7', [
      await logId(),
    ]);
    const { action, actor, subject, changes } = JSON.parse(row!.entry);
    expect({ action, actor, subject, changes }).toEqual({
      action: 'AUDIT_TRAIL_PRUNED',
      actor: { type: 'SYSTEM', id: JOB },
      subject: { type: 'ORGANIZATION', id: String(organizationId), name: 'With retention' },
      changes: {
        pruned: {
          after: {
            ...{ log: `organization/${organizationId}/pruned`, position: SIGNED, hash: expect.any(String) },
            ...{ at: clock.now().toISOString(), keyId: expect.any(String), signature: expect.any(String) },
          },
        },
      },
    });
  });

  test('are not missed offline, with a checkpoint from before', async () => {
    const checkpoint = await prunedTrail();
    expect(await verifiedOffline(await exported(), [checkpoint])).toEqual({
      exitCode: 0,
      output: expect.stringMatching(
        /^valid from position 5, before which entries were removed after their retention, up to position 8, checkpoint of 20/,
      ),
    });
  });

  test('are not missed by a verification that has begun before', async () => {
    await agedTrail();
    await retainFor(RETENTION);
    const { database } = gateway.app;
    let isPruned = false;
    const rows: Queryable['rows'] = async (text, values) => {
      // The pruned entries are known by then.
      if (!isPruned && text.includes('"audit_entry"') && text.includes('"hash"')) {
        isPruned = true;
        await gateway.app.jobs.run(JOB);
      }
      return database.rows(text, values);
    };
    const watched = Object.create(database, { rows: { value: rows } }) as typeof database;
    Object.assign(database, { longReads: async () => watched });
    try {
      expect(await verified()).toMatchObject({ valid: true, verified_from: 5, verified_up_to: 7 });
    } finally {
      Reflect.deleteProperty(database, 'longReads');
    }
    expect(isPruned).toBe(true);
  });

  test('are removed again as time passes, and once each', async () => {
    for (const [days, count] of [
      [900, 4],
      [500, 1],
    ] as const) {
      clock.set(-days * DAY);
      await add(count);
      await sign();
    }
    clock.set(0);
    await add(1);
    for (const days of [800, 800, 400]) {
      await retainFor(days);
      await gateway.app.jobs.run(JOB);
    }
    expect(await positions()).toEqual([6, 7, 8]);
    expect(await verified()).toMatchObject({ valid: true, verified_from: 6, verified_up_to: 8, entries: 3 });
  });

  test.each([
    ['the organization keeps them', RETENTION + 2, null],
    ['the checkpoint is as old as the retention', RETENTION, RETENTION],
    ['the checkpoint is a year old', 365, 365],
  ])('stay when %s', async (_what, age, days) => {
    await agedTrail(age);
    await retainFor(days);
    await gateway.app.jobs.run(JOB);
    expect(await positions()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('are removed a day after the retention', async () => {
    await agedTrail(365 + 2);
    await retainFor(365);
    await gateway.app.jobs.run(JOB);
    expect(await positions()).toEqual([5, 6, 7]);
  });

  test('are all removed where nothing happened since, but for the record of that', async () => {
    clock.set(-2 * RETENTION * DAY);
    await add(2);
    await sign();
    clock.set(0);
    await retainFor(RETENTION);
    await gateway.app.jobs.run(JOB);
    expect(await positions()).toEqual([3]);
    expect(await verified()).toMatchObject({ valid: true, verified_from: 3, verified_up_to: 3 });
  });

  test.each([
    ['of another hash', 'update audit_entry set hash = sha256(hash) where log_id = $1 and position = 4'],
    ['that is not signed', `update audit_checkpoint set signature = sha512(signature) where log_id = $1`],
  ])('stay when their checkpoint is one %s, while others are pruned', async (_what, change) => {
    await agedTrail();
    await retainFor(RETENTION);
    await tamper([change, [await logId()]]);
    const tampered = organizationId;
    organizationId = await buildOrganization(gateway.app.database, 'Another one');
    await join(gateway.app.database, testData.officer, organizationId, 'SECURITY_OFFICER');
    await agedTrail();
    await retainFor(RETENTION);
    await expect(gateway.app.jobs.run(JOB)).rejects.toThrow(
      `Entry 4 of the audit trail organization/${tampered} does not fit its checkpoint`,
    );
    expect(await positions()).toEqual([5, 6, 7]);
    organizationId = tampered;
    expect(await positions()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('are removed in several steps where there are many', async () => {
    clock.set(-2 * RETENTION * DAY);
    await add(1);
    clock.set(0);
    await retainFor(RETENTION);
    const id = await logId();
    await tamper(
      [
        `insert into audit_entry (log_id, position, entry, hash)
         select $1, n, e.entry, sha256(n::text::bytea) from audit_entry e, generate_series(2, 12000) n
          where e.log_id = $1 and e.position = 1`,
        [id],
      ],
      ['update audit_log set position = 12000 where id = $1', [id]],
    );
    const steps = [4_900, 9_901, 11_000];
    const key = new CheckpointKey(gateway.config.secretKey);
    for (const position of steps) {
      const [row] = await rows<{ hash: Buffer }>('select hash from audit_entry where log_id = $1 and position = $2', [
        ...[id, position],
      ]);
      const at = new Date(clock.now().getTime() - 2 * RETENTION * DAY * 3_600_000).toISOString();
      const log = `organization/${organizationId}`;
      const { keyId, signature } = key.sign({ log, position, hash: row!.hash.toString('hex'), at });
      await rows('insert into audit_checkpoint values ($1, $2, $3, $4, $5, $6)', [
        ...[id, position, row!.hash, at, keyId, Buffer.from(signature, 'base64url')],
      ]);
    }
    await gateway.app.jobs.run(JOB);
    const records = await rows<{ upTo: number }>(
      `select (entry::jsonb #>> '{changes,pruned,after,position}')::int as "upTo" from audit_entry
        where log_id = $1 and action = 'AUDIT_TRAIL_PRUNED' order by position`,
      [id],
    );
    expect(records.map(({ upTo }) => upTo)).toEqual(steps);
  });
});

describe('the function that removes entries', () => {
  const prune = async (upTo: number) => rows('select prune_audit_entries($1, $2)', [await logId(), upTo]);

  test('refuses what is not before a checkpoint that is old enough', async () => {
    await agedTrail();
    await retainFor(RETENTION);
    await expect(prune(5)).rejects.toThrow(/^Entry 5 of the audit trail \d+ is to be kept$/);
    await retainFor(null);
    await expect(prune(1)).rejects.toThrow(/is to be kept$/);
  });

  test('refuses entries that are younger than the retention, whatever a checkpoint says', async () => {
    await add(2);
    clock.set(-2 * RETENTION * DAY);
    await sign();
    clock.set(0);
    await add(1);
    await retainFor(RETENTION);
    await expect(prune(2)).rejects.toThrow(/is younger than its retention$/);
    expect(await positions()).toEqual([1, 2, 3]);
  });

  test('refuses the newest entry', async () => {
    clock.set(-2 * RETENTION * DAY);
    await add(2);
    await sign();
    await retainFor(RETENTION);
    await expect(prune(2)).rejects.toThrow(/is to be kept$/);
  });

  test('refuses the trail of a user', async () => {
    const [{ id } = { id: 0 }] = await rows<{ id: number }>(
      `insert into audit_log (user_id, position, hash) values (gen_random_uuid(), 9, sha256('user')) returning id`,
    );
    await rows(
      `insert into audit_checkpoint values ($1, 1, sha256('1'), now() - interval '10 years', 'key', sha256('1'))`,
      [id],
    );
    await expect(rows('select prune_audit_entries($1, 1)', [id])).rejects.toThrow(/is to be kept$/);
  });
});

test.each([
  ['removes entries', `select prune_audit_entries($1, ${SIGNED})`, [5, 6]],
  ['sets entries aside', 'select from set_aside_audit_entries($1)', [1, 2, 3, 4, 5, 6]],
])(
  'the function that %s lets nothing else delete any, neither in its transaction nor over its connection',
  async (_what, call, left) => {
    await agedTrail();
    await retainFor(RETENTION);
    const id = await logId();
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    const remove = () => client.query('delete from audit_entry where log_id = $1 and position = 5', [id]);
    try {
      await client.query('begin');
      await client.query(call, [id]);
      await expect(remove()).rejects.toThrow(/^The audit trail is append-only/);
      await client.query('rollback');
      await client.query(call, [id]);
      await expect(remove()).rejects.toThrow(/^The audit trail is append-only/);
    } finally {
      await client.end();
    }
    expect(await positions()).toEqual(left);
  },
);

describe('an organization that was deleted for good', () => {
  const YEAR = 365;

  async function purged(daysAgo: number): Promise<void> {
    clock.set(-(daysAgo + 1) * DAY);
    await add(3);
    clock.set(-daysAgo * DAY);
    await rows(`update organization set deleted_at = now() - interval '10 years' where id = $1`, [organizationId]);
    await gateway.app.jobs.run('organizationPurge.purgeDeleted');
    clock.set(0);
  }

  test('retains its trail for a year', async () => {
    await purged(YEAR);
    await gateway.app.jobs.run(JOB);
    expect(await positions()).toEqual([1, 2, 3, 4]);
  });

  test('has only the records of the purge and of the pruning left after a year, also if its trail has all its states', async () => {
    clock.set(-(YEAR + 2) * DAY);
    const { token } = testData.owner;
    const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Told' } });
    ({ id: organizationId } = expectData(made, 201) as { id: number });
    await purged(YEAR + 2);
    await gateway.app.jobs.run(JOB);
    const left = await rows('select action from audit_entry where log_id = $1 order by position', [await logId()]);
    expect(left).toEqual([{ action: 'ORGANIZATION_PURGED' }, { action: 'AUDIT_TRAIL_PRUNED' }]);
  });

  test('retains a tombstone and its checkpoints afterwards, however often trails are pruned', async () => {
    await purged(YEAR + 2);
    for (let time = 1; time <= 2; time += 1) await gateway.app.jobs.run(JOB);
    const left = await rows<{ action: string; name: string }>(
      `select action, entry::jsonb #>> '{subject,name}' as name from audit_entry where log_id = $1 order by position`,
      [await logId()],
    );
    expect(left).toEqual([
      { action: 'ORGANIZATION_PURGED', name: 'With retention' },
      { action: 'AUDIT_TRAIL_PRUNED', name: 'With retention' },
    ]);
    expect([await positions(), await positions('audit_checkpoint')]).toEqual([
      [4, 5],
      [1, 3, 4],
    ]);
    const text = await exportedByOperator(gateway.app.database, organizationId);
    expect(await verifiedOffline(text)).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^valid from position 4, before which .* up to position 4, /),
    });
  });
});

describe('a pruned trail in which something was changed', () => {
  /** Moves the head of the trail to the entry at a position, which was written behind it. */
  const HEAD = `update audit_log l set position = e.position, hash = e.hash from audit_entry e
                 where l.id = $1 and e.log_id = l.id and e.position = $2`;

  test.each<[what: string, change: () => Promise<void>, position: number, reason: string, message: RegExp]>([
    [
      'the first entry that is left',
      async () =>
        tamper([
          `update audit_entry set entry = replace(entry, 'Phishing', 'Fishing') where log_id = $1 and position = 5`,
          [await logId()],
        ]),
      ...[5, 'HASH_MISMATCH', /^Entry 5 is not what its hash was made of\.$/],
    ],
    [
      'one more entry cut off from the beginning',
      async () => tamper(['delete from audit_entry where log_id = $1 and position = 5', [await logId()]]),
      ...[5, 'POSITION_MISSING', /^There is no entry 5\.$/],
    ],
    [
      'an entry put before the beginning',
      async () =>
        tamper([
          'insert into audit_entry (log_id, position, entry, hash) select log_id, 4, entry, hash from audit_entry where log_id = $1 and position = 5',
          [await logId()],
        ]),
      ...[4, 'HASH_MISMATCH', /^Entry 4 stands before the beginning of the trail\.$/],
    ],
    [
      'the record of the removal cut off, with the head',
      async () =>
        tamper(
          [HEAD, [await logId(), 6]],
          ['delete from audit_entry where log_id = $1 and position = 7', [await logId()]],
        ),
      ...[1, 'POSITION_MISSING', /^There is no entry 1\.$/],
    ],
    [
      'the record of the removal that names a later entry',
      async () =>
        tamper([
          `update audit_entry set entry = jsonb_set(entry::jsonb, '{changes,pruned,after,position}', '5')::text where log_id = $1 and position = 7`,
          [await logId()],
        ]),
      ...[7, 'SIGNATURE_INVALID', /^Entry 7 records a removal .* not signed with the key/],
    ],
    [
      'a checkpoint of an entry that was removed',
      async () =>
        tamper([
          `update audit_checkpoint set created_at = created_at - interval '1 year' where log_id = $1 and position = 1`,
          [await logId()],
        ]),
      ...[1, 'SIGNATURE_INVALID', /^The checkpoint of entry 1 is not signed with the key/],
    ],
  ] as never)('%s is found and named', async (_what, change, position, reason, message) => {
    await prunedTrail();
    await change();
    for (const api of APIS) {
      const { valid, fault } = await verified(api);
      expect([api, valid, fault]).toEqual([
        ...[api, false],
        { position, reason, message: expect.stringMatching(message) },
      ]);
    }
    await expectRefused(reason, position);
  });

  test('another secret key is found', async () => {
    await prunedTrail();
    const config = { secretKey: 'another secret key of the same length', isEarlierKeyLost: true };
    const other = await startGateway({ config, database: gateway.database });
    expect(await verified('REST', other)).toMatchObject({
      valid: false,
      fault: { position: 7, reason: 'SIGNATURE_INVALID' },
    });
    await other.close();
  });
});

describe('a pruned trail of an earlier version, which did not seal', () => {
  const unsealed = async (...statements: SqlStatement[]) => {
    const folder = pathOf(gateway.dataDir, 'files/audit-checkpoints');
    await rm(pathOf(folder, 'organization', String(organizationId)), { recursive: true });
    await rm(pathOf(folder, 'beginnings'), { recursive: true });
    await tamper(...statements, ['delete from audit_seal where log_id = $1', [await logId()]]);
  };

  test('is sealed from where it begins, and signed on', async () => {
    await prunedTrail();
    await unsealed();
    expect(await verified()).toMatchObject({ valid: true, verified_from: 5, verified_up_to: 7 });
    expect(await sign()).toMatchObject({ data: { position: 7, number: 3 } });
    expect(await verified()).toMatchObject({ valid: true, verified_from: 5, checkpoints: 1 });
  });

  test('is neither sealed nor signed where the record of the removal was not signed', async () => {
    await prunedTrail();
    const entries = await rows<{ position: number; entry: string; hash: Buffer }>(
      'select position, entry, hash from audit_entry where log_id = $1 order by position',
      [await logId()],
    );
    const [first, second, last] = entries as [(typeof entries)[0], (typeof entries)[0], (typeof entries)[0]];
    // One more is gone, and its record says so, with all dependent hashes.
    const entry = JSON.parse(last.entry) as { changes: { pruned: { after: object } } };
    Object.assign(entry.changes.pruned.after, { position: first.position, hash: first.hash.toString('hex') });
    const forged = JSON.stringify(entry);
    const hash = createHash('sha256').update(second.hash).update(forged).digest();
    await unsealed(
      ['delete from audit_entry where log_id = $1 and position = 5', [await logId()]],
      [
        'update audit_entry set entry = $2, hash = $3 where log_id = $1 and position = 7',
        [await logId(), forged, hash],
      ],
      ['update audit_log set hash = $2 where id = $1', [await logId(), hash]],
    );
    const path = `/api/v1/organizations/${organizationId}/audit-trail/checkpoints`;
    const answer = await gateway.rest.post(path, { token: testData.officer.token });
    expect([answer.status, answer.headers.get('conflict-reason')]).toEqual([409, 'AUDIT_TRAIL_FAULT']);
    const violations = 'select reason, position::int from audit_fault where log = $1';
    expect(await rows(violations, [`organization/${organizationId}`])).toEqual([
      { reason: 'SIGNATURE_INVALID', position: 7 },
    ]);
    expect(await rows('select 1 from audit_seal where log_id = $1', [await logId()])).toEqual([]);
  });
});

describe('a beginning that was cut off up to a checkpoint', () => {
  test('is a violation without a record of the removal', async () => {
    await agedTrail();
    await tamper(['delete from audit_entry where log_id = $1 and position <= 4', [await logId()]]);
    const fault = { position: 1, reason: 'POSITION_MISSING', message: 'There is no entry 1.' };
    expect(await verified()).toMatchObject({ valid: false, verified_from: 1, fault });
    await expectRefused(fault.reason, fault.position);
  });

  test('is a violation with a record that has the signature of the checkpoint', async () => {
    const { data } = (await agedTrail()) as { data: object & { key_id: string } };
    const { key_id: keyId, ...signed } = data;
    const lines = (await exported()).split('\n');
    await tamper(['delete from audit_entry where log_id = $1 and position <= 4', [await logId()]]);
    await buildAuditEntry(gateway.app.database, organizationId, {
      ...{ action: 'AUDIT_TRAIL_PRUNED', changes: { pruned: { after: { ...signed, keyId } } } },
    });
    expect(await verified()).toMatchObject({ valid: false, fault: { position: 8, reason: 'SIGNATURE_INVALID' } });
    const left = lines.filter((line) => !/^\{"(?:position":[1-4],|earlier)/.test(line));
    const text = [JSON.stringify({ pruned: data }), ...left].join('\n');
    expect(await verifiedOffline(text)).toEqual({
      exitCode: 1,
      output: expect.stringContaining(`what was removed is said of organization/${organizationId}, not of`),
    });
  });

  test('is a violation with a record that has no signature', async () => {
    await agedTrail();
    await tamper(['delete from audit_entry where log_id = $1 and position <= 4', [await logId()]]);
    await buildAuditEntry(gateway.app.database, organizationId, { action: 'AUDIT_TRAIL_PRUNED' });
    expect(await verified()).toMatchObject({ valid: false, fault: { position: 7, reason: 'SIGNATURE_INVALID' } });
  });
});

test('a person who is erased long after it has left an organization is named nowhere in it', async () => {
  const { database } = gateway.app;
  const [author, other] = await Promise.all(['author', 'other'].map((name) => buildPerson(database, name)));
  const written = `/api/v1/v-ciso/incidents/${organizationId}`;
  const open = async ({ id, token }: Person) => {
    await join(database, { id }, organizationId, 'SECURITY_ANALYST');
    const body = { title: 'Long ago', severity: 'LOW', aware_at: clock.now().toISOString() };
    expectStatus(await gateway.rest.post(written, { token, body }), 201);
    expectStatus(await gateway.rest.post(`/api/v1/organizations/${organizationId}/leave`, { token }), 200);
  };
  clock.set(-(RETENTION + 2) * DAY);
  await open(author!);
  await open(other!);
  await sign();
  clock.set(0);
  await add(1);
  await retainFor(RETENTION);
  expect(await gateway.app.services.auditPruning.pruneDue()).toBeGreaterThan(0);
  const path = `/api/v1/profile?username=${author!.username}`;
  const erased = await gateway.rest.delete(path, { token: author!.token });
  expectStatus(erased, 200);
  expect(await rows('select opened_by from incident where organization_id = $1 order by id', [organizationId])).toEqual(
    [{ opened_by: erased.body.data.pseudonym }, { opened_by: other!.username }],
  );
});
