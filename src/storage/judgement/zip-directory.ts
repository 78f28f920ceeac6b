import type { FileWindow } from './file-window.js';

export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  /** Bytes as stored in the archive. */
  packedSize: number;
  headerOffset: number;
}

/** Where the archive's directory lies. */
export interface ZipDirectory {
  offset: number;
  /** Just behind its last entry. */
  end: number;
  entryCount: number;
}

const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

/**
 * Finds the directory of an archive that is a ZIP from its first byte to its last: nothing before the first entry,
 * nothing between directory and end record, nothing behind it. So that no reader sees another file in it than we do.
 * ZIP64 is none: it serves more than 65,535 entries or 4 GB, far beyond any upload.
 */
export async function findZipDirectory(file: FileWindow): Promise<ZipDirectory | undefined> {
  const tailSize = Math.min(file.size, END_BYTES + MAX_COMMENT);
  const tailStart = file.size - tailSize;
  const tail = await file.at(tailStart, tailSize);
  if (!tail) return undefined;
  for (let at = tailSize - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50 || at + END_BYTES + tail.readUInt16LE(at + 20) !== tailSize) continue;
    const entryCount = tail.readUInt16LE(at + 10);
    const offset = tail.readUInt32LE(at + 16);
    const isWhole = tail.readUInt32LE(at + 4) === 0 && tail.readUInt16LE(at + 8) === entryCount;
    if (!isWhole || offset + tail.readUInt32LE(at + 12) !== tailStart + at) return undefined;
    return { offset, end: tailStart + at, entryCount };
  }
  return undefined;
}

/** Walks the directory. Throws BrokenZip where it is not what its end record says. */
export async function* zipEntries(file: FileWindow, directory: ZipDirectory): AsyncIterable<ZipEntry> {
  let position = directory.offset;
  let beginsWithEntry = directory.entryCount === 0;
  for (let index = 0; index < directory.entryCount; index += 1) {
    const header = await file.at(position, ENTRY_BYTES);
    if (!header || header.readUInt32LE(0) !== 0x02014b50) throw new BrokenZip();
    const nameLength = header.readUInt16LE(28);
    const length = ENTRY_BYTES + nameLength + header.readUInt16LE(30) + header.readUInt16LE(32);
    const entry = {
      method: header.readUInt16LE(10),
      packedSize: header.readUInt32LE(20),
      headerOffset: header.readUInt32LE(42),
    };
    const name = (await file.at(position + ENTRY_BYTES, nameLength))?.toString('utf8');
    if (name === undefined) throw new BrokenZip();
    beginsWithEntry ||= entry.headerOffset === 0;
    yield { ...entry, name };
    position += length;
  }
  if (!beginsWithEntry || position !== directory.end) throw new BrokenZip();
}

/** The stored bytes of an entry, still packed; undefined when they are more than `maxBytes` or not there. */
export async function packedBytes(file: FileWindow, entry: ZipEntry, maxBytes: number): Promise<Buffer | undefined> {
  const header = await file.at(entry.headerOffset, LOCAL_BYTES);
  if (!header || header.readUInt32LE(0) !== 0x04034b50 || entry.packedSize > maxBytes) return undefined;
  const start = entry.headerOffset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  return file.at(start, entry.packedSize);
}

/** An archive that contradicts itself. */
export class BrokenZip extends Error {}
