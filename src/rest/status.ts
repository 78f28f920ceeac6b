import type { ErrorCode } from '../errors.js';
import type { Route } from './route.js';

/** The only place that chooses a status (decisions §3 for failures). */
export const STATUS = Object.freeze({
  ok: 200,
  created: 201,
  noContent: 204,
  partialContent: 206,
  notModified: 304,
  rangeNotSatisfiable: 416,
});

const FAULT_STATUS: Readonly<Record<ErrorCode, number>> = Object.freeze({
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  RATE_LIMITED: 429,
  BAD_USER_INPUT: 400,
  MISSING_CONTENT: 400,
  INVALID_BASE64: 400,
  UNSUPPORTED_FILE_TYPE: 415,
  FILE_TOO_LARGE: 413,
  INVALID_DATA: 400,
  UNAVAILABLE: 503,
  INTERNAL: 500,
});

/** The status of a success: whether something was made is said by the route, or by what the operation answered. */
export function successStatus(
  { created, createdWhen }: Pick<Route, 'created' | 'createdWhen'>,
  payload: Readonly<Record<string, unknown>>,
): number {
  if (createdWhen !== undefined) return payload[createdWhen] === true ? STATUS.created : STATUS.ok;
  return created === undefined ? STATUS.ok : STATUS.created;
}

/** The status of a fault (decisions §3). */
export function statusOf(code: ErrorCode): number {
  return FAULT_STATUS[code];
}

/** Whether the answer tells of a fault. */
export function isFailure(status: number): boolean {
  return status >= 400;
}
