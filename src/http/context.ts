import type { IncomingMessage } from 'node:http';
import type { Access } from '../auth/access.js';
import { ANONYMOUS, WRONG_TOKEN, type Caller, type Credential, type TokenForm } from '../auth/caller.js';
import type { RateLimits, RateMeter } from '../auth/rate-limits.js';
import { digestToken } from '../auth/token.js';
import type { ReceivedFile } from '../storage/incoming-file.js';
import { requestedLanguage } from './answer-language.js';
import type { Language } from '../messages/language.js';
import { clientAddress } from './client-address.js';
import type { Logger } from '../logger.js';
import type { AsOfRequest } from '../services/as-of/as-of.service.js';
import type { Services } from '../services/index.js';

/** The caller and its request: created once for a request, and passed to every resolver, by both APIs. */
export interface GraphQLContext {
  readonly requestId: string;
  /** Looked up before the body is read, and checked again after a slow body. */
  caller: Caller;
  /** Network address of the client; undefined if unknown. */
  readonly address: string | undefined;
  readonly log: Logger;
  /** The use cases that resolvers call: the schema is the same for every gateway of a process. */
  readonly services: Services;
  /** Rate limits of the caller. */
  readonly meter: RateMeter;
  /** The requested language; undefined without one. */
  readonly language?: Language | undefined;
  /** Nested lists of one level wait here for each other and are loaded in one statement (see graphql/batch.ts). */
  readonly batches: Map<string, Batch>;
  /** The past instant and organization of a REST request. */
  readonly asOf?: AsOfRequest;
  /** Spelling of field names in the request's API; GraphQL's when absent. */
  spell?: (name: string) => string;
  /** Files of the body by their placeholder; discarded with the request. */
  received?: Map<string, ReceivedFile>;
}

/** Parents that are loaded together, and their result. */
export interface Batch {
  readonly parents: Set<unknown>;
  readonly found: Promise<ReadonlyMap<unknown, unknown>>;
}

/** The token's name in header and query alike (specification 5.1). */
export const TOKEN_NAME = 'X-Service-Token';
const TOKEN_HEADER = TOKEN_NAME.toLowerCase();

/** `WWW-Authenticate` of a 401 (RFC 9110 11.6.1, RFC 6750): no registered scheme sends a key in a header of its own. */
export const CHALLENGE = `Bearer realm="compliance-gateway", ApiKey realm="compliance-gateway", header="${TOKEN_NAME}"`;

/** Headers with a token: pages of other sites cannot send them without a preflight request. */
export const TOKEN_HEADERS: readonly string[] = [TOKEN_HEADER, 'authorization'];
/** `Vary` of answers that differ between callers. */
export const VARY_BY_TOKEN = `${TOKEN_NAME}, Authorization`;

/**
 * Finds out who calls. An anonymous caller is refused where a token is needed; only a wrong token from an address that
 * has sent many is RATE_LIMITED. `further` are tokens that came in other places than the request.
 */
export async function createContext(
  request: IncomingMessage,
  requestId: string,
  { access, limits, log, services, trustProxy = 0 }: ContextDeps,
  further: readonly unknown[] = [],
): Promise<GraphQLContext> {
  const sent = tokenOf(request, further);
  const address = clientAddress(request, trustProxy);
  let caller: Caller = { ...ANONYMOUS, origin: { address, requestId } };
  if (sent !== undefined) {
    const origin = { form: sent.form, address, requestId, isSuspect: limits.isSuspect(address) };
    caller = await access.authenticate(sent.token, origin);
  }
  // An empty one comes from a client without a token.
  if (sent !== undefined && sent.token !== '' && caller.kind === 'anonymous') {
    limits.authenticationFailed(address);
    caller = WRONG_TOKEN;
  }
  const [meter, language] = [limits.meter(caller, address), requestedLanguage(request)];
  return { requestId, caller, address, log, services, meter, language, batches: new Map() };
}

export interface ContextDeps {
  access: Access;
  limits: RateLimits;
  log: Logger;
  services: Services;
  /** Number of trusted proxies in front. */
  trustProxy?: number;
}

/** A token, and its place in the request. */
export interface SentToken {
  token: string;
  form: TokenForm;
}

/**
 * The token of a request: in the header of that name, as a Bearer token, or in the query (specification 5.2, 5.3). Different
 * values in two places, or in a repeated header or parameter, are no token: it would be a guess which of them the sender
 * meant. `further` is what was sent in other places; it counts as sent in a header.
 */
export function tokenOf(
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'url'>,
  further: readonly unknown[] = [],
): SentToken | undefined {
  const { headers, url } = request;
  const header = headers[TOKEN_HEADER];
  const inQuery = queryTokens(url);
  const tokens = new Set<unknown>([...inQuery, ...further]);
  if (headers.authorization !== undefined) for (const token of bearerTokens(request)) tokens.add(token);
  // Node joins a header that is sent twice with a comma, which no token has.
  if (typeof header === 'string') for (const text of header.split(',')) tokens.add(text.trim());
  const [token] = tokens;
  if (typeof token !== 'string' || tokens.size > 1) return undefined;
  return { token, form: inQuery.length > 0 ? 'query' : 'header' };
}

/** The credential of a long-lived connection, to be checked again. */
export function credentialOf({ address }: Pick<GraphQLContext, 'address'>, { token, form }: SentToken): Credential {
  return { digest: digestToken(token), origin: { form, address } };
}

/** Other schemes are a proxy's, which may have let the request pass by them. Of `headers`, Node has the first one only. */
function bearerTokens({ headersDistinct: { authorization = [] } }: Pick<IncomingMessage, 'headersDistinct'>): string[] {
  return authorization.flatMap((value) => bearerToken(value) ?? []);
}

/** The token of the value of a header `Authorization`; undefined for another scheme. */
export function bearerToken(value: string): string | undefined {
  const match = /^bearer(?:\s+(.*))?$/i.exec(value.trim());
  return match === null ? undefined : (match[1] ?? '');
}

function queryTokens(url: string | undefined): string[] {
  const start = url?.indexOf('?') ?? -1;
  // A name may be percent-encoded.
  if (url === undefined || start < 0 || !(url.includes(TOKEN_NAME, start) || url.includes('%', start))) return [];
  return new URLSearchParams(url.slice(start)).getAll(TOKEN_NAME);
}
