import { DAY, HOUR } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import { referencedAmong } from './content-references.js';
import { DISAGREEMENTS, levelOf } from './storage-owner.js';
import type { StoredContent } from './stored-content.js';

/** Milliseconds after storing during which content is not swept. */
const MIN_AGE = 7 * DAY;
/** Minimum milliseconds between the two sweeps that must find content without a row. Sweeps are daily. */
const BETWEEN = 12 * HOUR;
/** Divisor of the number of stored contents: at most that part of them is removed at once. */
const PART = 10;
/** Milliseconds of one run: a job counts as crashed after ten minutes. */
const LONGEST_RUN = 8 * 60_000;
/** Milliseconds of them for listing, so that time for removing is left. */
const LONGEST_LISTING = LONGEST_RUN / 2;
/** Failed removals after which a run ends: the cause probably concerns all. */
const MOST_FAILED = 100;
/** Contents per statement. */
const BATCH = 500;
/** Step between the 256 nightly starting points: each is used once, and consecutive ones are far apart. */
const STEP = 157;
const LAST = 'f'.repeat(64);

/** Content addresses after one, up to another. */
interface Part {
  after: string;
  upTo: string;
}

/** All content addresses, from another starting point each day, so that an incomplete run is compensated by later ones. */
function partsOf(at: Date): Part[] {
  const place = (Math.floor(at.getTime() / DAY) * STEP) % 256;
  const start = place.toString(16).padStart(2, '0').padEnd(64, '0');
  return [
    { after: start, upTo: LAST },
    { after: '', upTo: start },
  ];
}

const noteUnreferenced = statement<{ batch: readonly string[]; now: Date }>()(
  (p) => sql`
    insert into ${table('unreferenced_content').table} (sha256, since, seen_at)
    select sha256, ${p('now')}, ${p('now')} from unnest(${p('batch')}::text[]) as found(sha256)
        on conflict (sha256) do update set seen_at = excluded.seen_at`,
);

/** Referenced or removed content is noted anew if it loses its row again. */
const forgetOthers = statement<Part & { now: Date }>()((p) =>
  db
    .deleteFrom('unreferenced_content')
    .where('seen_at', '<', p('now'))
    .where('sha256', '>', p('after'))
    .where('sha256', '<=', p('upTo')),
);
const forget = statement<{ sha256: string }>()((p) =>
  db.deleteFrom('unreferenced_content').where('sha256', '=', p('sha256')),
);

const due = statement<Part & { before: Date; now: Date }>()((p) =>
  db
    .selectFrom('unreferenced_content')
    .select('sha256')
    .where('since', '<=', p('before'))
    .where('seen_at', '=', p('now'))
    .where('sha256', '>', p('after'))
    .where('sha256', '<=', p('upTo'))
    .orderBy('sha256')
    .limit(BATCH),
);

interface SweepDeps {
  database: Database;
  content: StoredContent;
  log: Pick<Logger, 'info' | 'warn'>;
  now: () => Date;
  config: { storageSweep: boolean };
}

/**
 * Removes stored content without a row, left by a crash or a refused removal. Only if database and storage agree that
 * they belong together, and never a large part at once (docs/adr/0030).
 */
export class StorageSweep {
  constructor(private readonly deps: SweepDeps) {}

  /** Returns the number of removed contents. */
  async sweep(): Promise<number> {
    const { content, log, config, now } = this.deps;
    if (!config.storageSweep) return 0;
    const agreement = await content.owner.claim();
    if (agreement !== 'agreed') {
      log[levelOf(agreement)]({ agreement }, `The storage was not swept. ${DISAGREEMENTS[agreement]}`);
      return 0;
    }
    const beganAt = performance.now();
    const at = now();
    const counts = { ...(await this.note(at, beganAt + LONGEST_LISTING)), removed: 0 };
    const most = Math.ceil(counts.stored / PART);
    counts.removed = await this.removeDue(at, most, beganAt + LONGEST_RUN);
    if (counts.unreferenced > most)
      log.warn(
        counts,
        'the storage was swept: more than a tenth of it is without a row, and a tenth is removed at most',
      );
    else log.info(counts, 'the storage was swept');
    return counts.removed;
  }

  /** Looks up the rows of all stored content, and notes content without one. */
  private async note(at: Date, endsAt: number) {
    const { content, database } = this.deps;
    const counts = { stored: 0, unreferenced: 0, complete: false };
    let batch: string[] = [];
    const lookUp = async () => {
      counts.unreferenced += await this.noteBatch(batch, at);
      batch = [];
    };
    for (const { after, upTo } of partsOf(at)) {
      let seen = after;
      for await (const { sha256, storedAt } of content.store.list(after === '' ? undefined : after)) {
        if (sha256 > upTo) break;
        if (performance.now() > endsAt) {
          await lookUp();
          await forgetOthers.all(database, { now: at, after, upTo: seen });
          return counts;
        }
        counts.stored += 1;
        if (at.getTime() - storedAt.getTime() > MIN_AGE) batch.push(sha256);
        if (batch.length === BATCH) await lookUp();
        seen = sha256;
      }
      await lookUp();
      await forgetOthers.all(database, { now: at, after, upTo });
    }
    counts.complete = true;
    return counts;
  }

  private async noteBatch(batch: readonly string[], now: Date): Promise<number> {
    const { database } = this.deps;
    if (batch.length === 0) return 0;
    const found = await referencedAmong.all(database, { batch });
    const needed = new Set(found.map(({ sha256 }) => sha256));
    const unreferenced = batch.filter((sha256) => !needed.has(sha256));
    await noteUnreferenced.all(database, { batch: unreferenced, now });
    return unreferenced.length;
  }

  private async removeDue(now: Date, most: number, endsAt: number): Promise<number> {
    const { database, content, log } = this.deps;
    let [removed, failed] = [0, 0];
    for await (const sha256 of this.dueOnes(now)) {
      if (removed === most || failed === MOST_FAILED || performance.now() > endsAt) break;
      const outcome = await content.remove(sha256).catch((err: unknown) => {
        log.warn({ err, sha256 }, 'content was not removed; a later sweep will');
        failed += 1;
        return 'refused';
      });
      if (outcome !== 'refused') await forget.all(database, { sha256 });
      if (outcome === 'removed') removed += 1;
    }
    return removed;
  }

  private async *dueOnes(now: Date): AsyncIterable<string> {
    const before = new Date(now.getTime() - BETWEEN);
    for (const { after: start, upTo } of partsOf(now)) {
      let batch: { sha256: string }[];
      for (let after = start; ; after = batch.at(-1)?.sha256 ?? '') {
        batch = await due.all(this.deps.database, { before, now, after, upTo });
        for (const { sha256 } of batch) yield sha256;
        if (batch.length < BATCH) break;
      }
    }
  }
}
