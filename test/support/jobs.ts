import type { App } from '../../src/app.js';
import type { Database } from '../../src/database/database.js';

/** Lets the pauses pass that jobs wait for before their next try. */
export async function passPauses(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set start_after = now() where state in ('created', 'retry')`);
}

/** Takes jobs under way for crashed, as the queue does when their time is over. */
export async function expireJobs(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
                        where state = 'active'`);
}

/** Posts the weekly reports that are due, and delivers none. */
export async function postWeeklyReports({ jobs }: App): Promise<void> {
  await jobs.run('weeklyReportPosting.enqueueDue');
  await jobs.workDue(['weekly-report']);
}

export interface MailRecord {
  id: string;
  recipient: string;
  state: string;
  attempts: number;
  lastError: string | null;
  sentAt: string | null;
  /** Null once it is not needed any more. */
  content: { subject: string; html: string; text: string; headers: Record<string, string> } | null;
}

/** Mails that were posted, the oldest first, delivered or not. */
export function postedMails(database: Database): Promise<MailRecord[]> {
  return database.rows<MailRecord>(
    `select id, recipient, state, attempts, last_error as "lastError", sent_at as "sentAt", content
       from outgoing_mail order by created_at, id`,
  );
}
