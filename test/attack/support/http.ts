import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sent {
  method?: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  /** A plain object is sent as JSON. */
  body?: string | Uint8Array | object;
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  text: string;
}

export interface Way {
  agent?: Agent;
  /** Source address of the connection. */
  from?: string;
  /** Milliseconds without a response after which the request fails. */
  timeout?: number;
}

/** Longer than every limit of the gateway: a request without a response by then never gets one. */
export const NO_ANSWER_MS = 60_000;

/** Sends one request in any form. Rejects if the connection fails or no response arrives in time. */
export function send({ port }: { port: number }, sent: Sent, way: Way = {}): Promise<Received> {
  const { method = 'GET', path, token, body } = sent;
  const isPlain = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
  const bytes = isPlain ? JSON.stringify(body) : (body as string | Uint8Array | undefined);
  const headers: Record<string, string> = {
    ...(isPlain && { 'content-type': 'application/json' }),
    ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
    ...(token !== undefined && { 'x-service-token': token }),
    ...sent.headers,
  };
  return new Promise<Received>((resolve, reject) => {
    const timeout = way.timeout ?? NO_ANSWER_MS;
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers,
      agent: way.agent ?? false,
      localAddress: way.from,
    });
    const late = setTimeout(() => call.destroy(new Error(`no answer within ${timeout / 1000} s`)), timeout);
    call.once('close', () => clearTimeout(late)).on('error', reject);
    call.once('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece)).once('error', reject);
      response.once('end', () => {
        const all = Buffer.concat(pieces);
        const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: Object.fromEntries(flat), bytes: all, text: all.toString() });
      });
    });
    call.end(bytes);
  });
}

export interface GraphQLRequest {
  query: string;
  variables?: object;
  token?: string;
  operationName?: string;
}

export function sendGraphQL(
  gateway: { port: number },
  { token, ...body }: GraphQLRequest,
  way?: Way,
): Promise<Received> {
  return send(gateway, { method: 'POST', path: '/graphql', token, body }, way);
}

export interface UploadedFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A multipart body; a field is a text, a file has a name. */
export function multipart(parts: Readonly<Record<string, string | UploadedFile>>): Pick<Sent, 'headers' | 'body'> {
  const boundary = 'the-line-between-the-parts';
  const pieces = Object.entries(parts).flatMap(([name, part]) => [
    Buffer.from(
      typeof part === 'string'
        ? `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
        : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${part.name}"\r\nContent-Type: ${part.type}\r\n\r\n`,
    ),
    Buffer.from(typeof part === 'string' ? part : part.bytes),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

/** Runs `work` for 0 to `count` - 1, at most `width` at a time; results in order. */
export async function inParallel<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

export const keepAlive = (connections: number) => new Agent({ keepAlive: true, maxSockets: connections });

/** Number of responses by status, as text: "3 x 200, 1 x 503". */
export function tally(results: readonly (Pick<Received, 'status'> | Error | string | number)[]): string {
  const counts = new Map<string, number>();
  for (const result of results) {
    const key =
      result instanceof Error ? result.message : typeof result === 'object' ? String(result.status) : String(result);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} x ${key}`).join(', ');
}

/** A rejection as a result, so that many can be counted. */
export const settled = <Result>(work: Promise<Result>): Promise<Result | Error> =>
  work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

/** A well-behaved client that sends ten requests per second, each on a new connection, during an attack. */
export class GoodClient {
  sent = 0;
  readonly failures: string[] = [];
  /** Milliseconds. */
  slowest = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly gateway: { port: number },
    private readonly request: Sent,
  ) {
    this.running = this.run();
  }

  /** Ends it; `passed` if every request got 200 within `limit` milliseconds. */
  async stop(limit: number): Promise<{ passed: boolean; figures: string }> {
    this.stopped = true;
    await this.running;
    const failed = this.failures.length === 0 ? '' : `, failed: ${tally(this.failures)}`;
    return {
      passed: this.sent > 0 && this.failures.length === 0 && this.slowest <= limit,
      figures: `good client: ${this.sent} requests, slowest ${Math.round(this.slowest)} ms${failed}`,
    };
  }

  private async run(): Promise<void> {
    for (; !this.stopped; await sleep(100)) {
      const startedAt = performance.now();
      const result = await settled(send(this.gateway, this.request));
      this.sent += 1;
      this.slowest = Math.max(this.slowest, performance.now() - startedAt);
      if (result instanceof Error) this.failures.push(result.message);
      else if (result.status !== 200) this.failures.push(String(result.status));
    }
  }
}
