import { DAY, HOUR } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import { referencedAmong } from './content-references.js';
import { DISAGREEMENTS, levelOf } from './storage-owner.js';
import type { StoredContent } from './stored-content.js';

/** Milliseconds for which content is left alone after it was stored. */
const MIN_AGE = 7 * DAY;
/** Milliseconds between the two sweeps, at least, that have to find content without a row. Sweeps are daily. */
const BETWEEN = 12 * HOUR;
/** Of all contents, at most one in so many is removed at once. */
const PART = 10;
/** Milliseconds for one run: as a job it is taken for crashed after ten minutes. */
const LONGEST_RUN = 8 * 60_000;
/** Milliseconds of them for listing: where all of them were over then, nothing would ever be removed. */
const LONGEST_LISTING = LONGEST_RUN / 2;
/** Removals that fail in one run, after which it ends: what is wrong with so many is wrong with more. */
const MOST_FAILED = 100;
/** Contents of one statement. */
const BATCH = 500;
/** Of 256 places to begin at, from one night to the next: each comes once, and those of few nights lie far from each other. */
const STEP = 157;
const LAST = 'f'.repeat(64);

/** Content addresses behind one, up to another. */
interface Part {
  after: string;
  upTo: string;
}

/** All content addresses, from another place on each day: what one run does not come to is the first of a later one. */
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

/** Those that are referenced or gone begin anew, should they ever lose their rows. */
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
 * Removes stored content without a row: what a crash has left, or a removal that was refused. Only where database and
 * storage agree that they belong together, and never much of it at once (docs/adr/0030).
 */
export class StorageSweep {
  constructor(private readonly deps: SweepDeps) {}

  /** Says how many contents were removed. */
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

  /** Looks for rows of all that is stored, and notes what has none. */
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
