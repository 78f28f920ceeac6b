import { hash } from 'node:crypto';
import { DAY } from '../../common/time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import {
  column,
  sql,
  statement,
  table,
  type Expression,
  type Placeholders,
  type TableReference,
} from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { badUserInput, conflict } from '../../errors.js';
import type { CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { AlertedDevice } from './device-monitor.js';
import type { CheckTables, ReportTable } from './device-kind.js';
import { dayOf } from '../workflows/progress.js';

/** One bucket of traffic; begin and end in Unix seconds. */
export interface TrafficBucket {
  bucketStart: number;
  bucketEnd: number;
  totalRequests: number;
  maliciousRequests: number;
}

/** What a device found at one moment; the input types have checked every value. */
export interface DeviceReport {
  datetime: Date;
  /** The state of each part of the kind. */
  stat: Readonly<Record<string, CheckStatus>>;
  webStat: { wafProtection: number; totalManagedRequests: number } | null;
  chartStat: readonly TrafficBucket[];
}

/** A report with the fingerprint of its content, as PostgreSQL prints a uuid. */
export interface SentReport extends DeviceReport {
  fingerprint: string;
}

/** The stored reports of one kind of device. The caller has locked the device's row. */
export class ReportStore {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(private readonly tables: CheckTables) {
    this.statements = statementsOf(tables);
  }

  /** Those that are not stored yet. Throws CONFLICT when one is stored with another content. */
  async unknown(tx: Queryable, device: ReportedDevice, sent: readonly SentReport[]): Promise<SentReport[]> {
    const moments = sent.map(({ datetime }) => datetime.toISOString());
    const rows = await this.statements.known.all(tx, { ...keyOf(device), moments });
    const known = new Map(rows.map(({ datetime, fingerprint }) => [datetime, fingerprint]));
    return sent.filter(({ datetime, fingerprint }) => {
      const kept = known.get(datetime.toISOString());
      if (kept != null && kept !== fingerprint) throw conflict();
      return kept === undefined;
    });
  }

  /** Throws BAD_USER_INPUT when there would be too many reports of one day, counted by the index on their moments. */
  async requireCapacity(tx: Queryable, device: ReportedDevice, fresh: readonly SentReport[]): Promise<void> {
    const days = [...Map.groupBy(fresh, ({ datetime }) => dayOf(datetime))];
    const rows = await this.statements.countDays.all(tx, {
      ...keyOf(device),
      days: days.map(([day]) => `${day}T00:00:00Z`),
    });
    const { reportsPerDay } = LIMITS.check;
    const full = days.filter(([, reports], index) => (rows[index]?.count ?? 0) + reports.length > reportsPerDay);
    if (full.length === 0) return;
    throw badUserInput(full.map(([day]) => `reports of ${day} must not be more than ${reportsPerDay} of one device`));
  }

  /** Stores reports that are new; `unknown` and `requireCapacity` have said that they may be. */
  async insert(tx: Queryable, device: ReportedDevice, reports: readonly SentReport[]): Promise<void> {
    const rows = reports.map(({ datetime, stat, webStat, fingerprint }) => ({
      ...stat,
      ...keyOf(device),
      datetime: datetime.toISOString(),
      wafProtection: webStat?.wafProtection,
      totalManagedRequests: webStat?.totalManagedRequests,
      fingerprint,
    }));
    await this.statements.insert.all(tx, { rows: jsonRows<ReportTable>(rows) });
    await this.insertTraffic(tx, device, reports);
  }

  private async insertTraffic(tx: Queryable, device: ReportedDevice, reports: readonly SentReport[]): Promise<void> {
    const sent = reports.flatMap(({ datetime, chartStat }) =>
      chartStat.map((bucket) => ({ ...bucket, ...keyOf(device), reportedAt: datetime.toISOString() })),
    );
    const rows = [...new Map(sent.map((bucket) => [bucket.bucketStart, bucket])).values()];
    if (this.tables.traffic === undefined || rows.length === 0) return;
    await insertTraffic.all(tx, { rows: jsonRows<'threat_blocker_traffic'>(rows) });
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

type ReportedDevice = Pick<AlertedDevice, 'id' | 'organizationId'>;

interface DeviceKey {
  organizationId: number;
  deviceId: number;
}

function keyOf({ id: deviceId, organizationId }: ReportedDevice): DeviceKey {
  return { organizationId, deviceId };
}

function isOf(c: TableReference<ReportTable>, p: Placeholders<DeviceKey>): Expression {
  return sql`${c.organization_id} = ${p('organizationId')} and ${c.device_id} = ${p('deviceId')}`;
}

function statementsOf({ reports, parts }: CheckTables) {
  const c = table(reports, 'c');
  return {
    known: statement<DeviceKey & { moments: readonly string[] }>()(
      (p) => sql<{ datetime: string; fingerprint: string | null }>`
        select ${c.datetime}, ${c.fingerprint} from ${c.table}
         where ${isOf(c, p)} and ${c.datetime} = any(${p('moments')}::timestamptz[])`,
    ),
    countDays: statement<DeviceKey & { days: readonly string[] }>()(
      (p) => sql<{ count: number }>`
        select (select count(*)::int from ${c.table} where ${isOf(c, p)}
                   and ${c.datetime} >= wanted.day and ${c.datetime} < wanted.day + interval '24 hours') as count
          from unnest(${p('days')}::timestamptz[]) with ordinality as wanted(day, place) order by wanted.place`,
    ),
    insert: statement<{ rows: string }>()((p) => insertRows(reports, [...REPORTED, ...parts], p('rows'))),
  };
}

const REPORTED = [
  'organizationId',
  'deviceId',
  'datetime',
  'wafProtection',
  'totalManagedRequests',
  'fingerprint',
] as const;

/** A bucket that still runs is reported again and again: what the newest report says of it stays. */
const insertTraffic = statement<{ rows: string }>()((p) => {
  const columns = [
    'organizationId',
    'deviceId',
    'bucketStart',
    'bucketEnd',
    'totalRequests',
    'maliciousRequests',
    'reportedAt',
  ] as const;
  const [kept, excluded] = [table('threat_blocker_traffic'), table('threat_blocker_traffic', 'excluded')];
  const name = (of: keyof Tables['threat_blocker_traffic']) => column('threat_blocker_traffic', of);
  const set = (['bucket_end', 'total_requests', 'malicious_requests', 'reported_at'] as const).map(
    (each) => sql`${name(each)} = ${excluded[each]}`,
  );
  return sql`${insertRows('threat_blocker_traffic', columns, p('rows'))}
    on conflict (${sql.join([name('organization_id'), name('device_id'), name('bucket_start')])}) do update set ${sql.join(set)}
     where ${kept.reported_at} is null or ${kept.reported_at} <= ${excluded.reported_at}`;
});

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
