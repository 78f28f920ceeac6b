import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { IDEMPOTENCY_REPLAYED } from '../../common/idempotency.js';
import type { IdempotentAnswers, Reply } from '../../services/shared/idempotent-answers.js';
import { type GraphQLContext, TOKEN_NAME, VARY_BY_TOKEN } from '../../http/context.js';
import { toDomainError } from '../../graphql/errors.js';
import type { GraphQLExecutor, Variables } from '../../graphql/executor.js';
import { idempotentRequestOf } from '../../http/idempotency-key.js';
import { encoded, isLong, varyByEncoding } from '../../http/compression.js';
import { PREFERENCE_APPLIED, RESPOND_ASYNC } from '../../http/preference.js';
import { sentTagOf, tagIn, tagsOf, tagWithoutEncoding } from '../../http/negotiation.js';
import type { LargeBodies } from '../../http/request-body.js';
import { chargeMore, requestContextOf } from '../../http/request-context.js';
import type { FileAccess, StreamAccess } from '../../http/stream-guard.js';
import { pathOf, queryOf } from '../../http/target.js';
import type { Logger } from '../../logger.js';
import { sendJson, sendNotModified, STATUS, successEnvelope, successStatus } from './answer.js';
import { deprecatedInputs, showDeprecation } from '../deprecation.js';
import { parametersOf } from '../request/parameters.js';
import { readParameters } from '../request/read-parameters.js';
import { readOnlyFields, unchangedCheck } from '../read-only.js';
import { requestReader, versionsIn } from '../request/request-reader.js';
import {
  HAS_NEXT_PAGE,
  IF_MATCH,
  IGNORED_COLUMNS,
  isPaged,
  type OperationRoute,
  type Parameter,
  parameterNames,
} from '../route.js';
import { REST_SPELLING } from '../request/rest-input.js';
import { Operation, type Answer } from '../view/operation.js';
import type { CompiledOperation } from '../view/core-path.js';
import type { Sofa } from '../view/sofa.js';
import { badUserInput, preconditionFailed } from '../../errors.js';
import { asOfRequestIn, showAsOf } from './past.js';
import { type ListDownloads, ONLY_CSV, sendTable, tableFormat } from './tables.js';
import { longPoll, type LongPollDeps } from './long-poll.js';
import { valueDocument } from '../view/translate.js';

/** Answers a request; `parameters` are the texts in its path. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<void>;

export interface OperationDeps extends LongPollDeps {
  access: StreamAccess & FileAccess;
  executor: GraphQLExecutor;
  sofa: Sofa;
  idempotency: IdempotentAnswers;
  largeBodies: LargeBodies;
  publicUrl: string;
  listDownloads: ListDownloads;
  log: Logger;
}

/** Reads the request, executes the operation of its route, and sends the answer. */
export function operationHandler(route: CompiledOperation, deps: OperationDeps): RouteHandler {
  const { executor, idempotency, sofa } = deps;
  // The path of the public address, below which a proxy may serve the gateway.
  const root = new URL(deps.publicUrl).pathname.replace(/\/+$/, '');
  const described = parametersOf(route);
  const readOnlyNames = readOnlyFields(sofa.view, route);
  const read = requestReader(route, { ...deps, readOnlyNames });
  const requireUnchanged = unchangedCheck(route, sofa);
  const deprecationIn = deprecatedInputs(route, described);
  const revision = revisionOf(route, executor);
  const linksOf = pageLinks(described, root);
  const mayBeTable = isPaged(route);
  const versionName = route.core.filled.get(IF_MATCH)?.name ?? 'version';
  const isChange = route.method !== 'GET';
  const refusesState = isChange && !parameterNames(route).includes(IF_MATCH);
  return async (request, response, inPath) => {
    if (refusesState && !isAnyState(request)) throw preconditionFailed();
    // It says which state a record must not be in, which no change compares.
    if (isChange && request.headers['if-none-match'] !== undefined) throw preconditionFailed();
    const present = await requestContextOf(request).context();
    present.spell = REST_SPELLING.spell;
    // Besides the origin, by which the answer varies already.
    if (revision !== undefined) response.appendHeader('Vary', VARY_BY_TOKEN);
    // So does a 304, whose answer is not made.
    if (revision !== undefined || route.etag) varyByEncoding(response);
    if (mayBeTable) response.appendHeader('Vary', 'Accept');
    const sent = readParameters(described, inPath, request.url ?? '', request.headers, route);
    const past = await asOfRequestIn(route, sent, present);
    const parameters = past?.parameters ?? sent;
    const context: GraphQLContext = past === undefined ? present : { ...present, asOf: past.asOf };
    const versions = versionsIn(parameters);
    const { variables, readOnly, fingerprint } = await read(request, parameters);
    if (isChange) await requestContextOf(request).confirm();
    const deprecation = deprecationIn?.(parameters, variables);
    if (deprecation !== undefined) showDeprecation(response, deprecation, deps.publicUrl);
    const points = sofa.points(route, parameters['include'], variables);
    chargeMore(response, context.meter, route.method === 'GET' ? 'reads' : 'writes', points - 1);
    const isSecret = () => sofa.answersSecrets(route, parameters['include']);
    const format = mayBeTable ? tableFormat(request, parameters) : undefined;
    if (format !== undefined) {
      const table = sofa.table(route, parameters['include']);
      const wanted = { route, table, format, variables, context, points, isSecret: isSecret() };
      return sendTable(request, response, wanted, deps);
    }
    if (mayBeTable && parameters['bom'] !== undefined) throw badUserInput([ONLY_CSV]);
    const seconds = route.waits ? (parameters['wait'] as number | undefined) : undefined;
    const state = await revision?.now(request, context);
    const current = state === undefined ? undefined : revision?.current(request, state);
    if (current !== undefined) return sendNotModified(response, current);
    const execute = async (): Promise<Reply> => {
      if (readOnly !== undefined) await requireUnchanged(readOnly, parameters, context);
      const operation = sofa.operation(route, parameters['include']);
      const made = (each: Variables) => operation.execute(each, context);
      const answer = route.waits
        ? await longPoll({ request, response, variables, seconds, points }, made, deps)
        : await madeToOneOf(versions, versionName, variables, made);
      const head = headOf(route, answer, parameters, root);
      const body = JSON.stringify(successEnvelope(answer));
      if (past !== undefined) await showAsOf(response, past.asOf, context);
      const { next, total } = head;
      const pages = total === undefined ? undefined : linksOf?.(request, parameters, total);
      const links = next === undefined ? pages : linkTo(request, root, 'next', { after: next });
      // Beside those of a deprecation.
      if (links !== undefined) response.appendHeader('Link', links);
      if (head.hasNextPage !== undefined) response.setHeader(HAS_NEXT_PAGE, String(head.hasNextPage));
      const headers = { ...tagged(route, head.headers, body), ...revision?.headersFor(body, request, state) };
      const etag = headers['ETag'];
      const sentTag = route.method === 'GET' && etag !== undefined ? sentTagOf(request, etag) : undefined;
      if (sentTag !== undefined)
        return { status: STATUS.notModified, headers: { ...headers, ETag: sentTag }, body: '' };
      return { status: head.status, headers, body };
    };
    // A change is made once for each key; a failure throws, which undoes the changes and stores nothing.
    const idempotent = isChange ? idempotentRequestOf(request, context) : undefined;
    if (idempotent === undefined) return sendReply(request, response, await execute(), isSecret);
    const { reply, isReplayed } = await idempotency.run(
      idempotent,
      async () => fingerprintOf(route, await fingerprint()),
      async () => ({ reply: await execute(), outcome: 'done' }),
    );
    if (isReplayed) response.setHeader(IDEMPOTENCY_REPLAYED, 'true');
    return sendReply(request, response, reply, isSecret);
  };
}

/** Whether a request expects no particular version: a route without versions could not compare it. */
function isAnyState({ headers }: IncomingMessage): boolean {
  return (headers['if-match'] ?? '*').trim() === '*';
}

/**
 * Makes a change to the first of the versions that the record has. Versions only grow and are tried in their order: one that
 * it has had all the time is not missed.
 */
async function madeToOneOf(
  versions: readonly number[] | null | undefined,
  name: string,
  variables: Variables,
  execute: (variables: Variables) => Promise<Answer>,
): Promise<Answer> {
  const [version, ...others] = versions ?? [];
  if (version === undefined) return execute(variables);
  try {
    return await execute({ input: { ...(variables['input'] as Variables), [name]: version } });
  } catch (error) {
    if (others.length === 0 || toDomainError(error).code !== 'PRECONDITION_FAILED') throw error;
    return madeToOneOf(others, name, variables, execute);
  }
}

function tagged({ etag }: OperationRoute, headers: Reply['headers'], body: string): Reply['headers'] {
  if (etag === 'hash') return { ...headers, ETag: `"${hash('sha256', body, 'base64url')}"` };
  if (etag !== 'version and hash' || headers['ETag'] === undefined) return headers;
  return { ...headers, ETag: headers['ETag'].replace(/"$/, `.${hash('sha256', body, 'base64url')}"`) };
}

function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  isSecret: () => boolean,
): void | Promise<void> {
  const { status, body, headers } = reply;
  if (status === STATUS.notModified) return sendNotModified(response, headers);
  if (isLong(body) && !isSecret()) return sendLong(request, response, reply);
  sendJson(response, status, body, headers);
}

async function sendLong(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Reply) {
  const made = await encoded(request, response, body);
  if (made === undefined) return sendJson(response, status, body, headers);
  const { encoding } = made;
  const tag = headers['ETag'] === undefined ? {} : { ETag: tagIn(encoding, headers['ETag']) };
  sendJson(response, status, made.body, { ...headers, ...tag, 'Content-Encoding': encoding });
}

/** Fingerprint of the parsed path, query, headers and body: white space and boundaries do not matter. */
function fingerprintOf({ method, path, accepted }: OperationRoute, parts: readonly unknown[]): string {
  const preferred = accepted === undefined ? [] : [RESPOND_ASYNC];
  return hash('sha256', JSON.stringify([method, path, ...preferred, ...parts]));
}

function revisionOf(route: OperationRoute, executor: GraphQLExecutor): Revision | undefined {
  if (route.revision === undefined) return undefined;
  const document = valueDocument(executor.schema, route, route.revision);
  return new Revision(new Operation(executor, document, route.revision), route.cacheControl);
}

interface ReplyHead extends Pick<Reply, 'status' | 'headers'>, Pick<Answer, 'total'> {
  /** Of a list that is followed. */
  next?: string;
  hasNextPage?: boolean;
}

function headOf(
  route: OperationRoute,
  { data, etag, payload, total }: Answer,
  parameters: Variables,
  root: string,
): ReplyHead {
  const status = successStatus(route, payload);
  const made = status === STATUS.created && typeof route.created === 'string' ? route.created : undefined;
  const place = route.accepted ?? made;
  const ignored = (payload['ignoredColumns'] as readonly string[] | undefined) ?? [];
  return {
    status,
    total,
    ...(route.follows !== undefined && {
      next: payload['next'] as string,
      ...(payload['behind'] as { hasNextPage: boolean }),
    }),
    headers: {
      ...(etag !== undefined && { ETag: etag }),
      ...(route.accepted !== undefined && { [PREFERENCE_APPLIED]: RESPOND_ASYNC }),
      ...(ignored.length > 0 && { [IGNORED_COLUMNS]: ignored.join(', ') }),
      ...(place !== undefined && { Location: `${root}${filled(place, { ...parameters, ...(data as object) })}` }),
    },
  };
}

/**
 * `Link` of the pages before and after the requested one (RFC 8288), with the other parameters as they were sent.
 * Undefined for a route without pages.
 */
function pageLinks(parameters: readonly Parameter[], root: string) {
  const size = parameters.find(({ name }) => name === 'limit')?.schema['published'] as { default: number } | undefined;
  if (size === undefined || parameters.every(({ name }) => name !== 'offset')) return undefined;
  return (request: IncomingMessage, sent: Variables, total: number): string | undefined => {
    const limit = (sent['limit'] as number | undefined) ?? size.default;
    const offset = (sent['offset'] as number | undefined) ?? 0;
    const link = (rel: string, from: number, rows?: number) =>
      linkTo(request, root, rel, { offset: String(from), ...(rows !== undefined && { limit: String(rows) }) });
    // The first page ends where this one begins: it would repeat its rows.
    const shorter = offset < Math.min(limit, total) ? offset : undefined;
    const links = [
      ...(offset > 0 ? [link('prev', Math.max(0, Math.min(offset, total) - limit), shorter)] : []),
      ...(offset + limit < total ? [link('next', offset + limit)] : []),
    ];
    return links.length === 0 ? undefined : links.join(', ');
  };
}

/** The same address with other parameters. The token is left out: an address with it would be written to logs. */
function linkTo(request: IncomingMessage, root: string, rel: string, parameters: Readonly<Record<string, string>>) {
  const query = queryOf(request);
  query.delete(TOKEN_NAME);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `<${root}${pathOf(request)}?${query}>; rel="${rel}"`;
}

function filled(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(values[name])));
}

/** Answers whose revision is remembered; one is a few hundred bytes. */
const REMEMBERED = 10_000;

/**
 * Answers that clients poll. The tag is the hash of the text. A cheaper operation reads the revision that the text depends
 * on: only for a request that has a tag, and before the answer is made, so that a change in between makes the remembered
 * revision too old and never too new.
 */
export class Revision {
  /** Which tag, at which address, was made of which revision: those of users who read the same text differ. */
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly operation: Pick<Operation, 'execute'>,
    /** How long an answer may be cached; revalidated each time when absent. */
    private readonly cacheControl = 'private, no-cache',
  ) {}

  /** The revision of the caller's answer; undefined for a request without a condition. */
  async now(request: IncomingMessage, context: GraphQLContext): Promise<string | undefined> {
    if (request.headers['if-none-match'] === undefined) return undefined;
    return String((await this.operation.execute({}, context)).data);
  }

  /** Headers of the answer that the client has, when it is still right. */
  current(request: IncomingMessage, revision: string): RevisionHeaders | undefined {
    const tag = tagsOf(request).find((each) => this.known.get(keyOf(tagWithoutEncoding(each), request, revision)));
    return tag === undefined ? undefined : this.headersOf(tag);
  }

  /** Headers of an answer that was made. */
  headersFor(text: string, request: IncomingMessage, revision: string | undefined): RevisionHeaders {
    const headers = this.headersOf(`"${hash('sha256', text, 'base64url')}"`);
    if (revision !== undefined) this.known.set(keyOf(headers.ETag, request, revision), true);
    return headers;
  }

  private headersOf(tag: string): RevisionHeaders {
    return { ETag: tag, 'Cache-Control': this.cacheControl };
  }
}

type RevisionHeaders = Record<'ETag' | 'Cache-Control', string>;

function keyOf(tag: string, { url = '' }: IncomingMessage, revision: string): string {
  // A token may be in the address.
  return hash('sha256', `${tag} ${url} ${revision}`, 'base64url');
}
