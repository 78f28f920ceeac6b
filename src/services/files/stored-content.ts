import { Semaphore } from '../../common/concurrency.js';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import type { BlobStore, StagedBlob } from '../../storage/blob-store.js';
import { refuseMoreBytes } from '../shared/quotas.js';

const d = table('document_version', 'd');
const a = table('incident_attachment', 'a');
const o = table('organization', 'o');

/** Whether a row refers to the content. Of a logo that is stored here, in the words of the index on it. */
function isReferenced(sha256: Expression): Expression {
  return sql`exists (select from ${d.table} where ${d.sha256} = ${sha256})
    or exists (select from ${a.table} where ${a.sha256} = ${sha256})
    or exists (select from ${o.table} where substring(${o.logo} from '^/logos/([0-9a-f]{64})[.]') = ${sha256})`;
}

const referenced = statement<{ sha256: string }>()(
  (p) => sql<{ referenced: boolean }>`select ${isReferenced(p('sha256'))} as referenced`,
);

const referencedAmong = statement<{ batch: readonly string[] }>()(
  (p) => sql<{ sha256: string }>`
    select sha256 from unnest(${p('batch')}::text[]) as stored(sha256) where ${isReferenced(sql`stored.sha256`)}`,
);

/**
 * An upload locks its content shared from before the bytes are stored until the row is committed; a removal locks it
 * alone while looking for rows. So bytes are never removed under an upload of the same content, and never left without
 * a row.
 */
export const lockContent = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${p('sha256')}, 0))`,
);
const lockAlone = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('sha256')}, 0))`,
);

/** Blobs looked up in one statement while sweeping. */
const SWEEP_BATCH = 500;

/** In a `StoredContent`, a bounded number of them wait for the storage. */
type Transactions = Pick<Database, 'rows' | 'transaction'>;

/** Removes the bytes of content that no row refers to any more. */
export async function removeUnreferenced(database: Transactions, store: BlobStore, sha256: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAlone.all(tx, { sha256 });
    if (!(await referenced.one(tx, { sha256 })).referenced) await store.remove(sha256);
  });
}

/**
 * Removes what a crash left: partial files, and bytes without a row. Returns how many blobs were removed. An aborted
 * run leaves the rest to the next start.
 */
export async function sweepBlobs(database: Transactions, store: BlobStore, signal?: AbortSignal): Promise<number> {
  await store.sweepStaging();
  let removed = 0;
  let batch: string[] = [];
  const sweep = async () => {
    const kept = await referencedAmong.all(database, { batch });
    const needed = new Set(kept.map(({ sha256 }) => sha256));
    for (const sha256 of batch.filter((each) => !needed.has(each))) {
      if (signal?.aborted) return;
      await removeUnreferenced(database, store, sha256);
      removed += 1;
    }
    batch = [];
  };
  for await (const sha256 of store.list()) {
    if (signal?.aborted) return removed;
    batch.push(sha256);
    if (batch.length === SWEEP_BATCH) await sweep();
  }
  if (batch.length > 0) await sweep();
  return removed;
}

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
  private readonly inTurn: Transactions;

  constructor(
    private readonly database: Database,
    readonly store: BlobStore,
    private readonly settings: StoredContentSettings,
  ) {
    const semaphore = new Semaphore(settings.connections, STALL_LIMIT);
    this.inTurn = {
      rows: database.rows.bind(database),
      transaction: (work) => semaphore.run(() => database.transaction(work)),
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
        await lockContent.all(tx, staged);
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
    return refuseMoreBytes(tx, organizationId, this.settings.maxBytes ?? Infinity);
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
    await removeUnreferenced(this.inTurn, this.store, sha256).catch(this.settings.leftOver);
  }
}
