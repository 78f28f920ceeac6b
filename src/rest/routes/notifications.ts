import { NOTIFICATION_TYPES } from '../../vocabulary/notification-types.js';
import { operation } from '../documents.js';
import { choice, flag, limit, offset, pathId, queryId, sort } from '../parameters.js';
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

const EXAMPLE = {
  id: 90,
  organization: { id: 1, name: 'Rossi Energia S.p.A.', logo: 'https://www.rossi-energia.example/logo.png' },
  title: 'Early warning is due',
  message: 'The early warning for the incident "Phishing" is due in two hours.',
  type: 'INCIDENT',
  action: 'OPEN',
  read: false,
  datetime: '2026-11-20T09:30:00.000Z',
  icon: 'fa fa-bell',
  extra: { href: '/incidents/12' },
};

const REVISION = operation(/* GraphQL */ `
  query NotificationsRevision {
    data: notificationsRevision
  }
`);

const NOTIFICATION = operation(/* GraphQL */ `
  query Notification($id: Int!) {
    data: notification(id: $id) {
      ...Notification
    }
  }
`);

const UNREAD_COUNT = operation(/* GraphQL */ `
  query UnreadNotificationCount($organization_id: Int) {
    data: unreadNotificationCount(organizationId: $organization_id) {
      ...UnreadNotificationCount
    }
  }
`);

const UPDATE = operation(/* GraphQL */ `
  mutation UpdateNotification($input: UpdateNotificationInput!) {
    updateNotification(input: $input) {
      data: notification {
        ...Notification
      }
    }
  }
`);

const MARK = operation(/* GraphQL */ `
  mutation MarkNotificationsRead($input: MarkNotificationsReadInput!) {
    markNotificationsRead(input: $input) {
      data: marks {
        ...NotificationMarks
      }
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
    description:
      'Notifications of the user that the token belongs to, newest first. To poll, send the `ETag` of the last answer as `If-None-Match`.',
    carrier: 'sofa',
    document: NOTIFICATIONS,
    revision: REVISION,
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
  {
    method: 'GET',
    path: '/api/v1/notifications/unread-count',
    operationId: 'countUnreadNotifications',
    source: 'decisions §10',
    tag: 'Notifications',
    summary: 'Count the unread notifications',
    description: 'How many notifications the caller has not read, in all or about one organization.',
    carrier: 'sofa',
    document: UNREAD_COUNT,
    parameters: [queryId('organization_id', 'Only those about this organization.')],
    errors: ['BAD_USER_INPUT'],
    example: { count: 3 },
  },
  {
    method: 'POST',
    path: '/api/v1/notifications/read',
    operationId: 'markNotificationsRead',
    source: 'decisions §10',
    tag: 'Notifications',
    summary: 'Mark many notifications, or all, read or unread',
    description:
      'Either `ids` (100 at most) or `all`, which `organization_id` narrows to one organization. An id that is not a notification of the caller refuses them all.',
    carrier: 'sofa',
    document: MARK,
    parameters: [],
    body: { input: 'MarkNotificationsReadInput', example: { ids: [29, 30], read: true } },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND'],
    example: { changed: 2, unread: 1 },
  },
  {
    method: 'GET',
    path: '/api/v1/notifications/{id}',
    operationId: 'getNotification',
    source: 'decisions §10',
    tag: 'Notifications',
    summary: 'Read a notification',
    description: 'Only notifications of the caller are readable.',
    carrier: 'sofa',
    document: NOTIFICATION,
    parameters: [pathId('id', 'Which notification.', 30)],
    errors: ['NOT_FOUND'],
    example: EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/notifications/{id}',
    operationId: 'updateNotification',
    source: 'decisions §10',
    tag: 'Notifications',
    summary: 'Mark a notification read or unread',
    description: 'Only notifications of the caller can be marked.',
    carrier: 'sofa',
    document: UPDATE,
    parameters: [pathId('id', 'Which notification.', 30)],
    body: { input: 'UpdateNotificationInput', example: { read: true } },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND'],
    example: { ...EXAMPLE, read: true },
  },
];
