import { DAY, HOUR, MINUTE } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';
import type { DeviceKind } from './device-kind.js';

/** Devices thinned by one statement, of each of them the reports of at most one day. */
const DEVICES_AT_ONCE = 50;
/**
 * Maximum duration of a run in milliseconds; the next run continues. One job runs both kinds, and counts as crashed after
 * ten minutes.
 */
const RUN = 3 * MINUTE;
/** The maximum of the column's type: hours with larger sums are not thinned. */
const MOST = 2_147_483_647;

/**
 * Thins reports older than the unthinned days: of each hour, the last report and the first and last one of each status remain.
 * A remaining report has the counts and sums of those before it, so that series do not change.
 */
export class ReportThinning {
  private readonly thinSome: ReturnType<typeof thinning>;

  constructor(
    private readonly database: Database,
    private readonly kind: DeviceKind,
    private readonly wholeDays: number,
    private readonly now: () => Date,
    private readonly log: Logger,
  ) {
    this.thinSome = thinning(kind);
  }

  /** Returns the number of removed reports. Idempotent, also with several instances. */
  async thin(): Promise<number> {
    if (this.wholeDays >= LIMITS.check.keptDays) return 0;
    // An hour less: a report accepted at the last moment is stored a moment later.
    const until = new Date(Math.floor((this.now().getTime() - this.wholeDays * DAY - HOUR) / DAY) * DAY);
    const oldest = new Date(until.getTime() - LIMITS.check.keptDays * DAY);
    const end = performance.now() + RUN;
    let removed = 0;
    for (let devices = 1; devices > 0 && performance.now() < end;) {
      const step = await this.thinSome.one(this.database, { until, oldest });
      devices = step.devices;
      removed += step.removed;
    }
    if (removed > 0) this.log.info({ kind: this.kind.table, until, removed }, 'old reports of devices were thinned');
    return removed;
  }
}

function thinning({ table: name, checks: { reports, parts } }: DeviceKind) {
  const d = table(name, 'd');
  const c = table(reports, 'c');
  const worst = sql`greatest(${sql.join(parts.map((part) => sql.ref(`c.${part}`)))})`;
  const set = (['waf_protection', 'total_managed_requests', 'reports'] as const).map((each) => column(reports, each));
  const isOf = (row: string) => {
    const [org, dev, moment] = ['org', 'dev', 'moment'].map((each) => sql.ref(`${row}.${each}`));
    return sql`${c.organization_id} = ${org} and ${c.device_id} = ${dev} and ${c.datetime} = ${moment}`;
  };
  return statement<{ until: Date; oldest: Date }>()((p) => {
    const since = sql`date_trunc('hour', greatest(${d.thinned_until}, ${p('oldest')}), 'UTC')`;
    return sql<{ devices: number; removed: number }>`
      with begun as materialized (
        select ${d.id} as dev, ${d.organization_id} as org,
               ${since} as since
          from ${d.table} where ${d.thinned_until} < ${p('until')}
         order by ${d.thinned_until} limit ${DEVICES_AT_ONCE} for no key update skip locked),
      due as (select *, least(since + interval '24 hours', ${p('until')}::timestamptz) as upto from begun),
      sent as (
        select due.dev, due.org, ${c.datetime} as moment, date_trunc('hour', ${c.datetime}, 'UTC') as hour, ${worst} as health,
               ${c.waf_protection} as stopped, ${c.total_managed_requests} as handled, ${c.reports} as counted
          from due cross join ${c.table}
         where ${c.organization_id} = due.org and ${c.device_id} = due.dev
           and ${c.datetime} >= due.since and ${c.datetime} < due.upto),
      marked as (
        select *, lead(hour) over by_time is distinct from hour or lead(health) over by_time is distinct from health
                  or lag(health) over by_time is distinct from health as stays
          from sent window by_time as (partition by dev order by moment)),
      placed as (
        select *, count(*) filter (where stays) over (partition by dev, hour order by moment desc) as place from marked),
      sums as (
        select org, dev, hour, place, max(moment) as moment, sum(stopped) as stopped, sum(handled) as handled, sum(counted) as counted
          from placed group by org, dev, hour, place
        having count(*) > 1 and greatest(sum(stopped), sum(handled), sum(counted)) <= ${MOST}),
      gone as (
        delete from ${c.table} using placed, sums
         where ${isOf('placed')} and placed.dev = sums.dev and placed.hour = sums.hour and placed.place = sums.place
           and placed.moment < sums.moment
        returning 1),
      stayed as (
        update ${c.table} set ${set[0]} = sums.stopped, ${set[1]} = sums.handled, ${set[2]} = sums.counted
          from sums where ${isOf('sums')}),
      thinned as (
        update ${d.table} set ${column(name, 'thinned_until')} = least(${since} + interval '24 hours', ${p('until')}::timestamptz)
         where ${d.id} = any(array(select dev from due)))
      select (select count(*)::int from due) as devices, (select count(*)::int from gone) as removed`;
  });
}
