import { subjectName, type NotificationRules } from '../notifications/notifier.js';

/** What is notified of organizations. Members of a deleted one see no notification until it is restored. */
export const organizationNotifications: NotificationRules = {
  ORGANIZATION_RESTORED: (entry) => [
    {
      type: 'SYSTEM',
      title: 'The organization was restored',
      message: `${subjectName(entry)} is there again, with all that belongs to it.`,
      href: `/organizations/${entry.organizationId}`,
      to: { privilege: 'READ_ORGANIZATION' },
    },
  ],
};
