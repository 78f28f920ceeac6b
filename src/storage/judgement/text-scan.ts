import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

const CHUNK_BYTES = 64 * 1024;
/** Allowed are tab, line feed, vertical tab, form feed, carriage return, and escape (coloured logs). */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
/** The same by byte, for the texts that are large and many. */
const IS_CONTROL = Uint8Array.from({ length: 256 }, (_, byte) => (CONTROL.test(String.fromCharCode(byte)) ? 1 : 0));

export interface ScannedText {
  encoding: 'utf-8' | 'utf-16' | 'other';
  /** The beginning (up to 64 KB), without a byte order mark; bytes of encoding `other` read as Latin-1. */
  lead: string;
  /** Whether the beginning is all there is. */
  isWhole: boolean;
  /** The last character that is no white space; empty when there is none. */
  last: string;
}

/**
 * Reads a file to its end in a bounded memory and tells whether it is text: no control characters, and UTF-8, or
 * UTF-16 with a byte order mark, or (`other`) bytes of some older character set. Undefined when it is not text, or as
 * soon as `watch`, which sees the bytes of what is not UTF-16, returns false.
 */
export async function scanText(
  handle: FileHandle,
  watch: (chunk: Uint8Array) => boolean = () => true,
): Promise<ScannedText | undefined> {
  let reader: TextReader | undefined;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  let leadBytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    reader ??= readerFor(chunk);
    if (position === 0) leadBytes = bytesRead;
    const start = position === 0 ? byteOrderMark(chunk) : 0;
    if (!reader.read(chunk.subarray(start), watch)) return undefined;
    position += bytesRead;
  }
  const text = reader ? reader.end() : { encoding: 'utf-8' as const, lead: '', last: '' };
  return text && { ...text, isWhole: position === leadBytes };
}

type TextEnd = Omit<ScannedText, 'isWhole'>;

interface TextReader {
  read(chunk: Buffer, watch: (chunk: Uint8Array) => boolean): boolean;
  end(): TextEnd | undefined;
}

class Utf16Reader implements TextReader {
  private lead?: string;
  private last = '';

  constructor(private readonly decoder: TextDecoder) {}

  read(chunk: Buffer): boolean {
    try {
      const text = this.decoder.decode(chunk, { stream: true });
      this.lead ??= text;
      this.last = text.trimEnd().at(-1) ?? this.last;
      return !CONTROL.test(text);
    } catch {
      return false;
    }
  }

  end(): TextEnd | undefined {
    try {
      this.decoder.decode();
    } catch {
      return undefined;
    }
    return { encoding: 'utf-16', lead: this.lead ?? '', last: this.last };
  }
}

class ByteReader implements TextReader {
  private lead?: Buffer;
  private last = '';
  private isUtf8 = true;
  /** The beginning of a character whose other bytes come with the next chunk. */
  private rest: Buffer = Buffer.alloc(0);

  read(chunk: Buffer, watch: (chunk: Uint8Array) => boolean): boolean {
    this.lead ??= Buffer.from(chunk);
    this.last = lastVisible(chunk) ?? this.last;
    if (holdsControl(chunk)) return false;
    if (this.isUtf8) this.checkUtf8(chunk);
    return watch(chunk);
  }

  end(): TextEnd {
    const lead = this.lead ?? Buffer.alloc(0);
    const encoding = this.isUtf8 && this.rest.length === 0 ? 'utf-8' : 'other';
    return { encoding, lead: lead.toString(encoding === 'utf-8' ? 'utf8' : 'latin1'), last: this.last };
  }

  private checkUtf8(chunk: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const whole = bytes.length - unfinishedBytes(bytes);
    this.isUtf8 = isUtf8(bytes.subarray(0, whole));
    this.rest = Buffer.from(bytes.subarray(whole));
  }
}

function holdsControl(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at += 1) if (IS_CONTROL[chunk[at] as number]) return true;
  return false;
}

function lastVisible(chunk: Buffer): string | undefined {
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    const byte = chunk[at] as number;
    if (byte > 0x20) return String.fromCharCode(byte);
  }
  return undefined;
}

function readerFor(chunk: Buffer): TextReader {
  const mark = chunk.toString('hex', 0, 2);
  if (mark === 'fffe') return new Utf16Reader(new TextDecoder('utf-16le', { fatal: true }));
  if (mark === 'feff') return new Utf16Reader(new TextDecoder('utf-16be', { fatal: true }));
  return new ByteReader();
}

function byteOrderMark(chunk: Buffer): number {
  if (chunk.toString('hex', 0, 3) === 'efbbbf') return 3;
  return ['fffe', 'feff'].includes(chunk.toString('hex', 0, 2)) ? 2 : 0;
}

/** How many bytes at the end are the beginning of a longer UTF-8 character: 0 to 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}
