import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestContextOf } from './request-context.js';

/** Bytes of a refused body that are still read, so that most clients have sent all of it when the connection closes. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_DRAIN_MILLISECONDS = 1_000;

/** Whether there is a body, read or not. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Answers while the client is still sending. Closing the socket at once would reset the connection, and the client
 * would see that instead of the answer; so the answer goes out whole, and the connection closes a moment later. Meanwhile
 * the body of an authenticated caller is read. That of an anonymous one stays in the kernel, where it costs nothing.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, body: string | Buffer): void {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    // Paused, because one turn of the event loop reads two megabytes.
    request.off('end', finish).off('close', finish).off('data', count).pause();
    response.end();
  };
  const count = (chunk: Uint8Array) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) finish();
  };
  const timer = setTimeout(finish, MAX_DRAIN_MILLISECONDS);
  // A client that leaves now is an error of the request that needs no handling.
  request
    .once('end', finish)
    .once('close', finish)
    .once('error', () => undefined);
  if (requestContextOf(request).isAuthenticated) request.on('data', count).resume();
  else request.pause();
}
