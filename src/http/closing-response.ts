import { ServerResponse, type IncomingMessage } from 'node:http';
import { isAuthenticated } from './request-context.js';

/** Bytes of a refused body that are still read, so that most clients have sent all of it when the connection closes. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_DRAIN_MILLISECONDS = 1_000;

/**
 * A response that ends the connection if it is sent before the body was read, because the rest of the body precedes the
 * next request. Closing the socket at once would reset the connection, and the client would see that instead of the answer; so
 * the answer is sent completely, and the connection closes a moment later.
 */
export class ClosingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private isEarly = false;

  // Methods of a class: functions made for each request were a quarter of the processor time of a small one.
  override writeHead(...args: unknown[]): this {
    if (!this.req.complete && hasBody(this.req)) this.setHeader('Connection', 'close');
    return Reflect.apply(super.writeHead as Method, this, args) as this;
  }

  override end(...args: unknown[]): this {
    const request = this.req;
    if (this.isEarly || !hasBody(request)) return this.endNow(args);
    if (request.complete) {
      this.endNow(args);
      // Received but unread bytes delay the next request as well.
      if (!request.readableEnded) request.resume();
      return this;
    }
    this.isEarly = true;
    if (request.method === 'HEAD' || !isContent(args[0])) this.flushHeaders();
    else {
      // Without a length the client would wait for the end.
      if (!this.headersSent) this.setHeader('content-length', Buffer.byteLength(args[0]));
      super.write(args[0]);
    }
    drain(request, () => this.endNow([args.findLast((arg) => typeof arg === 'function')]));
    return this;
  }

  private endNow(args: readonly unknown[]): this {
    return Reflect.apply(super.end as Method, this, args) as this;
  }
}

type Method = (...args: unknown[]) => unknown;

/** Whether there is a body, read or not. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function isContent(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** The body of an authenticated caller is read; that of an anonymous one stays in the kernel, which costs nothing. */
function drain(request: IncomingMessage, done: () => void): void {
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    // Paused, because one turn of the event loop reads two megabytes.
    request.off('end', finish).off('close', finish).off('data', count).pause();
    done();
  };
  const count = (chunk: Uint8Array) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) finish();
  };
  const timer = setTimeout(finish, MAX_DRAIN_MILLISECONDS);
  // A client that disconnects now causes an error of the request that needs no handling.
  request
    .once('end', finish)
    .once('close', finish)
    .once('error', () => undefined);
  if (isAuthenticated(request)) request.on('data', count).resume();
  else request.pause();
}
