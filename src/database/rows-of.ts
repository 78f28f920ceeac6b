import type { ClientBase, QueryArrayConfig, QueryConfig, QueryResultRow } from 'pg';

/**
 * With a callback: the driver's own promise, like its `query_timeout`, makes V8 keep the rows of every statement until
 * a full collection (docs/adr/0016).
 */
export function rowsOf<Row extends QueryResultRow>(
  client: ClientBase,
  statement: QueryConfig | QueryArrayConfig,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query<Row>(statement, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
  });
}
