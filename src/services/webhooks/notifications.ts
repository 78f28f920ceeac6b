import { after, subjectName, type NotificationRules } from '../notifications/notifier.js';

const BECAUSE: Readonly<Record<string, string>> = {
  GONE: 'it has answered that it is gone for good (410)',
  FAILING: 'it has accepted nothing for five days',
  MEMBER_LEFT: 'the member who had enabled it does not belong to the organization any more',
};

/** What is notified of webhooks: to those who manage them. An event of a failure would itself be sent, and fail. */
export const webhookNotifications: NotificationRules = {
  WEBHOOK_ENDPOINT_DISABLED: (entry) => [
    {
      type: 'SYSTEM',
      title: 'A webhook endpoint was disabled',
      message: `Nothing is sent to ${subjectName(entry)} any more: ${BECAUSE[String(after(entry, 'disabledReason'))]}. Enable it again when it is in order, and recover what it has missed.`,
      href: `/organizations/${entry.organizationId}/webhooks`,
      to: { privilege: 'MANAGE_WEBHOOKS' },
      urgentFrom: 'ORGANIZATION_MANAGER',
    },
  ],
};
