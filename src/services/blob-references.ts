import type { Database, Queryable } from '../database/database.js';
import type { BlobStore } from '../storage/blob-store.js';

/** The content of a stored logo, in the words of the index on it (entities/organization.ts); null for a foreign URL. */
const LOGO_CONTENT = `substring(o.logo from '^/logos/([0-9a-f]{64})[.]')`;

/**
 * Which stored bytes somebody still needs. Whoever takes content up holds it shared from before the bytes are kept
 * until the row is committed; whoever removes content holds it alone while looking for rows. So bytes are never
 * removed under an upload of the same content, and never kept for nobody.
 */
const REFERENCED = `
  select exists (select from document_version where sha256 = $1)
      or exists (select from incident_attachment where sha256 = $1)
      or exists (select from organization o where ${LOGO_CONTENT} = $1) as referenced`;

const REFERENCED_AMONG = `
  select sha256 from unnest($1::text[]) as stored(sha256)
   where exists (select from document_version d where d.sha256 = stored.sha256)
      or exists (select from incident_attachment a where a.sha256 = stored.sha256)
      or exists (select from organization o where ${LOGO_CONTENT} = stored.sha256)`;

/** Blobs looked up in one statement while sweeping. */
const SWEEP_BATCH = 500;

/** Holds content for the rest of the transaction, so that nobody removes its bytes meanwhile. */
export async function lockContent(tx: Queryable, sha256: string): Promise<void> {
  await tx.rows('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [sha256]);
}

/** Removes the bytes of content that no row refers to any more. */
export async function removeUnreferenced(
  database: Pick<Database, 'transaction'>,
  store: BlobStore,
  sha256: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [sha256]);
    const [row] = await tx.rows<{ referenced: boolean }>(REFERENCED, [sha256]);
    if (row?.referenced === false) await store.remove(sha256);
  });
}

/**
 * Removes what a crash left: half-received files, and bytes that were kept when the row was not. Returns how many
 * blobs went. Whoever aborts it leaves the rest to the next start.
 */
export async function sweepBlobs(
  database: Pick<Database, 'rows' | 'transaction'>,
  store: BlobStore,
  signal?: AbortSignal,
): Promise<number> {
  await store.sweepStaging();
  let removed = 0;
  const sweep = async (batch: string[]) => {
    const kept = await database.rows<{ sha256: string }>(REFERENCED_AMONG, [batch]);
    const referenced = new Set(kept.map(({ sha256 }) => sha256));
    for (const sha256 of batch.filter((each) => !referenced.has(each))) {
      if (signal?.aborted) return;
      await removeUnreferenced(database, store, sha256);
      removed += 1;
    }
  };
  const batch: string[] = [];
  for await (const { sha256 } of store.list()) {
    if (signal?.aborted) return removed;
    batch.push(sha256);
    if (batch.length === SWEEP_BATCH) await sweep(batch.splice(0));
  }
  if (batch.length > 0) await sweep(batch);
  return removed;
}
