import { seldom } from '../../common/seldom.js';
import { LookBack } from './look-back.js';

/** Milliseconds between two looks at trails: for those of users, new ones, and what a crash left. */
const POLL = 10_000;

/**
 * Works trails that were appended to, one batch at a time. Now and then it looks for those whose wake was lost, as by a crash, and
 * for what could not be worked.
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

  /** Begins with what was appended while nothing ran. */
  start(): void {
    this.polling = this.poll().then(() => {
      if (!this.ending.signal.aborted) this.timer = setTimeout(() => this.start(), POLL).unref();
    });
  }

  /** Takes trails that were appended to. */
  wake(logIds: Iterable<number>): void {
    for (const id of logIds) this.waiting.add(id);
    if (this.ending.signal.aborted || this.waiting.size === 0) return;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
      // A trail may have come after the last check.
      this.wake([]);
    });
  }

  /** Resolves after the transaction under way; no further one begins. */
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

  /** Works those that are waiting; reports what fails. */
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
