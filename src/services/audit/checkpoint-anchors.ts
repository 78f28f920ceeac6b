import { hash } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import type { RecordStore, StoredRecord } from '../../storage/record-store.js';
import { checkpointOf, logName, type CheckpointRow, type SignedCheckpoint } from './trails.js';

/** Checkpoints that one statement reads. */
const BATCH = 500;
/** Files that are read or written at a time. */
const AT_ONCE = 16;
/** Organizations whose first checkpoints are in one folder. */
const FOLDER = 1000;

interface Unpublished extends CheckpointRow {
  logId: number;
  organizationId: number | null;
  userId: string | null;
}

const [c, l, s] = [table('audit_checkpoint', 'c'), table('audit_log', 'l'), table('audit_seal', 's')];

const checkpointsBeyond = (column: 'published' | 'mailed', locks: Expression = sql``) =>
  statement<{ logIds: readonly number[] | null }>()(
    (p) => sql<Unpublished>`
      select ${c.log_id} as "logId", ${l.organization_id} as "organizationId", ${l.user_id} as "userId", ${c.position},
             ${c.hash}, ${c.created_at} as at, ${c.key_id} as "keyId", ${c.signature}, ${c.number}, ${c.previous},
             ${c.chain_signature} as "chainSignature"
        from ${s.table} join ${l.table} on ${l.id} = ${s.log_id}
        join ${c.table} on ${c.log_id} = ${s.log_id} and ${c.number} > ${s[column]} and ${c.number} <= ${s.checkpoints}
       where ${s.checkpoints} > ${s[column]}
         and (${p('logIds')}::bigint[] is null or ${s.log_id} = any(${p('logIds')}::bigint[]))
       order by ${c.log_id}, ${c.number} limit ${sql.lit(BATCH)} ${locks}`,
  );

const unpublished = checkpointsBeyond('published');
/** One instance at a time mails the checkpoints of a trail. */
const unmailed = checkpointsBeyond('mailed', sql`for no key update of s`);

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

/** Names in folders that were already listed. */
type Listed = Map<string, Promise<string[]>>;

/**
 * Stores each checkpoint outside the database: in the storage and in the log. These files reveal that the database
 * was set back. Each has its own file, but first checkpoints of organizations that are written together share one.
 */
export class CheckpointAnchors {
  constructor(
    private readonly records: RecordStore,
    private readonly log: Logger,
  ) {}

  /** The checkpoint of a trail with the highest number in the storage. Throws UNAVAILABLE. */
  newest(log: string): Promise<SignedCheckpoint | undefined> {
    return this.newestIn(log, new Map());
  }

  /** The trails without a checkpoint in the storage. Throws UNAVAILABLE. */
  async unknown(logs: readonly string[]): Promise<Set<string>> {
    const unknown = new Set(logs);
    const listed: Listed = new Map();
    for (let at = 0; at < logs.length; at += AT_ONCE)
      await Promise.all(
        logs.slice(at, at + AT_ONCE).map(async (log) => {
          if ((await this.newestIn(log, listed)) !== undefined) unknown.delete(log);
        }),
      );
    return unknown;
  }

  private async newestIn(log: string, listed: Listed): Promise<SignedCheckpoint | undefined> {
    const name = (await this.records.names(log)).at(-1);
    const text = name === undefined ? undefined : await this.records.get(log, name);
    if (name === undefined || text === undefined) return this.first(log, listed);
    return { number: Number.parseInt(name, 10), ...(JSON.parse(text) as SignedCheckpoint) };
  }

  private async first(log: string, listed: Listed): Promise<SignedCheckpoint | undefined> {
    const id = Number(/^organization\/(\d+)$/.exec(log)?.[1]);
    if (Number.isNaN(id)) return undefined;
    const folder = folderOfFirst(id);
    if (!listed.has(folder)) listed.set(folder, this.records.names(folder));
    for (const name of (await listed.get(folder)) ?? []) {
      const [from, to] = name.split('-').map(Number) as [number, number];
      if (id < from || id > to) continue;
      const stored = JSON.parse((await this.records.get(folder, name)) ?? '[]') as SignedCheckpoint[];
      const found = stored.find((checkpoint) => checkpoint.log === log);
      // Checkpoints of an earlier version lack the number.
      if (found !== undefined) return { number: 1, ...found };
    }
    return undefined;
  }

  /** Writes checkpoints that the storage does not have: of these trails, or of all. */
  async publish(database: Queryable, logIds: readonly number[] | null = null): Promise<void> {
    for (;;) {
      const rows = await unpublished.all(database, { logIds });
      const files = filesOf(rows);
      for (let at = 0; at < files.length; at += AT_ONCE) {
        const some = files.slice(at, at + AT_ONCE);
        await this.records.put(some.map(({ record }) => record));
        const written = some.flatMap((file) => file.rows);
        for (const { checkpoint } of written) this.log.info({ checkpoint }, 'checkpoint of an audit trail');
        await markPublished.all(database, numbersOf(written));
      }
      if (rows.length < BATCH) return;
    }
  }

  /** Writes all checkpoints into a storage that has none, such as that of a restored backup. */
  async publishAgain(database: Queryable): Promise<void> {
    await unpublish.all(database);
    await this.publish(database);
  }

  /** Calls `send` with unsent checkpoints, some hundreds at a time, in the transaction that marks them. */
  async mail(tx: Queryable, send: (checkpoints: readonly SignedCheckpoint[]) => Promise<void>): Promise<boolean> {
    const rows = await unmailed.all(tx, { logIds: null });
    if (rows.length === 0) return false;
    await send(rows.map(checkpointIn));
    await markMailed.all(tx, numbersOf(rows));
    return rows.length === BATCH;
  }
}

function numbersOf(rows: readonly Unpublished[]) {
  return { logIds: rows.map(({ logId }) => logId), numbers: rows.map(({ number }) => number) };
}

function checkpointIn({ organizationId, userId, ...row }: Unpublished): SignedCheckpoint {
  return checkpointOf(logName(organizationId === null ? { userId: userId as string } : { organizationId }), row);
}

type Named = Unpublished & { checkpoint: SignedCheckpoint };
type First = Named & { organizationId: number };

/** A record to write, and its checkpoints. */
interface CheckpointFile {
  record: StoredRecord;
  rows: Named[];
}

function filesOf(rows: readonly Unpublished[]): CheckpointFile[] {
  const named = rows.map((row) => ({ ...row, checkpoint: checkpointIn(row) }));
  const isFirst = (row: Named): row is First => row.number === 1 && row.organizationId !== null;
  const together = Map.groupBy(named.filter(isFirst), ({ organizationId }) => folderOfFirst(organizationId));
  return [
    ...[...together].map(([folder, firsts]) => ({ record: recordOfFirsts(folder, firsts), rows: firsts })),
    ...named.filter((row) => !isFirst(row)).map((row) => ({ record: recordOf(row), rows: [row] })),
  ];
}

/** Names sort as their numbers do. The name of a trail, such as `organization/7`, is its folder. */
function recordOf({ number, checkpoint }: Named): StoredRecord {
  const name = `${String(number).padStart(10, '0')}.json`;
  return { folder: checkpoint.log, name, text: `${JSON.stringify(checkpoint)}\n` };
}

/** Its name has the lowest and the highest id of its organizations, by which it is found. */
function recordOfFirsts(folder: string, rows: readonly First[]): StoredRecord {
  const ids = rows.map(({ organizationId }) => organizationId);
  const text = `[\n${rows.map(({ checkpoint }) => JSON.stringify(checkpoint)).join(',\n')}\n]\n`;
  const name = `${Math.min(...ids)}-${Math.max(...ids)}-${hash('sha256', text).slice(0, 16)}.json`;
  return { folder, name, text };
}

function folderOfFirst(organizationId: number): string {
  return `beginnings/${Math.floor(organizationId / FOLDER)}`;
}
