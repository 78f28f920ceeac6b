import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../database/database.js';
import { isLocked } from '../../database/driver-errors.js';
import { REQUEST_LIMITS } from '../../database/time-limits.js';
import { isUnavailable, unavailable } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { Delivery, DeliveryOutcome, DeviceReportStorage } from './device-report-storage.js';

interface Waiting {
  delivery: Delivery;
  resolve: (outcome: DeliveryOutcome) => void;
  reject: (error: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  since: number;
}

/** Deliveries within one gathering interval from which on all are gathered: sequential ones of a single client are not. */
const BUSY = 10;
/** Milliseconds that a transaction waits for each lock: one delivery must not delay the others for long. */
const LOCK_WAIT = 200;
/** Milliseconds for which a delivery is retried while its device or trail is locked. */
const RETRY_FOR = REQUEST_LIMITS.lock;
/** Maximum number of waiting deliveries; further ones are refused. */
const MOST_WAITING = 2_000;

/**
 * Stores deliveries of different requests together. A delivery is stored at once if none is in progress and few came before
 * it; others are gathered for a moment, and answered after the COMMIT that stores them.
 */
export class GatheredReports {
  private waiting: Waiting[] = [];
  private isWorking = false;
  /** Start of the current gathering interval, its number of deliveries, and that of the previous one. */
  private lately = { since: -Infinity, count: 0, before: 0 };
  /** Ends the current gathering interval. */
  private enough: (() => void) | undefined;
  /** Transactions of several requests run outside of their contexts. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly database: Database,
    private readonly storage: DeviceReportStorage,
  ) {}

  /** Throws UNAVAILABLE when too many deliveries wait. */
  async store(delivery: Delivery): Promise<DeliveryOutcome> {
    // A request that commits its changes together with its answer has its own transaction.
    if (this.database.request.shared !== undefined) return (await this.storage.store([delivery]))[0]!;
    if (this.waiting.length >= MOST_WAITING) throw unavailable();
    this.count();
    return new Promise((resolve, reject) => {
      this.waiting.push({ delivery, resolve, reject, since: performance.now() });
      if (this.waiting.length >= LIMITS.check.reportsOfMany) this.enough?.();
      if (!this.isWorking) void this.outside(() => this.work());
    });
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    if (Math.max(this.lately.count, this.lately.before) > BUSY) await this.gather();
    while (this.waiting.length > 0) {
      const { taken, remaining } = this.next();
      this.waiting = remaining;
      await this.storeTogether(taken);
      if (remaining.length === 0 && this.waiting.length > 0) await this.gather();
    }
    this.isWorking = false;
  }

  /** One delivery of each device, so that its requests are stored one after the other. */
  private next(): { taken: Waiting[]; remaining: Waiting[] } {
    const devices = new Set<number>();
    let count = 0;
    const [taken, remaining]: [Waiting[], Waiting[]] = [[], []];
    for (const each of this.waiting) {
      const { deviceId, reports } = each.delivery;
      const fits = count === 0 || count + reports.length <= LIMITS.check.reportsOfMany;
      const isTaken = fits && !devices.has(deviceId);
      devices.add(deviceId);
      if (isTaken) count += reports.length;
      (isTaken ? taken : remaining).push(each);
    }
    return { taken, remaining };
  }

  /**
   * Stores reports in one transaction. If that fails they are stored one by one, unless the database is unavailable: then
   * none of them is. Deliveries that wait for a lock are retried.
   */
  private async storeTogether(taken: readonly Waiting[]): Promise<void> {
    try {
      const deliveries = taken.map(({ delivery }) => delivery);
      const outcomes = await this.storage.store(deliveries, LOCK_WAIT);
      for (const [index, { resolve }] of taken.entries()) resolve(outcomes[index]!);
    } catch (error) {
      const isLockTimeout = isLocked(error);
      if (taken.length > 1 && (isLockTimeout || !isUnavailable(error)))
        for (const each of taken) await this.storeTogether([each]);
      else if (isLockTimeout && performance.now() - taken[0]!.since < RETRY_FOR) this.waiting.unshift(...taken);
      else for (const { reject } of taken) reject(error);
    }
  }

  private count(): void {
    const { since, count } = this.lately;
    const now = performance.now();
    const passed = (now - since) / LIMITS.check.gatheredMilliseconds;
    if (passed >= 1) this.lately = { since: now, count: 0, before: passed < 2 ? count : 0 };
    this.lately.count += 1;
  }

  private async gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LIMITS.check.gatheredMilliseconds);
    this.enough = resolve;
    await promise;
    clearTimeout(timer);
    this.enough = undefined;
  }
}
