import { crc32, inflateRawSync } from 'node:zlib';

/** A file of an archive, with the fields of its header. */
export interface UnzippedFile {
  content: Buffer;
  /** Compressed size in bytes. */
  packed: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/**
 * Reads an archive by its directory, like archive programs, and verifies every checksum. Throws for an incomplete one.
 */
export function unzipped(archive: Buffer): Map<string, UnzippedFile> {
  const end = archive.length - 22;
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error('The archive has no end');
  const files = new Map<string, UnzippedFile>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new Error('The directory of the archive is broken');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength!);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, fileAt(archive, at));
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return files;
}

function fileAt(archive: Buffer, entry: number): UnzippedFile {
  const method = archive.readUInt16LE(entry + 10);
  const packed = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  if (archive.readUInt32LE(local) !== LOCAL) throw new Error('A file of the archive is not where it should be');
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const bytes = archive.subarray(start, start + packed);
  const content = method === 0 ? Buffer.from(bytes) : inflateRawSync(bytes);
  if (crc32(content) !== archive.readUInt32LE(entry + 16)) throw new Error('A checksum is wrong');
  if (content.length !== archive.readUInt32LE(entry + 24)) throw new Error('A size is wrong');
  return { content, packed };
}
