import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { atMost, once } from '../common/concurrency.js';
import type { Logger } from '../logger.js';
import { CurrentRequest } from './current-request.js';
import { asDomainError, DISK_FULL, sqlStateOf } from './driver-errors.js';
import { acquireLocks, type ChangeLocks } from './change-locks.js';
import { ormOptions } from './orm-options.js';
import { PastRequests } from './past-requests.js';
import { PoolSize, SilenceWatch } from './pool.js';
import { PipelinedConnections, pipelinedOf, rowsOf } from './pipelined-connections.js';
import type { Replica } from './replica.js';
import { Sessions } from './sessions.js';
import { tracedStatement } from './statement-spans.js';
import type { Listable, Queryable, Reads } from './sql.js';
import { JOB_LIMITS, REQUEST_LIMITS, type TimeLimits } from './time-limits.js';
import { ANSWER_TIME, Transactions } from './transactions.js';
import { StatementNames, wireTypes } from './wire.js';
import { WriteProbe } from './write-probe.js';

export type { Listable, Queryable, Reads };

/** State shared by a database and its copy for jobs. */
interface Shared {
  /** Has the pool, without entities. */
  orm: MikroORM;
  /** On the same pool: the first unit of work discovers the entities, which takes longer than the rest of a start. */
  entities: () => Promise<MikroORM>;
  pool: Pool;
  watch: SilenceWatch;
  pipelined: PipelinedConnections;
  transactions: Transactions;
  names: StatementNames;
  sessions: Sessions;
  /** Number of statements sent. */
  executed: number;
  /** A statement has failed for lack of disk space; `ping` checks whether there is some again. */
  isDiskFull: boolean;
  /** Receives the logs that a transaction has appended to, after COMMIT. */
  onAppend: (logIds: ReadonlySet<number>) => void;
  replica?: Replica;
}

/**
 * All access to PostgreSQL. Requests run compiled statements (sql.ts), parametrised and named, on the ORM's pool;
 * entities and their unit of work, which cost several times as much, are available through `work` (docs/adr/0003).
 * Waits beyond a limit end as UNAVAILABLE.
 */
export class Database implements Listable {
  /** The current request, which may commit its transactions together. */
  readonly request = new CurrentRequest(
    (work, locks) => this.begin(work, locks),
    (error) => this.asDomainError(error),
  );
  /** Requests about the past (docs/adr/0037). */
  readonly past = new PastRequests((body, isWithinPast) => {
    const { transactions } = this.shared;
    const isNested = isWithinPast || this.request.shared?.begun !== undefined;
    return isNested ? transactions.runNestedInPast(body, this.limits) : transactions.runInPast(body, this.limits);
  });
  private readonly writeProbe = new WriteProbe(this);

  private constructor(
    private readonly shared: Shared,
    /** Limits other than those of the sessions. */
    private readonly limits?: TimeLimits,
  ) {}

  /** Connects lazily: an unreachable database is an error of the first statement. */
  static async open(url: string, poolSize: number, limits = REQUEST_LIMITS): Promise<Database> {
    const options = ormOptions({ url, poolSize, limits });
    const orm = new MikroORM({ ...options, discovery: { skipSyncDiscovery: true } });
    const connection = orm.driver.getConnection();
    await connection.connect({ skipOnConnect: true });
    const pool: Pool = await connection.getNativeClient();
    const entities = once(() => MikroORM.init({ ...options, driverOptions: connection.getClient() }));
    const watch = new SilenceWatch(pool, limits.statement + ANSWER_TIME);
    const pipelined = new PipelinedConnections(pool, poolSize);
    new PoolSize(pool).onShrink = () => pipelined.shrink();
    const names = new StatementNames();
    const capacity = { places: poolSize - pipelinedOf(poolSize), wait: limits.connect };
    const shared: Shared = {
      ...{ orm, entities, pool, watch, pipelined, names, sessions: new Sessions(pool, names) },
      transactions: new Transactions(
        ...([pool, watch, capacity] as const),
        (error) => readError(shared, error),
        () => pipelined.yieldOne(),
      ),
      executed: 0,
      isDiskFull: false,
      onAppend: () => undefined,
    };
    return new Database(shared);
  }

  /**
   * Checks what a pooler does to sessions, and disables prepared statements where necessary. Throws StartupError
   * where times would be misread, or concurrent changes would fail. An unreachable database is found later.
   */
  async checkSessions(log: Pick<Logger, 'warn'>): Promise<void> {
    try {
      await this.shared.sessions.check(log);
    } catch (error) {
      if (asDomainError(error) === error) throw error;
    }
  }

  /** The same database with the time limits of jobs. Closed with this one. */
  forJobs(): Database {
    return new Database(this.shared, JOB_LIMITS);
  }

  /** Uses a replica for long reads, while it keeps up. Closed with this one. */
  useReplica(replica: Replica): void {
    this.shared.replica = replica;
  }

  /** A source for long reads on which no write depends. They include everything committed before this call. */
  async longReads(): Promise<Reads> {
    const { replica } = this.shared;
    return replica === undefined || this.limits !== undefined || this.seesUncommitted() ? this : replica.reads(this);
  }

  longReadCounts(): Readonly<Record<string, number>> | undefined {
    return this.shared.replica?.counts;
  }

  /** Number of statements sent, without those of transactions themselves and of entities. */
  get executed(): number {
    return this.shared.executed;
  }

  /** Calls `listener` after each COMMIT of a transaction that has appended to logs. */
  onAppend(listener: (logIds: ReadonlySet<number>) => void): void {
    this.shared.onAppend = listener;
  }

  /** Reports an entry that is appended outside of a transaction. */
  appended(logId: number): void {
    void this.request.afterwards((committed) => {
      if (committed) this.shared.onAppend(new Set([logId]));
    });
  }

  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.limits !== undefined) return this.transaction((tx) => tx.rows<Row>(text, values));
    try {
      const begun = this.begun();
      if (begun !== undefined) return await (await begun).rows<Row>(text, values);
      return await this.readAlone<Row>(this.statement(text, values));
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  async change<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.request.shared === undefined) return this.changeAlone<Row>(text, values);
    return this.request.transaction((tx) => tx.rows<Row>(text, values));
  }

  async tuples(text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
    const statement = { ...this.statement(text, values), rowMode: 'array' as const };
    if (this.limits !== undefined)
      return this.shared.transactions.run((client) => rowsOf(client, statement), this.limits);
    try {
      const begun = this.begun();
      if (begun !== undefined) return await (await begun).tuples(text, values);
      return await this.shared.pipelined.read<unknown[]>(statement);
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  /**
   * Runs statements of the job queue's library unchanged, several in one text without values, with the driver's own
   * types. They are not counted. Throws UNAVAILABLE as `rows` does.
   */
  async foreign(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    // Without a place among the transactions, which may be waiting for it.
    return this.shared.transactions.runAtOnce((client) => client.query(text, values), this.limits);
  }

  /** Commits when `work` resolves, rolls back when it throws; a part of the request's shared transaction, if any. */
  async transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const past = this.past.tables;
    return past === undefined ? this.request.transaction(work) : work(await past);
  }

  /** Runs reads of one snapshot: see `CurrentRequest.snapshot`. */
  async snapshot<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const past = this.past.tables;
    return past === undefined ? this.request.snapshot(work) : work(await past);
  }

  /** Whether the request reads uncommitted or past data, which no other request may get. */
  seesUncommitted(): boolean {
    // Not `past.tables`, which begins the transaction: an error of that belongs to the first statement.
    return this.past.at !== undefined || this.request.shared?.begun !== undefined;
  }

  /** The transaction of the request's statements, if it has one. */
  private begun(): Listable | Promise<Listable> | undefined {
    return this.past.tables ?? this.request.shared?.begun;
  }

  private async begin<Result>(work: (tx: Listable) => Promise<Result>, locks?: ChangeLocks): Promise<Result> {
    const logs = new Set<number>();
    const on = (client: PoolClient): Listable => ({
      rows: <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
        rowsOf<Row>(client, this.statement(text, values)),
      tuples: (text: string, values: readonly unknown[] = []) =>
        rowsOf<unknown[]>(client, { ...this.statement(text, values), rowMode: 'array' }),
      appended: (logId: number) => void logs.add(logId),
    });
    const opening = locks && ((client: PoolClient) => acquireLocks(on(client), locks));
    const result = await this.shared.transactions.run((client) => work(on(client)), this.limits, opening);
    if (logs.size > 0) this.shared.onAppend(logs);
    return result;
  }

  /** Reads do not wait for the locks of transactions when these occupy all other connections. */
  private readAlone<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    const { pool, pipelined } = this.shared;
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) return pipelined.read<Row>(statement);
    return tracedStatement(statement, async () => (await pool.query<Row>(statement)).rows);
  }

  /** A change may wait for locks like a transaction, so it takes a place among them. */
  private async changeAlone<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.limits !== undefined || this.past.tables !== undefined) return this.rows<Row>(text, values);
    const { pool, transactions } = this.shared;
    const statement = this.statement(text, values);
    const change = async () => (await pool.query<Row>(statement)).rows;
    try {
      return await transactions.inPlace(() => tracedStatement(statement, change));
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  /** Runs a use case on entities in one transaction, as a unit of work; database errors are those of `rows`. */
  async work<Result>(use: (em: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      const { em } = await this.shared.entities();
      return await em.fork().transactional(use);
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  /** Connections of the pool: total, idle, and requests that wait for one. */
  connections(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount } = this.shared.pool;
    return { total, idle, waiting: waitingCount + this.shared.transactions.queued };
  }

  /** Throws UNAVAILABLE when the database does not respond, is read-only, or is out of disk space. */
  async ping(): Promise<void> {
    if (!this.shared.isDiskFull) return this.writeProbe.check();
    await this.rows(NEEDS_SPACE);
    this.shared.isDiskFull = false;
  }

  /** Waits for running work, but not for a silent database. */
  async close(): Promise<void> {
    const { pipelined, orm, pool, watch } = this.shared;
    const replica = this.shared.replica?.close();
    pipelined.close();
    // The ORM only closes a pool that it has used itself.
    const closed = orm.close(true).then(() => (pool.ending ? undefined : pool.end()));
    await atMost(CLOSE_TIME, closed);
    await replica;
    watch.close();
  }

  private statement(text: string, values: readonly unknown[]) {
    const { shared } = this;
    shared.executed += 1;
    return { text, values: values as unknown[], name: shared.names.nameOf(text), types: wireTypes };
  }

  private asDomainError(error: unknown): unknown {
    return readError(this.shared, error);
  }
}

/** The domain error of a database error, after recording what it shows of the database. */
function readError(shared: Shared, error: unknown): unknown {
  if (sqlStateOf(error) === DISK_FULL) shared.isDiskFull = true;
  shared.sessions.failed(error);
  return asDomainError(error);
}

/** Milliseconds that closing waits for running work. */
const CLOSE_TIME = 10_000;

/** Grows a file of the database, which inserting rows into a last page would not; dropped at once. */
const NEEDS_SPACE = `create temp table space_probe on commit drop as select repeat('x', 1000) from generate_series(1, 100)`;
