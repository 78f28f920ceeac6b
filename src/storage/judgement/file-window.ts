import type { FileHandle } from 'node:fs/promises';

/** Reads small pieces of a file here and there with few calls and a bounded memory. */
export class FileWindow {
  private bytes = Buffer.alloc(0);
  private start = 0;

  constructor(
    private readonly handle: FileHandle,
    readonly size: number,
    /** How much is read at a time: more for going through, less for jumping about. */
    private readonly windowBytes = 64 * 1024,
  ) {}

  /** The piece at `position`; undefined when the file does not hold all of it. Valid until the next call. */
  async at(position: number, length: number): Promise<Buffer | undefined> {
    if (position < 0 || position + length > this.size) return undefined;
    const end = this.start + this.bytes.length;
    if (position < this.start || position + length > end) await this.move(position, Math.max(length, this.windowBytes));
    const from = position - this.start;
    return from + length <= this.bytes.length ? this.bytes.subarray(from, from + length) : undefined;
  }

  private async move(position: number, length: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(length, this.size - position));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.bytes = buffer.subarray(0, filled);
    this.start = position;
  }
}
