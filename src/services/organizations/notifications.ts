import type { TrailFault } from '../../errors.js';
import { subjectName, type NotifiableEvent, type NotificationRules } from '../notifications/notifier.js';

/** Notifications of organizations. Members of a deleted one see no notification until it is restored. */
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
  AUDIT_ENTRIES_SET_ASIDE: ({ organizationId, position }) => [
    {
      type: 'SYSTEM',
      title: 'Entries that no gateway had written were found',
      message: `They stood behind the audit trail and were taken out of its way, as entry ${position} says. Ask the operator of the gateway who has written to its database.`,
      href: `/organizations/${organizationId}/audit-trail`,
      to: { privilege: 'MANAGE_SETTINGS' },
      urgentFrom: 'ORGANIZATION_MANAGER',
    },
  ],
};

/** Notification of those who manage an organization whose trail has an error. */
export function trailFaultNotice(organizationId: number, at: Date, { message }: TrailFault): NotifiableEvent {
  return {
    ...{ organizationId, at: at.toISOString(), type: 'SYSTEM' },
    title: 'The audit trail is not as it was written',
    message: `${message} Keep what you have exported, and ask the operator of the gateway to compare the trail with earlier checkpoints.`,
    href: `/organizations/${organizationId}/audit-trail`,
    to: { privilege: 'MANAGE_SETTINGS' },
  };
}
