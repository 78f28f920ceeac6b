import { hash } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';

/** The head of an audit trail. */
export interface TrailHead {
  /** Undefined while there is no entry. */
  id?: number;
  /** What the chain begins with: `organization/<id>`. */
  log: string;
  position: number;
  hash: Buffer;
}

const headBy = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('audit_log').select(['id', 'position', 'hash']).where('organization_id', '=', p('organizationId')),
);

/** The head of an organization's trail: its newest entry, or the beginning of the chain. */
export async function headOf(database: Queryable, organizationId: number): Promise<TrailHead> {
  const log = `organization/${organizationId}`;
  const head = await headBy.first(database, { organizationId });
  return { log, ...(head ?? { position: 0, hash: beginningOf(log) }) };
}

export function beginningOf(log: string): Buffer {
  return hash('sha256', log, 'buffer');
}

export interface EntryText {
  position: number;
  entry: string;
  hash: Buffer;
}

/** Entries that are in memory at a time: most have less than 1 KB, the largest some 100 KB. */
const BATCH = 250;

const batch = statement<{ logId: number; after: number; upTo: number }>()((p) =>
  db
    .selectFrom('audit_entry')
    .select(['position', 'entry', 'hash'])
    .where('log_id', '=', p('logId'))
    .where('position', '>', p('after'))
    .where('position', '<=', p('upTo'))
    .orderBy('position')
    .limit(BATCH),
);

/** The entries up to the head, in order; batches that are not consumed are not read. */
export async function* entriesUpTo(database: Queryable, { id, position }: TrailHead): AsyncGenerator<EntryText[]> {
  // Positions begin at 1; what stands before was put there otherwise and is to be found.
  for (let after = Number.MIN_SAFE_INTEGER; id !== undefined && after < position;) {
    const rows = await batch.all(database, { logId: id, after, upTo: position });
    if (rows.length === 0) return;
    yield rows;
    after = (rows.at(-1) as EntryText).position;
  }
}
