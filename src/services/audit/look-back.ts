import type { Queryable } from '../../database/database.js';
import { sql, statement, type Expression } from '../../database/sql.js';

/** Milliseconds within which an instance may have died while others skipped a trail that it had locked. */
const MARGIN = 2 * 60_000;

const oldestRunning = statement()(
  () => sql<{ transaction: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as transaction`,
);

/**
 * A condition on rows of the table with this alias: written by this transaction or a later one. All rows without a
 * transaction.
 */
export function writtenSince(alias: string, transaction: Expression): Expression {
  return sql`(${transaction}::text is null or age(${sql.ref(`${alias}.xmin`)}) <= age(${transaction}::text::xid8::xid))`;
}

interface Look {
  since: string | null;
  /** The poll has found everything. */
  done(): void;
}

/**
 * The range of periodic polls: from the oldest transaction that was running at a poll of some minutes ago. All trails
 * are polled at first and after an error.
 */
export class LookBack {
  /** The newest poll that is older than the margin, and later ones. */
  private looks: { begunAt: number; transaction: string }[] = [];
  private failures = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call it before the statement of the poll. */
  async begin(database: Queryable): Promise<Look> {
    const begunAt = this.now();
    const { transaction } = await oldestRunning.one(database);
    while (this.looks[1] !== undefined && this.looks[1].begunAt <= begunAt - MARGIN) this.looks.shift();
    // A standby that was promoted may lack the last transactions, and assign their numbers again.
    if (this.looks.some((look) => BigInt(look.transaction) > BigInt(transaction))) this.failed();
    const { failures } = this;
    return {
      since: this.looks[0]?.transaction ?? null,
      done: () => {
        if (this.failures === failures) this.looks.push({ begunAt, transaction });
      },
    };
  }

  /** A known trail has to be found again. */
  failed(): void {
    this.failures += 1;
    this.looks = [];
  }
}
