import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';

/**
 * The head of an audit trail: an organization's, or that of a user's own affairs. It refers to neither by a foreign key,
 * because a trail outlives what it is about (docs/adr/0024).
 */
@Entity({ tableName: 'audit_log' })
@Check({ name: 'audit_log_owner_check', expression: 'num_nonnulls(organization_id, user_id) = 1' })
export class AuditLog {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  @Property({ type: 'integer', nullable: true })
  @Unique()
  organizationId?: number | null;

  @Property({ type: 'uuid', nullable: true })
  @Unique()
  userId?: string | null;

  /** Of the newest entry; the first is 1. */
  @Property({ type: 'bigint' })
  position!: number;

  /** Of the newest entry. */
  @Property({ type: 'blob' })
  hash!: Buffer;

  /** The latest time of an entry. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  latestAt?: Date | null;

  /** By how much at most the time of an entry is before that of an earlier one: so far a time and a position may differ. */
  @Property({ type: 'string', columnType: 'interval', default: '00:00:00' })
  lateness!: Opt<string>;
}

/** Compared byte by byte: a quarter of the time of a locale, and a beginning is a range. */
const C_TEXT = 'text collate "C"';

/** One entry of an audit trail. Rows are never changed: triggers refuse it. */
@Entity({ tableName: 'audit_entry' })
// With what else they may be filtered by, so that an index alone finds and counts them.
@Index({ properties: ['logId', 'action', 'subjectType', 'position'], include: ['at'] })
@Index({ properties: ['logId', 'actor', 'action', 'subjectType', 'position'], include: ['at'] })
@Index({ properties: ['logId', 'subject', 'position'], include: ['actor', 'action', 'at'] })
@Index({ properties: ['logId', 'parent', 'position'] })
@Index({ properties: ['logId', 'at', 'position'] })
export class AuditEntry {
  [PrimaryKeyProp]?: ['logId', 'position'];

  @PrimaryKey({ type: 'bigint' })
  logId!: number;

  @PrimaryKey({ type: 'bigint' })
  position!: number;

  /** Canonical JSON (RFC 8785); everything that is known of the entry, and what the hash is made of. */
  @Property({ type: 'text' })
  entry!: string;

  /** SHA-256 of the hash before and the entry. */
  @Property({ type: 'blob' })
  hash!: Buffer;

  /** ISO 8601 in UTC, which sorts as text. */
  @Property({ type: 'text', columnType: C_TEXT, generated: `((entry::json ->> 'at')) stored` })
  at!: Opt<string>;

  @Property({ type: 'text', columnType: C_TEXT, generated: `((entry::json ->> 'action')) stored` })
  action!: Opt<string>;

  /** Id of the user, or the name of the job. */
  @Property({ type: 'text', columnType: C_TEXT, generated: `((entry::json #>> '{actor,id}')) stored` })
  actor!: Opt<string>;

  @Property({ type: 'text', columnType: C_TEXT, generated: `((entry::json #>> '{subject,type}')) stored` })
  subjectType!: Opt<string>;

  /** Type and id, such as "INCIDENT/7". */
  @Property({
    type: 'text',
    columnType: C_TEXT,
    generated: `(((entry::json #>> '{subject,type}') || '/' || (entry::json #>> '{subject,id}'))) stored`,
  })
  subject!: Opt<string>;

  /** What the subject belongs to: the incident of an attachment, the control of a document. */
  @Property({
    type: 'text',
    columnType: C_TEXT,
    nullable: true,
    generated: `(((entry::json #>> '{subject,parent,type}') || '/' || (entry::json #>> '{subject,parent,id}'))) stored`,
  })
  parent?: Opt<string> | null;
}

/** A signed statement that an entry stood at a position: what comes before it cannot be changed any more. */
@Entity({ tableName: 'audit_checkpoint' })
export class AuditCheckpoint {
  [PrimaryKeyProp]?: ['logId', 'position'];

  @PrimaryKey({ type: 'bigint' })
  logId!: number;

  @PrimaryKey({ type: 'bigint' })
  position!: number;

  @Property({ type: 'blob' })
  hash!: Buffer;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** RFC 7638 thumbprint of the public key. */
  @Property({ type: 'text' })
  keyId!: string;

  /** Ed25519, over the canonical JSON of the checkpoint. */
  @Property({ type: 'blob' })
  signature!: Buffer;
}

/** Up to which entry of a trail a consumer has come; without a row, it has consumed nothing of it. */
@Entity({ tableName: 'event_consumer' })
export class EventConsumer {
  [PrimaryKeyProp]?: ['consumer', 'logId'];

  @PrimaryKey({ type: 'text' })
  consumer!: string;

  @PrimaryKey({ type: 'bigint' })
  logId!: number;

  @Property({ type: 'bigint' })
  position!: number;
}
