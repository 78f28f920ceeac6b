import { LANGUAGES } from '../../messages/language.js';
import { PREFERENCE_APPLIED, RESPOND_ASYNC } from '../../http/preference.js';
import { CHALLENGE } from '../../http/context.js';
import { CONFLICT_REASONS } from '../../errors.js';
import { IDEMPOTENCY_REPLAYED } from '../../common/idempotency.js';
import { HAS_NEXT_PAGE, IGNORED_COLUMNS } from '../route.js';
import type { Json } from '../../common/input-schema.js';
import { ref } from '../../common/published-schema.js';

/** Those that an answer is described with, it has. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description:
      'Names the request in the logs. One of 8 to 128 letters, digits and `_-.:+/=` that was sent is kept, unless it has a token in it.',
    required: true,
    schema: { type: 'string' },
    example: '0f8fad5b-d9cb-469f-a165-70867728950e',
  },
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'RateLimit-Policy': {
    description:
      'The limit that the request counted for: `q` points in `w` seconds. Absent where it counts for none, as one of a wrong method, or the operator has switched it off.',
    required: false,
    schema: { type: 'string', pattern: '^"\\w+";q=\\d+;w=\\d+' },
    example: '"reads";q=6000;w=60',
  },
  RateLimit: {
    description: 'What is left: `r` points, and `t` seconds until all of them are there again.',
    required: false,
    schema: { type: 'string', pattern: '^"\\w+";r=\\d+;t=\\d+' },
    example: '"reads";r=5999;t=42',
  },
  'Conflict-Reason': {
    description: 'What the conflict is about.',
    required: true,
    // A version is sent as If-Match, which has a status of its own.
    schema: {
      type: 'string',
      enum: Object.keys(CONFLICT_REASONS).filter((reason) => reason !== 'STALE_VERSION'),
    },
    example: 'IDEMPOTENCY_KEY_REUSED',
  },
  'Allowed-File-Types': {
    description: 'Extensions of the files that are allowed, where one of another type was refused.',
    required: false,
    schema: { type: 'string' },
    example: 'png, jpg, jpeg, jpe, jfif, webp',
  },
  'Audit-Trail-Fault': {
    description:
      'What is wrong with the audit trail, and at which position, where `Conflict-Reason` is `AUDIT_TRAIL_FAULT`.',
    required: false,
    schema: { type: 'string', pattern: '^[A-Z_]+; position=\\d+$' },
    example: 'POSITION_MISSING; position=27',
  },
  'As-Of-Position': {
    description: 'The place of the last entry of the audit trail that an answer to `as_of` is made of.',
    required: false,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '42',
  },
  'As-Of-Hash': {
    description: 'The hash of that entry, in lower-case hexadecimal.',
    required: false,
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  'As-Of-Checkpoint': {
    description: 'The place that the first checkpoint at that entry or after it was signed for, once there is one.',
    required: false,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '57',
  },
  'As-Of-Not-Recorded': {
    description: 'Fields that the audit trail does not record: they are empty in the answer, whatever they were.',
    required: false,
    schema: { type: 'string' },
    example: 'contacts, check',
  },
  [IDEMPOTENCY_REPLAYED]: {
    description: 'The request with this `Idempotency-Key` was executed before; nothing was done again.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Content-Language': {
    description:
      'The language of `messages`, where the request names one of ours in `Accept-Language`: `en` for sentences that are never translated.',
    required: false,
    schema: { type: 'string', enum: [...LANGUAGES] },
    example: 'it',
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, DELETE, OPTIONS',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate: a Bearer token, or (the scheme `ApiKey`) the same token in the header that is named.',
    required: true,
    schema: { type: 'string' },
    example: CHALLENGE,
  },
  ETag: {
    description: 'Names this state of the answer: send it as `If-None-Match` to learn whether it has changed.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"rB1aX0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVs"',
  },
  Link: {
    description:
      'Addresses of the pages before and after this one (RFC 8288), as `rel="prev"` and `rel="next"`; absent where the list has one page. The token of the query is left out.',
    required: false,
    schema: { type: 'string' },
    example: '</api/v1/notifications?limit=2&offset=4>; rel="next"',
  },
  [HAS_NEXT_PAGE]: {
    description:
      'Whether more may follow at once: a page may be empty because looking took too long, and not because it is the last one.',
    required: true,
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
  },
  [IGNORED_COLUMNS]: {
    description:
      'Columns of the table that was sent, or of `documents.csv` of an evidence pack, that are not looked at, in its order; absent without any.',
    required: false,
    schema: { type: 'string' },
    example: 'overdue, updated_at',
  },
  [PREFERENCE_APPLIED]: {
    description: 'The preference of the request that was followed.',
    required: true,
    schema: { type: 'string', const: RESPOND_ASYNC },
    example: RESPOND_ASYNC,
  },
  Location: {
    description: 'Where the new record is.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/organizations/1',
  },
};

/** References to the headers of every answer, and to these. */
export function headers(...names: string[]): Json {
  return Object.fromEntries(
    ['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...names].map((name) => [name, ref('headers', name)]),
  );
}
