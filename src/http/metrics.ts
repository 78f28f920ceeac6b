import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseClock } from '../database/clock.js';
import type { Database } from '../database/database.js';
import type { JobQueues } from '../database/job-queues.js';
import type { LiveSessions } from '../graphql/subscriptions/live-sessions.js';
import type { Services } from '../services/index.js';
import { seldom } from '../common/seldom.js';
import type { Logger } from '../logger.js';
import { openMetricsOf, type Exemplar } from './open-metrics.js';

type DatabaseFigures = Pick<Database, 'executed' | 'connections' | 'longReadCounts'>;
type ClockFigures = Pick<DatabaseClock, 'machineAhead'>;
type QueueFigures = Pick<JobQueues, 'counts' | 'periodicSucceeded'>;
type LiveFigures = Pick<LiveSessions, 'figures'>;
type ServiceFigures = Pick<Services, 'consumers' | 'eventWakes' | 'auditAlarms' | 'webhookDeliveries' | 'idempotency'>;

/** Metrics for Prometheus. Routes are patterns, so that the number of series is bounded. */
export class Metrics {
  private readonly registry = Registry.merge([processFigures()]);
  private readonly durations: Histogram<'route' | 'status'>;
  private readonly requests: Counter<'route' | 'status'>;
  /** Cached for each route and status: looking them up costs more than counting. */
  private readonly series = new Map<string, { duration: Histogram.Internal<string>; count: Counter.Internal }>();
  /** The newest of each bucket, by its bound, status and route. */
  private readonly exemplars = new Map<string, Exemplar>();
  /** Without its database, an instance still has the other figures. */
  private readonly unreadable = seldom((metric: string, err: unknown) =>
    this.log.warn({ metric, err }, 'a figure of the metrics cannot be read'),
  );

  constructor(
    database: DatabaseFigures,
    clock: ClockFigures,
    queues: QueueFigures,
    live: LiveFigures,
    { consumers, eventWakes, auditAlarms, webhookDeliveries, idempotency }: ServiceFigures,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.durations = new Histogram({
      name: DURATION,
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['route', 'status'],
      buckets: BUCKETS,
      registers: [this.registry],
    });
    this.requests = new Counter({
      name: 'gateway_requests_total',
      help: 'Requests answered.',
      labelNames: ['route', 'status'],
      registers: [this.registry],
    });
    this.watch(database);
    this.watchFigure(
      'gateway_clock_ahead_seconds',
      'Seconds by which the clock of the machine is ahead of that of the database, which decides; negative where it is behind.',
      async () => clock.machineAhead,
    );
    const longReads = database.longReadCounts();
    if (longReads !== undefined) this.watchLongReads(longReads);
    this.watchQueues(queues);
    this.watchLive([live, eventWakes]);
    this.watchConsumers(consumers);
    this.watchFigure(
      'gateway_idempotency_stored_bytes',
      'Bytes of the answers that are kept for requests with an Idempotency-Key.',
      () => idempotency.storedBytes(),
    );
    this.watchFigure(
      'gateway_audit_faults',
      'Faults of audit trails that were found and are not resolved: places where a trail was not as it was written.',
      () => auditAlarms.unresolved(),
    );
    this.watchFigure(
      'gateway_webhook_deliveries_pending',
      'Deliveries to webhook endpoints that wait for their turn or for another attempt.',
      () => webhookDeliveries.pending(),
    );
  }

  private watch(database: DatabaseFigures): void {
    new Counter({
      name: 'gateway_database_statements_total',
      help: 'Statements sent to the database, those of entities not counted.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(database.executed);
      },
    });
    new Gauge({
      name: 'gateway_database_connections',
      help: 'Connections to the database by their state; "waiting" are callers without one.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, count] of Object.entries(database.connections())) this.set({ state }, count);
      },
    });
  }

  private watchLongReads(counts: Readonly<Record<string, number>>): void {
    new Counter({
      name: 'gateway_long_reads_total',
      help: 'Long reads by the server that they were sent to, with the reason where it is the primary.',
      labelNames: ['source', 'reason'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [name, count] of Object.entries(counts))
          this.inc(name === 'replica' ? { source: name } : { source: 'primary', reason: name }, count);
      },
    });
  }

  private watchQueues(queues: QueueFigures): void {
    const name = 'gateway_jobs';
    const read = () => queues.counts().catch((error: unknown) => this.unreadable(name, error));
    new Gauge({
      name,
      help: 'Jobs by queue and state: waiting, deferred to a later try, active, or failed; "mail-dead" holds mails given up.',
      labelNames: ['queue', 'state'],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { queue, state, count } of (await read()) ?? []) this.set({ queue, state }, count);
      },
    });
    this.watchFigure(
      'gateway_periodic_jobs_last_success_timestamp_seconds',
      'When a periodic job last succeeded on any instance; some run each minute.',
      () => queues.periodicSucceeded(),
    );
  }

  private watchLive(sources: readonly (LiveFigures | ServiceFigures['eventWakes'])[]): void {
    new Gauge({
      name: 'gateway_live',
      help: 'Callers who stay connected, their subscriptions, and requests that wait for events.',
      labelNames: ['what'],
      registers: [this.registry],
      collect() {
        for (const { figures } of sources)
          for (const [what, count] of Object.entries(figures)) this.set({ what }, count);
      },
    });
  }

  private watchConsumers(consumers: ServiceFigures['consumers']): void {
    const name = 'gateway_consumer_lag';
    const lagOf = (each: ServiceFigures['consumers'][number]) =>
      each.lag().catch((error: unknown) => this.unreadable(name, error));
    new Gauge({
      name,
      help: 'Entries of audit trails that a consumer has not consumed yet.',
      labelNames: ['consumer'],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const each of consumers) {
          const lag = await lagOf(each);
          if (lag !== undefined) this.set({ consumer: each.name }, lag);
        }
      },
    });
  }

  /** While the figure is unreadable there is no sample: 0 would mean "all is well" or "long ago". */
  private watchFigure(name: string, help: string, read: () => Promise<number>): void {
    const valueOf = () => read().catch((error: unknown) => this.unreadable(name, error));
    new Gauge({
      ...{ name, help, registers: [this.registry] },
      async collect() {
        const value = await valueOf();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  /** `traceId` is that of the request's trace, if it is recorded. */
  answered(route: string, status: number, seconds: number, traceId: string | undefined): void {
    const key = `${status} ${route}`;
    let series = this.series.get(key);
    if (series === undefined) {
      const labels = { route, status };
      series = { duration: this.durations.labels(labels), count: this.requests.labels(labels) };
      this.series.set(key, series);
    }
    series.duration.observe(seconds);
    series.count.inc();
    if (traceId === undefined) return;
    const bound = BUCKETS.find((upper) => seconds <= upper) ?? '+Inf';
    this.exemplars.set(`${bound} ${key}`, { traceId, value: seconds, at: Date.now() / 1000 });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  async openMetrics(): Promise<string> {
    return openMetricsOf(await this.registry.getMetricsAsJSON(), (name, { le, status, route }) =>
      name === `${DURATION}_bucket` ? this.exemplars.get(`${le} ${status} ${route}`) : undefined,
    );
  }
}

const DURATION = 'gateway_request_duration_seconds';
/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

let ofProcess: Registry | undefined;

/** Measured once, however many gateways a process has started: the library's timers and observers never end. */
function processFigures(): Registry {
  if (ofProcess === undefined) collectDefaultMetrics({ register: (ofProcess = new Registry()) });
  return ofProcess;
}
