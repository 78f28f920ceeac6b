import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { dayOf } from '../../common/local-time.js';
import { BOM, csvFile, type Cells } from '../../common/spreadsheets.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database, Queryable } from '../../database/database.js';
import { portableName } from '../../storage/file-names.js';
import { nameAndZone } from '../shared/organization-columns.js';
import type { AuditCheckpointService } from './checkpoints.service.js';
import { entryRecords, type EntryRecord } from './entry-records.js';
import { record } from './record.js';
import type { ReadRecorder } from './read-recorder.js';
import type { AuditVerificationService } from './verification.service.js';
import {
  checkpointsOf,
  entriesUpTo,
  headAt,
  headOf,
  pruningOf,
  type EntryText,
  type SignedCheckpoint,
} from './trails.js';

export type AuditExportFormat = 'ndjson' | 'csv';

/**
 * Exports whole audit trails; the export is their last entry. NDJSON can be verified, CSV is for people
 * (docs/adr/0024).
 */
export class AuditExportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly checkpoints: AuditCheckpointService,
    private readonly verification: AuditVerificationService,
    private readonly readings: ReadRecorder,
    private readonly now: () => Date,
  ) {}

  /**
   * Throws NOT_FOUND or FORBIDDEN when the caller may not export the audit trail of the organization, and CONFLICT
   * while the trail has a defect.
   */
  async prepare(
    caller: Caller,
    organizationId: number,
    format: AuditExportFormat,
    mark: typeof BOM | '' = BOM,
  ): Promise<PreparedFile> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    const at = this.now();
    const organization = await nameAndZone.one(this.database, { organizationId });
    const name = `${portableName(`${organization.name} audit trail ${dayOf(at, organization.timeZone)}`)}.${format}`;
    const subject = { type: 'ORGANIZATION', id: organizationId, name: organization.name } as const;
    const open = async () => {
      await this.verification.requireValid({ organizationId });
      const changes = { format: { after: format } };
      const event = { organizationId, at, action: 'AUDIT_TRAIL_EXPORTED', subject, changes } as const;
      const signed = (isFirst: boolean) =>
        this.checkpoints.signing({ organizationId }, async (tx, sign) => {
          if (isFirst) await record(tx, caller as Actor, event);
          const newest = await headOf(tx, { organizationId });
          const pruning = await pruningOf(tx, newest);
          const checkpoint = await sign(newest);
          return { head: headAt(newest, checkpoint), pruning, checkpoint };
        });
      const { head, pruning, checkpoint } =
        (await this.readings.readWith(caller, event, () => signed(true))) ?? (await signed(false));
      const reads = await this.database.longReads();
      const batches = entriesUpTo(reads, head);
      const made = (await checkpointsOf(reads, head)).map((each) => each.checkpoint);
      const earlier = made.filter(({ signature }) => signature !== checkpoint.signature);
      const besides = { checkpoint, earlier, pruned: pruning?.statement };
      const lines = format === 'csv' ? csvFile(tableOf(reads, batches), mark) : jsonLines(batches, besides);
      return Readable.from(lines, { objectMode: false });
    };
    return { name, open };
  }
}

/** Signatures and checkpoints in a file of entries. */
export interface SignedLines {
  /** Checkpoint of the last entry. */
  checkpoint: SignedCheckpoint;
  /** All earlier checkpoints, by their numbers; none in a file of selected entries. */
  earlier?: readonly SignedCheckpoint[];
  /** The checkpoint of the part that was removed from the beginning. */
  pruned?: SignedCheckpoint | undefined;
}

/**
 * Lines of a file: the checkpoint of the removed part, if any, each stored entry with the checkpoints that were signed
 * for it, and the checkpoint of the last entry.
 */
export async function* jsonLines(
  batches: AsyncIterable<EntryText[]>,
  { checkpoint, earlier = [], pruned }: SignedLines,
): AsyncGenerator<string> {
  if (pruned !== undefined) yield signedLine('pruned', pruned);
  const left = earlier.values();
  let next = left.next().value;
  for await (const rows of batches) {
    let lines = '';
    for (const { position, hash, entry } of rows) {
      for (; next !== undefined && next.position < position; next = left.next().value)
        lines += signedLine('earlier_checkpoint', next);
      lines += `{"position":${position},"hash":"${hash.toString('hex')}","entry":${entry}}\n`;
    }
    yield lines;
  }
  yield signedLine('checkpoint', checkpoint);
}

function signedLine(name: string, { keyId, chainSignature, ...signed }: SignedCheckpoint): string {
  return `${JSON.stringify({ [name]: { ...signed, key_id: keyId, chain_signature: chainSignature } })}\n`;
}

const HEADINGS = [
  ...['position', 'at', 'action', 'actor_type', 'actor', 'actor_id', 'token_id', 'address', 'request_id'],
  ...['subject_type', 'subject_id', 'subject', 'parent_type', 'parent_id', 'changes', 'reason', 'hash'],
  ...['via', 'client'],
];

async function* tableOf(database: Queryable, batches: AsyncIterable<EntryText[]>): AsyncGenerator<Cells[]> {
  yield [HEADINGS];
  for await (const rows of batches) yield (await entryRecords(database, rows)).map(cellsOf);
}

function cellsOf(entry: EntryText & EntryRecord): (string | number | null)[] {
  const { position, hash, at, action, actor, requestId, subject, changes, reason } = entry;
  return [
    ...[position, at, action, actor.type, actor.user?.username ?? actor.job, actor.userId, actor.tokenId],
    ...[actor.address, requestId, subject.type, subject.databaseId, subject.name],
    ...[subject.parent?.type ?? null, subject.parent?.databaseId ?? null],
    ...[changes.length === 0 ? null : JSON.stringify(changes), reason, hash.toString('hex')],
    ...[actor.via, actor.client],
  ];
}
