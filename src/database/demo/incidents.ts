import type { EntityManager } from '@mikro-orm/postgresql';
import { Incident, IncidentAttachment, IncidentReport } from '../../entities/incident.js';
import type { Organization } from '../../entities/organization.js';
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

/** A closed incident, one that owes nothing, and one whose clock runs; returns the running one. */
export async function createIncidents(
  em: EntityManager,
  organization: Organization,
  { people, timeline, files }: IncidentStage,
): Promise<Incident> {
  const closed = closedIncident(em, organization, people, timeline);
  const open = openIncident(em, organization, people, timeline);
  em.persist([closed, smallIncident(em, organization, people, timeline), open]);
  recordReports(em, closed);
  recordReports(em, open);
  const file = await files.keep(incidentTimeline((hours) => timeline.hoursAgo(AWARE - hours)));
  const { id: uploaderId, username: createdBy } = people.analyst;
  em.persist(
    em.create(IncidentAttachment, { ...file, incident: open, createdBy, uploaderId, createdAt: timeline.hoursAgo(20) }),
  );
  return open;
}

function openIncident(em: EntityManager, organization: Organization, people: People, timeline: Timeline): Incident {
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

/** The history behind the clock. */
function recordReports(em: EntityManager, incident: Incident): void {
  const { earlyWarningSentAt, notificationSentAt, finalReportSentAt } = incident;
  const sent = [
    ['EARLY_WARNING', earlyWarningSentAt, incident.earlyWarningSentBy],
    ['NOTIFICATION', notificationSentAt, incident.notificationSentBy],
    ['FINAL_REPORT', finalReportSentAt, incident.finalReportSentBy],
  ] as const;
  for (const [stage, sentAt, recordedBy] of sent) {
    if (sentAt == null || recordedBy == null) continue;
    em.persist(em.create(IncidentReport, { incident, stage, sentAt, reason: '', recordedBy, recordedAt: sentAt }));
  }
}
