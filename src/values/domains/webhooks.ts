import { ORGANIZATION, allows, toAuditors } from './domain.js';

export const WEBHOOKS = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      READ_WEBHOOKS: 'Read webhook endpoints, and what was sent to them.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_WEBHOOKS: 'Manage webhooks.',
    }),
  },
  subjects: {
    WEBHOOK_ENDPOINT: { text: 'A webhook endpoint; its number.', path: `${ORGANIZATION}/webhooks/{id}` },
    USER_WEBHOOK_ENDPOINT: {
      text: 'A webhook endpoint of a user; its number.',
      path: 'profile/webhook-endpoints/{id}',
    },
  },
  actions: {
    WEBHOOK_ENDPOINT_CREATED: toAuditors('webhook_endpoint.created', 'A webhook endpoint was created.'),
    WEBHOOK_ENDPOINT_UPDATED: toAuditors(
      'webhook_endpoint.updated',
      'A webhook endpoint was changed, enabled or disabled.',
    ),
    WEBHOOK_ENDPOINT_DISABLED: toAuditors('webhook_endpoint.disabled', 'The gateway disabled a webhook endpoint.'),
    WEBHOOK_ENDPOINT_DELETED: toAuditors('webhook_endpoint.deleted', 'A webhook endpoint was deleted.'),
    WEBHOOK_SECRET_ROTATED: toAuditors(
      'webhook_endpoint.secret_rotated',
      'The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours.',
    ),
    WEBHOOK_TESTED: toAuditors('webhook_endpoint.tested', 'A test was sent to a webhook endpoint.'),
    WEBHOOK_REDELIVERED: toAuditors('webhook_endpoint.redelivered', 'Events were put in again for a webhook endpoint.'),
  },
} as const;
