import type { QueryResultRow } from 'pg';
import type { Database } from '../database/database.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Selection } from '../vocabulary/selection.js';

/** Where the reports of one kind of device are, and the parts that its `stat` tells of (specification 2.6, 2.7). */
export interface CheckTables {
  reports: string;
  /** Each is a property and a column. */
  parts: readonly string[];
  /** Table of the `chart_stat`; only threat blockers have one. */
  traffic?: string;
}

/** A device as it was read for `check`: its overall state stands in its own row. */
export interface CheckedDevice {
  id: number;
  status: number;
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
  table: string;
  projection: Projection;
  /** The property in which a row says when it was. */
  time: string;
}

/** How far back series go. The newest report is shown however old it is. */
const SERIES_DAYS = 7;

/** Reads what devices reported: for all devices of a page in one statement for each part that is asked for. */
export class DeviceChecks {
  /** Every part of a `stat` while nothing is known. */
  private readonly unknown: Readonly<Record<string, number>>;
  private readonly stat: Series;
  private readonly web: Series;
  private readonly chart?: Series;

  constructor(
    private readonly database: Database,
    { reports, parts, traffic }: CheckTables,
    private readonly now: () => Date,
  ) {
    this.unknown = Object.fromEntries(parts.map((name) => [name, 0]));
    const stat = Object.fromEntries(['datetime', ...parts].map((name) => [name, `c.${name}`]));
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
      read('webStat', this.web, LIMITS.check.statRows, [REPORTED_SINCE, new Date(since)]),
      read('chartStat', this.chart, LIMITS.check.statRows, [LASTED_SINCE, Math.floor(since / 1000)]),
    ]);
    for (const device of devices) {
      const { id: deviceId, status, createdAt } = device;
      const check = {
        deviceId,
        stat: stats.get(deviceId)?.[0] ?? { ...this.unknown, datetime: createdAt },
        status,
        webStat: webStats.get(deviceId) ?? [],
        chartStat: chartStats.get(deviceId) ?? [],
      };
      device.check = check;
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

/** A report may say nothing of web traffic. */
const REPORTED_SINCE = 'c.datetime >= $3 and c.waf_protection is not null';
/**
 * Buckets lie where the device puts them, as a rule on whole hours, and the window begins at any moment: a bucket that
 * began before it and ends in it belongs to it as well. How long a bucket may be bounds the search.
 */
const LASTED_SINCE = `c.bucket_start > $3 - ${LIMITS.check.bucketSeconds} and (c.bucket_start >= $3 or c.bucket_end > $3)`;

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
