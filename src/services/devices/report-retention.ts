import { DAY } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

const keepMonths = statement<{ since: Date; now: Date }>()(
  (p) => sql`select keep_report_months(${p('since')}, ${p('now')})`,
);

/** Months that have a table, of all kinds of reports. */
const months = statement()(
  () => sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('cloud_defender_check'::regclass, 'threat_blocker_check'::regclass, 'threat_blocker_traffic'::regclass)`,
);

/** Reports and traffic of devices are stored for at least 90 days, in monthly partitions (docs/adr/0026). */
export class ReportRetention {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /**
   * Drops months that ended more than 90 days ago and creates the next one; returns the number of dropped tables.
   * Idempotent, also with several instances.
   */
  async keepMonths(): Promise<number> {
    const now = this.now();
    const before = await months.all(this.database);
    await keepMonths.all(this.database, { since: new Date(now.getTime() - LIMITS.check.keptDays * DAY), now });
    const left = new Set((await months.all(this.database)).map(({ name }) => name));
    return before.filter(({ name }) => !left.has(name)).length;
  }
}
