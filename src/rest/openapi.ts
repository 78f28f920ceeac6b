import { getNullableType, type GraphQLSchema, isListType } from 'graphql';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_REPLAYED } from '../common/idempotency.js';
import { deprecated, type Deprecation, publishedDeprecation } from '../common/deprecation.js';
import type { Json } from '../common/input-schema.js';
import { TOKEN_NAME } from '../http/context.js';
import { PREFERENCE_APPLIED } from '../http/preference.js';
import type { ErrorCode } from '../errors.js';
import { routeDeprecation } from './deprecation.js';
import { compileRoutes, type CompiledOperation, type CompiledRoute } from './view/core-path.js';
import { AS_OF_HEADERS } from './answer/past.js';
import { successEnvelope, STATUS, statusOf } from './answer/answer.js';
import { TABLE_TYPES } from './answer/tables.js';
import { AnswerSchemas } from './openapi/answer-schemas.js';
import { CODES_IN_TEXT, ERROR_SCHEMAS, failureResponses, failuresOf, failureTable } from './openapi/failures.js';
import { HEADERS, headers } from './openapi/response-headers.js';
import { withJob } from './openapi/preferred-jobs.js';
import { FILE_ANSWERS, FILE_CONDITIONS, IF_NONE_MATCH } from './openapi/file-answers.js';
import { coreOperation, withRestNames } from './openapi/rest-descriptions.js';
import { VALUE_LISTS, requestSchemas } from './openapi/request-schemas.js';
import { published, ref } from '../common/published-schema.js';
import { WEBHOOK_PARAMETERS, webhooks } from './openapi/webhooks.js';
import { parametersOf } from './request/parameters.js';
import { REST_SPELLING } from './request/rest-input.js';
import { jsonTypes, mayBeAbsent } from './request/request-reader.js';
import {
  HAS_NEXT_PAGE,
  IGNORED_COLUMNS,
  hasJsonBody,
  isOfJob,
  isOperationRoute,
  isPaged,
  parameterNames,
  type OperationRoute,
  type Parameter,
  type Route,
  type UploadBody,
} from './route.js';
import { ROUTES, VIEWS } from './routes.js';
import { createRestView } from './view/view.js';

/** Where the paths begin; the committed document leaves it open (specification: "The base address is {base_url}"). */
interface ServerAddress {
  url: string;
  variables?: Json;
}

export const ANY_SERVER: ServerAddress = {
  url: '{base_url}',
  variables: { base_url: { default: 'http://localhost:4000', description: 'Where the gateway is.' } },
};

/** The interface description (specification 9), made of the route table and the schema behind it. */
export function openApiDocument(schema: GraphQLSchema, server: ServerAddress): Json {
  const routes = compileRoutes(schema, ROUTES);
  const operations = routes.filter(isOperationRoute);
  const view = createRestView(schema, operations, VIEWS);
  const answers = new AnswerSchemas(view);
  const paths = pathsOf(routes, answers, schema);
  const schemas = { ...requestSchemas(view, operations), ...answers.components, ...VALUE_LISTS, ...ERROR_SCHEMAS };
  return withRestNames({
    openapi: '3.1.0',
    info: {
      title: 'Security Compliance Platform API',
      version: '1.0.5',
      description: description(),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [server],
    security: ANY_TOKEN,
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      responses: failureResponses(referred(paths, 'responses')),
      headers: HEADERS,
      parameters: WEBHOOK_PARAMETERS,
    },
  });
}

function pathsOf(routes: readonly CompiledRoute[], answers: AnswerSchemas, schema: GraphQLSchema): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const methods = (paths[route.path] ??= {});
    const method = route.method.toLowerCase();
    const operation = operationOf(route, answers, schema);
    methods[method] = isOfJob(route) ? withJob(methods[method]!, operation) : operation;
  }
  return paths;
}

/** Names of the components of a kind that are referred to: an unused component is noise. */
function referred(part: Json, kind: string): Set<string> {
  const references = JSON.stringify(part).matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g'));
  return new Set([...references].map(([, name]) => name as string));
}

function description(): string {
  return `Organizations and their security and compliance data.

**Envelope.** Every answer is an object with \`error\` (0 or 1) and \`messages\`; a success has \`data\`, and a list also
\`total\`: the number of items that meet the filter.

**Token.** Every request carries a token, as the header \`X-Service-Token\`, as \`Authorization: Bearer\`, or as a query parameter
\`X-Service-Token\`. Different tokens in two of them are refused.

**Lists.** \`limit\` (1 to 100, of the overview 200; 50 when absent), \`offset\`, \`sort\` (\`field\` or \`-field\`), and filters by name. A value
outside is an error, and so is a query parameter that the path does not have; names that begin with \`_\` are left to caches. The
header \`Link\` has the addresses of the next and the previous page.

**Paths** are case-sensitive and end without a slash. \`HEAD\` answers like \`GET\` without a body, \`OPTIONS\` lists the methods.

**Deprecation.** What is marked \`deprecated\` works until the day of \`x-sunset\` at least, which is twelve months later. Answers
of a deprecated operation, and to a request with a deprecated parameter or field, have the headers \`Deprecation\` (RFC 9745),
\`Sunset\` (RFC 8594) and \`Link\` to the policy.

**Failures.** The list is closed, but for 416 of a download whose \`Range\` lies outside of the file:

${failureTable()}`;
}

/** Tags of routes, in the order of the interface description. */
const TAGS: Readonly<Record<string, string>> = {
  Organizations: 'Organizations with their profile, users and branding.',
  Account: 'What the caller decides for itself: its names, its alerts and mails, its tokens.',
  Documents: 'Files that show how a control of a workflow is met, in versions.',
  Incidents: 'Security incidents, the reports that NIS 2 asks for, and files attached to them.',
  'Edge protection': 'Configurations of edge-protection devices (path segment `cloud-defender`).',
  'Threat blocker': 'Configurations of threat-blocker devices (path segment `atb`).',
  Workflows: 'Compliance frameworks and task sets, and how far organizations are with them.',
  Audit: 'Who did what in an organization, and how it is verified.',
  Events: 'What has happened in all organizations of the caller, for programs that follow it.',
  Notifications: 'Messages to the authenticated user.',
  Search: 'Text in everything that the caller may see.',
  Files: 'Signed addresses of files. They need no token.',
  Interface: 'This description, and what forms can offer.',
};

/** One route as an OpenAPI operation; `core` is the schema behind it. */
function operationOf(route: CompiledRoute, answers: AnswerSchemas, core: GraphQLSchema): Json {
  const { operationId, tag, open } = route;
  const parameters = allParameters(route);
  const deprecation = routeDeprecation(route);
  return {
    operationId,
    tags: [tag],
    summary: wordsOf(operationId),
    description: described(descriptionOf(route, core), deprecation),
    ...publishedDeprecation(deprecation),
    ...(open === true ? { security: [] } : {}),
    ...(open === 'when signed' ? { security: [...ANY_TOKEN, {}] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isOperationRoute(route) && route.body !== undefined ? { requestBody: bodyOf(route) } : {}),
    responses: {
      ...(isOperationRoute(route) ? successesOf(route, answers) : FILE_ANSWERS[route.handler]),
      ...failuresOf(route),
    },
  };
}

/** `listIncidentNotes`: "List incident notes". */
function wordsOf(operationId: string): string {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** The description of the core's field, in words of REST, with the remarks of the route. */
function descriptionOf(route: CompiledRoute, core: GraphQLSchema): string {
  if (!isOperationRoute(route)) return route.description;
  const { root, steps } = route.core;
  const fields = steps.map(({ field }) => field);
  const field =
    root === core.getMutationType() ? fields[0] : fields.findLast(({ type }) => !isListType(getNullableType(type)));
  const { description = inRestWords(field?.description ?? ''), remarks } = route;
  return remarks === undefined ? description : `${description} ${remarks}`;
}

/** Without parts that are true of GraphQL only; codes become statuses, mutations operations, and fields have REST's names. */
function inRestWords(text: string): string {
  return text
    .replaceAll(
      /; null with an error for [^.]*| Counts as [\d,]+ of the cost of an operation\.|, which is `\w+` in GraphQL/g,
      '',
    )
    .replaceAll(CODES_IN_TEXT, (_match, code: ErrorCode) => String(statusOf(code)))
    .replaceAll(/`([a-z]\w*)`/g, (_match, name: string) => `\`${coreOperation(name) ?? REST_SPELLING.spell(name)}\``);
}

/** The forms in which a token may be sent (specification 5.2–5.4). */
const SECURITY_SCHEMES: Record<string, Json> = {
  ServiceTokenHeader: {
    type: 'apiKey',
    in: 'header',
    name: TOKEN_NAME,
    description: 'The preferred form: it keeps the token out of addresses and logs.',
  },
  ServiceTokenQuery: {
    type: 'apiKey',
    in: 'query',
    name: TOKEN_NAME,
    description: 'The same token, for clients that cannot set headers.',
  },
  ServiceTokenBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same token as `Authorization: Bearer`, for clients that send no other header.',
  },
};

function allParameters(route: CompiledRoute): Json[] {
  const conditions = isOperationRoute(route)
    ? [...(isConditional(route) ? [IF_NONE_MATCH] : []), ...(route.method === 'GET' ? [] : [IDEMPOTENCY])]
    : (FILE_CONDITIONS[route.handler] ?? []);
  return [...parametersOf(route).map(parameterOf), ...conditions];
}

const IDEMPOTENCY: Json = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN, maxLength: 512 },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

/** Whether a client may revalidate its copy. */
function isConditional(route: OperationRoute): boolean {
  return route.method === 'GET' && hasTag(route);
}

function hasTag({ revision, etag }: OperationRoute): boolean {
  return revision !== undefined || etag !== undefined;
}

/** Each form of the token will do. */
const ANY_TOKEN: readonly Json[] = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

function parameterOf({ name, in: place, description, schema, example, required, deprecation }: Parameter): Json {
  return {
    ...{ name, in: place, required, description: described(description, deprecation) },
    ...publishedDeprecation(deprecation),
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    ...{ schema: published(schema), example: schema['type'] === 'array' ? String(example).split(',') : example },
  };
}

/** The description with the replacement of a deprecated part, in words of REST. */
function described(description: string, deprecation: Deprecation | undefined): string {
  return deprecation === undefined
    ? description
    : `${description} ${inRestWords(deprecated(deprecation).deprecationReason)}`;
}

function bodyOf(route: CompiledOperation): Json {
  if (hasJsonBody(route)) {
    const content = { schema: ref('schemas', route.core.input!.name), example: route.body.example };
    return {
      required: !mayBeAbsent(route.core),
      content: Object.fromEntries(jsonTypes(route.method).map((type) => [type, content])),
    };
  }
  const content = Object.entries((route.body as UploadBody).content).map(([type, { schema, ...rest }]) => [
    type,
    { schema: ref('schemas', schema), ...rest },
  ]);
  return { required: true, content: Object.fromEntries(content) };
}

function successesOf(route: CompiledOperation, answers: AnswerSchemas): Record<string, Json> {
  const data = answers.exampleOf(route);
  const content = {
    'application/json': {
      schema: answers.envelopeOf(route),
      example: successEnvelope({ data, total: answers.isList(route) ? 1 : undefined }),
    },
    ...(isPaged(route) && { [TABLE_TYPES.csv]: TABLE, [TABLE_TYPES.xlsx]: WORKBOOK }),
  };
  const replayed = route.method === 'GET' ? [] : [IDEMPOTENCY_REPLAYED];
  const follow = route.follows === undefined ? [] : ['Link', HAS_NEXT_PAGE];
  const paged = parameterNames(route).includes('offset') ? ['Link'] : follow;
  const past = route.past === true ? AS_OF_HEADERS : [];
  const ignored = route.core.readsTable ? [IGNORED_COLUMNS] : [];
  const answer = (description: string, ...names: string[]) => ({
    description,
    headers: {
      ...headers(...names, ...paged, ...ignored, ...replayed, ...past),
      ...(isPaged(route) && tableHeaders(names)),
    },
    content,
  });
  const tag = hasTag(route) ? ['ETag'] : [];
  const made = answer('The new record.', ...(typeof route.created === 'string' ? ['Location'] : []), ...tag);
  if (route.createdWhen !== undefined)
    return { [STATUS.ok]: answer('It existed already.', ...tag), [STATUS.created]: made };
  if (route.accepted !== undefined) return { [STATUS.accepted]: answer('The job.', 'Location', PREFERENCE_APPLIED) };
  if (route.created !== undefined) return { [STATUS.created]: made };
  // What has a tag after a DELETE is still there: an organization without its logo, a token that is revoked.
  const success = SUCCESSES[route.method === 'DELETE' && hasTag(route) ? 'PATCH' : route.method];
  const ok = { [STATUS.ok]: answer(success, ...tag) };
  if (!isConditional(route)) return ok;
  const notModified = 'Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it.';
  return { ...ok, [STATUS.notModified]: { description: notModified, headers: headers('ETag', ...follow, ...past) } };
}

/** A table has a file name, and no tag. */
function tableHeaders(names: readonly string[]): Json {
  const optional = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
  return {
    'Content-Disposition': optional('Of a table: the name of its file.', 'attachment; filename="incidents.csv"'),
    ...(names.includes('ETag') && { ETag: optional('Of JSON: the state of the answer.', '"rB1aX0v3wq0N1mG5o8bY4u"') }),
  };
}

const TABLE: Json = {
  schema: {
    type: 'string',
    description:
      'The list as a table (RFC 4180), for `format=csv` or `Accept: text/csv`: all items from `offset` on, or as many as `limit` says. Columns are the fields; those of an object within have both names. It begins with a byte order mark, unless `bom` is `0`; spreadsheets read numbers of controls right in the workbook only.',
  },
};

const WORKBOOK: Json = {
  schema: {
    type: 'string',
    format: 'binary',
    description: 'The same table as a workbook (Office Open XML) with one worksheet, for `format=xlsx`.',
  },
};

const SUCCESSES: Readonly<Record<Route['method'], string>> = {
  GET: 'The record, or the page of the list.',
  POST: 'What came of it.',
  PUT: 'The record as it is now.',
  PATCH: 'The record as it is now.',
  DELETE: 'The deleted record.',
};
