import { unavailable } from '../errors.js';

/** Milliseconds; as long as one would wait for a connection of the pool. */
const PATIENCE = 5_000;

/** Lets so many work at a time; the others wait in the order in which they came. */
export class Turns {
  private readonly waiting = new Set<() => void>();

  constructor(
    private free: number,
    private readonly patience = PATIENCE,
  ) {}

  /** Works when it is its turn. Throws UNAVAILABLE when none came in time. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
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
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(unavailable());
      }, this.patience);
      this.waiting.add(start);
    });
  }

  /** To whoever has waited longest. */
  private pass(): void {
    const [next] = this.waiting;
    if (next === undefined) this.free += 1;
    else if (this.waiting.delete(next)) next();
  }
}
