import { NOTIFICATION_TYPES } from '../../vocabulary/notification-types.js';
import { operation } from '../documents.js';
import { choice, flag, limit, offset, queryId, sort } from '../parameters.js';
import type { Route } from '../route.js';

const NOTIFICATIONS = operation(/* GraphQL */ `
  query Notifications(
    $limit: Int
    $offset: Int
    $sort: NotificationOrder
    $read: Boolean
    $type: NotificationType
    $organization_id: Int
  ) {
    notifications(
      first: $limit
      offset: $offset
      orderBy: $sort
      filter: { read: $read, type: $type, organizationId: $organization_id }
    ) {
      data: nodes {
        ...Notification
      }
      total: totalCount
    }
  }
`);

export const NOTIFICATIONS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/notifications',
    operationId: 'listNotifications',
    source: 'specification 4.10',
    tag: 'Notifications',
    summary: 'List the notifications of the authenticated user',
    description: 'Notifications of the user that the token belongs to, newest first.',
    carrier: 'sofa',
    document: NOTIFICATIONS,
    parameters: [
      limit,
      offset,
      sort({ datetime: 'DATETIME' }, '-datetime'),
      flag('read', 'Only those that were read, or only those that were not.'),
      choice('type', NOTIFICATION_TYPES, 'Only those of this category.'),
      queryId('organization_id', 'Only those about this organization.'),
    ],
    errors: ['BAD_USER_INPUT'],
  },
];
