import { Agent, request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { contractErrors } from './contract.js';

/** The parts of a REST request besides its method and path. */
export interface RestRequest {
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON if it is a plain object; otherwise as it is. */
  body?: unknown;
}

/** A response with all information for the message of a failing test. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
  /** The raw text of the body. */
  text: string;
  requestId: string;
  /** Request, response and request id, as text. */
  story: string;
}

/** The body of every response of REST. */
export interface Envelope {
  error: number;
  messages: (string | number)[];
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data?: any;
  total?: number;
}

/** Called before a client reads notifications, which are created after the change. */
type Settled = () => Promise<void>;

/** Calls REST over HTTP and validates every exchange against the OpenAPI document. */
export class RestClient {
  constructor(
    private readonly url: string,
    private readonly settled?: Settled,
    /** Violations of the OpenAPI document that the watched server has recorded. */
    private readonly breaches?: readonly string[],
  ) {}

  get(path: string, request: RestRequest = {}): Promise<Answer<Envelope>> {
    return this.call('GET', path, request);
  }

  delete(path: string, request: RestRequest = {}): Promise<Answer<Envelope>> {
    return this.call('DELETE', path, request);
  }

  post(path: string, request: RestRequest = {}): Promise<Answer<Envelope>> {
    return this.call('POST', path, request);
  }

  patch(path: string, request: RestRequest = {}): Promise<Answer<Envelope>> {
    return this.call('PATCH', path, request);
  }

  async call(method: string, path: string, request: RestRequest = {}): Promise<Answer<Envelope>> {
    if (/notification/i.test(path)) await this.settled?.();
    const isJson = request.body !== undefined && isPlain(request.body);
    const headers: Record<string, string> = {
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    };
    if (request.token !== undefined) headers['X-Service-Token'] = request.token;
    const body = isJson ? JSON.stringify(request.body) : (request.body as BodyInit | undefined);
    const response = await send(this.url + path, { method, headers, body });
    const answer = await toAnswer<Envelope>(
      response,
      `${method} ${path}`,
      headers,
      isJson ? (body as string) : describe(body),
    );
    this.validate(method, path, headers, bytesOf(body), answer);
    return answer;
  }

  /** A violation fails the test in which it occurs. */
  private validate(
    method: string,
    target: string,
    headers: object,
    body: Uint8Array | undefined,
    got: Answer<Envelope>,
  ) {
    const errors = this.breaches ?? errorsOf(method, target, headers, body, got);
    if (errors.length > 0) throw new Error(`The OpenAPI document is not kept: ${errors.join('; ')}\n${got.story}`);
  }
}

function errorsOf(method: string, target: string, given: object, body: Uint8Array | undefined, got: Answer<Envelope>) {
  const { status, text } = got;
  const sent = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const headers = Object.fromEntries(got.headers);
  return contractErrors({ method, target, sent, body, status, headers, answer: Buffer.from(text) });
}

/** Undefined for a stream, which is written only while it is sent. */
function bytesOf(body: BodyInit | undefined): Uint8Array | undefined {
  if (body === undefined) return Buffer.alloc(0);
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : undefined;
}

/** The body of a response of GraphQL. */
export interface GraphQLResult {
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data?: any;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; messages: (string | number)[]; reason?: string; fields?: object[] };
  }[];
}

/** A file of a GraphQL multipart request. */
export interface UploadedPart {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** Calls GraphQL over HTTP, like a frontend's client. */
export class GraphQLClient {
  constructor(
    private readonly url: string,
    private readonly settled?: Settled,
  ) {}

  async call(
    query: string,
    {
      token,
      variables,
      operationName,
      headers = {},
    }: { token?: string; variables?: object; operationName?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer<GraphQLResult>> {
    if (token !== undefined && /notification/i.test(query)) await this.settled?.();
    const body = JSON.stringify({ query, operationName, variables });
    const sent = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'X-Service-Token': token }),
      ...headers,
    };
    const response = await send(`${this.url}/graphql`, { method: 'POST', headers: sent, body });
    return toAnswer<GraphQLResult>(response, 'POST /graphql', sent, body);
  }

  /** Uploads by the GraphQL multipart request specification: `file` replaces the variable at `path`. */
  upload(
    query: string,
    variables: object,
    path: string,
    file: UploadedPart,
    token?: string,
  ): Promise<Answer<GraphQLResult>> {
    return this.uploadAll(query, variables, [[path, file]], token);
  }

  /** The same for many files. */
  async uploadAll(
    query: string,
    variables: object,
    files: readonly (readonly [path: string, file: UploadedPart])[],
    token?: string,
    further: Record<string, string> = {},
  ): Promise<Answer<GraphQLResult>> {
    const form = new FormData();
    form.set('operations', JSON.stringify({ query, variables }));
    form.set('map', JSON.stringify(Object.fromEntries(files.map(([path], index) => [index, [path]]))));
    for (const [index, [, file]] of files.entries())
      form.set(String(index), new File([Buffer.from(file.bytes)], file.name, { type: file.type }));
    const headers = {
      'apollo-require-preflight': 'true',
      ...(token === undefined ? {} : { 'X-Service-Token': token }),
      ...further,
    };
    const response = await send(`${this.url}/graphql`, { method: 'POST', headers, body: form });
    return toAnswer<GraphQLResult>(response, 'POST /graphql (multipart)', headers, JSON.stringify(variables));
  }

  /** Returns the data of an operation that must succeed. */
  async data(query: string, options: { token?: string; variables?: object } = {}) {
    const answer = await this.call(query, options);
    if (answer.body.errors !== undefined) throw new Error(`The operation was expected to succeed.\n${answer.story}`);
    return answer.body.data;
  }

  /** Returns the code and messages of the first error of an operation that must fail. */
  async error(query: string, options: { token?: string; variables?: object } = {}) {
    const answer = await this.call(query, options);
    const extensions = answer.body.errors?.[0]?.extensions;
    if (extensions === undefined) throw new Error(`The operation was expected to fail.\n${answer.story}`);
    // Paths of fields are tested in test/protocol/input-errors.test.ts.
    const { code, messages, reason } = extensions;
    return reason === undefined ? { code, messages } : { code, messages, reason };
  }
}

interface Sent {
  method: string;
  headers: Record<string, string>;
  body: BodyInit | undefined;
}

type Received = Pick<Response, 'status' | 'headers'> & { text(): Promise<string> };

const agent = new Agent({ keepAlive: true });
/**
 * Maximum number of bytes sent at once: a longer body that a server rejects without reading it would end in a broken
 * connection.
 */
const SHORT = 16_384;

/** Like `fetch`, which takes more than twice the time for most requests: a short text with a plain JSON response. */
function send(url: string, { method, headers, body }: Sent): Promise<Received> {
  const isPlain = body === undefined || (typeof body === 'string' && body.length < SHORT);
  if (!isPlain || 'accept-encoding' in headers) {
    const streamed = body instanceof ReadableStream ? { duplex: 'half' } : {};
    return fetch(url, { method, headers, body, redirect: 'manual', ...streamed } as RequestInit);
  }
  const text = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': Buffer.byteLength(body ?? '') };
  const sent = { accept: '*/*', ...(body === undefined ? {} : text), ...headers };
  return new Promise((done, fail) => {
    const request = httpRequest(url, { agent, method, headers: sent }, (response) => {
      const received = new Headers();
      for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
      done({ status: response.statusCode ?? 0, headers: received, text: () => textOf(response) });
    });
    request.on('error', fail).end(body);
  });
}

async function toAnswer<Body>(
  response: Received,
  call: string,
  headers: object,
  sent: string | undefined,
): Promise<Answer<Body>> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? '(none)';
  return {
    status: response.status,
    headers: response.headers,
    body: parsed(text) as Body,
    text,
    requestId,
    // Formatted on demand: most tests pass.
    get story() {
      return [
        `> ${call}`,
        ...Object.entries(headers).map(([name, value]) => `> ${name}: ${String(value)}`),
        `> ${shortened(sent ?? '')}`,
        `< ${response.status} (request id ${requestId})`,
        ...[...response.headers].map(([name, value]) => `< ${name}: ${value}`),
        `< ${shortened(text)}`,
      ].join('\n');
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortened(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;
}

function describe(body: unknown): string | undefined {
  return body === undefined ? undefined : `(${Object.prototype.toString.call(body)})`;
}

function isPlain(body: unknown): boolean {
  return Object.prototype.toString.call(body) === '[object Object]' || Array.isArray(body);
}
