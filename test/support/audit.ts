import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Actor } from '../../src/auth/caller.js';
import type { Database } from '../../src/database/database.js';
import { createLogger } from '../../src/logger.js';
import { AuditCheckpointService } from '../../src/services/audit/checkpoints.service.js';
import { createTrailGuards } from '../../src/services/audit/trail-guards.js';
import { record, type AuditEvent } from '../../src/services/audit/record.js';
import { headOf, type SignedCheckpoint } from '../../src/services/audit/trails.js';
import type { RecordStore } from '../../src/storage/record-store.js';
import { openRecordStore } from '../../src/storage/storage-location.js';
import type { TestGateway } from './gateway.js';

const JOB: Actor = { kind: 'system', name: 'tests.record' };

/** Appends an entry to the audit trail of an organization, by default about an incident. */
export function buildAuditEntry(
  database: Database,
  organizationId: number,
  event: Partial<Omit<AuditEvent, 'organizationId' | 'userId'>> = {},
  actor: Actor = JOB,
): Promise<void> {
  const subject = { type: 'INCIDENT', id: 1, name: 'Phishing wave' } as const;
  return record(database, actor, { organizationId, action: 'INCIDENT_OPENED', at: new Date(), subject, ...event });
}

const records = ({ config }: TestGateway) => openRecordStore(config.storageUrl);

/** Signs like the gateway, for use cases that tests call directly. */
export async function checkpointsOf(gateway: TestGateway, now: () => Date): Promise<AuditCheckpointService> {
  const { app, config } = gateway;
  return checkpointsFor(app.database, { records: await records(gateway), config, now });
}

/** Creates a service that signs checkpoints in any database, for use cases that tests call directly. */
export function checkpointsFor(
  database: Database,
  { records, config, now }: { records: RecordStore; config: { secretKey: string }; now: () => Date },
): AuditCheckpointService {
  const deps = { database, records, config: { earlierSecretKeys: [], ...config }, log: createLogger('silent'), now };
  return new AuditCheckpointService(
    database,
    undefined as never,
    createTrailGuards(deps, async () => undefined),
    now,
  );
}

/** Signs the newest entry of a trail, like the gateway's jobs. */
export function signNewest(checkpoints: AuditCheckpointService, organizationId: number): Promise<SignedCheckpoint> {
  const owner = { organizationId };
  return checkpoints.signing(owner, async (tx, sign) => sign(await headOf(tx, owner)));
}

/** A trail as the script of operators exports it, to a terminal without UTF-8. */
export async function exportedByOperator(database: Database, organizationId: number): Promise<string> {
  const script = await readFile(resolve(import.meta.dirname, '../../scripts/export-audit-trail.sql'), 'utf8');
  const [setting = '', statement = ''] = script.replaceAll(':id', String(organizationId)).split(/(?<=;)\n(?=with )/);
  const lines = await database.transaction(async (tx) => {
    await tx.rows(`set local client_encoding = 'LATIN1'`);
    await tx.rows(setting);
    return tx.rows<{ line: string }>(statement);
  });
  return lines.map(({ line }) => `${line}\n`).join('');
}

/** A statement with its values. */
export type SqlStatement = [text: string, values: unknown[]];

/** Changes audit trails with the rights of the table owner: without triggers. */
export async function tamperWith(database: Database, ...statements: readonly SqlStatement[]): Promise<void> {
  const tables = ['audit_entry', 'audit_log', 'audit_checkpoint', 'audit_seal'];
  for (const table of tables) await database.rows(`alter table ${table} disable trigger all`);
  for (const [text, values] of statements) await database.rows(text, values);
  for (const table of tables) await database.rows(`alter table ${table} enable trigger all`);
}

const SCRIPT = resolve(import.meta.dirname, '../../scripts/verify-audit-trail.mjs');

/** Result of the script that verifies an export: its exit code and output. */
export interface OfflineVerification {
  exitCode: number;
  output: string;
}

/** Runs the script that verifies an export without the gateway. */
export async function verifyOffline(
  exported: string | Buffer,
  keys: object,
  checkpoints: readonly (object | string)[] = [],
  part?: string,
): Promise<OfflineVerification> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  const file = async (name: string, text: string | Buffer) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const args = [
      SCRIPT,
      await file('export.ndjson', exported),
      '--key',
      await file('keys.json', JSON.stringify(keys)),
    ];
    for (const [index, checkpoint] of checkpoints.entries())
      args.push(
        '--checkpoint',
        typeof checkpoint === 'string'
          ? checkpoint
          : await file(`checkpoint-${index}.json`, JSON.stringify(checkpoint)),
      );
    if (part !== undefined) args.push('--part', await file('part.ndjson', part));
    return await new Promise((done) => {
      execFile(process.execPath, args, (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code), output: (stdout + stderr).trim() }),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const PROOF_SCRIPT = resolve(import.meta.dirname, '../../scripts/verify-proof.mjs');

/** Runs the script that verifies a proof without the gateway; with the key of the proof if no keys are given. */
export async function verifyProofOffline(
  proof: string | Buffer,
  {
    keys,
    checkpoints = [],
    more = [],
  }: { keys?: object | undefined; checkpoints?: readonly string[]; more?: readonly string[] } = {},
): Promise<OfflineVerification> {
  const folder = await mkdtemp(join(tmpdir(), 'proof-'));
  const [file, keyFile] = [join(folder, 'proof.ndjson'), join(folder, 'keys.json')];
  try {
    await writeFile(file, proof);
    if (keys !== undefined) await writeFile(keyFile, JSON.stringify(keys));
    const given = [
      ...(keys ? ['--key', keyFile] : []),
      ...checkpoints.flatMap((each) => ['--checkpoint', each]),
    ].concat(more);
    return await new Promise((done) => {
      execFile(process.execPath, [PROOF_SCRIPT, file, ...given], (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code), output: (stdout + stderr).trim() }),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Removes the entries of an organization that are older than 400 days, like its retention. */
export async function pruneTrail({ app }: TestGateway, organizationId: number): Promise<void> {
  const retain = (days: number | null) =>
    app.database.rows('update organization set audit_retention_days = $2 where id = $1', [organizationId, days]);
  await retain(400);
  await app.jobs.run('auditPruning.pruneDue');
  await retain(null);
}
