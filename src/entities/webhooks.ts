import { defineEntity, type Opt } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, version } from './columns.js';
import type { EventAction } from '../values/events.js';
import type { WebhookDeliveryStatus, WebhookDisabledReason, WebhookFormat, WebhookStatus } from '../values/enums.js';
import { User } from './members.js';
import { Organization } from './organizations.js';
import { ApiToken } from './tokens.js';

/**
 * Where an organization has its events sent to, or a user those of the organizations that it manages (docs/webhooks.md).
 * Deletion is soft until its deliveries are gone.
 */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade').nullable(),
    /** Whose it is where it is no organization's. */
    user: p.manyToOne(User).deleteRule('cascade').nullable(),
    /** By which a user's was last changed: what is blocked for the token is not sent to it. */
    token: p.manyToOne(ApiToken).deleteRule('set null').nullable(),
    url: p.text(),
    description: p.text().default(''),
    /** Actions whose events it gets; all of them when empty. */
    actions: p.array().$type<EventAction[]>(),
    format: p.text().$type<WebhookFormat>(),
    status: p.text().$type<Opt<WebhookStatus>>().default('ENABLED'),
    disabledReason: p.text().$type<WebhookDisabledReason>().nullable(),
    /** Sealed under SECRET_KEY (services/shared/sealer.ts); null once it is deleted. */
    secret: bytes().nullable(),
    /** The secret before it, which signs as well until then. */
    previousSecret: bytes().nullable(),
    previousSecretUntil: instant().nullable(),
    /** Who created it, or enabled it last: it ends with that membership. */
    enabledBy: p.manyToOne(User).deleteRule('set null').nullable(),
    /** Attempts that failed since one was accepted, and when the first of them was. */
    failures: p.integer().default(0),
    failingSince: instant().nullable(),
    /** No attempt is made before. */
    pausedUntil: instant().nullable(),
    /** With its port. */
    host: p
      .text()
      .$type<Opt<string>>()
      .generated(`(coalesce(lower("substring"(url, '^[^:]+://([^/?#]+)'::text)), ''::text)) stored`),
    /** The same while its host is not reached, which another endpoint there is tried for. */
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
    /** Its place among the events of all organizations. */
    seq: p.bigint('number'),
    logId: p.bigint('number'),
    position: p.bigint('number'),
    action: p.text().$type<EventAction>(),
    /** Deliveries of one endpoint with the same text are sent one after the other. */
    subject: p.text(),
    status: p.text().$type<Opt<WebhookDeliveryStatus>>().default('PENDING'),
    attempts: p.integer().default(0),
    /** While an instance sends it: when another one may take it, because that one has died. */
    nextAttemptAt: instant().defaultRaw('now()').nullable(),
    /** Of the attempt under way. */
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
    /** From 1; from the beginning when it is sent again. */
    number: p.integer(),
    attemptedAt: instant(),
    milliseconds: p.integer(),
    statusCode: p.integer().nullable(),
    error: p.text().default(''),
    answer: p.text().default(''),
  },
  indexes: [{ properties: ['delivery', 'id'] }],
});
