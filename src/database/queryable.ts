import type { QueryResultRow } from 'pg';

/** Runs one parametrised statement; the same inside and outside a transaction. */
export interface Queryable {
  /** Rows as plain objects: dates as ISO 8601 text in UTC, int8 as a number, jsonb parsed. Throws UNAVAILABLE when the database is away. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Notes the log of an entry that was appended: its consumers are woken after COMMIT. */
  appended?(logId: number): void;
}

/** Reads lists as well. */
export interface Listable extends Queryable {
  /** As `rows`, with each row as its values in the order of the columns. */
  tuples(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
}

/** Reads in transactions as well. */
export interface Reads extends Listable {
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}
