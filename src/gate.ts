import { unavailable } from './errors.js';

/** Lets so many in at a time; the others wait in the order they came. */
export class Gate {
  private readonly waiting = new Set<() => void>();

  constructor(
    /** Places that are free. */
    private free: number,
    /** Milliseconds that anybody waits; as long as it takes when absent. */
    private readonly patience?: number,
    /** What is thrown when no place came free in time. */
    private readonly refusal: () => Error = noPlace,
  ) {}

  /** Works when a place is free. Throws the refusal, UNAVAILABLE unless another was given, when none came in time. */
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
        reject(this.refusal());
      };
      const timer = this.patience === undefined ? undefined : setTimeout(leave, this.patience).unref();
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

function noPlace(): Error {
  return unavailable(undefined, { cause: new Error('No place came free in time') });
}

/** A gate for each key, for as long as there is work behind it. */
export class KeyedGates {
  private readonly gates = new Map<string, { gate: Gate; users: number }>();

  /** `make` makes the gate of a key. */
  constructor(private readonly make: () => Gate) {}

  /** Works when a place of the key is free. Throws what its gate throws. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const entry = this.gates.get(key) ?? { gate: this.make(), users: 0 };
    this.gates.set(key, entry);
    entry.users += 1;
    try {
      return await entry.gate.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.gates.delete(key);
    }
  }
}
