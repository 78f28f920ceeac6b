import * as errors from '../../errors.js';
import type { DomainError, RestErrorCode } from '../../errors.js';
import { IDEMPOTENCY_REPLAYED } from '../../common/idempotency.js';
import { allowedExtensions } from '../../values/file-types.js';
import { LIMITS } from '../../values/limits.js';
import { asWordedAt, errorEnvelope, hasCodes, statusOf } from '../answer/answer.js';
import { isOperationRoute, namesInPath, type OperationRoute, type Route } from '../route.js';
import type { Json } from '../../common/input-schema.js';
import { ref } from '../../common/published-schema.js';
import { HEADERS, headers } from './response-headers.js';

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
