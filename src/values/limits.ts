import { ACCESS_LIMITS } from './access-limits.js';
import { EVIDENCE_LIMITS } from './evidence-limits.js';
import { REQUEST_LIMITS } from './request-limits.js';
import { ORGANIZATION_LIMITS } from './organization-limits.js';

/**
 * Every number that limits a caller. "Ours" marks a number that the specification does not have: it prevents one
 * request from filling the database, and is far above normal use. (The most messages of one error: MAX_ERRORS in
 * errors.ts.)
 */
export const LIMITS = Object.freeze({
  ...ACCESS_LIMITS,
  ...EVIDENCE_LIMITS,
  ...REQUEST_LIMITS,
  ...ORGANIZATION_LIMITS,
} as const);

/** Milliseconds since 1970 of the first and the last instant whose year has four digits in UTC; PostgreSQL knows no year 0. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
