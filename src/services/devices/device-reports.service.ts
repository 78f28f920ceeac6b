import { hash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { DAY, MINUTE } from '../../common/time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import {
  column,
  sql,
  statement,
  table,
  type Expression,
  type Placeholders,
  type Statement,
} from '../../database/sql.js';
import type { DeviceStat } from '../../entities/devices.js';
import { badUserInput, conflict, invalidInput, notFound, type FieldError } from '../../errors.js';
import type { CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { dayOf } from '../../common/local-time.js';
import type { DeviceKind, ReportTable } from './device-kind.js';
import { recordChange, type AlertedDevice } from './device-monitor.js';

/** One bucket of traffic; begin and end in Unix seconds. */
interface TrafficBucket {
  bucketStart: number;
  bucketEnd: number;
  totalRequests: number;
  maliciousRequests: number;
}

/** Report of a device about one moment; the input types have checked every value. */
export interface DeviceReport {
  datetime: Date;
  /** The state of each part of the kind. */
  stat: Readonly<Record<string, CheckStatus>>;
  webStat: { wafProtection: number; totalManagedRequests: number } | null;
  chartStat: readonly TrafficBucket[];
}

/** A report with the fingerprint of its content, as PostgreSQL prints a uuid. */
interface SentReport extends DeviceReport {
  fingerprint: string;
}

/** How a device is addressed: by its number, or by the key that it knows itself. */
export type DeviceAddress = { id: number } | { atbKey: string };

/** The same for equal reports. */
export interface ReportReceipt {
  received: number;
  /** The `datetime` of the newest report of the request. */
  newest: Date;
}

/** Takes what devices of one kind report. */
export class DeviceReports {
  private readonly byId: ReturnType<typeof finding>;
  private readonly byKey: ReturnType<typeof finding>;
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {
    this.byId = finding(kind, table(kind.table, 'd').id);
    this.byKey = finding(kind, table('threat_blocker', 'd').atb_key);
    this.statements = statementsOf(kind);
  }

  /**
   * Stores reports in any order; known ones change nothing. Throws NOT_FOUND, FORBIDDEN (rank 4, scope `telemetry`),
   * BAD_USER_INPUT for too many of one day, and CONFLICT for contradicting reports of one moment; then none is stored.
   */
  async report(caller: Caller, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const { find } = this.findingBy(address);
    const device = await find.first(this.database, { key: keyOf(address) });
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, 'REPORT_CHECKS', device.organizationId);
    const errors = momentErrors(reports, this.now().getTime());
    if (errors.length > 0) throw invalidInput(errors);
    return this.store(device.id, address, reports);
  }

  /** Stores reports without authorization, for the demo's devices. */
  take(id: number, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    return this.store(id, { id }, reports);
  }

  private findingBy(address: DeviceAddress) {
    return 'id' in address ? this.byId : this.byKey;
  }

  private async store(id: number, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const sent = inOrder(reports, this.kind.checks.parts);
    await this.database.transaction(async (tx) => {
      // Reports of one device are taken one request at a time. A key that was rotated in between is a key no more.
      const device = await this.findingBy(address).lock.first(tx, { id, key: keyOf(address) });
      if (device === undefined) throw notFound();
      const owner = { deviceId: id, organizationId: device.organizationId };
      const fresh = await this.unknown(tx, owner, sent);
      const newest = fresh.at(-1);
      if (newest === undefined) return;
      await this.requireCapacity(tx, owner, fresh);
      await insert(tx, this.kind, this.statements.insert, owner, fresh);
      const status = statusOf(newest);
      const at = this.now();
      const stat: DeviceStat = { ...newest.stat, datetime: newest.datetime.toISOString() };
      const values = { id, status, lastSeenAt: at, stat: JSON.stringify(stat), reportedAt: newest.datetime };
      // Only the newest report says how the device is: nothing becomes of it when a newer one is there, which has said it.
      const became = await this.statements.become.first(tx, values);
      if (became !== undefined) await recordChange(tx, this.kind, device, { status, at });
    });
    return { received: reports.length, newest: sent.at(-1)!.datetime };
  }

  /** Those that are not stored yet. Throws CONFLICT when one is stored with another content. */
  private async unknown(tx: Queryable, owner: DeviceKey, sent: readonly SentReport[]): Promise<SentReport[]> {
    const moments = sent.map(({ datetime }) => datetime.toISOString());
    const rows = await this.statements.known.all(tx, { ...owner, moments });
    const known = new Map(rows.map(({ datetime, fingerprint }) => [datetime, fingerprint]));
    return sent.filter(({ datetime, fingerprint }) => {
      const kept = known.get(datetime.toISOString());
      if (kept != null && kept !== fingerprint) throw conflict('DEVICE_REPORT_DIFFERS');
      return kept === undefined;
    });
  }

  /** Throws BAD_USER_INPUT when there would be too many reports of one day, counted by the index on their moments. */
  private async requireCapacity(tx: Queryable, owner: DeviceKey, fresh: readonly SentReport[]): Promise<void> {
    const days = [...Map.groupBy(fresh, ({ datetime }) => dayOf(datetime, 'UTC'))];
    const begins = days.map(([day]) => `${day}T00:00:00Z`);
    const rows = await this.statements.countDays.all(tx, { ...owner, days: begins });
    const { reportsPerDay } = LIMITS.check;
    const full = days.filter(([, reports], index) => (rows[index]?.count ?? 0) + reports.length > reportsPerDay);
    if (full.length === 0) return;
    throw badUserInput(full.map(([day]) => `reports of ${day} must not be more than ${reportsPerDay} of one device`));
  }
}

/** Stores the past reports of a device of the demo, which has none. Returns the newest. */
export async function insertReports(
  tx: Queryable,
  kind: DeviceKind,
  owner: DeviceKey,
  reports: readonly DeviceReport[],
): Promise<DeviceReport> {
  const sent = inOrder(reports, kind.checks.parts);
  await insert(tx, kind, statementsOf(kind).insert, owner, sent);
  return sent.at(-1)!;
}

async function insert(
  tx: Queryable,
  { checks }: DeviceKind,
  insertion: Statement<{ rows: string }, unknown>,
  owner: DeviceKey,
  reports: readonly SentReport[],
): Promise<void> {
  const rows = reports.map(({ datetime, stat, webStat, fingerprint }) => ({
    ...{ ...stat, ...owner, datetime: datetime.toISOString(), fingerprint },
    ...{ wafProtection: webStat?.wafProtection, totalManagedRequests: webStat?.totalManagedRequests },
  }));
  await insertion.all(tx, { rows: jsonRows<ReportTable>(rows) });
  if (checks.traffic === undefined) return;
  const sent = reports.flatMap(({ datetime, chartStat }) =>
    chartStat.map((bucket) => ({ ...bucket, ...owner, reportedAt: datetime.toISOString() })),
  );
  const buckets = [...new Map(sent.map((bucket) => [bucket.bucketStart, bucket])).values()];
  if (buckets.length > 0) await insertTraffic.all(tx, { rows: jsonRows<'threat_blocker_traffic'>(buckets) });
}

/** Reports of one request, oldest first and each moment once. Throws CONFLICT when two of them contradict each other. */
function inOrder(reports: readonly DeviceReport[], parts: readonly string[]): SentReport[] {
  const byMoment = new Map<number, SentReport>();
  for (const report of reports) {
    const sent = { ...report, fingerprint: fingerprintOf(report, parts) };
    const other = byMoment.get(report.datetime.getTime());
    if (other !== undefined && other.fingerprint !== sent.fingerprint) throw conflict('DEVICE_REPORT_DIFFERS');
    byMoment.set(report.datetime.getTime(), sent);
  }
  return [...byMoment.values()].toSorted((one, other) => one.datetime.getTime() - other.datetime.getTime());
}

/** The content in one order of its fields, whatever the order in which they were sent. */
function fingerprintOf({ stat, webStat, chartStat }: DeviceReport, parts: readonly string[]): string {
  const buckets = chartStat
    .toSorted((one, other) => one.bucketStart - other.bucketStart)
    .map((bucket) => [bucket.bucketStart, bucket.bucketEnd, bucket.totalRequests, bucket.maliciousRequests]);
  const web = webStat && [webStat.wafProtection, webStat.totalManagedRequests];
  const content = [parts.map((part) => stat[part]), web, buckets];
  return hash('sha256', JSON.stringify(content), 'hex').replace(UUID_PARTS, '$1-$2-$3-$4-$5');
}

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

/** The worst part decides. A part that was not checked is 0 and says nothing; so does a report of such parts only. */
function statusOf({ stat }: DeviceReport): CheckStatus {
  return Math.max(...Object.values(stat)) as CheckStatus;
}

/** Reports are of moments for as long as reports are kept, and as far ahead as clocks differ. */
function momentErrors(reports: readonly DeviceReport[], now: number): FieldError[] {
  const { keptDays, clockSkewMinutes } = LIMITS.check;
  const errorsOf = (moment: number, ...path: FieldError['path']): FieldError[] => {
    const full = ['input', 'reports', ...path];
    if (moment < now - keptDays * DAY) return [{ path: full, sentence: `must not be more than ${keptDays} days ago` }];
    if (moment <= now + clockSkewMinutes * MINUTE) return [];
    return [{ path: full, sentence: `must not be more than ${clockSkewMinutes} minutes in the future` }];
  };
  return reports.flatMap(({ datetime, chartStat }, index) => [
    ...errorsOf(datetime.getTime(), index, 'datetime'),
    ...chartStat.flatMap(({ bucketStart }, at) => errorsOf(bucketStart * 1000, index, 'chartStat', at, 'bucketStart')),
  ]);
}

function keyOf(address: DeviceAddress): number | string {
  return 'id' in address ? address.id : address.atbKey;
}

/** Statements that find a device by its number or its key. */
function finding({ table: name, name: shown }: DeviceKind, key: Expression) {
  const d = table(name, 'd');
  const facts = sql`${d.id}, ${d.organization_id} as "organizationId"`;
  return {
    find: statement<{ key: number | string }>()(
      (p) => sql<{ id: number; organizationId: number }>`
        select ${facts} from ${d.table} where ${key} = ${p('key')} and ${d.deleted_at} is null`,
    ),
    lock: statement<{ id: number; key: number | string }>()(
      (p) => sql<AlertedDevice>`
        select ${facts}, ${shown} as name, ${d.status} from ${d.table}
         where ${d.id} = ${p('id')} and ${key} = ${p('key')} and ${d.deleted_at} is null for no key update`,
    ),
  };
}

interface DeviceKey {
  organizationId: number;
  deviceId: number;
}

interface NewStatus {
  id: number;
  status: CheckStatus;
  lastSeenAt: Date;
  /** JSON of a DeviceStat. */
  stat: string;
  reportedAt: Date;
}

function statementsOf({ table: name, checks: { reports, parts } }: DeviceKind) {
  const d = table(name);
  const c = table(reports, 'c');
  const isOfDevice = (p: Placeholders<DeviceKey>) =>
    sql`${c.organization_id} = ${p('organizationId')} and ${c.device_id} = ${p('deviceId')}`;
  return {
    known: statement<DeviceKey & { moments: readonly string[] }>()(
      (p) => sql<{ datetime: string; fingerprint: string | null }>`
        select ${c.datetime}, ${c.fingerprint} from ${c.table}
         where ${isOfDevice(p)} and ${c.datetime} = any(${p('moments')}::timestamptz[])`,
    ),
    countDays: statement<DeviceKey & { days: readonly string[] }>()(
      (p) => sql<{ count: number }>`
        select (select count(*)::int from ${c.table} where ${isOfDevice(p)}
                   and ${c.datetime} >= wanted.day and ${c.datetime} < wanted.day + interval '24 hours') as count
          from unnest(${p('days')}::timestamptz[]) with ordinality as wanted(day, place) order by wanted.place`,
    ),
    insert: statement<{ rows: string }>()((p) => insertRows(reports, [...REPORTED, ...parts], p('rows'))),
    /** Writes the status and the report itself, unless a newer report is there. */
    become: statement<NewStatus>()(
      (p) => sql<{ id: number }>`
        update ${d.table} set ${column(name, 'status')} = ${p('status')}, ${column(name, 'stat')} = ${p('stat')},
               ${column(name, 'last_seen_at')} = ${p('lastSeenAt')}
         where ${d.id} = ${p('id')} and ((${d.stat} ->> 'datetime')::timestamptz > ${p('reportedAt')}) is not true
         returning ${d.id}`,
    ),
  };
}

const REPORTED = [
  ...(['organizationId', 'deviceId', 'datetime', 'fingerprint', 'wafProtection', 'totalManagedRequests'] as const),
];

const TRAFFIC = [
  ...(['organizationId', 'deviceId', 'bucketStart', 'bucketEnd', 'totalRequests', 'maliciousRequests'] as const),
  'reportedAt' as const,
];

/** A bucket that still runs is reported again and again: what the newest report says of it stays. */
const insertTraffic = statement<{ rows: string }>()((p) => {
  const [kept, excluded] = [table('threat_blocker_traffic'), table('threat_blocker_traffic', 'excluded')];
  const set = (['bucket_end', 'total_requests', 'malicious_requests', 'reported_at'] as const).map(
    (name) => sql`${sql.id(name)} = ${excluded[name]}`,
  );
  return sql`${insertRows('threat_blocker_traffic', TRAFFIC, p('rows'))}
    on conflict (organization_id, device_id, bucket_start) do update set ${sql.join(set)}
     where ${kept.reported_at} is null or ${kept.reported_at} <= ${excluded.reported_at}`;
});
