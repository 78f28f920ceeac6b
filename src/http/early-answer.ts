import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestContextOf } from './request-context.js';

/**
 * Bytes of a refused body that are still read, so that most clients have sent all of it when the connection closes. Each
 * is copied by Node, and 64 MB of them bring a full garbage collection: anonymous callers get little.
 */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_DRAINED_BYTES_ANONYMOUS = 256 * 1024;
const MAX_DRAIN_MILLISECONDS = 1_000;

/** Whether there is a body, read or not. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Answers while the client is still sending. Closing the socket at once would reset the connection, and the client
 * would see that instead of the answer; so the answer goes out whole, and the rest of the body is read for a moment.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, body: string | Buffer): void {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  const { isAuthenticated } = requestContextOf(request);
  const maxBytes = isAuthenticated ? MAX_DRAINED_BYTES : MAX_DRAINED_BYTES_ANONYMOUS;
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    // Paused, because one turn of the event loop reads two megabytes.
    request.off('end', finish).off('close', finish).off('data', count).pause();
    response.end();
  };
  const count = (chunk: Uint8Array) => {
    drained += chunk.length;
    if (drained > maxBytes) finish();
  };
  const timer = setTimeout(finish, MAX_DRAIN_MILLISECONDS);
  // A client that leaves now is an error of the request that needs no handling.
  request
    .once('end', finish)
    .once('close', finish)
    .once('error', () => undefined);
  request.on('data', count).resume();
}
