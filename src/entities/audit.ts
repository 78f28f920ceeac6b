import { defineEntity, type Opt } from '@mikro-orm/core';
import { bytes, creationTime, instant, p } from './columns.js';

/**
 * The head of an audit trail: an organization's, or that of a user's own affairs. It refers to neither by a foreign key,
 * because a trail outlives what it is about (docs/adr/0024).
 */
export const AuditLog = defineEntity({
  name: 'AuditLog',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').unique().nullable(),
    userId: p.uuid().unique().nullable(),
    /** Of the newest entry; the first is 1. */
    position: p.bigint('number'),
    /** Of the newest entry. */
    hash: bytes(),
    /** The latest time of an entry. */
    latestAt: instant().nullable(),
    /** By how much at most the time of an entry is before that of an earlier one: so far a time and a position may differ. */
    lateness: p.string().columnType('interval').default('00:00:00'),
  },
  checks: [{ name: 'audit_log_owner_check', expression: 'num_nonnulls(organization_id, user_id) = 1' }],
});

/**
 * A column extracted from the entry, compared byte by byte: a quarter of the time of a locale, and a beginning is a
 * range.
 */
const extracted = (expression: string) =>
  p.text().$type<Opt<string>>().columnType('text collate "C"').generated(`(${expression}) stored`);

/** One entry of an audit trail. Rows are never changed: triggers refuse it. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  properties: {
    logId: p.bigint('number').primary(),
    position: p.bigint('number').primary(),
    /** Canonical JSON (RFC 8785); everything that is known of the entry, and what the hash is made of. */
    entry: p.text(),
    /** SHA-256 of the hash before and the entry. */
    hash: bytes(),
    /** ISO 8601 in UTC, which sorts as text. */
    at: extracted(`(entry::json ->> 'at')`),
    action: extracted(`(entry::json ->> 'action')`),
    /** Id of the user, or the name of the job. */
    actor: extracted(`(entry::json #>> '{actor,id}')`),
    subjectType: extracted(`(entry::json #>> '{subject,type}')`),
    /** Type and id, such as "INCIDENT/7". */
    subject: extracted(`((entry::json #>> '{subject,type}') || '/' || (entry::json #>> '{subject,id}'))`),
    /** The parent of the subject: the incident of an attachment, the control of a document. */
    parent: extracted(
      `((entry::json #>> '{subject,parent,type}') || '/' || (entry::json #>> '{subject,parent,id}'))`,
    ).nullable(),
  },
  indexes: [
    // With what else they may be filtered by, so that an index alone finds and counts them.
    { properties: ['logId', 'action', 'subjectType', 'position'], include: ['at'] },
    { properties: ['logId', 'actor', 'action', 'subjectType', 'position'], include: ['at'] },
    { properties: ['logId', 'subject', 'position'], include: ['actor', 'action', 'at'] },
    { properties: ['logId', 'parent', 'position'] },
    { properties: ['logId', 'at', 'position'] },
  ],
});

/** A signed statement that an entry stood at a position: what comes before it cannot be changed any more. */
export const AuditCheckpoint = defineEntity({
  name: 'AuditCheckpoint',
  properties: {
    logId: p.bigint('number').primary(),
    position: p.bigint('number').primary(),
    hash: bytes(),
    createdAt: instant(),
    /** RFC 7638 thumbprint of the public key. */
    keyId: p.text(),
    /** Ed25519, over the canonical JSON of the checkpoint. */
    signature: bytes(),
    /** Its place among the checkpoints of the trail, beginning with 1; a trigger fills it in for earlier versions. */
    number: p.integer().$type<Opt<number>>(),
    /** Digest of all checkpoints before it; null for one of a version that did not chain them. */
    previous: bytes().nullable(),
    /** Ed25519, over number and previous as well; null for one of such a version. */
    chainSignature: bytes().nullable(),
  },
  uniques: [{ properties: ['logId', 'number'] }],
});

/** Up to where the gateway itself has followed a trail, under a key that the database does not have. It only moves on. */
export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  properties: {
    logId: p.bigint('number').primary().autoincrement(false),
    position: p.bigint('number'),
    /** Of the entry at this position. */
    hash: bytes(),
    /** How many checkpoints there are. */
    checkpoints: p.integer(),
    /** Digest of them. */
    digest: bytes(),
    /** HMAC-SHA-256 of all above, with the name of the trail. */
    mac: bytes(),
    /** Up to which checkpoint the storage and the log have them. */
    published: p.integer().default(0),
    /** Up to which checkpoint they were mailed. */
    mailed: p.integer().default(0),
  },
});

/** A fault of a trail that was reported; it is reported once. */
export const AuditFault = defineEntity({
  name: 'AuditFault',
  properties: {
    log: p.text().primary(),
    reason: p.text().primary(),
    position: p.bigint('number').primary(),
    message: p.text(),
    foundAt: instant(),
    /** Since when it is one no more: its signature verifies, or an operator has said so. */
    resolvedAt: instant().nullable(),
  },
});

/** An entry that no gateway has written, taken out of the way of the next one. */
export const AuditStrayEntry = defineEntity({
  name: 'AuditStrayEntry',
  properties: {
    id: p.bigint('number').primary(),
    logId: p.bigint('number'),
    position: p.bigint('number'),
    entry: p.text(),
    hash: bytes(),
    removedAt: creationTime(),
  },
});

/** Up to which entry of a trail a consumer has come; without a row, it has consumed nothing of it. */
export const EventConsumer = defineEntity({
  name: 'EventConsumer',
  properties: {
    consumer: p.text().primary(),
    logId: p.bigint('number').primary(),
    position: p.bigint('number'),
  },
});
