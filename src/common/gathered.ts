import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '../errors.js';

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome | Promise<Outcome>) => void;
  reject: (error: unknown) => void;
  /** Runs in the context of the request. */
  within: <Result>(work: () => Result) => Result;
}

export interface Gathering<Item, Outcome> {
  /**
   * Processes several items together without waiting for locks. Outcomes in the order of the items; undefined where
   * one has to be processed alone. An error means that none was processed.
   */
  together: (items: readonly Item[]) => Promise<readonly (Outcome | undefined)[]>;
  alone: (item: Item) => Promise<Outcome>;
  /** A batch has at most one item of a key; undefined is unique. */
  keyOf: (item: Item) => string | undefined;
}

/** Concurrent batches: one is being sent while the other is processed. */
const AT_ONCE = 2;
/** The most items of a batch. */
const SIZE = 20;

/**
 * Processes items of different requests together. With fewer than two running batches an item starts at once; others
 * form the next batch, which runs in the context of its first request.
 */
export class Gathered<Item, Outcome> {
  private waiting: Waiting<Item, Outcome>[] = [];
  private underWay = 0;

  constructor(private readonly gathering: Gathering<Item, Outcome>) {}

  /** Throws errors of processing it; UNAVAILABLE also when an earlier batch threw it. */
  do(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, within: AsyncLocalStorage.snapshot() });
      this.begin();
    });
  }

  private begin(): void {
    while (this.underWay < AT_ONCE && this.waiting.length > 0) {
      const batch = this.next();
      this.underWay += 1;
      void batch[0]!.within(() => this.work(batch));
    }
  }

  private next(): Waiting<Item, Outcome>[] {
    const keys = new Set<string>();
    const [batch, others]: [Waiting<Item, Outcome>[], Waiting<Item, Outcome>[]] = [[], []];
    for (const each of this.waiting) {
      const key = this.gathering.keyOf(each.item);
      const isNext = batch.length < SIZE && (key === undefined || !keys.has(key));
      if (key !== undefined) keys.add(key);
      (isNext ? batch : others).push(each);
    }
    this.waiting = others;
    return batch;
  }

  private async work(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.gathering.together(batch.map(({ item }) => item));
      for (const [index, each] of batch.entries()) this.settle(each, outcomes[index]);
    } catch (error) {
      // One may have failed because of its data; with an unavailable database each would wait as long.
      if (isUnavailable(error)) for (const { reject } of [...batch, ...this.waiting.splice(0)]) reject(error);
      else for (const each of batch) this.settle(each);
    } finally {
      this.underWay -= 1;
      this.begin();
    }
  }

  private settle({ item, resolve, within }: Waiting<Item, Outcome>, outcome?: Outcome): void {
    resolve(outcome ?? within(() => this.gathering.alone(item)));
  }
}
