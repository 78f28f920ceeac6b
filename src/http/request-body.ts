import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { KeyedSemaphores, Semaphore } from '../common/concurrency.js';
import { badUserInput, rateLimited } from '../errors.js';

/** Bytes of a body that is read at once. A larger one that must be in memory as a whole waits for a place. */
export const SMALL_BODY = 1024 * 1024;

/** A request whose body was not read yet. */
export type UnreadRequest = Readable & Pick<IncomingMessage, 'headers'>;

/** Reads a whole body. Throws BAD_USER_INPUT, or the error of `tooLarge`, as soon as it is larger than `maxBytes`. */
export async function readBytes(
  request: UnreadRequest,
  maxBytes: number,
  tooLarge = () => bodyTooLarge(maxBytes),
): Promise<Buffer> {
  requirePresence(request);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge();
  // Copied at once, so that the socket's buffers are collected early: retained, they would be promoted to the old generation.
  let body = Buffer.allocUnsafe(declared);
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      const end = size + chunk.length;
      if (end > maxBytes) {
        // The rest of a refused body stays unread: the answer decides how much more of it is received.
        request.off('data', take).pause();
        return reject(tooLarge());
      }
      if (end > body.length) body = Buffer.concat([body.subarray(0, size)], Math.max(end, 2 * body.length));
      chunk.copy(body, size);
      size = end;
    };
    request
      .on('data', take)
      .once('end', resolve)
      .once('error', reject)
      // An error is made only where it is needed: its stack costs as much as reading a small body.
      .once('close', () => request.readableEnded || reject(new ClientLeft()));
  });
  return body.subarray(0, size);
}

export const bodyTooLarge = (maxBytes: number) => badUserInput([`The body must not be larger than ${maxBytes} bytes`]);

/** The parsed value, which must be a JSON object. Throws BAD_USER_INPUT, in which it is called `what`. */
export function objectIn(value: unknown, what = 'The body'): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badUserInput([`${what} must be a JSON object`]);
  return value as Record<string, unknown>;
}

/** Whether so much is to be read that it waits for a place: a length that is not declared may be any. */
export function isLargeBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return Number(headers['content-length'] ?? Infinity) > SMALL_BODY;
}

/** Throws after the client has disconnected: a destroyed request emits nothing any more. */
export function requirePresence(request: Readable): void {
  if (request.destroyed) throw new ClientLeft();
}

/** Whether the client has disconnected during its request, or was refused for a slow body. */
export function isBrokenOff(request: IncomingMessage, response: ServerResponse): boolean {
  const isRefused = response.headersSent && response.statusCode === 408;
  return isRefused || (request.destroyed && !request.complete);
}

/** The client has disconnected: there is nothing to answer, and nothing to log as an error. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

/** Milliseconds that a large body waits for a place before it is read. */
const PLACE_WAIT = 60_000;

/** Places for a number of simultaneous bodies of one kind. */
export class BodyPlaces {
  private readonly present = new Semaphore(16, PLACE_WAIT);
  /** Slow bodies of one user do not delay other users. */
  private readonly perUser = new KeyedSemaphores(() => new Semaphore(2, PLACE_WAIT, () => rateLimited(5)));

  /** Waits for a place for a body of the user; returns a function that releases it. Throws RATE_LIMITED, UNAVAILABLE. */
  async enter(userId: string): Promise<() => void> {
    const leave = await this.perUser.acquire(userId);
    try {
      const release = await this.present.acquire();
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

/** Bounds the memory of large bodies of both APIs: how many are in memory at once, and how many of them are parsed. */
export class LargeBodies extends BodyPlaces {
  private readonly parsed = new Semaphore(4);

  /** Runs work that needs several times the memory of a body. */
  parse<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return this.parsed.run(async () => work());
  }
}
