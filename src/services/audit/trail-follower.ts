import { seldom } from '../../common/seldom.js';
import { LookBack } from './look-back.js';

/** Milliseconds between two polls, for trails of users, new trails, and those left by a crash. */
const POLL = 10_000;

/**
 * Processes trails with new entries, one batch at a time. Polls for trails whose notification was lost, as in a
 * crash, or whose processing failed.
 */
export abstract class TrailFollower {
  /** Trails that may have new entries. */
  protected readonly waiting = new Set<number>();
  protected readonly lookBack = new LookBack();
  protected readonly ending = new AbortController();
  private readonly warn = seldom((error: unknown) => this.log(error));
  private running: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** Begins with entries that were appended before the start. */
  start(): void {
    this.polling = this.poll().then(() => {
      if (!this.ending.signal.aborted) this.timer = setTimeout(() => this.start(), POLL).unref();
    });
  }

  /** Adds trails with new entries. */
  wake(logIds: Iterable<number>): void {
    for (const id of logIds) this.waiting.add(id);
    if (this.ending.signal.aborted || this.waiting.size === 0) return;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
      // A trail may have been added after the last check.
      this.wake([]);
    });
  }

  /** Resolves after the current transaction; no other one begins. */
  async close(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.timer);
    await Promise.all([this.polling, this.running]);
  }

  protected report(error: unknown): void {
    this.lookBack.failed();
    this.warn(error);
  }

  /** Trails that have new entries. */
  protected abstract behind(): Promise<number[]>;

  /** Processes the waiting trails; reports errors. */
  protected abstract work(): Promise<void>;

  protected abstract log(error: unknown): void;

  private async poll(): Promise<void> {
    try {
      this.wake(await this.behind());
    } catch (error) {
      this.report(error);
    }
  }
}
