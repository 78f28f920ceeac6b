import type { RouteGroup } from '../route.js';

const NOTIFICATION = {
  id: 90,
  title: 'Early warning is due',
  message: 'The early warning for the incident "Phishing" is due in two hours.',
  type: 'INCIDENT',
  action: 'OPEN',
  datetime: '2026-11-20T09:30:00.000Z',
  icon: 'fa fa-bell',
  extra: { href: '/organizations/1/incidents/12' },
};

export const NOTIFICATIONS: RouteGroup = {
  tag: 'Notifications',
  examples: { Notification: NOTIFICATION },
  views: {
    Notification: [
      'id',
      { organization: 'OrganizationSummary' },
      'title message type action read datetime icon',
      { extra: ['href'] },
    ],
    UnreadNotificationCount: ['count'],
    NotificationMarks: ['changed unread'],
  },
  routes: {
    'GET /api/v1/notifications': {
      operationId: 'listNotifications',
      remarks: 'The newest come first. To poll, send the `ETag` of the last answer as `If-None-Match`.',
      data: 'notifications.nodes',
      parameters: 'read type organization_id',
      revision: 'notificationsRevision',
      sort: '-datetime',
    },
    'GET /api/v1/notifications/unread-count': {
      operationId: 'countUnreadNotifications',
      remarks: 'In all organizations, or in one.',
      data: 'unreadNotificationCount',
      parameters: 'organization_id',
      example: { count: 3 },
    },
    'POST /api/v1/notifications/read': {
      operationId: 'markNotificationsRead',
      remarks:
        'Either `ids` (100 at most) or `all`, which `organization_id` narrows to one organization. An id that is not a notification of the caller refuses them all.',
      data: 'markNotificationsRead.marks',
      body: { example: { ids: [29, 30], read: true } },
      errors: ['NOT_FOUND'],
      example: { changed: 2, unread: 1 },
    },
    'GET /api/v1/notifications/{id}': { operationId: 'getNotification', data: 'notification' },
    'PATCH /api/v1/notifications/{id}': {
      operationId: 'updateNotification',
      data: 'updateNotification.notification',
      body: { example: { read: true } },
      example: { read: true },
    },
  },
};
