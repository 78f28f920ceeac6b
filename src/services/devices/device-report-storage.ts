import { hash } from 'node:crypto';
import { dayOf } from '../../common/local-time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { limitLockWait } from '../../database/change-locks.js';
import { column, sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { DeviceStat } from '../../entities/devices.js';
import { badUserInput, conflict, notFound, type DomainError } from '../../errors.js';
import type { CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
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

/** Reports of one device that are stored or refused together, oldest first and each moment once. */
export interface Delivery {
  deviceId: number;
  /** The key that the device was found by; a rotated one finds it no more. */
  key: string | null;
  reports: readonly SentReport[];
  /** Runs before COMMIT, after all locks; if it throws, all deliveries of the transaction are undone. */
  confirm?: () => Promise<void>;
}

/** The number of new reports, or why none was stored. */
export type DeliveryOutcome = { stored: number } | { refused: DomainError };

interface DeviceKey {
  organizationId: number;
  deviceId: number;
}

type NewReport = SentReport & DeviceKey;

/** Stores reports of devices of one kind: one statement of each sort for any number of reports. */
export class DeviceReportStorage {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {
    this.statements = statementsOf(kind);
  }

  /**
   * Stores deliveries in one transaction and in order; a refused one does not affect others. The newest of a device's new
   * reports decides its status. Waits for each lock for the given milliseconds, or as long as every other request.
   */
  store(deliveries: readonly Delivery[], lockWait?: number): Promise<DeliveryOutcome[]> {
    return this.database.transaction(async (tx) => {
      // Reports of one device are stored by one transaction at a time.
      const ids = [...new Set(deliveries.map(({ deviceId }) => deviceId))];
      const limited = lockWait !== undefined && limitLockWait(tx, lockWait);
      const [, locked] = await Promise.all([limited, this.statements.lock.all(tx, { ids })]);
      const devices = new Map(locked.map((device) => [device.id, device]));
      const there = deliveries.map(({ deviceId, key, reports }) => {
        const device = devices.get(deviceId);
        if (device === undefined || (key !== null && device.key !== key)) return undefined;
        return reports.map((report) => ({ ...report, deviceId, organizationId: device.organizationId }));
      });
      const stored = await this.stored(
        tx,
        there.flatMap((reports) => reports ?? []),
      );
      const fresh: NewReport[] = [];
      const outcomes = there.map((reports): DeliveryOutcome => {
        const added = reports === undefined ? notFound() : stored.add(reports);
        if (!Array.isArray(added)) return { refused: added };
        fresh.push(...added);
        return { stored: added.length };
      });
      if (fresh.length === 0) return outcomes;
      await insert(tx, this.kind, this.statements.insert, fresh);
      await this.become(tx, devices, fresh);
      for (const { confirm } of deliveries) await confirm?.();
      return outcomes;
    });
  }

  /** The stored reports of these moments, and the counts of their days. */
  private async stored(tx: Queryable, sent: readonly NewReport[]): Promise<StoredReports> {
    if (sent.length === 0) return new StoredReports(new Map(), new Map());
    const moments = sent.map(({ deviceId, organizationId, datetime }) => ({
      ...{ deviceId, organizationId, moment: datetime.toISOString() },
    }));
    const known = await this.statements.known.all(tx, columnsOf(moments));
    const fingerprints = new Map(
      sent.flatMap((report, place) => {
        const stored = known[place]!.sent;
        return stored === null ? [] : [[momentOf(report), stored]];
      }),
    );
    const begun = new Map(
      sent
        .filter((report) => !fingerprints.has(momentOf(report)))
        .map((report) => {
          const { deviceId, organizationId, datetime } = report;
          return [placeOf(report), { deviceId, organizationId, moment: `${dayOf(datetime, 'UTC')}T00:00:00Z` }];
        }),
    );
    const counted = begun.size === 0 ? [] : await this.statements.countDays.all(tx, columnsOf([...begun.values()]));
    return new StoredReports(
      fingerprints,
      new Map([...begun.keys()].map((day, index) => [day, counted[index]!.count])),
    );
  }

  /** Only the newest report decides a device's status: nothing is written when a newer one is stored. */
  private async become(tx: Queryable, devices: ReadonlyMap<number, LockedDevice>, fresh: readonly NewReport[]) {
    const newest = new Map<number, NewReport>();
    for (const report of fresh) {
      const other = newest.get(report.deviceId);
      if (other === undefined || other.datetime < report.datetime) newest.set(report.deviceId, report);
    }
    const states = [...newest.values()].map((report) => {
      const parts: DeviceStat = { ...report.stat, datetime: report.datetime.toISOString() };
      return [report.deviceId, { health: statusOf(report), parts }];
    });
    const at = this.now();
    const became = await this.statements.become.all(tx, {
      ...{ ids: [...newest.keys()], newest: JSON.stringify(Object.fromEntries(states)), lastSeenAt: at },
    });
    const changed = became.map(({ id }) => devices.get(id)!);
    // All transactions lock trails in one order.
    changed.sort((one, other) => one.organizationId - other.organizationId || one.id - other.id);
    for (const device of changed)
      await recordChange(tx, this.kind, device, { status: statusOf(newest.get(device.id)!), at });
  }
}

/** Stored reports, and those added since. */
class StoredReports {
  constructor(
    /** By device and moment; empty where no report was sent. */
    private readonly fingerprints: Map<string, string>,
    /** By device and day. */
    private readonly counts: Map<string, number>,
  ) {}

  /** The new reports; or why none is added: one contradicts a stored one, or a day has too many. */
  add(reports: readonly NewReport[]): NewReport[] | DomainError {
    const fresh: NewReport[] = [];
    for (const report of reports) {
      const stored = this.fingerprints.get(momentOf(report));
      if (stored !== undefined && stored !== '' && stored !== report.fingerprint)
        return conflict('DEVICE_REPORT_DIFFERS');
      if (stored === undefined) fresh.push(report);
    }
    const days = [...Map.groupBy(fresh, placeOf)];
    const { reportsPerDay } = LIMITS.check;
    const full = days.filter(([day, added]) => this.countOf(day) + added.length > reportsPerDay);
    if (full.length > 0)
      return badUserInput(
        full.map(
          ([, [first]]) =>
            `reports of ${dayOf(first!.datetime, 'UTC')} must not be more than ${reportsPerDay} of one device`,
        ),
      );
    for (const [day, added] of days) this.counts.set(day, this.countOf(day) + added.length);
    for (const report of fresh) this.fingerprints.set(momentOf(report), report.fingerprint);
    return fresh;
  }

  private countOf(day: string): number {
    return this.counts.get(day) ?? 0;
  }
}

function momentOf({ deviceId, datetime }: NewReport): string {
  return `${deviceId} ${datetime.getTime()}`;
}

/** Its device and its day. */
function placeOf({ deviceId, datetime }: NewReport): string {
  return `${deviceId} ${dayOf(datetime, 'UTC')}`;
}

/** Stores the past reports of a demo device, which has none yet. Returns the newest. */
export async function insertReports(
  tx: Queryable,
  kind: DeviceKind,
  owner: DeviceKey,
  reports: readonly DeviceReport[],
): Promise<DeviceReport> {
  const sent = inOrder(reports, kind.checks.parts);
  await insert(
    tx,
    kind,
    statementsOf(kind).insert,
    sent.map((report) => ({ ...report, ...owner })),
  );
  return sent.at(-1)!;
}

async function insert(
  tx: Queryable,
  { checks }: DeviceKind,
  insertion: ReturnType<typeof statementsOf>['insert'],
  reports: readonly NewReport[],
): Promise<void> {
  const rows = reports.map(({ organizationId, deviceId, datetime, stat, webStat, fingerprint }) => ({
    ...{ ...stat, organizationId, deviceId, datetime: datetime.toISOString(), fingerprint },
    ...{ wafProtection: webStat?.wafProtection, totalManagedRequests: webStat?.totalManagedRequests },
  }));
  await insertion.all(tx, { rows: jsonRows<ReportTable>(rows) });
  if (checks.traffic === undefined) return;
  const sent = reports
    .toSorted((one, other) => one.datetime.getTime() - other.datetime.getTime())
    .flatMap(({ organizationId, deviceId, datetime, chartStat }) =>
      chartStat.map((bucket) => ({ ...bucket, organizationId, deviceId, reportedAt: datetime.toISOString() })),
    );
  const buckets = [...new Map(sent.map((bucket) => [`${bucket.deviceId} ${bucket.bucketStart}`, bucket])).values()];
  if (buckets.length > 0) await insertTraffic.all(tx, { rows: jsonRows<'threat_blocker_traffic'>(buckets) });
}

/** Reports of one request, oldest first and each moment once. Throws CONFLICT when two of them contradict each other. */
export function inOrder(reports: readonly DeviceReport[], parts: readonly string[]): SentReport[] {
  const byMoment = new Map<number, SentReport>();
  for (const report of reports) {
    const sent = { ...report, fingerprint: fingerprintOf(report, parts) };
    const other = byMoment.get(report.datetime.getTime());
    if (other !== undefined && other.fingerprint !== sent.fingerprint) throw conflict('DEVICE_REPORT_DIFFERS');
    byMoment.set(report.datetime.getTime(), sent);
  }
  return [...byMoment.values()].toSorted((one, other) => one.datetime.getTime() - other.datetime.getTime());
}

/** The content in a fixed order of its fields. */
function fingerprintOf({ stat, webStat, chartStat }: DeviceReport, parts: readonly string[]): string {
  const buckets = chartStat
    .toSorted((one, other) => one.bucketStart - other.bucketStart)
    .map((bucket) => [bucket.bucketStart, bucket.bucketEnd, bucket.totalRequests, bucket.maliciousRequests]);
  const web = webStat && [webStat.wafProtection, webStat.totalManagedRequests];
  const content = [parts.map((part) => stat[part]), web, buckets];
  return hash('sha256', JSON.stringify(content), 'hex').replace(UUID_PARTS, '$1-$2-$3-$4-$5');
}

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

/** The worst part decides. A part that was not checked is 0; a report of such parts only makes the status unknown. */
function statusOf({ stat }: DeviceReport): CheckStatus {
  return Math.max(...Object.values(stat)) as CheckStatus;
}

/** A device whose row is locked, and its key where its kind has one. */
type LockedDevice = AlertedDevice & { key: string | null };

/** Devices and moments, one list for each column. */
interface Moments {
  organizations: readonly number[];
  devices: readonly number[];
  moments: readonly string[];
}

function columnsOf(rows: readonly (DeviceKey & { moment: string })[]): Moments {
  return {
    organizations: rows.map(({ organizationId }) => organizationId),
    devices: rows.map(({ deviceId }) => deviceId),
    moments: rows.map(({ moment }) => moment),
  };
}

function statementsOf({ table: name, name: shown, key, checks: { reports, parts } }: DeviceKind) {
  const d = table(name, 'd');
  const c = table(reports, 'c');
  const wanted = (p: Placeholders<Moments>) =>
    sql`unnest(${p('organizations')}::bigint[], ${p('devices')}::bigint[], ${p('moments')}::timestamptz[])
      with ordinality as wanted(organization, device, moment, place)`;
  const isOfDevice = sql`${c.organization_id} = wanted.organization and ${c.device_id} = wanted.device`;
  return {
    lock: statement<{ ids: readonly number[] }>()(
      (p) => sql<LockedDevice>`
        select ${d.id}, ${d.organization_id} as "organizationId", ${shown} as name, ${d.status}, ${key ?? sql`null`} as key
          from ${d.table} where ${d.id} = any(${p('ids')}) and ${d.deleted_at} is null
         order by ${d.id} for no key update`,
    ),
    /** Empty where no report was sent, null where none is stored. */
    known: statement<Moments>()(
      (p) => sql<{ sent: string | null }>`
        select (select coalesce(${c.fingerprint}::text, '') from ${c.table}
                 where ${isOfDevice} and ${c.datetime} = wanted.moment) as sent
          from ${wanted(p)} order by wanted.place`,
    ),
    /** Of days, which begin at these moments. */
    countDays: statement<Moments>()(
      (p) => sql<{ count: number }>`
        select (select count(*)::int from ${c.table} where ${isOfDevice}
                   and ${c.datetime} >= wanted.moment and ${c.datetime} < wanted.moment + interval '24 hours') as count
          from ${wanted(p)} order by wanted.place`,
    ),
    insert: statement<{ rows: string }>()((p) => insertRows(reports, [...REPORTED, ...parts], p('rows'))),
    /** Writes status and report, unless a newer report is stored. */
    become: statement<{ ids: readonly number[]; newest: string; lastSeenAt: Date }>()((p) => {
      const n = sql`(${p('newest')}::jsonb -> ${d.id}::text)`;
      return sql<{ id: number }>`
        update ${d.table} set ${column(name, 'status')} = (${n} ->> 'health')::smallint,
               ${column(name, 'stat')} = ${n} -> 'parts', ${column(name, 'last_seen_at')} = ${p('lastSeenAt')}
         where ${d.id} = any(${p('ids')})
           and ((${d.stat} ->> 'datetime')::timestamptz > (${n} -> 'parts' ->> 'datetime')::timestamptz) is not true
         returning ${d.id}`;
    }),
  };
}

const REPORTED = [
  ...(['organizationId', 'deviceId', 'datetime', 'fingerprint', 'wafProtection', 'totalManagedRequests'] as const),
];

const TRAFFIC = [
  ...(['organizationId', 'deviceId', 'bucketStart', 'bucketEnd', 'totalRequests', 'maliciousRequests'] as const),
  'reportedAt' as const,
];

/** An unfinished bucket is reported repeatedly: the newest report is stored. */
const insertTraffic = statement<{ rows: string }>()((p) => {
  const [stored, excluded] = [table('threat_blocker_traffic'), table('threat_blocker_traffic', 'excluded')];
  const set = (['bucket_end', 'total_requests', 'malicious_requests', 'reported_at'] as const).map(
    (name) => sql`${sql.id(name)} = ${excluded[name]}`,
  );
  return sql`${insertRows('threat_blocker_traffic', TRAFFIC, p('rows'))}
    on conflict (organization_id, device_id, bucket_start) do update set ${sql.join(set)}
     where ${stored.reported_at} is null or ${stored.reported_at} <= ${excluded.reported_at}`;
});
