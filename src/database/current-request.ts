import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeLocks } from './change-locks.js';
import { SharedTransaction } from './shared-transaction.js';
import { sql, statement, type Listable, type Queryable } from './sql.js';

type Begin = <Result>(work: (tx: Listable) => Promise<Result>, locks?: ChangeLocks) => Promise<Result>;
type CurrentLocks = () => ChangeLocks | undefined;

/** The request of a statement: the transaction that its changes share, and the locks of the change under way. */
export class CurrentRequest {
  private readonly shares = new AsyncLocalStorage<SharedTransaction | undefined>();
  /** The number of requests that share a transaction. */
  private sharing = 0;
  private readonly changes = new AsyncLocalStorage<CurrentLocks | undefined>();

  constructor(
    private readonly begin: Begin,
    private readonly asDomainError: (error: unknown) => unknown,
  ) {}

  /** The shared transaction of the request, if any. No other request may use it. */
  get shared(): SharedTransaction | undefined {
    if (this.sharing === 0) return undefined;
    const share = this.shares.getStore();
    return share?.isActive === true ? share : undefined;
  }

  /** Runs in a savepoint of the shared transaction, or in its own transaction. */
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
   * Runs reads of one snapshot. In a request with a shared transaction, they see its changes, and what others
   * committed before each read.
   */
  snapshot<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    if (this.shared !== undefined) return this.transaction(work);
    const atOnce = async (tx: Queryable) => {
      await beginSnapshot.all(tx);
      return work(tx);
    };
    // Locks of a change are acquired by statements, which must not precede the isolation level.
    return this.withLocks(NOTHING, () => this.transaction(atOnce));
  }

  /**
   * Answers a request whose changes are committed together by `share.commit`, or not at all. `check` runs in the
   * transaction before the first change. Units of work (`Database.work`) are not included.
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

  /** Commits the transactions of `work` together, or none of them; with those of the request where it shares one. */
  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.shared !== undefined) return work();
    return this.share(UNCHECKED, async (share) => {
      const result = await work();
      await share.commit(UNCHECKED);
      return result;
    });
  }

  /** Runs use cases as a request would, and rolls back all changes. */
  rehearse<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.share(UNCHECKED, work);
  }

  /** Runs `work` without the shared transaction: it sees committed data. */
  outside<Result>(work: () => Result): Result {
    return this.shares.run(undefined, work);
  }

  /** Runs a change; `locks` is called at the beginning of each of its transactions (change-locks.ts). */
  withLocks<Result>(locks: CurrentLocks, work: () => Result): Result {
    return this.changes.run(locks, work);
  }

  /**
   * Runs a part of a change that acquires locks itself: only its user is locked first, and the change is confirmed
   * before COMMIT.
   */
  withUserLock<Result>(userId: string | undefined, work: () => Result): Result {
    const confirm = this.locks?.confirm;
    return this.withLocks(() => ({ userId, organizationIds: [], confirm }), work);
  }

  /** Runs `work` at once, or at the end of the shared transaction, with whether it was committed. */
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
