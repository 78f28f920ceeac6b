/** Category of a notification (specification 2.11 `type`; values from decisions 10). */
export const NOTIFICATION_TYPES = Object.freeze([
  'INCIDENT',
  'DOCUMENT',
  'DEVICE',
  'WORKFLOW',
  'MEMBER',
  'TOKEN',
  'SYSTEM',
] as const);

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
