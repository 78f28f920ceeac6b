import { defineEntity, type Opt } from '@mikro-orm/core';
import { bytes, creationTime, instant, p } from './columns.js';

/**
 * The head of an organization's or a user's audit trail. It has no foreign key to either, because a trail outlives its
 * owner (docs/adr/0024).
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
    /** Maximum interval by which an entry is dated before an earlier one: the most that time and position may differ. */
    lateness: p.string().columnType('interval').default('00:00:00'),
  },
  checks: [{ name: 'audit_log_owner_check', expression: 'num_nonnulls(organization_id, user_id) = 1' }],
});

/**
 * A column extracted from the entry, with byte collation: it takes a quarter of the time of a locale, and a prefix is a
 * range.
 */
const extracted = (expression: string) =>
  p.text().$type<Opt<string>>().columnType('text collate "C"').generated(`(${expression}) stored`);

/** One entry of an audit trail. Rows are immutable: triggers refuse changes. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  properties: {
    logId: p.bigint('number').primary(),
    position: p.bigint('number').primary(),
    /** Canonical JSON (RFC 8785) of the whole entry, which the hash is computed from. */
    entry: p.text(),
    /** SHA-256 of the previous hash and the entry. */
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
    // With the other filter columns, so that an index alone finds and counts entries.
    { properties: ['logId', 'action', 'subjectType', 'position'], include: ['at'] },
    { properties: ['logId', 'actor', 'action', 'subjectType', 'position'], include: ['at'] },
    { properties: ['logId', 'subject', 'position'], include: ['actor', 'action', 'at'] },
    { properties: ['logId', 'parent', 'position'] },
    { properties: ['logId', 'at', 'position'] },
  ],
});

/** A signed statement that an entry was at a position: entries up to it cannot be changed undetected. */
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
    /** Number among the checkpoints of the trail, from 1; a trigger sets it for earlier versions. */
    number: p.integer().$type<Opt<number>>(),
    /** Digest of all earlier checkpoints; null for one of a version that did not chain them. */
    previous: bytes().nullable(),
    /** Ed25519, over number and previous as well; null for one of such a version. */
    chainSignature: bytes().nullable(),
  },
  uniques: [{ properties: ['logId', 'number'] }],
});

/** How far the gateway has verified a trail, authenticated by a key outside the database. It only moves on. */
export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  properties: {
    logId: p.bigint('number').primary().autoincrement(false),
    position: p.bigint('number'),
    /** Hash of the entry at this position. */
    hash: bytes(),
    /** Number of checkpoints. */
    checkpoints: p.integer(),
    /** Digest of the checkpoints. */
    digest: bytes(),
    /** HMAC-SHA-256 of all above, with the name of the trail. */
    mac: bytes(),
    /** Number of the last checkpoint in the storage and the log. */
    published: p.integer().default(0),
    /** Number of the last checkpoint that was mailed. */
    mailed: p.integer().default(0),
  },
});

/** A reported fault of a trail; each is reported once. */
export const AuditFault = defineEntity({
  name: 'AuditFault',
  properties: {
    log: p.text().primary(),
    reason: p.text().primary(),
    position: p.bigint('number').primary(),
    message: p.text(),
    foundAt: instant(),
    /** When it was resolved: its signature verifies, or an operator has acknowledged it. */
    resolvedAt: instant().nullable(),
  },
});

/** An entry that no gateway has written, moved aside so that the next one can be appended. */
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

/** The last entry of a trail that a consumer has processed; absent before the first. */
export const EventConsumer = defineEntity({
  name: 'EventConsumer',
  properties: {
    consumer: p.text().primary(),
    logId: p.bigint('number').primary(),
    position: p.bigint('number'),
  },
});
