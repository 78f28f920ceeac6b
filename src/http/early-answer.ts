import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a refused body is still taken in, so that the client can read the answer; then the line is cut. */
const MAX_DRAINED_BYTES = 1024 * 1024;
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
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('end', finish).off('close', finish).off('data', count);
    response.end();
  };
  const count = (chunk: Uint8Array) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) finish();
  };
  const timer = setTimeout(finish, MAX_DRAIN_MILLISECONDS);
  // A client that leaves now is an error of the request that nobody has to hear of.
  request
    .once('end', finish)
    .once('close', finish)
    .once('error', () => undefined);
  request.on('data', count).resume();
}
