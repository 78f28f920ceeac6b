import type { Database, Queryable } from '../../database/database.js';
import { Semaphore } from '../../common/concurrency.js';
import type { BlobStore, StagedBlob } from '../../storage/blob-store.js';
import { refuseMoreBytes } from '../shared/quotas.js';
import { lockContent, removeUnreferenced, sweepBlobs } from './blob-references.js';

/** Milliseconds; as long as one would wait for a connection of the pool. */
const STALL_LIMIT = 5_000;

export interface StoredContentSettings {
  /** Connections that may wait for the storage at a time. */
  connections: number;
  /** Called with what could not be removed; the sweep at the next start removes it. */
  leftOver: (error: unknown) => void;
  /** Bytes that one organization may have; as many as it likes when absent. */
  maxBytes?: number;
}

/**
 * Keeps stored bytes and the rows that refer to them consistent. That needs a connection while the storage answers, so
 * bytes travel before, and few connections are used at a time: a slow storage must not block other requests.
 */
export class StoredContent {
  private readonly semaphore: Semaphore;
  private readonly leftOver: (error: unknown) => void;
  private readonly maxBytes: number;
  /** The database; a bounded number of its transactions wait for the storage. */
  private readonly inTurn: Pick<Database, 'rows' | 'transaction'>;

  constructor(
    private readonly database: Database,
    readonly store: BlobStore,
    { connections, leftOver, maxBytes = Infinity }: StoredContentSettings,
  ) {
    this.semaphore = new Semaphore(connections, STALL_LIMIT);
    this.leftOver = leftOver;
    this.maxBytes = maxBytes;
    this.inTurn = {
      rows: database.rows.bind(database),
      transaction: (work) => this.semaphore.run(() => database.transaction(work)),
    };
  }

  /**
   * Runs `write`, which inserts the row for staged bytes, in a transaction: the bytes are durable before the row is,
   * and are not removed in between. Bytes without a row are removed.
   */
  async keep<Result>(staged: StagedBlob, write: (tx: Queryable) => Promise<Result>): Promise<Result> {
    await staged.secure();
    try {
      const result = await this.inTurn.transaction(async (tx) => {
        await lockContent(tx, staged.sha256);
        // A crash between this and the row leaves bytes for the sweep, never a row without.
        await staged.keep();
        return write(tx);
      });
      await this.database.afterwards((committed) => (committed ? undefined : this.remove(staged.sha256)));
      return result;
    } catch (error) {
      await this.deleteIfUnreferenced(staged.sha256);
      throw error;
    }
  }

  /** Throws CONFLICT when the organization has more than it may, with the row that was just written. */
  refuseExcess(tx: Queryable, organizationId: number): Promise<void> {
    return refuseMoreBytes(tx, organizationId, this.maxBytes);
  }

  /** Removes the bytes of content that no row refers to any more, once it is decided which rows there are. */
  async deleteIfUnreferenced(sha256: string): Promise<void> {
    await this.database.afterwards(() => this.remove(sha256));
  }

  /** Removes what a crash left, until it is aborted. Returns how many blobs went. */
  sweep(signal: AbortSignal): Promise<number> {
    return sweepBlobs(this.inTurn, this.store, signal);
  }

  private async remove(sha256: string): Promise<void> {
    await removeUnreferenced(this.inTurn, this.store, sha256).catch(this.leftOver);
  }
}
