import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from '@apollo/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { showLanguage } from '../http/answer-language.js';
import { TOKEN_HEADERS, type GraphQLContext } from '../http/context.js';
import type { ApolloContext } from './apollo.js';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { OPEN_FIELDS } from './open-documents.js';
import { methodNotAllowed, unauthenticated } from '../errors.js';
import { MAX_FIELD_BYTES } from '../http/json-content.js';
import { parseJson } from '../common/json-text.js';
import { encoded, type Encoded, isLong, selectsSecrets } from '../http/compression.js';
import { requireMediaType } from '../http/media-type.js';
import { mediaTypeOf } from '../http/negotiation.js';
import { BodyPlaces, isLargeBody, type LargeBodies, readBytes, SMALL_BODY } from '../http/request-body.js';
import { requestContextOf, showLimits, type RequestContext } from '../http/request-context.js';
import { type FileAccess, fileGuard } from '../http/stream-guard.js';
import { pathOf, queryOf } from '../http/target.js';
import { IDEMPOTENCY_KEY } from '../common/idempotency.js';
import type { Logger } from '../logger.js';
import type { BlobStore } from '../storage/blob-store.js';
import { LIMITS } from '../values/limits.js';
import { errorAnswer, type Answer, type DirectOperations } from './direct-operations.js';
import { fail, inLanguageOf, METHODS, PLAIN_JSON, send, sendDirect, textOf } from './http-response.js';
import type { IdempotentMutations } from './idempotent-mutations.js';
import type { NamedDocuments } from './named-documents.js';
import { readJsonWithFiles } from './json-with-files.js';
import { MAX_FILES, MultipartRequest } from './multipart-request.js';
import { NEEDS_TOKEN, type OperationPipeline } from './pipeline.js';
import { requireKnownMembers, requireKnownParameters, requireNoState } from './request-members.js';
import type { SseTransport } from './subscriptions/sse-transport.js';

/** Maximum bytes of a query of `rateLimit`. */
const TINY_BODY = 1024;
/** Bytes that are read of a request with a wrong token: it may be for a field that needs none. */
const OPEN_BODY = 16 * 1024;
/** Maximum bytes of a JSON body with a document as base64. */
const LARGE_BODY = Math.ceil((LIMITS.document.maxBytes * 4) / 3) + SMALL_BODY;

const KEY_HEADER = IDEMPOTENCY_KEY.toLowerCase();

const MEDIA_TYPES = ['application/json', 'multipart/form-data'] as const;

/** Headers that Apollo reads. */
const APOLLO_HEADERS = ['accept', 'content-type'];

/**
 * Headers that a page of another origin cannot send without a preflight request. The token is one, where it is sent as a
 * header: such a request cannot be forged with what a browser adds by itself.
 */
const PREFLIGHT_HEADERS = [...TOKEN_HEADERS, 'apollo-require-preflight', 'x-apollo-operation-name'];

/**
 * `/graphql`, from Node's own request to the answer: authentication, limits that need no body, the body, and Apollo.
 * There is no framework in between, because each layer costs as much as a small query.
 */
export class GraphQLHttpHandler {
  /** Forms whose files are spooled to the disk at once. */
  private readonly forms = new BodyPlaces();
  /** The same bytes for every caller. */
  private needsToken: Answer | undefined;

  constructor(
    private readonly apollo: ApolloServer<ApolloContext>,
    private readonly deps: {
      access: FileAccess;
      pipeline: OperationPipeline;
      direct: DirectOperations;
      idempotent: IdempotentMutations;
      named: NamedDocuments;
      largeBodies: LargeBodies;
      log: Logger;
      /** Where documents of JSON bodies wait until they are used. */
      stage: BlobStore['stage'];
      /** Answers /graphql/stream. */
      stream: SseTransport;
      /** Sent with the explorer's page only. */
      pageHeaders: Readonly<Record<string, string>>;
    },
  ) {}

  async handle(
    path: '/graphql' | '/graphql/stream',
    request: IncomingMessage,
    response: ServerResponse,
    requestContext: RequestContext,
  ): Promise<void> {
    requestContext.route = `${METHODS.has(request.method ?? '') ? request.method : 'other'} ${path}`;
    try {
      requireNoState(request);
      if (path === '/graphql') await this.answer(request, response, requestContext);
      else await this.deps.stream.handle(request, response, requestContext);
    } catch (error) {
      const { requestId } = requestContext;
      const context = await requestContext.context().catch(() => ({ requestId, log: this.deps.log }));
      if (path === '/graphql' && 'meter' in context) finishCharges(response, context);
      fail(request, response, context, error);
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    requestContext: RequestContext,
  ): Promise<void> {
    if (!METHODS.has(request.method ?? '')) throw methodNotAllowed();
    response.appendHeader('Vary', 'Accept');
    const context = await requestContext.context();
    this.admit(request, context);
    const isLarge = isLargeRequest(request, context);
    const body = isLarge ? undefined : await this.bodyOf(request, context);
    if (isWrongToken(context) && !mayBeOpen(body)) throw unauthenticated();
    const direct = isLarge ? undefined : await this.answerDirectly(request, context, body);
    if (direct !== undefined) {
      finishCharges(response, context);
      showLanguageOfErrors(response, direct.body, context);
      return sendDirect(request, response, direct, await this.encoded(request, response, body, direct.body));
    }
    const answer = isLarge ? await this.handleLarge(request, context) : await this.execute(request, context, body);
    if (answer.headers.get('content-type') !== 'text/html') finishCharges(response, context);
    const text = textOf(answer);
    showLanguageOfErrors(response, text, context);
    send(request, response, answer, this.deps.pageHeaders, await this.encoded(request, response, body, text));
  }

  /** A long answer compressed, where its document is known to select no secret. */
  private encoded(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    text: string,
  ): Promise<Encoded | undefined> | undefined {
    if (!isLong(text)) return undefined;
    const document = request.method === 'GET' ? (queryIn(request) ?? '') : documentOf(body);
    if (typeof document !== 'string' || selectsSecrets(document)) return undefined;
    return encoded(request, response, text);
  }

  private async execute(
    request: IncomingMessage,
    context: GraphQLContext,
    body: unknown,
    byApollo = () => this.executeByApollo(request, context, body),
  ): Promise<HTTPGraphQLResponse> {
    return request.headers[KEY_HEADER] === undefined
      ? byApollo()
      : this.deps.idempotent.answer(request, body, context, byApollo);
  }

  private async executeByApollo(
    request: IncomingMessage,
    context: GraphQLContext,
    body: unknown,
  ): Promise<HTTPGraphQLResponse> {
    const headers = new HeaderMap();
    for (const name of APOLLO_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string' && !(name === 'accept' && PLAIN_JSON.has(value))) headers.set(name, value);
    }
    // Some libraries accept HTML by default: a request with a query or a token expects data.
    if (headers.get('accept')?.includes('text/html') && !mayBePage(request, context)) headers.delete('accept');
    if (hasPreflightHeader(request)) headers.set('apollo-require-preflight', 'true');
    const answer = await this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? 'GET',
        headers,
        search: (request.url ?? '').slice(pathOf(request).length),
        body,
      },
      context: async () => ({ own: context }),
    });
    return inLanguageOf(context, answer);
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

  /** The body as Apollo takes it, with the text of the document that it names; undefined where there is none that may be read. */
  private async bodyOf(request: IncomingMessage, context: GraphQLContext): Promise<unknown> {
    const { named } = this.deps;
    if (request.method === 'POST') return named.resolve(await this.receivedBody(request, context), context.caller);
    await named.resolveAddress(request, context.caller);
    return undefined;
  }

  private async receivedBody(request: IncomingMessage, context: GraphQLContext): Promise<unknown> {
    const type = mediaTypeOf(request);
    if (type === 'application/json') {
      requireMediaType(request.headers, [type]);
      return context.caller.kind === 'anonymous'
        ? parseJson(await readBytes(request, DOCUMENT_LIMITS.anonymous.bodyBytes, unauthenticated))
        : this.readJson(request, context, SMALL_BODY);
    }
    // Any page can send a form without a preflight request: one without a header that requires it is not even read.
    if (isForm(request)) throw unauthenticated();
    // Without such a header Apollo refuses it, and says which are missing.
    if (hasPreflightHeader(request)) requireMediaType(request.headers, MEDIA_TYPES);
    return undefined;
  }

  /** The JSON of a known caller, who is judged again when it has come. */
  private async readJson(request: IncomingMessage, context: GraphQLContext, maxBody: number): Promise<unknown> {
    const body = await this.jsonIn(request, context, maxBody);
    await requestContextOf(request).confirm();
    return body;
  }

  private async jsonIn(request: IncomingMessage, context: GraphQLContext, maxBody: number): Promise<unknown> {
    if (Number(request.headers['content-length'] ?? Infinity) <= MAX_FIELD_BYTES)
      return parseJson(await readBytes(request, maxBody));
    context.received = new Map();
    const limits = { maxBody, contents: MAX_FILES };
    return readJsonWithFiles(request, limits, { stage: this.deps.stage, received: context.received });
  }

  /**
   * The refusal of an anonymous request that needs a token, or the answer of a query that needs nothing of Apollo;
   * undefined for requests that Apollo answers.
   */
  private async answerDirectly(
    request: IncomingMessage,
    context: GraphQLContext,
    body: unknown,
  ): Promise<Answer | undefined> {
    const query = request.method === 'GET' ? queryIn(request) : documentOf(body);
    const isAnonymous = context.caller.kind === 'anonymous' && query !== undefined;
    const errors = isAnonymous ? this.deps.pipeline.anonymousErrors(query) : undefined;
    if (errors === NEEDS_TOKEN && context.language === undefined)
      return (this.needsToken ??= errorAnswer(errors, context));
    if (errors !== undefined) return errorAnswer(errors, context);
    if (request.method === 'POST' || !mayBePage(request, context)) requireKnownParameters(request);
    requireKnownMembers(body);
    return isPlain(request) ? this.deps.direct.answer(body, context) : undefined;
  }

  private async handleLarge(request: IncomingMessage, context: GraphQLContext): Promise<HTTPGraphQLResponse> {
    const { largeBodies, named } = this.deps;
    requireKnownParameters(request);
    requireMediaType(request.headers, MEDIA_TYPES);
    const places = isForm(request) ? this.forms : largeBodies;
    const release = await places.enter(context.caller.kind === 'user' ? context.caller.userId : '');
    try {
      if (isForm(request)) return await this.executeForm(request, context);
      const body = await named.resolve(await this.readJson(request, context, LARGE_BODY), context.caller);
      requireKnownMembers(body);
      return await largeBodies.parse(() => this.execute(request, context, body));
    } finally {
      release();
    }
  }

  private async executeForm(request: IncomingMessage, context: GraphQLContext): Promise<HTTPGraphQLResponse> {
    const guard = await fileGuard(request, this.deps.access);
    const form = await MultipartRequest.begin(request, this.deps.stage, guard);
    try {
      await requestContextOf(request).confirm();
      const operation = await this.deps.named.resolve(form.operation, context.caller);
      requireKnownMembers(operation);
      return await this.execute(request, context, operation, async () => {
        const answer = await this.executeByApollo(request, context, operation);
        if (form.failure?.code === 'BAD_USER_INPUT' && !hasData(answer)) throw form.failure;
        return answer;
      });
    } finally {
      form.close();
    }
  }
}

/** Whether only a known caller may send it: a form of files, or JSON that is long. One without a length may be of any. */
function isLargeRequest(request: IncomingMessage, { caller }: GraphQLContext): boolean {
  if (request.method !== 'POST' || caller.kind === 'anonymous') return false;
  return isForm(request) || (isLargeBody(request) && mediaTypeOf(request) === 'application/json');
}

function isForm(request: IncomingMessage): boolean {
  return mediaTypeOf(request) === 'multipart/form-data' && hasPreflightHeader(request);
}

/** Whether some root field has a value: completed changes must be shown, also beside errors. */
function hasData(answer: HTTPGraphQLResponse): boolean {
  const { data } = JSON.parse(textOf(answer)) as { data?: object | null };
  return Object.values(data ?? {}).some((value) => value !== null);
}

/** Whether it is executed as it came, and neither its form nor that of its answer leaves Apollo anything to decide. */
function isPlain(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  return (
    request.method === 'POST' &&
    request.headers[KEY_HEADER] === undefined &&
    mediaTypeOf(request) === 'application/json' &&
    (accept === undefined || PLAIN_JSON.has(accept))
  );
}

function isWrongToken({ caller }: GraphQLContext): boolean {
  return caller.kind === 'anonymous' && caller.wrongToken === true;
}

/** Whether a body may select a field that needs no token: a name cannot be written in another way. */
function mayBeOpen(body: unknown): boolean {
  const query = documentOf(body);
  return typeof query === 'string' && OPEN_FIELDS.some((name) => query.includes(name));
}

/** Counts a refused request as well, and shows the remaining limit. */
function finishCharges(response: ServerResponse, { meter }: GraphQLContext): void {
  meter.settle('graphql');
  showLimits(response, meter);
}

/** Whether the explorer may be the answer: a person has opened the address, who sends neither a query nor a token. */
function mayBePage(request: IncomingMessage, context: GraphQLContext): boolean {
  const isAnonymous = context.caller.kind === 'anonymous' && !isWrongToken(context);
  return request.method === 'GET' && isAnonymous && !queryOf(request).has('query');
}

/** The document of a GET. */
function queryIn(request: IncomingMessage): string | undefined {
  return queryOf(request).get('query') ?? undefined;
}

/** The document of a body; undefined where the body is no object. */
function documentOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? ((body as { query?: unknown }).query ?? null) : undefined;
}

function hasPreflightHeader({ headers }: IncomingMessage): boolean {
  return PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined);
}

/** Errors come first in an answer; nothing else in it depends on the requested language. */
function showLanguageOfErrors(response: ServerResponse, body: string, { language }: GraphQLContext): void {
  if (body.startsWith('{"errors"')) showLanguage(response, language);
}
