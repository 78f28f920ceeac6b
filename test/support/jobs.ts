import type { App } from '../../src/app/app.js';
import type { Database } from '../../src/database/database.js';
import type { QueueData, QueueName } from '../../src/database/job-queues.js';

/** Lets the pauses pass that jobs wait for before their next try. */
export async function passPauses(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set start_after = now() where state in ('created', 'retry')`);
}

/** Marks jobs under way as crashed, as the queue does when their time is over. */
export async function expireJobs(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
                        where state = 'active'`);
}

/** Posts the weekly reports that are due, and delivers none. */
export async function postWeeklyReports(app: App): Promise<void> {
  await app.jobs.run('weeklyReportPosting.enqueueDue');
  await workDue(app, 'weekly-report');
}

const QUEUES = ['recovery', 'weekly-report', 'mail', 'periodic'] as const;

/** Works what is due at this moment, without a worker that waits, and returns how many jobs that were. */
export async function workDue({ jobs }: App, ...queues: readonly QueueName[]): Promise<number> {
  const boss = await jobs.queues.boss();
  let worked = 0;
  for (const queue of queues.length === 0 ? QUEUES : queues) {
    for (;;) {
      const [job] = await boss.fetch<QueueData[QueueName]>(queue);
      if (job === undefined) break;
      worked += 1;
      const { id, status, output } = await jobs.work(queue, job);
      if (status === 'completed') await boss.complete(queue, id);
      else await boss.fail(queue, id, output);
      if (status !== 'deadletter') continue;
      // Only workers may name a dead letter; without further tries a job becomes one.
      await boss.update(queue, undefined, { id, retryLimit: 0 });
      await boss.fail(queue, id, output);
    }
  }
  return worked;
}

/** A mail in the table of mails to be sent. */
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
