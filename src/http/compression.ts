import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { ENCODINGS, takesEncoding, type Encoding } from './negotiation.js';

/** Characters below which an answer is sent as it is: compressing it would save no packet. */
const SHORT = 2_048;

/**
 * Fields of secrets, as GraphQL calls them: tokens, secrets of mails, keys and configurations of devices, signed addresses.
 * The length of a compressed answer reveals whether it contains a text of the request (BREACH, CVE-2013-3587).
 */
const SECRETS = /\b(?:token|secret|atbKey|config|downloadUrl|evidencePackUrl|proofUrl)\b/;

/** Whether an operation may answer with a secret, by names of fields: GraphQL has no escapes in names. */
export function selectsSecrets(document: string): boolean {
  return SECRETS.test(document);
}

/** Whether an answer is long enough to be compressed. */
export function isLong(body: string): boolean {
  return body.length >= SHORT;
}

export interface Encoded {
  encoding: Encoding;
  body: Buffer;
}

/**
 * A long answer as the client takes it, made off the event loop; undefined where it takes it only as it is. Compressed at the
 * fastest level: the better ones take three times as long for a tenth less.
 */
export async function encoded(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<Encoded | undefined> {
  const encoding = chosenEncoding(request, response);
  return encoding === undefined ? undefined : { encoding, body: await COMPRESS[encoding](Buffer.from(body)) };
}

/** Encoding of an answer that is sent while it is generated; undefined if the client accepts no encoding. */
export function streamEncoding(
  request: IncomingMessage,
  response: ServerResponse,
): { encoding: Encoding; compressor(): Transform } | undefined {
  const encoding = chosenEncoding(request, response);
  return encoding && { encoding, compressor: COMPRESSORS[encoding] };
}

function chosenEncoding(request: IncomingMessage, response: ServerResponse): Encoding | undefined {
  varyByEncoding(response);
  return ENCODINGS.find((each) => takesEncoding(request, each));
}

/** Marks the answer as varying by the client's encodings; once. */
export function varyByEncoding(response: ServerResponse): void {
  if (!String(response.getHeader('Vary')).includes(ACCEPT_ENCODING)) response.appendHeader('Vary', ACCEPT_ENCODING);
}

const ACCEPT_ENCODING = 'Accept-Encoding';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const GZIP = { level: constants.Z_BEST_SPEED };

const COMPRESS: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text, GZIP),
};

/** Each uses at most about a megabyte, for answers of any length. */
const COMPRESSORS: Readonly<Record<Encoding, () => Transform>> = {
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
};
