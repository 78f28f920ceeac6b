import type { Language } from '../../messages/language.js';
import type { IncidentReportStage } from '../../values/enums.js';
import type { LoggedEntry } from '../audit/consumer.js';
import {
  actorName,
  after,
  said,
  subjectName,
  type Notice,
  type NoticedEntry,
  type NotificationRules,
} from '../notifications/notifier.js';
import { WRITTEN } from './incident-update.service.js';

/** Notifications of incidents: every change, to those who read them, and deadlines of reports. */
export const incidentNotifications: NotificationRules = {
  INCIDENT_OPENED: byActor,
  INCIDENT_UPDATED: (entry, language) => byActor(entry, language, { fields: changedOf(entry, language) }),
  INCIDENT_ASSESSED: byActor,
  INCIDENT_CLOSED: byActor,
  INCIDENT_REOPENED: byActor,
  INCIDENT_REJUDGED: byActor,
  NOTE_ADDED: byActor,
  REPORT_RECORDED: (entry, language) =>
    byActor(entry, language, { report: reportOf(entry, language), manner: String(after(entry, 'manner')) }),
  REPORT_CORRECTED: (entry, language) => byActor(entry, language, { report: reportOf(entry, language) }),
  REPORT_DUE_SOON: ofDeadline,
  REPORT_OVERDUE: ofDeadline,
  ATTACHMENT_ADDED: byActor,
  ATTACHMENT_DELETED: byActor,
};

function byActor(entry: NoticedEntry, language: Language, values: Readonly<Record<string, string>> = {}): Notice[] {
  const incident = entry.subject.parent?.name ?? '';
  return [ofIncident(entry, language, { actor: actorName(entry, language), incident, ...values })];
}

function ofIncident(entry: NoticedEntry, language: Language, values: Readonly<Record<string, string>>): Notice {
  const { organizationId, subject } = entry;
  const { databaseId: id } = subject.parent ?? subject;
  const href = `/organizations/${organizationId}/incidents/${id}`;
  const texts = said(language, entry.action, { name: subjectName(entry, language), ...values });
  return { type: 'INCIDENT', ...texts, href, to: { privilege: 'READ_INCIDENTS' }, alerts: 'v_ciso' };
}

/** In the order of the properties. */
function changedOf({ changes }: LoggedEntry, language: Language): string {
  const changed = new Set(changes.map(({ field }) => field));
  const written = WRITTEN.filter((property) => changed.has(property));
  return written.map((property) => language.text(`incident-words.field.${property}`)).join(', ');
}

/** `early warning (NIS 2)`, `progress report 2 (NIS 2, Italy)` */
export function reportName(
  language: Language,
  { stage, number, regime }: { stage: IncidentReportStage; number: number; regime: string },
): string {
  return language.text(`incident-words.report.${stage}`, { number, regime: language.translated(regime) });
}

function reportOf(entry: LoggedEntry, language: Language): string {
  return reportName(language, {
    stage: after(entry, 'stage') as IncidentReportStage,
    number: Number(after(entry, 'number')),
    regime: String(after(entry, 'regimeName') ?? after(entry, 'regimeId')),
  });
}

function ofDeadline(entry: NoticedEntry, language: Language): Notice[] {
  const report = reportOf(entry, language);
  const when = language.instant(String(after(entry, 'extendedTo') ?? after(entry, 'dueAt')), entry.timeZone);
  const notice = ofIncident(entry, language, { report, when });
  const title = `${notice.title.charAt(0).toLocaleUpperCase(language.tag)}${notice.title.slice(1)}`;
  return [{ ...notice, title, to: { privilege: 'EDIT_INCIDENTS' }, urgentFrom: 'SECURITY_OFFICER', deadline: true }];
}
