import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Something with a fixed content, held only compressed: nearly every browser takes it as it lies in memory. */
export interface Asset {
  readonly type: string;
  readonly gzipped: Buffer;
  /** Hash of the plain content, without the quotes of an ETag. */
  readonly hash: string;
}

/** Headers of every answer of the portal beside its own policy. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  // An address may hold a token (specification 5.3): it must not travel to where a link leads.
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
});

export async function makeAsset(type: string, content: string | Buffer): Promise<Asset> {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { type, gzipped: await promisify(gzip)(content), hash };
}

/** Makes an asset when it is first asked for, once. A failure is forgotten, so that the next request tries again. */
export function lazily(make: () => Promise<Asset>): () => Promise<Asset> {
  let made: Promise<Asset> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/**
 * Answers GET or HEAD with an asset, compressed if the client takes that, and with 304 if the client has it already.
 * "no-cache" means "ask again", so that no browser mixes the files of two releases.
 */
export async function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  policy: string,
): Promise<void> {
  const compressed = takesGzip(request.headers['accept-encoding']);
  const etag = compressed ? `"${asset.hash}-gzip"` : `"${asset.hash}"`;
  setSafetyHeaders(response, policy);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', etag);
  response.setHeader('Vary', 'Accept-Encoding');
  if (holds(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  const body = compressed ? asset.gzipped : await promisify(gunzip)(asset.gzipped);
  response.statusCode = 200;
  response.setHeader('Content-Type', asset.type);
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  // Node keeps the body of an answer to HEAD to itself.
  response.end(body);
}

export function setSafetyHeaders(response: ServerResponse, policy: string): void {
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policy);
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9])\b.*)?$/i.test(coding));
}

function holds(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  const held: readonly string[] = condition.match(/"[^"]*"/g) ?? [];
  return condition.trim() === '*' || held.includes(etag);
}
