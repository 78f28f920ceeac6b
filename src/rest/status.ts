import type { ErrorCode } from '../errors.js';
import type { OperationRoute } from './route.js';

/** The only place that chooses a status. */
export const STATUS = Object.freeze({
  ok: 200,
  created: 201,
  noContent: 204,
  partialContent: 206,
  notModified: 304,
  rangeNotSatisfiable: 416,
});

const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = Object.freeze({
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  HEADERS_TOO_LARGE: 431,
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
  { created, createdWhen }: Pick<OperationRoute, 'created' | 'createdWhen'>,
  payload: Readonly<Record<string, unknown>>,
): number {
  if (createdWhen !== undefined) return payload[createdWhen] === true ? STATUS.created : STATUS.ok;
  return created === undefined ? STATUS.ok : STATUS.created;
}

/** The status of an error. */
export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code];
}
