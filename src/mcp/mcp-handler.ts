import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { UserCaller } from '../auth/caller.js';
import { IDEMPOTENCY_KEY } from '../common/idempotency.js';
import { once } from '../common/concurrency.js';
import { parseJson } from '../common/json-text.js';
import {
  badUserInput,
  documentsOnly,
  DomainError,
  foreignOrigin,
  methodNotAllowed,
  unauthenticated,
} from '../errors.js';
import { formatDomainError, inLanguage, reportError, statusOf } from '../graphql/errors.js';
import { requestedLanguage, showLanguage } from '../http/answer-language.js';
import { CHALLENGE, type GraphQLContext, tokenOf } from '../http/context.js';
import { requireMediaType } from '../http/media-type.js';
import { isBrokenOff, isLargeBody, type LargeBodies, objectIn, readBytes } from '../http/request-body.js';
import { methodLabel, requestContextOf, showLimits } from '../http/request-context.js';
import { queryOf, unknownIn, unknownParameter } from '../http/target.js';
import type { Logger } from '../logger.js';
import type { Language } from '../messages/language.js';
import { LIMITS } from '../values/limits.js';
import { clientName, nameInSession, sessionIdFor } from './client-name.js';
import { answerDirectly } from './direct-calls.js';
import type { Message, Serve, Shelf } from './mcp-server.js';
import type { ToolCall } from './tool-calls.js';

interface McpDeps extends Shelf {
  largeBodies: LargeBodies;
  /** Whether pages of this origin may call. */
  isKnownOrigin(origin: string): boolean;
}

/**
 * The Model Context Protocol at /mcp: tools over the operations of the schema, without sessions, so that any instance may
 * answer. The package reads and writes its messages, in the protocol of 2026-07-28 and those before; what comes before a
 * message (token, origin, limits, body) is as for GraphQL.
 */
export function createMcpListener(deps: McpDeps): RequestListener {
  // The package takes an eighth of a second to load: who does not use it need not wait for it.
  const serving = once(async () => (await import('./mcp-server.js')).messageServer(deps));
  return (request, response) => {
    answer(request, response, deps, serving).catch((error: unknown) => sendError(request, response, error, deps.log));
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  deps: McpDeps,
  serving: () => Promise<Serve>,
): Promise<void> {
  const { origin } = request.headers;
  const requestContext = requestContextOf(request);
  requestContext.route = `${methodLabel(request)} /mcp`;
  response.appendHeader('Vary', 'Origin');
  if (request.method === 'OPTIONS') return void response.writeHead(204, { Allow: ALLOWED }).end();
  // A page whose name leads to this address sends its own origin (DNS rebinding).
  if (origin !== undefined && !deps.isKnownOrigin(origin)) throw foreignOrigin();
  // There is neither a stream to listen to (GET) nor a session to end (DELETE).
  if (request.method !== 'POST') throw methodNotAllowed();
  const context = await requestContext.context();
  const { status, text, session } = await replyTo(request, context, deps, serving).finally(() => {
    // Refused requests count as well.
    context.meter.settle('graphql');
    showLimits(response, context.meter);
  });
  if (session !== undefined) response.setHeader('Mcp-Session-Id', session);
  if (text === '') return void response.writeHead(status, SAFE).end();
  send(response, status, text);
}

interface Reply {
  status: number;
  /** Empty for a message that is no request. */
  text: string;
  /** Of an answer to `initialize`. */
  session?: string;
}

async function replyTo(
  request: IncomingMessage,
  context: GraphQLContext,
  deps: McpDeps,
  serving: () => Promise<Serve>,
): Promise<Reply> {
  const { caller, meter } = context;
  const sent = tokenOf(request);
  // The protocol forbids a token in the address.
  if (caller.kind !== 'user' || sent === undefined || caller.form === 'query') throw unauthenticated();
  if (caller.documentsOnly) throw documentsOnly();
  requireHeard(request);
  meter.requireLeft('graphql');
  const message = await messageIn(request, context, deps);
  await requestContextOf(request).confirm();
  const client = clientOf(message, request);
  const call: ToolCall = { context: actingFor(context, context.caller as UserCaller, client), token: sent.token };
  const direct = await answerDirectly(request, message, call, deps);
  if (direct !== undefined) return { status: 200, text: direct };
  const made = await (await serving())(request, message, call);
  const reply = { status: made.status, text: made.status === 202 ? '' : await made.text() };
  return message['method'] === 'initialize' && made.ok ? { ...reply, session: sessionIdFor(client) } : reply;
}

/** Headers of the other APIs that guard a change, and the arguments that do so here. */
const ARGUMENTS = { [IDEMPOTENCY_KEY]: 'idempotencyKey', 'If-Match': 'version', 'If-None-Match': 'version' };

/** Refuses headers and parameters that would be ignored: conditions, and parameters, of which the path has none. */
function requireHeard(request: IncomingMessage): void {
  const headers = Object.entries(ARGUMENTS).filter(([name]) => request.headers[name.toLowerCase()] !== undefined);
  const errors = [
    ...headers.map(
      ([header, argument]) => `${header} is no header of this path: send ${argument} as an argument of the tool`,
    ),
    ...unknownIn(queryOf(request), () => false).map(unknownParameter),
  ];
  if (errors.length > 0) throw badUserInput(errors);
}

const ALLOWED = 'POST, OPTIONS';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** The context of a call: its records say that a program has acted for the caller. */
function actingFor(context: GraphQLContext, caller: UserCaller, client: string | undefined): ToolCall['context'] {
  return { ...context, caller: { ...caller, origin: { ...caller.origin, via: 'MCP', client } } };
}

async function messageIn(request: IncomingMessage, context: GraphQLContext, deps: McpDeps): Promise<Message> {
  requireMediaType(request.headers, ['application/json']);
  const { bodyBytes } = LIMITS.mcp;
  if (!isLargeBody(request)) return messageOf(valueIn(await readBytes(request, bodyBytes)));
  const { caller, meter } = context;
  meter.charge(['uploads', 1]);
  meter.enter('uploads');
  const release = await deps.largeBodies.enter((caller as UserCaller).userId);
  try {
    const bytes = await readBytes(request, bodyBytes);
    return messageOf(await deps.largeBodies.parse(() => valueIn(bytes)));
  } finally {
    release();
  }
}

/** A body that is no JSON: the parse error of JSON-RPC. */
class ParseError extends DomainError {}

function valueIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw new ParseError('BAD_USER_INPUT', (error as DomainError).messages);
  }
}

function messageOf(body: unknown): Message {
  if (Array.isArray(body)) throw badUserInput(['Batches are not supported: each request is one message']);
  return objectIn(body);
}

/** In each message since 2026-07-28, before that in the first one, after which the session id has it. */
function clientOf(message: Message, { headers }: IncomingMessage): string | undefined {
  const { _meta: meta, clientInfo } = (message['params'] ?? {}) as {
    _meta?: Readonly<Record<string, unknown>>;
    clientInfo?: unknown;
  };
  const info = meta?.[CLIENT_INFO] ?? clientInfo;
  if (info !== undefined) return clientName((info as { name?: unknown } | null)?.name);
  const session = headers['mcp-session-id'];
  return nameInSession(typeof session === 'string' ? session : undefined);
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;
/** Of the codes that JSON-RPC leaves to servers. */
const REFUSED = -32000;

const CODES: Partial<Record<DomainError['code'], number>> = {
  BAD_USER_INPUT: INVALID_REQUEST,
  INTERNAL: INTERNAL_ERROR,
};

/** Sends an error; one that is refused before a message is read has no id. */
function sendError(request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void {
  const requestContext = requestContextOf(request);
  const { requestId } = requestContext;
  if (isBrokenOff(request, response)) return log.debug({ requestId }, 'the request was broken off in the middle');
  const sent = reportError(error, { log, requestId });
  if (response.headersSent) return void response.destroy();
  const language = requestedLanguage(request);
  const body = mcpErrorOf(sent, language);
  showLanguage(response, language);
  if (sent.code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', CHALLENGE);
  if (sent.code === 'METHOD_NOT_ALLOWED') response.setHeader('Allow', ALLOWED);
  if (sent.retryAfter !== undefined) response.setHeader('Retry-After', String(sent.retryAfter));
  send(response, statusOf(sent), JSON.stringify(body));
}

/** Clients show a model the text of an answer and not its headers. */
export function mcpErrorOf(error: DomainError, language?: Language): object {
  const { message, extensions } = inLanguage(formatDomainError(error), language);
  const { code, retryAfter } = error;
  const data = { ...extensions, ...(retryAfter !== undefined && { retryAfter }) };
  const number = error instanceof ParseError ? PARSE_ERROR : (CODES[code] ?? REFUSED);
  return { jsonrpc: '2.0', id: null, error: { code: number, message, data } };
}

const SAFE = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

function send(response: ServerResponse, status: number, text: string): void {
  const head = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...head, ...SAFE }).end(text);
}
