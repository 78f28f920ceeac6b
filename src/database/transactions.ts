import type { Pool, PoolClient } from 'pg';
import { Semaphore } from '../common/concurrency.js';
import { unavailable } from '../errors.js';
import { isConnectionError } from './driver-errors.js';
import { COMMIT, rowsOf } from './pipelined-connections.js';
import type { SilenceWatch } from './pool.js';
import { limitsOf, type TimeLimits } from './time-limits.js';

type Work<Result> = (client: PoolClient) => Promise<Result>;

/**
 * Transactions, each on its own connection. However long they wait for locks, they leave the connections of reads
 * free: at most `places` run, and others wait `wait` milliseconds at most.
 */
export class Transactions {
  private readonly places: Semaphore;
  /** Places among these for requests about the past. */
  private readonly pasts: Semaphore;
  /** Reads about the past within a transaction or another such read, beside the places: all of these may be taken by such. */
  private readonly nestedPasts: Semaphore;

  constructor(
    private readonly pool: Pool,
    private readonly watch: SilenceWatch,
    { places, wait }: { places: number; wait: number },
    private readonly asDomainError: (error: unknown) => unknown,
    /** Returns a connection shared by reads to the pool. */
    private readonly yieldShared: () => void,
  ) {
    this.places = new Semaphore(places, wait, noConnection);
    this.pasts = new Semaphore(Math.max(1, Math.floor(places / 3)), wait, noConnection);
    this.nestedPasts = new Semaphore(1, wait, noConnection);
  }

  /** The number of requests that wait for a place. */
  get queued(): number {
    return this.places.queued;
  }

  /**
   * Commits when `work` resolves, rolls back when it throws. `limits` replace those of the session; `opening` is sent
   * with the BEGIN.
   */
  run<Result>(work: Work<Result>, limits?: TimeLimits, opening?: Work<void>): Promise<Result> {
    return this.inPlace(() => this.runAtOnce(work, limits, opening));
  }

  /** Runs work that waits for locks outside of a transaction. Throws UNAVAILABLE when no place became free in time. */
  inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.places.run(work);
  }

  /** As `run`, for a request about the past. */
  async runInPast(body: (client: PoolClient) => Promise<void>, limits?: TimeLimits): Promise<void> {
    const leave = await this.pasts.acquire();
    await this.run(body, limits).finally(leave);
  }

  /** As `runInPast`, within a transaction or another request about the past: it takes a connection beside their places. */
  runNestedInPast(body: (client: PoolClient) => Promise<void>, limits?: TimeLimits): Promise<void> {
    return this.nestedPasts.run(() => {
      const done = this.runAtOnce(body, limits);
      this.yieldShared();
      return done;
    });
  }

  /** As `run`, without a place. */
  async runAtOnce<Result>(work: Work<Result>, limits?: TimeLimits, opening?: Work<void>): Promise<Result> {
    const client = await this.connect();
    if (limits !== undefined) this.watch.allow(client, limits.statement + ANSWER_TIME);
    let broken: Error | undefined;
    try {
      const begun = rowsOf(client, limits === undefined ? BEGIN : { text: `begin; ${limitsOf(limits)}` });
      await Promise.all([begun, opening?.(client)]);
      const result = await work(client);
      await rowsOf(client, COMMIT);
      return result;
    } catch (error) {
      // A connection that cannot roll back, or that is silent, is not used again.
      if (isConnectionError(error)) broken = error as Error;
      else await rowsOf(client, ROLLBACK).catch((failure: Error) => (broken = failure));
      throw this.asDomainError(error);
    } finally {
      this.watch.allow(client);
      client.release(broken);
    }
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw this.asDomainError(error);
    }
  }
}

const BEGIN = { text: 'begin' };
const ROLLBACK = { text: 'rollback' };

/** Milliseconds after a statement's limit in which the server has to report it. */
export const ANSWER_TIME = 1_000;
const noConnection = () =>
  unavailable(undefined, { service: 'database', cause: new Error('No connection came free for a transaction') });
