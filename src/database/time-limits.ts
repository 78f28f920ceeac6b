/** Time limits of a PostgreSQL session in milliseconds; 0 is unlimited. */
export interface TimeLimits {
  /** Connecting, and waiting for a free connection of the pool, which requests and jobs share. */
  connect: number;
  /** One statement, including its waits for locks. */
  statement: number;
  /** Waiting for one lock. */
  lock: number;
  /** The pause between two statements of a transaction; then the session is ended. */
  idleInTransaction: number;
}

/**
 * Limits of connections for requests. Between two statements the storage may be written to, which takes up to 30
 * seconds.
 */
export function requestLimits(statementSeconds: number): TimeLimits {
  const statement = statementSeconds * 1000;
  const waiting = Math.round((statement * 5) / 7);
  return { statement, lock: waiting, connect: waiting, idleInTransaction: 60_000 };
}

/** The default of `requestLimits`. */
export const REQUEST_LIMITS = requestLimits(7);

/** Queued and periodic work, without a waiting caller. */
export const JOB_LIMITS: TimeLimits = { ...REQUEST_LIMITS, statement: 60_000, lock: 15_000 };

/** Initial data (demo, first user), which another instance may be creating. */
export const FIRST_DATA_LIMITS: TimeLimits = {
  ...REQUEST_LIMITS,
  ...{ statement: 120_000, lock: 120_000, idleInTransaction: 120_000 },
};

/** Migrations are unlimited. */
export const NO_LIMITS: TimeLimits = { ...REQUEST_LIMITS, statement: 0, lock: 0, idleInTransaction: 0 };

/** Initial settings, for the `options` of a connection. */
export function sessionOptions({ statement, lock, idleInTransaction }: TimeLimits): string {
  return `-c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=${idleInTransaction}`;
}

/** Settings of the current transaction; also where a pooler assigns each transaction another session. */
export function limitsOf({ statement, lock, idleInTransaction }: TimeLimits): string {
  return (
    `set local statement_timeout = ${statement}; set local lock_timeout = ${lock}; ` +
    `set local idle_in_transaction_session_timeout = ${idleInTransaction}`
  );
}
