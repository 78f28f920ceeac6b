import { hash } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { badUserInput, conflict } from '../errors.js';
import type { CheckStatus } from '../vocabulary/check-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { CheckTables } from './device-checks.js';
import { dayOf } from './workflow-progress.js';

/** One bucket of traffic; begin and end in Unix seconds. */
export interface TrafficBucket {
  bucketStart: number;
  bucketEnd: number;
  totalRequests: number;
  maliciousRequests: number;
}

/** What a device found at one moment; every value has passed its rules (schema/device-report.rules.ts). */
export interface DeviceReport {
  datetime: Date;
  /** The state of each part of the kind. */
  stat: Readonly<Record<string, CheckStatus>>;
  webStat: { wafProtection: number; totalManagedRequests: number } | null;
  chartStat: readonly TrafficBucket[];
}

/** A report with what tells its content from another: the form that PostgreSQL gives a uuid. */
export interface SentReport extends DeviceReport {
  fingerprint: string;
}

/** The rows of what one kind of device reports. Whoever calls holds the device's row. */
export class ReportStore {
  constructor(private readonly tables: CheckTables) {}

  /** Those that are not stored yet. Throws CONFLICT when one is stored with another content. */
  async unknown(tx: Queryable, deviceId: number, sent: readonly SentReport[]): Promise<SentReport[]> {
    const rows = await tx.rows<{ datetime: string; fingerprint: string | null }>(
      `select datetime, fingerprint from ${this.tables.reports} where device_id = $1 and datetime = any($2::timestamptz[])`,
      [deviceId, sent.map(({ datetime }) => datetime.toISOString())],
    );
    const known = new Map(rows.map(({ datetime, fingerprint }) => [datetime, fingerprint]));
    return sent.filter(({ datetime, fingerprint }) => {
      const kept = known.get(datetime.toISOString());
      if (kept != null && kept !== fingerprint) throw conflict();
      return kept === undefined;
    });
  }

  /** Throws BAD_USER_INPUT when there would be too many reports of one day, counted by the index on their moments. */
  async requireRoom(tx: Queryable, deviceId: number, fresh: readonly SentReport[]): Promise<void> {
    const days = [...Map.groupBy(fresh, ({ datetime }) => dayOf(datetime))];
    const rows = await tx.rows<{ count: number }>(
      `select (select count(*)::int from ${this.tables.reports} c where c.device_id = $1
                  and c.datetime >= asked.day and c.datetime < asked.day + interval '24 hours') as count
         from unnest($2::timestamptz[]) with ordinality as asked(day, place) order by asked.place`,
      [deviceId, days.map(([day]) => `${day}T00:00:00Z`)],
    );
    const { reportsPerDay } = LIMITS.check;
    const full = days.filter(([, reports], index) => (rows[index]?.count ?? 0) + reports.length > reportsPerDay);
    if (full.length === 0) return;
    throw badUserInput(full.map(([day]) => `reports of ${day} must not be more than ${reportsPerDay} of one device`));
  }

  /** Stores reports that are new; `unknown` and `requireRoom` have said that they may be. */
  async insert(tx: Queryable, deviceId: number, reports: readonly SentReport[]): Promise<void> {
    const { parts } = this.tables;
    const columns = ['datetime', ...parts, 'waf_protection', 'total_managed_requests', 'fingerprint'];
    const types = ['timestamptz', ...parts.map(() => 'int'), 'int', 'int', 'uuid'];
    await tx.rows(`insert into ${this.tables.reports} (device_id, ${columns.join(', ')}) ${rowsOf(types)}`, [
      deviceId,
      reports.map(({ datetime }) => datetime.toISOString()),
      ...parts.map((part) => reports.map(({ stat }) => stat[part])),
      reports.map(({ webStat }) => webStat?.wafProtection ?? null),
      reports.map(({ webStat }) => webStat?.totalManagedRequests ?? null),
      reports.map(({ fingerprint }) => fingerprint),
    ]);
    await this.insertTraffic(tx, deviceId, reports);
  }

  /** A bucket that still runs is told again and again: what the newest report says of it stays. */
  private async insertTraffic(tx: Queryable, deviceId: number, reports: readonly SentReport[]): Promise<void> {
    const { traffic } = this.tables;
    const told = reports.flatMap(({ datetime, chartStat }) => chartStat.map((bucket) => ({ ...bucket, datetime })));
    const buckets = [...new Map(told.map((bucket) => [bucket.bucketStart, bucket])).values()];
    if (traffic === undefined || buckets.length === 0) return;
    await tx.rows(
      `insert into ${traffic} as kept (device_id, bucket_start, bucket_end, total_requests, malicious_requests, reported_at)
       ${rowsOf(['int', 'int', 'int', 'int', 'timestamptz'])}
       on conflict (device_id, bucket_start) do update
          set bucket_end = excluded.bucket_end, total_requests = excluded.total_requests,
              malicious_requests = excluded.malicious_requests, reported_at = excluded.reported_at
        where kept.reported_at is null or kept.reported_at <= excluded.reported_at`,
      [
        deviceId,
        buckets.map(({ bucketStart }) => bucketStart),
        buckets.map(({ bucketEnd }) => bucketEnd),
        buckets.map(({ totalRequests }) => totalRequests),
        buckets.map(({ maliciousRequests }) => maliciousRequests),
        buckets.map(({ datetime }) => datetime.toISOString()),
      ],
    );
  }
}

/** Reports of one request, oldest first and each moment once. Throws CONFLICT when two of them contradict each other. */
export function inOrder(reports: readonly DeviceReport[], { parts }: CheckTables): SentReport[] {
  const byMoment = new Map<number, SentReport>();
  for (const report of reports) {
    const sent = { ...report, fingerprint: fingerprintOf(report, parts) };
    const other = byMoment.get(report.datetime.getTime());
    if (other !== undefined && other.fingerprint !== sent.fingerprint) throw conflict();
    byMoment.set(report.datetime.getTime(), sent);
  }
  return [...byMoment.values()].toSorted((one, other) => one.datetime.getTime() - other.datetime.getTime());
}

/** The content in one order of its fields, whatever the order in which they were sent. */
function fingerprintOf({ stat, webStat, chartStat }: DeviceReport, parts: readonly string[]): string {
  const buckets = chartStat.map((bucket) => [
    bucket.bucketStart,
    bucket.bucketEnd,
    bucket.totalRequests,
    bucket.maliciousRequests,
  ]);
  const web = webStat && [webStat.wafProtection, webStat.totalManagedRequests];
  const content = [parts.map((part) => stat[part]), web, buckets.toSorted(([one = 0], [other = 0]) => one - other)];
  return hash('sha256', JSON.stringify(content), 'hex').replace(UUID_PARTS, '$1-$2-$3-$4-$5');
}

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

/** Rows of the device `$1`, made of one array for each further column. */
function rowsOf(types: readonly string[]): string {
  const arrays = types.map((type, index) => `$${index + 2}::${type}[]`);
  return `select $1::int, told.* from unnest(${arrays.join(', ')}) as told`;
}
