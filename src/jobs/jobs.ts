import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobResult, PgBoss, WorkOptions } from 'pg-boss';
import type { Logger } from '../logger.js';
import { type JobQueues, QUEUES, type QueueData, type QueueName } from './queues.js';
import type { PeriodicJob } from './schedule.js';

/** What is done with a job of each queue; throwing means "again, later", or "never" when the error is `permanent`. */
type Handlers = {
  [Name in QueueName]: (data: QueueData[Name], signal: AbortSignal) => Promise<unknown>;
};

/**
 * Seconds between two looks into a queue that was empty, or not full; workers of one instance, of which a long job
 * occupies one; jobs that a worker takes at a look, and works at the same time.
 */
const PACE = {
  recovery: { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 5 },
  'weekly-report': { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 2 },
  mail: { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 10 },
  periodic: { pollingIntervalSeconds: 5, localConcurrency: 3, batchSize: 1 },
} satisfies Record<QueueName, WorkOptions>;
type AnyJob = Job<QueueData[QueueName]>;
const NAMES = Object.keys(PACE) as QueueName[];

/** Milliseconds before a start that failed is tried again. */
const RETRY = 5_000;
/** Milliseconds that jobs under way are given at the end. */
const GRACE = 5_000;
/** Milliseconds in which further errors are not logged after one was. */
const QUIET = 60_000;

/** Works what is queued and what comes round, beside the gateway: nothing waits for it, and it stops nothing. */
export class Jobs {
  private readonly handlers: Handlers;
  private readonly ending = new AbortController();
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private notifiedAt = -Infinity;

  constructor(
    private readonly queues: JobQueues,
    private readonly periodic: readonly PeriodicJob[],
    handlers: Omit<Handlers, 'periodic'>,
    private readonly log: Logger,
  ) {
    this.handlers = { ...handlers, periodic: ({ name }) => this.run(name) };
  }

  /** Begins in the background, and retries while the database is away. */
  start(): void {
    this.starting ??= this.begin();
  }

  /** Waits a moment for jobs under way: one that is cut off is run again by another instance. */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  /** Runs the periodic job of this name now. */
  async run(name: string): Promise<void> {
    const job = this.periodic.find((each) => each.name === name);
    if (job === undefined) throw new Error(`${name} is no periodic job of this version`);
    await job.run();
  }

  /** Works what is due at this moment and returns how many jobs that were: for tests, which do not wait. */
  async workDue(queues: readonly QueueName[] = NAMES): Promise<number> {
    const boss = await this.queues.boss();
    let worked = 0;
    for (const queue of queues) {
      for (;;) {
        const [job] = await boss.fetch<QueueData[QueueName]>(queue);
        if (job === undefined) break;
        worked += 1;
        await settle(boss, queue, await this.outcome(queue, job, this.ending.signal));
      }
    }
    return worked;
  }

  private async begin(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        const boss = await this.queues.boss();
        boss.removeAllListeners('error').on('error', (err) => this.report(err));
        boss.removeAllListeners('warning').on('warning', ({ message }) => this.log.warn({ message }, 'job queue'));
        await boss.start();
        return await this.workOn(boss);
      } catch (err) {
        this.report(err);
        // What was started of it would otherwise be started twice.
        await this.halt({ graceful: false });
        await sleep(RETRY, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async workOn(boss: PgBoss): Promise<void> {
    for (const { name, settings } of QUEUES) await boss.updateQueue(name, settings);
    for (const { name, every } of this.periodic)
      await boss.schedule('periodic', every, { name }, { key: name, singletonKey: name, missed: 'once' });
    const known = new Set(this.periodic.map(({ name }) => name));
    for (const { key } of await boss.getSchedules('periodic'))
      if (!known.has(key)) await boss.unschedule('periodic', key);
    for (const queue of NAMES) {
      const signalOf = (job: AnyJob) => AbortSignal.any([job.signal, this.ending.signal]);
      await boss.work<QueueData[QueueName]>(
        queue,
        { ...PACE[queue], burstWhenBatchFull: true, perJobResults: true },
        async (jobs) => Promise.all(jobs.map((job) => this.outcome(queue, job, signalOf(job)))),
      );
    }
  }

  private async outcome(queue: QueueName, job: AnyJob, signal: AbortSignal): Promise<JobResult> {
    const { id, data } = job;
    const handler = this.handlers[queue] as (data: AnyJob['data'], signal: AbortSignal) => Promise<unknown>;
    try {
      await handler(data, signal);
      return { id, status: 'completed' };
    } catch (err) {
      this.log.warn({ err, queue, job: id }, 'a job failed');
      const { message, permanent } = err as Error & { permanent?: boolean };
      return { id, status: permanent === true ? 'deadletter' : 'failed', output: { message } };
    }
  }

  private async end(): Promise<void> {
    const cut = setTimeout(() => this.ending.abort(), GRACE);
    if (this.starting !== undefined) await this.halt({ graceful: true, timeout: GRACE });
    clearTimeout(cut);
    this.ending.abort();
    if (this.starting !== undefined) await atMost(1_000, this.starting);
  }

  /** A database that does not answer would block the library for longer than an operator waits. */
  private async halt(how: { graceful: boolean; timeout?: number }): Promise<void> {
    const boss = await this.queues.boss();
    await atMost(
      GRACE + 1000,
      boss.stop(how).catch((err: unknown) => this.report(err)),
    );
  }

  /** An unreachable database fails every look into every queue; one line a minute says as much as hundreds. */
  private report(err: unknown): void {
    if (performance.now() - this.notifiedAt < QUIET) return;
    this.notifiedAt = performance.now();
    this.log.warn({ err }, 'the job queue has an error');
  }
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const limit = sleep(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([work, limit]);
  late.abort();
}

/** What the library does itself with the outcomes of its workers. */
async function settle(boss: PgBoss, queue: QueueName, { id, status, output }: JobResult): Promise<void> {
  if (status === 'completed') return void (await boss.complete(queue, id));
  await boss.fail(queue, id, output);
  if (status === 'failed') return;
  // Only workers may name a dead letter; anybody may take a job's tries away, and then it becomes one.
  await boss.update(queue, undefined, { id, retryLimit: 0 });
  await boss.fail(queue, id, output);
}
