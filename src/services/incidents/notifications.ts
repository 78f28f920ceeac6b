import type { Privilege } from '../../auth/roles.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { actorName, after, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';
import { WRITTEN } from './incident-update.service.js';

/** What is notified of incidents: every change, to those who read them, and deadlines of reports. */
export const incidentNotifications: NotificationRules = {
  INCIDENT_OPENED: (entry) => [
    ofIncident(entry, 'Incident opened', `${actorName(entry)} has opened ${nameOf(entry)}.`),
  ],
  INCIDENT_UPDATED: (entry) => [
    ofIncident(entry, 'Incident updated', `${actorName(entry)} has changed of ${nameOf(entry)}: ${changedOf(entry)}.`),
  ],
  INCIDENT_CLOSED: (entry) => [
    ofIncident(entry, 'Incident closed', `${actorName(entry)} has closed ${nameOf(entry)}.`),
  ],
  INCIDENT_REOPENED: (entry) => [
    ofIncident(entry, 'Incident reopened', `${actorName(entry)} has opened ${nameOf(entry)} again.`),
  ],
  NOTE_ADDED: (entry) => [ofIncident(entry, 'Note added', `${actorName(entry)} has added a note to ${nameOf(entry)}.`)],
  REPORT_RECORDED: (entry) => [
    ofIncident(
      entry,
      'Report recorded',
      `${actorName(entry)} has recorded that the ${reportOf(entry)} on ${nameOf(entry)} was sent.`,
    ),
  ],
  REPORT_CORRECTED: (entry) => [
    ofIncident(
      entry,
      'Report corrected',
      `${actorName(entry)} has corrected what is recorded of the ${reportOf(entry)} on ${nameOf(entry)}.`,
    ),
  ],
  REPORT_DUE_SOON: (entry) => [ofDeadline(entry, 'soon', (when) => `is due at ${when}.`)],
  REPORT_OVERDUE: (entry) => [ofDeadline(entry, 'now', (when) => `was due at ${when} and is not recorded as sent.`)],
  ATTACHMENT_ADDED: (entry) => [ofAttachment(entry, 'File attached', 'attached', 'to')],
  ATTACHMENT_DELETED: (entry) => [ofAttachment(entry, 'Attached file deleted', 'deleted', 'of')],
};

function ofIncident(
  { organizationId, subject }: LoggedEntry,
  title: string,
  message: string,
  privilege: Privilege = 'READ_INCIDENTS',
): Notice {
  const { databaseId: id } = subject.parent ?? subject;
  const href = `/organizations/${organizationId}/incidents/${id}`;
  return { type: 'INCIDENT', title, message, href, to: { privilege }, alerts: 'v_ciso' };
}

const nameOf = (entry: LoggedEntry) => `“${subjectName(entry)}”`;

/** In the order of the properties. */
function changedOf({ changes }: LoggedEntry): string {
  const changed = new Set(changes.map(({ field }) => field));
  const words = Object.entries(WRITTEN).filter(([property]) => changed.has(property));
  return words.map(([, word]) => word).join(', ');
}

/** `early warning (NIS2)`, `progress report 2 (NIS2-IT)` */
function reportOf(entry: LoggedEntry): string {
  const [stage, number, regime] = ['stage', 'number', 'regimeId'].map((field) => String(after(entry, field)));
  const words = (stage ?? '').toLowerCase().replaceAll('_', ' ');
  return `${words}${number === '1' ? '' : ` ${number}`} (${(regime ?? '').toUpperCase()})`;
}

function ofDeadline(entry: LoggedEntry, when: 'soon' | 'now', state: (instant: string) => string): Notice {
  const report = reportOf(entry);
  const dueAt = String(after(entry, 'dueAt'));
  const instant = `${dueAt.slice(0, 10)} ${dueAt.slice(11, 19)} UTC`;
  const message = `The ${report} on ${nameOf(entry)} ${state(instant)}`;
  const title = `${report.charAt(0).toUpperCase()}${report.slice(1)} due ${when}`;
  return { ...ofIncident(entry, title, message, 'EDIT_INCIDENTS'), urgentFrom: 'SECURITY_OFFICER', deadline: true };
}

function ofAttachment(entry: LoggedEntry, title: string, done: string, preposition: string): Notice {
  const incident = entry.subject.parent?.name ?? '';
  return ofIncident(entry, title, `${actorName(entry)} has ${done} ${nameOf(entry)} ${preposition} “${incident}”.`);
}
