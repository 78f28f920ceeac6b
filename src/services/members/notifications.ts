import type { Language } from '../../messages/language.js';
import type { Role } from '../../values/enums.js';
import type { LoggedEntry } from '../audit/consumer.js';
import {
  actorName,
  after,
  before,
  said,
  subjectName,
  type EntryOf,
  type Notice,
  type NoticeName,
  type NotificationRules,
} from '../notifications/notifier.js';
import { pseudonymOf } from './erased-names.js';

/** Notifications of members: to those who manage them, and to the member itself. */
export const memberNotifications: NotificationRules = {
  MEMBER_JOINED: (entry, language) => {
    // A directory may add hundreds at once, and those who manage members have configured it.
    if (entry.actor.type === 'SCIM') return [];
    return [ofMember(entry, language, 'MEMBER_JOINED', { role: roleIn(language, after(entry, 'role')) })];
  },
  MEMBER_UPDATED: (entry, language) => [...ofActivity(entry, language), ...ofRole(entry, language)],
  MEMBER_REMOVED: ofEnd,
  MEMBER_LEFT: ofEnd,
  SERVICE_ACCOUNT_CREATED: ofResponsible,
  SERVICE_ACCOUNT_UPDATED: ofResponsible,
  OWNERSHIP_TRANSFERRED: (entry, language) => {
    const notice = ofMember(entry, language, 'OWNERSHIP_TRANSFERRED', { actor: actorName(entry, language) });
    return [{ ...notice, to: { privilege: 'READ_ORGANIZATION' } }];
  },
};

const roleIn = (language: Language, role: unknown) => language.text(`enums.Role.${role as Role}`);

function ofMember(
  entry: LoggedEntry,
  language: Language,
  what: NoticeName,
  values: Readonly<Record<string, string>> = {},
): Notice {
  const href = `/organizations/${entry.organizationId}/users`;
  const texts = said(language, what, { name: subjectName(entry, language), ...values });
  return { type: 'MEMBER', ...texts, href, to: { privilege: 'MANAGE_MEMBERS' } };
}

function ofEnd(entry: EntryOf<'MEMBER_REMOVED' | 'MEMBER_LEFT'>, language: Language): Notice[] {
  if (after(entry, 'erased') !== true) return [ofMember(entry, language, entry.action)];
  return [ofMember(entry, language, 'MEMBER_ERASED', { pseudonym: pseudonymOf(entry.subject.databaseId) })];
}

function ofActivity(entry: LoggedEntry, language: Language): Notice[] {
  const active = after(entry, 'active');
  if (active === undefined || entry.actor.type === 'SCIM') return [];
  return [ofMember(entry, language, active === true ? 'MEMBER_REACTIVATED' : 'MEMBER_DEACTIVATED')];
}

/** To the member, if active. */
function ofRole(entry: LoggedEntry, language: Language): Notice[] {
  if (after(entry, 'role') === undefined) return [];
  const [is, was] = [after, before].map((value) => roleIn(language, value(entry, 'role'))) as [string, string];
  const notice = ofMember(entry, language, 'ROLE_CHANGED', { is, was });
  return [{ ...notice, to: { users: [entry.subject.databaseId] }, urgentFrom: 'VIEWER' }];
}

/** To the new responsible member of a service account, or to its managers without one. */
function ofResponsible(entry: LoggedEntry, language: Language): Notice[] {
  const responsible = after(entry, 'responsible');
  if (responsible === undefined) return [];
  const href = `/organizations/${entry.organizationId}/service-accounts`;
  const isNamed = typeof responsible === 'string';
  const name = subjectName(entry, language);
  const texts = said(language, isNamed ? 'RESPONSIBLE_NAMED' : 'RESPONSIBLE_GONE', { name });
  const to = isNamed ? { users: [responsible] } : ({ privilege: 'MANAGE_SERVICE_ACCOUNTS' } as const);
  // Removing a member does not show its service accounts.
  return [{ type: 'MEMBER', ...texts, href, to, ...(!isNamed && { except: null }) }];
}
