import { isNativeError } from 'node:util/types';
import { TLS_ERROR } from '../common/failures.js';
import { DomainError, invalidInput, unavailable } from '../errors.js';
import { UNAVAILABLE_AS_OF } from '../values/unavailable-as-of.js';
import { NOT_RECORDED } from './history-schema.js';
import { reasonOf } from './recorded-tables.js';

/** Errors of the connection and limits become UNAVAILABLE, and what is not recorded of the past BAD_USER_INPUT; everything else stays what it is and is masked by the transports. */
export function asDomainError(error: unknown): unknown {
  if (sqlStateOf(error) === NOT_RECORDED) {
    // The table's name stands first.
    const [table = ''] = (error as Error).message.split(' ');
    return invalidInput([{ path: ['asOf'], sentence: UNAVAILABLE_AS_OF[reasonOf(table)] }]);
  }
  if (!isConnectionError(error) && !PASSING_STATES.test(sqlStateOf(error) ?? '')) return error;
  return unavailable(undefined, { service: 'database', cause: error });
}

export const DISK_FULL = '53100';
export const INSUFFICIENT_PRIVILEGE = '42501';
/** A statement took too long. */
export const CANCELLED = '57014';
/** A statement before it in the transaction has failed. */
export const IN_FAILED_TRANSACTION = '25P02';

/**
 * SQLSTATEs that mean "not now" although the connection is well: a statement (57014) or a lock (55P03) took too long, two waited for each other (40P01),
 * the server's disk or memory failed (58, 53), it takes no writes, as one that has just been replaced (25006), or the session
 * is not the one that the statement was prepared in (26000, 42P05). Statements behind such a one in a transaction fail as well (25P02).
 */
const PASSING_STATES = /^(?:57014|55P03|40P01|25006|26000|42P05|25P02|58...|53...)$/;

const UNIQUE_VIOLATION = '23505';

/** Whether another row has a value that is unique, also one that was committed while the statement waited for it. */
export function isTaken(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** A lock took too long, or two transactions waited for each other: it says nothing about what else is in the database. */
const LOCKED = /^(?:55P03|40P01)$/;

/** Whether a transaction was ended for the sake of its locks alone. */
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
 * SQLSTATEs after which there is no connection: exceptions of it, a role that may not log in, as one with another password, a
 * database that is absent, the operator's doing, an idle transaction.
 */
const CLOSING_STATES = /^(?:08...|28...|3D000|57P..|53300|25P03)$/;
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
/** Errors that `pg` throws without a code when the server hangs up or no connection comes free. */
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
