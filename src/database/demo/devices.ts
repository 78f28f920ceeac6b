import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { CloudDefender, CloudDefenderCheck } from '../../entities/cloud-defender.js';
import type { Organization } from '../../entities/organization.js';
import { ThreatBlocker, ThreatBlockerCheck, ThreatBlockerTraffic } from '../../entities/threat-blocker.js';
import { CHECK_STATUSES } from '../../vocabulary/check-statuses.js';
import {
  CLOSED_SHOP,
  GATEWAY,
  PLUGIN,
  PORTAL,
  REPORTING_CLOUD_DEFENDERS,
  REPORTING_THREAT_BLOCKERS,
  RETIRED_GATEWAY,
  STATUS_PAGE,
  TORRESINA_SITE,
  WEBSITE,
} from './device-plans.js';
import { hourlyReports, REPORTED, type Faring } from './device-reports.js';
import { hourOf, type Timeline } from './timeline.js';

/** A week of hourly reports. */
const HOURS = 7 * 24;
/** The last hours in which a degraded device says what it lacks. */
const DEGRADED_HOURS = 5;
const { UNKNOWN, HEALTHY, DEGRADED, DOWN } = CHECK_STATUSES;

export interface DemoDevices {
  cloudDefenders: Readonly<Record<'portal' | 'website' | 'statusPage' | 'closedShop', CloudDefender>>;
  threatBlockers: Readonly<Record<'gateway' | 'plugin' | 'retired', ThreatBlocker>>;
}

/**
 * A healthy and a degraded device of each kind, one that is down, and one of each kind that was deleted and may be
 * restored. Their reports follow once they have ids.
 */
export function createDevices(em: EntityManager, organization: Organization, timeline: Timeline): DemoDevices {
  const updatedAt = timeline.hour;
  const seen = { organization, updatedAt, lastSeenAt: timeline.now };
  const edge = { ...seen, createdAt: timeline.daysAgo(180) };
  const blocker = { ...seen, createdAt: timeline.daysAgo(150) };
  const silent = { ...edge, lastSeenAt: timeline.daysAgo(2), updatedAt: timeline.daysAgo(30), status: DOWN };
  const devices: DemoDevices = {
    cloudDefenders: {
      portal: em.create(CloudDefender, { ...edge, ...PORTAL, status: HEALTHY }),
      website: em.create(CloudDefender, { ...edge, ...WEBSITE, status: DEGRADED }),
      statusPage: em.create(CloudDefender, { ...silent, ...STATUS_PAGE }),
      closedShop: em.create(CloudDefender, { ...edge, ...CLOSED_SHOP, ...deleted(timeline.daysAgo(9)) }),
    },
    threatBlockers: {
      gateway: em.create(ThreatBlocker, { ...blocker, ...GATEWAY, atbKey: randomUUID(), status: HEALTHY }),
      plugin: em.create(ThreatBlocker, { ...blocker, ...PLUGIN, atbKey: randomUUID(), status: DEGRADED }),
      retired: em.create(ThreatBlocker, {
        ...blocker,
        ...RETIRED_GATEWAY,
        ...deleted(timeline.daysAgo(4)),
        atbKey: randomUUID(),
      }),
    },
  };
  em.persist([...Object.values(devices.cloudDefenders), ...Object.values(devices.threatBlockers)]);
  return devices;
}

/** A device that was set up and has never reported, as every device begins. */
export function createSilentDevice(em: EntityManager, organization: Organization, timeline: Timeline): void {
  const createdAt = timeline.daysAgo(1);
  const silent = { organization, ...TORRESINA_SITE, status: UNKNOWN, createdAt, updatedAt: createdAt };
  em.persist(em.create(CloudDefender, silent));
}

/** Hundreds of rows a device go as one statement each, past the unit of work, which would watch every one of them. */
export async function insertReports(em: EntityManager, { cloudDefenders, threatBlockers }: DemoDevices): Promise<void> {
  const [portal, website] = REPORTING_CLOUD_DEFENDERS;
  await insertEdgeReports(em, cloudDefenders.portal, portal.faring);
  await insertEdgeReports(em, cloudDefenders.website, website.faring);
  await insertEdgeReports(em, cloudDefenders.statusPage, { seed: 13, requestsAtNoon: 240 });
  await insertEdgeReports(em, cloudDefenders.closedShop, { seed: 14, requestsAtNoon: 800 });
  const [gateway, plugin] = REPORTING_THREAT_BLOCKERS;
  await insertBlockerReports(em, threatBlockers.gateway, gateway.faring);
  await insertBlockerReports(em, threatBlockers.plugin, plugin.faring);
  await insertBlockerReports(em, threatBlockers.retired, { seed: 23, requestsAtNoon: 700 });
}

/** It was healthy to its end. */
function deleted(at: Date) {
  return { status: HEALTHY, lastSeenAt: at, updatedAt: at, deletedAt: at };
}

/** The week before it was last heard of. */
function weekUntil({ lastSeenAt }: { lastSeenAt?: Date | null }) {
  if (lastSeenAt == null) throw new Error('A device of the demo that reports has never been seen');
  return { end: hourOf(lastSeenAt), hours: HOURS, failingHours: DEGRADED_HOURS };
}

async function insertEdgeReports(em: EntityManager, device: CloudDefender, faring: Faring) {
  const reports = hourlyReports(REPORTED.cloudDefender, faring, weekUntil(device));
  await em.insertMany(
    CloudDefenderCheck,
    reports.map(({ datetime, stat, webStat }) => ({ device, datetime, ...stat, ...webStat })),
  );
}

async function insertBlockerReports(em: EntityManager, device: ThreatBlocker, faring: Faring) {
  const reports = hourlyReports(REPORTED.threatBlocker, faring, weekUntil(device));
  await em.insertMany(
    ThreatBlockerCheck,
    reports.map(({ datetime, stat, webStat }) => ({ device, datetime, ...stat, ...webStat })),
  );
  const buckets = reports.flatMap(({ datetime: reportedAt, chartStat }) =>
    chartStat.map((bucket) => ({ device, ...bucket, reportedAt })),
  );
  await em.insertMany(ThreatBlockerTraffic, buckets);
}
