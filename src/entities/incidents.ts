import type { Opt, Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { IncidentReportStage, ReminderKind, IncidentStatus, Severity } from '../values/enums.js';
import { Organization } from './organizations.js';

/** A security incident with what its reports ask for (specification 2.4). */
@Entity({ tableName: 'incident' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'incident_search_index',
  expression: `create index "incident_search_index" on "incident" using gin (searchable gin_trgm_ops)`,
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
  name: 'incident_reminder_index',
  expression: `create index "incident_reminder_index" on "incident" (next_reminder_at) where next_reminder_at is not null`,
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

  /** What search compares: the title on the first line, then further texts (docs/adr/0015). */
  @Property({ type: 'text', generated: `(search_text(title || chr(10) || description)) stored`, lazy: true })
  searchable!: Opt<string>;

  @Property({ type: 'text' })
  severity!: Severity;

  @Property({ type: 'text' })
  status: Opt<IncidentStatus> = 'OPEN';

  /** When the organization became aware: the clock starts here. */
  @Property({ type: 'datetime', length: 3 })
  awareAt!: Date;

  @Property({ type: 'boolean', default: false })
  significant: Opt<boolean> = false;

  /** When its handling ended; final reports are due after it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  handledAt?: Date | null;

  /** Null where it is not known yet, as for the facts below. */
  @Property({ type: 'boolean', nullable: true })
  suspectedMalicious?: boolean | null;

  @Property({ type: 'boolean', nullable: true })
  crossBorder?: boolean | null;

  @Property({ type: 'boolean', nullable: true })
  affectsTrustService?: boolean | null;

  @Property({ type: 'boolean', nullable: true })
  personalDataConcerned?: boolean | null;

  @Property({ type: 'boolean', nullable: true })
  exploitedVulnerability?: boolean | null;

  @Property({ type: 'boolean', nullable: true })
  productConcerned?: boolean | null;

  /** When a corrective or mitigating measure became available. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  fixAvailableAt?: Date | null;

  /** The deadline that an authority gave with its last request for an intermediate report. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  intermediateReportDueAt?: Date | null;

  /** A category of the regime that applies, such as IS-1. */
  @Property({ type: 'text', default: '' })
  category: Opt<string> = '';

  @Property({ type: 'text', default: '' })
  indicators: Opt<string> = '';

  @Property({ type: 'text', default: '' })
  impact: Opt<string> = '';

  @Property({ type: 'text', default: '' })
  rootCause: Opt<string> = '';

  @Property({ type: 'text', default: '' })
  mitigation: Opt<string> = '';

  /** When its reports have to be looked at for a reminder; null while nothing is due. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  nextReminderAt?: Date | null;

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
@Index({ properties: ['organization', 'incident', 'id'] })
@Index({ properties: ['incident', 'id'] })
@Index({ properties: ['sha256'] })
export class IncidentAttachment {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'restrict' })
  organization!: Rel<Organization>;

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

/** What is recorded about an incident. */
abstract class IncidentRow {
  @ManyToOne(() => Organization, { deleteRule: 'restrict' })
  organization!: Rel<Organization>;

  @ManyToOne(() => Incident, { deleteRule: 'cascade' })
  incident!: Rel<Incident>;
}

/** What concerns one of its reports. */
abstract class ReportRow extends IncidentRow {
  @Property({ type: 'text' })
  regimeId!: string;

  @Property({ type: 'text' })
  stage!: IncidentReportStage;

  /** Counts the reports of one stage, from 1. */
  @Property({ type: 'integer', default: 1 })
  number: Opt<number> = 1;
}

/**
 * A record about a report: that it was sent, or a correction of the record before it. The last record of a regime, stage
 * and number holds.
 */
@Entity({ tableName: 'incident_report' })
@Index({ properties: ['organization', 'incident', 'id'] })
@Index({ properties: ['incident', 'id'] })
@Index({ properties: ['attachment'] })
export class IncidentReport extends ReportRow {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** Null takes the report back: it was not sent after all. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  sentAt?: Date | null;

  /** The user name of who sent it. */
  @Property({ type: 'text' })
  sentBy!: string;

  @Property({ type: 'text', default: '' })
  recipient: Opt<string> = '';

  @Property({ type: 'text', default: '' })
  reference: Opt<string> = '';

  /** The copy of what was sent. */
  @ManyToOne(() => IncidentAttachment, { nullable: true, deleteRule: 'set null' })
  attachment?: Rel<IncidentAttachment> | null;

  /** The deadline that the authority gave for a report that it requested. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  dueAt?: Date | null;

  /** Why it differs from what was recorded before; empty for the first record. */
  @Property({ type: 'text', default: '' })
  reason: Opt<string> = '';

  @Property({ type: 'text' })
  recordedBy!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  recordedAt: Opt<Date> = new Date();
}

/** A note on an incident. Only its author may change: to a pseudonym; a trigger refuses the rest. */
@Entity({ tableName: 'incident_note' })
@Index({ properties: ['organization', 'incident', 'id'] })
@Index({ properties: ['incident', 'id'] })
export class IncidentNote extends IncidentRow {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  @Property({ type: 'text' })
  text!: string;

  /** The user name of who wrote it, as it was then. */
  @Property({ type: 'text' })
  createdBy!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}

/** A reminder of a deadline that was sent, once. A deadline that moved is another one. */
@Entity({ tableName: 'incident_reminder' })
@Unique({ properties: ['incident', 'regimeId', 'stage', 'number', 'kind', 'dueAt'], name: 'incident_reminder_once' })
@Index({ properties: ['organization', 'id'] })
export class IncidentReminder extends ReportRow {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  @Property({ type: 'text' })
  kind!: ReminderKind;

  @Property({ type: 'datetime', length: 3 })
  dueAt!: Date;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}
