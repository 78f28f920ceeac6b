import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Actor } from '../../src/auth/caller.js';
import type { Database } from '../../src/database/database.js';
import { record, type AuditEvent } from '../../src/services/audit/record.js';

const JOB: Actor = { kind: 'system', name: 'tests.record' };

/** Appends an entry to the audit trail of an organization, about an incident unless said otherwise. */
export function buildAuditEntry(
  database: Database,
  organizationId: number,
  event: Partial<Omit<AuditEvent, 'organizationId' | 'userId'>> = {},
  actor: Actor = JOB,
): Promise<void> {
  const subject = { type: 'INCIDENT', id: 1, name: 'Phishing wave' } as const;
  return record(database, actor, { organizationId, action: 'INCIDENT_OPENED', at: new Date(), subject, ...event });
}

const SCRIPT = resolve(import.meta.dirname, '../../scripts/verify-audit-trail.mjs');

export interface OfflineVerification {
  exitCode: number;
  output: string;
}

/** Runs the script that verifies an export without the gateway. */
export async function verifyOffline(
  exported: string,
  keys: object,
  checkpoints: readonly object[] = [],
): Promise<OfflineVerification> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  const file = async (name: string, text: string) => {
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
      args.push('--checkpoint', await file(`checkpoint-${index}.json`, JSON.stringify(checkpoint)));
    return await new Promise((done) => {
      execFile(process.execPath, args, (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code), output: (stdout + stderr).trim() }),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
