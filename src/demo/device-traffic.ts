import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR } from '../common/time.js';
import type { Database } from '../database/database.js';
import { sql, statement, table } from '../database/sql.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER, type DeviceKind } from '../services/devices/device-kind.js';
import { insertReports, type DeviceReport, type DeviceReports } from '../services/devices/device-reports.service.js';
import { CHECK_STATUSES, type CheckStatus } from '../values/enums.js';
import { type FixtureLoader, queryable, readFixtures, timeOf } from './fixture-loader.js';

/** The traffic of a device of the demo, as its fixture describes it. */
export interface Traffic {
  /** Makes its traffic differ from that of the others. */
  seed: number;
  requestsAtNoon: number;
  /** The part that is degraded; none of a healthy device. */
  failing?: string;
  /** Whether it reports for as long as the demo is on. */
  reporting?: boolean;
}

/** How devices of one kind are found and report. */
interface ReportedKind {
  kind: DeviceKind;
  /** The property by which a device of the demo is found, and the statement that finds it. */
  property: string;
  find: ReturnType<typeof devicesOf>;
  sink: keyof ReportSinks;
}

const CLOUD_DEFENDERS: ReportedKind = {
  kind: CLOUD_DEFENDER,
  property: 'fqdn',
  find: devicesOf(CLOUD_DEFENDER),
  sink: 'cloudDefenders',
};
const THREAT_BLOCKERS: ReportedKind = {
  kind: THREAT_BLOCKER,
  property: 'deviceId',
  find: devicesOf(THREAT_BLOCKER),
  sink: 'threatBlockers',
};

/** Hourly reports, the last of which is of `end`; in the last `failingHours` of them the failing part fails. */
function hourlyReports(
  { checks: { parts, traffic } }: DeviceKind,
  { seed, requestsAtNoon, failing }: Traffic,
  { end, hours, failingHours = hours }: { end: Date; hours: number; failingHours?: number },
): DeviceReport[] {
  return trafficCurve(seed, end, hours, requestsAtNoon).map((hour, index) => {
    const fails = index >= hours - failingHours;
    const stateOf = (part: string): CheckStatus =>
      fails && part === failing ? CHECK_STATUSES.DEGRADED : CHECK_STATUSES.HEALTHY;
    const bucket = {
      bucketStart: hour.begin.getTime() / 1000,
      bucketEnd: hour.end.getTime() / 1000,
      totalRequests: hour.requests,
      maliciousRequests: hour.malicious,
    };
    return {
      datetime: hour.end,
      stat: Object.fromEntries(parts.map((part) => [part, stateOf(part)])),
      webStat: { wafProtection: hour.malicious, totalManagedRequests: hour.requests },
      chartStat: traffic === undefined ? [] : [bucket],
    };
  });
}

/** A week of hourly reports. */
const HOURS = 7 * 24;
/** The last hours in which the failing part of a device fails. */
const DEGRADED_HOURS = 5;

/** Reports of all devices with traffic, for the week before each was last seen. */
export async function insertDeviceReports(em: EntityManager, fixtures: FixtureLoader): Promise<void> {
  for (const [kind, type] of [
    [CLOUD_DEFENDER, CloudDefender],
    [THREAT_BLOCKER, ThreatBlocker],
  ] as const) {
    for (const device of fixtures.all(type)) {
      const { traffic } = fixtures.fixtureOf(device) as { traffic?: Traffic };
      if (traffic === undefined || device.lastSeenAt == null) continue;
      const week = { end: timeOf('hour', device.lastSeenAt), hours: HOURS, failingHours: DEGRADED_HOURS };
      const owner = { deviceId: device.id, organizationId: device.organization.id };
      const reports = hourlyReports(kind, traffic, week);
      const { stat, datetime } = await insertReports(queryable(em), kind, owner, reports);
      // Past the unit of work, which would set the time of the last change.
      const newest = { ...stat, datetime: datetime.toISOString() };
      await em.nativeUpdate(type as typeof CloudDefender, device.id, { stat: newest });
    }
  }
}

/**
 * The last `hours` whole hours before `end`, oldest first: busy by day, quiet by night and at the weekend, with noise
 * and now and then an attack. An hour of one `seed` is always the same, so that a later curve continues this one.
 */
function trafficCurve(seed: number, end: Date, hours: number, requestsAtNoon: number) {
  return Array.from({ length: hours }, (_, index) => {
    const begin = new Date(end.getTime() - (hours - index) * HOUR);
    const random = randomOf(seed * 1_000_003 + begin.getTime() / HOUR);
    const usual = requestsAtNoon * shareOf(begin) * (0.85 + 0.3 * random());
    const attack = random() < 0.03 ? requestsAtNoon * (0.5 + random()) : 0;
    const malicious = Math.round(usual * (0.01 + 0.02 * random()) + attack);
    return { begin, end: new Date(begin.getTime() + HOUR), requests: Math.round(usual) + malicious, malicious };
  });
}

/** From a seventh at three in the morning to all of it at three in the afternoon; Saturday and Sunday bring half. */
function shareOf(begin: Date): number {
  const angle = ((begin.getUTCHours() - 15) / 24) * 2 * Math.PI;
  const weekend = begin.getUTCDay() === 0 || begin.getUTCDay() === 6;
  return (4 / 7 + (3 / 7) * Math.cos(angle)) * (weekend ? 0.5 : 1);
}

/** Numbers from 0 to 1 that only look random (a mixed counter, after "mulberry32"). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Hours that a device makes up for when no gateway ran for longer. */
const REMEMBERED = 7 * 24;

/** Stores the reports of each kind. */
interface ReportSinks {
  cloudDefenders: Pick<DeviceReports, 'take'>;
  threatBlockers: Pick<DeviceReports, 'take'>;
}

/** Live devices by what people know them by, each with the time of its newest report. */
function devicesOf(kind: DeviceKind) {
  const d = table(kind.table, 'd');
  const o = table('organization', 'o');
  return statement<{ name: string }>()(
    (p) => sql<{ id: number; newest: string | null }>`
      select ${d.id}, ${d.stat} ->> 'datetime' as newest
        from ${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null
       where ${kind.name} = ${p('name')} and ${d.deleted_at} is null`,
  );
}

/** The devices of the demo with `reporting` traffic: they report every hour, as real ones do. */
export class ReportingDevices {
  constructor(
    private readonly database: Database,
    private readonly sinks: ReportSinks,
    private readonly now: () => Date,
  ) {}

  /** Reports the hours that are over and not reported, and returns their number; harmless to run again at any time. */
  async report(): Promise<number> {
    let count = 0;
    for (const { entity, values } of readFixtures('devices.yaml')) {
      const traffic = values['traffic'] as Traffic | undefined;
      if (!traffic?.reporting) continue;
      const reported = entity === CLOUD_DEFENDER.type ? CLOUD_DEFENDERS : THREAT_BLOCKERS;
      count += await this.reportOf(String(values[reported.property]), traffic, reported);
    }
    return count;
  }

  /** A device that never reported was set up by a user under the same name, and stays silent. */
  private async reportOf(name: string, traffic: Traffic, { kind, find, sink }: ReportedKind): Promise<number> {
    const end = timeOf('hour', this.now());
    let count = 0;
    for (const { id, newest } of await find.all(this.database, { name })) {
      if (newest === null) continue;
      const hours = Math.min(REMEMBERED, Math.floor((end.getTime() - Date.parse(newest)) / HOUR));
      if (hours < 1) continue;
      await this.sinks[sink].take(id, hourlyReports(kind, traffic, { end, hours }));
      count += hours;
    }
    return count;
  }
}
