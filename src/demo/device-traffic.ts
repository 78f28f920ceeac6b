import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR } from '../common/time.js';
import type { Database } from '../database/database.js';
import { sql, statement, table } from '../database/sql.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER, type DeviceKind } from '../services/devices/device-kind.js';
import { insertReports, type DeviceReport } from '../services/devices/device-report-storage.js';
import type { DeviceReportService } from '../services/devices/device-reports.service.js';
import { CHECK_STATUSES } from '../values/enums.js';
import { readFixtures, timeOf } from '../services/sandboxes/fixtures.js';
import { type FixtureLoader, queryable } from './fixture-loader.js';

/** Traffic of a demo device, from its fixture. */
interface Traffic {
  requestsAtNoon: number;
  /** The degraded part; absent for a healthy device. */
  failing?: string;
  /** Whether it reports while the demo runs. */
  reporting?: boolean;
}

/** Each kind with its entity, the property that identifies a device of the demo, and its report endpoint. */
const KINDS = [
  { kind: CLOUD_DEFENDER, type: CloudDefender, property: 'fqdn', sink: 'cloudDefenders', ...devicesOf(CLOUD_DEFENDER) },
  {
    kind: THREAT_BLOCKER,
    type: ThreatBlocker,
    property: 'deviceId',
    sink: 'threatBlockers',
    ...devicesOf(THREAT_BLOCKER),
  },
] as const;

/** Hourly reports, the last of which is of `end`; in the last `failingHours` of them the failing part fails. */
function hourlyReports(
  { checks: { parts, traffic } }: DeviceKind,
  { requestsAtNoon, failing }: Traffic,
  { end, hours, failingHours = hours }: { end: Date; hours: number; failingHours?: number },
): DeviceReport[] {
  return Array.from({ length: hours }, (_, index) => {
    const begin = end.getTime() - (hours - index) * HOUR;
    const { requests, malicious } = trafficOf(begin, requestsAtNoon);
    const fails = index >= hours - failingHours;
    const stateOf = (part: string) => CHECK_STATUSES[fails && part === failing ? 'DEGRADED' : 'HEALTHY'];
    const bucket = { bucketStart: begin / 1000, bucketEnd: (begin + HOUR) / 1000 };
    return {
      datetime: new Date(begin + HOUR),
      stat: Object.fromEntries(parts.map((part) => [part, stateOf(part)])),
      webStat: { wafProtection: malicious, totalManagedRequests: requests },
      chartStat: traffic ? [{ ...bucket, totalRequests: requests, maliciousRequests: malicious }] : [],
    };
  });
}

/** Deterministic traffic of an hour: busy by day, half at the weekend, with noise and occasional attacks. */
function trafficOf(begin: number, requestsAtNoon: number) {
  const [hour, time] = [begin / HOUR, new Date(begin)];
  const daylight = (4 + 3 * Math.cos(((time.getUTCHours() - 15) / 12) * Math.PI)) / 7;
  const weekend = [0, 6].includes(time.getUTCDay()) ? 0.5 : 1;
  const usual = requestsAtNoon * daylight * weekend * (1 + 0.15 * Math.sin(hour * 7.3));
  const malicious = Math.round(usual * 0.02 + (Math.sin(hour * 3.7) > 0.995 ? requestsAtNoon : 0));
  return { requests: Math.round(usual) + malicious, malicious };
}

/** A week of hourly reports. */
const HOURS = 7 * 24;
/** The last hours in which the failing part of a device fails. */
const DEGRADED_HOURS = 5;

/** Reports of all devices with traffic, for the week before each was last seen. */
export async function insertDeviceReports(em: EntityManager, fixtures: FixtureLoader): Promise<void> {
  for (const { kind, type } of KINDS) {
    for (const device of fixtures.all(type)) {
      const { traffic } = fixtures.fixtureOf(device) as { traffic?: Traffic };
      if (traffic === undefined || device.lastSeenAt == null) continue;
      const week = { end: timeOf('hour', device.lastSeenAt), hours: HOURS, failingHours: DEGRADED_HOURS };
      const owner = { deviceId: device.id, organizationId: device.organization.id };
      const reports = hourlyReports(kind, traffic, week);
      const { stat, datetime } = await insertReports(queryable(em), kind, owner, reports);
      // Bypasses the unit of work, which would set the time of the last change.
      const newest = { ...stat, datetime: datetime.toISOString() };
      await em.nativeUpdate(type as typeof CloudDefender, device.id, { stat: newest });
    }
  }
}

/** Maximum number of hours whose missed reports are added after a longer pause of the gateway. */
const REMEMBERED = 7 * 24;

type ReportSinks = Record<(typeof KINDS)[number]['sink'], Pick<DeviceReportService, 'take'>>;

/** Live devices by their identifying property, each with the time of its newest report. */
function devicesOf(kind: DeviceKind) {
  const d = table(kind.table, 'd');
  const o = table('organization', 'o');
  const find = statement<{ name: string }>()(
    (p) => sql<{ id: number; newest: string | null }>`
      select ${d.id}, ${d.stat} ->> 'datetime' as newest
        from ${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null
       where ${kind.name} = ${p('name')} and ${d.deleted_at} is null`,
  );
  return { find };
}

/** Demo devices with `reporting` traffic: they report every hour, as real ones do. */
export class ReportingDevices {
  constructor(
    private readonly database: Database,
    private readonly sinks: ReportSinks,
    private readonly now: () => Date,
  ) {}

  /**
   * Adds reports for hours that are over and not reported, and returns their number; idempotent. A device that never
   * reported was created by a user under the same name, and stays silent.
   */
  async report(): Promise<number> {
    const end = timeOf('hour', this.now());
    let count = 0;
    for (const { entity, values } of readFixtures('devices.yaml')) {
      const traffic = values['traffic'] as Traffic | undefined;
      const reported = KINDS.find(({ type }) => type.name === entity);
      if (!traffic?.reporting || reported === undefined) continue;
      const { kind, property, sink, find } = reported;
      for (const { id, newest } of await find.all(this.database, { name: String(values[property]) })) {
        if (newest === null) continue;
        const hours = Math.min(REMEMBERED, Math.floor((end.getTime() - Date.parse(newest)) / HOUR));
        if (hours < 1) continue;
        await this.sinks[sink].take(id, hourlyReports(kind, traffic, { end, hours }));
        count += hours;
      }
    }
    return count;
  }
}
