import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ScimError } from '../common/scim-resources.js';
import { CONFLICT_REASONS, DomainError, type ErrorCode } from '../errors.js';
import { reportError } from '../graphql/errors.js';
import { requestedLanguage, showLanguage } from '../http/answer-language.js';
import { isBrokenOff } from '../http/request-body.js';
import { requestContextOf } from '../http/request-context.js';
import type { Logger } from '../logger.js';

export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** An answer in the media type of SCIM (RFC 7644, 8.1). */
export function sendScim(response: ServerResponse, status: number, body: object, headers?: OutgoingHttpHeaders): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': SCIM_TYPE,
    'Content-Length': Buffer.byteLength(text),
    ...HEADERS,
    ...headers,
  });
  response.end(text);
}

export function sendNothing(response: ServerResponse, status: 204 | 304, headers?: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...HEADERS, ...headers }).end();
}

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/** Sends the public part of an error, and logs the rest. */
export function sendScimError(request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void {
  const { requestId } = requestContextOf(request);
  if (isBrokenOff(request, response)) return log.debug({ requestId }, 'the request was broken off in the middle');
  const { status, scimType, headers, ...refusal } =
    error instanceof ScimError ? { ...shown(error), headers: {} } : domainError(reportError(error, { log, requestId }));
  if (response.headersSent) return void response.destroy();
  const language = requestedLanguage(request);
  showLanguage(response, language);
  const detail = language?.sentence(refusal.detail) ?? refusal.detail;
  sendScim(response, status, errorBody({ status, scimType, detail }), headers);
}

type Refusal = Pick<ReturnType<typeof domainError>, 'status' | 'detail'> & { scimType: string | undefined };

const errorBody = ({ status, scimType, detail }: Refusal) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});

/** An error of other parts of the gateway. */
export const scimErrorOf = (error: DomainError): object => errorBody(domainError(error));

const shown = ({ status, scimType, detail }: ScimError) => ({ status, scimType, detail });

/** Statuses of SCIM for errors of other parts of the gateway. */
const REFUSALS: Partial<Record<ErrorCode, readonly [status: number, detail: string, scimType?: 'invalidSyntax']>> = {
  UNAUTHENTICATED: [401, 'A valid token for SCIM is required: Authorization: Bearer scim_…'],
  FORBIDDEN: [403, 'This is not allowed'],
  NOT_FOUND: [404, 'There is no such resource'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here'],
  REQUEST_TIMEOUT: [408, 'The body arrived too slowly'],
  RATE_LIMITED: [429, 'Too many requests; try again later'],
  UNAVAILABLE: [503, 'The service is not available at the moment; try again later'],
};

function domainError({ code, messages, reason, retryAfter }: DomainError) {
  const headers: OutgoingHttpHeaders = {
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer realm="scim"' }),
  };
  // A quota is no state that the client can resolve by another name: 409 would say so.
  if (reason !== undefined) return { status: 403, scimType: undefined, detail: CONFLICT_REASONS[reason], headers };
  const [first] = messages;
  if (code === 'BAD_USER_INPUT') return { status: 400, scimType: 'invalidSyntax', detail: String(first), headers };
  const [status, detail, scimType] = REFUSALS[code] ?? [500, 'Something went wrong on our side'];
  return { status, scimType, detail, headers };
}
