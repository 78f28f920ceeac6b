export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** A header of repeated answers. */
export const IDEMPOTENCY_REPLAYED = 'Idempotency-Replayed';

/**
 * A string of RFC 9651, as in the IETF draft, with quotes and backslashes escaped; or unquoted, as many clients send
 * it.
 */
export const IDEMPOTENCY_KEY_PATTERN = '^(?:"((?:[ !#-\\[\\]-~]|\\\\["\\\\])+)"|([!#-+\\-\\.-\\[\\]-~]+))$';
