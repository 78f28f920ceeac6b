import { createHash } from 'node:crypto';

export { buffer as readAll } from 'node:stream/consumers';

/** Content in chunks of this size, as received from a connection. */
export async function* chunks(content: Uint8Array | string, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** SHA-256 in hexadecimal digits. */
export function sha256Of(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Reads every item of an asynchronous iteration. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
