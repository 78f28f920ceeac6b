import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import type { BlobStore } from '../../storage/blob-store.js';

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
const lockShared = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${p('sha256')}, 0))`,
);
const lockAlone = statement<{ sha256: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('sha256')}, 0))`,
);

/** Blobs looked up in one statement while sweeping. */
const SWEEP_BATCH = 500;

/** Locks content for the rest of the transaction, so that its bytes are not removed meanwhile. */
export async function lockContent(tx: Queryable, sha256: string): Promise<void> {
  await lockShared.all(tx, { sha256 });
}

/** Removes the bytes of content that no row refers to any more. */
export async function removeUnreferenced(
  database: Pick<Database, 'transaction'>,
  store: BlobStore,
  sha256: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAlone.all(tx, { sha256 });
    if (!(await referenced.one(tx, { sha256 })).referenced) await store.remove(sha256);
  });
}

/**
 * Removes what a crash left: partial files, and bytes without a row. Returns how many blobs were removed. An aborted
 * run leaves the rest to the next start.
 */
export async function sweepBlobs(
  database: Pick<Database, 'rows' | 'transaction'>,
  store: BlobStore,
  signal?: AbortSignal,
): Promise<number> {
  await store.sweepStaging();
  let removed = 0;
  const sweep = async (batch: string[]) => {
    const kept = await referencedAmong.all(database, { batch });
    const needed = new Set(kept.map(({ sha256 }) => sha256));
    for (const sha256 of batch.filter((each) => !needed.has(each))) {
      if (signal?.aborted) return;
      await removeUnreferenced(database, store, sha256);
      removed += 1;
    }
  };
  const batch: string[] = [];
  for await (const sha256 of store.list()) {
    if (signal?.aborted) return removed;
    batch.push(sha256);
    if (batch.length === SWEEP_BATCH) await sweep(batch.splice(0));
  }
  if (batch.length > 0) await sweep(batch);
  return removed;
}
