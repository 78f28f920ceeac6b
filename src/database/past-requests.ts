import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient, QueryArrayConfig, QueryConfig, QueryResultRow } from 'pg';
import { invalidInput } from '../errors.js';
import { UNAVAILABLE_AS_OF, type UnavailableAsOf } from '../values/unavailable-as-of.js';
import { IN_FAILED_TRANSACTION, sqlStateOf } from './driver-errors.js';
import { HISTORY_PATH } from './history-schema.js';
import { rowsOf } from './pipelined-connections.js';
import type { Listable } from './sql.js';
import { wireTypes } from './wire.js';

/** An instant in the past, and how its tables are filled. */
export interface Past {
  /** The requested instant, which statements use as the current time. */
  readonly at: Date;
  /** Inserts the rows of that instant into the tables of the schema `history`; the transaction sees no others there. */
  fill(tx: Listable): Promise<void>;
}

/** Runs a body in a transaction, which is undone by what the body throws. A nested one is within a request about the past. */
type Begin = (body: (client: PoolClient) => Promise<void>, isNested: boolean) => Promise<void>;

/** Thrown to roll back the transaction of a completed read. */
const OVER = new Error('The read of the past is over');

/** Requests about the past: their statements read the inserted rows. */
export class PastRequests {
  private readonly scopes = new AsyncLocalStorage<PastReads | undefined>();
  private count = 0;

  constructor(private readonly begin: Begin) {}

  /** Runs `answer` on the past, read-only. Data for authorization is read in `present`. */
  async read<Result>(past: Past, answer: () => Promise<Result>): Promise<Result> {
    const isNested = this.scope !== undefined;
    const reads = new PastReads(past, (body) => this.begin(body, isNested));
    this.count += 1;
    try {
      return await this.scopes.run(reads, answer);
    } finally {
      await reads.end();
      this.count -= 1;
    }
  }

  /** Runs `work` on the present, also within a request about the past. */
  present<Result>(work: () => Result): Result {
    return this.count === 0 ? work() : this.scopes.run(undefined, work);
  }

  /** The transaction for statements of such a request; undefined for all others. */
  get tables(): Promise<Listable> | undefined {
    return this.scope?.open();
  }

  /** The instant of such a request. */
  get at(): Date | undefined {
    return this.scope?.past.at;
  }

  /** Throws BAD_USER_INPUT with the reason, within such a request. */
  refuse(reason: UnavailableAsOf): void {
    if (this.at !== undefined) throw invalidInput([{ path: ['asOf'], sentence: UNAVAILABLE_AS_OF[reason] }]);
  }

  private get scope(): PastReads | undefined {
    const scope = this.count === 0 ? undefined : this.scopes.getStore();
    // Work that a request has begun may continue after its end.
    return scope?.isOver === true ? undefined : scope;
  }
}

/**
 * The transaction of one request about the past. It begins with the first statement, so that refused requests need
 * none, and is rolled back at the end.
 */
class PastReads {
  isOver = false;
  private opening: Promise<Listable> | undefined;
  private ended: Promise<void> | undefined;
  private readonly over = Promise.withResolvers<never>();

  constructor(
    readonly past: Past,
    private readonly begin: (body: (client: PoolClient) => Promise<void>) => Promise<void>,
  ) {
    // It may be rejected before anything awaits it, when the transaction never began.
    this.over.promise.catch(() => undefined);
  }

  /** The transaction of the request's statements. Throws errors of `fill`. */
  open(): Promise<Listable> {
    this.opening ??= new Promise((resolve, reject) => {
      const begun = this.begin(async (client) => {
        await rowsOf(client, { text: ENTER_HISTORY, values: [this.past.at.toISOString()] });
        const tx = unprepared(client);
        await this.past.fill(tx);
        await rowsOf(client, { text: READ_ONLY });
        await rowsOf(client, { text: FILLED });
        resolve(tx);
        await this.over.promise;
      });
      this.ended = begun.catch((error: unknown) => (error === OVER ? undefined : reject(error as Error)));
    });
    return this.opening;
  }

  async end(): Promise<void> {
    this.isOver = true;
    this.over.reject(OVER);
    await this.ended;
  }
}

const ENTER_HISTORY = `select set_config('search_path', '${HISTORY_PATH}', true), set_config('history.now', $1, true)`;
const READ_ONLY = 'set transaction read only';
const FILLED = 'savepoint filled';
const TO_FILLED = { text: 'rollback to savepoint filled' };

/** Runs statements unprepared: the same texts refer to other tables elsewhere. */
function unprepared(client: PoolClient): Listable {
  const unnamed = (text: string, values: readonly unknown[] = []) => ({
    ...{ text, values: values as unknown[], types: wireTypes },
  });
  return {
    rows: (text, values) => apart(client, unnamed(text, values)),
    tuples: (text, values) => apart<unknown[]>(client, { ...unnamed(text, values), rowMode: 'array' }),
  };
}

/**
 * An error of a statement, such as one about tokens, aborts the transaction for those behind it: they are repeated
 * after a rollback to the savepoint.
 */
async function apart<Row extends QueryResultRow>(
  client: PoolClient,
  statement: QueryConfig | QueryArrayConfig,
): Promise<Row[]> {
  try {
    return await rowsOf<Row>(client, statement);
  } catch (error) {
    if (sqlStateOf(error) !== IN_FAILED_TRANSACTION) throw error;
    // Sent together, so that no other statement comes between them.
    const [, rows] = await Promise.all([rowsOf(client, TO_FILLED), rowsOf<Row>(client, statement)]);
    return rows;
  }
}
