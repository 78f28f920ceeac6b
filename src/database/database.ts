import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { isNativeError } from 'node:util/types';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { unavailable } from '../errors.js';
import { ormOptions } from './orm-options.js';
import { ReadLanes } from './read-lanes.js';
import { rowsOf } from './rows-of.js';
import { SilenceWatch } from './silence-watch.js';
import { StatementNames } from './statement-names.js';
import { wireTypes } from './wire-types.js';

/** Runs one parametrised statement; the same face inside and outside a transaction. */
export interface Queryable {
  /** Rows as plain objects: dates as ISO 8601 text in UTC, int8 as a number, jsonb parsed. Throws UNAVAILABLE when the database is away. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Reads lists as well. */
export interface Listable extends Queryable {
  /** As `rows`, with each row as its values in the order of the columns. */
  tuples(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
}

/**
 * The one way to PostgreSQL. Entities and their unit of work are reached through `em()`; lists and hot writes go
 * as parametrised, named statements over the ORM's own pool, because the ORM writes each parameter into the text and
 * hydrates each row (docs/adr/0003).
 */
export class Database implements Listable {
  /** Statements sent so far, transactions' own not counted; what is made with entities is not seen here. */
  executed = 0;

  private constructor(
    private readonly orm: MikroORM,
    private readonly pool: Pool,
    private readonly watch: SilenceWatch,
    private readonly lanes: ReadLanes,
    private readonly names = new StatementNames(),
  ) {}

  /** Connects lazily: a database that is away at this moment is told by the first statement. */
  static async open(url: string, poolSize: number): Promise<Database> {
    const orm = await MikroORM.init(ormOptions({ url, poolSize }));
    const pool: Pool = await orm.em.getConnection().getNativeClient();
    return new Database(orm, pool, new SilenceWatch(pool), new ReadLanes(pool, poolSize));
  }

  /** A unit of work of its own, for one use-case. */
  em(): EntityManager {
    return this.orm.em.fork();
  }

  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(this.statement(text, values))).rows;
    } catch (error) {
      throw asDomainError(error);
    }
  }

  async tuples(text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
    try {
      return await this.lanes.tuples({ ...this.statement(text, values), rowMode: 'array' });
    } catch (error) {
      throw asDomainError(error);
    }
  }

  /**
   * Runs the statements of the job queue, whose library brings its own: as they are, several in one text if there are
   * no values, and with the driver's own types. They are not counted. Throws UNAVAILABLE as `rows` does.
   */
  async foreign(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      return await this.pool.query(text, values);
    } catch (error) {
      throw asDomainError(error);
    }
  }

  /** Commits when `work` resolves, rolls back when it throws. */
  async transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      await rowsOf(client, BEGIN);
      const result = await work({
        rows: <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
          rowsOf<Row>(client, this.statement(text, values)),
      });
      await rowsOf(client, COMMIT);
      return result;
    } catch (error) {
      // A connection that cannot even roll back is not given to the next caller, nor is one that has gone silent.
      if (isConnectionFault(error)) broken = error as Error;
      else await rowsOf(client, ROLLBACK).catch((fault: Error) => (broken = fault));
      throw asDomainError(error);
    } finally {
      client.release(broken);
    }
  }

  /** Runs a use-case on entities in one transaction; database faults come out as for `rows`. */
  async work<Result>(use: (em: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      return await this.orm.em.fork().transactional(use);
    } catch (error) {
      throw asDomainError(error);
    }
  }

  /** Connections of the pool: all, those that nobody uses, and how many wait for one. */
  connections(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Throws UNAVAILABLE when the database does not answer. */
  async ping(): Promise<void> {
    await this.rows('select 1');
  }

  async close(): Promise<void> {
    this.lanes.close();
    await this.orm.close(true);
    this.watch.close();
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw asDomainError(error);
    }
  }

  private statement(text: string, values: readonly unknown[]) {
    this.executed += 1;
    return { text, values: values as unknown[], name: this.names.nameOf(text), types: wireTypes };
  }
}

const BEGIN = { text: 'begin' };
const COMMIT = { text: 'commit' };
const ROLLBACK = { text: 'rollback' };

/** Connection faults become UNAVAILABLE; everything else stays what it is and is masked at the door. */
export function asDomainError(error: unknown): unknown {
  return isConnectionFault(error) ? unavailable() : error;
}

/** SQLSTATE classes that mean "not now": connection exceptions, operator intervention, insufficient resources. */
const PASSING_STATES = /^(?:08|57P|53)/;
const SOCKET_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** What `pg` throws without a code when the server hangs up or no connection comes free. */
const CODELESS_FAULTS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after)/;

function isConnectionFault(error: unknown): boolean {
  // Not instanceof: an error of another realm, such as a test's, is an error all the same.
  if (!isNativeError(error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return SOCKET_FAULTS.has(code) || (code.length === 5 && PASSING_STATES.test(code));
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isConnectionFault);
  if (error.cause !== undefined && isConnectionFault(error.cause)) return true;
  return CODELESS_FAULTS.test(error.message);
}
