export { createGatewayClient, type ClientOptions, type GatewayClient } from './client.js';
export { dataOf, GatewayError } from './errors.js';
export { followEvents, type EventPage, type FollowOptions, type GatewayEvent } from './events.js';
export { itemsOf, type ItemOf, type ListPath } from './pages.js';
export type { Retry, RetryOptions } from './retry.js';
export { newWebhookSecret, signWebhook, verifyWebhook, WebhookError, type VerifyOptions } from './webhooks.js';
export type { components, paths } from './openapi.js';
