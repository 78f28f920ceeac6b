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

/** Notifications of members: to those who manage them, and to the member itself. */
export const memberNotifications: NotificationRules = {
  MEMBER_JOINED: (entry) => {
    // Of a directory there may be hundreds at once, and those who manage members have let it do so.
    if (entry.actor.type === 'SCIM') return [];
    const message = `${subjectName(entry)} has accepted the invitation and is ${role(after(entry, 'role'))} of the organization now.`;
    return [ofMember(entry, 'A member has joined', message)];
  },
  MEMBER_UPDATED: (entry) => [...ofActivity(entry), ...ofRole(entry)],
  MEMBER_REMOVED: (entry) => [ofEnd(entry, 'A member was removed')],
  MEMBER_LEFT: (entry) => [ofEnd(entry, 'A member has left')],
  SERVICE_ACCOUNT_CREATED: ofResponsible,
  SERVICE_ACCOUNT_UPDATED: ofResponsible,
  OWNERSHIP_TRANSFERRED: (entry) => {
    const message = `${subjectName(entry)} is Organization Owner now; ${actorName(entry)} was before.`;
    return [{ ...ofMember(entry, 'The ownership was transferred', message), to: { privilege: 'READ_ORGANIZATION' } }];
  },
};

const role = (value: unknown) => roleName(value as Role);

function ofMember({ organizationId }: LoggedEntry, title: string, message: string): Notice {
  const href = `/organizations/${organizationId}/users`;
  return { type: 'MEMBER', title, message, href, to: { privilege: 'MANAGE_MEMBERS' } };
}

function ofEnd(entry: LoggedEntry, title: string): Notice {
  const gone = 'does not belong to the organization any more.';
  if (after(entry, 'erased') !== true) return ofMember(entry, title, `${subjectName(entry)} ${gone}`);
  const pseudonym = pseudonymOf(entry.subject.databaseId);
  return ofMember(entry, 'A member was erased', `${pseudonym} is what remains of a member who ${gone}`);
}

function ofActivity(entry: LoggedEntry): Notice[] {
  const active = after(entry, 'active');
  if (active === undefined || entry.actor.type === 'SCIM') return [];
  const [what, access] =
    active === true
      ? ['reactivated', 'has access to the organization again.']
      : ['deactivated', 'has no access to the organization any more.'];
  return [ofMember(entry, `A member was ${what}`, `${subjectName(entry)} ${access}`)];
}

/** To the member, as far as it is active. */
function ofRole(entry: LoggedEntry): Notice[] {
  if (after(entry, 'role') === undefined) return [];
  const message = `You are ${role(after(entry, 'role'))} of the organization now; you were ${role(before(entry, 'role'))}.`;
  const notice = ofMember(entry, 'Your role was changed', message);
  return [{ ...notice, to: { users: [entry.subject.databaseId] }, urgentFrom: 'VIEWER' }];
}

/** To the person who is responsible for a service account from now on, and without one to those who manage it. */
function ofResponsible(entry: LoggedEntry): Notice[] {
  const responsible = after(entry, 'responsible');
  if (responsible === undefined) return [];
  const notice = {
    type: 'MEMBER',
    href: `/organizations/${entry.organizationId}/service-accounts`,
  } as const;
  if (typeof responsible === 'string') {
    const message = `You answer for ${subjectName(entry)} from now on.`;
    return [{ ...notice, title: 'You answer for a service account', message, to: { users: [responsible] } }];
  }
  const message = `${subjectName(entry)} goes on, and the member who answered for it does not belong to the organization any more. Name another one, or delete it.`;
  const to = { privilege: 'MANAGE_SERVICE_ACCOUNTS' } as const;
  return [{ ...notice, title: 'A service account has no responsible person', message, to }];
}
