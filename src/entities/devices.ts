import { PrimaryKeyProp, type Opt, type Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { randomUUID } from 'node:crypto';
import { Organization } from './organizations.js';

/** When a report was made (ISO 8601), and the state of each part. */
export type DeviceStat = { datetime: string } & Record<string, number | string>;

/** A report and its device are of one organization: the key of the device in reports has both. */
const OF_DEVICE = {
  primary: true,
  deleteRule: 'cascade',
  joinColumns: ['organization_id', 'device_id'],
  referencedColumnNames: ['organization_id', 'id'],
};

/** The columns that every kind of device has. */
abstract class Device {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  endpoint!: string;

  @Property({ type: 'text[]', columnType: 'text[]' })
  services: string[] = [];

  /** 0 unknown, 1 healthy, 2 degraded, 3 down. */
  @Property({ type: 'smallint', default: 0 })
  status: Opt<number> = 0;

  /** Of its newest report, however old: what `check.stat` shows; null before the first one. */
  @Property({ type: 'json', nullable: true })
  stat?: DeviceStat | null;

  /** When its newest report came in; null before the first one. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastSeenAt?: Date | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date | null;

  /** When it was last restored: no notification was due before. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  restoredAt?: Date | null;
}

/** The columns that the reports of every kind of device have. The tables are partitioned by `datetime` (docs/adr/0026). */
abstract class DeviceCheck {
  [PrimaryKeyProp]?: ['organizationId', 'device', 'datetime'];

  @PrimaryKey({ type: 'integer' })
  organizationId!: number;

  /** With its neighbour null where the report says nothing of web traffic. */
  @Property({ type: 'integer', nullable: true })
  wafProtection?: number | null;

  @Property({ type: 'integer', nullable: true })
  totalManagedRequests?: number | null;

  /** Of the report as it was sent, to distinguish a repetition from a contradiction; null where no report was sent. */
  @Property({ type: 'uuid', nullable: true })
  fingerprint?: string | null;
}

/** Edge-protection configuration (specification 2.6). */
@Entity({ tableName: 'cloud_defender' })
@Unique({ properties: ['organization', 'id'] })
@Index({ properties: ['organization', 'fqdn', 'id'] })
@Index({ properties: ['organization', 'status', 'id'] })
@Index({
  name: 'cloud_defender_heard_index',
  expression:
    'create index "cloud_defender_heard_index" on "cloud_defender" ("organization_id", coalesce("last_seen_at", "created_at"), "id")',
})
@Index({ properties: ['lastSeenAt'], where: 'deleted_at is null and status <> 3' })
@Index({ properties: ['deletedAt'], where: 'deleted_at is not null' })
export class CloudDefender extends Device {
  @Property({ type: 'text' })
  fqdn!: string;
}

/** One report of an edge protection: the newest is `check.stat`, the series is `check.web_stat`. */
@Entity({ tableName: 'cloud_defender_check' })
export class CloudDefenderCheck extends DeviceCheck {
  @ManyToOne(() => CloudDefender, OF_DEVICE)
  device!: Rel<CloudDefender>;

  @PrimaryKey({ type: 'datetime', length: 3 })
  datetime!: Date;

  @Property({ type: 'integer' })
  fqdn!: number;

  @Property({ type: 'integer' })
  proxy!: number;

  @Property({ type: 'integer' })
  endpoint!: number;
}

/** Threat-blocker configuration (specification 2.7). */
@Entity({ tableName: 'threat_blocker' })
@Unique({ properties: ['organization', 'id'] })
@Index({ properties: ['organization', 'deviceId', 'id'] })
@Index({ properties: ['organization', 'status', 'id'] })
@Index({
  name: 'threat_blocker_heard_index',
  expression:
    'create index "threat_blocker_heard_index" on "threat_blocker" ("organization_id", coalesce("last_seen_at", "created_at"), "id")',
})
@Index({ properties: ['lastSeenAt'], where: 'deleted_at is null and status <> 3' })
@Index({ properties: ['deletedAt'], where: 'deleted_at is not null' })
export class ThreatBlocker extends Device {
  @Property({ type: 'uuid', unique: true })
  atbKey: string = randomUUID();

  @Property({ type: 'text' })
  type!: string;

  @Property({ type: 'text' })
  privateIp: Opt<string> = '';

  @Property({ type: 'text' })
  deviceId: Opt<string> = '';

  @Property({ type: 'text' })
  pluginName: Opt<string> = '';

  /** The customer's own JSON; its key names and values are never renamed. */
  @Property({ type: 'json' })
  pluginConfig: Record<string, unknown> = {};
}

/** One report of a threat blocker: the newest is `check.stat`, the series is `check.web_stat`. */
@Entity({ tableName: 'threat_blocker_check' })
export class ThreatBlockerCheck extends DeviceCheck {
  @ManyToOne(() => ThreatBlocker, OF_DEVICE)
  device!: Rel<ThreatBlocker>;

  @PrimaryKey({ type: 'datetime', length: 3 })
  datetime!: Date;

  @Property({ type: 'integer' })
  vpn!: number;

  @Property({ type: 'integer' })
  dnsbl!: number;

  @Property({ type: 'integer' })
  iplist!: number;
}

/**
 * Traffic of one bucket of time, `bucket_start` and `bucket_end` in Unix seconds: the `chart_stat` of 2.7. Partitioned by
 * `bucket_start`.
 */
@Entity({ tableName: 'threat_blocker_traffic' })
export class ThreatBlockerTraffic {
  [PrimaryKeyProp]?: ['organizationId', 'device', 'bucketStart'];

  @PrimaryKey({ type: 'integer' })
  organizationId!: number;

  @ManyToOne(() => ThreatBlocker, OF_DEVICE)
  device!: Rel<ThreatBlocker>;

  @PrimaryKey({ type: 'integer' })
  bucketStart!: number;

  @Property({ type: 'integer' })
  bucketEnd!: number;

  @Property({ type: 'integer' })
  totalRequests!: number;

  @Property({ type: 'integer' })
  maliciousRequests!: number;

  /** The `datetime` of its report: a bucket that is not over is reported again, and the newest report counts. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  reportedAt?: Date | null;
}
