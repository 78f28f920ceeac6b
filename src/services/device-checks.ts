import type { QueryResultRow } from 'pg';
import type { Database } from '../database/database.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import type { Selection } from '../vocabulary/selection.js';

/** Where the reports of one kind of device are, and what its `stat` shows of a report (specification 2.6, 2.7). */
export interface CheckTables {
  reports: string;
  /** Expressions over the alias `c`. */
  stat: ColumnMap;
  /** Table of the `chart_stat`; only threat blockers have one. */
  traffic?: string;
}

/** A device as it was read for `check`: its overall state stands in its own row. */
export interface CheckedDevice {
  id: number;
  status: number;
  check?: object;
}

interface Series {
  table: string;
  projection: Projection;
  /** The property in which a row says when it was. */
  time: string;
}

/** How far back series go. The newest report is shown however old it is. */
const SERIES_DAYS = 7;
/** Ours: the newest rows of a series that one device shows; a row every twenty minutes for a week. */
const SERIES_ROWS = 500;

/** Reads what devices reported: for all devices of a page in one statement for each part that is asked for. */
export class DeviceChecks {
  private readonly stat: Series;
  private readonly web: Series;
  private readonly chart?: Series;

  constructor(
    private readonly database: Database,
    { reports, stat, traffic }: CheckTables,
    private readonly now: () => Date,
  ) {
    this.stat = { table: reports, time: 'datetime', projection: new Projection(stat, ['datetime']) };
    this.web = { table: reports, time: 'datetime', projection: new Projection(WEB_STAT, ['datetime']) };
    if (traffic === undefined) return;
    this.chart = { table: traffic, time: 'bucketStart', projection: new Projection(CHART_STAT, ['bucketStart']) };
  }

  /** Gives each device its `check`, in place. */
  async fill(devices: readonly CheckedDevice[], asked: Selection): Promise<void> {
    const ids = [...new Set(devices.map(({ id }) => id))];
    const since = this.now().getTime() - SERIES_DAYS * DAY_MS;
    const read = (name: string, series: Series | undefined, limit: number, condition?: Condition) =>
      series !== undefined && asked.has(name) && ids.length > 0
        ? this.read(ids, series, asked.of(name), limit, condition)
        : NONE;
    const [stats, webStats, chartStats] = await Promise.all([
      read('stat', this.stat, 1),
      read('webStat', this.web, SERIES_ROWS, ['c.datetime >= $3', new Date(since)]),
      read('chartStat', this.chart, SERIES_ROWS, ['c.bucket_start >= $3', Math.ceil(since / 1000)]),
    ]);
    for (const device of devices) {
      device.check = {
        stat: stats.get(device.id)?.[0] ?? null,
        status: device.status,
        webStat: webStats.get(device.id) ?? [],
        chartStat: chartStats.get(device.id) ?? [],
      };
    }
  }

  /** The newest `limit` rows of each device that meet the condition, oldest first. */
  private async read(
    ids: readonly number[],
    { table, time, projection }: Series,
    asked: Selection,
    limit: number,
    condition?: Condition,
  ): Promise<Map<number, object[]>> {
    const where = condition === undefined ? '' : ` and ${condition[0]}`;
    const values = [ids, limit, ...(condition === undefined ? [] : [condition[1]])];
    const text =
      `select part.* from unnest($1::int[]) as device(id) cross join lateral (` +
      `select c.device_id as "$device", ${projection.of(asked).select} from ${table} c ` +
      `where c.device_id = device.id${where} order by "${time}" desc limit $2) part ` +
      `order by part."$device", part."${time}"`;
    const rows = await this.database.rows<QueryResultRow & { $device: number }>(text, values);
    return Map.groupBy(rows, ({ $device }) => $device);
  }
}

/** A text with the placeholder `$3`, and its value. */
type Condition = readonly [sql: string, value: unknown];

const NONE: ReadonlyMap<number, object[]> = new Map();
const DAY_MS = 24 * 60 * 60 * 1000;

const WEB_STAT = {
  datetime: 'c.datetime',
  wafProtection: 'c.waf_protection',
  totalManagedRequests: 'c.total_managed_requests',
} satisfies ColumnMap;

const CHART_STAT = {
  bucketStart: 'c.bucket_start',
  bucketEnd: 'c.bucket_end',
  totalRequests: 'c.total_requests',
  maliciousRequests: 'c.malicious_requests',
} satisfies ColumnMap;
