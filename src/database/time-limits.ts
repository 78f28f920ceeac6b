/** How long a session of PostgreSQL may take, in milliseconds; 0 is without a limit. */
export interface TimeLimits {
  /** Making a connection, and the wait for a free one of the pool, which requests and jobs share. */
  connect: number;
  /** One statement, the wait for its locks included. */
  statement: number;
  /** The wait for one lock. */
  lock: number;
  /** A transaction between two of its statements; the session is ended after it. */
  idleInTransaction: number;
}

/** Time limits of the connections that serve requests. The storage may be written to between two statements, which takes up to 30 seconds. */
export function requestLimits(statementSeconds: number): TimeLimits {
  const statement = statementSeconds * 1000;
  const waiting = Math.round((statement * 5) / 7);
  return { statement, lock: waiting, connect: waiting, idleInTransaction: 60_000 };
}

/** Those of `requestLimits` when nothing is configured. */
export const REQUEST_LIMITS = requestLimits(7);

/** Queued and periodic work, which no caller waits for. */
export const JOB_LIMITS: TimeLimits = { ...REQUEST_LIMITS, statement: 60_000, lock: 15_000 };

/** First data (demo, first user), while another instance may be making them. */
export const FIRST_DATA_LIMITS: TimeLimits = {
  ...REQUEST_LIMITS,
  ...{ statement: 120_000, lock: 120_000, idleInTransaction: 120_000 },
};

/** Migrations take as long as they take. */
export const NO_LIMITS: TimeLimits = { ...REQUEST_LIMITS, statement: 0, lock: 0, idleInTransaction: 0 };

/** For the `options` of a connection: what a session starts with. */
export function sessionOptions({ statement, lock, idleInTransaction }: TimeLimits): string {
  return `-c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=${idleInTransaction}`;
}

/** Limits of the transaction that has begun; also where a pooler gives each transaction another session. */
export function limitsOf({ statement, lock, idleInTransaction }: TimeLimits): string {
  return (
    `set local statement_timeout = ${statement}; set local lock_timeout = ${lock}; ` +
    `set local idle_in_transaction_session_timeout = ${idleInTransaction}`
  );
}
