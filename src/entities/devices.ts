import { defineEntity } from '@mikro-orm/core';
import { changeTime, creationTime, instant, p, version } from './columns.js';
import { Organization } from './organizations.js';

/** When a report was made (ISO 8601), and the state of each part. */
export type DeviceStat = { datetime: string } & Record<string, number | string>;

/** The columns that every kind of device has. */
const device = () => ({
  id: p.bigint('number').primary(),
  organization: p.manyToOne(Organization).deleteRule('cascade'),
  email: p.text(),
  endpoint: p.text(),
  services: p.array(),
  /** 0 unknown, 1 healthy, 2 degraded, 3 down. */
  status: p.smallint().default(0),
  /** Of its newest report, of any age: the value of `check.stat`; null before the first one. */
  stat: p.json<DeviceStat>().nullable(),
  /** When its newest report arrived; null before the first one. */
  lastSeenAt: instant().nullable(),
  /** Reports before this instant are thinned, where the operator has configured that. */
  thinnedUntil: creationTime(),
  createdAt: creationTime(),
  updatedAt: changeTime(),
  deletedAt: instant().nullable(),
  /** When it was last restored: notifications from before are not due. */
  restoredAt: instant().nullable(),
  version: version(),
});

const deviceIndexes = (table: string): DeviceIndex[] => [
  { properties: ['organization', 'status', 'id'] },
  {
    name: `${table}_heard_index`,
    expression: `create index "${table}_heard_index" on "${table}" ("organization_id", coalesce("last_seen_at", "created_at"), "id")`,
  },
  { properties: ['lastSeenAt'], where: 'deleted_at is null and status <> 3' },
  { properties: ['deletedAt'], where: 'deleted_at is not null' },
  { properties: ['thinnedUntil'] },
];
type DeviceIndex = {
  name?: string;
  expression?: string;
  properties?: (keyof ReturnType<typeof device>)[];
  where?: string;
};

type AnyDevice = typeof CloudDefender | typeof ThreatBlocker;

/** The key of a report: a device and its organization, as the key of the device has both. */
const keyOfReport = <Device extends AnyDevice>(device: Device) => ({
  organizationId: p.bigint('number').primary(),
  device: p
    .manyToOne(device)
    .primary()
    .deleteRule('cascade')
    .joinColumns('organization_id', 'device_id')
    .referencedColumnNames('organization_id', 'id'),
});

/** The columns that the reports of every kind of device have. The tables are partitioned by `datetime` (docs/adr/0026). */
const deviceCheck = <Device extends AnyDevice>(device: Device) => ({
  ...keyOfReport(device),
  datetime: instant().primary(),
  /** Null together with its neighbour if the report has no web traffic. */
  wafProtection: p.integer().nullable(),
  totalManagedRequests: p.integer().nullable(),
  /** Fingerprint of the report as sent, which distinguishes a repetition from a contradiction; null where none was sent. */
  fingerprint: p.uuid().nullable(),
  /** Number of reports that it represents: thinned reports of its hour are counted and summed here. */
  reports: p.integer().default(1),
});

/** Edge-protection configuration (specification 2.6). */
export const CloudDefender = defineEntity({
  name: 'CloudDefender',
  properties: {
    ...device(),
    fqdn: p.text(),
  },
  uniques: [{ properties: ['organization', 'id'] }],
  indexes: [{ properties: ['organization', 'fqdn', 'id'] }, ...deviceIndexes('cloud_defender')],
});

/** One report of an edge protection: the newest is `check.stat`, the series is `check.web_stat`. */
export const CloudDefenderCheck = defineEntity({
  name: 'CloudDefenderCheck',
  properties: {
    ...deviceCheck(CloudDefender),
    fqdn: p.integer(),
    proxy: p.integer(),
    endpoint: p.integer(),
  },
});

/** Threat-blocker configuration (specification 2.7). */
export const ThreatBlocker = defineEntity({
  name: 'ThreatBlocker',
  properties: {
    ...device(),
    atbKey: p.uuid().unique(),
    type: p.text(),
    privateIp: p.text().default(''),
    deviceId: p.text().default(''),
    pluginName: p.text().default(''),
    /** The customer's own JSON; its key names and values are never renamed. */
    pluginConfig: p.json<Record<string, unknown>>(),
  },
  uniques: [{ properties: ['organization', 'id'] }],
  indexes: [{ properties: ['organization', 'deviceId', 'id'] }, ...deviceIndexes('threat_blocker')],
});

/** One report of a threat blocker: the newest is `check.stat`, the series is `check.web_stat`. */
export const ThreatBlockerCheck = defineEntity({
  name: 'ThreatBlockerCheck',
  properties: {
    ...deviceCheck(ThreatBlocker),
    vpn: p.integer(),
    dnsbl: p.integer(),
    iplist: p.integer(),
  },
});

/**
 * Traffic of one bucket of time, `bucket_start` and `bucket_end` in Unix seconds: the `chart_stat` of 2.7. Partitioned by
 * `bucket_start`.
 */
export const ThreatBlockerTraffic = defineEntity({
  name: 'ThreatBlockerTraffic',
  properties: {
    ...keyOfReport(ThreatBlocker),
    bucketStart: p.integer().primary(),
    bucketEnd: p.integer(),
    totalRequests: p.integer(),
    maliciousRequests: p.integer(),
    /** The `datetime` of its report: a bucket that is not over is reported again, and the newest report counts. */
    reportedAt: instant().nullable(),
  },
});
