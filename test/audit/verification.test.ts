import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { APIS, callThrough, dataOf, type Operation } from '../support/apis.js';
import { buildAuditEntry, tamperWith, verifyOffline, verifyProofOffline, type SqlStatement } from '../support/audit.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { buildOrganization, join } from '../support/test-data.js';

const VERIFY: Operation = {
  rest: 'GET /api/v1/organizations/{id}/audit-trail/verification',
  graphql: `query ($id: ID!) { organization(id: $id) { auditTrailVerification {
    valid verified_from: verifiedFrom verified_up_to: verifiedUpTo entries checkpoints fault { position reason message } } } }`,
  at: 'organization.auditTrailVerification',
};

const ENTRIES = 6;
const SIGNED = 4;

const { gateway, testData } = await startSeededGateway();

const rows = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

interface Trail {
  organizationId: number;
  logId: number;
  /** The checkpoint of entry 4, as returned by the API. */
  checkpoint: object;
}

/** A trail of six entries; the fourth was signed. */
async function newTrail(): Promise<Trail> {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, 'To be verified');
  await join(database, testData.officer, organizationId, 'SECURITY_OFFICER');
  let checkpoint = {};
  for (let position = 1; position <= ENTRIES; position += 1) {
    await buildAuditEntry(database, organizationId, { changes: { title: { after: `Number ${position} “ü”` } } });
    if (position !== SIGNED) continue;
    const path = `/api/v1/organizations/${organizationId}/audit-trail/checkpoints`;
    const answer = await gateway.rest.post(path, { token: testData.officer.token });
    expectStatus(answer, 201);
    checkpoint = answer.body;
  }
  const [{ id } = { id: 0 }] = await rows<{ id: number }>('select id from audit_log where organization_id = $1', [
    organizationId,
  ]);
  return { organizationId, logId: id, checkpoint };
}

const tamper = (...statements: SqlStatement[]) => tamperWith(gateway.app.database, ...statements);

const FORGED = `jsonb_set(entry::jsonb, '{changes,title,after}', '"Forged"')::text`;
const sha256 = (before: Buffer, text: string) => createHash('sha256').update(before).update(text).digest();

/** Replaces texts of entries from a position on, with all dependent hashes, including the head's. */
async function rewriteFrom(position: number, logId: number): Promise<void> {
  const entries = await rows<{ position: number; entry: string; hash: Buffer }>(
    `select position, entry, hash from audit_entry where log_id = $1 and position >= $2 order by position`,
    [logId, position - 1],
  );
  let hash = entries[0]!.hash;
  const statements: SqlStatement[] = [];
  for (const { position: at, entry } of entries.slice(1)) {
    const forged = entry.replace('Number', 'Forged');
    hash = sha256(hash, forged);
    statements.push([
      'update audit_entry set entry = $3, hash = $4 where log_id = $1 and position = $2',
      [logId, at, forged, hash],
    ]);
  }
  await tamper(...statements, ['update audit_log set hash = $2 where id = $1', [logId, hash]]);
}

const verified = async ({ organizationId }: Trail, api: (typeof APIS)[number] = 'REST') =>
  dataOf(await callThrough(api, gateway, VERIFY, { id: organizationId }, testData.officer.token));

const exportOf = async ({ organizationId }: Trail, format: string) => {
  const path = `/api/v1/organizations/${organizationId}/audit-trail.${format}`;
  const { status, headers, ...answer } = await fetch(gateway.url + path, {
    headers: { 'x-service-token': testData.officer.token },
  }).then(async (response) => ({ status: response.status, headers: response.headers, body: await response.text() }));
  return { status, headers, ...answer };
};

const exported = async (trail: Trail) => {
  const { status, body } = await exportOf(trail, 'ndjson');
  expect(status).toBe(200);
  return body;
};

const signedOf = ({ logId }: Trail) =>
  rows<{ number: number; position: number }>(
    'select number, position from audit_checkpoint where log_id = $1 order by number',
    [logId],
  );

const publishedKeys = async () => (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;

test.each(APIS)('an untouched trail is valid through %s, with its checkpoints', async (api) => {
  expect(await verified(await newTrail(), api)).toEqual({
    ...{ valid: true, verified_from: 1, verified_up_to: ENTRIES, entries: ENTRIES, checkpoints: 2, fault: null },
  });
});

test.each(APIS)('a trail without entries is valid through %s', async (api) => {
  const organizationId = await buildOrganization(gateway.app.database, 'Empty');
  await join(gateway.app.database, testData.officer, organizationId, 'SECURITY_OFFICER');
  expect(await verified({ organizationId } as Trail, api)).toEqual({
    ...{ valid: true, verified_from: 1, verified_up_to: 0, entries: 0, checkpoints: 0, fault: null },
  });
});

test('an untouched export is valid offline, against earlier checkpoints of either API', async () => {
  const trail = await newTrail();
  const query = `mutation { createAuditCheckpoint(input: { organizationId: ${trail.organizationId} }) {
    checkpoint { log position hash at keyId signature } } }`;
  const { body } = await gateway.graphql.call(query, testData.officer);
  const result = await verifyOffline(await exported(trail), await publishedKeys(), [trail.checkpoint, body]);
  expect(result).toEqual({ exitCode: 0, output: expect.stringMatching(/^valid up to position 7, checkpoint of 20/) });
});

test('an export with separators of lines and paragraphs in a text of a person is valid offline', async () => {
  const trail = await newTrail();
  const changes = { description: { after: 'one\u2028two\u2029three\u0085four' } };
  await buildAuditEntry(gateway.app.database, trail.organizationId, { changes });
  const export_ = await exported(trail);
  expect(export_).toContain(changes.description.after);
  const result = await verifyOffline(export_, await publishedKeys());
  expect(result).toEqual({ exitCode: 0, output: expect.stringMatching(/^valid up to position \d, checkpoint of 20/) });
});

interface Tampering {
  what: string;
  tamper: (trail: Trail) => Promise<void>;
  /** The first violation that the gateway finds. */
  found: { position: number; reason: string; message: string };
}

const TAMPERINGS: Tampering[] = [
  {
    what: 'an entry whose text was changed',
    tamper: ({ logId }) =>
      tamper([`update audit_entry set entry = ${FORGED} where log_id = $1 and position = 3`, [logId]]),
    found: { position: 3, reason: 'HASH_MISMATCH', message: 'Entry 3 is not what its hash was made of.' },
  },
  {
    what: 'the first entry whose text was changed',
    tamper: ({ logId }) =>
      tamper([`update audit_entry set entry = ${FORGED} where log_id = $1 and position = 1`, [logId]]),
    found: { position: 1, reason: 'HASH_MISMATCH', message: 'Entry 1 is not what its hash was made of.' },
  },
  {
    what: 'an entry that was changed together with its own hash',
    tamper: async ({ logId }) => {
      const [before] = await rows<{ hash: Buffer }>('select hash from audit_entry where log_id = $1 and position = 2', [
        logId,
      ]);
      await tamper([
        `update audit_entry set entry = '{"changes":{}}'::jsonb || entry::jsonb, hash = sha256($2 || convert_to(('{"changes":{}}'::jsonb || entry::jsonb)::text, 'UTF8'))
          where log_id = $1 and position = 3`,
        [logId, before!.hash],
      ]);
    },
    found: { position: 4, reason: 'HASH_MISMATCH', message: 'Entry 4 is not what its hash was made of.' },
  },
  {
    what: 'an entry that was deleted',
    tamper: ({ logId }) => tamper(['delete from audit_entry where log_id = $1 and position = 3', [logId]]),
    found: { position: 3, reason: 'POSITION_MISSING', message: 'There is no entry 3.' },
  },
  {
    what: 'two entries that were swapped',
    tamper: ({ logId }) =>
      tamper(
        ['update audit_entry set position = -position where log_id = $1 and position in (2, 3)', [logId]],
        ['update audit_entry set position = 5 + position where log_id = $1 and position < 0', [logId]],
      ),
    found: { position: 2, reason: 'HASH_MISMATCH', message: 'Entry 2 is not what its hash was made of.' },
  },
  {
    what: 'an entry that was inserted between two others',
    tamper: ({ logId }) =>
      tamper(
        ['update audit_entry set position = -position where log_id = $1 and position >= 3', [logId]],
        ['update audit_entry set position = 1 - position where log_id = $1 and position < 0', [logId]],
        [
          'insert into audit_entry (log_id, position, entry, hash) select log_id, 3, entry, hash from audit_entry where log_id = $1 and position = 2',
          [logId],
        ],
        ['update audit_log set position = position + 1 where id = $1', [logId]],
      ),
    found: { position: 3, reason: 'HASH_MISMATCH', message: 'Entry 3 is not what its hash was made of.' },
  },
  {
    what: 'a newest entry that was deleted',
    tamper: ({ logId }) => tamper(['delete from audit_entry where log_id = $1 and position = 6', [logId]]),
    found: { position: 6, reason: 'POSITION_MISSING', message: 'There is no entry 6.' },
  },
  {
    what: 'a tail that was cut off together with the head',
    tamper: ({ logId }) =>
      tamper(
        ['delete from audit_entry where log_id = $1 and position > 3', [logId]],
        [
          `update audit_log l set position = e.position, hash = e.hash from audit_entry e
            where l.id = $1 and e.log_id = l.id and e.position = 3`,
          [logId],
        ],
      ),
    found: {
      ...{ position: 4, reason: 'CHECKPOINT_MISMATCH' },
      message: 'A checkpoint was signed for entry 4, which stands behind the head of the trail.',
    },
  },
  {
    what: 'a chain that was written anew with matching hashes',
    tamper: ({ logId }) => rewriteFrom(3, logId),
    found: {
      ...{ position: 4, reason: 'CHECKPOINT_MISMATCH' },
      message: 'The checkpoint of entry 4 was signed for another entry.',
    },
  },
  {
    what: 'a head with another hash',
    tamper: ({ logId }) => tamper([`update audit_log set hash = sha256('other') where id = $1`, [logId]]),
    found: { position: 6, reason: 'HEAD_MISMATCH', message: 'The head of the trail is not entry 6.' },
  },
];

describe.each(TAMPERINGS)('$what', ({ tamper: change, found }) => {
  test('is found and named through both APIs', async () => {
    const trail = await newTrail();
    await change(trail);
    for (const api of APIS) {
      const { valid, fault } = await verified(trail, api);
      expect([api, valid, fault]).toEqual([api, false, found]);
    }
  });

  test('is why an export is refused, in both formats, and no checkpoint is signed for it', async () => {
    const trail = await newTrail();
    await verified(trail);
    await change(trail);
    const { position, reason } = (await verified(trail)).fault;
    const before = await signedOf(trail);
    for (const format of ['ndjson', 'csv']) {
      const { status, headers, body } = await exportOf(trail, format);
      expect([status, headers.get('conflict-reason'), headers.get('audit-trail-fault')]).toEqual([
        ...[409, 'AUDIT_TRAIL_FAULT', `${reason}; position=${position}`],
      ]);
      expect(JSON.parse(body)).toEqual({ error: 1, messages: [1009] });
    }
    expect(await signedOf(trail)).toEqual(before);
  });
});

test('an entry behind the head is found', async () => {
  const trail = await newTrail();
  await tamper([
    `insert into audit_entry (log_id, position, entry, hash) select log_id, 9, entry, hash from audit_entry where log_id = $1 and position = 6`,
    [trail.logId],
  ]);
  const { valid, verified_up_to: upTo, fault } = await verified(trail);
  expect([valid, upTo, fault]).toEqual([
    ...[false, 6],
    { position: 9, reason: 'HEAD_MISMATCH', message: 'Entry 9 stands behind the head of the trail.' },
  ]);
});

test('an entry before the first is found', async () => {
  const trail = await newTrail();
  await tamper([
    `insert into audit_entry (log_id, position, entry, hash) select log_id, 0, entry, hash from audit_entry where log_id = $1 and position = 1`,
    [trail.logId],
  ]);
  expect((await verified(trail)).fault).toMatchObject({ position: 0, reason: 'HASH_MISMATCH' });
});

test.each([
  `created_at = created_at - interval '1 year'`,
  `key_id = 'another'`,
  'chain_signature = sha512(chain_signature)',
])('a checkpoint that was changed is found: %s', async (change) => {
  const trail = await newTrail();
  await tamper([`update audit_checkpoint set ${change} where log_id = $1 and number = 2`, [trail.logId]]);
  const { valid, verified_up_to: upTo, fault } = await verified(trail);
  expect([valid, upTo, fault]).toEqual([
    ...[false, 3],
    {
      ...{ position: 4, reason: 'SIGNATURE_INVALID' },
      message: 'The checkpoint of entry 4 is not signed with the key of this gateway.',
    },
  ]);
});

test('a checkpoint of another signing key is found, also when the whole chain fits it', async () => {
  const trail = await newTrail();
  await rewriteFrom(3, trail.logId);
  const [row] = await rows<{ hash: Buffer; at: string }>(
    `select e.hash, c.created_at as at from audit_entry e join audit_checkpoint c using (log_id, position) where log_id = $1 and number = 2`,
    [trail.logId],
  );
  const other = new CheckpointKey('another secret key of the same length');
  const log = `organization/${trail.organizationId}`;
  const forged = other.sign({ log, position: SIGNED, hash: row!.hash.toString('hex'), at: row!.at });
  await tamper([
    'update audit_checkpoint set hash = $2, key_id = $3, signature = $4, previous = null, chain_signature = null where log_id = $1 and number = 2',
    [trail.logId, row!.hash, forged.keyId, Buffer.from(forged.signature, 'base64url')],
  ]);
  expect((await verified(trail)).fault).toMatchObject({ position: 4, reason: 'SIGNATURE_INVALID' });
  const text = await exported(await newTrail());
  expect(await verifyOffline(text, other.keySet, [forged])).toEqual({
    exitCode: 1,
    output: expect.stringContaining('is not signed with a key of the key file'),
  });
});

describe('a file that is not a whole export', () => {
  test.each([
    [
      'cut off before its checkpoint',
      (lines: string[]) => lines.slice(0, -1),
      /ends after entry 7, without its checkpoint/,
    ],
    ['without its newest entry', (lines: string[]) => lines.toSpliced(-2, 1), /entry 7 is missing/],
    ['without its first entry', (lines: string[]) => lines.slice(1), /entry 1 is missing/],
    [
      'with a line after the checkpoint',
      (lines: string[]) => [...lines, lines[0]!],
      /there is more after the checkpoint/,
    ],
    [
      'with a line that is no JSON',
      (lines: string[]) => lines.with(2, '{"position":'),
      /^not valid: line 3 was changed, or the file was cut off in it$/,
    ],
    [
      'with a line that is something else',
      (lines: string[]) => lines.with(2, '{"position":3}'),
      /^not valid: line 3 is neither an entry nor a checkpoint$/,
    ],
    [
      'with an entry beside a checkpoint',
      (lines: string[]) => lines.with(-1, `${lines[0]!.slice(0, -1)},${lines.at(-1)!.slice(1)}`),
      /^not valid: line \d+ is neither an entry nor a checkpoint$/,
    ],
    [
      'with an entry that stands before the true one, under the same name',
      (lines: string[]) =>
        lines.with(2, lines[2]!.replace('"entry":', '"entry":{"action":"INCIDENT_CLOSED"},"entry":')),
      /^not valid: line 3 was changed, or the file was cut off in it$/,
    ],
    [
      'with an action that stands before the true one within an entry',
      (lines: string[]) => lines.with(2, lines[2]!.replace('{"action":', '{"action":"INCIDENT_CLOSED","action" :')),
      /^not valid: line 3 was changed, or the file was cut off in it$/,
    ],
  ])('is refused: %s', async (_what, change, output) => {
    const lines = (await exported(await newTrail())).trimEnd().split('\n');
    const result = await verifyOffline(`${change(lines).join('\n')}\n`, await publishedKeys());
    expect(result).toEqual({ exitCode: 1, output: expect.stringMatching(output) });
  });

  test.each([
    ['', 'it is empty'],
    ['<!DOCTYPE html><html></html>', 'it is a page (HTML or XML)'],
    ['{"error":1,"messages":[1003]}', 'it is an answer of the API, such as a refusal'],
    ['position,at,action\n1,2026-11-21,X\n', 'it begins with "position,at,action\\n1"'],
    [Buffer.from('504b0304', 'hex'), 'it is a ZIP archive, such as a workbook or a packed evidence pack'],
    [gzipSync('{"position":1}'), 'it is compressed with gzip, unpack it first'],
  ])('that is no export at all is named as such, by both scripts: %#', async (content, why) => {
    const keys = await publishedKeys();
    const of = (noun: string) => ({ exitCode: 2, output: expect.stringContaining(`is no ${noun}: ${why}`) });
    expect(await verifyOffline(content, keys)).toEqual(of('exported audit trail'));
    expect(await verifyProofOffline(Buffer.from(content), { keys })).toEqual(of('proof'));
  });

  test.each([[['--keys', 'x']], [['--key', 'x']], [['--key']]])(
    'a proof is verified with options that are known and given once alone, not with %j more',
    async (more) => {
      const refused = { exitCode: 2, output: expect.stringMatching(/^usage: /) };
      expect(await verifyProofOffline('', { keys: {}, more })).toEqual(refused);
    },
  );

  test.each([{}, { keys: null }, { data: { keys: [] } }])(
    'a key file without keys is named as such by both scripts, and no key of the file itself takes their place: %j',
    async (keys) => {
      const refused = { exitCode: 2, output: expect.stringMatching(/keys\.json is no key file: it has no keys$/) };
      const { token } = testData.owner;
      const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Proven' } });
      const { text } = await gateway.rest.get(`${made.headers.get('location')}/proof`, { token });
      expect(await verifyProofOffline(text)).toMatchObject({ exitCode: 0 });
      expect(await verifyProofOffline(text, { keys })).toEqual(refused);
      expect(await verifyOffline(await exported(await newTrail()), keys)).toEqual(refused);
    },
  );

  test.each([
    ['{"hash": ', 'it is no JSON'],
    ['{}', 'it has no hash and position'],
    [[{ hash: 'f'.repeat(64), position: 1 }], 'it has no hash and position'],
    [{ hash: 'f'.repeat(64), position: '1' }, 'it has no hash and position'],
  ])('what is no checkpoint is named as such, and nothing is verified: %j', async (said, why) => {
    const result = await verifyOffline('{"position":1}\n', await publishedKeys(), [said]);
    expect(result).toEqual({ exitCode: 2, output: expect.stringMatching(`is no checkpoint: ${why}$`) });
  });

  test('an export of another trail does not pass with a checkpoint of this one', async () => {
    const [one, other] = [await newTrail(), await newTrail()];
    const result = await verifyOffline(await exported(other), await publishedKeys(), [one.checkpoint]);
    expect(result.exitCode).toBe(1);
  });

  test('an export that is older than a checkpoint is refused', async () => {
    const trail = await newTrail();
    const older = await exported(trail);
    const path = `/api/v1/organizations/${trail.organizationId}/audit-trail/checkpoints`;
    await buildAuditEntry(gateway.app.database, trail.organizationId);
    const later = (await gateway.rest.post(path, { token: testData.officer.token })).body;
    const result = await verifyOffline(older, await publishedKeys(), [later]);
    expect(result).toEqual({
      exitCode: 1,
      output: expect.stringContaining('entry 8 is missing: it was there earlier'),
    });
  });

  test('a file that a JSON tool has written with other white space verifies all the same', async () => {
    const lines = (await exported(await newTrail())).trimEnd().split('\n');
    const spaced = lines.map((line) => JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' '));
    expect((await verifyOffline(spaced.join('\n'), await publishedKeys())).exitCode).toBe(0);
  });
});

test('a trail that goes on while it is verified is valid', async () => {
  const trail = await newTrail();
  const appends = Array.from({ length: 20 }, () => buildAuditEntry(gateway.app.database, trail.organizationId));
  const results = await Promise.all(Array.from({ length: 5 }, () => verified(trail)));
  await Promise.all(appends);
  expect(results.map(({ valid }) => valid)).toEqual([true, true, true, true, true]);
});
