import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';

/** The addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface OutgoingRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What was not sent, or not answered as it has to be. Its message names no address. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
}

/** Milliseconds for a whole exchange, and bytes of an answer. */
const LIMIT = 10_000;
const MAX_BYTES = 512 * 1024;

/**
 * Sends requests to addresses that others have chosen, and never into a network that is not public: every address of the host
 * is checked, and the connection goes to one that was. Redirects are answers, and proxies of the environment are not used.
 */
export class Outgoing {
  private readonly allowed: readonly ReturnType<typeof ipaddr.parseCIDR>[];

  /** `allowed` are networks in CIDR form that may be reached as well; plain http goes to loopback addresses among them alone. */
  constructor(
    allowed: readonly string[],
    private readonly resolve: Resolve = resolveAll,
  ) {
    this.allowed = allowed.map((network) => ipaddr.parseCIDR(network));
  }

  /** Throws OutgoingError. */
  async send(address: string | URL, options: OutgoingRequest = {}): Promise<Response> {
    const url = new URL(address);
    const limit = AbortSignal.timeout(LIMIT);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const checked = await this.check(url, signal);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = options.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(options.body)) };
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request(url, {
          method: options.method ?? 'GET',
          headers: { ...options.headers, ...headers },
          agent: false,
          signal,
          lookup: (_hostname, { all }, done) => {
            const family = isIP(checked);
            if (all) done(null, [{ address: checked, family }]);
            else done(null, checked, family);
          },
        });
        outgoing.once('error', reject).once('response', resolve).end(options.body);
      });
      return await responseOf(answer);
    } catch (cause) {
      throw cause instanceof OutgoingError ? cause : new OutgoingError('The host does not answer', { cause });
    }
  }

  /** The address to connect to. */
  private async check({ protocol, hostname }: URL, signal: AbortSignal): Promise<string> {
    if (protocol !== 'https:' && protocol !== 'http:') throw new OutgoingError('Only https is sent to');
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = isIP(host) > 0 ? [host] : await inTime(this.resolve(host), signal);
    const [first] = addresses;
    if (first === undefined) throw new OutgoingError('The host has no address');
    for (const address of addresses) this.checkAddress(address, protocol);
    return first;
  }

  private checkAddress(text: string, protocol: string): void {
    const address = ipaddr.process(text);
    const isAllowed = this.allowed.some(([network, bits]) => {
      return network.kind() === address.kind() && address.match([network, bits] as never);
    });
    if (address.range() !== 'unicast' && !isAllowed) throw new OutgoingError('The host is in no public network');
    if (protocol === 'http:' && !(isAllowed && address.range() === 'loopback'))
      throw new OutgoingError('Only https is sent to');
  }
}

async function resolveAll(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

async function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new OutgoingError('The host does not answer')), { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    throw cause instanceof OutgoingError ? cause : new OutgoingError('The host is not known', { cause });
  }
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      answer.destroy();
      throw new OutgoingError('The answer is too large');
    }
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const status = answer.statusCode ?? 502;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers });
}
