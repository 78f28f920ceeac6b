import type { AuditSubjectType } from '../../values/audit.js';
import { after, subjectName, type Alerts, type NotificationRules } from '../notifications/notifier.js';

/** How notifications speak of devices of each kind, and where their links begin. */
const KINDS: Partial<Record<AuditSubjectType, { noun: string; link: string; alerts: Alerts }>> = {
  CLOUD_DEFENDER: { noun: 'Edge protection', link: '/cloud-defender', alerts: 'cloud_defender' },
  THREAT_BLOCKER: { noun: 'Threat blocker', link: '/atb', alerts: 'atb' },
};

/** What is notified of devices: that one went down, or is back. */
export const deviceNotifications: NotificationRules = {
  DEVICE_STATUS_CHANGED: (entry) => {
    const { type, databaseId: id } = entry.subject;
    const kind = KINDS[type];
    if (kind === undefined) return [];
    const isDown = after(entry, 'isDown') === true;
    return [
      {
        type: 'DEVICE',
        title: `${kind.noun} ${isDown ? 'down' : 'back'}`,
        message: `${subjectName(entry) || `Number ${id}`}: ${entry.reason}`,
        href: `${kind.link}/${id}`,
        to: { privilege: 'READ_DEVICES' },
        alerts: kind.alerts,
        ...(isDown && { urgentFrom: 'VIEWER' }),
      },
    ];
  },
};
