import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';

/** Milliseconds between two reads of a watched job. */
const LOOK = LIMITS.live.checkSeconds * 1000;

interface Look {
  job: object;
  text: string;
  hasEnded: boolean;
}

/** Not a generator: `return` must end it also while `next` waits. */
export class WatchedJob implements AsyncIterableIterator<object> {
  private readonly ending = new AbortController();
  private shown: string | undefined;
  private hasEnded = false;

  constructor(
    private readonly read: () => Promise<Look>,
    private first: Look | undefined,
  ) {}

  async next(): Promise<IteratorResult<object, undefined>> {
    while (!this.hasEnded && !this.ending.signal.aborted) {
      const look = await this.look();
      if (look === undefined) continue;
      const { job, text, hasEnded } = look;
      this.hasEnded = hasEnded;
      if (text === this.shown) continue;
      this.shown = text;
      return { done: false, value: job };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<object, undefined>> {
    this.ending.abort();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Undefined while the database is unavailable, which is retried. */
  private async look(): Promise<Look | undefined> {
    const { first } = this;
    this.first = undefined;
    if (first !== undefined) return first;
    await sleep(LOOK, undefined, { signal: this.ending.signal }).catch(() => undefined);
    try {
      return await this.read();
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }
}
