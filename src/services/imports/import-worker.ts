import type { Access } from '../../auth/access.js';
import type { Credential, UserCaller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import { NO_FIELDS } from '../../common/selection.js';
import { MINUTE } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import type { SharedTransaction } from '../../database/shared-transaction.js';
import { DomainError } from '../../errors.js';
import { openWhole } from '../../storage/whole-content.js';
import { ZipArchive } from '../../storage/zip-archive.js';
import type { ImportJobFailure, ImportJobKind, Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { DocumentImportService } from '../documents/document-import.service.js';
import type { StoredContent } from '../files/stored-content.js';
import { invitationRefusal, isKnown, type InviteManyService } from '../members/invite-many.service.js';
import type { MemberImportService } from '../members/member-import.service.js';
import { KEY, type CellChange, type RowChange, type RowCheck } from '../shared/import-rows.js';
import { refusalOf, type RowRefusal } from '../shared/rows.js';
import type { ControlImportService } from '../workflows/control-import.service.js';
import { endLockedJob, storedRefusal, SYSTEM } from './import-records.js';
import * as statements from './import-statements.js';

/** Checks of a row's values; those of invitations were checked when they were sent. */
export type RowChecks = Readonly<Record<Exclude<ImportJobKind, 'INVITATIONS'>, RowCheck>>;

/** The privilege that the author of a job needs for each of its rows. */
export const PRIVILEGE_OF: Readonly<Record<ImportJobKind, Privilege>> = {
  INVITATIONS: 'MANAGE_MEMBERS',
  MEMBERS: 'MANAGE_MEMBERS',
  CONTROLS: 'SET_CONTROL_STATUS',
  DOCUMENTS: 'UPLOAD_DOCUMENTS',
};

interface ImportWorkerDeps {
  database: Database;
  access: Access;
  content: StoredContent;
  inviteMany: InviteManyService;
  memberImports: MemberImportService;
  controlImports: ControlImportService;
  documentImports: DocumentImportService;
  now: () => Date;
}

type Job = Awaited<ReturnType<typeof statements.beginAttempt.one>>;

interface Done {
  outcome: 'CHANGED' | 'UNCHANGED' | 'REFUSED';
  changes?: readonly CellChange[];
  error?: RowRefusal;
  recordId?: number;
}

type Cells = Readonly<Record<string, string>>;
type WaitingRow = { number: number; said: Cells };
/** Processes one row. Throws what refuses it. */
type RowWork = (caller: UserCaller, said: Cells) => Promise<Done>;

/** Another instance has processed the row, or the job has ended: nothing is done here. */
class NotWaiting extends Error {}

/** The author of the job has lost a right that the row needs. */
class Lost extends Error {
  constructor(readonly failure: ImportJobFailure) {
    super();
  }
}

/** Milliseconds of one attempt, after which other jobs run. */
const TURN = 10 * MINUTE;
/** Maximum milliseconds until rows that wait for a limit of mails are retried. */
const LONGEST_REST = 60 * MINUTE;

/** Processes the rows of import jobs, each in a transaction with its result (docs/adr/0047). */
export class ImportWorker {
  constructor(private readonly deps: ImportWorkerDeps) {}

  /** Continues a job until it is done or its time is over; after an error, a later attempt does. */
  async work(key: statements.JobKey, checks: RowChecks, signal: AbortSignal): Promise<void> {
    const { database, now } = this.deps;
    const job = await statements.beginAttempt.first(database, { ...key, now: now() });
    if (job === undefined) return;
    if (job.attempts > LIMITS.importJob.attempts) return this.end(job, 'GIVEN_UP');
    const over = performance.now() + TURN;
    const archive = job.archive === null ? undefined : await this.unpacked(job.archive);
    try {
      const rest = await this.pass(job, {
        checks,
        archive,
        mayGoOn: () => !signal.aborted && performance.now() < over,
      });
      if (rest === 'done') await this.end(job);
      else if (typeof rest === 'string') await this.end(job, rest);
      else if (rest !== undefined) {
        const until = new Date(now().getTime() + Math.min(Math.max(rest * 1000, MINUTE), LONGEST_REST));
        await statements.postpone.all(database, { ...key, until });
      }
    } finally {
      await archive?.close();
    }
  }

  /** Processes the waiting rows. Returns `done`, why the job must end, or the seconds until it can continue. */
  private async pass(
    job: Job,
    { checks, archive, mayGoOn }: Pass,
  ): Promise<'done' | ImportJobFailure | number | undefined> {
    const { database } = this.deps;
    const { organizationId, id } = job;
    const credential = await this.tokenOf(job);
    let resting: number | undefined;
    for (let after = 0; ;) {
      const rows = await statements.waitingRows.all(database, { organizationId, id, after });
      if (rows.length === 0) return resting ?? 'done';
      const batch = rows.map(({ number, input }) => ({ number, said: JSON.parse(input) as Cells }));
      let work: RowWork | undefined;
      for (const row of batch) {
        if (!mayGoOn()) return undefined;
        const caller = await this.authorOf(job, credential);
        if (typeof caller === 'string') return caller;
        work ??= await this.workOf(job, caller, { checks, archive, batch }).catch(refusing);
        const wait = await this.one(job, caller, row, work);
        if (typeof wait === 'string') return wait;
        if (typeof wait === 'number') resting = Math.min(resting ?? Infinity, wait);
        after = row.number;
      }
    }
  }

  /** The author with its present rights, or why the job cannot continue in its name. */
  private async authorOf(
    { kind, organizationId }: Job,
    credential?: Credential,
  ): Promise<UserCaller | ImportJobFailure> {
    const { access } = this.deps;
    const caller = credential && (await access.revalidateTokens([credential])).get(credential);
    if (caller === undefined) return 'TOKEN_ENDED';
    return (await access.allows(caller, PRIVILEGE_OF[kind], organizationId)) ? caller : 'RIGHT_LOST';
  }

  /**
   * One row and its result, or neither. Returns the seconds until it may be sent if a limit of mails prevents it, and
   * why the job ends if its author was removed while the row waited for a lock.
   */
  private async one(job: Job, caller: UserCaller, { number, said }: WaitingRow, work: RowWork) {
    const { organizationId, id } = job;
    const { database } = this.deps;
    const key = { organizationId, id, number };
    const confirm = async () => {
      const author = await database.request.outside(() => this.authorOf(job, caller.credential));
      if (typeof author === 'string') throw new Lost(author);
    };
    const locks = { userId: caller.userId, organizationIds: [organizationId], confirm };
    const lock = async (tx: Parameters<typeof statements.lockJob.first>[0]) => {
      if ((await statements.lockJob.first(tx, key)) === undefined) throw new NotWaiting();
      if ((await statements.isWaiting.first(tx, key)) === undefined) throw new NotWaiting();
    };
    try {
      const answer = async (share: SharedTransaction) => {
        const done = await work(caller, said).catch((error: unknown): Done | number => {
          if (error instanceof DomainError && error.code === 'RATE_LIMITED') return error.retryAfter ?? 0;
          const refusal = job.kind === 'INVITATIONS' ? invitationRefusal(error) : refusalOf(error);
          return { outcome: 'REFUSED', error: refusal };
        });
        if (typeof done === 'number') return done;
        const { outcome, changes, error, recordId = null } = done;
        await share.commit(async (tx) => {
          const result = {
            changes: changes === undefined ? null : JSON.stringify(changes),
            error: error === undefined ? null : JSON.stringify(storedRefusal(error)),
          };
          await statements.endRow.all(tx, { ...key, outcome, recordId, ...result });
          await statements.countRow.all(tx, { ...key, outcome });
        });
        return undefined;
      };
      return await database.request.withLocks(
        () => locks,
        () => database.request.share(lock, answer),
      );
    } catch (error) {
      if (error instanceof NotWaiting) return undefined;
      if (error instanceof Lost) return error.failure;
      throw error;
    }
  }

  private async workOf(job: Job, caller: UserCaller, { checks, archive, batch }: Batch): Promise<RowWork> {
    const { inviteMany, memberImports, controlImports, documentImports } = this.deps;
    const { organizationId, kind } = job;
    const key = { organizationId, workflowId: job.workflowId ?? '' };
    if (kind === 'INVITATIONS')
      return async (by, { email, role }) => {
        const invitation = { organizationId, email: email as string, role: role as Role };
        try {
          return { outcome: 'CHANGED', recordId: await inviteMany.one(by, invitation) };
        } catch (error) {
          if (isKnown(error) !== undefined && (await inviteMany.isSo(invitation))) return { outcome: 'UNCHANGED' };
          throw error;
        }
      };
    if (kind === 'DOCUMENTS')
      return async (by, said) => {
        const planned = { said: new Map(Object.entries(said)), error: undefined };
        const upload = { archive: archive!.zip, planned, check: checks.DOCUMENTS, selection: NO_FIELDS };
        const { created, documentVersion } = await documentImports.upload(by, key, upload);
        return { outcome: created ? 'CHANGED' : 'UNCHANGED', recordId: (documentVersion as { id: number }).id };
      };
    const keys = batch.map(({ said }) => said[KEY] ?? '');
    const apply: RowChange =
      kind === 'MEMBERS'
        ? await memberImports.applying(caller, organizationId, keys, checks.MEMBERS)
        : await controlImports.applying(caller, key, checks.CONTROLS);
    return async (_by, said) => {
      const changes = await apply(new Map(Object.entries(said)), said[KEY] ?? '');
      return { outcome: changes.length === 0 ? 'UNCHANGED' : 'CHANGED', changes };
    };
  }

  private async tokenOf({ tokenId, origin }: Job): Promise<Credential | undefined> {
    const { form, address, requestId } = origin;
    const found = tokenId === null ? undefined : await statements.digestOf.first(this.deps.database, { tokenId });
    if (found === undefined) return undefined;
    return { digest: found.digest, origin: { form, address, ...(requestId !== undefined && { requestId }) } };
  }

  /** The archive on the disk of this machine. */
  private async unpacked(sha256: string): Promise<OpenArchive> {
    const { store } = this.deps.content;
    // Opened when it is used: otherwise it would not be closed.
    const bytes = async function* () {
      yield* await openWhole(store, sha256);
    };
    const staged = await store.stage(bytes(), LIMITS.archive.maxBytes);
    try {
      const zip = await ZipArchive.open(staged.path, LIMITS.importJob.entries);
      return {
        zip,
        async close() {
          zip.close();
          await staged.discard();
        },
      };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  private async end(job: Job, failure?: ImportJobFailure): Promise<void> {
    const { database, content, now } = this.deps;
    await database.transaction(async (tx) => {
      const locked = await statements.lockJob.first(tx, job);
      if (locked === undefined) return;
      const status = failure === undefined ? 'DONE' : 'FAILED';
      await endLockedJob(tx, SYSTEM, locked, {
        action: 'IMPORT_ENDED',
        status,
        ...(failure && { failure }),
        at: now(),
      });
    });
    if (job.archive !== null) await content.deleteIfUnreferenced(job.archive);
  }
}

/** Refuses each row with the common error of all, such as a deleted workflow. */
function refusing(error: unknown): RowWork {
  if (!(error instanceof DomainError)) throw error;
  return () => Promise.reject(error);
}

interface OpenArchive {
  zip: ZipArchive;
  close(): Promise<void>;
}

interface Pass {
  checks: RowChecks;
  archive: OpenArchive | undefined;
  mayGoOn: () => boolean;
}

interface Batch extends Omit<Pass, 'mayGoOn'> {
  batch: readonly WaitingRow[];
}
