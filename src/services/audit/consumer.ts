import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind, traced } from '../../common/tracing.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { isLocked } from '../../database/driver-errors.js';
import { limitLockWait } from '../../database/change-locks.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import { isUnavailable } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { ACTIONS } from '../../values/audit.js';
import { writtenSince } from './look-back.js';
import { traceOf, type CONSUMERS } from './record.js';
import { TrailFollower } from './trail-follower.js';
import { entryRecords, type EntryRecord } from './entry-records.js';

/** An entry of an organization's trail as it is stored. */
export interface ConsumedEntry {
  logId: number;
  organizationId: number;
  position: number;
  /** Time zone of times in texts for its members. */
  timeZone: string;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  entry: string;
}

/** A readable entry. */
export type LoggedEntry = Pick<ConsumedEntry, 'organizationId' | 'position' | 'timeZone' | 'sandbox'> & EntryRecord;

export interface ConsumerSettings {
  database: Database;
  name: (typeof CONSUMERS)[number];
  /** Actions of the entries that it handles; others are skipped. */
  actions: readonly string[];
  /** Runs in the transaction that moves the positions. Entries of several trails, in order within each. */
  handle(tx: Queryable, entries: readonly ConsumedEntry[]): Promise<void>;
  /** The most entries that one transaction handles; few by default, so that its locks are short. */
  maxHandled?: number;
  log: Logger;
  /** Milliseconds after a batch that was not full, in which the next one is collected. */
  pause: number;
}

/** The most entries, and trails, that one transaction reads. */
const BATCH = 256;
/** Default of `maxHandled`. */
const MAX_HANDLED = 32;
/** Milliseconds that a transaction waits for each further lock, so that one trail does not delay the others. */
const LOCK_WAIT = 500;

const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');
const c = table('event_consumer', 'c');
const o = table('organization', 'o');

/** A number for locks with two keys, which are distinct from those with one. */
const LOCKS = sql.lit(7214004);

const lock = statement<{ name: string }>()((p) => sql`select pg_advisory_xact_lock(${LOCKS}, hashtext(${p('name')}))`);

/**
 * Blocks the consumption of entries under this name until the transaction ends. Call it before other locks are taken.
 */
export async function lockConsumer(tx: Queryable, name: string): Promise<void> {
  await lock.all(tx, { name });
}

const tryLock = statement<{ name: string }>()(
  (p) => sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(${LOCKS}, hashtext(${p('name')})) as "isFree"`,
);

/**
 * Positions and organizations are looked up for each trail (`offset 0`): while the tables are new, a plan would read
 * all of them.
 */
const placeOf = (name: Expression) => sql`
  left join lateral (select ${c.position} from ${c.table} where ${c.consumer} = ${name} and ${c.log_id} = ${l.id} offset 0) c on true`;

const behind = statement<{ name: string; since: string | null }>()(
  (p) => sql<{ logId: number }>`
    select ${l.id} as "logId"
      from ${l.table} ${placeOf(p('name'))}
     where ${l.organization_id} is not null and ${l.position} > coalesce(${c.position}, 0)
       and ${writtenSince('l', p('since'))}`,
);

const lagging = statement<{ name: string }>()(
  (p) => sql<{ entries: number }>`
    select coalesce(sum(${l.position} - coalesce(${c.position}, 0)), 0)::bigint as entries
      from ${l.table} left join ${c.table} on ${c.consumer} = ${p('name')} and ${c.log_id} = ${l.id}
     where ${l.organization_id} is not null and ${l.position} > coalesce(${c.position}, 0)`,
);

interface NextEntry extends Omit<ConsumedEntry, 'entry'> {
  /** Null for a skipped action. */
  entry: string | null;
  /** Whether only instances of a newer version can handle it. */
  isNewer: boolean;
}

/** Canonical JSON begins with the action: `{"action":"INCIDENT_OPENED",…`. */
const ACTION = sql`split_part(left(${e.entry}, 100), '"', 4)`;

const KNOWN = sql`${sql.lit(`{${Object.keys(ACTIONS).join()}}`)}::text[]`;

/** Unknown actions belong to a newer version, which runs beside this one for an hour at most during an upgrade. */
const IS_NEWER = sql`${ACTION} <> all(${KNOWN})
  and ${e.at} > to_char(now() at time zone 'UTC' - interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS')`;

const next = statement<{ name: string; actions: readonly string[]; logIds: readonly number[]; limit: number }>()(
  (p) => sql<NextEntry>`
    select ${e.log_id} as "logId", ${e.position}, ${l.organization_id} as "organizationId",
           coalesce(${o.time_zone}, 'UTC') as "timeZone", coalesce(${o.sandbox}, false) as sandbox,
           case when ${ACTION} = any(${p('actions')}) then ${e.entry} end as entry, ${IS_NEWER} as "isNewer"
      from ${l.table}
      left join lateral (select ${o.time_zone}, ${o.sandbox} from ${o.table} where ${o.id} = ${l.organization_id} offset 0) o on true
      ${placeOf(p('name'))}
     cross join lateral (select ${e.log_id}, ${e.position}, ${e.entry}, ${e.at} from ${e.table}
                          where ${e.log_id} = ${l.id} and ${e.position} > coalesce(${c.position}, 0)
                            and ${e.position} <= ${l.position}
                          order by ${e.position} limit ${p('limit')}) e
     where ${l.id} = any(${p('logIds')}::bigint[]) and ${l.organization_id} is not null
     order by ${e.log_id}, ${e.position}`,
);

const move = statement<{ rows: string }>()(
  (p) => sql`${insertRows('event_consumer', ['consumer', 'logId', 'position'], p('rows'))}
    on conflict (consumer, log_id) do update set position = excluded.position`,
);

/**
 * Follows the trails of organizations: one instance handles each entry once, in the transaction that moves the
 * position of its trail (docs/adr/0024). An entry that fails, or that needs a newer version, blocks its own trail
 * only.
 */
export class Consumer extends TrailFollower {
  readonly name: string;

  constructor(private readonly settings: ConsumerSettings) {
    super();
    this.name = settings.name;
  }

  /** Entries that are not consumed yet. */
  async lag(): Promise<number> {
    const { database, name } = this.settings;
    return (await lagging.one(database, { name })).entries;
  }

  /** Nothing is to be found while another instance has the lock. */
  protected override behind(): Promise<number[]> {
    const { database, name } = this.settings;
    return database.transaction(async (tx) => {
      if (!(await tryLock.one(tx, { name })).isFree) return [];
      const { since, done } = await this.lookBack.begin(tx);
      const found = await behind.all(tx, { name, since });
      done();
      return found.map(({ logId }) => logId);
    });
  }

  protected override async work(): Promise<void> {
    while (this.waiting.size > 0 && !this.ending.signal.aborted) {
      const logIds = [...this.waiting].slice(0, BATCH);
      for (const id of logIds) this.waiting.delete(id);
      const unfinished = await this.tryPass(logIds);
      // Appended, so that a long trail does not delay the others.
      for (const id of unfinished) this.waiting.add(id);
      if (unfinished.length === 0 && logIds.length < BATCH)
        await sleep(this.settings.pause, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  /**
   * Handles trails together, and one by one if that fails. A later poll retries what fails then, or without a
   * database.
   */
  private async tryPass(logIds: number[]): Promise<number[]> {
    let isInTurn = false;
    try {
      return await this.pass(logIds, () => (isInTurn = true));
    } catch (error) {
      this.report(error);
      // An outage that blocks the whole consumer blocks each trail.
      const isAway = isUnavailable(error) && !(isInTurn && isLocked(error));
      if (isAway) this.waiting.clear();
      if (isAway || logIds.length === 1) return [];
      const unfinished: number[] = [];
      for (const id of logIds) {
        if (this.ending.signal.aborted) break;
        unfinished.push(...(await this.tryPass([id])));
      }
      return unfinished;
    }
  }

  /** Consumes the next entries of each trail and returns the trails that may have more. */
  private pass(logIds: number[], inTurn: () => void): Promise<number[]> {
    const { database, name, actions, handle, maxHandled = MAX_HANDLED } = this.settings;
    return database.transaction(async (tx) => {
      await Promise.all([lockConsumer(tx, name), limitLockWait(tx, LOCK_WAIT)]);
      inTurn();
      const limit = Math.floor(BATCH / logIds.length);
      const all = await next.all(tx, { name, actions, logIds, limit });
      const found = ofThisVersion(all);
      if (found.length < all.length) this.lookBack.failed();
      if (found.length === 0) return [];
      const rows = found.slice(0, endOf(found, maxHandled));
      const handled = rows.filter((row): row is NextEntry & ConsumedEntry => row.entry !== null);
      if (handled.length > 0)
        await traced(
          () => ({
            name: `consume ${name}`,
            kind: SpanKind.CONSUMER,
            causes: handled.map(({ entry }) => traceOf(entry)),
          }),
          () => handle(tx, handled),
        );
      const consumed = Map.groupBy(rows, ({ logId }) => logId);
      const moved = [...consumed.values()].map((own) => own.at(-1) as NextEntry);
      const positions = moved.map(({ logId, position }) => ({ consumer: name, logId, position }));
      await move.all(tx, { rows: jsonRows<'event_consumer'>(positions) });
      const read = [...Map.groupBy(found, ({ logId }) => logId)];
      return read
        .filter(([logId, own]) => own.length === limit || own.length > (consumed.get(logId)?.length ?? 0))
        .map(([logId]) => logId);
    });
  }

  protected override log(err: unknown): void {
    this.settings.log.warn({ err, consumer: this.name }, 'entries of audit trails are not consumed; tried again');
  }
}

/** Creates a handler of readable entries. */
export function reading(
  handle: (tx: Queryable, entries: readonly LoggedEntry[]) => Promise<void>,
): ConsumerSettings['handle'] {
  return async (tx, entries) => handle(tx, await entryRecords(tx, entries));
}

/** The entries of each trail before the first one that needs a newer version. */
function ofThisVersion(rows: readonly NextEntry[]): NextEntry[] {
  const left = new Set<number>();
  return rows.filter(({ logId, isNewer }) => {
    if (isNewer) left.add(logId);
    return !left.has(logId);
  });
}

/** The number of entries that one transaction consumes. */
function endOf(rows: readonly NextEntry[], maxHandled: number): number {
  let handled = 0;
  const after = rows.findIndex(({ entry }) => entry !== null && (handled += 1) > maxHandled);
  return after < 0 ? rows.length : after;
}
