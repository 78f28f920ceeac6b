import type { Opt, Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { IncidentReportStage, ReminderKind, IncidentStatus, Severity } from '../values/enums.js';

import { Organization } from './organizations.js';

/** A security incident with the clock of NIS 2 Article 23(4). */
@Entity({ tableName: 'incident' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'incident_search_index',
  expression: `create index "incident_search_index" on "incident" using gin (search_text(title || e'\\n' || description) gin_trgm_ops)`,
})
@Index({ properties: ['organization', 'id'] })
@Index({ properties: ['organization', 'createdAt', 'id'] })
@Index({ properties: ['organization', 'updatedAt', 'id'] })
@Index({ properties: ['organization', 'awareAt', 'id'] })
@Index({ properties: ['organization', 'status', 'awareAt', 'id'] })
@Index({ properties: ['organization', 'severity', 'awareAt', 'id'] })
@Index({ properties: ['organization', 'significant', 'awareAt', 'id'] })
@Index({
  name: 'incident_severity_rank_index',
  expression: `create index "incident_severity_rank_index" on "incident" (organization_id, array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], severity), id)`,
})
@Index({
  name: 'incident_owing_index',
  expression: `create index "incident_owing_index" on "incident" (id) where significant and status <> 'CLOSED' and final_report_sent_at is null`,
})
export class Incident {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'restrict' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  title!: string;

  @Property({ type: 'text' })
  description: Opt<string> = '';

  @Property({ type: 'text' })
  severity!: Severity;

  @Property({ type: 'text' })
  status: Opt<IncidentStatus> = 'OPEN';

  /** When the organization became aware: the clock starts here. */
  @Property({ type: 'datetime', length: 3 })
  awareAt!: Date;

  @Property({ type: 'boolean', default: false })
  significant: Opt<boolean> = false;

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

  /** The user name of who opened it, as it was then. */
  @Property({ type: 'text', default: '' })
  openedBy: Opt<string> = '';

  @Property({ type: 'datetime', length: 3, nullable: true })
  closedAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  closedBy?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Opt<Date> = new Date();
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

  /** Who may take it back; see DocumentVersion. */
  @Property({ type: 'uuid', nullable: true })
  uploaderId?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}

/** Who said when a report of the clock was sent: what was recorded, and each correction of it. Never changed. */
@Entity({ tableName: 'incident_report' })
@Index({ properties: ['incident', 'id'] })
export class IncidentReport {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Incident, { deleteRule: 'cascade' })
  incident!: Rel<Incident>;

  @Property({ type: 'text' })
  stage!: IncidentReportStage;

  /** Null takes the report back: it was not sent after all. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  sentAt?: Date | null;

  /** Why it differs from what was recorded before; empty for the first record. */
  @Property({ type: 'text', default: '' })
  reason: Opt<string> = '';

  @Property({ type: 'text' })
  recordedBy!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  recordedAt: Opt<Date> = new Date();
}

/** A reminder of a deadline that was sent, once. A deadline that moved is another one. */
@Entity({ tableName: 'incident_reminder' })
@Unique({ properties: ['incident', 'stage', 'kind', 'dueAt'] })
export class IncidentReminder {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Incident, { deleteRule: 'cascade' })
  incident!: Rel<Incident>;

  @Property({ type: 'text' })
  stage!: IncidentReportStage;

  @Property({ type: 'text' })
  kind!: ReminderKind;

  @Property({ type: 'datetime', length: 3 })
  dueAt!: Date;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}
