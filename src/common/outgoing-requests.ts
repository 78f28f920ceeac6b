import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface OutgoingSettings {
  /** Networks such as `10.1.0.0/16` that are allowed although they are not public. */
  allowedNetworks?: readonly string[];
  /** Whether addresses of this machine are allowed, also by plain HTTP. */
  loopback?: boolean;
  /** Resolves all addresses of a host; the system's resolver when absent. */
  resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Time limit of the whole exchange, including the resolver. */
  milliseconds?: number;
  /** The most bytes of an answer's body; 64 KiB when absent. */
  maxBytes?: number;
  /** Whether connections stay open briefly, for the next request to the same addresses of the same host. */
  reusesConnections?: boolean;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /**
   * Called once connected: `write` hands the whole request to the operating system. An error before calling it sends
   * nothing, and `send` throws the same.
   */
  leave?: (write: () => Promise<void>) => Promise<void>;
}

export interface OutgoingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Truncated to `maxBytes`. */
  body: Buffer;
}

/** An address that must not be called. The message may be shown to the user who entered it. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

const notReached = new WeakSet<object>();

/** Whether connecting failed, independent of the request. */
export function isUnreached(error: unknown): boolean {
  return notReached.has(error as object);
}

const MAX_BYTES = 64 * 1024;
const MAX_MILLISECONDS = 15_000;
const NOT_HTTPS = 'must begin with https://';
const NOT_PUBLIC = 'has a host whose addresses are not all public';
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Requests to addresses that users have entered. Each one resolves the host again, refuses it when any of its
 * addresses is not public, and connects to a checked address; it follows no redirect and no proxy of the environment.
 */
export class OutgoingRequests {
  private readonly allowed: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
  private readonly agents: Agents | undefined;

  constructor(private readonly settings: OutgoingSettings = {}) {
    this.allowed = (settings.allowedNetworks ?? []).map((network) => ipaddr.parseCIDR(network));
    if (settings.reusesConnections === true)
      this.agents = {
        'http:': pinned(new HttpAgent(IDLE_CONNECTIONS)),
        'https:': pinned(new HttpsAgent(IDLE_CONNECTIONS)),
      };
  }

  /** The reason why a URL is never called, whatever the addresses of its host; undefined for a valid one. */
  refusalOf(text: string): string | undefined {
    try {
      this.check(text);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedAddress) return error.message;
      throw error;
    }
  }

  private check(text: string): void {
    const { protocol, host, family } = partsOf(text);
    const address = family > 0 ? host : undefined;
    if (address !== undefined && !this.mayCall(address)) throw new RefusedAddress(NOT_PUBLIC);
    const isLocal = this.settings.loopback === true && (address === undefined || isLoopback(address));
    if (protocol === 'http:' && !isLocal) throw new RefusedAddress(NOT_HTTPS);
  }

  /** Throws RefusedAddress; other errors are those of the resolver, the network or the time limit. */
  async send({ method, url: text, headers = {}, body, leave }: OutgoingRequest): Promise<OutgoingAnswer> {
    const signal = AbortSignal.timeout(this.settings.milliseconds ?? MAX_MILLISECONDS);
    const { url, ...parts } = partsOf(text);
    const addresses = await this.checkedAddresses(parts, signal).catch((error: unknown) => {
      if (!(error instanceof RefusedAddress)) notReached.add(error as object);
      throw error;
    });
    const connectTo = ((_host, options, done) => {
      const [first] = addresses as [ResolvedAddress];
      if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    }) as LookupFunction;
    const addressees = addresses.map(({ address }) => address).join();
    const options: PinnedOptions = { method, headers, lookup: connectTo, signal, addressees };
    const content = { body, leave };
    return exchange(url, options, content, { maxBytes: this.settings.maxBytes ?? MAX_BYTES, agents: this.agents });
  }

  private async checkedAddresses(
    { protocol, host, family }: Omit<Parts, 'url'>,
    signal: AbortSignal,
  ): Promise<readonly ResolvedAddress[]> {
    const resolve = this.settings.resolve ?? ((name: string) => lookup(name, { all: true }));
    const addresses = family > 0 ? [{ address: host, family }] : await withSignal(resolve(host), signal);
    if (addresses.length === 0) throw new RefusedAddress('has a host without an address');
    if (!addresses.every(({ address }) => this.mayCall(address))) throw new RefusedAddress(NOT_PUBLIC);
    const isLocal = this.settings.loopback === true && addresses.every(({ address }) => isLoopback(address));
    if (protocol === 'http:' && !isLocal) throw new RefusedAddress(NOT_HTTPS);
    return addresses;
  }

  private mayCall(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (this.allowed.some(([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix)))
      return true;
    if (this.settings.loopback === true && isLoopback(text)) return true;
    // Only assigned addresses of IPv6: `::127.0.0.1` is unicast by its form.
    const isAssigned = address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
    return isAssigned && address.range() === 'unicast';
  }
}

interface Parts {
  url: URL;
  protocol: string;
  host: string;
  /** 0 for a name. */
  family: number;
}

function partsOf(text: string): Parts {
  const url = URL.parse(text);
  if (url === null) throw new RefusedAddress('is not an absolute URL');
  const { protocol, username, password, hostname } = url;
  if (username !== '' || password !== '') throw new RefusedAddress('must not have a user name or password');
  if (!['https:', 'http:'].includes(protocol)) throw new RefusedAddress(NOT_HTTPS);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { url, protocol, host, family: isIP(host) };
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A resolver cannot be aborted: its answer is ignored. */
function withSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

type Agents = Readonly<Record<'http:' | 'https:', HttpAgent>>;

interface PinnedOptions extends RequestOptions {
  /** The addresses that were checked. */
  addressees: string;
}

/** Less than the five seconds after which many servers close a connection. */
const IDLE_CONNECTIONS = { keepAlive: true, timeout: 4_000, maxFreeSockets: 4 };

/** Reuses a connection only where the host still resolves to the same addresses. */
function pinned(agent: HttpAgent): HttpAgent {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => `${nameOf(options)} ${(options as Partial<PinnedOptions>).addressees}`;
  return agent;
}

/** A separate agent: the global one may reuse connections, or use a proxy of the environment. */
const newAgent = (isPlain: boolean) => (isPlain ? new HttpAgent() : new HttpsAgent());

/** Milliseconds in which an operating system accepts a request on an open connection. */
const WRITING = 1_000;

/** Resolves when the request was handed over, or has failed. */
function written(request: ClientRequest, body: string | Buffer | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve();
    const late = setTimeout(() => request.destroy(new Error('The connection takes nothing')), WRITING);
    const done = () => {
      clearTimeout(late);
      resolve();
    };
    request.once('finish', done).once('close', done).end(body);
  });
}

function exchange(
  url: URL,
  options: PinnedOptions,
  content: Pick<OutgoingRequest, 'body' | 'leave'>,
  { maxBytes, agents }: { maxBytes: number; agents: Agents | undefined },
): Promise<OutgoingAnswer> {
  const isPlain = url.protocol === 'http:';
  const agent = agents?.[isPlain ? 'http:' : 'https:'] ?? newAgent(isPlain);
  const { body, leave } = content;
  return new Promise((resolve, reject) => {
    const request = (isPlain ? requestHttp : requestHttps)(url, { ...options, agent }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks).subarray(0, maxBytes) });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < maxBytes) return;
        finish();
        request.destroy();
      });
      response.on('end', finish);
      response.on('error', reject);
    });
    let isConnected = false;
    const connected = () => {
      isConnected = true;
      leave?.(() => written(request, body)).catch((error: unknown) => request.destroy(error as Error));
    };
    request.on('socket', (socket) => {
      if (request.reusedSocket) connected();
      else socket.once(isPlain ? 'connect' : 'secureConnect', connected);
    });
    // Without a listener the request would end without an answer or an error, and so would its time limit.
    request.on('upgrade', ({ statusCode = 0, headers }: IncomingMessage, socket: Socket) => {
      socket.destroy();
      resolve({ status: statusCode, headers, body: Buffer.alloc(0) });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (!isConnected) notReached.add(error);
      // The receiver has closed an idle connection at the moment of its reuse.
      const wasClosed = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (wasClosed) resolve(exchange(url, options, content, { maxBytes, agents: undefined }));
      else reject(error);
    });
    if (leave === undefined) request.end(body);
  });
}
