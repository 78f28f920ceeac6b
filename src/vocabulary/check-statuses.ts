/**
 * A device's `check.status`, and each part of its `check.stat` (specification 2.6 and 2.7 show integers; decisions 8
 * give the meaning of the status, docs/adr/0012 that of the parts).
 */
export const CHECK_STATUSES = Object.freeze({ UNKNOWN: 0, HEALTHY: 1, DEGRADED: 2, DOWN: 3 } as const);

/** The integer as it is stored and sent. */
export type CheckStatus = (typeof CHECK_STATUSES)[keyof typeof CHECK_STATUSES];
