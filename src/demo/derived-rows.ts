import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import type { Organization } from '../entities/organizations.js';
import { ControlState, OrganizationWorkflow, WorkflowProgress } from '../entities/workflows.js';
import { OutgoingMail } from '../entities/shared.js';
import { WeeklyReport, WeeklyReportRun } from '../entities/reports.js';
import { newestDue } from '../services/reports/report-week.js';
import { leavesOf, type WorkflowCatalog } from '../services/workflows/catalog.js';
import { countBegun, dayOf, nothingBegun } from '../services/workflows/progress.js';
import type { FixtureLoader } from './fixture-loader.js';

/** The progress of each associated workflow, day by day, as the states of its controls came about. */
export function createProgress(em: EntityManager, fixtures: FixtureLoader, catalog: WorkflowCatalog): void {
  const states = fixtures
    .all(ControlState)
    .map(({ entity }) => entity)
    .toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime());
  for (const { entity: associated } of fixtures.all(OrganizationWorkflow)) {
    const { organization, workflowId, createdAt } = associated;
    const own = states.filter((state) => state.organization === organization && state.workflowId === workflowId);
    const workflow = catalog.find(workflowId);
    if (own.length === 0 || workflow === undefined) continue;
    const leaves = leavesOf(workflow);
    const counts = nothingBegun(leaves.size);
    const days = new Map([[dayOf(createdAt), { ...counts }]]);
    for (const { controlId, status, updatedAt } of own) {
      if (!leaves.has(controlId) || status === 'TO_DO') continue;
      countBegun(counts, status);
      days.set(dayOf(updatedAt), { ...counts });
    }
    for (const [day, progress] of days)
      em.persist(em.create(WorkflowProgress, { organization, workflowId, day, ...progress }));
  }
}

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds from when a report is due until it is written, and until the mail server has it. */
const WRITTEN = 20_000;
const SENT = 24_000;

/** What became of the reports of the last weeks, the oldest first. The newest one is left to the gateway itself. */
const WEEKS = [
  { weeksAgo: 3, attempts: 1, state: 'SENT' },
  { weeksAgo: 2, attempts: 1, state: 'FAILED', lastError: 'The mail server refused the recipient (550).' },
  { weeksAgo: 1, attempts: 3, state: 'SENT' },
] as const;

export function createWeeklyReports(em: EntityManager, organization: Organization, now: Date): void {
  for (const { weeksAgo, ...outcome } of WEEKS) {
    const then = new Date(now.getTime() - 7 * weeksAgo * DAY);
    const { week, dueAt } = newestDue(then, organization.timeZone, organization.reportWeekday);
    const createdAt = new Date(dueAt.getTime() + WRITTEN);
    const sentAt = outcome.state === 'SENT' ? new Date(dueAt.getTime() + SENT) : null;
    em.persist(em.create(WeeklyReportRun, { organization, week, postedAt: createdAt }));
    for (const { email, emailReport } of organization.contacts) {
      if (!emailReport) continue;
      const mail = em.create(OutgoingMail, { id: randomUUID(), recipient: email, ...outcome, createdAt, sentAt });
      em.persist(em.create(WeeklyReport, { organization, week, email, mail }));
    }
  }
}
