import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { peer } from './peer.js';

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** More connections than this do not read faster on any machine that was measured. */
const READERS = 4;
const WRITERS = 10;

/**
 * Named, prepared statements, with times parsed as in the gateway. Reads are pipelined over a few connections: the
 * lowest cost that this driver allows.
 */
export class PeerDatabase {
  private next = 0;

  private constructor(
    private readonly readers: readonly pg.Client[],
    private readonly pool: pg.Pool,
  ) {}

  static async open(): Promise<PeerDatabase> {
    const options = `-c TimeZone=UTC -c DateStyle=ISO -c search_path=${peer.schema}`;
    const settings = { connectionString: peer.databaseUrl, options, pipeline: true };
    const readers = Array.from({ length: READERS }, () => new pg.Client(settings));
    for (const reader of readers) await reader.connect();
    return new PeerDatabase(readers, new pg.Pool({ ...settings, max: WRITERS, idleTimeoutMillis: 0 }));
  }

  async read<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const reader = this.readers[(this.next = (this.next + 1) % READERS)] as pg.Client;
    return (await reader.query<Row>({ name, text, values, types: wireTypes })).rows;
  }

  /** A write waits for the disk, and must not block statements that are queued on its connection. */
  async write<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values, types: wireTypes })).rows;
  }

  /** A page and the total: a page that is not full implies it, any other is counted. */
  async page<Row extends pg.QueryResultRow>(
    list: { name: string; text: string; count: string },
    parent: unknown,
    size: number,
  ): Promise<{ rows: Row[]; total: number }> {
    const rows = await this.read<Row>(list.name, list.text, [parent, size + 1]);
    if (rows.length <= size) return { rows, total: rows.length };
    rows.length = size;
    const [counted] = await this.read<{ total: number }>(`count ${list.name}`, list.count, [parent]);
    return { rows, total: counted?.total ?? 0 };
  }

  /** Runs all statements in one transaction and one round trip. Throws the error of the first that failed. */
  async transaction(statements: readonly Statement[]): Promise<pg.QueryResultRow[][]> {
    const client = await this.pool.connect();
    try {
      // A COMMIT after a failure is a rollback.
      const [, ...results] = await Promise.all([
        client.query('begin'),
        ...statements.map((statement) => client.query({ ...statement, types: wireTypes })),
        client.query('commit'),
      ]);
      return results.map(({ rows }) => rows as pg.QueryResultRow[]);
    } finally {
      client.release();
    }
  }
}
