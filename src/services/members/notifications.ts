import type { Role } from '../../values/enums.js';
import type { LoggedEntry } from '../audit/consumer.js';
import {
  actorName,
  after,
  before,
  subjectName,
  type Notice,
  type NotificationRules,
} from '../notifications/notifier.js';
import { pseudonymOf } from './erasure.service.js';
import { roleName } from '../shared/privileges.js';

/** What is notified of members: to those who manage them, and to the member itself. */
export const memberNotifications: NotificationRules = {
  MEMBER_JOINED: (entry) => [
    ofMember(
      entry,
      'A member has joined',
      `${subjectName(entry)} has accepted the invitation and is ${roleName(after(entry, 'role') as Role)} of the organization now.`,
    ),
  ],
  MEMBER_UPDATED: (entry) => [...ofActivity(entry), ...ofRole(entry)],
  MEMBER_REMOVED: (entry) => [
    ofErased(entry) ?? ofMember(entry, 'A member was removed', `${subjectName(entry)} ${GONE}`),
  ],
  MEMBER_LEFT: (entry) => [ofErased(entry) ?? ofMember(entry, 'A member has left', `${subjectName(entry)} ${GONE}`)],
  OWNERSHIP_TRANSFERRED: (entry) => [
    {
      ...ofMember(
        entry,
        'The ownership was transferred',
        `${subjectName(entry)} is Organization Owner now; ${actorName(entry)} was before.`,
      ),
      to: { privilege: 'READ_ORGANIZATION' },
    },
  ],
};

const GONE = 'does not belong to the organization any more.';

function ofMember({ organizationId }: LoggedEntry, title: string, message: string): Notice {
  const href = `/organizations/${organizationId}/users`;
  return { type: 'MEMBER', title, message, href, to: { privilege: 'MANAGE_MEMBERS' } };
}

function ofErased(entry: LoggedEntry): Notice | undefined {
  if (after(entry, 'erased') !== true) return undefined;
  const pseudonym = pseudonymOf(entry.subject.databaseId);
  return ofMember(entry, 'A member was erased', `${pseudonym} is what remains of a member who ${GONE}`);
}

function ofActivity(entry: LoggedEntry): Notice[] {
  const active = after(entry, 'active');
  if (active === undefined) return [];
  return [
    active === true
      ? ofMember(entry, 'A member was reactivated', `${subjectName(entry)} has access to the organization again.`)
      : ofMember(
          entry,
          'A member was deactivated',
          `${subjectName(entry)} has no access to the organization any more.`,
        ),
  ];
}

/** To the member, as far as it is active. */
function ofRole(entry: LoggedEntry): Notice[] {
  const role = after(entry, 'role');
  if (role === undefined) return [];
  const message = `You are ${roleName(role as Role)} of the organization now; you were ${roleName(before(entry, 'role') as Role)}.`;
  const notice = ofMember(entry, 'Your role was changed', message);
  return [{ ...notice, to: { users: [entry.subject.databaseId] }, urgentFrom: 'VIEWER' }];
}
