import type { LoggedEntry } from '../audit/consumer.js';
import { actorName, after, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';
import { WRITTEN } from './incident-update.service.js';

/** What is notified of incidents: every change, to those who read them, and deadlines of reports. */
export const incidentNotifications: NotificationRules = {
  INCIDENT_OPENED: byActor('Incident opened', (entry) => `opened ${nameOf(entry)}`),
  INCIDENT_UPDATED: byActor('Incident updated', (entry) => `changed of ${nameOf(entry)}: ${changedOf(entry)}`),
  INCIDENT_CLOSED: byActor('Incident closed', (entry) => `closed ${nameOf(entry)}`),
  INCIDENT_REOPENED: byActor('Incident reopened', (entry) => `opened ${nameOf(entry)} again`),
  INCIDENT_REJUDGED: byActor('Incident judged anew', (entry) => `judged ${nameOf(entry)} anew`),
  NOTE_ADDED: byActor('Note added', (entry) => `added a note to ${nameOf(entry)}`),
  REPORT_RECORDED: byActor(
    'Report recorded',
    (entry) => `recorded that the ${reportOf(entry)} on ${nameOf(entry)} was sent`,
  ),
  REPORT_CORRECTED: byActor(
    'Report corrected',
    (entry) => `corrected what is recorded of the ${reportOf(entry)} on ${nameOf(entry)}`,
  ),
  REPORT_DUE_SOON: (entry) => [ofDeadline(entry, 'soon', (when) => `is due at ${when}.`)],
  REPORT_OVERDUE: (entry) => [ofDeadline(entry, 'now', (when) => `was due at ${when} and is not recorded as sent.`)],
  ATTACHMENT_ADDED: byActor('File attached', (entry) => `attached ${nameOf(entry)} to ${incidentOf(entry)}`),
  ATTACHMENT_DELETED: byActor('Attached file deleted', (entry) => `deleted ${nameOf(entry)} of ${incidentOf(entry)}`),
};

function byActor(title: string, what: (entry: LoggedEntry) => string) {
  return (entry: LoggedEntry) => [ofIncident(entry, title, `${actorName(entry)} has ${what(entry)}.`)];
}

function ofIncident({ organizationId, subject }: LoggedEntry, title: string, message: string): Notice {
  const { databaseId: id } = subject.parent ?? subject;
  const href = `/organizations/${organizationId}/incidents/${id}`;
  return { type: 'INCIDENT', title, message, href, to: { privilege: 'READ_INCIDENTS' }, alerts: 'v_ciso' };
}

const nameOf = (entry: LoggedEntry) => `“${subjectName(entry)}”`;
const incidentOf = ({ subject }: LoggedEntry) => `“${subject.parent?.name ?? ''}”`;

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
  const notice = ofIncident(entry, title, message);
  return { ...notice, to: { privilege: 'EDIT_INCIDENTS' }, urgentFrom: 'SECURITY_OFFICER', deadline: true };
}
