/** What a notification invites to (specification 2.11 `action`; values from decisions 10). */
export const NOTIFICATION_ACTIONS = Object.freeze(['OPEN', 'NONE'] as const);

export type NotificationAction = (typeof NOTIFICATION_ACTIONS)[number];
