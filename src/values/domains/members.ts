import { ORGANIZATION, allows, ownAffairs, toAuditors } from './domain.js';

export const MEMBERS = {
  privileges: {
    ...allows('VIEWER', 'write', {
      LEAVE_ORGANIZATION: 'Leave the organization; its last owner cannot.',
      SET_OWN_ALERTS: 'Choose which alerts and mails of the organization one wants for oneself.',
    }),
    ...allows('SECURITY_OFFICER', 'read', {
      // Specification 4.7.
      LIST_MEMBERS: 'List the users of the organization.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'read', {
      LIST_INVITATIONS: 'List the invitations of the organization.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_MEMBERS: 'Invite, change and remove members below ORGANIZATION_MANAGER.',
    }),
    ...allows('ORGANIZATION_OWNER', 'write', {
      MANAGE_OWNERS: 'Invite, change and remove members of any rank.',
    }),
  },
  subjects: {
    USER: { text: 'A user; the UUID.' },
    MEMBER: { text: 'A member; the UUID of the user.', path: `${ORGANIZATION}/users/{id}` },
    INVITATION: { text: 'An invitation; its number.', path: `${ORGANIZATION}/invitations/{id}` },
  },
  actions: {
    MEMBER_INVITED: toAuditors('invitation.created', 'A person was invited.'),
    INVITATION_RESENT: toAuditors('invitation.resent', 'An invitation was sent again.'),
    INVITATION_CANCELLED: toAuditors('invitation.cancelled', 'An invitation was cancelled.'),
    MEMBER_JOINED: toAuditors('member.joined', 'A person became a member.'),
    MEMBER_UPDATED: toAuditors(
      'member.updated',
      'The role, the alert preferences or the mail preferences of a member were changed, the member was deactivated or reactivated, or a directory changed its data.',
    ),
    MEMBER_REMOVED: toAuditors('member.removed', 'A member was removed.'),
    MEMBER_LEFT: toAuditors('member.left', 'A member left.'),
    PROFILE_UPDATED: ownAffairs('The profile of a user was changed.'),
    PROFILE_EXPORTED: ownAffairs('Everything about a user was exported.'),
    USER_ERASED: ownAffairs('A user was erased.'),
  },
} as const;
