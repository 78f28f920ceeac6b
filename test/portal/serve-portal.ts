import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { notFound } from '../../src/errors.js';
import { REGIMES } from '../support/catalog.js';
import { createPortal, type PortalOptions } from '../../src/portal/portal-app.js';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: Buffer;
  /** The decompressed body. */
  text: string;
}

export interface Requested {
  method?: string;
  headers?: Record<string, string>;
}

/** A portal without logos and subscriptions, unless the test provides some. */
export function portal(options: Partial<PortalOptions> = {}): RequestListener {
  return createPortal({
    publicUrl: 'http://localhost:4000',
    explorer: true,
    auditKeys: { keys: [] },
    described: () => ({ info: { title: 'Interface' }, tags: [], paths: {}, components: { schemas: {} } }),
    regimes: REGIMES.all,
    openLogo: () => Promise.reject(notFound()),
    unsubscribing: { find: async () => undefined, apply: async () => undefined },
    signingIn: {
      secure: false,
      charge: () => undefined,
      begin: () => Promise.reject(notFound()),
      finish: () => Promise.reject(notFound()),
      confirm: () => Promise.reject(notFound()),
      current: async () => undefined,
      end: async () => undefined,
      endByProvider: async () => undefined,
      reasonOf: () => undefined,
      applicationOf: () => null,
    },
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** Serves a listener during the tests and returns a function that sends requests to it, with raw paths. */
export async function serve(
  listener: RequestListener,
): Promise<(path: string, selection?: Requested) => Promise<Answer>> {
  const server = createServer(listener).listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (path, { method = 'GET', headers = {} } = {}) => {
    const [response] = await once(request({ port, host: '127.0.0.1', path, method, headers }).end(), 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const packed = response.headers['content-encoding'] === 'gzip' && body.length > 0;
    return {
      status: response.statusCode,
      headers: response.headers,
      body,
      text: (packed ? gunzipSync(body) : body).toString(),
    };
  };
}

/** The directives of a policy by name. */
export function directivesOf(policy: unknown): Record<string, string[]> {
  const parts = String(policy).split('; ');
  return Object.fromEntries(parts.map((part) => [part.split(' ')[0], part.split(' ').slice(1)]));
}

/** Contents of each inline script or style, which has no address of its own. */
export function inlineContents(html: string, tag: 'script' | 'style'): string[] {
  const found = html.matchAll(new RegExp(`<${tag}([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...found]
    .filter(([, attributes]) => !/src=|application\/json/.test(attributes ?? ''))
    .map(([, , text]) => text!);
}
