import { hash } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
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
import type { CheckTables, ReportPart, ReportTable } from './device-kind.js';
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
    const stats = this.tables.parts.map((part) => [part, reports.map(({ stat }) => stat[part])]);
    await this.statements.insert.all(tx, {
      ...Object.fromEntries(stats),
      ...keyOf(device),
      datetimes: reports.map(({ datetime }) => datetime.toISOString()),
      wafProtections: reports.map(({ webStat }) => webStat?.wafProtection ?? null),
      managedRequests: reports.map(({ webStat }) => webStat?.totalManagedRequests ?? null),
      fingerprints: reports.map(({ fingerprint }) => fingerprint),
    });
    await this.insertTraffic(tx, device, reports);
  }

  private async insertTraffic(tx: Queryable, device: ReportedDevice, reports: readonly SentReport[]): Promise<void> {
    const notified = reports.flatMap(({ datetime, chartStat }) => chartStat.map((bucket) => ({ ...bucket, datetime })));
    const buckets = [...new Map(notified.map((bucket) => [bucket.bucketStart, bucket])).values()];
    if (this.tables.traffic === undefined || buckets.length === 0) return;
    await insertTraffic.all(tx, {
      ...keyOf(device),
      bucketStarts: buckets.map(({ bucketStart }) => bucketStart),
      bucketEnds: buckets.map(({ bucketEnd }) => bucketEnd),
      totals: buckets.map(({ totalRequests }) => totalRequests),
      malicious: buckets.map(({ maliciousRequests }) => maliciousRequests),
      reportedAt: buckets.map(({ datetime }) => datetime.toISOString()),
    });
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

const INTS = sql`int[]`;
const INSTANTS = sql`timestamptz[]`;
const UUIDS = sql`uuid[]`;

type Lists = Record<string, unknown>;

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
  const columns: Columns<'cloud_defender_check' | 'threat_blocker_check'> = [
    ['datetime', INSTANTS, 'datetimes'],
    ...parts.map((part) => [part, INTS, part] as const),
    ['waf_protection', INTS, 'wafProtections'],
    ['total_managed_requests', INTS, 'managedRequests'],
    ['fingerprint', UUIDS, 'fingerprints'],
  ];
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
    insert: statement<Lists>()((p) => insertRows(sql.table(reports), columns, p)),
  };
}

const kept = table('threat_blocker_traffic', 'kept');
const excluded = table('threat_blocker_traffic', 'excluded');
const name = (of: keyof Tables['threat_blocker_traffic']) => column('threat_blocker_traffic', of);

/** A bucket that still runs is reported again and again: what the newest report says of it stays. */
const insertTraffic = statement<Lists>()((p) => {
  const columns: Columns<'threat_blocker_traffic'> = [
    ['bucket_start', INTS, 'bucketStarts'],
    ['bucket_end', INTS, 'bucketEnds'],
    ['total_requests', INTS, 'totals'],
    ['malicious_requests', INTS, 'malicious'],
    ['reported_at', INSTANTS, 'reportedAt'],
  ];
  const set = (['bucket_end', 'total_requests', 'malicious_requests', 'reported_at'] as const).map(
    (each) => sql`${name(each)} = ${excluded[each]}`,
  );
  return sql`${insertRows(kept.table, columns, p)}
    on conflict (${sql.join([name('organization_id'), name('device_id'), name('bucket_start')])}) do update set ${sql.join(set)}
     where ${kept.reported_at} is null or ${kept.reported_at} <= ${excluded.reported_at}`;
});

/** Columns with their type and the parameter that has their values. */
type Columns<Name extends keyof Tables> = readonly (readonly [
  name: keyof Tables[Name] | ReportPart,
  type: Expression,
  parameter: string,
])[];

/** Rows of one device, made of one array for each further column. */
function insertRows(
  target: Expression,
  columns: readonly (readonly [string, Expression, string])[],
  p: Placeholders<Lists>,
) {
  const names = columns.map(([each]) => sql.id(each));
  const arrays = columns.map(([, type, parameter]) => sql`${p(parameter)}::${type}`);
  return sql`insert into ${target} (${sql.join([sql.id('organization_id'), sql.id('device_id'), ...names])})
    select ${p('organizationId')}::int, ${p('deviceId')}::int, sent.* from unnest(${sql.join(arrays)}) as sent`;
}
