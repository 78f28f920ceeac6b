import type { TrailFault } from '../../errors.js';
import { inEachLanguage, said, type NotifiableEvent } from '../notifications/notifier.js';

/** Notification of those who manage an organization whose trail has an error. */
export function trailFaultNotice(organizationId: number, at: Date, { message }: TrailFault): NotifiableEvent {
  return {
    ...{ organizationId, at: at.toISOString(), type: 'SYSTEM' },
    texts: inEachLanguage((language) => said(language, 'TRAIL_FAULT', { message })),
    href: `/organizations/${organizationId}/audit-trail`,
    to: { privilege: 'MANAGE_SETTINGS' },
  };
}
