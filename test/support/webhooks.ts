import type { Database } from '../../src/database/database.js';
import { EVENT_TYPES } from '../../src/values/events.js';
import { callThrough, type Api, type Operation, type Result } from './apis.js';
import { eventTypeName } from './events.js';
import type { TestGateway } from './gateway.js';
import { mutation } from './operations.js';

const ENDPOINT = `id: databaseId scope url description event_types: eventTypes format status disabled_reason: disabledReason
  failing_since: failingSince previous_secret_until: previousSecretUntil enabled_by: enabledBy { username }
  created_at: createdAt updated_at: updatedAt`;
const DELIVERY = `id: databaseId event_id: eventId event_type: eventType status attempt_count: attemptCount attempted_at: attemptedAt
  next_attempt_at: nextAttemptAt milliseconds status_code: statusCode error answer created_at: createdAt`;
const PATH = '/api/v1/organizations/{organization_id}/webhooks';
const ONE = `${PATH}/{webhook_endpoint_id}`;
const DELIVERIES = `${ONE}/deliveries`;
const KEY = '$organizationId: ID!, $webhookEndpointId: ID!';
const GIVEN = 'organizationId: $organizationId, webhookEndpointId: $webhookEndpointId';
const ITS = 'organizationId: $organizationId, id: $webhookEndpointId';

/** An operation whose data is its whole payload. */
const whole = (rest: string, name: string, fields: string): Operation => ({
  ...mutation(rest, name, fields),
  at: name,
});

/** Operations on webhooks, through both APIs. */
export const WEBHOOK_OPERATIONS = {
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int) { organization(id: $organizationId) {
      webhookEndpoints(first: $first, offset: $offset) { totalCount nodes { ${ENDPOINT} } } } }`,
    at: 'organization.webhookEndpoints',
  },
  read: {
    rest: `GET ${ONE}`,
    graphql: `query (${KEY}) { webhookEndpoint(${ITS}) { ${ENDPOINT} } }`,
    at: 'webhookEndpoint',
  },
  create: whole(`POST ${PATH}`, 'createWebhookEndpoint', `secret webhook_endpoint: webhookEndpoint { ${ENDPOINT} }`),
  update: mutation(`PATCH ${ONE}`, 'updateWebhookEndpoint', `webhookEndpoint { ${ENDPOINT} }`),
  delete: mutation(`DELETE ${ONE}`, 'deleteWebhookEndpoint', `webhookEndpoint { ${ENDPOINT} }`),
  rotate: whole(
    `POST ${ONE}/rotate`,
    'rotateWebhookSecret',
    `secret webhook_endpoint: webhookEndpoint { ${ENDPOINT} }`,
  ),
  test: whole(`POST ${ONE}/test`, 'sendTestWebhook', 'event_id: eventId'),
  recover: whole(`POST ${ONE}/recover`, 'recoverWebhooks', 'recovered complete'),
  deliveries: {
    rest: `GET ${DELIVERIES}`,
    graphql: `query (${KEY}, $first: Int, $offset: Int, $filter: WebhookDeliveryFilter) { webhookEndpoint(${ITS}) {
      deliveries(first: $first, offset: $offset, filter: $filter) { totalCount nodes { ${DELIVERY} } } } }`,
    at: 'webhookEndpoint.deliveries',
  },
  delivery: {
    rest: `GET ${DELIVERIES}/{webhook_delivery_id}`,
    graphql: `query (${KEY}, $webhookDeliveryId: ID!) {
      webhookDelivery(${GIVEN}, id: $webhookDeliveryId) { ${DELIVERY} } }`,
    at: 'webhookDelivery',
  },
  attempts: {
    rest: `GET ${DELIVERIES}/{webhook_delivery_id}/attempts`,
    graphql: `query (${KEY}, $webhookDeliveryId: ID!, $first: Int, $offset: Int) {
      webhookDelivery(${GIVEN}, id: $webhookDeliveryId) { attempts(first: $first, offset: $offset) {
        totalCount nodes { number attempted_at: attemptedAt milliseconds status_code: statusCode error answer } } } }`,
    at: 'webhookDelivery.attempts',
  },
  redeliver: mutation(
    `POST ${DELIVERIES}/{webhook_delivery_id}/redeliver`,
    'redeliverWebhook',
    `webhookDelivery { ${DELIVERY} }`,
  ),
} satisfies Record<string, Operation>;

export type WebhookOperation = keyof typeof WEBHOOK_OPERATIONS;

const ENDPOINT_ID = '$webhookEndpointId: ID!';
const OF_VIEWER = { scope: 'MANAGED_ORGANIZATIONS' };

/** The location of a user's own endpoints in GraphQL; changes are the same, without an organization. */
const OWN_READS: Partial<Record<WebhookOperation, Pick<Operation, 'graphql' | 'at'>>> = {
  list: {
    graphql: `query ($first: Int, $offset: Int) { viewer { webhookEndpoints(first: $first, offset: $offset) {
      totalCount nodes { ${ENDPOINT} } } } }`,
    at: 'viewer.webhookEndpoints',
  },
  read: {
    graphql: `query (${ENDPOINT_ID}) { viewer { webhookEndpoint(id: $webhookEndpointId) { ${ENDPOINT} } } }`,
    at: 'viewer.webhookEndpoint',
  },
  deliveries: {
    graphql: `query (${ENDPOINT_ID}, $first: Int, $offset: Int, $filter: WebhookDeliveryFilter) { viewer {
      webhookEndpoint(id: $webhookEndpointId) {
        deliveries(first: $first, offset: $offset, filter: $filter) { totalCount nodes { ${DELIVERY} } } } } }`,
    at: 'viewer.webhookEndpoint.deliveries',
  },
  delivery: {
    graphql: `query (${ENDPOINT_ID}, $webhookDeliveryId: ID!) { viewer {
      webhookDelivery(webhookEndpointId: $webhookEndpointId, id: $webhookDeliveryId) { ${DELIVERY} } } }`,
    at: 'viewer.webhookDelivery',
  },
};

/** The same for an endpoint of the caller itself. */
export async function callOwnWebhooks(
  api: Api,
  gateway: TestGateway,
  name: WebhookOperation,
  input: Readonly<Record<string, unknown>>,
  token?: string,
): Promise<Result> {
  const operation: Operation = WEBHOOK_OPERATIONS[name];
  const rest = operation.rest.replace(PATH, '/api/v1/profile/webhook-endpoints');
  const isChange = operation.graphql.startsWith('mutation');
  const given = api === 'GraphQL' && isChange ? { ...input, ...OF_VIEWER } : input;
  return through(api, gateway, { ...operation, ...OWN_READS[name], rest }, given, token);
}

/** Runs an operation with REST's types of events, converted for GraphQL. */
export async function callWebhooks(
  api: Api,
  gateway: TestGateway,
  name: WebhookOperation,
  input: Readonly<Record<string, unknown>>,
  token?: string,
): Promise<Result> {
  return through(api, gateway, WEBHOOK_OPERATIONS[name], input, token);
}

async function through(
  api: Api,
  gateway: TestGateway,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  token?: string,
): Promise<Result> {
  if (api === 'REST') return callThrough(api, gateway, operation, input, token);
  const types = input['event_types'] as string[] | undefined;
  const given = types === undefined ? input : { ...input, event_types: types.map(eventTypeName) };
  const result = await callThrough(api, gateway, operation, given, token);
  if (result.data === undefined) return result;
  return { ...result, data: JSON.parse(JSON.stringify(result.data, inRestTypes)) };
}

function inRestTypes(key: string, value: unknown): unknown {
  const typeOf = (name: string) => EVENT_TYPES[name as keyof typeof EVENT_TYPES];
  if (key === 'event_type') return typeOf(value as string);
  return key === 'event_types' ? (value as string[]).map(typeOf) : value;
}

/** An endpoint that a member has enabled. */
export async function buildEndpointOf(database: Database, organizationId: number, userId: string): Promise<void> {
  await database.rows(
    `insert into webhook_endpoint (organization_id, url, actions, format, enabled_by_id)
     values ($1, 'https://receiver.example.com/', '{}', 'EVENT', $2)`,
    [organizationId, userId],
  );
}

/** The reasons of disabled endpoints that a member had enabled; null for an enabled one. */
export async function disabledReasonsOf(database: Database, userId: string): Promise<(string | null)[]> {
  const rows = await database.rows<{ reason: string | null }>(
    'select disabled_reason as reason from webhook_endpoint where enabled_by_id = $1',
    [userId],
  );
  return rows.map(({ reason }) => reason);
}
