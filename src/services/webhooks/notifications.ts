import { after, said, subjectName, type NotificationRules } from '../notifications/notifier.js';

/** Notifications of webhooks for their managers. An event of a failure would itself be sent, and fail. */
export const webhookNotifications: NotificationRules = {
  WEBHOOK_ENDPOINT_DISABLED: (entry, language) => {
    const reason = String(after(entry, 'disabledReason'));
    const texts = said(language, 'WEBHOOK_ENDPOINT_DISABLED', { name: subjectName(entry, language), reason });
    const user = after(entry, 'user');
    if (typeof user === 'string')
      return [{ type: 'SYSTEM', ...texts, href: '/webhooks', to: { users: [user] }, urgentFrom: 'VIEWER' }];
    return [
      {
        ...{ type: 'SYSTEM', ...texts, href: `/organizations/${entry.organizationId}/webhooks` },
        to: { privilege: 'MANAGE_WEBHOOKS' },
        urgentFrom: 'ORGANIZATION_MANAGER',
        // Removing or changing a member does not show its webhook endpoints.
        except: null,
      },
    ];
  },
};
