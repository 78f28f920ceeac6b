import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { hasCurrent, takesEncoding } from '../http/negotiation.js';

/** Fixed content, kept only compressed: nearly every browser takes it as it is. */
export interface Asset {
  readonly type: string;
  readonly gzipped: Buffer;
  /** Hash of the plain content, without the quotes of an ETag. */
  readonly hash: string;
}

/** Headers of every answer of the portal beside its policy. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  // An address may hold a token (specification 5.3).
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
});

export async function makeAsset(type: string, content: string | Buffer): Promise<Asset> {
  const gzipped = await promisify(gzip)(content);
  return { type, gzipped, hash: hash('sha256', content, 'base64url').slice(0, 22) };
}

/** A file that `scripts/assets.js` has copied from a development package. */
export async function assetFile(type: string, name: string): Promise<Asset> {
  return makeAsset(type, await readFile(new URL(`../../assets/${name}`, import.meta.url)));
}

/** Makes an asset at the first request. After a failure the next request tries again. */
export function lazily(make: () => Promise<Asset>): () => Promise<Asset> {
  let made: Asset | undefined;
  return async () => (made ??= await make());
}

/**
 * Answers GET or HEAD with an asset, compressed if the client accepts that, or with 304. `no-cache` makes browsers
 * revalidate, so that they never mix the files of two releases.
 */
export async function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  policy: string,
): Promise<void> {
  const compressed = takesEncoding(request, 'gzip');
  const etag = compressed ? `"${asset.hash}-gzip"` : `"${asset.hash}"`;
  setSafetyHeaders(response, policy);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', etag);
  response.setHeader('Vary', 'Accept-Encoding');
  if (hasCurrent(request, etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  const body = compressed ? asset.gzipped : await promisify(gunzip)(asset.gzipped);
  response.statusCode = 200;
  response.setHeader('Content-Type', asset.type);
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  // Node sends no body in answer to HEAD.
  response.end(body);
}

export function setSafetyHeaders(response: ServerResponse, policy: string): void {
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policy);
}
