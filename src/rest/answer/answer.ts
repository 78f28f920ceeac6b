import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { IDEMPOTENCY_REPLAYED } from '../../common/idempotency.js';
import { requestedLanguage, showLanguage } from '../../http/answer-language.js';
import { streamEncoding } from '../../http/compression.js';
import { CHALLENGE } from '../../http/context.js';
import { DomainError, type ErrorCode, fieldMessage } from '../../errors.js';
import { reportError } from '../../graphql/errors.js';
import { isBrokenOff } from '../../http/request-body.js';
import { requestContextOf } from '../../http/request-context.js';
import { begun } from '../../http/stream-guard.js';
import { english, type Language } from '../../messages/language.js';
import type { Logger } from '../../logger.js';
import type { OperationRoute } from '../route.js';
import { restName } from '../view/rest-names.js';

/** Sends `body`, the whole answer as JSON text. A HEAD request gets the same headers without it. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers?: OutgoingHttpHeaders,
): void {
  const complete = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...ANSWER_HEADERS,
    ...headers,
  };
  response.writeHead(status, complete).end(body);
}

/** The client has the answer already. The headers are those that it would come with. */
export function sendNotModified(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  response.writeHead(STATUS.notModified, { ...ANSWER_HEADERS, ...headers }).end();
}

const ANSWER_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/** Sends the public part of an error, and logs the rest. Nothing is sent to a client that has disconnected. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void {
  const { requestId, route } = requestContextOf(request);
  if (isBrokenOff(request, response)) return log.debug({ requestId }, 'the request was broken off in the middle');
  const language = requestedLanguage(request);
  const path = route.slice(route.indexOf(' ') + 1);
  const sent = reportError(error, { log, requestId });
  const shown = asWordedAt(path, sent, language);
  if (response.headersSent) return void response.destroy();
  if (language !== undefined && shown.messages.some((message) => typeof message === 'string'))
    showLanguage(response, isEqual(shown, asWordedAt(path, sent)) ? english : language);
  sendJson(response, statusOf(shown.code), JSON.stringify(errorEnvelope(shown)), errorHeaders(shown));
}

/** Whether two errors say the same; a text that no language translates is English in each. */
function isEqual(one: DomainError, other: DomainError): boolean {
  return one.messages.every((message, index) => message === other.messages[index]);
}

/**
 * `Retry-After`, in seconds, of an error that will pass; `WWW-Authenticate` of a missing token; what a conflict is about;
 * which files are allowed, where one was refused; and the defect of an audit trail.
 */
function errorHeaders({ code, retryAfter, reason, allowed, executed, fault }: DomainError): Record<string, string> {
  return {
    ...(executed === undefined ? {} : { [IDEMPOTENCY_REPLAYED]: 'true' }),
    ...(executed?.location === undefined ? {} : { Location: executed.location }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    ...(code === 'UNAUTHENTICATED' ? { 'WWW-Authenticate': CHALLENGE } : {}),
    ...(reason === undefined ? {} : { 'Conflict-Reason': reason }),
    ...(allowed === undefined ? {} : { 'Allowed-File-Types': allowed.join(', ') }),
    ...(fault === undefined ? {} : { 'Audit-Trail-Fault': `${fault.reason}; position=${fault.position}` }),
  };
}

/** Envelope of a success (specification 2.1). The order of the keys is the order on the wire. */
export interface SuccessEnvelope {
  error: 0;
  messages: [];
  data: unknown;
  /** Lists only: how many items meet the filter. */
  total?: number;
}

/** With `total` for lists only, as the last key. */
export function successEnvelope({ data, total }: { data: unknown; total?: number | undefined }): SuccessEnvelope {
  return total === undefined ? { error: 0, messages: [], data } : { error: 0, messages: [], data, total };
}

/** Paths whose failures have sentences or nothing in `messages`, and never an integer code (specification 4.3, 7.5). */
const WITHOUT_CODES: ReadonlySet<string> = new Set([
  '/api/v1/organizations/{id}/branding',
  '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
]);

/** Whether failures of this path, a pattern, may have an integer code. */
export function hasCodes(path: string): boolean {
  return !WITHOUT_CODES.has(path);
}

/** A failure as the routes of this path, a pattern, word it. */
export function asWordedAt(path: string, error: DomainError, language: Language = english): DomainError {
  const { code, messages, retryAfter, reason, fields, allowed, executed, fault } = error;
  // Errors of fields name them as REST does.
  const worded = (fields?.map((error) => fieldMessage(error, restName)) ?? messages).map((message) =>
    typeof message === 'string' ? language.sentence(message) : message,
  );
  const sentences = hasCodes(path) ? worded : worded.filter((message) => typeof message === 'string');
  const shown = new DomainError(code, sentences, retryAfter, reason, undefined, executed, fault);
  return Object.assign(shown, allowed && { allowed });
}

/** The same envelope for every error: only the messages differ, and it never has `data`. */
export function errorEnvelope({ messages }: Pick<DomainError, 'messages'>) {
  return { error: 1, messages };
}

/** The only place that chooses a status. */
export const STATUS = Object.freeze({
  ok: 200,
  created: 201,
  accepted: 202,
  noContent: 204,
  partialContent: 206,
  notModified: 304,
  rangeNotSatisfiable: 416,
});

const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = Object.freeze({
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  HEADERS_TOO_LARGE: 431,
  RATE_LIMITED: 429,
  BAD_USER_INPUT: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  PERSISTED_QUERY_NOT_SUPPORTED: 400,
  MISSING_CONTENT: 400,
  INVALID_BASE64: 400,
  UNSUPPORTED_FILE_TYPE: 415,
  FILE_TOO_LARGE: 413,
  INVALID_DATA: 400,
  UNAVAILABLE: 503,
  INTERNAL: 500,
});

/** The status of a success: the route or the result determines whether something was created. */
export function successStatus(
  { created, createdWhen, accepted }: Pick<OperationRoute, 'created' | 'createdWhen' | 'accepted'>,
  payload: Readonly<Record<string, unknown>>,
): number {
  if (createdWhen !== undefined) return payload[createdWhen] === true ? STATUS.created : STATUS.ok;
  if (accepted !== undefined) return STATUS.accepted;
  return created === undefined ? STATUS.ok : STATUS.created;
}

export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code];
}

/** A file that is made while it is sent. */
export interface StreamedFile {
  name: string;
  mediaType: string;
  headers?: Readonly<Record<string, string>>;
  /** Not called for HEAD. */
  open(): Readable | Promise<Readable>;
  /** Throws when the caller may not get any more of it; called before each piece. Absent where no token is needed. */
  guard?: (() => Promise<void>) | undefined;
  /** Has a secret in it: it is not compressed (http/compression.ts). */
  isSecret?: boolean;
  /** Called with the bytes of each piece, as they are before they are compressed. */
  sent?: (bytes: number) => void;
}

/** Media types of texts; workbooks, archives and PDF are compressed already. */
const TEXTS = /^(?:text\/|application\/(?:json|x-ndjson)\b)/;

/**
 * How long the file will be is not known before, so that one that breaks off has no end: the client sees that the answer
 * is not complete.
 */
export async function sendStreamed(
  request: IncomingMessage,
  response: ServerResponse,
  { name, mediaType, headers, open, guard, sent, isSecret = false }: StreamedFile,
  log: Logger,
): Promise<void> {
  const stream = request.method === 'HEAD' ? undefined : await open();
  try {
    const pieces = stream && (await begun(watched(stream, { guard, sent })));
    const compressed = TEXTS.test(mediaType) && !isSecret ? streamEncoding(request, response) : undefined;
    response.writeHead(STATUS.ok, {
      'Content-Type': mediaType,
      'Content-Disposition': attachment(name),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(compressed && { 'Content-Encoding': compressed.encoding }),
      ...headers,
    });
    if (pieces === undefined) return void response.end();
    // A compressor gathers before it writes: the client learns meanwhile that the file comes.
    if (compressed !== undefined) response.flushHeaders();
    await pipeOut(request, response, pieces, log, compressed?.compressor());
  } finally {
    // Where nothing was read, for a client that has left or was refused meanwhile: a failure that comes later would end the process.
    stream?.destroy();
  }
}

async function* watched(stream: Readable, { guard, sent }: Pick<StreamedFile, 'guard' | 'sent'>) {
  for await (const piece of stream as AsyncIterable<string | Buffer>) {
    await guard?.();
    sent?.(Buffer.byteLength(piece));
    yield piece;
  }
}

/**
 * Sends a file whose headers are sent. When it breaks off, the client sees that it is not complete: one who leaves, or has
 * lost the right to it meanwhile, is no error; anything else is logged as one.
 */
export async function pipeOut(
  request: IncomingMessage,
  response: ServerResponse,
  source: Readable,
  log: Logger,
  compressor?: Transform,
): Promise<void> {
  let hasFailed = false;
  // Errors after the client has disconnected are a consequence.
  source.once('error', () => (hasFailed = !response.destroyed));
  try {
    await (compressor === undefined ? pipeline(source, response) : pipeline(source, compressor, response));
  } catch (err) {
    const isRefusal = err instanceof DomainError && err.code !== 'UNAVAILABLE';
    const level = !hasFailed ? 'debug' : isRefusal ? 'info' : 'error';
    log[level]({ err, requestId: requestContextOf(request).requestId }, 'a file broke off');
  }
}

/**
 * Content-Disposition of a file that is to be saved under its own name (RFC 6266): `filename` in ASCII for old clients,
 * and beside it `filename*` (RFC 8187) for a name that has more to it.
 */
export function attachment(name: string): string {
  // A percent sign in `filename` is decoded by some clients; quotes and backslashes are escaped differently by all.
  const ascii = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  if (ascii === name) return `attachment; filename="${ascii}"`;
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}

/** encodeURIComponent leaves four characters alone that RFC 8187 wants encoded, and throws at half a character. */
function extendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
