import { exampleOrganization } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

const EXAMPLES = {
  Notification: {
    id: 90,
    organization: exampleOrganization,
    title: 'Early warning is due',
    message: 'The early warning for the incident "Phishing" is due in two hours.',
    type: 'INCIDENT',
    action: 'OPEN',
    read: false,
    datetime: '2026-11-20T09:30:00.000Z',
    icon: 'fa fa-bell',
    extra: { href: '/incidents/12' },
  },
};

export const NOTIFICATIONS_ROUTES = routesAbout({ tag: 'Notifications', examples: EXAMPLES }, [
  {
    method: 'GET',
    path: '/api/v1/notifications',
    operationId: 'listNotifications',
    source: 'specification 4.10',
    summary: 'List the notifications of the authenticated user',
    description:
      'Notifications of the user that the token belongs to, newest first. To poll, send the `ETag` of the last answer as `If-None-Match`.',
    data: 'notifications.nodes',
    view: 'Notification',
    revision: 'notificationsRevision',
    parameters: 'limit offset sort read type organization_id',
    sort: '-datetime',
  },
  {
    method: 'GET',
    path: '/api/v1/notifications/unread-count',
    operationId: 'countUnreadNotifications',
    summary: 'Count the unread notifications',
    description: 'How many notifications the caller has not read, in all or about one organization.',
    data: 'unreadNotificationCount',
    view: 'UnreadNotificationCount',
    parameters: 'organization_id',
    example: { count: 3 },
  },
  {
    method: 'POST',
    path: '/api/v1/notifications/read',
    operationId: 'markNotificationsRead',
    summary: 'Mark many notifications, or all, read or unread',
    description:
      'Either `ids` (100 at most) or `all`, which `organization_id` narrows to one organization. An id that is not a notification of the caller refuses them all.',
    data: 'markNotificationsRead.marks',
    view: 'NotificationMarks',
    body: { example: { ids: [29, 30], read: true } },
    errors: ['NOT_FOUND'],
    example: { changed: 2, unread: 1 },
  },
  {
    method: 'GET',
    path: '/api/v1/notifications/{id}',
    operationId: 'getNotification',
    summary: 'Read a notification',
    description: 'Only notifications of the caller are readable.',
    data: 'notification',
    view: 'Notification',
    examples: { id: 30 },
  },
  {
    method: 'PATCH',
    path: '/api/v1/notifications/{id}',
    operationId: 'updateNotification',
    summary: 'Mark a notification read or unread',
    description: 'Only notifications of the caller can be marked.',
    data: 'updateNotification.notification',
    view: 'Notification',
    examples: { id: 30 },
    body: { example: { read: true } },
    example: { ...EXAMPLES.Notification, read: true },
  },
]);
