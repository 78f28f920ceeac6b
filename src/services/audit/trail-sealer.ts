import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { isUnavailable } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { defectIn, type AuditAlarms } from './alarms.js';
import type { CheckpointAnchors } from './checkpoint-anchors.js';
import { writtenSince } from './look-back.js';
import { TrailFollower } from './trail-follower.js';
import { SealedChain, type SealRow, type TrailSeals } from './trail-seals.js';
import { logName, type EntryText, type SealedHead, type TrailOwner } from './trails.js';

/** The most entries of a new trail that is sealed together with others. */
const FEW = 20;
/** The most trails, and entries, that one transaction reads. */
const BATCH = 250;
/** Milliseconds in which more entries are collected after the first, unless a batch is complete. */
const PAUSE = 250;

/** Canonical JSON begins with the action. */
const SET_ASIDE = '{"action":"AUDIT_ENTRIES_SET_ASIDE"';
const STRAY = 'entries that no gateway had written were taken out of the way of an audit trail';

const [l, s, e] = [table('audit_log', 'l'), table('audit_seal', 's'), table('audit_entry', 'e')];

/** Trails that one poll finds. */
const FOUND = 10_000;

/** Trails with unsealed entries, or with checkpoints that are not in the storage. */
export const behind = statement<{ since: string | null }>()(
  (p) => sql<{ id: number }>`
    select ${l.id} from ${l.table}
      left join lateral (select ${s.position} from ${s.table} where ${s.log_id} = ${l.id} offset 0) s on true
     where ${writtenSince('l', p('since'))} and ${s.position} is distinct from ${l.position}
    union all
    select ${s.log_id} from ${s.table} where ${writtenSince('s', p('since'))} and ${s.published} < ${s.checkpoints}
     limit ${sql.lit(FOUND)}`,
);

interface Behind extends SealRow {
  logId: number;
  organizationId: number | null;
  userId: string | null;
  headPosition: number;
  headHash: Buffer;
}

const lockSeals = statement<{ logIds: readonly number[] }>()(
  (p) => sql<Behind>`
    select ${s.log_id} as "logId", ${s.position}, ${s.hash}, ${s.checkpoints}, ${s.digest}, ${s.mac},
           ${l.organization_id} as "organizationId", ${l.user_id} as "userId",
           ${l.position} as "headPosition", ${l.hash} as "headHash"
      from ${s.table} join ${l.table} on ${l.id} = ${s.log_id}
     where ${s.log_id} = any(${p('logIds')}::bigint[]) and ${l.position} <> ${s.position}
     order by ${s.log_id} for update of s skip locked`,
);

const added = statement<{ logIds: readonly number[]; after: readonly number[]; upTo: readonly number[] }>()(
  (p) => sql<EntryText & { logId: number }>`
    select ${e.log_id} as "logId", ${e.position}, ${e.entry}, ${e.hash}
      from unnest(${p('logIds')}::bigint[], ${p('after')}::bigint[], ${p('upTo')}::bigint[]) as wanted(trail, first, last)
      join ${e.table} on ${e.log_id} = wanted.trail and ${e.position} > wanted.first and ${e.position} <= wanted.last
     order by ${e.log_id}, ${e.position}`,
);

interface FoundTrail {
  id: number;
  organizationId: number | null;
  userId: string | null;
  position: number;
  hash: Buffer;
}

const trailsIn = sql`
  select ${l.id}, ${l.organization_id} as "organizationId", ${l.user_id} as "userId", ${l.position}, ${l.hash}
    from ${l.table}`;

const trailsBy = statement<{ logIds: readonly number[] }>()(
  (p) => sql<FoundTrail>`${trailsIn} where ${l.id} = any(${p('logIds')}::bigint[])`,
);

const unsealed = statement<{ logIds: readonly number[] }>()(
  (p) => sql<FoundTrail>`
    ${trailsIn} left join ${s.table} on ${s.log_id} = ${l.id}
     where ${l.id} = any(${p('logIds')}::bigint[]) and ${s.log_id} is null`,
);

const signed = statement<{ logIds: readonly number[] }>()((p) =>
  db
    .selectFrom('audit_checkpoint')
    .select('log_id as logId')
    .distinct()
    .where('log_id', '=', ({ fn }) => fn.any(p('logIds'))),
);

export interface SealerDeps {
  database: Database;
  seals: TrailSeals;
  anchors: CheckpointAnchors;
  alarms: AuditAlarms;
  log: Logger;
}

/** Seals new entries of audit trails shortly after COMMIT, several trails at a time (docs/adr/0024). */
export class TrailSealer extends TrailFollower {
  /** Trails with a defect: skipped until the next start. */
  private readonly defective = new Set<number>();

  constructor(private readonly deps: SealerDeps) {
    super();
  }

  override wake(logIds: Iterable<number>): void {
    super.wake([...logIds].filter((id) => !this.defective.has(id)));
  }

  protected override async behind(): Promise<number[]> {
    const { database } = this.deps;
    const { since, done } = await this.lookBack.begin(database);
    const found = await behind.all(database, { since });
    if (found.length < FOUND) done();
    return found.map(({ id }) => id);
  }

  protected override async work(): Promise<void> {
    while (this.waiting.size > 0 && !this.ending.signal.aborted) {
      if (this.waiting.size < BATCH)
        await sleep(PAUSE, undefined, { signal: this.ending.signal }).catch(() => undefined);
      const logIds = [...this.waiting].slice(0, BATCH);
      for (const id of logIds) this.waiting.delete(id);
      try {
        for (const id of await this.sealAgain(logIds)) this.waiting.add(id);
        await this.sealNew(logIds);
        await this.deps.anchors.publish(this.deps.database, logIds);
      } catch (error) {
        // A later poll finds the remaining trails.
        this.report(error);
      }
    }
  }

  /** Moves seals in one transaction; returns the trails that may have more entries. */
  private async sealAgain(logIds: readonly number[]): Promise<number[]> {
    const { database, seals, alarms } = this.deps;
    const defects: { row: Behind; error: unknown }[] = [];
    const behindSeal: number[] = [];
    const unfinished = await database.transaction(async (tx: Queryable) => {
      const rows = await lockSeals.all(tx, { logIds });
      const share = Math.max(1, Math.floor(BATCH / Math.max(1, rows.length)));
      const upTo = rows.map(({ position, headPosition }) => Math.min(headPosition, position + share));
      const after = rows.map(({ position }) => position);
      const entries = await added.all(tx, { logIds: rows.map(({ logId }) => logId), after, upTo });
      const ofLog = Map.groupBy(entries, ({ logId }) => logId);
      const moved: { logId: number; sealed: SealedHead }[] = [];
      const more: number[] = [];
      for (const row of rows) {
        const { logId, headPosition } = row;
        // Truncated, or its seal was moved after this statement began: checked again with the current head.
        if (headPosition < row.position) {
          behindSeal.push(logId);
          continue;
        }
        try {
          const sealed = this.follow(row, ofLog.get(logId) ?? []);
          moved.push({ logId, sealed });
          if (sealed.position < headPosition) more.push(logId);
        } catch (error) {
          defects.push({ row, error });
        }
      }
      await seals.moveAll(tx, moved);
      return more;
    });
    for (const { row, error } of defects) {
      const defect = defectIn(error);
      if (defect === undefined) throw error;
      this.defective.add(row.logId);
      await alarms.raise(ownerOf(row), defect);
    }
    await this.sealOneByOne(await trailsBy.all(database, { logIds: behindSeal }));
    return unfinished;
  }

  private follow(row: Behind, entries: readonly EntryText[]): SealedHead {
    const { position, hash, checkpoints, digest, mac, headPosition, headHash } = row;
    const sealed = { log: logName(ownerOf(row)), position, hash, checkpoints, digest };
    this.deps.seals.refuseForged(sealed, mac);
    const chain = new SealedChain(sealed);
    for (const entry of entries) {
      chain.add(entry);
      if (entry.entry.startsWith(SET_ASIDE)) this.deps.log.error({ log: sealed.log, position: entry.position }, STRAY);
    }
    const last = entries.at(-1);
    return chain.endAt(
      last === undefined || last.position === headPosition ? { position: headPosition, hash: headHash } : last,
    );
  }

  /** Seals new trails together; those of an earlier version, and those with a defect, one by one. */
  private async sealNew(logIds: readonly number[]): Promise<void> {
    const { database, seals } = this.deps;
    const found = await unsealed.all(database, { logIds });
    const unsigned = await this.neverSigned(found.filter(({ position }) => position > 0 && position <= FEW));
    if (unsigned.length > 0) {
      const heads = unsigned.map(({ id, position, hash, ...row }) => ({
        id,
        log: logName(ownerOf(row)),
        position,
        hash,
      }));
      await database
        .transaction(async (tx) => {
          const ids = heads.map(({ id }) => id);
          const [after, upTo] = [ids.map(() => 0), heads.map(({ position }) => position)];
          const entries = Map.groupBy(await added.all(tx, { logIds: ids, after, upTo }), ({ logId }) => logId);
          await seals.beginAll(
            tx,
            heads.map((head) => ({ head, entries: entries.get(head.id) ?? [] })),
          );
        })
        .catch((error: unknown) => {
          // The defective trail is found below.
          if (defectIn(error) === undefined) throw error;
        });
    }
    await this.sealOneByOne(await unsealed.all(database, { logIds: found.map(({ id }) => id) }));
  }

  /** The trails of which neither the database nor the storage has a checkpoint. */
  private async neverSigned(trails: readonly FoundTrail[]): Promise<FoundTrail[]> {
    const { database, anchors } = this.deps;
    const known = new Set(
      (await signed.all(database, { logIds: trails.map(({ id }) => id) })).map(({ logId }) => logId),
    );
    const unsigned = trails.filter(({ id }) => !known.has(id));
    const unknown = await anchors.unknown(unsigned.map((trail) => logName(ownerOf(trail))));
    return unsigned.filter((trail) => unknown.has(logName(ownerOf(trail))));
  }

  private async sealOneByOne(trails: readonly FoundTrail[]): Promise<void> {
    const { database, seals, alarms } = this.deps;
    for (const { id, position, hash, ...row } of trails) {
      if (this.ending.signal.aborted) return;
      const owner = ownerOf(row);
      const head = { id, log: logName(owner), position, hash };
      try {
        await alarms.guard(owner, () => database.transaction((tx) => seals.advance(tx, head)));
      } catch (error) {
        if (defectIn(error) === undefined) throw error;
        this.defective.add(id);
      }
    }
  }

  protected override log(err: unknown): void {
    this.deps.log[isUnavailable(err) ? 'warn' : 'error'](
      { err },
      'audit trails are not sealed at the moment; tried again',
    );
  }
}

function ownerOf({ organizationId, userId }: { organizationId: number | null; userId: string | null }): TrailOwner {
  return organizationId === null ? { userId: userId as string } : { organizationId };
}
