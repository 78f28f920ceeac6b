import { defineEntity, type Opt } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, version } from './columns.js';
import type { EventAction } from '../values/events.js';
import type { WebhookDeliveryStatus, WebhookDisabledReason, WebhookFormat, WebhookStatus } from '../values/enums.js';
import { User } from './members.js';
import { Organization } from './organizations.js';
import { ApiToken } from './tokens.js';

/**
 * Destination of an organization's events, or of those of the organizations that a user manages (docs/webhooks.md).
 * Deletion is soft until its deliveries are deleted.
 */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade').nullable(),
    /** Its user, if it is not an organization's. */
    user: p.manyToOne(User).deleteRule('cascade').nullable(),
    /** The token that last changed a user's endpoint: organizations that are blocked for the token are not sent to it. */
    token: p.manyToOne(ApiToken).deleteRule('set null').nullable(),
    url: p.text(),
    description: p.text().default(''),
    /** Actions whose events it receives; empty for all. */
    actions: p.array().$type<EventAction[]>(),
    format: p.text().$type<WebhookFormat>(),
    status: p.text().$type<Opt<WebhookStatus>>().default('ENABLED'),
    disabledReason: p.text().$type<WebhookDisabledReason>().nullable(),
    /** Sealed under SECRET_KEY (services/shared/sealer.ts); null once it is deleted. */
    secret: bytes().nullable(),
    /** The previous secret, which signs as well until then. */
    previousSecret: bytes().nullable(),
    previousSecretUntil: instant().nullable(),
    /** The member who created or last enabled it: it ends with that membership. */
    enabledBy: p.manyToOne(User).deleteRule('set null').nullable(),
    /** Failed attempts since the last success, and when the first of them was. */
    failures: p.integer().default(0),
    failingSince: instant().nullable(),
    /** Earliest time of the next attempt. */
    pausedUntil: instant().nullable(),
    /** With its port. */
    host: p
      .text()
      .$type<Opt<string>>()
      .generated(`(coalesce(lower("substring"(url, '^[^:]+://([^/?#]+)'::text)), ''::text)) stored`),
    /** The same for its unreachable host, which is retried through another endpoint. */
    hostPausedUntil: instant().nullable(),
    version: version(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    deletedAt: instant().nullable(),
  },
  indexes: [
    { properties: ['organization', 'id'] },
    { properties: ['user', 'id'] },
    { properties: ['token'] },
    { properties: ['enabledBy'] },
    { properties: ['host'] },
  ],
  checks: [{ name: 'webhook_endpoint_owner_check', expression: '(organization_id is null) <> (user_id is null)' }],
});

/** One event for one endpoint. The event itself is read from the audit trail when it is sent. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  properties: {
    id: p.bigint('number').primary(),
    endpoint: p.manyToOne(WebhookEndpoint).deleteRule('cascade'),
    organizationId: p.bigint('number'),
    /** Position among the events of all organizations. */
    seq: p.bigint('number'),
    logId: p.bigint('number'),
    position: p.bigint('number'),
    action: p.text().$type<EventAction>(),
    /** Deliveries of one endpoint with the same ordering key are sent one after the other. */
    subject: p.text(),
    status: p.text().$type<Opt<WebhookDeliveryStatus>>().default('PENDING'),
    attempts: p.integer().default(0),
    /** Time of the next attempt; during an attempt, when another instance may take over, because this one has died. */
    nextAttemptAt: instant().defaultRaw('now()').nullable(),
    /** Of the attempt in progress. */
    lease: p.uuid().nullable(),
    /** Of the last attempt. */
    attemptedAt: instant().nullable(),
    milliseconds: p.integer().nullable(),
    statusCode: p.integer().nullable(),
    error: p.text().default(''),
    answer: p.text().default(''),
    createdAt: creationTime(),
  },
  uniques: [{ properties: ['endpoint', 'seq'] }],
  indexes: [
    {
      name: 'webhook_delivery_due',
      properties: ['endpoint', 'nextAttemptAt', 'seq'],
      where: "status = 'PENDING'",
    },
    { name: 'webhook_delivery_leased', properties: ['endpoint'], where: 'lease is not null' },
    { name: 'webhook_delivery_order', properties: ['endpoint', 'subject', 'seq'], where: "status = 'PENDING'" },
    { properties: ['createdAt'] },
    { properties: ['organizationId'] },
  ],
});

/** The outcome of one attempt to deliver. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  properties: {
    id: p.bigint('number').primary(),
    delivery: p.manyToOne(WebhookDelivery).deleteRule('cascade'),
    /** From 1; restarted when it is sent again. */
    number: p.integer(),
    attemptedAt: instant(),
    milliseconds: p.integer(),
    statusCode: p.integer().nullable(),
    error: p.text().default(''),
    answer: p.text().default(''),
  },
  indexes: [{ properties: ['delivery', 'id'] }],
});
