/** The part of an OpenAPI document that a collection is made of, without references where values are read. */
export interface DescribedInterface {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, FormSchema>> };
}

interface DescribedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly security?: readonly object[];
}

interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly example: unknown;
}

interface Media {
  readonly example?: unknown;
  readonly schema: { readonly $ref: string };
}

interface FormSchema {
  readonly properties?: Readonly<Record<string, { readonly format?: string; readonly description?: string }>>;
}

/** An operation with the values of its examples, as either tool has one. */
interface Request {
  name: string;
  method: string;
  path: readonly string[];
  parameters: Readonly<Record<DescribedParameter['in'], readonly Parameter[]>>;
  body: Body | undefined;
  needsToken: boolean;
  description: string;
}

interface Parameter {
  name: string;
  value: string;
  /** Sent unless disabled: optional ones are disabled. */
  enabled: boolean;
  description: string;
}

type Body = { kind: 'json'; text: string } | { kind: 'files'; names: readonly string[] };

const TOKEN = 'X-Service-Token';
const JSON_TYPE = 'application/json';
/** Both tools make a new one for each request. */
const NEW_UUID = '{{$guid}}';

/** Folders of requests, one for each tag, of every operation below `/api/v1`. */
function foldersOf({ tags, paths, components: { schemas } }: DescribedInterface) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ tag: operation.tags[0], path, method, operation })),
  );
  return tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ tag }) => tag === name);
    return { name, description, requests: own.map((each) => requestOf(each, schemas)) };
  });
}

function requestOf(
  { path, method, operation }: { path: string; method: string; operation: DescribedOperation },
  schemas: DescribedInterface['components']['schemas'],
): Request {
  const { summary, description, parameters = [], requestBody, security } = operation;
  const inPlace = (place: DescribedParameter['in']) => parameters.filter((each) => each.in === place).map(parameterOf);
  return {
    name: summary,
    method: method.toUpperCase(),
    path: path
      .split('/')
      .slice(1)
      .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
    parameters: { path: inPlace('path'), query: inPlace('query'), header: inPlace('header') },
    body: requestBody && bodyOf(requestBody.content, schemas),
    needsToken: security === undefined || security.length > 0,
    description,
  };
}

function parameterOf({ name, required = false, description, example }: DescribedParameter): Parameter {
  const value = name === 'Idempotency-Key' ? NEW_UUID : Array.isArray(example) ? example.join() : String(example);
  return { name, value, enabled: required, description };
}

function bodyOf(content: Readonly<Record<string, Media>>, schemas: Readonly<Record<string, FormSchema>>): Body {
  const json = content[JSON_TYPE];
  if (json !== undefined) return { kind: 'json', text: JSON.stringify(json.example, null, 2) };
  const name = content['multipart/form-data']!.schema.$ref.split('/').at(-1)!;
  const files = Object.entries(schemas[name]?.properties ?? {}).filter(([, { format }]) => format === 'binary');
  return { kind: 'files', names: files.map(([part]) => part) };
}

const BASE_URL = '{{base_url}}';
const addressOf = ({ path }: Request) => [BASE_URL, ...path].join('/');

/** The operations as a collection of Postman, format 2.1. */
export function postmanCollection(described: DescribedInterface, publicUrl: string): object {
  const valued = ({ name, value, enabled, description }: Parameter) => {
    return { key: name, value, description, ...(!enabled && { disabled: true }) };
  };
  const item = (request: Request) => {
    const { name, method, path, parameters, body, needsToken, description } = request;
    const sent = parameters.query.filter(({ enabled }) => enabled).map((each) => `${each.name}=${each.value}`);
    const query = sent.length > 0 ? `?${sent.join('&')}` : '';
    const url = {
      raw: `${addressOf(request)}${query}`,
      host: [BASE_URL],
      path,
      variable: parameters.path.map(({ name: key, value, description: about }) => ({ key, value, description: about })),
      query: parameters.query.map(valued),
    };
    const header = [...(body?.kind === 'json' ? [{ key: 'Content-Type', value: JSON_TYPE }] : [])];
    return {
      name,
      request: {
        ...{ method, url, description, header: [...header, ...parameters.header.map(valued)] },
        ...(body && { body: postmanBody(body) }),
        ...(!needsToken && { auth: { type: 'noauth' } }),
      },
    };
  };
  return {
    info: {
      name: described.info.title,
      description: described.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: TOKEN, value: '{{token}}', in: 'header' }).map(([key, value]) => ({ key, value })),
    },
    variable: [
      { key: 'base_url', value: publicUrl },
      { key: 'token', value: '' },
    ],
    item: foldersOf(described).map(({ requests, ...folder }) => ({ ...folder, item: requests.map(item) })),
  };
}

function postmanBody(body: Body): object {
  if (body.kind === 'json') return { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } };
  return { mode: 'formdata', formdata: body.names.map((key) => ({ key, type: 'file', src: [] })) };
}

/** The same as a collection of Bruno, as that program exports one. */
export function brunoCollection(described: DescribedInterface, publicUrl: string): object {
  const item = (request: Request, index: number) => {
    const { name, method, parameters, body, needsToken, description } = request;
    const { path, query, header } = parameters;
    const valued = (type: object) => (each: Parameter) => ({ ...each, ...type });
    return {
      type: 'http',
      name,
      seq: index + 1,
      request: {
        url: addressOf(request),
        method,
        params: [
          ...path.map((each) => ({ ...each, type: 'path', enabled: true })),
          ...query.map(valued({ type: 'query' })),
        ],
        headers: header.map(valued({})),
        body: brunoBody(body),
        auth: { mode: needsToken ? 'inherit' : 'none' },
        docs: description,
      },
    };
  };
  const variable = (name: string, value: string, secret: boolean) => {
    return { name, value, type: 'text', enabled: true, secret };
  };
  return {
    name: described.info.title,
    version: '1',
    items: foldersOf(described).map(({ name, description, requests }, index) => ({
      ...{ type: 'folder', name, seq: index + 1, items: requests.map(item) },
      root: { docs: description, meta: { name, seq: index + 1 } },
    })),
    environments: [
      { name: 'Gateway', variables: [variable('base_url', publicUrl, false), variable('token', '', true)] },
    ],
    root: {
      docs: described.info.description,
      request: { auth: { mode: 'apikey', apikey: { key: TOKEN, value: '{{token}}', placement: 'header' } } },
    },
  };
}

function brunoBody(body: Body | undefined): object {
  if (body === undefined) return { mode: 'none' };
  if (body.kind === 'json') return { mode: 'json', json: body.text };
  const multipartForm = body.names.map((name) => ({ name, value: [], enabled: true, type: 'file' }));
  return { mode: 'multipartForm', multipartForm };
}
