import type { App } from '../../src/app/app.js';
import type { Database } from '../../src/database/database.js';
import type { QueueData, QueueName } from '../../src/database/job-queues.js';

/** Skips the delays of jobs before their retries. */
export async function passPauses(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set start_after = now() where state in ('created', 'retry')`);
}

/** Marks running jobs as crashed, as the queue does at their timeout. */
export async function expireJobs(database: Database): Promise<void> {
  await database.rows(`update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
                        where state = 'active'`);
}

/** Enqueues the weekly reports that are due, without delivery. */
export async function postWeeklyReports(app: App): Promise<void> {
  await app.jobs.run('weeklyReportPosting.enqueueDue');
  await workDue(app, 'weekly-report');
}

const QUEUES = ['recovery', 'weekly-report', 'mail', 'periodic'] as const;

/** Runs the jobs that are due now, without a waiting worker, and returns their number. */
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
      // Only workers may name a dead-letter queue; without retries a job is moved to it.
      await boss.update(queue, undefined, { id, retryLimit: 0 });
      await boss.fail(queue, id, output);
    }
  }
  return worked;
}

/** A row in the table of outgoing mails. */
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

/** Enqueued mails, the oldest first, delivered or not. */
export function postedMails(database: Database): Promise<MailRecord[]> {
  return database.rows<MailRecord>(
    `select id, recipient, state, attempts, last_error as "lastError", sent_at as "sentAt", content
       from outgoing_mail order by created_at, id`,
  );
}
