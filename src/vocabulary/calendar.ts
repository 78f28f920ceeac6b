/** Milliseconds since 1970 of the first and the last instant whose year has four digits in UTC; PostgreSQL knows no year 0. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
