import { unavailable } from '../errors.js';

/** Gives so many places at a time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  constructor(
    /** Places that are free. */
    private free: number,
    /** Milliseconds of waiting at most; as long as it takes when absent. */
    private readonly stallMs?: number,
    /** What is thrown when no place came free in time. */
    private readonly refusal: () => Error = noPlace,
  ) {}

  get queued(): number {
    return this.waiting.size;
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
  private readonly semaphores = new Map<string, { semaphore: Semaphore; users: number }>();

  /** `make` makes the semaphore of a key. */
  constructor(private readonly make: () => Semaphore) {}

  /** Works when a place of the key is free. Throws what `acquire` throws. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a free place of the key; returns what gives it back. Throws what its semaphore throws. */
  async acquire(key: string): Promise<() => void> {
    const entry = this.semaphores.get(key) ?? { semaphore: this.make(), users: 0 };
    this.semaphores.set(key, entry);
    entry.users += 1;
    const leave = () => {
      entry.users -= 1;
      if (entry.users === 0) this.semaphores.delete(key);
    };
    try {
      const release = await entry.semaphore.acquire();
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
