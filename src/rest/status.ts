import type { ErrorCode } from '../errors.js';

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
  CONFLICT: 409,
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

export function statusOf(code: ErrorCode): number {
  return FAULT_STATUS[code];
}
