import type { Database, Queryable } from '../../src/database/database.js';

/** A statement that was sent to the database. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
}

/** The database, recording in `statements` those that are sent to it, also in transactions, to be explained. */
export function recording(database: Database, statements: SentStatement[]): Database {
  const noting = (to: Queryable): Queryable => ({
    rows: (text, values = []) => {
      statements.push({ text, values });
      return to.rows(text, values);
    },
  });
  const recorder: Database = {
    ...noting(database),
    tuples: (text: string, values: readonly unknown[] = []) => {
      statements.push({ text, values });
      return database.tuples(text, values);
    },
    transaction: <Result>(work: (tx: Queryable) => Promise<Result>) => database.transaction((tx) => work(noting(tx))),
    snapshot: <Result>(work: (tx: Queryable) => Promise<Result>) => database.snapshot((tx) => work(noting(tx))),
    request: database.request,
    seesUncommitted: () => false,
    longReads: async () => recorder,
  } as Partial<Database> as Database;
  return recorder;
}
