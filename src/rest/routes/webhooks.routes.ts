import type { RouteGroup } from '../route.js';

const ENDPOINT = {
  id: 4,
  scope: 'ORGANIZATION',
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

const USERS = {
  id: 9,
  host: 'hooks.consultants.example.com',
  user: 'marco.deluca',
  event_types: ['incident.opened'],
  format: 'EVENT',
  status: 'ENABLED',
  disabled_reason: null,
  created_at: '2026-11-20T08:15:30.500Z',
};
const OWN = { scope: 'MANAGED_ORGANIZATIONS' };

/** The parts that differ between an organization's endpoints and a user's. */
interface Kind {
  path: string;
  /** The part of its operation ids beside `Webhook`. */
  of: '' | 'Own';
  /** Where its endpoints are read. */
  read: { list: string; endpoint: string; delivery: string };
  fixed: Readonly<Record<string, string | null>>;
  example?: object;
}

function routesOf({ path, of, read, fixed, example = {} }: Kind): RouteGroup['routes'] {
  const one = `${path}/{webhookendpointid}`;
  const deliveries = `${one}/deliveries`;
  return {
    [`GET ${path}`]: { past: 'WEBHOOKS', operationId: `list${of}WebhookEndpoints`, data: read.list, example },
    [`POST ${path}`]: {
      operationId: `create${of}WebhookEndpoint`,
      data: 'createWebhookEndpoint',
      view: 'NewWebhookEndpoint',
      body: {
        example: { url: ENDPOINT.url, description: ENDPOINT.description, event_types: ENDPOINT.event_types },
      },
      fixed,
      created: true,
      errors: ['CONFLICT'],
      example: { secret: SECRET, webhook_endpoint: example },
    },
    [`GET ${one}`]: { past: 'WEBHOOKS', operationId: `get${of}WebhookEndpoint`, data: read.endpoint, example },
    [`PATCH ${one}`]: {
      operationId: `update${of}WebhookEndpoint`,
      remarks: 'What is absent stays as it is.',
      data: 'updateWebhookEndpoint.webhookEndpoint',
      body: { example: { status: 'ENABLED' } },
      fixed,
      example,
    },
    [`DELETE ${one}`]: {
      operationId: `delete${of}WebhookEndpoint`,
      data: 'deleteWebhookEndpoint.webhookEndpoint',
      fixed,
      example,
    },
    [`POST ${one}/rotate`]: {
      operationId: `rotate${of}WebhookSecret`,
      data: 'rotateWebhookSecret',
      view: 'RotatedWebhookEndpoint',
      fixed,
      example: { secret: SECRET, webhook_endpoint: example },
    },
    [`POST ${one}/test`]: {
      operationId: `send${of}TestWebhook`,
      data: 'sendTestWebhook',
      view: 'WebhookTest',
      fixed,
      errors: ['CONFLICT'],
      example: { event_id: '1/43' },
    },
    [`POST ${one}/recover`]: {
      operationId: `recover${of}Webhooks`,
      data: 'recoverWebhooks',
      view: 'WebhookRecovery',
      body: { example: { since: '2026-11-19T08:00:00.000Z' } },
      fixed,
      errors: ['CONFLICT'],
      example: { recovered: 3, complete: true },
    },
    [`GET ${deliveries}`]: {
      past: 'DELIVERIES',
      operationId: `list${of}WebhookDeliveries`,
      data: `${read.endpoint}.deliveries.nodes`,
      parameters: 'status event_id',
      examples: { status: 'DELIVERED', event_id: '1/42' },
    },
    [`GET ${deliveries}/{webhookdeliveryid}`]: {
      past: 'DELIVERIES',
      operationId: `get${of}WebhookDelivery`,
      data: read.delivery,
    },
    [`GET ${deliveries}/{webhookdeliveryid}/attempts`]: {
      past: 'DELIVERIES',
      operationId: `list${of}WebhookAttempts`,
      data: `${read.delivery}.attempts.nodes`,
    },
    [`POST ${deliveries}/{webhookdeliveryid}/redeliver`]: {
      operationId: `redeliver${of}Webhook`,
      data: 'redeliverWebhook.webhookDelivery',
      fixed,
      errors: ['CONFLICT'],
      example: { status: 'PENDING', attempt_count: 0, status_code: 204 },
    },
  };
}

export const WEBHOOKS: RouteGroup = {
  tag: 'Events',
  examples: {
    ...{ WebhookEndpoint: ENDPOINT, WebhookDelivery: DELIVERY, WebhookAttempt: ATTEMPT },
    UserWebhookEndpoint: USERS,
  },
  views: {
    WebhookEndpoint: [
      'id scope url description eventTypes format status disabledReason failingSince previousSecretUntil enabledBy.username',
      'createdAt updatedAt',
    ],
    UserWebhookEndpoint: ['webhookEndpointId host user.username eventTypes format status disabledReason createdAt'],
    NewWebhookEndpoint: {
      of: 'CreateWebhookEndpointPayload',
      fields: ['secret', { webhookEndpoint: 'WebhookEndpoint' }],
    },
    RotatedWebhookEndpoint: {
      of: 'RotateWebhookSecretPayload',
      fields: ['secret', { webhookEndpoint: 'WebhookEndpoint' }],
    },
    WebhookTest: { of: 'SendTestWebhookPayload', fields: ['eventId'] },
    WebhookRecovery: { of: 'RecoverWebhooksPayload', fields: ['recovered complete'] },
    WebhookDelivery: [
      'id eventId eventType status attemptCount attemptedAt nextAttemptAt milliseconds statusCode error answer createdAt',
    ],
    WebhookAttempt: ['number attemptedAt milliseconds statusCode error answer'],
  },
  routes: {
    ...routesOf({
      path: '/api/v1/organizations/{organizationid}/webhooks',
      of: '',
      read: {
        list: 'organization.webhookEndpoints.nodes',
        ...{ endpoint: 'webhookEndpoint', delivery: 'webhookDelivery' },
      },
      fixed: { scope: 'ORGANIZATION' },
    }),
    'GET /api/v1/organizations/{organizationid}/user-webhooks': {
      past: 'WEBHOOKS',
      operationId: 'listUserWebhookEndpoints',
      data: 'organization.userWebhookEndpoints.nodes',
    },
    ...routesOf({
      path: '/api/v1/profile/webhook-endpoints',
      of: 'Own',
      read: {
        list: 'viewer.webhookEndpoints.nodes',
        ...{ endpoint: 'viewer.webhookEndpoint', delivery: 'viewer.webhookDelivery' },
      },
      fixed: { ...OWN, organizationId: null },
      example: OWN,
    }),
  },
};
