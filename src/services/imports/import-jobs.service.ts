import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { TableLimits, TableRow } from '../../common/incoming-table.js';
import { NO_FIELDS, type ListSelection, type Selection } from '../../common/selection.js';
import { DAY } from '../../common/time.js';
import { jsonRows } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import type { ListQuery } from '../../database/list-query.js';
import { untilFewer } from '../../database/until-fewer.js';
import { conflict, found, type DomainError } from '../../errors.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { ImportJobKind, Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { DocumentImportService } from '../documents/document-import.service.js';
import type { Foundation } from '../foundation.js';
import { memberKey, type MemberImportService } from '../members/member-import.service.js';
import { KEY, rowErrors, shownKey, type CellChange, type IncomingTable } from '../shared/import-rows.js';
import { refusalOf } from '../shared/rows.js';
import type { ControlImportService } from '../workflows/control-import.service.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { WorkflowService } from '../workflows/workflows.service.js';
import { endLockedJob, recordJob, refusalFrom, storedRefusal, type StoredRefusal } from './import-records.js';
import * as statements from './import-statements.js';
import {
  jobProjection,
  oneJob,
  rowListing,
  rowProjection,
  type ImportRowQuery,
  type JobKey,
} from './import-statements.js';
import { PRIVILEGE_OF } from './import-worker.js';
import { WatchedJob } from './watched-job.js';

/** A row to be processed, or refused at once. */
interface PlannedRow {
  row: number | null;
  key: string | null;
  said: Readonly<Record<string, string>>;
  error?: DomainError | undefined;
}

interface PlannedJob {
  organizationId: number;
  kind: ImportJobKind;
  workflowId?: string;
  archive?: string;
  rows: readonly PlannedRow[];
}

type Table = Pick<IncomingTable, 'text' | 'file'>;

/** The privilege that a member needs to see a job of each kind, and to cancel one of others. */
const READ: Readonly<Record<ImportJobKind, Privilege>> = {
  ...{ INVITATIONS: 'LIST_INVITATIONS', MEMBERS: 'LIST_INVITATIONS' },
  ...{ CONTROLS: 'READ_WORKFLOWS', DOCUMENTS: 'READ_DOCUMENTS' },
};
const CANCEL: Readonly<Record<ImportJobKind, Privilege>> = {
  ...{ INVITATIONS: 'MANAGE_MEMBERS', MEMBERS: 'MANAGE_MEMBERS' },
  ...{ CONTROLS: 'MANAGE_WORKFLOWS', DOCUMENTS: 'MANAGE_WORKFLOWS' },
};

const { importJob: LIMIT } = LIMITS;
const TABLE_LIMITS: TableLimits = { maxBytes: LIMIT.tableBytes, rows: LIMIT.rows };
/** Rows inserted by one statement. */
const INSERTED = 1_000;

type ImportJobDeps = Pick<Foundation, 'database' | 'access' | 'content' | 'queues' | 'now'> & {
  memberImports: MemberImportService;
  controlImports: ControlImportService;
  documentImports: DocumentImportService;
  workflows: WorkflowService;
};

/** Imports of many rows that run as jobs: starting, watching and cancelling them (docs/bulk.md). */
export class ImportJobService {
  constructor(private readonly deps: ImportJobDeps) {}

  /** Each of these throws as the request with the same rows does, and CONFLICT at the maximum of jobs. */
  async startInvitations(
    caller: Caller,
    { organizationId, invitations }: { organizationId: number; invitations: readonly { email: string; role: Role }[] },
    selection: Selection,
  ) {
    await this.deps.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const rows = invitations.map(({ email, role }, index) => ({ row: index + 1, key: null, said: { email, role } }));
    return this.start(caller, { organizationId, kind: 'INVITATIONS', rows }, selection);
  }

  async startMembers(
    caller: Caller,
    { organizationId, ...table }: { organizationId: number } & Table,
    selection: Selection,
  ) {
    const read = await this.deps.memberImports.read(caller, { organizationId, ...table }, TABLE_LIMITS);
    const job = { organizationId, kind: 'MEMBERS', rows: plannedRows(read.rows, memberKey) } as const;
    return { importJob: await this.start(caller, job, selection), ignoredColumns: read.ignoredColumns };
  }

  async startControls(
    caller: Caller,
    { organizationId, workflowId, ...table }: OrganizationWorkflowKey & Table,
    selection: Selection,
  ) {
    const key = { organizationId, workflowId };
    const read = await this.deps.controlImports.read(caller, { ...key, ...table }, TABLE_LIMITS);
    const job = { ...key, kind: 'CONTROLS', rows: plannedRows(read.rows) } as const;
    return { importJob: await this.start(caller, job, selection), ignoredColumns: read.ignoredColumns };
  }

  async startDocuments(
    caller: Caller,
    { file, ...key }: OrganizationWorkflowKey & { file: IncomingFile },
    selection: Selection,
  ) {
    const { documentImports, content } = this.deps;
    return documentImports.received(caller, key, file, LIMIT, async ({ rows, ignoredColumns, staged }) => {
      const planned = rows.map(({ row, path, said, error }) => ({
        ...{ row, error, key: shownKey(path) },
        said: Object.fromEntries(said),
      }));
      const job = { ...key, kind: 'DOCUMENTS', archive: staged.sha256, rows: planned } as const;
      const importJob = await content.storeWith(staged, (tx) => this.insert(tx, caller, job, selection));
      return { importJob, ignoredColumns };
    });
  }

  /** Throws NOT_FOUND for a non-member. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
  }

  /** Newest first, of each organization: those that the caller may see. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    { page }: ListQuery<'NEWEST'>,
    selection: ListSelection,
  ) {
    const may = await Promise.all(organizationIds.map((id) => this.deps.access.allows(caller, 'LIST_INVITATIONS', id)));
    const conditions = [statements.seenIn({ managed: organizationIds.filter((_id, index) => may[index]) })];
    const request = { page, conditions, ...jobProjection.list(selection) };
    return statements.jobListing.ofMany<object, number>(this.deps.database, organizationIds, request);
  }

  /** Throws NOT_FOUND for a missing one, and FORBIDDEN for one that the caller may not see. */
  async read(caller: Caller, { id, organizationId = null }: ImportJobKey, selection: Selection) {
    if (organizationId !== null) await this.authorizeList(caller, organizationId);
    const key = { id, organizationId };
    const job = found(await oneJob(jobProjection.of(selection)).first(this.deps.database, key));
    await this.authorizeList(caller, job.organizationId);
    await this.deps.access.authorize(caller, READ[job.kind], job.organizationId);
    return job;
  }

  /** In the order of sending, of each job. */
  async rowsOf(importJobIds: readonly number[], query: ImportRowQuery, selection: ListSelection) {
    const request = { ...query, ...rowProjection.list(selection) };
    const pages = await rowListing.ofMany<StoredRow, number>(this.deps.database, importJobIds, request);
    for (const { rows } of pages.values())
      for (const row of rows) {
        row.changes ??= [];
        if (row.error) Object.assign(row, { error: refusalFrom(row.error) });
      }
    return pages;
  }

  /**
   * Cancels a job and returns it; idempotent. Throws NOT_FOUND, FORBIDDEN for a job of others below rank 4, and
   * CONFLICT if it has ended otherwise.
   */
  async cancel(caller: Caller, key: JobKey, selection: Selection): Promise<object> {
    const { database, access, content, now } = this.deps;
    const { organizationId } = key;
    const { kind, userId } = found(await oneJob(jobProjection.of(NO_FIELDS)).first(database, key));
    const isOwn = caller.kind === 'user' && userId === caller.userId;
    if (!isOwn || !(await access.allows(caller, PRIVILEGE_OF[kind], organizationId)))
      await access.authorize(caller, CANCEL[kind], organizationId);
    const { job, archive } = await database.transaction(async (tx) => {
      const locked = await statements.lockJob.first(tx, key);
      if (locked !== undefined)
        await endLockedJob(tx, caller, locked, { action: 'IMPORT_CANCELLED', status: 'CANCELLED', at: now() });
      else if (found(await statements.statusOf.first(tx, key)).status !== 'CANCELLED')
        throw conflict('IMPORT_JOB_ENDED');
      return { job: await this.one(tx, key, selection), archive: locked?.archive ?? null };
    });
    if (archive !== null) await content.deleteIfUnreferenced(archive);
    return job;
  }

  /** The job now and after each change, until it ends. Throws as `read`, also when the caller loses the right to it. */
  async watch(caller: () => Caller, key: JobKey, selection: Selection): Promise<AsyncIterableIterator<object>> {
    const read = async () => {
      const job = await this.read(caller(), key, selection);
      return { job, text: JSON.stringify(job), hasEnded: job.endedAt !== null };
    };
    return new WatchedJob(read, await read());
  }

  /** Enqueues each runnable job that is not queued, also after the crash of an instance. */
  async enqueueDue(): Promise<void> {
    const { database, queues, now } = this.deps;
    const jobs = await statements.dueJobs.all(database, { now: now() });
    if (jobs.length > 0) await queues.enqueue(database, 'import', jobs.map(queued));
  }

  /** Deletes jobs that ended long ago, with their rows; returns their number. */
  purgeOld(): Promise<number> {
    const { database, now } = this.deps;
    const before = new Date(now().getTime() - LIMIT.keptDays * DAY);
    return untilFewer(
      statements.PURGED_AT_ONCE,
      async () => (await statements.purgeSome.all(database, { before })).length,
    );
  }

  private start(caller: Caller, job: PlannedJob, selection: Selection): Promise<object> {
    return this.deps.database.transaction((tx) => this.insert(tx, caller, job, selection));
  }

  private async insert(tx: Queryable, caller: Caller, job: PlannedJob, selection: Selection): Promise<object> {
    const { access, queues, workflows } = this.deps;
    const user = access.authorizeToken(caller, 'write');
    const { organizationId, kind, workflowId = null, archive = null, rows } = job;
    await statements.lockJobs.all(tx, { organizationId });
    // The reset of a sandbox may have been waited for.
    if (workflowId !== null) await workflows.requireAssociated({ organizationId, workflowId }, tx);
    const { jobs } = await statements.countUnended.one(tx, { organizationId });
    if (jobs >= LIMIT.perOrganization) throw conflict('IMPORT_JOB_LIMIT');
    const at = this.deps.now();
    const { id } = await statements.insertJob.one(tx, {
      ...{ organizationId, kind, workflowId, archive, userId: user.userId, tokenId: user.tokenId, now: at },
      ...{ rows: rows.length, refused: rows.filter(({ error }) => error !== undefined).length },
      origin: JSON.stringify(originOf(user)),
    });
    for (let first = 0; first < rows.length; first += INSERTED) {
      const some = rows.slice(first, first + INSERTED);
      const inserted = some.map((each, index) =>
        storedRow(each, { organizationId, importJobId: id, number: first + index + 1 }),
      );
      await statements.insertJobRows.all(tx, { rows: jsonRows<'import_row'>(inserted) });
    }
    await queues.enqueue(tx, 'import', [queued({ organizationId, id })]);
    const changes = { rows: { after: rows.length }, ...(workflowId !== null && { workflow: { after: workflowId } }) };
    await recordJob(tx, user, { id, organizationId, kind }, { action: 'IMPORT_STARTED', at, changes });
    return this.one(tx, { id, organizationId }, selection);
  }

  private async one(tx: Queryable, key: JobKey, selection: Selection): Promise<object> {
    return found(await oneJob(jobProjection.of(selection)).first(tx, key));
  }
}

interface ImportJobKey {
  id: number;
  organizationId?: number | null;
}

interface StoredRow {
  changes?: CellChange[];
  error?: StoredRefusal | null;
}

function plannedRows(rows: readonly TableRow[], keyOf?: (cell: string) => string): PlannedRow[] {
  const errorOf = rowErrors(rows, keyOf);
  return rows.map((each) => {
    const key = each.cells?.get(KEY) ?? null;
    const said = Object.fromEntries(each.cells ?? []);
    return { row: each.row, key: shownKey(key), said, error: errorOf(each) };
  });
}

function storedRow(
  { row, key, said, error }: PlannedRow,
  place: { organizationId: number; importJobId: number; number: number },
) {
  const refused = error && storedRefusal(refusalOf(error));
  return {
    ...{ ...place, row, key },
    input: refused === undefined ? JSON.stringify(said) : null,
    outcome: refused === undefined ? ('WAITING' as const) : ('REFUSED' as const),
    error: refused ?? null,
  };
}

function originOf({ form, origin }: UserCaller) {
  return { form, address: origin?.address, requestId: origin?.requestId };
}

function queued({ organizationId, id }: JobKey) {
  return { data: { organizationId, importJobId: id }, singletonKey: String(id) };
}
