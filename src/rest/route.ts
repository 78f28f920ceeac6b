import type { CostlyRequest, RatePolicy } from '../auth/rate-limits.js';
import type { Deprecation } from '../common/deprecation.js';
import type { Constraints, Json } from '../common/input-schema.js';
import type { RestErrorCode } from '../errors.js';
import type { UnavailableAsOf } from '../values/unavailable-as-of.js';

/** A parameter as it is read and published. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  /** Constraints of its value, in the words of common/input-schema.ts. */
  readonly schema: Json;
  readonly example: string | number | boolean;
  readonly required: boolean;
  /** The meaning of each value, where that is not the value itself. */
  readonly values?: ReadonlyMap<unknown, unknown>;
  /** Of the argument or the field that it fills. */
  readonly deprecation?: Deprecation;
}

/** An endpoint: either an operation of the core schema answers it, or a handler of its own. */
export type Route = OperationRoute | FileRoute;

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the specification's spelling. A path with a slash at its end is another path, and is not found. */
  readonly path: string;
  /** Its name in clients that are generated from the interface description. */
  readonly operationId: string;
  /** Its tag in the interface description: a key of `TAGS` in openapi.ts. */
  readonly tag: string;
  /** Names of the parameters of the query, besides those of a page. `If-Match` follows from the core (view/core-path.ts). */
  readonly parameters?: string;
  /** Constraints of parameters that the arguments do not have themselves. */
  readonly constraints?: Readonly<Record<string, Constraints>>;
  /** Examples of parameters, for the interface description. */
  readonly examples?: Readonly<Record<string, string | number>>;
  /** Errors besides those that follow from the rest of the route (openapi/failures.ts). */
  readonly errors?: readonly RestErrorCode[];
  /** One token may have few of these under way at the same time; uploads and searches have rate limits of their own. */
  readonly costly?: CostlyRequest;
  /** Needs no token; or none where the address is signed. */
  readonly open?: true | 'when signed';
  /** Deprecation in REST alone; deprecated parts of the core are deprecated here as well (rest/deprecation.ts). */
  readonly deprecated?: Deprecation;
}

export interface OperationRoute extends Endpoint {
  /** Where the data of the answer is in the core schema: `organization.incidents.nodes`. Its root is a query for GET. */
  readonly data: string;
  /** The view that REST shows of it, from a group of routes. The one that is called as the type is, when absent. */
  readonly view?: string;
  /** The view of a table of it, where that has more: a row that is sent back is compared with it. */
  readonly tableView?: string;
  /** The view that is shown instead when the parameter `include` has this value. */
  readonly including?: Readonly<Record<string, string>>;
  /** Its description in the interface description, where the words of the core's field are not right for REST. */
  readonly description?: string;
  /** Sentences after the description. */
  readonly remarks?: string;
  /** Arguments of the core that parameters fill and that are called otherwise, by the name of the parameter. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Input fields set by the path: no body has them. Null for one that is not given. */
  readonly fixed?: Readonly<Record<string, string | null>>;
  /** A list across organizations. */
  readonly acrossOrganizations?: true;
  /** The cursor field of an endless list: it is sent back as `after`, and there is no total. */
  readonly follows?: string;
  /** It takes the parameter `wait`: seconds that it may take until there is something to answer. */
  readonly waits?: true;
  /**
   * It takes the parameter `as_of`: what it answers is recorded, and can be told of a day that is past; or why it is not. A GET of an
   * organization says one or the other.
   */
  readonly past?: true | UnavailableAsOf;
  /** Order of a list when the parameter `sort` is absent. */
  readonly sort?: string;
  /** Fields of `sort` that REST names otherwise, by their names in the core. */
  readonly sortNames?: Readonly<Record<string, string>>;
  readonly body?: JsonBody | UploadBody;
  /** A body counts for nothing (RFC 9110, 9.3.5): clients of the specification may send one. */
  readonly ignoresBody?: true;
  /**
   * `ETag` of an answer; when absent, the `version` of the record where the answer of another method than DELETE has one,
   * with a hash of the answer, which may show what changes without the record. Or the hash alone.
   */
  readonly etag?: 'version' | 'version and hash' | 'hash' | 'none' | undefined;
  /**
   * Success is 201: with `Location`, when it is a path whose braces name fields of `data` or parameters of the route.
   * Otherwise it is 200.
   */
  readonly created?: string | true;
  /**
   * Success is 202, with `Location`, which is filled as that of `created`: for requests that prefer `respond-async` (RFC 7240). The
   * others are for the route of the same method and path.
   */
  readonly accepted?: string;
  /** The parameter that the other route has, and a job cannot have. */
  readonly notAsJob?: string;
  /** The boolean field of the payload that decides between 201 and 200. */
  readonly createdWhen?: string;
  /** Differences of its answer, or of an item, from the example of the type (openapi/answer-schemas.ts). */
  readonly example?: object;
  /**
   * A value of the core that changes whenever the answer would: a client that polls with the answer's `ETag` gets 304
   * for the price of this value.
   */
  readonly revision?: string;
  /** How long an answer with a revision may be cached; revalidated each time when absent. */
  readonly cacheControl?: string;
}

/** Answers no envelope. */
export interface FileRoute extends Endpoint {
  /** Why it takes no `as_of`. */
  readonly past?: UnavailableAsOf;
  readonly method: 'GET';
  readonly description: string;
  /** The field of the core that takes the same parameters. */
  readonly data?: string;
  /** Parameters that the core does not know. */
  readonly own?: readonly Parameter[];
  /** Its cost, where that is known before it is made, as fields of the core declare it. */
  readonly cost?: number;
  /** Decides its answers in the interface description as well (openapi/file-answers.ts). */
  readonly handler:
    | 'download'
    | 'evidence-pack'
    | 'proof'
    | 'audit-trail-ndjson'
    | 'audit-trail-csv'
    | 'oscal-assessment-results'
    | 'oscal-component-definition'
    | 'personal-data'
    | 'report-draft-html'
    | 'report-draft-pdf'
    | 'rehearsal-report-pdf'
    | 'description';
}

/**
 * A JSON body: the fields of the operation's input, flat, in REST's spelling. Fields that are named as parameters of the
 * path are filled from there and are not accepted in the body.
 */
interface JsonBody {
  readonly example: object;
  /** Bytes at most, where it may have more than other bodies. */
  readonly maxBytes?: number;
}

/** A body with a file in it, or that may have one: read by request-reader.ts while the operation is executed. */
export interface UploadBody {
  readonly upload: 'organization' | 'document' | 'attachment' | 'logo' | 'table' | 'archive';
  /** By media type, for the interface description. */
  readonly content: Readonly<Record<string, UploadContent>>;
}

interface UploadContent {
  /** A component of the interface description. */
  readonly schema: string;
  readonly example?: object;
  readonly encoding?: Json;
}

/** Parts of a route that decide its parameters. */
export type TakesParameters = Omit<Endpoint, 'tag'> &
  Partial<
    Pick<OperationRoute, 'data' | 'arguments' | 'follows' | 'waits' | 'past' | 'sort' | 'sortNames' | 'including'> &
      Pick<FileRoute, 'own'>
  >;

/**
 * Fields of the core schema that REST shows. A view is a component of the interface description; its fields are named by the
 * core's names, in the order of the answer. A text lists fields that are values, or one value of an object as
 * `openedBy.username`, which is shown as `opened_by`; an object names a field that is an object or a list of them, with the
 * view that it is shown as, or with fields of its own.
 */
export type View =
  | ViewFields
  | {
      /** The type of the core schema, where the view has another name. */
      readonly of: string;
      readonly fields: ViewFields;
    };

export type ViewFields = readonly (string | Readonly<Record<string, string | ViewFields>>)[];

/** Routes of one subject, by method and path, and the views of their answers. */
export interface RouteGroup {
  readonly tag: string;
  /** Fields of types of the core that REST shows, by the name of the component. */
  readonly views?: Readonly<Record<string, View>>;
  /** Examples of types of the core, of which each view shows its fields (openapi/answer-schemas.ts). */
  readonly examples?: Readonly<Record<string, object>>;
  readonly routes: Readonly<Record<string, Untied<OperationRoute> | Untied<FileRoute>>>;
}

type Untied<Of> = Omit<Of, 'method' | 'path' | 'tag'>;

export function routesOf({ tag, routes }: RouteGroup): Route[] {
  return Object.entries(routes).map(([endpoint, route]) => {
    const [method, path] = endpoint.split(' ');
    return { ...route, method, path, tag } as Route;
  });
}

/** A list that is read in pages, and may be read as a table; the search and the feed of events are none, which have pages of their own. */
export function isPaged({
  method,
  data,
  parameters,
  follows,
}: Pick<TakesParameters, 'method' | 'data' | 'parameters' | 'follows'>): boolean {
  const hasOwnPages = follows !== undefined || parameters?.includes('offset') === true;
  return method === 'GET' && data?.endsWith('.nodes') === true && !hasOwnPages;
}

/** Rate limit that requests of a route count in. */
export function policyOf({ method, costly }: Pick<Route, 'method' | 'costly'>): RatePolicy {
  if (costly === 'uploads' || costly === 'searches') return costly;
  return method === 'GET' ? 'reads' : 'writes';
}

export function isOperationRoute<Any extends Route>(route: Any): route is Extract<Any, OperationRoute> {
  return !('handler' in route);
}

/** Whether it accepts requests that prefer an asynchronous answer. */
export function isOfJob(route: Route): boolean {
  return isOperationRoute(route) && route.accepted !== undefined;
}

export type JsonRoute = OperationRoute & { readonly body: JsonBody };

export function hasJsonBody(route: OperationRoute): route is JsonRoute {
  return route.body !== undefined && !('upload' in route.body);
}

/** The route, and how it answers with each value of the parameter `include`. */
export function variantsOf<Operation extends OperationRoute>(route: Operation): Operation[] {
  const { including = {}, ...plain } = route;
  const variants = Object.entries(including).map(([value, view]) => {
    return { ...plain, view, operationId: variantId(route, value) } as unknown as Operation;
  });
  return [route, ...variants];
}

/** The route as its table is read, where that shows more than its answer. */
export function tableVariants<Operation extends OperationRoute>(route: Operation): Operation[] {
  const { tableView, operationId } = route;
  return tableView === undefined ? [] : [{ ...route, view: tableView, operationId: `${operationId}AsTable` }];
}

export function variantId({ operationId }: OperationRoute, include: unknown): string {
  return include === undefined ? operationId : `${operationId}Including_${include}`;
}

/** Names of all parameters: those of the path, of the page of a list, and its own. */
export function parameterNames(route: Omit<TakesParameters, 'operationId'>): string[] {
  const { parameters, sort } = route;
  const ofPage = isPaged(route) ? ['limit', 'offset', ...(sort === undefined ? [] : ['sort'])] : [];
  return [...namesInPath(route), ...ofPage, ...(parameters?.split(' ') ?? [])];
}

export function namesInPath({ path }: Pick<Route, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** An instant that is past. */
export const AS_OF = 'as_of';

/** The state of the record that a change is made to. */
export const IF_MATCH = 'If-Match';

/** Of a list that is followed, where `Link` leads on from the last page as well. */
export const HAS_NEXT_PAGE = 'Has-Next-Page';

/** Columns of a table that was sent, where some are not looked at. */
export const IGNORED_COLUMNS = 'Ignored-Columns';

/** The variable of the operation that a parameter fills. */
export function variableOf(parameter: string): string {
  return parameter === IF_MATCH ? 'version' : parameter;
}
