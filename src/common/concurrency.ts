import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors.js';

/** Gives so many places at a time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  private free: number;

  constructor(
    private readonly places: number,
    /** Milliseconds of waiting at most; as long as it takes when absent. */
    private readonly stallMs?: number,
    /** Makes the error for a place that did not come free in time. */
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

  /** Works when a place is free. Throws what `acquire` throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a free place; returns what gives it back, to be called once. Throws the refusal, UNAVAILABLE unless another
   * was given, when none came free in time.
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

  /** To the one that has waited longest. */
  private pass(): void {
    const [next] = this.waiting;
    if (next === undefined) this.free += 1;
    else if (this.waiting.delete(next)) next();
  }
}

function noPlace(): Error {
  return unavailable(undefined, { cause: new Error('No place came free in time') });
}

/** A semaphore for each key, while it is in use. */
export class KeyedSemaphores {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly make: () => Semaphore) {}

  /** Waits for a free place of the key; returns what gives it back. Throws what its semaphore throws. */
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

/** Runs work at intervals apart from any request, one run at a time. */
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

  /** Runs once more. */
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

/** Waits for work, so many milliseconds at most. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const limit = sleep(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([work, limit]).finally(() => late.abort());
}

/** Makes something at the first call. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
