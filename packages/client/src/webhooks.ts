import type { GatewayEvent } from './events.js';
import { requireOptions } from './options.js';

/** A request without a valid signature of the secret, or with a timestamp outside the tolerance. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** Tolerance of the timestamp in seconds; 300 when absent. */
  toleranceSeconds?: number;
  /** The time that the timestamp is compared with; the clock's when absent. */
  now?: Date;
}

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/**
 * The event of a request by Standard Webhooks, with the raw `body`; throws WebhookError for an invalid one. `secret`
 * begins with `whsec_`; several are allowed during a rotation. An event may be delivered twice, with the same `id`.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: GivenHeaders,
  body: string | Uint8Array,
  options: VerifyOptions = {},
): Promise<GatewayEvent> {
  const { toleranceSeconds = 300, now = new Date() } = options;
  requireOptions(options, { toleranceSeconds: true, now: true });
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name)) as [
    string,
    string,
    string,
  ];
  const apart = Math.abs(now.getTime() / 1000 - Number(timestamp));
  // A tolerance that is not a number allows nothing.
  if (!/^\d+$/.test(timestamp) || !(apart <= toleranceSeconds))
    throw new WebhookError(`The timestamp of the request is more than ${toleranceSeconds} s off: ${timestamp}`);
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('The body is the bytes of the request as they came, not what was parsed of them');
  const signed = signedBytes(id, timestamp, body);
  const given = signatures.split(' ').flatMap((signature) => {
    const [version, text = ''] = signature.split(',');
    return version === 'v1' ? [bytesOf(text)] : [];
  });
  // The first is undefined if the list is empty: no secret.
  const [first, ...others] = [secret].flat();
  for (const key of await Promise.all([first, ...others].map((text) => importKey(text, 'verify'))))
    for (const signature of given)
      // WebCrypto compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify(ALGORITHM, key, signature, signed)))
        return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as GatewayEvent;
  throw new WebhookError('The request is not signed with the secret');
}

/** The headers of a request by Standard Webhooks, as the gateway sends them: for tests of a receiver. */
export async function signWebhook(
  secret: string,
  { id, body, at = new Date() }: { id: string; body: string | Uint8Array; at?: Date },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = await importKey(secret, 'sign');
  const signature = new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, signedBytes(id, timestamp, body)));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

/** A secret for tests of a receiver: 32 random bytes, written as those of the gateway. */
export function newWebhookSecret(): string {
  return PREFIX + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}

function headerOf(headers: GivenHeaders, name: string): string {
  const given = headers instanceof Headers ? headers.get(`webhook-${name}`) : valueOf(headers, `webhook-${name}`);
  if (typeof given !== 'string' || given === '')
    throw new WebhookError(`The request has no one header webhook-${name}`);
  return given;
}

function valueOf(headers: Exclude<GivenHeaders, Headers>, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function importKey(secret: string | undefined, use: 'sign' | 'verify') {
  const bytes = secret?.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  // The specification requires 24 to 64 bytes; a short one could be guessed.
  if (bytes === undefined || bytes.length < 24)
    throw new TypeError('A secret is whsec_ with at least 24 bytes in base64');
  return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, [use]);
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [head, rest] = [encoder.encode(`${id}.${timestamp}.`), typeof body === 'string' ? encoder.encode(body) : body];
  const bytes = new Uint8Array(head.length + rest.length);
  bytes.set(head);
  bytes.set(rest, head.length);
  return bytes;
}

/** Undefined if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
