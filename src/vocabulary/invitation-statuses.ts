/** What has become of an invitation; derived, never stored. */
export const INVITATION_STATUSES = Object.freeze(['OPEN', 'ACCEPTED', 'EXPIRED', 'CANCELLED'] as const);

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
