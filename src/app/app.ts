import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { once } from '../common/concurrency.js';
import { requireSameClock } from '../database/clock.js';
import type { Database } from '../database/database.js';
import { ReportingDevices } from '../demo/device-traffic.js';
import type { GraphQLExecutor } from '../graphql/executor.js';
import type { Metrics } from '../http/metrics.js';
import { closeFoundation, createFoundation, type AppDeps, type Foundation } from '../services/foundation.js';
import { Jobs, schedule, type JobHandlers } from './jobs.js';
import { MailDelivery } from '../mail/mail-outbox.js';
import { openMailer } from '../mail/mailer.js';
import { rowChecks } from '../resolvers/shared/row-checks.js';
import { requireKnownKeys } from '../services/audit/known-keys.js';
import { createServices, type Services } from '../services/index.js';
import { WebhookSender } from '../services/webhooks/sender.js';
import { createTransports } from './transports.js';

export interface App {
  listener: RequestListener;
  /** Takes the requests for a WebSocket: the server's `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  database: Database;
  executor: GraphQLExecutor;
  /** The use cases that the contexts of requests bring to the executor. */
  services: Services;
  metrics: Metrics;
  /** Queued and periodic work; it runs only after it is started. */
  jobs: Jobs;
  /** Sends nothing until it is started. */
  webhooks: WebhookSender;
  /** From now on: readiness fails, no job is begun, and live connections are closed so that clients reconnect elsewhere. */
  drain(): void;
  /** Closes everything; call it after the last request has ended. */
  close(): Promise<void>;
}

/** Builds the gateway in reading order; opens no port. */
export async function createApp(deps: AppDeps): Promise<App> {
  const foundation = await createFoundation(deps);
  const { clock, database, content, feed, access, catalogs, log } = foundation;
  await clock.read(database);
  requireSameClock(clock);
  await requireKnownKeys(database, deps.config);
  const services = createServices(foundation);
  const { broadcaster, eventWakes, registeredDocuments, consumers, auditSealer } = services;
  const webhooks = new WebhookSender(foundation);
  feed.start({
    ...{ access: [access.cache, catalogs], notification: [broadcaster] },
    ...{ event: [eventWakes], delivery: [webhooks], document: [registeredDocuments] },
  });
  // Not a part of the request that has appended: the work that follows serves other requests as well.
  const wake = (logIds: ReadonlySet<number>) => {
    for (const consumer of consumers) consumer.wake(logIds);
    auditSealer.wake(logIds);
  };
  database.onAppend(AsyncLocalStorage.bind(wake));
  for (const consumer of consumers) consumer.start();
  auditSealer.start();
  // Before any change: reports recorded before judgements were stored get the judgements that they showed.
  await services.incidentJudgements.judgeRecorded();
  const { listener, executor, metrics, health, apollo, sessions, webSockets } = await createTransports(
    foundation,
    services,
  );
  const checks = once(() => rowChecks(executor.schema));
  const jobs = createJobs(foundation, {
    // Each row has the services and the statement timeout of a request.
    import: ({ organizationId, importJobId: id }, signal) =>
      services.importWorker.work({ organizationId, id }, checks(), signal),
  });

  // The start does not wait for a storage that is unavailable.
  const beginning = content.begin().catch((err: unknown) => log.warn({ err }, 'the storage could not be looked at'));

  return {
    listener,
    database,
    executor,
    services,
    metrics,
    jobs,
    webhooks,
    upgrade: (request, socket, head) => webSockets.upgrade(request, socket, head),
    drain() {
      health.drain();
      sessions.drain();
      webSockets.drain();
      eventWakes.drain();
      // In parallel with the requests that are still answered.
      void jobs.stop();
      void webhooks.close();
    },
    async close() {
      await closeFoundation(foundation, [
        ...[jobs.stop(), webhooks.close(), apollo.stop(), beginning],
        ...[broadcaster.close(), eventWakes.close(), auditSealer.close()],
        ...consumers.map((consumer) => consumer.close()),
      ]);
    },
  };
}

/** Runs queued and periodic work with services whose statements may take longer than a request's. */
export function createJobs(foundation: Foundation, others: Pick<JobHandlers, 'import'>): Jobs {
  const { config, clock, queues, mails, log, now } = foundation;
  const database = foundation.database.forJobs();
  const services = createServices({ ...foundation, database });
  const delivery = new MailDelivery(database, openMailer(config), now);
  const { cloudDefenders, threatBlockers } = services;
  const sinks = { cloudDefenders: cloudDefenders.reports, threatBlockers: threatBlockers.reports };
  const demoDevices = config.demo ? new ReportingDevices(database, sinks, now) : undefined;
  const periodic = schedule(services, mails, demoDevices);
  const handlers: JobHandlers = {
    ...others,
    mail: ({ mailId }, signal) => delivery.deliver(mailId, signal),
    recovery: ({ recoveryId }) => services.recovery.deliver(recoveryId),
    'weekly-report': ({ batch }) => services.weeklyReportPosting.postBatch(batch),
  };
  return new Jobs(queues, periodic, handlers, log, clock);
}
