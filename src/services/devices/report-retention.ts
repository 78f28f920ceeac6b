import { DAY } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

const keepMonths = statement<{ since: Date; now: Date }>()(
  (p) => sql`select keep_report_months(${p('since')}, ${p('now')})`,
);

/** Reports and traffic of devices are kept for 90 days at least, and go by the month (docs/adr/0026). */
export class ReportRetention {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** Drops months that are over for 90 days, and makes the coming one. Safe to repeat, and with several instances. */
  async keepMonths(): Promise<void> {
    const now = this.now();
    await keepMonths.all(this.database, { since: new Date(now.getTime() - LIMITS.check.keptDays * DAY), now });
  }
}
