import type { TrailFault } from '../../errors.js';
import type { NotifiableEvent } from '../notifications/notifier.js';

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
