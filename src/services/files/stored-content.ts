import { AsyncLocalStorage } from 'node:async_hooks';
import { Semaphore } from '../../common/concurrency.js';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import type { BlobStore, StagedBlob } from '../../storage/blob-store.js';
import { refuseMoreBytes } from '../shared/quotas.js';
import { referenced } from './content-references.js';
import { DISAGREEMENTS, levelOf, notOurStorage, type StorageOwner } from './storage-owner.js';

/**
 * An upload takes a shared lock on its content from before the bytes are stored until the row is committed; a removal
 * takes an exclusive one while looking for rows. So bytes are never removed under an upload of the same content, and
 * never left without a row.
 */
export const lockContent = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${p('sha256')}, 0))`,
);
const lockAlone = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('sha256')}, 0))`,
);

/** A backup takes it exclusively, so that nothing is removed that its rows refer to. */
export const BACKUP_LOCK = 7_214_011;
const noBackup = statement<object>()(
  () => sql<{ free: boolean }>`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as free`,
);

/** Milliseconds, the same as for a connection of the pool. */
const STALL_LIMIT = 5_000;

/** The number of waiting transactions of a `StoredContent` is bounded. */
type Transactions = Pick<Database, 'rows' | 'transaction'>;

interface StoredContentSettings {
  /** Maximum number of connections that wait for the storage. */
  connections: number;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Maximum bytes of one organization; unlimited when absent. */
  maxBytes?: number;
}

/** Result of removing content. */
export type Removal = 'removed' | 'referenced' | 'refused';

/**
 * Ensures that stored bytes and the rows that refer to them are consistent. A connection is open while the storage answers,
 * so bytes are staged before, and few connections are used at a time: a slow storage must not block other requests.
 */
export class StoredContent {
  private readonly inTurn: Transactions;
  private ownership: Promise<void> | undefined;
  /** Runs transactions that must not be rolled back with the request that started them. */
  private readonly outsideOfRequests = AsyncLocalStorage.snapshot();

  constructor(
    private readonly database: Database,
    readonly store: BlobStore,
    readonly owner: StorageOwner,
    private readonly settings: StoredContentSettings,
  ) {
    const semaphore = new Semaphore(settings.connections, STALL_LIMIT);
    this.inTurn = {
      rows: database.rows.bind(database),
      transaction: (work) => semaphore.run(() => database.transaction(work)),
    };
  }

  /** Cleans the staging area after a crash, and logs whether the storage belongs to the database. */
  async begin(): Promise<void> {
    const { log } = this.settings;
    const files = await this.store.sweepStaging();
    if (files > 0) log.info({ files }, 'parts of uploads that a crash had left were removed');
    const agreement = await this.owner.claim();
    if (agreement !== 'agreed') log.warn({ agreement }, DISAGREEMENTS[agreement]);
  }

  /**
   * Runs `write`, which inserts the row for staged bytes, in a transaction: the bytes are durable before the row is,
   * and are not removed in between. Bytes without a row are removed.
   */
  async storeWith<Result>(staged: StagedBlob, write: (tx: Queryable) => Promise<Result>): Promise<Result> {
    await this.refuseForeignStorage();
    await staged.secure();
    try {
      const result = await this.inTurn.transaction(async (tx) => {
        await lockContent.all(tx, staged);
        // A crash between this and the row leaves bytes for the sweep, never a row without bytes.
        await staged.store();
        return write(tx);
      });
      await this.database.request.afterwards((committed) => (committed ? undefined : this.removeOrLog(staged.sha256)));
      return result;
    } catch (error) {
      await this.deleteIfUnreferenced(staged.sha256);
      throw error;
    }
  }

  /** Throws CONFLICT when the organization exceeds its limit with the row that was just written. */
  refuseExcess(tx: Queryable, organizationId: number): Promise<void> {
    return refuseMoreBytes(tx, organizationId, this.settings.maxBytes ?? Infinity);
  }

  /** Removes the bytes of unreferenced content after the transaction has ended. */
  async deleteIfUnreferenced(sha256: string): Promise<void> {
    await this.database.request.afterwards(() => this.removeOrLog(sha256));
  }

  /**
   * Removes the bytes of content, unless a row refers to them, the storage belongs to another database, or a backup is
   * being made. Every removal is logged.
   */
  remove(sha256: string): Promise<Removal> {
    const { log } = this.settings;
    return this.inTurn.transaction(async (tx) => {
      await lockAlone.all(tx, { sha256 });
      if ((await referenced.one(tx, { sha256 })).referenced) return 'referenced';
      if (!(await noBackup.one(tx, {})).free) {
        log.info({ sha256 }, 'content was not removed, because a backup is being made; a later sweep will');
        return 'refused';
      }
      const agreement = await this.owner.agreementLately(tx);
      if (agreement !== 'agreed') {
        log[levelOf(agreement)]({ sha256, agreement }, `Content was not removed. ${DISAGREEMENTS[agreement]}`);
        return 'refused';
      }
      await this.store.remove(sha256);
      log.info({ sha256 }, 'stored content was removed, to which no row refers');
      return 'removed';
    });
  }

  private async removeOrLog(sha256: string): Promise<void> {
    await this.remove(sha256).catch((err: unknown) =>
      this.settings.log.warn({ err, sha256 }, 'content was not removed; a later sweep will'),
    );
  }

  /**
   * Throws UNAVAILABLE if the storage belongs to another installation. Checked once: the owner of an unmarked storage is known
   * only before the first content.
   */
  refuseForeignStorage(): Promise<void> {
    this.ownership ??= this.outsideOfRequests(() => this.owner.claim())
      .then((agreement) => {
        if (agreement === 'another installation') throw notOurStorage();
      })
      .catch((error: unknown) => {
        this.ownership = undefined;
        throw error;
      });
    return this.ownership;
  }
}
