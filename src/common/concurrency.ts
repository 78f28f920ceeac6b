import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors.js';

/** Limits concurrent work; further work waits in order. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  private free: number;

  constructor(
    private readonly places: number,
    /** The most milliseconds of waiting; unlimited when absent. */
    private readonly stallMs?: number,
    /** Creates the error of a timeout. */
    private readonly refusal: () => Error = noPlace,
  ) {
    this.free = places;
  }

  get queued(): number {
    return this.waiting.size;
  }

  get isIdle(): boolean {
    return this.free === this.places;
  }

  /** Runs work in a free place. Throws as `acquire`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a free place; returns a function that releases it, to be called once. Throws the refusal, by default
   * UNAVAILABLE, after a timeout.
   */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    return () => this.pass();
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const leave = () => {
        this.waiting.delete(enter);
        reject(this.refusal());
      };
      const timer = this.stallMs === undefined ? undefined : setTimeout(leave, this.stallMs).unref();
      this.waiting.add(enter);
    });
  }

  /** Passes the free place to the caller that has waited longest. */
  private pass(): void {
    const [next] = this.waiting;
    if (next === undefined) this.free += 1;
    else if (this.waiting.delete(next)) next();
  }
}

function noPlace(): Error {
  return unavailable(undefined, { cause: new Error('No place came free in time') });
}

/** A semaphore for each key in use. */
export class KeyedSemaphores {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly make: () => Semaphore) {}

  /** Waits for a free place of the key; returns a function that releases it. Throws as its semaphore. */
  async acquire(key: string): Promise<() => void> {
    const semaphore = this.semaphores.get(key) ?? this.make();
    this.semaphores.set(key, semaphore);
    const release = await semaphore.acquire();
    return () => {
      release();
      if (semaphore.isIdle) this.semaphores.delete(key);
    };
  }
}

/** Runs work at intervals outside of requests, one run at a time. */
export class BackgroundWork {
  private running: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    everyMilliseconds: number,
    private readonly work: (isLast: boolean) => Promise<void>,
    private readonly onError: (err: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.run(false), everyMilliseconds).unref();
  }

  /** Runs a last time. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.run(true);
  }

  private run(isLast: boolean): Promise<void> {
    this.running ??= this.work(isLast)
      .catch(this.onError)
      .finally(() => (this.running = undefined));
    return this.running;
  }
}

/** Waits for work, for this many milliseconds at most. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const limit = sleep(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([work, limit]).finally(() => late.abort());
}

/** Creates a value at the first call. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
