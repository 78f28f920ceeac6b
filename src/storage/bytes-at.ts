import type { FileHandle } from 'node:fs/promises';

/** The bytes at a position of a file: fewer at its end. */
export async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
