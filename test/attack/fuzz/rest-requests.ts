import { readFileSync } from 'node:fs';
import { multipart, type Sent, type UploadedFile } from '../support/http.js';
import type { Random } from '../support/random.js';
import type { Pool } from './pool.js';
import { mutated, ODD_TEXTS, oddJson, oddValue } from './values.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  minItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

/** An operation of openapi.json and its path. */
export interface DescribedRequest extends Operation {
  method: string;
  template: string;
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const OPERATIONS: readonly DescribedRequest[] = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), template })),
);

const FILE: UploadedFile = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('words of a file\n') };
const MEDIA_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=latin1',
  'multipart/form-data',
  'x',
  '',
];
/** Upper limits of parameters that determine the duration of a request. */
const PATIENCE: Readonly<Record<string, Schema>> = { wait: { type: 'integer', minimum: 0, maximum: 1 } };
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'TRACE', 'PROPFIND', 'QUERY'];

/** Requests of REST: some valid, most with a deviation. */
export class RestRequests {
  constructor(
    private readonly random: Random,
    private readonly pool: Pool,
  ) {}

  next(): Sent {
    const { random } = this;
    const operation = random.pick(OPERATIONS);
    const headers = this.headers(operation);
    const token = this.pool.token();
    const inQuery = random.chance(0.1);
    const path = this.path(operation, inQuery ? token : undefined);
    // A path that cannot be decoded is unknown for every method: the document does not describe the combination.
    const method = random.chance(0.04) && isDecodable(path) ? random.pick(METHODS) : operation.method;
    const sent = { method, path, ...(!inQuery && isHeader(token) && { token }) };
    const { body, headers: bodyHeaders } = this.body(operation);
    return { ...sent, headers: { ...bodyHeaders, ...headers }, ...(body !== undefined && { body }) };
  }

  /** A value that a schema allows, as far as its keywords are known. */
  valid(schema: Schema, name = ''): unknown {
    const { random } = this;
    if (schema.$ref !== undefined) return this.valid(resolved(schema), name);
    const known = this.pool.named(name);
    if (known !== undefined && random.chance(0.8)) return known;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined && schema.properties === undefined) return this.valid(random.pick(choices), name);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    if (type === 'object') return this.object(schema);
    if (type === 'array') {
      const length = Math.max(schema.minItems ?? 0, random.below(4));
      return Array.from({ length }, () => this.valid(schema.items ?? {}, name));
    }
    if (type === 'integer' || type === 'number') return this.number(schema);
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'null') return null;
    return type === 'string' ? this.text(schema) : oddValue(random);
  }

  private object(schema: Schema): Record<string, unknown> {
    const required = new Set(schema.required);
    const chosen = Object.entries(schema.properties ?? {}).filter(
      ([key]) => required.has(key) || this.random.chance(0.5),
    );
    return Object.fromEntries(chosen.map(([key, property]) => [key, this.valid(property, key)]));
  }

  private number({ minimum = 0, maximum = 2_147_483_647 }: Schema): number {
    const { random } = this;
    return random.pick([
      minimum,
      maximum,
      this.pool.integer(),
      minimum + random.below(Math.min(maximum - minimum, 100) + 1),
    ]);
  }

  private text({ format, minLength = 0, maxLength = 200 }: Schema): string {
    const { random } = this;
    if (format === 'uuid') return this.pool.uuid();
    if (format !== undefined && format in FORMATS) return FORMATS[format] as string;
    const length = random.pick([minLength, Math.min(maxLength, 12), Math.min(maxLength, 300)]);
    return random.chance(0.2) ? random.pick(ODD_TEXTS) : 'word '.repeat(100).slice(0, length);
  }

  private path({ template, parameters = [] }: DescribedRequest, token: string | undefined): string {
    const { random } = this;
    if (random.chance(0.01)) return `/api/v1/${encodeURI(random.pick(ODD_TEXTS).toWellFormed())}`;
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const path = inPath.reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, () => this.segment(parameter)),
      template,
    );
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && random.chance(0.3))
      .flatMap(({ name, schema }) => {
        const value = random.chance(0.6) ? this.valid(PATIENCE[name] ?? schema, name) : random.pick(ODD_TEXTS);
        const one = `${name}=${encodeURIComponent(String(value).toWellFormed())}`;
        return random.chance(0.02) ? [one, one] : [one];
      });
    if (token !== undefined) query.push(`X-Service-Token=${encodeURIComponent(token)}`);
    if (random.chance(0.05)) query.push(random.pick(['_=1', '_', '', '&', '_=%', '_=%zz', '_=%ff']));
    return query.length === 0 ? path : `${path}?${query.join('&')}`;
  }

  private segment({ name, schema }: Parameter): string {
    const { random } = this;
    if (random.chance(0.8))
      return encodeURIComponent(String(this.pool.named(name) ?? this.ofFormat(schema)).toWellFormed());
    return random.chance(0.1)
      ? random.pick(['%', '%zz', '%ff', '%00', '..', '.', '%2e%2e', ';'])
      : encodeURIComponent(random.pick(ODD_TEXTS).toWellFormed()) || '%20';
  }

  private ofFormat(schema: Schema): unknown {
    return schema.type === 'integer' ? this.pool.integer() : this.valid(schema);
  }

  private headers({ parameters = [] }: DescribedRequest): Record<string, string> {
    const { random } = this;
    const values = [
      '*',
      '"x"',
      'W/"x"',
      '"',
      '""',
      '"a", "b"',
      'bytes=0-1',
      'bytes=5-',
      'bytes=9-2',
      'bytes=0-1,3-4',
      'x',
      '0',
    ];
    const described = parameters.filter((parameter) => parameter.in === 'header' && random.chance(0.2));
    const headers: Record<string, string> = Object.fromEntries(
      described.map(({ name }) => [name.toLowerCase(), random.pick(values)]),
    );
    if (random.chance(0.05))
      headers['accept'] = random.pick(['*/*', 'text/html', 'application/xml', ';', 'application/json;q=0']);
    if (random.chance(0.02)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'x']);
    if (random.chance(0.02))
      headers['x-request-id'] = random.pick(['short', 'an-id-that-is-long-enough', 'x'.repeat(500)]);
    if (random.chance(0.02)) headers['expect'] = random.pick(['x', '200-ok']);
    return headers;
  }

  private body({ requestBody, method }: DescribedRequest): Pick<Sent, 'headers' | 'body'> {
    const { random } = this;
    if (requestBody === undefined)
      return method !== 'POST' && random.chance(0.05) ? { body: random.pick(['{}', 'x', '{"a":1}']) } : {};
    if (random.chance(0.02)) return {};
    const [mediaType, media] = random.pick(Object.entries(requestBody.content)) as [
      string,
      { schema: Schema; example?: unknown },
    ];
    const plain = media.example !== undefined && random.chance(0.4) ? media.example : this.valid(media.schema);
    const value = random.chance(0.5) ? mutated(random, plain) : plain;
    const type = random.chance(0.04) ? random.pick(MEDIA_TYPES) : mediaType;
    if (mediaType === 'multipart/form-data') return this.form(value);
    if (mediaType === 'application/x-www-form-urlencoded') {
      const fields = Object.entries(Object(value) as object).map(
        ([key, field]) => [key, textOf(field)] as [string, string],
      );
      return { headers: { 'content-type': type }, body: new URLSearchParams(fields).toString() };
    }
    const text = JSON.stringify(value) ?? '';
    return { headers: { 'content-type': type }, body: random.chance(0.06) ? oddJson(random, text) : text };
  }

  private form(value: unknown): Pick<Sent, 'headers' | 'body'> {
    const { random } = this;
    const fields = Object.entries(Object(value) as object).map(([key, field]): [string, string | UploadedFile] => [
      key.replaceAll(/["\r\n\0]/g, '') || 'x',
      /^(?:file|logo)$/.test(key) || random.chance(0.05) ? this.file() : textOf(field),
    ]);
    const sent = multipart(Object.fromEntries(fields));
    if (random.chance(0.9)) return sent;
    const bytes = sent.body as Buffer;
    return { ...sent, body: bytes.subarray(0, random.below(bytes.length)) };
  }

  private file(): UploadedFile {
    const { random } = this;
    if (random.chance(0.5)) return FILE;
    const name = random
      .pick(ODD_TEXTS)
      .replaceAll(/["\r\n\0]/g, '')
      .toWellFormed();
    const bytes = Buffer.from(
      random.pick(['', 'x', '%PDF-1.7\n', '\x89PNG\r\n\x1a\n', '{"a":', '<html>', 'PK\x03\x04']),
      'latin1',
    );
    return { name, type: random.pick(['text/plain', 'application/pdf', 'image/png', 'application/zip', 'x']), bytes };
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-19T08:15:30Z',
  date: '2026-11-19',
  email: 'person@example.com',
  hostname: 'www.example.com',
  ipv4: '192.0.2.7',
  ipv6: '2001:db8::7',
  uri: 'https://www.example.com/',
};

function resolved({ $ref = '' }: Schema): Schema {
  return document.components.schemas[$ref.split('/').at(-1) as string] as Schema;
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path.split('?', 1)[0] as string) !== '';
  } catch {
    return false;
  }
}

/** Whether Node can send it as a header. */
function isHeader(text: string | undefined): text is string {
  return text !== undefined && /^[\x21-\x7e]*$/.test(text);
}
