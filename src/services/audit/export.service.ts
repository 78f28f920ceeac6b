import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { BOM, csvFile, type Cells } from '../../common/spreadsheets.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { portableName } from '../../storage/file-names.js';
import type { AuditCheckpointService } from './checkpoints.service.js';
import { entryRecords, type EntryRecord } from './entry-records.js';
import { record } from './record.js';
import { recordOrganization, recordUser } from './subjects.js';
import { entriesUpTo, headOf, pruningOf, type EntryText, type SignedCheckpoint } from './trails.js';

const organizationName = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization').select('name').where('id', '=', p('organizationId')),
);

export type AuditExportFormat = 'ndjson' | 'csv';

/** Whole audit trails as files, whose last entry is the export: NDJSON is what verifies, CSV is for people (docs/adr/0024). */
export class AuditExportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly checkpoints: AuditCheckpointService,
    private readonly now: () => Date,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not export the audit trail of the organization. */
  async prepare(
    caller: Caller,
    organizationId: number,
    format: AuditExportFormat,
    mark: typeof BOM | '' = BOM,
  ): Promise<PreparedFile> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    const at = this.now();
    const organization = await organizationName.one(this.database, { organizationId });
    const name = `${portableName(`${organization.name} audit trail ${at.toISOString().slice(0, 10)}`)}.${format}`;
    const subject = { type: 'ORGANIZATION', id: organizationId, name: organization.name } as const;
    const open = async () => {
      const { head, pruning, checkpoint } = await this.database.transaction(async (tx) => {
        const changes = { format: { after: format } };
        const event = { organizationId, at, action: 'AUDIT_TRAIL_EXPORTED', subject, changes } as const;
        await record(tx, caller as Actor, event);
        const newest = await headOf(tx, { organizationId });
        const pruning = await pruningOf(tx, newest);
        return { head: newest, pruning, checkpoint: await this.checkpoints.sign(tx, newest) };
      });
      const reads = await this.database.longReads();
      const batches = entriesUpTo(reads, head);
      const lines =
        format === 'csv' ? csvFile(tableOf(reads, batches), mark) : jsonLines(batches, checkpoint, pruning?.statement);
      return Readable.from(lines, { objectMode: false });
    };
    return { name, open };
  }
}

/** What was removed from the beginning, each entry as it is stored, and the checkpoint of the last one. */
export async function* jsonLines(
  batches: AsyncIterable<EntryText[]>,
  checkpoint: SignedCheckpoint,
  pruned?: SignedCheckpoint,
): AsyncGenerator<string> {
  if (pruned !== undefined) yield signedLine('pruned', pruned);
  for await (const rows of batches)
    yield rows
      .map(
        ({ position, hash, entry }) => `{"position":${position},"hash":"${hash.toString('hex')}","entry":${entry}}\n`,
      )
      .join('');
  yield signedLine('checkpoint', checkpoint);
}

function signedLine(name: string, { keyId, ...signed }: SignedCheckpoint): string {
  return `${JSON.stringify({ [name]: { ...signed, key_id: keyId } })}\n`;
}

const HEADINGS = [
  ...['position', 'at', 'action', 'actor_type', 'actor', 'actor_id', 'token_id', 'address', 'request_id'],
  ...['subject_type', 'subject_id', 'subject', 'parent_type', 'parent_id', 'changes', 'reason', 'hash'],
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
  ];
}

/** A list that is downloaded as a file. */
export interface ListDownload {
  /** Its name in the interface description. */
  list: string;
  format: string;
  /** Whose list it is; undefined where it has items of several organizations. */
  organizationId: number | undefined;
}

/** Downloads of lists are recorded: in the trail of the organization, or of the user where there are several. */
export class ListDownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date,
  ) {}

  /** Throws NOT_FOUND and FORBIDDEN. */
  async record(caller: Caller, { list, format, organizationId }: ListDownload): Promise<void> {
    const changes = { list: { after: list }, format: { after: format } };
    const facts = { action: 'LIST_DOWNLOADED', at: this.now(), changes } as const;
    if (organizationId === undefined) {
      const user = this.access.authorizeSelf(caller, 'read');
      return recordUser(this.database, user, user, facts);
    }
    await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
    const { name } = await organizationName.one(this.database, { organizationId });
    await recordOrganization(this.database, caller, { id: organizationId, name }, facts);
  }
}
