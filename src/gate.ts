import { unavailable } from './errors.js';

/** Lets so many in at a time; the others wait in the order they came. */
export class Gate {
  private readonly waiting = new Set<() => void>();

  constructor(
    /** Places that are free. */
    private free: number,
    /** Milliseconds that anybody waits; as long as it takes when absent. */
    private readonly patience?: number,
  ) {}

  /** Works when a place is free. Throws UNAVAILABLE when none came in time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const leave = () => {
        this.waiting.delete(enter);
        reject(unavailable(undefined, { cause: new Error('No place came free in time') }));
      };
      const timer = this.patience === undefined ? undefined : setTimeout(leave, this.patience);
      this.waiting.add(enter);
    });
  }

  /** To whoever has waited longest. */
  private pass(): void {
    const [next] = this.waiting;
    if (next === undefined) this.free += 1;
    else if (this.waiting.delete(next)) next();
  }
}
