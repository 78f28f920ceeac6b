import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { peer } from './peer.js';

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** More than this many readers do not read faster on any machine that this was tried on. */
const READERS = 4;
const WRITERS = 10;

/**
 * Named, prepared statements, with times read as the gateway reads them. Reads go over a few connections, one behind the
 * other without waiting for what went before: the least that this driver can be made to take.
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

  /** A write waits for the disk, and must not hold up what stands behind it on its connection. */
  async write<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values, types: wireTypes })).rows;
  }

  /** A page, and the total: a page that is not full shows it, any other is counted. */
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

  /** All statements in one transaction and one trip. Throws what the first of them failed with. */
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
