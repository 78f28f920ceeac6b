export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** On an answer that was made before. */
export const IDEMPOTENCY_REPLAYED = 'Idempotency-Replayed';

/** A string of RFC 9651, as the IETF draft has it, with quotes and backslashes escaped; or bare, as many clients send it. */
export const IDEMPOTENCY_KEY_PATTERN = '^(?:"((?:[ !#-\\[\\]-~]|\\\\["\\\\])+)"|([!#-+\\-\\.-\\[\\]-~]+))$';
