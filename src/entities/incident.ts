import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { Severity } from '../vocabulary/severities.js';
import { Organization } from './organization.js';

/** A security incident with the clock of NIS 2 Article 23(4) (decisions §7). */
@Entity({ tableName: 'incident' })
@Index({ properties: ['organization', 'id'] })
export class Incident {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'restrict' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  title!: string;

  @Property({ type: 'text' })
  description: string = '';

  @Property({ type: 'text' })
  severity!: Severity;

  @Property({ type: 'text' })
  status: IncidentStatus = 'OPEN';

  /** When the organization became aware: the clock starts here. */
  @Property({ type: 'datetime', length: 3 })
  awareAt!: Date;

  @Property({ type: 'boolean', default: false })
  significant: boolean = false;

  @Property({ type: 'datetime', length: 3, nullable: true })
  earlyWarningSentAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  earlyWarningSentBy?: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  notificationSentAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  notificationSentBy?: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  finalReportSentAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  finalReportSentBy?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Date = new Date();
}

/** A file of an incident (specification 2.4). */
@Entity({ tableName: 'incident_attachment' })
@Index({ properties: ['incident', 'id'] })
@Index({ properties: ['sha256'] })
export class IncidentAttachment {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Incident, { deleteRule: 'restrict' })
  incident!: Rel<Incident>;

  @Property({ type: 'text' })
  originalName!: string;

  @Property({ type: 'text' })
  contentType!: string;

  /** Bytes. */
  @Property({ type: 'integer' })
  size!: number;

  @Property({ type: 'text' })
  sha256!: string;

  @Property({ type: 'text' })
  createdBy!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();
}
