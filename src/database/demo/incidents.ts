import type { EntityManager } from '@mikro-orm/postgresql';
import { Incident, IncidentAttachment, IncidentReminder, IncidentReport } from '../../entities/incident.js';
import type { Organization } from '../../entities/organization.js';
import type { IncidentReportStage } from '../../vocabulary/incident-reports.js';
import { LIMITS } from '../../vocabulary/limits.js';
import { incidentTimeline } from './evidence-tables.js';
import type { People } from './people.js';
import type { StoredFiles } from './stored-files.js';
import type { Timeline } from './timeline.js';

export interface IncidentStage {
  people: People;
  timeline: Timeline;
  files: StoredFiles;
}

/** Hours since the organization became aware: the early warning is over, the notification is not due yet. */
const AWARE = 36;
/** Of the incident whose early warning has not been sent in time. */
const AWARE_OF_OVERDUE = 30;

export interface DemoIncidents {
  running: Incident;
  overdue: Incident;
}

/** A closed incident, one that owes nothing, one whose clock runs, and one whose early warning is late. */
export async function createIncidents(
  em: EntityManager,
  organization: Organization,
  { people, timeline, files }: IncidentStage,
): Promise<DemoIncidents> {
  const closed = closedIncident(em, organization, people, timeline);
  const running = runningIncident(em, organization, people, timeline);
  const overdue = overdueIncident(em, organization, people, timeline);
  em.persist([closed, smallIncident(em, organization, people, timeline), running, overdue]);
  recordReports(em, closed, {
    stage: 'NOTIFICATION',
    sentAt: timeline.daysAgo(61.9),
    correctedAt: timeline.daysAgo(60),
    reason: 'The receipt of the authority names an earlier time.',
  });
  recordReports(em, running);
  markReminded(em, overdue);
  const file = await files.keep(incidentTimeline((hours) => timeline.hoursAgo(AWARE - hours)));
  const { id: uploaderId, username: createdBy } = people.analyst;
  em.persist(
    em.create(IncidentAttachment, {
      ...file,
      incident: running,
      createdBy,
      uploaderId,
      createdAt: timeline.hoursAgo(20),
    }),
  );
  return { running, overdue };
}

function runningIncident(em: EntityManager, organization: Organization, people: People, timeline: Timeline): Incident {
  return em.create(Incident, {
    organization,
    title: 'Encrypted files on two engineering workstations',
    description:
      'Two workstations of the northern substation began to encrypt files. They were separated within half an hour; ' +
      'supply was not interrupted. How the intruder came in is being looked into.',
    severity: 'HIGH',
    status: 'CONTAINED',
    awareAt: timeline.hoursAgo(AWARE),
    significant: true,
    earlyWarningSentAt: timeline.hoursAgo(AWARE - 14),
    earlyWarningSentBy: people.officer.username,
    openedBy: people.analyst.username,
    createdAt: timeline.hoursAgo(AWARE - 0.5),
    updatedAt: timeline.hoursAgo(AWARE - 14),
  });
}

function overdueIncident(em: EntityManager, organization: Organization, people: People, timeline: Timeline): Incident {
  const awareAt = timeline.hoursAgo(AWARE_OF_OVERDUE);
  return em.create(Incident, {
    organization,
    title: 'Supplier reports stolen credentials',
    description: 'The maintenance firm of the generators has lost the passwords of its remote access.',
    severity: 'CRITICAL',
    status: 'OPEN',
    awareAt,
    significant: true,
    openedBy: people.analyst.username,
    createdAt: awareAt,
    updatedAt: awareAt,
  });
}

function closedIncident(em: EntityManager, organization: Organization, people: People, timeline: Timeline): Incident {
  const sentBy = people.officer.username;
  return em.create(Incident, {
    organization,
    title: 'Customer portal unreachable for two hours',
    description: 'A flood of requests exhausted the portal. The edge protection was set to a stricter profile.',
    severity: 'MEDIUM',
    status: 'CLOSED',
    awareAt: timeline.daysAgo(64),
    significant: false,
    earlyWarningSentAt: timeline.daysAgo(63.5),
    earlyWarningSentBy: sentBy,
    notificationSentAt: timeline.daysAgo(62),
    notificationSentBy: sentBy,
    finalReportSentAt: timeline.daysAgo(40),
    finalReportSentBy: sentBy,
    openedBy: people.analyst.username,
    closedAt: timeline.daysAgo(39),
    closedBy: sentBy,
    createdAt: timeline.daysAgo(64),
    updatedAt: timeline.daysAgo(39),
  });
}

function smallIncident(em: EntityManager, organization: Organization, people: People, timeline: Timeline): Incident {
  return em.create(Incident, {
    organization,
    title: 'Lost badge of a contractor',
    description: 'The badge was locked within an hour; nobody has used it.',
    severity: 'LOW',
    status: 'RESOLVED',
    awareAt: timeline.daysAgo(6),
    significant: false,
    openedBy: people.officer.username,
    createdAt: timeline.daysAgo(6),
    updatedAt: timeline.daysAgo(5),
  });
}

/** What was said of a report at first. */
interface Mistake {
  stage: IncidentReportStage;
  sentAt: Date;
  correctedAt: Date;
  reason: string;
}

/** The history behind the clock, what was corrected included. */
function recordReports(em: EntityManager, incident: Incident, mistake?: Mistake): void {
  const { earlyWarningSentAt, notificationSentAt, finalReportSentAt } = incident;
  const sent = [
    ['EARLY_WARNING', earlyWarningSentAt, incident.earlyWarningSentBy],
    ['NOTIFICATION', notificationSentAt, incident.notificationSentBy],
    ['FINAL_REPORT', finalReportSentAt, incident.finalReportSentBy],
  ] as const;
  for (const [stage, sentAt, recordedBy] of sent) {
    if (sentAt == null || recordedBy == null) continue;
    const record = (at: Date, reason: string, recordedAt: Date) =>
      em.persist(em.create(IncidentReport, { incident, stage, sentAt: at, reason, recordedBy, recordedAt }));
    const first = mistake?.stage === stage ? mistake.sentAt : sentAt;
    record(first, '', first);
    if (mistake?.stage === stage) record(sentAt, mistake.reason, mistake.correctedAt);
  }
}

/** Its members were told before the early warning was due, and when it was. */
function markReminded(em: EntityManager, incident: Incident): void {
  const { earlyWarningHours, earlyWarningReminderHours } = LIMITS.incident;
  const dueAt = new Date(incident.awareAt.getTime() + earlyWarningHours * HOUR);
  for (const [kind, createdAt] of [
    ['AHEAD', new Date(dueAt.getTime() - earlyWarningReminderHours * HOUR)],
    ['DUE', dueAt],
  ] as const)
    em.persist(em.create(IncidentReminder, { incident, stage: 'EARLY_WARNING', kind, dueAt, createdAt }));
}

const HOUR = 60 * 60 * 1000;
