import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from '@apollo/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import processRequest from 'graphql-upload/processRequest.mjs';
import { TOKEN_NAME, type GraphQLContext } from '../context.js';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { OPEN_FIELDS } from './guard.js';
import { badUserInput, methodNotAllowed, rateLimited, unauthenticated } from '../errors.js';
import { KeyedSemaphores, Semaphore } from '../common/semaphore.js';
import { isLargeBody, type LargeBodies, readBytes, requirePresence, SMALL_BODY } from '../http/request-body.js';
import { showLimits, type RequestContext } from '../http/request-context.js';
import { IDEMPOTENCY_KEY } from '../common/idempotency.js';
import { LIMITS } from '../values/limits.js';
import { fail, METHODS, send, sendKnown } from './http-response.js';
import type { IdempotentMutations } from './idempotent-mutations.js';
import { parseJson } from './json-body.js';
import type { AnonymousRefusals, KnownAnswer, CachedQueryExecutor } from './cached-query-executor.js';
import type { SseTransport } from './subscriptions/sse-transport.js';

/** Bytes that hold a query of `rateLimit`. */
const TINY_BODY = 1024;
/** Bytes that are read of a request with a wrong token: it may be for a field that needs none. */
const OPEN_BODY = 16 * 1024;
/** Bytes of a JSON body that may hold a document as base64. */
const LARGE_BODY = Math.ceil((LIMITS.document.maxBytes * 4) / 3) + SMALL_BODY;

/**
 * Files of one multipart request, and bytes of a field of it (the operation and its variables). The parser refuses what
 * is as large as it is told.
 */
const UPLOAD_LIMITS = { maxFiles: 5, maxFieldSize: SMALL_BODY + 1, maxFileSize: LIMITS.attachment.maxBytes + 1 };

/** Milliseconds that a form waits for a place before it is read. */
const PLACE_WAIT = 60_000;

/** What is answered anyhow: Apollo need not weigh it for each request. */
const PLAIN_JSON = new Set(['*/*', 'application/json']);

/** Headers that Apollo decides by; the others are none of its business. */
const APOLLO_HEADERS = ['accept', 'content-type'];

/**
 * Headers that a page of another origin cannot send before the browser has asked for it. The token is one, where it is
 * sent as a header: such a request cannot be forged with what a browser adds by itself.
 */
const PREFLIGHT_HEADERS = [TOKEN_NAME.toLowerCase(), 'apollo-require-preflight', 'x-apollo-operation-name'];

/**
 * `/graphql`, from Node's own request to Apollo and back: Apollo decides what HTTP means, we decide how much of a body
 * is read before it does. There is no framework in between, because each layer costs as much as a small query.
 */
export class GraphQLHttpHandler {
  /** Forms whose files are spooled to the disk at once. */
  private readonly spooling = new Semaphore(16, PLACE_WAIT);
  /** Slow forms of one user keep no other user waiting. */
  private readonly perUser = new KeyedSemaphores(() => new Semaphore(2, PLACE_WAIT, () => rateLimited(5)));

  /**
   * `known` answers what needs no Apollo, `stream` answers /graphql/stream. `pageHeaders` go out with the explorer's page,
   * whatever else does not.
   */
  constructor(
    private readonly apollo: ApolloServer<GraphQLContext>,
    private readonly ways: {
      known: CachedQueryExecutor;
      anonymous: AnonymousRefusals;
      idempotent: IdempotentMutations;
      largeBodies: LargeBodies;
      stream: SseTransport;
      pageHeaders: Readonly<Record<string, string>>;
    },
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse, requestContext: RequestContext): Promise<void> {
    requestContext.route = `${METHODS.has(request.method ?? '') ? request.method : 'other'} /graphql`;
    try {
      if (!METHODS.has(request.method ?? '')) throw methodNotAllowed();
      const context = await requestContext.context();
      this.admit(request, context);
      const isLarge = await this.isLarge(request, requestContext);
      const body = isLarge ? undefined : await this.bodyOf(request, requestContext);
      if (isWrongToken(context) && !mayBeOpen(body)) throw unauthenticated();
      const refused = isLarge ? undefined : this.refusalOf(request, context, body);
      if (refused !== undefined) {
        finishCharges(response, context);
        return sendKnown(response, refused);
      }
      const known = isPlain(request) && !isLarge ? await this.ways.known.answer(body, context) : undefined;
      if (known !== undefined) {
        showLimits(response, context.meter);
        return sendKnown(response, known);
      }
      const answer = isLarge
        ? await this.handleLarge(request, response, requestContext)
        : await this.ask(request, requestContext, body);
      if (answer.headers.get('content-type') !== 'text/html') finishCharges(response, context);
      send(response, answer, this.ways.pageHeaders);
    } catch (error) {
      const context = await requestContext.context().catch(() => fallbackContext(requestContext));
      if ('meter' in context) finishCharges(response, context);
      fail(request, response, context, error);
    }
  }

  async handleStream(
    request: IncomingMessage,
    response: ServerResponse,
    requestContext: RequestContext,
  ): Promise<void> {
    requestContext.route = `${METHODS.has(request.method ?? '') ? request.method : 'other'} /graphql/stream`;
    try {
      await this.ways.stream.handle(request, response, requestContext);
    } catch (error) {
      const context = await requestContext.context().catch(() => fallbackContext(requestContext));
      fail(request, response, context, error);
    }
  }

  private async ask(
    request: IncomingMessage,
    requestContext: RequestContext,
    body: unknown,
  ): Promise<HTTPGraphQLResponse> {
    if (request.headers[IDEMPOTENCY_KEY.toLowerCase()] === undefined)
      return this.askApollo(request, requestContext, body);
    const context = await requestContext.context();
    return this.ways.idempotent.answer(request, body, context, () => this.askApollo(request, requestContext, body));
  }

  private async askApollo(
    request: IncomingMessage,
    requestContext: RequestContext,
    body: unknown,
  ): Promise<HTTPGraphQLResponse> {
    // Before Apollo is asked: who calls cannot be told while the database is away, and Apollo would make that a 500.
    const context = await requestContext.context();
    const headers = new HeaderMap();
    for (const name of APOLLO_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string' && !(name === 'accept' && PLAIN_JSON.has(value))) headers.set(name, value);
    }
    if (hasPreflightHeader(request)) headers.set('apollo-require-preflight', 'true');
    const url = request.url ?? '';
    const start = url.indexOf('?');
    return this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? 'GET',
        headers,
        search: start < 0 ? '' : url.slice(start),
        body,
      },
      context: async () => context,
    });
  }

  /**
   * Counts what is known before the body is read. A body that is small is read even when nothing is left: it may be a
   * query of `rateLimit`, and is counted when it is not.
   */
  private admit(request: IncomingMessage, context: GraphQLContext): void {
    const { caller, meter } = context;
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (isWrongToken(context) && (request.method !== 'POST' || length > OPEN_BODY)) throw unauthenticated();
    if (request.method !== 'POST') return;
    if (length > TINY_BODY) meter.requireLeft('graphql');
    const isForm = mediaTypeOf(request) === 'multipart/form-data';
    if (caller.kind === 'anonymous' || (!isForm && length <= SMALL_BODY)) return;
    meter.charge(['uploads', 1]);
    meter.enter('uploads');
  }

  /** The body as Apollo takes it; undefined where there is none that may be read. */
  private async bodyOf(request: IncomingMessage, requestContext: RequestContext): Promise<unknown> {
    if (request.method !== 'POST') return undefined;
    const type = mediaTypeOf(request);
    if (type === 'application/json') {
      const { caller } = await requestContext.context();
      return parseJson(
        caller.kind === 'anonymous'
          ? await readBytes(request, DOCUMENT_LIMITS.anonymous.bodyBytes, unauthenticated)
          : await readBytes(request, SMALL_BODY),
      );
    }
    // A form can be sent by any page without asking: without the header that makes a browser ask, it is not even read.
    if (isForm(request)) throw unauthenticated();
    return undefined;
  }

  /** Whether only a known caller may send it: a form of files, or JSON that is long. A length that is not told may be any. */
  private async isLarge(request: IncomingMessage, requestContext: RequestContext): Promise<boolean> {
    if (request.method !== 'POST') return false;
    if (!isForm(request) && !(isLargeBody(request) && mediaTypeOf(request) === 'application/json')) return false;
    return (await requestContext.context()).caller.kind !== 'anonymous';
  }

  /** The answer to a caller without a token who asks for what needs one. What is no operation at all is left to Apollo. */
  private refusalOf(request: IncomingMessage, context: GraphQLContext, body: unknown): KnownAnswer | undefined {
    if (context.caller.kind !== 'anonymous') return undefined;
    if (request.method === 'GET') {
      const query = queryIn(request);
      return query === null ? undefined : this.ways.anonymous.answer(query, context);
    }
    if (typeof body !== 'object' || body === null) return undefined;
    return this.ways.anonymous.answer((body as Record<string, unknown>)['query'], context);
  }

  /** A user waits for a place of its own before it takes one that is for all. */
  private async handleLarge(
    request: IncomingMessage,
    response: ServerResponse,
    requestContext: RequestContext,
  ): Promise<HTTPGraphQLResponse> {
    const { caller } = await requestContext.context();
    const userId = caller.kind === 'user' ? caller.userId : '';
    if (!isForm(request)) return this.handleLong(request, requestContext, userId);
    return this.perUser.run(userId, () =>
      this.spooling.run(async () => this.ask(request, requestContext, await readForm(request, response))),
    );
  }

  private async handleLong(
    request: IncomingMessage,
    requestContext: RequestContext,
    userId: string,
  ): Promise<HTTPGraphQLResponse> {
    const { largeBodies } = this.ways;
    const release = await largeBodies.hold(userId);
    try {
      const bytes = await readBytes(request, LARGE_BODY);
      return await largeBodies.parse(() => this.ask(request, requestContext, parseJson(bytes)));
    } finally {
      release();
    }
  }
}

function isForm(request: IncomingMessage): boolean {
  return mediaTypeOf(request) === 'multipart/form-data' && hasPreflightHeader(request);
}

/** The operation of a form, as soon as it is known; its files go on to the disk. */
async function readForm(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  requirePresence(request);
  return processRequest(request, response, UPLOAD_LIMITS).catch((error: unknown) => {
    throw uploadError(error);
  });
}

/** Whether neither the way it was sent nor the way it wants to be answered leaves Apollo anything to weigh. */
function isPlain(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  return (
    request.method === 'POST' &&
    mediaTypeOf(request) === 'application/json' &&
    (accept === undefined || PLAIN_JSON.has(accept))
  );
}

function isWrongToken({ caller }: GraphQLContext): boolean {
  return caller.kind === 'anonymous' && caller.wrongToken === true;
}

/** Whether a body can ask for what needs no token: a name cannot be written in another way. */
function mayBeOpen(body: unknown): boolean {
  const { query } = (body ?? {}) as { query?: unknown };
  return typeof query === 'string' && OPEN_FIELDS.some((name) => query.includes(name));
}

/** A request that was refused for what it says counts as well. */
function finishCharges(response: ServerResponse, { meter }: GraphQLContext): void {
  meter.settle('graphql');
  showLimits(response, meter);
}

/** The document of a GET, unless it is a browser that is shown a page. */
function queryIn({ url = '', headers }: IncomingMessage): string | null {
  const start = url.indexOf('?');
  if (start < 0 || headers.accept?.includes('text/html')) return null;
  return new URLSearchParams(url.slice(start)).get('query');
}

function hasPreflightHeader({ headers }: IncomingMessage): boolean {
  return PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined);
}

function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The upload parser marks what the sender did wrong with a status; what busboy refuses has neither status nor code. */
function uploadError(error: unknown): unknown {
  const { status, code } = error as { status?: number; code?: unknown };
  if (code !== undefined || (status !== undefined && status >= 500)) return error;
  return badUserInput(['The body is not a GraphQL multipart request within the limits']);
}

function fallbackContext({ requestId }: RequestContext) {
  return { requestId, log: { error() {}, warn() {} } as never };
}
