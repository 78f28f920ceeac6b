import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answer } from './clients.js';

interface OpenApiResponse {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, OpenApiResponse>; requestBody?: unknown }>>;
}

const FILE = resolve(import.meta.dirname, '../../openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument;

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'openapi');
const validators = new Map<string, ValidateFunction>();

/** Those that are spelled out come before those with parameters, as OpenAPI has it. */
const spelledOutFirst = (one: string, other: string) => one.split('{').length - other.split('{').length;

const templates = Object.keys(document.paths)
  .toSorted(spelledOutFirst)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));

/** What every error is, whatever the path: for paths and methods that the document does not have. */
const ENVELOPE_OF_ERRORS = {
  type: 'object',
  required: ['error', 'messages'],
  additionalProperties: false,
  properties: { error: { const: 1 }, messages: { type: 'array', items: { type: ['string', 'integer'] } } },
};

/**
 * Holds a REST exchange against the committed OpenAPI document: the status must be listed, the body must be what the
 * document says, and a JSON request that was accepted must be one that the document allows. Throws with the whole
 * exchange.
 */
export function checkAgainstContract(method: string, url: string, answer: Answer<unknown>, sent?: unknown): void {
  const path = url.split('?', 1)[0] ?? url;
  const complain = (what: string): never => {
    throw new Error(`The answer does not keep the OpenAPI document: ${what}\n${answer.story}`);
  };
  if (answer.headers.get('x-request-id') === null) complain('X-Request-Id is missing');
  if (method === 'HEAD' || method === 'OPTIONS' || answer.status === 204 || answer.status === 304) return;
  const template = templates.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (template === undefined || operation === undefined) {
    if (answer.status !== 404 && answer.status !== 405) complain(`no operation ${method} ${path}`);
    return check(validatorOf('error', ENVELOPE_OF_ERRORS), answer.body, complain);
  }
  if (sent !== undefined && operation.requestBody !== undefined && answer.status < 300) {
    const faults = requestFaults(method, template, sent);
    if (faults.length > 0) complain(`it accepted what the document does not allow: ${faults.join('; ')}`);
  }
  const response = operation.responses[String(answer.status)];
  if (response === undefined) return complain(`status ${answer.status} is not listed for ${method} ${template}`);
  const pointer =
    response.$ref === undefined
      ? `#/paths/${escape(template)}/${method.toLowerCase()}/responses/${answer.status}`
      : response.$ref;
  if (!contentOf(response)?.['application/json']) return;
  if (!answer.headers.get('content-type')?.startsWith('application/json'))
    complain('Content-Type is not application/json');
  const schema = { $ref: `openapi${pointer}/content/application~1json/schema` };
  check(validatorOf(schema.$ref, schema), answer.body, complain);
}

function contentOf(response: OpenApiResponse): Record<string, unknown> | undefined {
  if (response.$ref === undefined) return response.content;
  const steps = response.$ref.slice(2).split('/');
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
  return (found as OpenApiResponse).content;
}

/** Why the document would not let this JSON body pass for the operation. */
function requestFaults(method: string, template: string, body: unknown): string[] {
  const ref = `openapi#/paths/${escape(template)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
  const validate = validatorOf(ref, { $ref: ref });
  return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function check(validate: ValidateFunction, body: unknown, complain: (what: string) => never): void {
  if (!validate(body)) complain(ajv.errorsText(validate.errors));
}

function validatorOf(key: string, schema: object): ValidateFunction {
  let validate = validators.get(key);
  if (validate === undefined) validators.set(key, (validate = ajv.compile(schema)));
  return validate;
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
