import type { Language } from '../../messages/language.js';
import {
  actorName,
  after,
  said,
  subjectName,
  type Notice,
  type NoticedEntry,
  type NotificationRules,
} from '../notifications/notifier.js';

/** Notifications of those who manage engagements. Auditors are no members and get no notifications. */
export const engagementNotifications: NotificationRules = {
  AUDITOR_JOINED: (entry, language) => [notice(entry, language)],
  EVIDENCE_REQUESTED: (entry, language) => [notice(entry, language, ['control', 'text'])],
  SIGNED_OFF: (entry, language) => [notice(entry, language, ['about', 'statement'])],
};

function notice(entry: NoticedEntry, language: Language, fields: readonly string[] = []): Notice {
  const values = {
    ...{ actor: actorName(entry, language), engagement: subjectName(entry, language) },
    ...Object.fromEntries(fields.map((field) => [field, String(after(entry, field))])),
  };
  const href = `/organizations/${entry.organizationId}/engagements/${entry.subject.databaseId}`;
  return { type: 'WORKFLOW', ...said(language, entry.action, values), href, to: { privilege: 'MANAGE_ENGAGEMENTS' } };
}
