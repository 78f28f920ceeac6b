import type { Queryable } from '../../database/database.js';
import { sql, statement, type Expression } from '../../database/sql.js';

/** Milliseconds in which an instance may have died with what others have passed over, because it held a lock. */
const MARGIN = 2 * 60_000;

const oldestRunning = statement()(
  () => sql<{ transaction: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as transaction`,
);

/** A condition on rows of the table of this alias: written by this transaction or a later one; without one, all are. */
export function writtenSince(alias: string, transaction: Expression): Expression {
  return sql`(${transaction}::text is null or age(${sql.ref(`${alias}.xmin`)}) <= age(${transaction}::text::xid8::xid))`;
}

interface Look {
  since: string | null;
  /** It has found all that there was. */
  done(): void;
}

/**
 * How far back periodic looks at trails go: to the oldest transaction that was running when a look of some minutes ago began. All
 * trails are looked at in the beginning and after something has failed.
 */
export class LookBack {
  /** The last one that is older than the margin, and those after it. */
  private looks: { begunAt: number; transaction: string }[] = [];
  private failures = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call it before the statement that looks. */
  async begin(database: Queryable): Promise<Look> {
    const begunAt = this.now();
    const { transaction } = await oldestRunning.one(database);
    while (this.looks[1] !== undefined && this.looks[1].begunAt <= begunAt - MARGIN) this.looks.shift();
    // A standby that has taken over may not have seen the last transactions, whose numbers it gives again.
    if (this.looks.some((look) => BigInt(look.transaction) > BigInt(transaction))) this.failed();
    const { failures } = this;
    return {
      since: this.looks[0]?.transaction ?? null,
      done: () => {
        if (this.failures === failures) this.looks.push({ begunAt, transaction });
      },
    };
  }

  /** Something that was known of has to be found again. */
  failed(): void {
    this.failures += 1;
    this.looks = [];
  }
}
