import type { HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { IDEMPOTENCY_REPLAYED } from '../common/idempotency.js';
import { requestedLanguage, showLanguage } from '../http/answer-language.js';
import { CHALLENGE, type GraphQLContext } from '../http/context.js';
import type { Encoded } from '../http/compression.js';
import { preferred } from '../http/negotiation.js';
import { isBrokenOff } from '../http/request-body.js';
import type { Answer } from './direct-operations.js';
import { formatDomainError, inLanguage, reportError, statusOf } from './errors.js';

/** The methods of GraphQL over HTTP; OPTIONS is answered by the front. */
export const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);

/** Media types that every answer fits: none need be negotiated. */
export const PLAIN_JSON: ReadonlySet<string> = new Set(['*/*', 'application/json']);

/** Media types of answers. A client that requests the first one does not read a failure in the second one. */
const ANSWER_TYPES = ['application/graphql-response+json', 'application/json'] as const;

/** The one that the client would rather have; of equals the one that it names first, and plain JSON where it names none. */
function answerType(request: IncomingMessage): string {
  const accept = (request.headers.accept ?? '*/*').toLowerCase();
  const [graphql, plain] = ANSWER_TYPES;
  const [named, other] = ANSWER_TYPES.map((type) => accept.indexOf(type)) as [number, number];
  const isNamedFirst = named !== -1 && (other === -1 || named < other);
  const type = PLAIN_JSON.has(accept) ? plain : preferred(request, isNamedFirst ? [graphql, plain] : [plain, graphql]);
  return `${type}; charset=utf-8`;
}

/** Sends an answer that Apollo has not made. */
export function sendDirect(
  request: IncomingMessage,
  response: ServerResponse,
  { status, retryAfter, body }: Answer,
  made?: Encoded,
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  challenge(response, status);
  if (made !== undefined) response.setHeader('content-encoding', made.encoding);
  const sent = made?.body ?? body;
  response.writeHead(status, jsonHeaders(request, sent)).end(sent);
}

/** Sends Apollo's answer; `pageHeaders` are sent with a page. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HTTPGraphQLResponse,
  pageHeaders: Readonly<Record<string, string>>,
  made?: Encoded,
): void {
  const { status, headers } = answer;
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  const isPage = headers.get('content-type') === 'text/html';
  // An answer that is repeated for its Idempotency-Key may have been requested in another type.
  response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : answerType(request));
  if (isPage) {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  }
  response.statusCode = status ?? 200;
  challenge(response, response.statusCode);
  if (made !== undefined) response.setHeader('content-encoding', made.encoding);
  const sent = made?.body ?? textOf(answer);
  response.setHeader('content-length', Buffer.byteLength(sent));
  response.end(sent);
}

/** The body of Apollo's answer: incremental delivery is not part of this server's GraphQL version. */
export function textOf({ body }: HTTPGraphQLResponse): string {
  if (body.kind !== 'complete') throw new Error('An incremental answer was made');
  return body.string;
}

/** An answer in the language of the request: refusals before there is an operation pass none of Apollo's hooks. */
export function inLanguageOf({ language }: GraphQLContext, answer: HTTPGraphQLResponse): HTTPGraphQLResponse {
  const { status = 200 } = answer;
  const text = textOf(answer);
  if (language === undefined || status < 400 || !text.startsWith('{"errors"')) return answer;
  const { errors, ...others } = JSON.parse(text) as { errors: GraphQLFormattedError[] };
  const string = `${JSON.stringify({ errors: errors.map((error) => inLanguage(error, language)), ...others })}\n`;
  return { ...answer, body: { kind: 'complete', string } };
}

/** Sends an error in place of any answer. */
export function fail(
  request: IncomingMessage,
  response: ServerResponse,
  context: Pick<GraphQLContext, 'log' | 'requestId'>,
  error: unknown,
): void {
  // A client that leaves in the middle of its request is no error.
  if (isBrokenOff(request, response)) return;
  const sent = reportError(error, context);
  if (response.headersSent || response.destroyed) return void response.destroy();
  const language = requestedLanguage(request);
  const body = JSON.stringify({ errors: [inLanguage(formatDomainError(sent), language)] });
  showLanguage(response, language);
  if (sent.retryAfter !== undefined) response.setHeader('retry-after', sent.retryAfter);
  if (sent.executed !== undefined) response.setHeader(IDEMPOTENCY_REPLAYED, 'true');
  if (sent.code === 'METHOD_NOT_ALLOWED') response.setHeader('allow', [...METHODS].join(', '));
  const status = statusOf(sent);
  challenge(response, status);
  response.writeHead(status, jsonHeaders(request, body)).end(body);
}

function jsonHeaders(request: IncomingMessage, body: string | Buffer) {
  return {
    'content-type': answerType(request),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(body),
  };
}

/** Says how to send a token, where no good one was sent. */
function challenge(response: ServerResponse, status: number): void {
  if (status === 401) response.setHeader('www-authenticate', CHALLENGE);
}
