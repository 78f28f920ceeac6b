import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { CloudDefender, CloudDefenderCheck } from '../../entities/cloud-defender.js';
import type { Organization } from '../../entities/organization.js';
import { ThreatBlocker, ThreatBlockerCheck, ThreatBlockerTraffic } from '../../entities/threat-blocker.js';
import { CHECK_STATUSES } from '../../vocabulary/check-statuses.js';
import { PLUGIN_CONFIGS } from './plugin-configs.js';
import type { Timeline } from './timeline.js';
import { trafficCurve } from './traffic-curve.js';

/** A week of hourly reports. */
const HOURS = 7 * 24;
/** The last hours in which a degraded device says what it lacks. */
const DEGRADED_HOURS = 5;
const { UNKNOWN, HEALTHY, DEGRADED } = CHECK_STATUSES;

export interface DemoDevices {
  cloudDefenders: readonly [CloudDefender, CloudDefender];
  threatBlockers: readonly [ThreatBlocker, ThreatBlocker];
}

/** Two devices of each kind, one healthy and one degraded. Their reports follow once they have ids. */
export function createDevices(em: EntityManager, organization: Organization, timeline: Timeline): DemoDevices {
  const email = 'soc@valdoria.example.com';
  const updatedAt = timeline.hour;
  const seen = { organization, email, updatedAt, lastSeenAt: timeline.now };
  const edge = { ...seen, createdAt: timeline.daysAgo(180) };
  const blocker = { ...seen, createdAt: timeline.daysAgo(150) };
  const devices: DemoDevices = {
    cloudDefenders: [
      em.create(CloudDefender, { ...edge, ...PORTAL, status: HEALTHY }),
      em.create(CloudDefender, { ...edge, ...WEBSITE, status: DEGRADED }),
    ],
    threatBlockers: [
      em.create(ThreatBlocker, { ...blocker, ...GATEWAY, atbKey: randomUUID(), status: HEALTHY }),
      em.create(ThreatBlocker, { ...blocker, ...PLUGIN, atbKey: randomUUID(), status: DEGRADED }),
    ],
  };
  em.persist([...devices.cloudDefenders, ...devices.threatBlockers]);
  return devices;
}

/** A device that was set up and has never reported, as every device begins. */
export function createSilentDevice(em: EntityManager, organization: Organization, timeline: Timeline): void {
  const createdAt = timeline.daysAgo(1);
  const silent = { organization, ...TORRESINA_SITE, status: UNKNOWN, createdAt, updatedAt: createdAt };
  em.persist(em.create(CloudDefender, silent));
}

/** Hundreds of rows a device go as one statement each, past the unit of work, which would watch every one of them. */
export async function insertReports(em: EntityManager, devices: DemoDevices, timeline: Timeline): Promise<void> {
  for (const [index, device] of devices.cloudDefenders.entries()) {
    await insertEdgeReports(em, device, timeline, 11 + index);
  }
  for (const [index, device] of devices.threatBlockers.entries()) {
    await insertBlockerReports(em, device, timeline, 21 + index);
  }
}

async function insertEdgeReports(em: EntityManager, device: CloudDefender, timeline: Timeline, seed: number) {
  const curve = trafficCurve(seed, timeline.hour, HOURS, 5200);
  const reports = curve.map(({ end, requests, malicious }, index) => ({
    device,
    datetime: end,
    fqdn: HEALTHY,
    proxy: HEALTHY,
    endpoint: stateOf(device, index),
    wafProtection: malicious,
    totalManagedRequests: requests,
  }));
  await em.insertMany(CloudDefenderCheck, reports);
}

async function insertBlockerReports(em: EntityManager, device: ThreatBlocker, timeline: Timeline, seed: number) {
  const curve = trafficCurve(seed, timeline.hour, HOURS, 900);
  const reports = curve.map(({ end, requests, malicious }, index) => ({
    device,
    datetime: end,
    vpn: HEALTHY,
    dnsbl: stateOf(device, index),
    iplist: HEALTHY,
    wafProtection: malicious,
    totalManagedRequests: requests,
  }));
  await em.insertMany(ThreatBlockerCheck, reports);
  const buckets = curve.map(({ begin, end, requests, malicious }) => ({
    device,
    bucketStart: begin.getTime() / 1000,
    bucketEnd: end.getTime() / 1000,
    totalRequests: requests,
    maliciousRequests: malicious,
    reportedAt: end,
  }));
  await em.insertMany(ThreatBlockerTraffic, buckets);
}

/** What a report says of the part that fails on a degraded device: fine, until a few hours ago. */
function stateOf({ status }: { status: number }, hour: number): number {
  return status === DEGRADED && hour >= HOURS - DEGRADED_HOURS ? DEGRADED : HEALTHY;
}

const PORTAL = {
  fqdn: 'portal.valdoria.example.com',
  endpoint: '192.0.2.10',
  services: ['waf', 'ddos-protection', 'bot-management', 'cdn'],
};
const WEBSITE = { fqdn: 'www.valdoria.example.com', endpoint: '192.0.2.11', services: ['waf', 'cdn'] };
const TORRESINA_SITE = {
  email: 'paolo.bassi@torresina.example.com',
  fqdn: 'torresina.example.com',
  endpoint: '203.0.113.80',
  services: ['waf'],
};

const GATEWAY = {
  type: 'network-gateway',
  endpoint: '198.51.100.24',
  privateIp: '10.20.0.2',
  services: ['vpn', 'dnsbl', 'iplist'],
  deviceId: 'VE-ATB-0001',
  pluginName: 'perimeter',
  pluginConfig: PLUGIN_CONFIGS.perimeter,
};
const PLUGIN = {
  type: 'server-plugin',
  endpoint: '192.0.2.11',
  privateIp: '10.20.4.17',
  services: ['dnsbl', 'iplist'],
  deviceId: 'VE-ATB-0002',
  pluginName: 'web-shield',
  pluginConfig: PLUGIN_CONFIGS.webShield,
};
