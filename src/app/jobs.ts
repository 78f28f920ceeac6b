import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobResult, PgBoss, WorkOptions } from 'pg-boss';
import type { ReportingDevices } from '../demo/device-traffic.js';
import { atMost } from '../common/concurrency.js';
import { seldom } from '../common/seldom.js';
import { SpanKind, traced, type SpanPlan } from '../common/tracing.js';
import type { Logger } from '../logger.js';
import { type DatabaseClock, isClockOff } from '../database/clock.js';
import type { MailOutbox } from '../mail/mail-outbox.js';
import type { Services } from '../services/index.js';
import { handled } from '../database/until-fewer.js';
import { type JobQueues, QUEUES, type QueueData, type QueueName } from '../database/job-queues.js';

/** The handler of each queue. A rejected job is retried, unless its error is `permanent`. */
type Handlers = {
  [Name in QueueName]: (data: QueueData[Name], signal: AbortSignal) => Promise<unknown>;
};
export type JobHandlers = Omit<Handlers, 'periodic'>;

/**
 * Seconds between two polls of a queue that was empty or not full; workers of one instance, each occupied by one long job;
 * jobs that a worker fetches in one poll and runs at the same time.
 */
const PACE = {
  recovery: { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 5 },
  'weekly-report': { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 2 },
  import: { pollingIntervalSeconds: 2, localConcurrency: 2, batchSize: 1 },
  mail: { pollingIntervalSeconds: 2, localConcurrency: 1, batchSize: 10 },
  periodic: { pollingIntervalSeconds: 5, localConcurrency: 3, batchSize: 1 },
} satisfies Record<QueueName, WorkOptions>;
type AnyJob = Job<QueueData[QueueName]>;
const NAMES = Object.keys(PACE) as QueueName[];

/** Milliseconds until a failed start is retried. */
const RETRY = 5_000;
/** Milliseconds that running jobs have to finish on shutdown. */
const GRACE = 5_000;
const CLOCK_IS_OFF =
  'the clock of this machine is not that of the database, so that one of both is wrong: jobs that delete what is old are left to other instances';

/** Runs queued and periodic jobs beside the gateway: requests do not wait for it, and its errors stop nothing. */
export class Jobs {
  private readonly handlers: Handlers;
  private readonly ending = new AbortController();
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  /** While the database is unreachable, every poll of every queue fails. */
  private readonly warn = seldom((about: object, sentence: string) => this.log.warn(about, sentence));

  constructor(
    readonly queues: JobQueues,
    private readonly periodic: Schedule,
    handlers: JobHandlers,
    private readonly log: Logger,
    private readonly clock: Pick<DatabaseClock, 'machineAhead'>,
  ) {
    this.handlers = { ...handlers, periodic: ({ name }) => this.run(name) };
  }

  /** Starts in the background, and retries while the database is unavailable. */
  start(): void {
    this.starting ??= this.begin();
  }

  /** Waits briefly for running jobs: an interrupted one is run again by another instance. */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  /** Runs the periodic job of this name now and logs the number of rows it processed, so that no deletion is unlogged. */
  async run(name: string): Promise<void> {
    const job = this.periodic.get(name);
    if (job === undefined) throw new Error(`${name} is no periodic job of this version`);
    const tally = { rows: 0 };
    try {
      const count = await handled.run(tally, job[1]);
      if (typeof count === 'number' && count > 0) this.log.info({ job: name, count }, 'a periodic job had work');
    } catch (error) {
      const { rows } = tally;
      if (rows > 0) this.log.warn({ job: name, rows }, 'a periodic job had work before it failed');
      throw error;
    }
  }

  /** Runs one job; the outcome is for the queue. */
  async work(queue: QueueName, job: AnyJob, signal = this.ending.signal): Promise<JobResult> {
    const { id, data } = job;
    if (queue === 'periodic' && !this.takes((data as QueueData['periodic']).name)) {
      await this.queues.giveBack(id);
      // No effect on a job that is not active any more: the library requires an outcome for each.
      return { id, status: 'completed' };
    }
    const handler = this.handlers[queue] as (data: AnyJob['data'], signal: AbortSignal) => Promise<unknown>;
    try {
      await traced(
        () => spanOf(queue, data),
        () => handler(data, signal),
      );
      return { id, status: 'completed' };
    } catch (err) {
      this.log.warn({ err, queue, job: id }, 'a job failed');
      const { message, permanent } = err as Error & { permanent?: boolean };
      return { id, status: permanent === true ? 'deadletter' : 'failed', output: { message } };
    }
  }

  /** Excludes jobs of another version, and jobs that delete while the clock is not trusted. */
  private takes(name: string): boolean {
    const job = this.periodic.get(name);
    if (job === undefined) return false;
    if (job[2] !== DELETES || !isClockOff(this.clock)) return true;
    this.warn({ secondsAhead: Math.round(this.clock.machineAhead) }, CLOCK_IS_OFF);
    return false;
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
        // The library cannot be restarted after a stop.
        if (this.stopping === undefined) this.report(err);
        // Parts of it that were started would otherwise be started twice.
        await this.halt({ graceful: false });
        await sleep(RETRY, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async workOn(boss: PgBoss): Promise<void> {
    for (const { name, settings } of QUEUES) await boss.updateQueue(name, settings);
    for (const [name, [every]] of this.periodic)
      await boss.schedule('periodic', every, { name }, { key: name, singletonKey: name, missed: 'once' });
    // Unknown schedules stay: a newer version may have added them. A version that drops a job removes it by a migration.
    if (!this.periodic.has(DEMO_REPORTS)) await boss.unschedule('periodic', DEMO_REPORTS);
    for (const queue of NAMES) {
      const signalOf = (job: AnyJob) => AbortSignal.any([job.signal, this.ending.signal]);
      await boss.work<QueueData[QueueName]>(
        queue,
        { ...PACE[queue], burstWhenBatchFull: true, perJobResults: true },
        async (jobs) => Promise.all(jobs.map((job) => this.work(queue, job, signalOf(job)))),
      );
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

  private report(err: unknown): void {
    this.warn({ err }, 'the job queue has an error');
  }
}

/**
 * Cron schedule of a use case in UTC. It runs on one instance at a time, and once for all runs that were missed.
 * It is idempotent and short: after ten minutes it counts as crashed.
 */
type PeriodicJob = readonly [every: string, run: () => Promise<unknown>, deletes?: typeof DELETES];

/** Marks a job that permanently deletes old data. */
const DELETES = 'deletes';

/** By `<service>.<method>`. */
type Schedule = ReadonlyMap<string, PeriodicJob>;

function spanOf(queue: QueueName, data: AnyJob['data']): SpanPlan {
  const name = queue === 'periodic' ? (data as QueueData['periodic']).name : queue;
  const attributes = { 'messaging.operation.type': 'process', 'messaging.destination.name': name };
  return {
    name: `process ${name}`,
    kind: SpanKind.CONSUMER,
    attributes: { 'messaging.system': 'pg-boss', ...attributes },
  };
}

/** Reports of the demo's devices, run first at the start. */
export const DEMO_REPORTS = 'demoDevices.report';

/** Every periodic job, one line each; reports of the demo's devices only while the demo is on. */
export function schedule(services: Services, mails: MailOutbox, demoDevices: ReportingDevices | undefined): Schedule {
  const { cloudDefenders, threatBlockers } = services;
  const jobs: Record<string, PeriodicJob> = {
    'incidentReminders.remind': ['* * * * *', () => services.incidentReminders.remind()],
    'controlReminders.remindOverdue': ['5 * * * *', () => services.controlReminders.remindOverdue()],
    'controlReminders.remindExpiring': ['35 * * * *', () => services.controlReminders.remindExpiring()],
    'attestationWatch.noticeStale': ['* * * * *', () => services.attestationWatch.noticeStale()],
    'weeklyReportPosting.enqueueDue': ['* * * * *', () => services.weeklyReportPosting.enqueueDue()],
    'importJobs.enqueueDue': ['* * * * *', () => services.importJobs.enqueueDue()],
    'importJobs.purgeOld': ['25 4 * * *', () => services.importJobs.purgeOld(), DELETES],
    'mailDigests.postDue': ['*/5 * * * *', () => services.mailDigests.postDue()],
    'tokenWarnings.warnExpiring': ['5 * * * *', () => services.tokenWarnings.warnExpiring()],
    'idempotency.purgeOld': ['15 * * * *', () => services.idempotency.purgeOld(), DELETES],
    'notificationRetention.purgeOld': ['10 3 * * *', () => services.notificationRetention.purgeOld(), DELETES],
    'eventRetention.purgeOld': ['5 4 * * *', () => services.eventRetention.purgeOld(), DELETES],
    'webhookEndpoints.disableWithoutRight': ['* * * * *', () => services.webhookEndpoints.disableWithoutRight()],
    'webhookDeliveries.purgeOld': ['15 4 * * *', () => services.webhookDeliveries.purgeOld(), DELETES],
    'auditCheckpoints.createDue': ['25 3 * * *', () => services.auditCheckpoints.createDue()],
    'checkpointWitnesses.notifyDue': ['35 3 * * *', () => services.checkpointWitnesses.notifyDue()],
    // Before `keepDue`: an earlier version that still runs stores only what it knows.
    'recordedStates.recordMissing': ['40 3 * * *', () => services.recordedStates.recordMissing()],
    'recordedStates.keepDue': ['45 3 * * *', () => services.recordedStates.keepDue()],
    'checkpointMails.postDue': ['*/15 * * * *', () => services.checkpointMails.postDue()],
    'auditPruning.pruneDue': ['55 3 1 * *', () => services.auditPruning.pruneDue(), DELETES],
    'recovery.purgeOld': ['15 * * * *', () => services.recovery.purgeOld(), DELETES],
    'mails.purgeOld': ['20 3 * * *', () => mails.purgeOld(), DELETES],
    'organizationPurge.purgeDeleted': ['40 3 * * *', () => services.organizationPurge.purgeDeleted(), DELETES],
    'storageSweep.sweep': ['10 4 * * *', () => services.storageSweep.sweep(), DELETES],
    'reportRetention.keepMonths': ['50 3 * * *', () => services.reportRetention.keepMonths(), DELETES],
    'reportThinnings.thin': [
      '20 * * * *',
      async () => {
        for (const thinning of services.reportThinnings) await thinning.thin();
      },
      DELETES,
    ],
    'cloudDefenders.markSilent': ['* * * * *', () => cloudDefenders.watch.markSilent()],
    'cloudDefenders.purgeDeleted': ['30 3 * * *', () => cloudDefenders.watch.purgeDeleted(), DELETES],
    'threatBlockers.markSilent': ['* * * * *', () => threatBlockers.watch.markSilent()],
    'threatBlockers.purgeDeleted': ['30 3 * * *', () => threatBlockers.watch.purgeDeleted(), DELETES],
    ...(demoDevices && { [DEMO_REPORTS]: ['1 * * * *', () => demoDevices.report()] }),
  };
  return new Map(Object.entries(jobs));
}
