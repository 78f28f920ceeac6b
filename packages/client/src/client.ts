import createClient, { defaultPathSerializer, type Client } from 'openapi-fetch';
import { errorOf } from './errors.js';
import type { paths } from './openapi.js';
import { requireOptions } from './options.js';
import { isReading, sendWithRetries, type RetryOptions } from './retry.js';

export interface ClientOptions {
  /** Address of the gateway, such as `https://gateway.example`; it may have a path. */
  url: string;
  /** Sent as `X-Service-Token` with every request; a few routes need none. */
  token?: string;
  retry?: RetryOptions;
  /** Aborts every request. */
  signal?: AbortSignal;
  /** Sends a request once; the platform's `fetch` when absent. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The methods of openapi-fetch for every path of `/api/v1`, with streaming for responses other than JSON. */
export interface GatewayClient extends Client<paths, 'application/json'> {
  readonly url: string;
  /**
   * A successful response as a stream, such as a file; `path` begins with a slash. Throws GatewayError for any other.
   */
  send(path: string, init?: RequestInit): Promise<Response>;
}

/**
 * A client that retries temporary failures, and sends each change with an `Idempotency-Key`, the same with every
 * attempt. A key of the caller replaces it, so that a request can be repeated after a restart of the program.
 */
export function createGatewayClient(options: ClientOptions): GatewayClient {
  const { url, token, retry = {}, signal, fetch: given } = options;
  requireOptions(options, OPTIONS);
  requireOptions(retry, RETRY_OPTIONS);
  const base = baseOf(url);
  // The platform would include it in its error message.
  if (token !== undefined && !/^[\x20-\x7e]*$/.test(token.trim()))
    throw new TypeError('The token is not one line of letters and digits');
  const fetchOnce = given ?? ((address: string, init: RequestInit) => globalThis.fetch(address, init));
  const send = async (request: Request) => {
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set('x-service-token', token);
    // The gateway ignores the key without a token, and a request without a response is not repeated.
    if (!isReading(request) && token !== undefined && !headers.has('idempotency-key'))
      headers.set('idempotency-key', randomKey());
    const either = signal === undefined ? request.signal : AbortSignal.any([request.signal, signal]);
    return sendWithRetries(new Request(request, { headers, signal: either }), fetchOnce, retry);
  };
  const client = createClient<paths, 'application/json'>({
    baseUrl: base,
    fetch: send,
    querySerializer: { array: { style: 'form', explode: false } },
    pathSerializer: pathOf,
  });
  return Object.assign(client, {
    url: base,
    async send(path: string, init?: RequestInit) {
      if (!path.startsWith('/')) throw new TypeError(`A path begins with a slash: ${path}`);
      const response = await send(new Request(base + path, init));
      if (!response.ok) throw await errorOf(response);
      return response;
    },
  });
}

const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  ...{ url: true, token: true, retry: true, signal: true, fetch: true },
};
const RETRY_OPTIONS: Readonly<Record<keyof RetryOptions, true>> = {
  ...{ attempts: true, longestWaitSeconds: true, timeoutSeconds: true, onRetry: true },
};

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new TypeError(`The address of the gateway begins with https:// or http://: ${url}`);
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new TypeError('The address of the gateway has no user name, query or fragment');
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '');
}

/** A path with its parameters. A parameter of dots alone would be resolved, and select another path. */
function pathOf(path: string, parameters: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(parameters))
    if (value === '.' || value === '..') throw new TypeError(`The parameter ${name} of ${path} is no name: ${value}`);
  return defaultPathSerializer(path, parameters);
}

/** 128 random bits; `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
