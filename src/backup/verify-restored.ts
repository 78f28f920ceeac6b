import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { asDomainError } from '../database/driver-errors.js';
import { ifFound } from '../errors.js';
import { allReferenced } from '../services/files/content-references.js';
import type { AuditVerificationService } from '../services/audit/verification.service.js';
import { logName } from '../services/audit/trails.js';
import type { BlobStore } from '../storage/blob-store.js';
import { storageAway } from './backup.js';
import type { Manifest } from './manifest.js';
import { connect, copyOut, RowDigest } from './tables.js';

export interface Verified {
  rows: number;
  files: number;
  trails: number;
  entries: number;
  checkpoints: number;
  /** One sentence for each difference and each defect of a trail. */
  defects: string[];
}

/** Compares a restored database and storage with the backup, and verifies every audit trail. */
export async function verifyRestored(
  manifest: Manifest,
  place: { databaseUrl: string; store: BlobStore; trails: AuditVerificationService; installation: 'same' | 'new' },
): Promise<Verified> {
  const verified: Verified = { rows: 0, files: 0, trails: 0, entries: 0, checkpoints: 0, defects: [] };
  const client = await connect(place.databaseUrl);
  try {
    await client.query('begin isolation level repeatable read read only');
    for (const table of manifest.tables) {
      if (table.name === 'installation' && place.installation === 'new') continue;
      const digest = new RowDigest();
      for await (const chunk of copyOut(client, table)) digest.update(chunk);
      verified.rows += digest.rows;
      if (digest.rows !== table.rows || digest.digest !== table.digest)
        verified.defects.push(
          `Table ${table.name} has other rows (${digest.rows}) than were backed up (${table.rows}).`,
        );
    }
    await verifyFiles(client, place.store, manifest, verified);
    await verifyTrails(client, place.trails, verified);
    await client.query('commit');
  } catch (error) {
    throw asDomainError(error);
  } finally {
    await client.end();
  }
  return verified;
}

async function verifyFiles(client: Client, store: BlobStore, manifest: Manifest, verified: Verified): Promise<void> {
  const missing = new Set(manifest.files.missing.map(({ sha256 }) => sha256));
  const { rows } = await client.query<{ sha256: string }>(allReferenced.text);
  for (const { sha256 } of rows) {
    if (missing.has(sha256)) continue;
    const found = await hashOf(store, sha256);
    if (found === sha256) verified.files += 1;
    else verified.defects.push(`File ${sha256} ${found === undefined ? 'is missing' : 'has other bytes'}.`);
  }
}

function hashOf(store: BlobStore, sha256: string): Promise<string | undefined> {
  return ifFound(async () => {
    const hash = createHash('sha256');
    await pipeline(await store.open(sha256), hash).catch(storageAway);
    return hash.digest('hex');
  });
}

async function verifyTrails(client: Client, trails: AuditVerificationService, verified: Verified): Promise<void> {
  const { rows } = await client.query<{ organizationId: number | null; userId: string | null }>(
    'select organization_id as "organizationId", user_id as "userId" from audit_log order by id',
  );
  for (const { organizationId, userId } of rows) {
    const owner = userId === null ? { organizationId: organizationId as number } : { userId };
    const { entries, checkpoints, fault } = await trails.verifyTrail(owner);
    verified.trails += 1;
    verified.entries += entries;
    verified.checkpoints += checkpoints;
    if (fault !== null)
      verified.defects.push(`Audit trail ${logName(owner)}, entry ${fault.position}: ${fault.message}`);
  }
}
