import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { OutgoingMail } from '../../entities/outgoing-mail.js';
import type { Organization } from '../../entities/organization.js';
import { WeeklyReport, WeeklyReportRun } from '../../entities/weekly-report.js';
import { newestDue } from '../../services/report-week.js';
import type { Timeline } from './timeline.js';

/** Seconds between a report's being due, its being written and its being taken by the mail server. */
const WRITTEN = 20;
const TAKEN = 24;

/** What became of the reports of the last weeks, the oldest first. The newest one is left to the gateway itself. */
const STORY = [
  { weeksAgo: 3, attempts: 1, state: 'SENT' },
  { weeksAgo: 2, attempts: 1, state: 'FAILED', lastError: 'The mail server refused the recipient (550).' },
  { weeksAgo: 1, attempts: 3, state: 'SENT' },
] as const;

export function createWeeklyReports(em: EntityManager, organization: Organization, timeline: Timeline): void {
  for (const { weeksAgo, ...outcome } of STORY) {
    const then = timeline.daysAgo(7 * weeksAgo);
    const { week, dueAt } = newestDue(then, organization.timeZone, organization.reportWeekday);
    const after = (seconds: number) => new Date(dueAt.getTime() + seconds * 1000);
    em.persist(em.create(WeeklyReportRun, { organization, week, postedAt: after(WRITTEN) }));
    for (const { email, emailReport } of organization.contacts) {
      if (!emailReport) continue;
      const sentAt = outcome.state === 'SENT' ? after(TAKEN) : null;
      const mail = em.create(OutgoingMail, {
        id: randomUUID(),
        recipient: email,
        ...outcome,
        createdAt: after(WRITTEN),
        sentAt,
      });
      em.persist(em.create(WeeklyReport, { organization, week, email, mail }));
    }
  }
}
