import type { Listable, Queryable } from './sql.js';

/** Runs a body in its own transaction: commits when it resolves, rolls back when it throws. */
type Begin = (body: (tx: Listable) => Promise<void>) => Promise<void>;

type AtEnd = (committed: boolean) => Promise<void> | void;

/**
 * The transaction of a request whose changes and answer are committed together. It begins with the first change;
 * every transaction of a use case is a savepoint. Statements of one request run one after the other.
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
    /**
     * `check` runs before the first change, `confirm` before COMMIT: their errors refuse every change of the request.
     */
    private readonly guards: { check: (tx: Queryable) => Promise<void>; confirm: () => Promise<void> },
  ) {
    // It may be rejected before anything awaits it, when the transaction never began.
    this.decision.promise.catch(() => undefined);
  }

  /** Whether statements of the request may run in it. */
  get isActive(): boolean {
    return !this.isOver;
  }

  /** The transaction, once it has begun: later reads may see uncommitted changes. */
  get begun(): Listable | undefined {
    return this.isOver ? undefined : this.tx;
  }

  /** Rolls back only the changes of `work` when it throws. */
  async savepoint<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const tx = await this.open();
    await tx.rows(SAVEPOINT);
    try {
      const result = await work(tx);
      await tx.rows(RELEASE);
      this.hasChanges = true;
      return result;
    } catch (error) {
      // Released as well, so that the savepoints of many refused rows are not nested. On a lost connection there is
      // nothing to roll back, and the error shows it.
      await tx
        .rows(UNDO)
        .then(() => tx.rows(RELEASE))
        .catch(() => undefined);
      throw error;
    }
  }

  /** Runs `work` after the end, with whether it was committed. */
  afterwards(work: AtEnd): void {
    this.atEnd.push(work);
  }

  /** Runs `last` in the transaction and commits. Throws errors of `last` and of COMMIT; then nothing is changed. */
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

  /** Rolls back every change, unless they are committed. */
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
