import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contractErrors } from '../contract.js';

/** A listener under watch, and every breach of the OpenAPI document that was seen. */
export interface Watch {
  listener: RequestListener;
  breaches: string[];
}

/**
 * Sees every exchange of a server with any client: what was sent and answered is compared with the OpenAPI
 * document. Nothing of it is touched: bodies are seen as they come in from the line and as they go out to it.
 */
export function watchContract(listener: RequestListener): Watch {
  const breaches: string[] = [];
  return {
    breaches,
    listener(request, response) {
      const body = bytesOf(request);
      const answer = jsonOf(response);
      response.once('finish', () => {
        const { method = '', url: target = '' } = request;
        const { statusCode: status } = response;
        const headers = flat(response.getHeaders());
        const requestContext = { method, target, sent: flat(request.headers), status, headers };
        const errors = contractErrors({
          ...requestContext,
          body: Buffer.concat(body),
          answer: decoded(Buffer.concat(answer), headers['content-encoding']),
        });
        if (errors.length > 0) breaches.push(`${method} ${target} (${status}): ${errors.join('; ')}`);
      });
      listener(request, response);
    },
  };
}

/** Of what is no JSON nothing was kept. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

function flat(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Filled while the body comes in. No listener for data: it would take the data from the reader of the body. */
function bytesOf(request: IncomingMessage): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const push = request.push.bind(request);
  request.push = (piece: Uint8Array | null, encoding) => {
    // A copy: base64 is decoded in its place.
    if (piece !== null) pieces.push(Buffer.from(piece));
    return push(piece, encoding);
  };
  return pieces;
}

/** Filled while the answer goes out, unless it is a file: those are as long as they are. */
function jsonOf(response: ServerResponse): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const keep = (piece: unknown) => {
    const isJson = String(response.getHeader('content-type')).startsWith('application/json');
    if (isJson && (typeof piece === 'string' || piece instanceof Uint8Array)) pieces.push(Buffer.from(piece));
  };
  for (const name of ['write', 'end'] as const) {
    const send = response[name].bind(response) as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      keep(given[0]);
      return send(...given);
    };
  }
  return pieces;
}
