import { isNativeError } from 'node:util/types';
import { TLS_ERROR } from '../common/failures.js';
import { DomainError, invalidInput, unavailable } from '../errors.js';
import { UNAVAILABLE_AS_OF } from '../values/unavailable-as-of.js';
import { NOT_RECORDED } from './history-schema.js';
import { reasonOf } from './recorded-tables.js';

/**
 * Errors of connections and limits become UNAVAILABLE, and those of unrecorded past data BAD_USER_INPUT; others are
 * unchanged, and masked by the transports.
 */
export function asDomainError(error: unknown): unknown {
  if (sqlStateOf(error) === NOT_RECORDED) {
    // The table's name comes first.
    const [table = ''] = (error as Error).message.split(' ');
    return invalidInput([{ path: ['asOf'], sentence: UNAVAILABLE_AS_OF[reasonOf(table)] }]);
  }
  if (!isConnectionError(error) && !PASSING_STATES.test(sqlStateOf(error) ?? '')) return error;
  return unavailable(undefined, { service: 'database', cause: error });
}

export const DISK_FULL = '53100';
export const INSUFFICIENT_PRIVILEGE = '42501';
/** A statement was cancelled by its time limit. */
export const CANCELLED = '57014';
/** An earlier statement of the transaction has failed. */
export const IN_FAILED_TRANSACTION = '25P02';

/**
 * SQLSTATEs of temporary errors on an intact connection: timeouts of statements (57014) and locks (55P03), deadlocks
 * (40P01), disk or memory (58, 53), a read-only server (25006), a session without or with the prepared statement
 * (26000, 42P05); and statements behind such an error in a transaction (25P02).
 */
const PASSING_STATES = /^(?:57014|55P03|40P01|25006|26000|42P05|25P02|58...|53...)$/;

const UNIQUE_VIOLATION = '23505';

/** Whether another row has the same unique value, also one that was committed while the statement waited for it. */
export function isTaken(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** A lock timed out, or two transactions deadlocked: no statement about the state of the database. */
const LOCKED = /^(?:55P03|40P01)$/;

/** Whether a transaction failed only because of locks. */
export function isLocked(error: unknown): boolean {
  return error instanceof DomainError && LOCKED.test(sqlStateOf(error.cause) ?? '');
}

export function sqlStateOf(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return code;
  return error.cause === undefined ? undefined : sqlStateOf(error.cause);
}

/**
 * SQLSTATEs that end the connection: connection exceptions, a role that may not log in, as with a wrong password, a
 * missing database, operator intervention, a transaction that was idle or took too long.
 */
const CLOSING_STATES = /^(?:08...|28...|3D000|57P..|53300|25P0[34])$/;
const SOCKET_ERRORS = new Set([
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
/** Errors that `pg` throws without a code when the server closes the connection or no connection becomes free. */
const CODELESS_ERRORS =
  /^(?:Connection terminated|The server does not support SSL connections|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after)/;

export function isConnectionError(error: unknown): boolean {
  // Not instanceof: errors of another JavaScript context, such as a test's, count as well.
  if (!isNativeError(error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return SOCKET_ERRORS.has(code) || CLOSING_STATES.test(code) || TLS_ERROR.test(code);
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isConnectionError);
  if (error.cause !== undefined && isConnectionError(error.cause)) return true;
  return CODELESS_ERRORS.test(error.message);
}
