import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Described {
  $ref?: string;
  schema?: object;
}

export interface DescribedParameter extends Described {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
}

interface DescribedMedia extends Described {
  encoding?: Record<string, { contentType: string }>;
}

export interface DescribedResponse extends Described {
  headers?: Record<string, Described & { required?: boolean }>;
  content?: Record<string, DescribedMedia>;
}

export interface DescribedOperation {
  /** Empty if no token is required. */
  security?: object[];
  parameters?: DescribedParameter[];
  requestBody?: { required?: boolean; content: Record<string, DescribedMedia> };
  responses: Record<string, DescribedResponse>;
}

/** A part of the committed document, and its pointer. */
export interface Part<Kind> {
  what: Kind;
  pointer: string;
}

/** A path of the document: its methods, and the values of its parameters. */
export interface DescribedPath {
  template: string;
  methods: Record<string, DescribedOperation>;
  inBraces: Record<string, string>;
}

const FILE = resolve(import.meta.dirname, '../../../openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { securitySchemes: Record<string, { name: string; in: string }> };
};

// Compiled without optimization: a test uses most of the schemas a few times.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'openapi');
const validators = new Map<string, ValidateFunction>();

/** Paths without parameters take precedence over those with parameters, as in OpenAPI. */
const spelledOutFirst = (one: string, other: string) => one.split('{').length - other.split('{').length;

const templates = Object.keys(document.paths)
  .toSorted(spelledOutFirst)
  .map((template) => ({
    template,
    pattern: new RegExp(
      `^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
    ),
  }));

/** Names of query parameters for a token. */
export const TOKENS_IN_QUERY: readonly string[] = Object.values(document.components.securitySchemes)
  .filter((scheme) => scheme.in === 'query')
  .map(({ name }) => name);

/** Finds the path of the OpenAPI document for a request. */
export function pathAt(path: string): DescribedPath | undefined {
  for (const { template, pattern } of templates) {
    const found = pattern.exec(path);
    const methods = document.paths[template];
    if (found !== null && methods !== undefined) return { template, methods, inBraces: { ...found.groups } };
  }
  return undefined;
}

/** In the order of `Allow`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The value of `Allow` for a path: every method of the document, and OPTIONS. */
export function allowOf({ methods }: DescribedPath): string {
  const has = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase()) in methods;
  return [...METHODS.filter(has), 'OPTIONS'].join(', ');
}

/** Finds the operation of a method, and its pointer in the document. */
export function operationAt(
  { template, methods }: DescribedPath,
  method: string,
): Part<DescribedOperation> | undefined {
  const key = method === 'HEAD' ? 'get' : method.toLowerCase();
  const what = methods[key];
  return what && { what, pointer: below('#/paths', template, key) };
}

/** A JSON pointer to a child of another. */
export function below(pointer: string, ...steps: (string | number)[]): string {
  return [pointer, ...steps.map((step) => encodeURIComponent(escaped(String(step))))].join('/');
}

/** Cache of the resolved parts, which every exchange uses. */
const parts = new Map<string, Part<unknown>>();

/** Reads the part of the document at a JSON pointer; a reference is resolved to its component. */
export function partAt<Kind>(pointer: string): Part<Kind> {
  const part = parts.get(pointer) ?? readPart(pointer);
  parts.set(pointer, part);
  return part as Part<Kind>;
}

function readPart(pointer: string): Part<unknown> {
  const steps = pointer
    .slice(2)
    .split('/')
    .map((step) => unescaped(decodeURIComponent(step)));
  const what = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as Described;
  return what.$ref === undefined ? { what, pointer } : partAt(what.$ref);
}

/** The errors of a value for the schema at a pointer; empty if it is valid. */
export function misfits(pointer: string, value: unknown): string[] {
  let validate = validators.get(pointer);
  if (validate === undefined) validators.set(pointer, (validate = ajv.compile({ $ref: `openapi${pointer}` })));
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
