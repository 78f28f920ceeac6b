import type { HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { IDEMPOTENCY_REPLAYED } from '../common/idempotency.js';
import { requestedLanguage, showLanguage } from '../http/answer-language.js';
import { CHALLENGE, type GraphQLContext } from '../http/context.js';
import type { Encoded } from '../http/compression.js';
import { isBrokenOff } from '../http/request-body.js';
import type { Answer } from './direct-operations.js';
import { formatDomainError, inLanguage, reportError, statusOf } from './errors.js';

/** The methods of GraphQL over HTTP; OPTIONS is answered by the front. */
export const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);

/** Sends an answer that Apollo has not made. */
export function sendDirect(response: ServerResponse, { status, retryAfter, body }: Answer, made?: Encoded): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  challenge(response, status);
  if (made !== undefined) response.setHeader('content-encoding', made.encoding);
  const sent = made?.body ?? body;
  response.writeHead(status, jsonHeaders(sent)).end(sent);
}

/** Sends what Apollo answers; `pageHeaders` go out with a page. */
export function send(
  response: ServerResponse,
  answer: HTTPGraphQLResponse,
  pageHeaders: Readonly<Record<string, string>>,
  made?: Encoded,
): void {
  const { status, headers } = answer;
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (headers.get('content-type') === 'text/html') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  }
  response.statusCode = status ?? 200;
  challenge(response, response.statusCode);
  if (made !== undefined) response.setHeader('content-encoding', made.encoding);
  const sent = made?.body ?? textOf(answer);
  response.setHeader('content-length', Buffer.byteLength(sent));
  response.end(sent);
}

/** Of what Apollo answers: incremental delivery is not part of this server's GraphQL version. */
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
  response.writeHead(status, jsonHeaders(body)).end(body);
}

function jsonHeaders(body: string | Buffer) {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(body),
  };
}

/** Says how to send a token, where no good one was sent. */
function challenge(response: ServerResponse, status: number): void {
  if (status === 401) response.setHeader('www-authenticate', CHALLENGE);
}
