import { instantText } from '../../common/local-time.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { actorName, after, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';
import { WRITTEN } from './incident-update.service.js';

/** What is notified of incidents: every change, to those who read them, and deadlines of reports. */
export const incidentNotifications: NotificationRules = {
  INCIDENT_OPENED: byActor('Incident opened', (entry) => `opened ${nameOf(entry)}`),
  INCIDENT_UPDATED: byActor('Incident updated', (entry) => `changed of ${nameOf(entry)}: ${changedOf(entry)}`),
  INCIDENT_ASSESSED: byActor('Incident assessed', (entry) => `assessed whether ${nameOf(entry)} is significant`),
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
  REPORT_DUE_SOON: (entry) => [ofDeadline(entry, 'due soon', (when) => `is due on ${when}.`)],
  REPORT_OVERDUE: (entry) => [
    ofDeadline(entry, 'overdue', (when) => `was due on ${when} and is not recorded as sent.`),
  ],
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

/** `early warning (NIS 2)`, `progress report 2 (NIS 2, Italy)` */
function reportOf(entry: LoggedEntry): string {
  const [stage = '', number] = ['stage', 'number'].map((field) => String(after(entry, field)));
  const regime = String(after(entry, 'regimeName') ?? after(entry, 'regimeId'));
  return `${stage.toLowerCase().replaceAll('_', ' ')}${number === '1' ? '' : ` ${number}`} (${regime})`;
}

function ofDeadline(entry: LoggedEntry, what: 'due soon' | 'overdue', state: (instant: string) => string): Notice {
  const report = reportOf(entry);
  const message = `The ${report} on ${nameOf(entry)} ${state(instantText(String(after(entry, 'dueAt')), entry.timeZone))}`;
  const title = `${report.charAt(0).toUpperCase()}${report.slice(1)} ${what}`;
  const notice = ofIncident(entry, title, message);
  return { ...notice, to: { privilege: 'EDIT_INCIDENTS' }, urgentFrom: 'SECURITY_OFFICER', deadline: true };
}
