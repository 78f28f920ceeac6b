import { randomBytes } from 'node:crypto';

/** A document for the version upload (specification 4.2), with different content in each request. */
export interface DocumentBody {
  form: 'base64 JSON' | 'multipart' | 'GraphQL';
  /** GraphQL: the text before and after the content, for each of the paths. */
  around?: readonly (readonly [before: string, after: string])[];
  /** Bytes of the document itself. */
  bytes: number;
}

/** A kind of request; it is serialized to the process of the generator. */
export interface LoadRequest {
  method: 'GET' | 'PATCH' | 'POST';
  /** One path for each connection, repeated from the first when there are more connections. */
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  /** Sent in turn by each connection, in place of the path and the body, with these additional headers. */
  variants?: readonly RequestVariant[];
  /** Each variant is sent by one connection only, so that none is sent twice. */
  once?: boolean;
  body?: string | DocumentBody;
  /** Status that each answer must have. */
  status: number;
}

export interface RequestVariant {
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The peers receive the token as well, and find the reader of the notifications by it. */
export function headers(token: string): Record<string, string> {
  return { Accept: 'application/json', 'X-Service-Token': token };
}

/** Builds the bytes of the requests of one connection: large parts are shared by all of them. */
export type RequestMaker = () => readonly Buffer[];

export function requestMakers(request: LoadRequest, connections: number): RequestMaker[] {
  const { body } = request;
  const document = typeof body === 'object' ? documentParts(body) : undefined;
  const variants = request.variants?.map(({ path, headers, body: own }) => [
    plainRequest({ ...request, headers: { ...request.headers, ...headers } }, path, own),
  ]);
  if (variants !== undefined) {
    const step = request.once === true ? connections : 1;
    return Array.from({ length: connections }, (_, index) => {
      let next = index - step;
      return () => variants[(next += step) % variants.length]!;
    });
  }
  return Array.from({ length: connections }, (_, index) => {
    const path = request.paths[index % request.paths.length] as string;
    if (document !== undefined) return documentMaker(request, path, { ...document, ...aroundOf(body, index) });
    const bytes = [plainRequest(request, path, typeof body === 'string' ? body : undefined)];
    return () => bytes;
  });
}

/** The text around the content in the request of a connection, where each has its own. */
function aroundOf(body: LoadRequest['body'], index: number): Partial<DocumentParts> {
  const { around } = body as DocumentBody;
  if (around === undefined) return {};
  const [before, after] = around[index % around.length]!;
  return { before: Buffer.from(before), after: Buffer.from(after) };
}

function plainRequest(request: LoadRequest, path: string, body: string | undefined): Buffer {
  if (body === undefined) return Buffer.from(headOf(request, path, []));
  const more = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(headOf(request, path, more) + body);
}

function headOf({ method, headers }: LoadRequest, path: string, more: readonly string[]): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...given, ...more, '', ''].join('\r\n');
}

interface DocumentParts {
  type: string;
  before: Buffer;
  /** The beginning of the encoded content, given the bytes that make it unique. */
  start(mark: string): Buffer;
  rest: Buffer;
  after: Buffer;
}

/** A PDF by its signature, like most evidence; with the mark it has 36 bytes, a whole number of base64 groups. */
const beginningOf = (mark: string) => Buffer.from(`%PDF-1.7\n%${mark}\n\n`);
const MARK_BYTES = 12;
const BEGINNING = 36;

function documentParts({ form, bytes }: DocumentBody): DocumentParts {
  const content = randomBytes(bytes - BEGINNING);
  if (form !== 'multipart') {
    return {
      type: 'application/json',
      before: Buffer.from(
        '{"filename":"evidence.pdf","content_type":"application/pdf","source":"attached","content":"',
      ),
      start: (mark) => Buffer.from(beginningOf(mark).toString('base64')),
      rest: Buffer.from(content.toString('base64')),
      after: Buffer.from('"}'),
    };
  }
  const boundary = `----bench${randomBytes(12).toString('hex')}`;
  const disposition = 'Content-Disposition: form-data; name="file"; filename="evidence.pdf"';
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    before: Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`),
    start: beginningOf,
    rest: content,
    after: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

function documentMaker(request: LoadRequest, path: string, parts: DocumentParts): RequestMaker {
  const { type, before, rest, after } = parts;
  const length = before.length + parts.start('0'.repeat(2 * MARK_BYTES)).length + rest.length + after.length;
  const head = Buffer.from(headOf(request, path, [`Content-Type: ${type}`, `Content-Length: ${length}`]));
  return () => [head, before, parts.start(randomBytes(MARK_BYTES).toString('hex')), rest, after];
}
