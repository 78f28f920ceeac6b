import { LANGUAGES } from '../../messages/language.js';
import { PREFERENCE_APPLIED, RESPOND_ASYNC } from '../../http/preference.js';
import { CHALLENGE } from '../../http/context.js';
import * as errors from '../../errors.js';
import type { DomainError, RestErrorCode } from '../../errors.js';
import { IDEMPOTENCY_REPLAYED } from '../../common/idempotency.js';
import { allowedExtensions } from '../../values/file-types.js';
import { LIMITS } from '../../values/limits.js';
import { asWordedAt, errorEnvelope, hasCodes, statusOf } from '../answer/answer.js';
import {
  HAS_NEXT_PAGE,
  IGNORED_COLUMNS,
  isOperationRoute,
  namesInPath,
  type OperationRoute,
  type Route,
} from '../route.js';
import type { Json } from '../../common/input-schema.js';
import { ref } from '../../common/published-schema.js';

interface Failure {
  error: DomainError;
  /** The same failure with other figures. */
  others?: Readonly<Record<string, DomainError>>;
}

/** The parts of a route that its failures depend on. */
type FailingRoute = Pick<Route, 'path' | 'method' | 'open'> & Pick<OperationRoute, 'body'>;

/** One failure of each kind, made as the gateway itself makes it. */
const FAILURES: Readonly<Record<RestErrorCode, Failure>> = {
  UNAUTHENTICATED: { error: errors.unauthenticated() },
  FORBIDDEN: {
    error: errors.forbidden(),
    others: { serviceAccount: errors.forPersons(), signIn: errors.notBySignIn() },
  },
  NOT_FOUND: { error: errors.notFound() },
  METHOD_NOT_ALLOWED: { error: errors.methodNotAllowed() },
  REQUEST_TIMEOUT: {
    error: errors.requestTimeout(),
    others: { request: errors.requestTimeout('request') },
  },
  CONFLICT: { error: errors.conflict('STALE_PREVIEW') },
  GONE: { error: errors.cursorGone() },
  PRECONDITION_FAILED: { error: errors.preconditionFailed() },
  HEADERS_TOO_LARGE: { error: errors.headersTooLarge() },
  RATE_LIMITED: { error: errors.rateLimited(30) },
  BAD_USER_INPUT: {
    error: errors.badUserInput(['limit must be from 1 to 100', 'contacts[0].email must be set when phone is empty']),
  },
  MISSING_CONTENT: { error: errors.missingContent() },
  INVALID_BASE64: { error: errors.invalidBase64() },
  UNSUPPORTED_FILE_TYPE: { error: errors.unsupportedFileType(allowedExtensions()) },
  FILE_TOO_LARGE: { error: errors.fileTooLarge(LIMITS.document.maxBytes) },
  INVALID_DATA: { error: errors.invalidData() },
  UNAVAILABLE: { error: errors.unavailable() },
  INTERNAL: { error: errors.internal() },
};

/** A code, in backticks or without. */
export const CODES_IN_TEXT = new RegExp(`\`?\\b(${Object.keys(FAILURES).join('|')})\\b\`?`, 'g');

const EVERYWHERE: readonly RestErrorCode[] = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
];

/** The failures of a route by status, as OpenAPI responses. */
export function failuresOf(route: Route): Record<string, Json> {
  const byStatus = [...Map.groupBy(codesOf(route), statusOf)].toSorted(([one], [other]) => one - other);
  const isShared = (codes: readonly RestErrorCode[]) =>
    codes.length === 1 && codes[0] !== 'FILE_TOO_LARGE' && hasCodes(route.path);
  return Object.fromEntries(
    byStatus.map(([status, codes]) => [
      status,
      isShared(codes)
        ? ref('responses', isKeyed(codes, route) ? KEYED + codes[0]! : codes[0]!)
        : responseOf(codes, route),
    ]),
  );
}

/** Failures of a change with a second meaning for its idempotency key. */
const KEYED = 'CHANGE_';
const LOST =
  'With `Idempotency-Replayed`, the request was executed before, and the caller may not see its answer any more.';
const KEY_FAILURES: Partial<Record<RestErrorCode, string>> = {
  CONFLICT:
    'The `Idempotency-Key` was used for another request; or, with `Retry-After`, the request that uses it is under way; or, with `Idempotency-Replayed`, the request was executed, and its answer was too long to be stored: `Location` leads to what it made.',
  FORBIDDEN: LOST,
  NOT_FOUND: LOST,
};

function isKeyed(codes: readonly RestErrorCode[], { method, open }: Pick<Route, 'method' | 'open'>): boolean {
  // A token that is sent where none is needed makes a key count; it cannot lose a right there.
  return method !== 'GET' && codes.some((code) => code in KEY_FAILURES && (open !== true || code === 'CONFLICT'));
}

/** The failure with the figures of the route. */
function failureOf(code: RestErrorCode, { body }: FailingRoute): Failure {
  if (code !== 'FILE_TOO_LARGE') return FAILURES[code];
  const [first, second] = largestFiles(body).map((bytes) => errors.fileTooLarge(bytes)) as [DomainError, DomainError?];
  return { error: first, ...(second && { others: { [`${code}_2`]: second } }) };
}

/** Bytes at most of a file in a body, the smallest limit first. */
function largestFiles(body: OperationRoute['body']): readonly number[] {
  const { workflowImport, table, importJob, logo } = LIMITS;
  if (body === undefined || !('upload' in body)) return [workflowImport.maxBytes, workflowImport.maxCatalogBytes];
  if (body.upload === 'organization') return [logo.maxBytes];
  // As a job as well.
  return body.upload === 'table' ? [table.maxBytes, importJob.tableBytes] : [LIMITS[body.upload].maxBytes];
}

/** Error codes that follow from the route's parameters; the table has further ones. */
function codesOf(route: Route): Set<RestErrorCode> {
  const { method, open, errors: own = [] } = route;
  const operation = isOperationRoute(route) ? route : undefined;
  const isAddress = 'handler' in route && route.handler === 'download';
  const possible: readonly (RestErrorCode | false)[] = [
    namesInPath(route).length > 0 && 'NOT_FOUND',
    // A parameter that it does not have; an address that is signed is not found then.
    !isAddress && 'BAD_USER_INPUT',
    ...own,
    // Of an `Idempotency-Key` that was used.
    method !== 'GET' && 'CONFLICT',
    // A stored answer that the caller may not see any more.
    method !== 'GET' && open !== true && 'NOT_FOUND',
    operation !== undefined && method !== 'GET' && 'PRECONDITION_FAILED',
    open !== true && 'UNAUTHENTICATED',
    open !== true && 'FORBIDDEN',
    ...EVERYWHERE,
  ];
  return new Set(possible.filter((code) => code !== false));
}

/** Failures that are the only ones of their status in some route, by name. */
export function failureResponses(names: Iterable<string>): Record<string, Json> {
  const responses = [...names].toSorted().map((name) => {
    const [, keyed = '', code] = /^(CHANGE_)?(.+)$/.exec(name) as unknown as [string, string, RestErrorCode];
    return [name, responseOf([code], { path: '', method: keyed === KEYED ? 'POST' : 'GET' })];
  });
  return Object.fromEntries(responses) as Record<string, Json>;
}

/** The closed list of failures as a table in Markdown. */
export function failureTable(): string {
  const rows = Object.entries(FAILURES).map(([code, { error }]) => {
    const messages = JSON.stringify(error.messages.slice(0, 1));
    return `| ${statusOf(code as RestErrorCode)} | \`${messages}\` | ${errors.ERROR_CODES[code as RestErrorCode]} |`;
  });
  return ['| Status | `messages` | When |', '|---|---|---|', ...rows.toSorted()].join('\n');
}

function errorSchema(description: string, details: string, type: Json[string]): Json {
  return {
    type: 'object',
    description,
    additionalProperties: false,
    required: ['error', 'messages'],
    properties: {
      error: { type: 'integer', const: 1, description: '1 means error.' },
      messages: { type: 'array', description: details, maxItems: errors.MAX_ERRORS, items: { type } },
    },
  };
}

export const ERROR_SCHEMAS: Record<string, Json> = {
  Error: errorSchema('Every failure. It has no `data`.', 'Zero or more details, as strings or as integer codes.', [
    'string',
    'integer',
  ]),
  ErrorWithoutCode: errorSchema(
    'Every failure of a path that answers no integer codes. It has no `data`.',
    'Zero or more details. Empty where other paths answer an integer code.',
    'string',
  ),
};

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
      enum: Object.keys(errors.CONFLICT_REASONS).filter((reason) => reason !== 'STALE_VERSION'),
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

export function headers(...names: string[]): Json {
  return Object.fromEntries(
    ['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...names].map((name) => [name, ref('headers', name)]),
  );
}

function responseOf(codes: readonly RestErrorCode[], route: FailingRoute): Json {
  const { path } = route;
  const failures = codes.map((code) => ({ code, ...failureOf(code, route) }));
  const when = codes.map((code) => errors.ERROR_CODES[code]);
  const extra = [
    ...(failures.some(({ error }) => error.retryAfter !== undefined) ? ['Retry-After'] : []),
    ...(codes.includes('CONFLICT') ? ['Conflict-Reason', 'Audit-Trail-Fault'] : []),
    ...(codes.includes('METHOD_NOT_ALLOWED') ? ['Allow'] : []),
    ...(codes.some((code) => code === 'UNSUPPORTED_FILE_TYPE' || code === 'INVALID_DATA')
      ? ['Allowed-File-Types']
      : []),
    ...(codes.includes('UNAUTHENTICATED') ? ['WWW-Authenticate'] : []),
    ...(failures.some(({ error, others }) =>
      [error, ...Object.values(others ?? {})].some(({ messages }) => messages.some((each) => typeof each === 'string')),
    )
      ? ['Content-Language']
      : []),
  ];
  const keyed = isKeyed(codes, route) ? codes.flatMap((code) => KEY_FAILURES[code] ?? []) : [];
  const optional = keyed.length > 0 && codes.includes('CONFLICT') ? ['Retry-After', 'Location'] : [];
  const ofKeys = Object.fromEntries(optional.map((name) => [name, { ...(HEADERS[name] as object), required: false }]));
  if (keyed.length > 0) extra.push(IDEMPOTENCY_REPLAYED);
  const examples = failures.flatMap(({ code, error, others }) =>
    Object.entries({ [code]: error, ...others }).map(([name, each]) => [
      name,
      { value: errorEnvelope(asWordedAt(path, each)) },
    ]),
  );
  return {
    description: [...when, ...new Set(keyed)].join(' Or: '),
    headers: { ...headers(...extra), ...ofKeys },
    content: {
      'application/json': {
        schema: ref('schemas', hasCodes(path) ? 'Error' : 'ErrorWithoutCode'),
        examples: Object.fromEntries(examples) as Json,
      },
    },
  };
}
