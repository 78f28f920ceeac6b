import { DAY } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { projected, Projection, type ColumnMap, properties } from '../../database/projection.js';
import { sql, table, type Expression, type Placeholders, type TableReference } from '../../database/sql.js';
import type { DeviceStat } from '../../entities/devices.js';
import { LIMITS } from '../../values/limits.js';
import type { Selection } from '../../common/selection.js';
import type { DeviceKind, ReportTable } from './device-kind.js';

/** A device as it was read for `check`: its overall state and its newest report stand in its own row. */
export interface CheckedDevice {
  id: number;
  status: number;
  stat: DeviceStat | null;
  createdAt: string;
  check?: CheckRef;
}

/** What every `check` carries: its series are reached by it. */
export interface CheckRef {
  deviceId: number;
  webStat: readonly object[];
  chartStat: readonly object[];
}

interface Series {
  projection: Projection;
  read: ReturnType<typeof newest>;
}

/** Rows of each device after a moment. */
interface Range {
  ids: readonly number[];
  since: Date | number;
}

/** The newest rows of each device that meet the condition, oldest first; `time` says when a row was. */
function newest(
  devices: DeviceKind['table'],
  name: ReportTable | 'threat_blocker_traffic',
  time: string,
  where: (p: Placeholders<Range>) => Expression,
) {
  const d = table(devices, 'd');
  const c = table(name, 'c');
  return projected<Range>()(
    (p, { select }) => sql<{ $device: number }>`
      select part.* from ${d.table} cross join lateral (
        select ${c.device_id} as "$device", ${sql.join(select)} from ${c.table}
         where ${c.organization_id} = ${d.organization_id} and ${c.device_id} = ${d.id} and ${where(p)}
         order by ${sql.id(time)} desc limit ${LIMITS.check.statRows}) part
       where ${d.id} = any(${p('ids')}::int[])
       order by part."$device", ${sql.id('part', time)}`,
  );
}

/** How far back series go. */
const SERIES_DAYS = 7;

/** Reads reports for all devices of a page, in one statement for each part that is selected. */
export class DeviceChecks {
  /** Every part of a `stat` while nothing is known. */
  private readonly unknown: Readonly<Record<string, number>>;
  private readonly web: Series;
  private readonly chart?: Series;

  constructor(
    private readonly database: Database,
    { table: devices, checks: { reports, parts, traffic } }: Pick<DeviceKind, 'table' | 'checks'>,
    private readonly now: () => Date,
  ) {
    this.unknown = Object.fromEntries(parts.map((name) => [name, 0]));
    const c = table(reports, 'c');
    this.web = {
      projection: new Projection('WebStat', webStatOf(c), ['datetime']),
      read: newest(devices, reports, 'datetime', isReportOfWeb),
    };
    if (traffic === undefined) return;
    this.chart = {
      projection: new Projection('ChartStat', CHART_STAT, ['bucketStart']),
      read: newest(devices, traffic, 'bucketStart', hasLasted),
    };
  }

  /** Gives each device its `check`, in place. */
  async fill(devices: readonly CheckedDevice[], selection: Selection): Promise<void> {
    const ids = [...new Set(devices.map(({ id }) => id))];
    const since = this.now().getTime() - SERIES_DAYS * DAY;
    const read = (name: string, series: Series | undefined, from: Date | number) =>
      series !== undefined && selection.has(name) && ids.length > 0
        ? this.read(series, selection.of(name), { ids, since: from })
        : NONE;
    const [webStats, chartStats] = await Promise.all([
      read('webStat', this.web, new Date(since)),
      read('chartStat', this.chart, Math.floor(since / 1000)),
    ]);
    for (const device of devices) {
      const { id: deviceId, status, stat, createdAt } = device;
      const check = {
        deviceId,
        stat: stat ?? { ...this.unknown, datetime: createdAt },
        status,
        webStat: webStats.get(deviceId) ?? [],
        chartStat: chartStats.get(deviceId) ?? [],
      };
      device.check = check;
    }
  }

  private async read({ projection, read }: Series, selection: Selection, range: Range): Promise<Map<number, object[]>> {
    const rows = await read(projection.of(selection)).all(this.database, range);
    return Map.groupBy(rows, ({ $device }) => $device);
  }
}

/** A report may say nothing of web traffic. */
function isReportOfWeb(p: Placeholders<Range>): Expression {
  const { datetime, waf_protection } = table('cloud_defender_check', 'c');
  return sql`${datetime} >= ${p('since')} and ${waf_protection} is not null`;
}

/**
 * Buckets lie where the device puts them, as a rule on whole hours, and the window begins at any moment: a bucket that
 * began before it and ends in it belongs to it as well. How long a bucket may be bounds the search.
 */
function hasLasted(p: Placeholders<Range>): Expression {
  const { bucket_start, bucket_end } = traffic;
  return sql`${bucket_start} > ${p('since')} - ${LIMITS.check.bucketSeconds}
    and (${bucket_start} >= ${p('since')} or ${bucket_end} > ${p('since')})`;
}

const NONE: ReadonlyMap<number, object[]> = new Map();

function webStatOf(c: TableReference<ReportTable>): ColumnMap {
  return properties(c, 'datetime', 'waf_protection', 'total_managed_requests');
}

const traffic = table('threat_blocker_traffic', 'c');
const CHART_STAT = properties(traffic, 'bucket_start', 'bucket_end', 'total_requests', 'malicious_requests');
