import { after, said, subjectName, type NotificationRules } from '../notifications/notifier.js';

/** What is notified of webhooks: to those who manage them. An event of a failure would itself be sent, and fail. */
export const webhookNotifications: NotificationRules = {
  WEBHOOK_ENDPOINT_DISABLED: (entry, language) => [
    {
      type: 'SYSTEM',
      ...said(language, 'WEBHOOK_ENDPOINT_DISABLED', {
        name: subjectName(entry, language),
        reason: String(after(entry, 'disabledReason')),
      }),
      href: `/organizations/${entry.organizationId}/webhooks`,
      to: { privilege: 'MANAGE_WEBHOOKS' },
      urgentFrom: 'ORGANIZATION_MANAGER',
    },
  ],
};
