import { TOKEN_NAME } from '../../context.js';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_REPLAYED } from '../../vocabulary/idempotency.js';
import type { Parameter } from '../parameters.js';
import { successEnvelope } from '../envelope.js';
import { hasBody, inputType, jsonTypes, mayBeAbsent } from '../route-body.js';
import { isOperationRoute, type Body, type OperationRoute, type Route } from '../route.js';
import { STATUS } from '../status.js';
import { isTagged, type AnswerSchemas } from './answer-schemas.js';
import { ANSWER_EXAMPLES, REQUEST_EXAMPLES } from './examples.js';
import { failuresOf, headers } from './failures.js';
import { FILE_ANSWERS, FILE_CONDITIONS, IF_NONE_MATCH } from './file-answers.js';
import { ref, type Json } from './json-schema.js';

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, answers: AnswerSchemas): Json {
  const { operationId, summary, description, source, tag, open } = route;
  const parameters = parametersOf(route);
  const body = route.body === undefined ? BODIES[operationId] : jsonBody(route.method, route.body);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} (${source[0]?.toUpperCase()}${source.slice(1)}.)`,
    ...(open === true ? { security: [] } : {}),
    ...(open === 'when signed' ? { security: [...ANY_TOKEN, {}] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: isBodyRequired(route, answers), content: body } }),
    responses: { ...successesOf(route, answers), ...failuresOf(route) },
  };
}

/** Both forms in which a token may be sent (specification 5.2–5.4). */
export const SECURITY_SCHEMES: Record<string, Json> = {
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
};

function parametersOf(route: Route): Json[] {
  const conditions = isConditional(route) ? [IF_NONE_MATCH] : (FILE_CONDITIONS[route.operationId] ?? []);
  const key = route.method === 'POST' ? [IDEMPOTENCY] : [];
  return [...route.parameters.map(parameterOf), ...conditions, ...key];
}

const IDEMPOTENCY: Json = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`. Without a token it is ignored.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN, maxLength: 512 },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

/** Whether a client may ask if what it has is still right. */
function isConditional(route: Route): boolean {
  return route.method === 'GET' && hasTag(route);
}

function hasTag(route: Route): boolean {
  return route.revision !== undefined || (isOperationRoute(route) && isTagged(route));
}

/** Either form of the token will do. */
export const ANY_TOKEN: readonly Json[] = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

function parameterOf({ name, in: place, description, schema, example, required }: Parameter): Json {
  return { name, in: place, required: place === 'path' || required === true, description, schema, example };
}

/** Bodies by content type. */
const BODIES: Readonly<Record<string, Json>> = {
  createOrganization: {
    'application/json': json('CreateOrganizationInput', 'createOrganization'),
    'multipart/form-data': {
      schema: ref('schemas', 'CreateOrganizationForm'),
      encoding: {
        data: { contentType: 'application/json' },
        logo: { contentType: 'image/png, image/jpeg, image/webp, application/octet-stream' },
      },
    },
  },
  uploadDocumentVersion: {
    'application/json': json('UploadDocumentVersionInput', 'uploadDocumentVersion'),
    'application/x-www-form-urlencoded': json('UploadDocumentVersionInput', 'uploadDocumentVersion'),
    'multipart/form-data': { schema: ref('schemas', 'UploadDocumentVersionForm') },
  },
  setOrganizationLogo: { 'multipart/form-data': { schema: ref('schemas', 'SetOrganizationLogoForm') } },
  uploadIncidentAttachment: { 'multipart/form-data': { schema: ref('schemas', 'UploadIncidentAttachmentForm') } },
};

function isBodyRequired(route: Route, { schema }: AnswerSchemas): boolean {
  if (!isOperationRoute(route) || !hasBody(route)) return true;
  return !mayBeAbsent(route, inputType({ schema }, route.body));
}

function jsonBody(method: Route['method'], { input, example }: Body): Json {
  return Object.fromEntries(jsonTypes(method).map((type) => [type, { schema: ref('schemas', input), example }]));
}

function json(schema: string, operationId: string): Json {
  return { schema: ref('schemas', schema), example: REQUEST_EXAMPLES[operationId] };
}

function successesOf(route: Route, answers: AnswerSchemas): Record<string, Json> {
  if (!isOperationRoute(route)) return FILE_ANSWERS[route.operationId] ?? {};
  const content = {
    'application/json': { schema: answers.envelopeOf(route), example: exampleOf(route, answers) },
  };
  const replayed = route.method === 'POST' ? [IDEMPOTENCY_REPLAYED] : [];
  const answer = (description: string, ...names: string[]) => ({
    description,
    headers: headers(...names, ...replayed),
    content,
  });
  if (route.operationId === 'createOrganization') return { [STATUS.created]: answer('The new record.', 'Location') };
  if (route.operationId === 'uploadIncidentAttachment') return { [STATUS.created]: answer('The new attachment.') };
  if (route.operationId === 'uploadDocumentVersion')
    return {
      [STATUS.ok]: answer('The artifact already has this content: the existing version.'),
      [STATUS.created]: answer('The new version.'),
    };
  return generalSuccesses(route, answer);
}

function generalSuccesses(
  route: Route,
  answer: (description: string, ...names: string[]) => Json,
): Record<string, Json> {
  const made = answer('The new record.', ...(typeof route.created === 'string' ? ['Location'] : []));
  if (route.createdWhen !== undefined) return { [STATUS.ok]: answer('It existed already.'), [STATUS.created]: made };
  if (route.created !== undefined) return { [STATUS.created]: made };
  if (!hasTag(route)) return { [STATUS.ok]: answer(SUCCESSES[route.method]) };
  const ok = { [STATUS.ok]: answer(SUCCESSES[route.method], 'ETag') };
  if (!isConditional(route)) return ok;
  const notModified = 'Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it.';
  return { ...ok, [STATUS.notModified]: { description: notModified, headers: headers('ETag') } };
}

const SUCCESSES: Readonly<Record<Route['method'], string>> = {
  GET: 'What was asked for.',
  POST: 'What came of it.',
  PUT: 'The record as it is now.',
  PATCH: 'The record as it is now.',
  DELETE: 'The deleted record.',
};

function exampleOf(route: OperationRoute, answers: AnswerSchemas): unknown {
  if (route.example === undefined) return ANSWER_EXAMPLES[route.operationId];
  if (!answers.isList(route)) return successEnvelope({ data: route.example });
  return successEnvelope({ data: [route.example], total: 1 });
}
