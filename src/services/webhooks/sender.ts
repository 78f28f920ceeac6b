import { setTimeout as sleep } from 'node:timers/promises';
import type { Foundation } from '../foundation.js';
import type { Sealer } from '../shared/sealer.js';
import { delayAfter, failureOf, outcomeOf, pauseAfter, wasPaused, type Outcome } from './attempt.js';
import { disable } from './endpoint-records.js';
import { lockEndpoint } from './endpoint-statements.js';
import { eventId, payloadOf, signedHeaders } from './payload.js';
import * as statements from './sending-statements.js';
import type { ClaimedDelivery } from './sending-statements.js';
import { LIMITS } from '../../values/limits.js';
import { webhookSealer } from './webhook-endpoints.service.js';

/** Requests under way at the same time, on one instance. */
const PARALLEL = 64;
/** Milliseconds between two looks for what is due again, or was not announced. */
const POLL = 5_000;
/** Milliseconds that requests under way are given at the end. What is cut off is sent again by another instance. */
const GRACE = 3_000;
/** Milliseconds in which further errors are not logged after one was. */
const QUIET = 60_000;
const GONE = 410;
/** Failures at least before an endpoint is disabled for failing. */
const FAILURES = LIMITS.webhook.attempts;

const SYSTEM = { kind: 'system', name: 'webhooks.send' } as const;

type Deps = Pick<Foundation, 'database' | 'config' | 'receivers' | 'log' | 'now'>;

/**
 * Sends what is due to webhook endpoints, on every instance that works jobs: a lease in the row of a delivery keeps it
 * for one of them, and ends by itself when that one dies (docs/adr/0032).
 */
export class WebhookSender {
  /** Endpoints that may have something due. */
  private readonly waiting = new Set<number>();
  private anyWaiting = false;
  private readonly underWay = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStarted = false;
  private readonly ending = new AbortController();
  private reportedAt = -Infinity;
  private readonly sealer: Sealer;

  constructor(private readonly deps: Deps) {
    this.sealer = webhookSealer(deps.config);
  }

  /** Begins with what became due while nothing ran. */
  start(): void {
    this.isStarted = true;
    this.timer = setInterval(() => void this.poll(), POLL).unref();
    void this.poll();
  }

  /** An endpoint has new deliveries. */
  announced(endpointId: string): void {
    this.wake(Number(endpointId));
  }

  /** Some endpoint may have. */
  missed(): void {
    this.anyWaiting = true;
    this.run();
  }

  /** Sends what is due at this moment and what follows from it, without being started. */
  async sendDue(): Promise<void> {
    for (;;) {
      const claimed = await this.claim(null, PARALLEL);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((delivery) => this.attempt(delivery)));
    }
  }

  /** Begins nothing more, and waits a moment for what is under way. */
  async close(): Promise<void> {
    this.ending.abort();
    clearInterval(this.timer);
    const late = new AbortController();
    const limit = sleep(GRACE, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([Promise.all([this.running, ...this.underWay]), limit]);
    late.abort();
  }

  private async poll(): Promise<void> {
    await this.defer().catch((error: unknown) => this.report(error));
    this.missed();
  }

  /** Makes way for what would not be looked at, behind many that wait. */
  async defer(): Promise<void> {
    await statements.defer.all(this.deps.database);
  }

  private wake(endpointId: number): void {
    this.waiting.add(endpointId);
    this.run();
  }

  private run(): void {
    if (!this.isStarted || this.ending.signal.aborted) return;
    this.running ??= this.send()
      // Found by a later look.
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.running = undefined;
        // Something may have come after the last check.
        if (this.waiting.size > 0) this.run();
      });
  }

  private async send(): Promise<void> {
    while ((this.anyWaiting || this.waiting.size > 0) && !this.ending.signal.aborted) {
      const free = PARALLEL - this.underWay.size;
      if (free <= 0) {
        await Promise.race(this.underWay);
        continue;
      }
      const ids = this.anyWaiting ? null : [...this.waiting];
      this.anyWaiting = false;
      this.waiting.clear();
      const claimed = await this.claim(ids, free);
      // There may be more than was taken.
      if (claimed.length >= free || (ids !== null && ids.length > free)) this.anyWaiting = true;
      for (const delivery of claimed) {
        const attempt = this.attempt(delivery)
          .catch((error: unknown) => this.report(error))
          .finally(() => {
            this.underWay.delete(attempt);
            this.wake(delivery.endpointId);
          });
        this.underWay.add(attempt);
      }
    }
  }

  private async claim(ids: readonly number[] | null, limit: number): Promise<ClaimedDelivery[]> {
    const { database } = this.deps;
    const open = (await statements.openEndpoints.all(database, { ids, limit })).map(({ id }) => id);
    if (open.length === 0) return [];
    return database.transaction(async (tx) => {
      const locked = (await statements.lockOpen.all(tx, { ids: open })).map(({ id }) => id);
      return locked.length === 0 ? [] : statements.claim.all(tx, { ids: locked, limit });
    });
  }

  /** Sends one delivery and writes down what came of it. A failure to do that leaves it to the end of its lease. */
  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const begun = performance.now();
    const outcome = await this.request(delivery);
    const { id, lease, endpointId } = delivery;
    const { accepted, statusCode, error, answer } = outcome;
    const result = { id, lease, milliseconds: Math.round(performance.now() - begun), statusCode, error, answer };
    if (!accepted) return this.failed(delivery, result, outcome);
    const { database } = this.deps;
    await statements.accept.all(database, result);
    if (delivery.failures === 0) return;
    const after = wasPaused(delivery.failures) ? statements.isBack : statements.succeeded;
    await after.all(database, { id: endpointId });
  }

  private async request(delivery: ClaimedDelivery): Promise<Outcome> {
    const { url, format } = delivery;
    const { config, receivers, now } = this.deps;
    const secrets = this.secretsOf(delivery);
    if (secrets.length === 0) return CANNOT_SIGN;
    const body = Buffer.from(JSON.stringify(payloadOf(format, delivery, config.publicUrl)));
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': String(body.length) },
      'user-agent': 'compliance-gateway-webhooks',
      ...signedHeaders(eventId(delivery), body, secrets, now()),
    };
    try {
      return outcomeOf(await receivers.send({ method: 'POST', url, headers, body }), now());
    } catch (error) {
      return failureOf(error);
    }
  }

  /** The secret, and while it lasts the one before it. */
  private secretsOf({ secret, previousSecret, previousSecretUntil }: ClaimedDelivery): string[] {
    const isValid = previousSecretUntil !== null && Date.parse(previousSecretUntil) > this.deps.now().getTime();
    const sealed = [secret, ...(previousSecret !== null && isValid ? [previousSecret] : [])];
    return sealed.map((each) => this.sealer.open(each)).filter((each) => each !== undefined);
  }

  private async failed(delivery: ClaimedDelivery, result: statements.AttemptResult, outcome: Outcome): Promise<void> {
    const { database, log, now } = this.deps;
    const { endpointId, organizationId, attempts, url } = delivery;
    await database.transaction(async (tx) => {
      // In the order of every change of an endpoint: its own row first.
      const endpoint = await lockEndpoint.first(tx, { organizationId, webhookEndpointId: endpointId });
      const delay = delayAfter(attempts, outcome) ?? null;
      if ((await statements.fail.first(tx, { ...result, delay })) === undefined || endpoint === undefined) return;
      if (delay === null) await statements.promote.all(tx, result);
      // It has another address by now, about which this says nothing.
      if (endpoint.url !== url) return;
      const pause = pauseAfter(endpoint.failures + 1, outcome);
      const { failures, days } = await statements.countFailure.one(tx, { id: endpointId, pause });
      const isLong = failures >= FAILURES && days >= LIMITS.webhook.failingDays;
      const reason = outcome.statusCode === GONE ? 'GONE' : isLong ? 'FAILING' : undefined;
      if (reason === undefined) return;
      await disable(tx, SYSTEM, { id: endpointId, reason, at: now() });
      log.warn({ endpoint: endpointId, organization: organizationId, reason }, 'a webhook endpoint was disabled');
    });
  }

  /** An unreachable database fails every look; one line a minute says as much as hundreds. */
  private report(err: unknown): void {
    if (performance.now() - this.reportedAt < QUIET) return;
    this.reportedAt = performance.now();
    this.deps.log.warn({ err }, 'webhooks are not sent; tried again');
  }
}

/** The operator has taken away the key that the secret was sealed under. */
const CANNOT_SIGN: Outcome = {
  ...{ accepted: false, statusCode: null, answer: '' },
  error: 'The secret cannot be opened: rotate it.',
};
