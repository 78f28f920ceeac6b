import type { RouteGroup } from '../route.js';

const ENDPOINT = {
  id: 4,
  url: 'https://siem.example.com/compliance',
  description: 'Our SIEM.',
  event_types: ['incident.opened', 'incident.report_overdue'],
  format: 'EVENT',
  status: 'ENABLED',
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  enabled_by: 'marco.deluca',
  created_at: '2026-11-20T08:15:30.500Z',
  updated_at: '2026-11-20T08:15:30.500Z',
};

const DELIVERY = {
  id: 381,
  event_id: '1/42',
  event_type: 'incident.opened',
  status: 'DELIVERED',
  attempt_count: 1,
  attempted_at: '2026-11-20T08:15:30.700Z',
  next_attempt_at: null,
  milliseconds: 84,
  status_code: 204,
  error: '',
  answer: '',
  created_at: '2026-11-20T08:15:30.650Z',
};
const ATTEMPT = {
  number: 1,
  attempted_at: '2026-11-20T08:15:30.700Z',
  milliseconds: 84,
  status_code: 503,
  error: 'The receiver answered 503.',
  answer: 'Down for maintenance.',
};
const SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl4QRqHIRuC0Q4YCUCS2A=';

const PATH = '/api/v1/organizations/{organizationid}/webhooks';
const ONE = `${PATH}/{webhookendpointid}`;
const DELIVERIES = `${ONE}/deliveries`;

export const WEBHOOKS: RouteGroup = {
  tag: 'Events',
  examples: { WebhookEndpoint: ENDPOINT, WebhookDelivery: DELIVERY, WebhookAttempt: ATTEMPT },
  routes: {
    [`GET ${PATH}`]: { operationId: 'listWebhookEndpoints', data: 'organization.webhookEndpoints.nodes' },
    [`POST ${PATH}`]: {
      operationId: 'createWebhookEndpoint',
      data: 'createWebhookEndpoint',
      view: 'NewWebhookEndpoint',
      body: {
        example: { url: ENDPOINT.url, description: ENDPOINT.description, event_types: ENDPOINT.event_types },
      },
      created: true,
      errors: ['CONFLICT'],
      example: { secret: SECRET },
    },
    [`GET ${ONE}`]: { operationId: 'getWebhookEndpoint', data: 'webhookEndpoint', etag: 'version and hash' },
    [`PATCH ${ONE}`]: {
      operationId: 'updateWebhookEndpoint',
      remarks: 'What is absent stays as it is.',
      data: 'updateWebhookEndpoint.webhookEndpoint',
      parameters: 'If-Match',
      etag: 'version and hash',
      body: { example: { status: 'ENABLED' } },
    },
    [`DELETE ${ONE}`]: {
      operationId: 'deleteWebhookEndpoint',
      data: 'deleteWebhookEndpoint.webhookEndpoint',
      parameters: 'If-Match',
    },
    [`POST ${ONE}/rotate`]: {
      operationId: 'rotateWebhookSecret',
      data: 'rotateWebhookSecret',
      view: 'RotatedWebhookEndpoint',
      parameters: 'If-Match',
      example: { secret: SECRET },
    },
    [`POST ${ONE}/test`]: {
      operationId: 'sendTestWebhook',
      data: 'sendTestWebhook',
      view: 'WebhookTest',
      errors: ['CONFLICT'],
      example: { event_id: '1/43' },
    },
    [`POST ${ONE}/recover`]: {
      operationId: 'recoverWebhooks',
      data: 'recoverWebhooks',
      view: 'WebhookRecovery',
      body: { example: { since: '2026-11-19T08:00:00.000Z' } },
      errors: ['CONFLICT'],
      example: { recovered: 3, complete: true },
    },
    [`GET ${DELIVERIES}`]: {
      operationId: 'listWebhookDeliveries',
      data: 'webhookEndpoint.deliveries.nodes',
      parameters: 'status event_id',
      examples: { status: 'DELIVERED', event_id: '1/42' },
    },
    [`GET ${DELIVERIES}/{webhookdeliveryid}`]: { operationId: 'getWebhookDelivery', data: 'webhookDelivery' },
    [`GET ${DELIVERIES}/{webhookdeliveryid}/attempts`]: {
      operationId: 'listWebhookAttempts',
      data: 'webhookDelivery.attempts.nodes',
    },
    [`POST ${DELIVERIES}/{webhookdeliveryid}/redeliver`]: {
      operationId: 'redeliverWebhook',
      data: 'redeliverWebhook.webhookDelivery',
      errors: ['CONFLICT'],
      example: { status: 'PENDING', attempt_count: 0, status_code: 204 },
    },
  },
};
