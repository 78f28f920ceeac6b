import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from '../../common/concurrency.js';
import { seldom } from '../../common/seldom.js';
import type { Foundation } from '../foundation.js';
import { delayAfter, pauseAfter, wasPaused, type Outcome } from './attempt.js';
import { Unsent } from './departures.js';
import { disable, SYSTEM } from './endpoint-records.js';
import { lockAny } from './endpoint-statements.js';
import { DeliveryQueues } from './delivery-queues.js';
import { ReceiverRequests } from './receiver-requests.js';
import * as outages from './endpoint-outages.js';
import * as statements from './sending-statements.js';
import type { AttemptResult, ClaimedDelivery } from './sending-statements.js';
import { LIMITS } from '../../values/limits.js';

/** Endpoints whose deliveries are claimed together. */
const ENDPOINTS = 64;
/** Milliseconds between two polls for deliveries that are due again, or were not announced. */
const POLL = 5_000;
/** Milliseconds that requests under way have at the end. Aborted ones are sent again by another instance. */
const GRACE = 3_000;
/** Milliseconds before a failed write is retried, and after which another instance may send the delivery. */
const RETRY = 500;
const LEASE = 60_000;
const GONE = 410;
/** The least failures before an endpoint is disabled for failing; an answer 410 disables it at once. */
const FAILURES = LIMITS.webhook.attempts;

type Deps = Pick<Foundation, 'database' | 'config' | 'receivers' | 'log' | 'now'>;

/** An accepted delivery that is not stored yet. */
interface Accepted {
  delivery: ClaimedDelivery;
  result: AttemptResult;
}

/**
 * Sends due deliveries to webhook endpoints, on every instance that runs jobs: a lease in the row of a delivery
 * reserves it for one instance, and expires when that one crashes (docs/adr/0032).
 */
export class WebhookSender {
  /** Endpoints that may have due deliveries. */
  private readonly waiting = new Set<number>();
  private anyWaiting = false;
  private readonly queues = new DeliveryQueues();
  private readonly requests: ReceiverRequests;
  private readonly underWay = new Set<Promise<void>>();
  private readonly accepted: Accepted[] = [];
  private storing: Promise<void> | undefined;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStarted = false;
  private readonly ending = new AbortController();
  private readonly report = seldom((err: unknown) => this.deps.log.warn({ err }, 'webhooks are not sent; tried again'));

  constructor(private readonly deps: Deps) {
    this.requests = new ReceiverRequests(deps, this.report);
  }

  /** Begins with deliveries that became due before the start. */
  start(): void {
    this.isStarted = true;
    this.timer = setInterval(() => void this.poll(), POLL).unref();
    void this.poll();
  }

  /** Receives the ids of endpoints with new deliveries, separated by spaces. */
  announced(endpointIds: string): void {
    if (!this.isStarted) return;
    for (const id of endpointIds.split(' ')) this.waiting.add(Number(id));
    this.run();
  }

  /** Announcements may have been missed: any endpoint may have new deliveries. */
  missed(): void {
    this.anyWaiting = true;
    this.run();
  }

  /** Sends due deliveries and those that follow from them, without being started. */
  async sendDue(): Promise<void> {
    while (!this.ending.signal.aborted && (await this.claim(null))) {
      while (this.underWay.size > 0 || this.storing !== undefined) await Promise.all([...this.underWay, this.storing]);
    }
  }

  /** Starts no more requests, and waits briefly for those under way. */
  async close(): Promise<void> {
    this.ending.abort();
    clearInterval(this.timer);
    const ended = Promise.all([this.running, this.giveBack('all'), ...this.underWay]).then(() => this.storing);
    await atMost(GRACE, ended);
  }

  private async poll(): Promise<void> {
    await this.defer().catch((error: unknown) => this.report(error));
    await this.giveBack('stale');
    this.missed();
  }

  /** Defers deliveries behind which others would not be scanned. */
  async defer(): Promise<void> {
    await statements.defer.all(this.deps.database);
  }

  private get mayClaim(): boolean {
    const isWanted = this.anyWaiting || this.waiting.size > 0;
    return isWanted && this.isStarted && this.queues.capacity > 0 && !this.ending.signal.aborted;
  }

  private run(): void {
    if (!this.mayClaim) return;
    this.running ??= this.claimAll()
      // A later poll finds them.
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.running = undefined;
        // Deliveries may have been added after the last check.
        this.run();
      });
  }

  private async claimAll(): Promise<void> {
    while (this.mayClaim) {
      if (this.anyWaiting) {
        this.anyWaiting = false;
        this.waiting.clear();
        this.anyWaiting = (await this.claim(null)) || this.anyWaiting;
        continue;
      }
      const ids = [...this.waiting].slice(0, ENDPOINTS);
      for (const id of ids) this.waiting.delete(id);
      await this.claim(ids.filter((id) => this.queues.wants(id)));
    }
  }

  /** Claims deliveries of these endpoints, or of those that have waited longest. Returns whether there may be more. */
  private async claim(ids: readonly number[] | null): Promise<boolean> {
    const { database } = this.deps;
    const { counts, capacity: limit } = this.queues;
    const open =
      ids ?? (await statements.openEndpoints.all(database, { ...counts, limit: ENDPOINTS })).map(({ id }) => id);
    if (open.length === 0) return false;
    const claimed = await database.transaction(async (tx) => {
      const locked = (await statements.lockOpen.all(tx, { ids: open })).map(({ id }) => id);
      return locked.length === 0 ? [] : statements.claim.all(tx, { ...this.queues.counts, ids: locked, limit });
    });
    this.queues.add(claimed);
    this.begin();
    return claimed.length > 0;
  }

  /** Starts as many requests as may be under way. */
  private begin(): void {
    for (;;) {
      const delivery = this.ending.signal.aborted ? undefined : this.queues.next();
      if (delivery === undefined) return;
      const attempt = this.attempt(delivery)
        .catch((error: unknown) => this.report(error))
        .finally(() => this.underWay.delete(attempt));
      this.underWay.add(attempt);
    }
  }

  /** Sends one delivery. If its outcome cannot be stored, the delivery remains until its lease ends. */
  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const attemptedAt = this.deps.now();
    const begun = performance.now();
    const outcome = await this.requests.send(delivery);
    const milliseconds = Math.round(performance.now() - begun);
    this.queues.ended(delivery, milliseconds);
    const { id, lease, endpointId } = delivery;
    if (outcome instanceof Unsent) return this.unsent(delivery, outcome);
    const { accepted, statusCode, error, answer } = outcome;
    const result = { id, lease, attemptedAt, milliseconds, statusCode, error, answer };
    if (accepted) {
      this.accepted.push({ delivery, result });
      this.storing ??= this.store().finally(() => (this.storing = undefined));
      return this.begin();
    }
    const waiting = this.queues.takeWaiting(endpointId);
    try {
      await this.failed(delivery, result, outcome, waiting);
    } finally {
      this.ended([delivery, ...waiting]);
    }
  }

  /** A delivery that is claimed again does not count as attempted. */
  private async unsent(delivery: ClaimedDelivery, { why }: Unsent): Promise<void> {
    const { database } = this.deps;
    const { id, lease } = delivery;
    try {
      if (why === 'LATER') await statements.giveBack.all(database, keysOf([delivery]));
      else await statements.refuse.all(database, { id, lease });
    } finally {
      this.ended([delivery]);
    }
  }

  private ended(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      this.queues.done(delivery);
      this.waiting.add(delivery.endpointId);
    }
    this.begin();
    this.run();
  }

  /** Outcomes that arrive during a statement are in the next one. */
  private async store(): Promise<void> {
    while (this.accepted.length > 0) {
      const accepted = this.accepted.splice(0);
      try {
        await this.storeAccepted(accepted);
        this.ended(accepted.map(({ delivery }) => delivery));
      } catch (error) {
        this.report(error);
        // At the end there is no time for a retry.
        const since = this.ending.signal.aborted ? Infinity : this.deps.now().getTime() - LEASE;
        const { retried = [], late = [] } = Object.groupBy(accepted, ({ result }) =>
          result.attemptedAt.getTime() > since ? 'retried' : 'late',
        );
        this.accepted.unshift(...retried);
        this.ended(late.map(({ delivery }) => delivery));
        await sleep(RETRY);
      }
    }
  }

  private async storeAccepted(accepted: readonly Accepted[]): Promise<void> {
    const { database } = this.deps;
    const results = accepted.map(({ result }) => result);
    const failing = await statements.accept.all(database, {
      endpoints: [...new Set(accepted.map(({ delivery }) => delivery.endpointId))],
      ids: results.map(({ id }) => id),
      leases: results.map(({ lease }) => lease),
      attemptedAt: results.map(({ attemptedAt }) => attemptedAt),
      milliseconds: results.map(({ milliseconds }) => milliseconds),
      statusCodes: results.map(({ statusCode }) => statusCode),
      answers: results.map(({ answer }) => answer),
    });
    for (const { id, host, failures } of failing) {
      await (wasPaused(failures) ? outages.resumeEndpoint(database, { id }) : outages.succeeded.all(database, { id }));
      await outages.resumeHost.all(database, { host });
    }
  }

  /** Returns deliveries that were claimed but not sent. */
  private async giveBack(which: 'stale' | 'all'): Promise<void> {
    const waiting = this.queues.takeWaiting(which);
    if (waiting.length === 0) return;
    await statements.giveBack.all(this.deps.database, keysOf(waiting)).catch((error: unknown) => this.report(error));
    for (const delivery of waiting) this.queues.done(delivery);
  }

  /** Stores a failure. A failing endpoint gets one request at a time: its waiting deliveries are given back. */
  private async failed(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    outcome: Outcome,
    waiting: readonly ClaimedDelivery[],
  ): Promise<void> {
    const { database, log, now } = this.deps;
    const { endpointId, organizationId, attempts, url, host } = delivery;
    const pause = await database.transaction(async (tx) => {
      // Locks the endpoint first, like every change of it.
      const endpoint = await lockAny.first(tx, { id: endpointId });
      if (waiting.length > 0) await statements.giveBack.all(tx, keysOf(waiting));
      const delay = delayAfter(attempts, outcome) ?? null;
      if ((await statements.fail.first(tx, { ...result, delay })) === undefined || endpoint === undefined) return 0;
      if (delay === null) await statements.promote.all(tx, result);
      // The endpoint has another URL now, or the gateway has made no request: this failure is not about the receiver.
      if (endpoint.url !== url || outcome.unmade) return 0;
      const pause = pauseAfter(endpoint.failures + 1, outcome);
      const { failures, days } = await outages.countFailure.one(tx, { id: endpointId, pause });
      const isLong = failures >= FAILURES && days >= LIMITS.webhook.failingDays;
      const reason = outcome.statusCode === GONE ? 'GONE' : isLong ? 'FAILING' : undefined;
      if (reason === undefined) return wasPaused(failures) ? pause : 0;
      await disable(tx, SYSTEM, { id: endpointId, reason, at: now() });
      log.warn({ endpoint: endpointId, organization: organizationId, reason }, 'a webhook endpoint was disabled');
      return 0;
    });
    if (outcome.unreached && pause > 0) await outages.pauseHost.all(database, { id: endpointId, host, pause });
  }
}

function keysOf(deliveries: readonly ClaimedDelivery[]) {
  return { ids: deliveries.map(({ id }) => id), leases: deliveries.map(({ lease }) => lease) };
}
