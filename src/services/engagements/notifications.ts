import type { LoggedEntry } from '../audit/consumer.js';
import { actorName, after, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';

/** Notifications of those who manage engagements. Auditors are no members and get no notifications. */
export const engagementNotifications: NotificationRules = {
  AUDITOR_JOINED: (entry) => [
    notice(entry, 'An auditor has joined', `${actorName(entry)} is an auditor of "${subjectName(entry)}" now.`),
  ],
  EVIDENCE_REQUESTED: (entry) => [
    notice(
      entry,
      'An auditor asks for evidence',
      `${actorName(entry)} asks for evidence of ${String(after(entry, 'control'))}: ${String(after(entry, 'text'))}`,
    ),
  ],
  SIGNED_OFF: (entry) => [
    notice(
      entry,
      'An auditor has signed off',
      `${actorName(entry)} has signed ${String(after(entry, 'about'))} off: ${String(after(entry, 'statement'))}`,
    ),
  ],
};

function notice(entry: LoggedEntry, title: string, message: string): Notice {
  const href = `/organizations/${entry.organizationId}/engagements/${entry.subject.databaseId}`;
  return { type: 'WORKFLOW', title, message, href, to: { privilege: 'MANAGE_ENGAGEMENTS' } };
}
