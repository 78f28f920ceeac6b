import type { TrailFault } from '../../errors.js';
import {
  inEachLanguage,
  said,
  subjectName,
  type NotifiableEvent,
  type NotificationRules,
} from '../notifications/notifier.js';

/** Notifications of organizations. Members of a deleted one see no notification until it is restored. */
export const organizationNotifications: NotificationRules = {
  ORGANIZATION_RESTORED: (entry, language) => [
    {
      type: 'SYSTEM',
      ...said(language, 'ORGANIZATION_RESTORED', { name: subjectName(entry, language) }),
      href: `/organizations/${entry.organizationId}`,
      to: { privilege: 'READ_ORGANIZATION' },
    },
  ],
  AUDIT_ENTRIES_SET_ASIDE: ({ organizationId, position }, language) => [
    {
      type: 'SYSTEM',
      ...said(language, 'AUDIT_ENTRIES_SET_ASIDE', { position }),
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
    texts: inEachLanguage((language) => said(language, 'TRAIL_FAULT', { message })),
    href: `/organizations/${organizationId}/audit-trail`,
    to: { privilege: 'MANAGE_SETTINGS' },
  };
}
