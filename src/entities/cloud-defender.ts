import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Organization } from './organization.js';

/** Edge-protection configuration (specification 2.6). */
@Entity({ tableName: 'cloud_defender' })
@Index({ properties: ['organization', 'id'] })
@Index({ properties: ['organization', 'fqdn', 'id'] })
@Index({ properties: ['organization', 'status', 'id'] })
@Index({
  name: 'cloud_defender_heard_index',
  expression:
    'create index "cloud_defender_heard_index" on "cloud_defender" ("organization_id", coalesce("last_seen_at", "created_at"), "id")',
})
@Index({ properties: ['lastSeenAt'], where: 'deleted_at is null and status <> 3' })
@Index({ properties: ['deletedAt'], where: 'deleted_at is not null' })
export class CloudDefender {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  fqdn!: string;

  @Property({ type: 'text' })
  endpoint!: string;

  @Property({ type: 'text[]', columnType: 'text[]' })
  services: string[] = [];

  /** 0 unknown, 1 healthy, 2 degraded, 3 down (decisions §8). */
  @Property({ type: 'smallint', default: 0 })
  status: number = 0;

  /** When its newest report came in; null before the first one. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastSeenAt?: Date | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Date = new Date();

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date | null;

  /** When it was last brought back: until then nobody could hear of it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  restoredAt?: Date | null;
}

/** One report of an edge protection: the newest is `check.stat`, the series is `check.web_stat`. */
@Entity({ tableName: 'cloud_defender_check' })
@Unique({ properties: ['device', 'datetime'] })
export class CloudDefenderCheck {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => CloudDefender, { deleteRule: 'cascade' })
  device!: Rel<CloudDefender>;

  @Property({ type: 'datetime', length: 3 })
  datetime!: Date;

  @Property({ type: 'integer' })
  fqdn!: number;

  @Property({ type: 'integer' })
  proxy!: number;

  @Property({ type: 'integer' })
  endpoint!: number;

  /** With its neighbour null where the report says nothing of web traffic. */
  @Property({ type: 'integer', nullable: true })
  wafProtection?: number | null;

  @Property({ type: 'integer', nullable: true })
  totalManagedRequests?: number | null;

  /** Of the report as it was sent, to tell a repetition from a contradiction; null of what was never sent. */
  @Property({ type: 'uuid', nullable: true })
  fingerprint?: string | null;
}
