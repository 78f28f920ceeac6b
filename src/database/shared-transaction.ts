import type { Listable, Queryable } from './sql.js';

/** Runs a body in a transaction of its own: commits when it resolves, rolls back when it throws. */
type Begin = (body: (tx: Listable) => Promise<void>) => Promise<void>;

type AtEnd = (committed: boolean) => Promise<void> | void;

/**
 * The transaction of a request whose changes and answer are committed together. It begins with the first change; every
 * transaction of a use case is a savepoint of it. Statements of one request follow each other.
 */
export class SharedTransaction {
  /** Whether a savepoint was released, so that there is something to commit. */
  hasChanges = false;
  private tx: Listable | undefined;
  private opening: Promise<Listable> | undefined;
  private isOver = false;
  private committed: Promise<void> | undefined;
  private readonly decision = Promise.withResolvers<void>();
  private readonly atEnd: AtEnd[] = [];

  constructor(
    private readonly begin: Begin,
    /** `check` runs before the first change, `confirm` before COMMIT: what they throw refuses every change of the request. */
    private readonly guards: { check: (tx: Queryable) => Promise<void>; confirm: () => Promise<void> },
  ) {
    // Rejected before anything waits for it, when the transaction never began.
    this.decision.promise.catch(() => undefined);
  }

  /** Whether statements of the request may come here. */
  get isActive(): boolean {
    return !this.isOver;
  }

  /** The transaction, once it has begun: what is read from then on may hold uncommitted changes. */
  get begun(): Listable | undefined {
    return this.isOver ? undefined : this.tx;
  }

  /** Undoes only the changes of `work` when it throws. */
  async savepoint<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const tx = await this.open();
    await tx.rows(SAVEPOINT);
    try {
      const result = await work(tx);
      await tx.rows(RELEASE);
      this.hasChanges = true;
      return result;
    } catch (error) {
      // Released as well, or the savepoints of many refused rows would stand within each other. On a lost connection there
      // is nothing to undo, and the error says so.
      await tx
        .rows(UNDO)
        .then(() => tx.rows(RELEASE))
        .catch(() => undefined);
      throw error;
    }
  }

  /** Runs `work` after the end, with whether that was a COMMIT. */
  afterwards(work: AtEnd): void {
    this.atEnd.push(work);
  }

  /** Runs `last` in the transaction and commits. Throws what `last` or COMMIT throws; nothing is changed then. */
  async commit(last: (tx: Queryable) => Promise<void>): Promise<void> {
    await last(await this.open());
    await this.guards.confirm();
    this.isOver = true;
    this.decision.resolve();
    try {
      await this.committed;
    } catch (error) {
      await this.end(false);
      throw error;
    }
    await this.end(true);
  }

  /** Undoes every change, unless they are committed. */
  async rollBack(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    this.decision.reject(ROLLED_BACK);
    await this.committed?.catch(() => undefined);
    await this.end(false);
  }

  private open(): Promise<Listable> {
    this.opening ??= new Promise((resolve, reject) => {
      this.committed = this.begin(async (tx) => {
        await this.guards.check(tx);
        this.tx = tx;
        resolve(tx);
        await this.decision.promise;
      });
      this.committed.catch(reject);
    });
    return this.opening;
  }

  private async end(committed: boolean): Promise<void> {
    for (const work of this.atEnd) await work(committed);
  }
}

const SAVEPOINT = 'savepoint part';
const RELEASE = 'release savepoint part';
const UNDO = 'rollback to savepoint part';
const ROLLED_BACK = new Error('The changes of the request are rolled back');
