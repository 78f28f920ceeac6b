import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contractErrors } from '../contract.js';

/** A watched listener, and the violations of the OpenAPI document that it has recorded. */
export interface Watch {
  listener: RequestListener;
  breaches: string[];
}

/**
 * Compares every exchange of a server with the OpenAPI document, for any client. Exchanges are unchanged: bodies are
 * copied as they are received and sent.
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

/** Bodies that are not JSON are not recorded. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

function flat(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Filled while the body is received. A listener for data would take the data from the reader of the body. */
function bytesOf(request: IncomingMessage): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const push = request.push.bind(request);
  request.push = (piece: Uint8Array | null, encoding) => {
    // A copy: base64 is decoded in place.
    if (piece !== null) pieces.push(Buffer.from(piece));
    return push(piece, encoding);
  };
  return pieces;
}

/** Filled while the response is sent, unless it is a file, which may be of any size. */
function jsonOf(response: ServerResponse): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const record = (piece: unknown) => {
    const isJson = String(response.getHeader('content-type')).startsWith('application/json');
    if (isJson && (typeof piece === 'string' || piece instanceof Uint8Array)) pieces.push(Buffer.from(piece));
  };
  for (const name of ['write', 'end'] as const) {
    const send = response[name].bind(response) as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      record(given[0]);
      return send(...given);
    };
  }
  return pieces;
}
