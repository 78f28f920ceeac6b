import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import type { RecordStore } from '../../storage/record-store.js';
import { checkpointOf, logName, type CheckpointRow, type SignedCheckpoint } from './trails.js';

/** Checkpoints that one statement reads. */
const BATCH = 500;
/** Files that are written at a time. */
const AT_ONCE = 16;

interface Unpublished extends CheckpointRow {
  logId: number;
  organizationId: number | null;
  userId: string | null;
}

const [c, l, s] = [table('audit_checkpoint', 'c'), table('audit_log', 'l'), table('audit_seal', 's')];

const checkpointsBeyond = (column: 'published' | 'mailed') =>
  statement<{ logIds: readonly number[] | null }>()(
    (p) => sql<Unpublished>`
      select ${c.log_id} as "logId", ${l.organization_id} as "organizationId", ${l.user_id} as "userId", ${c.position},
             ${c.hash}, ${c.created_at} as at, ${c.key_id} as "keyId", ${c.signature}, ${c.number}, ${c.previous},
             ${c.chain_signature} as "chainSignature"
        from ${s.table} join ${l.table} on ${l.id} = ${s.log_id}
        join ${c.table} on ${c.log_id} = ${s.log_id} and ${c.number} > ${s[column]} and ${c.number} <= ${s.checkpoints}
       where ${s.checkpoints} > ${s[column]}
         and (${p('logIds')}::bigint[] is null or ${s.log_id} = any(${p('logIds')}::bigint[]))
       order by ${c.log_id}, ${c.number} limit ${sql.lit(BATCH)}`,
  );

const unpublished = checkpointsBeyond('published');
const unmailed = checkpointsBeyond('mailed');

const mark = (column: 'published' | 'mailed') =>
  statement<{ logIds: readonly number[]; numbers: readonly number[] }>()(
    (p) => sql`
      update ${s.table} set ${sql.ref(column)} = done.number
        from (select trail, max(number) as number
                from unnest(${p('logIds')}::bigint[], ${p('numbers')}::bigint[]) as each(trail, number) group by trail) done
       where ${s.log_id} = done.trail and ${s[column]} < done.number`,
  );

const unpublish = statement()(() => sql`update ${s.table} set published = 0`);
const markPublished = mark('published');
const markMailed = mark('mailed');

/**
 * Keeps each checkpoint where the database does not reach: in the storage, one file each, and in the log. By these files it
 * is found that the database was set back.
 */
export class CheckpointAnchors {
  constructor(
    private readonly records: RecordStore,
    private readonly log: Logger,
  ) {}

  /** The checkpoint with the highest number that the storage has of a trail. Throws UNAVAILABLE. */
  async newest(log: string): Promise<SignedCheckpoint | undefined> {
    const name = await this.records.newest(log);
    const text = name === undefined ? undefined : await this.records.get(log, name);
    if (name === undefined || text === undefined) return undefined;
    return { number: Number.parseInt(name, 10), ...(JSON.parse(text) as SignedCheckpoint) };
  }

  /** Writes what the storage does not have yet: of these trails, or of all. */
  async publish(database: Queryable, logIds: readonly number[] | null = null): Promise<void> {
    for (;;) {
      const rows = await unpublished.all(database, { logIds });
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = rows.slice(at, at + AT_ONCE);
        await this.write(some);
        await markPublished.all(database, numbersOf(some));
      }
      if (rows.length < BATCH) return;
    }
  }

  /** Writes all that there are into a storage that has none, such as that of a restored backup. */
  async publishAgain(database: Queryable): Promise<void> {
    await unpublish.all(database);
    await this.publish(database);
  }

  /** Calls `send` with checkpoints that were not sent yet, some hundreds at a time, in the transaction that notes it. */
  async mail(tx: Queryable, send: (checkpoints: readonly SignedCheckpoint[]) => Promise<void>): Promise<boolean> {
    const rows = await unmailed.all(tx, { logIds: null });
    if (rows.length === 0) return false;
    await send(rows.map(checkpointIn));
    await markMailed.all(tx, numbersOf(rows));
    return rows.length === BATCH;
  }

  private async write(rows: readonly Unpublished[]): Promise<void> {
    const named = rows.map((row) => ({ name: nameOf(row.number), checkpoint: checkpointIn(row) }));
    await this.records.put(
      named.map(({ name, checkpoint }) => ({ folder: checkpoint.log, name, text: `${JSON.stringify(checkpoint)}\n` })),
    );
    for (const { checkpoint } of named) this.log.info({ checkpoint }, 'checkpoint of an audit trail');
  }
}

function numbersOf(rows: readonly Unpublished[]) {
  return { logIds: rows.map(({ logId }) => logId), numbers: rows.map(({ number }) => number) };
}

function checkpointIn({ organizationId, userId, ...row }: Unpublished): SignedCheckpoint {
  return checkpointOf(logName(organizationId === null ? { userId: userId as string } : { organizationId }), row);
}

/** Names sort as their numbers do. The name of a trail, such as `organization/7`, is its folder. */
function nameOf(number: number): string {
  return `${String(number).padStart(10, '0')}.json`;
}
