import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeLocks } from './change-locks.js';
import { SharedTransaction } from './shared-transaction.js';
import { sql, statement, type Listable, type Queryable } from './sql.js';

type Begin = <Result>(work: (tx: Listable) => Promise<Result>, locks?: ChangeLocks) => Promise<Result>;
type CurrentLocks = () => ChangeLocks | undefined;

/**
 * The request that a statement belongs to, wherever in it the statement comes from: the transaction that its changes share, and
 * what each change holds while it is under way.
 */
export class CurrentRequest {
  private readonly shares = new AsyncLocalStorage<SharedTransaction | undefined>();
  /** How many requests share a transaction. */
  private sharing = 0;
  private readonly changes = new AsyncLocalStorage<CurrentLocks | undefined>();

  constructor(
    private readonly begin: Begin,
    private readonly asDomainError: (error: unknown) => unknown,
  ) {}

  /** The transaction that its changes are committed in together, if any: no other request may take part in it. */
  get shared(): SharedTransaction | undefined {
    if (this.sharing === 0) return undefined;
    const share = this.shares.getStore();
    return share?.isActive === true ? share : undefined;
  }

  /** A part of the shared transaction, or one of its own. */
  async transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const confirmed = async (tx: Queryable) => {
      const result = await work(tx);
      await this.locks?.confirm?.();
      return result;
    };
    try {
      return await (this.shared?.savepoint(work) ?? this.begin(confirmed, this.locks));
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  /**
   * Runs reads that see one moment. Those of a request that shares a transaction see what it has changed as well, and what
   * others have committed when each begins.
   */
  snapshot<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    if (this.shared !== undefined) return this.transaction(work);
    const atOnce = async (tx: Queryable) => {
      await beginSnapshot.all(tx);
      return work(tx);
    };
    // What a change holds is locked by statements, and those would come first.
    return this.withLocks(NOTHING, () => this.transaction(atOnce));
  }

  /**
   * Answers a request whose changes are committed together by `share.commit`, or not at all. `check` runs in the
   * transaction before the first change. Units of work (`Database.work`) take no part in it.
   */
  async share<Result>(
    check: (tx: Queryable) => Promise<void>,
    answer: (share: SharedTransaction) => Promise<Result>,
  ): Promise<Result> {
    let locks: ChangeLocks | undefined;
    const begin = (body: (tx: Listable) => Promise<void>) => this.begin(body, (locks = this.locks));
    const share = new SharedTransaction(begin, { check, confirm: async () => locks?.confirm?.() });
    this.sharing += 1;
    try {
      return await this.shares.run(share, () => answer(share));
    } catch (error) {
      throw this.asDomainError(error);
    } finally {
      await share.rollBack();
      this.sharing -= 1;
    }
  }

  /** Commits the transactions of `work` together, or none of them: with those of the request where it shares one. */
  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.shared !== undefined) return work();
    return this.share(UNCHECKED, async (share) => {
      const result = await work();
      await share.commit(UNCHECKED);
      return result;
    });
  }

  /** Runs use cases as a request would, and undoes all that they have changed. */
  rehearse<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.share(UNCHECKED, work);
  }

  /** Runs `work` without the shared transaction: it sees what is committed. */
  outside<Result>(work: () => Result): Result {
    return this.shares.run(undefined, work);
  }

  /** Runs a change, each transaction of which begins with the locks of `locks` (change-locks.ts). */
  withLocks<Result>(locks: CurrentLocks, work: () => Result): Result {
    return this.changes.run(locks, work);
  }

  /** Runs the part of a change that takes locks itself: it holds its user at most, and is judged as the change before COMMIT. */
  withUserLock<Result>(userId: string | undefined, work: () => Result): Result {
    const confirm = this.locks?.confirm;
    return this.withLocks(() => ({ userId, organizationIds: [], confirm }), work);
  }

  /** Runs `work` at once, or at the end of the shared transaction, with whether that was a COMMIT. */
  afterwards(work: (committed: boolean) => Promise<void> | void): Promise<void> | void {
    return this.shared === undefined ? work(true) : this.shared.afterwards(work);
  }

  private get locks(): ChangeLocks | undefined {
    return this.changes.getStore()?.();
  }
}

const UNCHECKED = async () => undefined;
const NOTHING = () => undefined;
const beginSnapshot = statement()(() => sql`set transaction isolation level repeatable read, read only`);
