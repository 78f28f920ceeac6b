import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ScimCaller } from '../auth/caller.js';
import type { RateLimits } from '../auth/rate-limits.js';
import { MAX_DEPTH, parseJson } from '../common/json-text.js';
import {
  absentResource,
  invalidValue,
  otherState,
  ScimError,
  type ScimPage,
  type ScimPageRequest,
} from '../common/scim-resources.js';
import { methodNotAllowed, unauthenticated } from '../errors.js';
import { bearerToken } from '../http/context.js';
import { allowed } from '../http/methods.js';
import { hasCurrent, listedTags } from '../http/negotiation.js';
import { requireMediaType } from '../http/media-type.js';
import { readBytes, SMALL_BODY } from '../http/request-body.js';
import { chargeRequest, methodLabel, requestContextOf } from '../http/request-context.js';
import { pathOf, queryOf, requireUtf8 } from '../http/target.js';
import type { Logger } from '../logger.js';
import type { Services } from '../services/index.js';
import { LIMITS } from '../values/limits.js';
import { sendNothing, sendScim, sendScimError } from './answer.js';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { filterFrom } from './filter.js';
import { changesFrom, patchedGroup, patchedUser } from './patch.js';
import { groupFrom, shownGroup, shownUser, tagOf, userFrom, type Resource } from './resources.js';

interface ScimDeps {
  services: Services;
  limits: RateLimits;
  publicUrl: string;
  log: Logger;
}

/** A request of a directory to a resource or a list of them. */
interface Call {
  caller: ScimCaller;
  services: Services;
  /** The address of SCIM of the organization. */
  url: string;
  query: URLSearchParams;
  /** Undefined for the list. */
  id: string;
  /** The states that a change may be made to; undefined for any. */
  versions: readonly string[] | undefined;
  /** Whether a reader has this state already. */
  isKnown(version: string): boolean;
  body(): Promise<unknown>;
  response: ServerResponse;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Handler = (call: Call) => Promise<void> | void;
type Endpoint = Partial<Record<Method, Handler>>;

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** SCIM 2.0 (RFC 7643, 7644): everything under /scim/v2. Only tokens of directories are taken here, and nowhere else. */
export function createScimHandler(deps: ScimDeps): RequestListener {
  return (request, response) => {
    answer(request, response, deps).catch((error: unknown) => sendScimError(request, response, error, deps.log));
  };
}

const PATH = /^\/scim\/v2\/organizations\/([1-9]\d{0,15})\/([A-Za-z]+)(?:\/([^/]+))?$/;

async function answer(request: IncomingMessage, response: ServerResponse, deps: ScimDeps): Promise<void> {
  const requestContext = requestContextOf(request);
  const [, organization, name = '', encoded] = PATH.exec(pathOf(request)) ?? [];
  const endpoint = ENDPOINTS.get(`${name}${encoded === undefined ? '' : '/{id}'}`);
  const shownPath = endpoint === undefined ? '*' : `organizations/{id}/${name}${encoded === undefined ? '' : '/{id}'}`;
  requestContext.route = `${methodLabel(request)} /scim/v2/${shownPath}`;
  const caller = await authenticate(request, response, deps);
  if (endpoint === undefined || caller.organizationId !== Number(organization)) throw absentResource();
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = endpoint[method as Method];
  if (handle === undefined) {
    response.setHeader('Allow', allowed(Object.keys(endpoint)));
    if (method !== 'OPTIONS') throw methodNotAllowed();
    return sendNothing(response, 204);
  }
  requireUtf8(request);
  const query = queryOf(request);
  requireParameters(query, handle);
  const url = `${deps.publicUrl}/scim/v2/organizations/${caller.organizationId}`;
  const body = async () => {
    requireMediaType(request.headers, ['application/scim+json', 'application/json']);
    const hasCome = request.complete;
    const bytes = await readBytes(request, SMALL_BODY);
    // That may have taken minutes, in which the token was revoked.
    if (!hasCome && (await callerOf(request, deps)) === undefined) throw unauthenticated();
    return parseJson(bytes, { maxDepth: MAX_DEPTH });
  };
  const { services } = deps;
  const versions = statesIn(request);
  // A list has no state, and no change is made to a state that is not there: neither can be judged.
  const isUnjudged = (method === 'POST' && versions) || (method !== 'GET' && request.headers['if-none-match']);
  if (isUnjudged) throw otherState();
  const call = { caller, services, url, query, id: idIn(encoded), versions, body };
  const isKnown = (version: string) => method === 'GET' && hasCurrent(request, `"${version}"`);
  await handle({ ...call, isKnown, response });
}

/** Throws UNAUTHENTICATED, and RATE_LIMITED for one wrong token too many. */
async function authenticate(request: IncomingMessage, response: ServerResponse, { services, limits }: ScimDeps) {
  const requestContext = requestContextOf(request);
  const origin = requestContext.origin();
  const policy = request.method === 'GET' || request.method === 'HEAD' ? 'reads' : 'writes';
  const caller = await callerOf(request, { services, limits });
  if (caller === undefined) {
    if (tokenIn(request)) limits.authenticationFailed(origin.address);
    chargeRequest(response, requestContext.anonymousMeter(), policy);
    throw unauthenticated();
  }
  requestContext.isAuthenticated = true;
  chargeRequest(response, limits.meter(caller, origin.address), policy);
  return caller;
}

async function callerOf(request: IncomingMessage, { services, limits }: Pick<ScimDeps, 'services' | 'limits'>) {
  const token = tokenIn(request);
  const origin = requestContextOf(request).origin();
  return token ? services.scimTokens.authenticate(token, origin, limits.isSuspect(origin.address)) : undefined;
}

/** Empty or undefined for a request without one, or with several that differ. */
function tokenIn({ headersDistinct }: IncomingMessage): string | undefined {
  const tokens = new Set((headersDistinct['authorization'] ?? []).map((value) => bearerToken(value) ?? ''));
  return tokens.size === 1 ? [...tokens][0] : undefined;
}

/** A path whose percent signs do not decode names nothing. */
function idIn(encoded = ''): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw absentResource();
  }
}

/** Weak tags are compared like others: SCIM has no other (RFC 7644, 3.14). */
function statesIn({ headers }: IncomingMessage): readonly string[] | undefined {
  const text = headers['if-match']?.trim();
  if (text === undefined || text === '*') return undefined;
  return listedTags(text).map((tag) => tag.replace(/^W\//, '').slice(1, -1));
}

const USERS: Endpoint = {
  GET: async (call) => {
    const page = pageOf(call, 'User');
    const found = await call.services.scimUsers.list(call.caller, page);
    sendList(call, page, found, (user) => shownUser(user, call.url));
  },
  POST: async (call) => {
    const user = await call.services.scimUsers.create(call.caller, userFrom(await call.body()));
    sendResource(call, 201, user.version, shownUser(user, call.url));
  },
};

const USER: Endpoint = {
  GET: async (call) => {
    const user = await call.services.scimUsers.read(call.caller, call.id);
    sendResource(call, 200, user.version, shownUser(user, call.url));
  },
  PUT: async (call) => {
    const body = await call.body();
    const user = await call.services.scimUsers.update(call.caller, call, (before) => userFrom(body, before));
    sendResource(call, 200, user.version, shownUser(user, call.url));
  },
  PATCH: async (call) => {
    const changes = changesFrom(await call.body());
    const user = await call.services.scimUsers.update(call.caller, call, (before) => patchedUser(before, changes));
    sendResource(call, 200, user.version, shownUser(user, call.url));
  },
  DELETE: async (call) => {
    await call.services.scimUsers.delete(call.caller, call);
    sendNothing(call.response, 204);
  },
};

const GROUPS: Endpoint = {
  GET: async (call) => {
    const page = pageOf(call, 'Group');
    const found = await call.services.scimGroups.list(call.caller, page, selectedOf(call));
    sendList(call, page, found, (group) => shownGroup(group, call.url));
  },
  POST: async (call) => {
    const group = await call.services.scimGroups.create(call.caller, groupFrom(await call.body()));
    sendResource(call, 201, group.version, shownGroup(group, call.url));
  },
};

const GROUP: Endpoint = {
  GET: async (call) => {
    const group = await call.services.scimGroups.read(call.caller, call.id, selectedOf(call));
    sendResource(call, 200, group.version, shownGroup(group, call.url));
  },
  PUT: async (call) => {
    const body = await call.body();
    const group = await call.services.scimGroups.update(call.caller, call, () => groupFrom(body));
    sendResource(call, 200, group.version, shownGroup(group, call.url));
  },
  PATCH: async (call) => {
    const changes = changesFrom(await call.body());
    const group = await call.services.scimGroups.update(call.caller, call, (before) => patchedGroup(before, changes));
    // A group may be large, and directories send its members one by one. Who names attributes is answered them (RFC 7644, 3.5.2).
    if (call.query.has('attributes')) return sendResource(call, 200, group.version, shownGroup(group, call.url));
    sendNothing(call.response, 204, { ETag: tagOf(group.version) });
  },
  DELETE: async (call) => {
    await call.services.scimGroups.delete(call.caller, call);
    sendNothing(call.response, 204);
  },
};

function described(list: (url: string) => readonly Resource[]): readonly [all: Endpoint, one: Endpoint] {
  const all: Endpoint = {
    GET: ({ response, url }) => sendScim(response, 200, listOf(list(url), { total: list(url).length, offset: 0 })),
  };
  const one: Endpoint = {
    GET: ({ response, url, id }) => {
      const found = list(url).find((each) => each['id'] === id);
      if (found === undefined) throw absentResource();
      sendScim(response, 200, found);
    },
  };
  return [all, one];
}

const [ALL_TYPES, ONE_TYPE] = described(resourceTypes);
const [ALL_SCHEMAS, ONE_SCHEMA] = described(schemas);

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ['ServiceProviderConfig', { GET: ({ response, url }: Call) => sendScim(response, 200, serviceProviderConfig(url)) }],
  ['ResourceTypes', ALL_TYPES],
  ['ResourceTypes/{id}', ONE_TYPE],
  ['Schemas', ALL_SCHEMAS],
  ['Schemas/{id}', ONE_SCHEMA],
  ['Users', USERS],
  ['Users/{id}', USER],
  ['Groups', GROUPS],
  ['Groups/{id}', GROUP],
]);

const SHOWN = ['attributes', 'excludedAttributes'];
const LISTED = ['filter', 'startIndex', 'count'];
/** Entra ID may repeat a flag of its own, which changes nothing here. */
const FLAG = 'aadOptscim062020';

/**
 * Parameters of lists are refused elsewhere: no filter would hold for a change. Descriptions of the service are answered
 * whole, and refuse a filter (RFC 7644, 4).
 */
function requireParameters(query: URLSearchParams, handle: Handler): void {
  const names = [...query.keys()];
  if (new Set(names).size < names.length) throw invalidValue('A parameter must be given once');
  const isDescription = ![USERS, USER, GROUPS, GROUP].some((endpoint) => Object.values(endpoint).includes(handle));
  if (isDescription && query.has('filter')) throw new ScimError(403, 'This is not allowed');
  const isList = isDescription || handle === USERS.GET || handle === GROUPS.GET;
  const taken = isList ? [...LISTED, ...SHOWN] : SHOWN;
  if (!names.every((name) => taken.includes(name) || name === FLAG))
    throw invalidValue(`The parameters are ${taken.join(', ')}`);
}

function pageOf({ query }: Call, type: 'User' | 'Group'): ScimPageRequest {
  const { pageSize } = LIMITS.scim;
  const filter = query.get('filter');
  return {
    filter: filter === null ? undefined : filterFrom(filter, type),
    offset: Math.max(integerIn(query, 'startIndex', 1), 1) - 1,
    limit: Math.min(Math.max(integerIn(query, 'count', pageSize), 0), pageSize),
  };
}

/** Less than the least is the least (RFC 7644, 3.4.2.4). Clients that want all send their largest integer, of ten digits. */
function integerIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^-?\d{1,10}$/.test(text)) throw invalidValue(`${name} must be an integer`);
  return Number(text);
}

function namesIn(query: URLSearchParams, name: string): string[] | undefined {
  const names = query
    .get(name)
    ?.split(',')
    .map((each) => each.trim().toLowerCase());
  return names?.map((each) => each.slice(each.lastIndexOf(':') + 1).split('.')[0]!);
}

/** Members are read only where they are shown. */
function selectedOf({ query }: Call): readonly 'members'[] {
  const isShown = shownIn(query);
  return isShown('members') ? ['members'] : [];
}

/** `attributes` and `excludedAttributes` (RFC 7644, 3.9), by the attribute as a whole. */
function shownIn(query: URLSearchParams): (name: string) => boolean {
  const only = namesIn(query, 'attributes');
  const without = namesIn(query, 'excludedAttributes') ?? [];
  const always = ['schemas', 'id', 'meta'];
  return (name) =>
    always.includes(name) ||
    ((only === undefined || only.includes(name.toLowerCase())) && !without.includes(name.toLowerCase()));
}

function narrowed(resource: Resource, query: URLSearchParams): Resource {
  const isShown = shownIn(query);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name)));
}

function sendList<Item>(
  { response, query }: Call,
  { offset }: ScimPageRequest,
  { total, items }: ScimPage<Item>,
  show: (item: Item) => Resource,
): void {
  const resources = items.map((item) => narrowed(show(item), query));
  sendScim(response, 200, listOf(resources, { total, offset }));
}

function listOf(resources: readonly Resource[], { total, offset }: { total: number; offset: number }) {
  return {
    schemas: [LIST_SCHEMA],
    ...{ totalResults: total, startIndex: offset + 1, itemsPerPage: resources.length },
    Resources: resources,
  };
}

function sendResource({ response, query, isKnown }: Call, status: number, version: string, resource: Resource): void {
  const { location } = resource['meta'] as { location: string };
  const headers = { ETag: tagOf(version), ...(status === 201 && { Location: location }) };
  if (isKnown(version)) return sendNothing(response, 304, headers);
  sendScim(response, status, narrowed(resource, query), headers);
}
