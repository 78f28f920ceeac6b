import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import { HOUR } from '../common/time.js';
import {
  CloudDefender,
  CloudDefenderCheck,
  ThreatBlocker,
  ThreatBlockerCheck,
  ThreatBlockerTraffic,
} from '../entities/devices.js';
import type { DeviceReport, DeviceReports } from '../services/devices/device-reports.service.js';
import { CHECK_STATUSES, type CheckStatus } from '../values/enums.js';
import type { FixtureLoader } from './fixture-loader.js';
import { timeOf, readFixtures } from './fixtures.js';
import type { Database } from '../database/database.js';
import { sql, statement, table, type Expression } from '../database/sql.js';

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

/** What devices of one kind report about (specification 2.6, 2.7). */
interface ReportedKind {
  entity: string;
  /** The property by which a device of the demo is found, and the statement that finds it. */
  property: string;
  find: ReturnType<typeof devicesBy>;
  sink: keyof ReportSinks;
  parts: readonly string[];
  /** Whether their traffic comes in buckets as well. */
  buckets: boolean;
}

const CLOUD_DEFENDERS: ReportedKind = {
  entity: 'CloudDefender',
  property: 'fqdn',
  find: devicesBy(table('cloud_defender', 'd').fqdn, 'cloud_defender'),
  sink: 'cloudDefenders',
  parts: ['fqdn', 'proxy', 'endpoint'],
  buckets: false,
};
const THREAT_BLOCKERS: ReportedKind = {
  entity: 'ThreatBlocker',
  property: 'deviceId',
  find: devicesBy(table('threat_blocker', 'd').device_id, 'threat_blocker'),
  sink: 'threatBlockers',
  parts: ['vpn', 'dnsbl', 'iplist'],
  buckets: true,
};

interface HourlyReport extends DeviceReport {
  stat: Readonly<Record<string, CheckStatus>>;
}

/** Hourly reports, the last of which is of `end`; in the last `failingHours` of them the failing part fails. */
function hourlyReports(
  { parts, buckets }: ReportedKind,
  { seed, requestsAtNoon, failing }: Traffic,
  { end, hours, failingHours = hours }: { end: Date; hours: number; failingHours?: number },
): HourlyReport[] {
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
      chartStat: buckets ? [bucket] : [],
    };
  });
}

/** A week of hourly reports. */
const HOURS = 7 * 24;
/** The last hours in which the failing part of a device fails. */
const DEGRADED_HOURS = 5;

/** Reports of all devices with traffic, for the week before each was last seen; past the unit of work for speed. */
export async function insertDeviceReports(em: EntityManager, fixtures: FixtureLoader): Promise<void> {
  for (const [kind, type, checks] of [
    [CLOUD_DEFENDERS, CloudDefender, CloudDefenderCheck],
    [THREAT_BLOCKERS, ThreatBlocker, ThreatBlockerCheck],
  ] as const) {
    for (const device of fixtures.all<CloudDefender | ThreatBlocker>(type)) {
      const { traffic } = fixtures.fixtureOf(device) as { traffic?: Traffic };
      if (traffic === undefined || device.lastSeenAt == null) continue;
      const week = { end: timeOf('hour', device.lastSeenAt), hours: HOURS, failingHours: DEGRADED_HOURS };
      const reports = hourlyReports(kind, traffic, week);
      const organizationId = device.organization.id;
      const key = { organizationId, device: [organizationId, device.id] };
      const rows = reports.map(({ datetime, stat, webStat }) => ({ ...key, datetime, ...stat, ...webStat }));
      await em.insertMany(checks as EntityClass<object>, rows);
      const buckets = reports.flatMap(({ datetime: reportedAt, chartStat }) =>
        chartStat.map((bucket) => ({ ...key, ...bucket, reportedAt })),
      );
      if (buckets.length > 0) await em.insertMany(ThreatBlockerTraffic as EntityClass<object>, buckets);
      const { stat, datetime } = reports.at(-1) as HourlyReport;
      const newest = { ...stat, datetime: datetime.toISOString() };
      await em.nativeUpdate(type as EntityClass<CloudDefender>, device.id, { stat: newest });
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
function devicesBy(name: Expression, kind: 'cloud_defender' | 'threat_blocker') {
  const d = table(kind, 'd');
  const o = table('organization', 'o');
  return statement<{ name: string }>()(
    (p) => sql<{ id: number; newest: string | null }>`
      select ${d.id}, ${d.stat} ->> 'datetime' as newest
        from ${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null
       where ${name} = ${p('name')} and ${d.deleted_at} is null`,
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
      const kind = entity === CLOUD_DEFENDERS.entity ? CLOUD_DEFENDERS : THREAT_BLOCKERS;
      count += await this.reportOf(String(values[kind.property]), traffic, kind);
    }
    return count;
  }

  /** A device that never reported was set up by a user under the same name, and stays silent. */
  private async reportOf(name: string, traffic: Traffic, kind: ReportedKind): Promise<number> {
    const end = timeOf('hour', this.now());
    let count = 0;
    for (const { id, newest } of await kind.find.all(this.database, { name })) {
      if (newest === null) continue;
      const hours = Math.min(REMEMBERED, Math.floor((end.getTime() - Date.parse(newest)) / HOUR));
      if (hours < 1) continue;
      await this.sinks[kind.sink].take(id, hourlyReports(kind, traffic, { end, hours }));
      count += hours;
    }
    return count;
  }
}
