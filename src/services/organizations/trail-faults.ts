import type { TrailFault } from '../../errors.js';
import { inEachLanguage, said, type NotifiableEvent } from '../notifications/notifier.js';

/** What those who manage an organization are notified of when its trail has a fault. */
export function trailFaultNotice(organizationId: number, at: Date, { message }: TrailFault): NotifiableEvent {
  return {
    ...{ organizationId, at: at.toISOString(), type: 'SYSTEM' },
    texts: inEachLanguage((language) => said(language, 'TRAIL_FAULT', { message })),
    href: `/organizations/${organizationId}/audit-trail`,
    to: { privilege: 'MANAGE_SETTINGS' },
  };
}
