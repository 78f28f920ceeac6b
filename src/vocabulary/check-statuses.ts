/** A device's `check.status` (specification 2.6 and 2.7 show an integer; decisions 8 give its meaning). */
export const CHECK_STATUSES = Object.freeze({ UNKNOWN: 0, HEALTHY: 1, DEGRADED: 2, DOWN: 3 } as const);

/** The integer as it is stored and sent. */
