import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl';
import { composed } from '../common/composed-text.js';
import { badUserInput, inputError, invalidInput } from '../errors.js';
import { LIMITS } from '../values/limits.js';
import { errorCode, unavailableBecause } from './blob-store.js';

const { maxUnpackedBytes, ratio, ratioFromBytes } = LIMITS.archive;

/**
 * An uploaded ZIP archive, which is not trusted: its directory is read and validated before anything is unpacked.
 * Nothing is written to its paths.
 */
export class ZipArchive {
  private constructor(
    private readonly zip: ZipFile,
    /** Files by path in Unicode's form NFC: macOS packs names in NFD. */
    readonly files: ReadonlyMap<string, Entry>,
  ) {}

  /** Throws BAD_USER_INPUT for files that are not archives, and for malicious ones. */
  static async open(path: string, maxEntries: number): Promise<ZipArchive> {
    const zip = await opened(path);
    try {
      const files = await filesOf(zip, maxEntries);
      if (await goesOn(zip, path)) throw notReadable();
      return new ZipArchive(zip, files);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** The content of a file. Throws BAD_USER_INPUT when it cannot be unpacked, or differs from its entry. */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const entry = this.files.get(composed(path));
    if (entry === undefined) throw wrongPath('is not in the archive');
    if (isLink(entry)) throw wrongPath('is a link, not a file');
    if (entry.isEncrypted()) throw wrongPath('is encrypted');
    if (!entry.canDecodeFileData()) throw wrongPath('is packed in a way that is not read');
    let sum = 0;
    try {
      for await (const piece of (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      throw damaged(error, () => wrongPath('cannot be unpacked'));
    }
    if (sum !== entry.crc32) throw wrongPath('cannot be unpacked');
  }

  close(): void {
    this.zip.close();
  }
}

/** The content of a link is the path of its target. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & FILE_KIND) === LINK;
}

/** Of Unix modes, which are in the upper half of an entry's attributes. */
const FILE_KIND = 0o170000;
const LINK = 0o120000;

/** The flag of a name in UTF-8 instead of code page 437. */
const UTF_8 = 0x800;

/** Bytes of a local header before the name, which the content follows. */
const LOCAL_HEADER = 30;

function wrongPath(sentence: string) {
  return invalidInput([inputError('path', sentence)]);
}

async function opened(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false, decodeStrings: false });
  } catch (error) {
    throw damaged(error, notReadable);
  }
}

async function filesOf(zip: ZipFile, maxEntries: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw badUserInput([`file must not have more than ${maxEntries} entries`]);
  const files = new Map<string, Entry>();
  const places: { start: number; end: number }[] = [];
  let unpacked = 0;
  for await (const entry of entriesOf(zip)) {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry;
    // The Finder packs names in UTF-8 without the flag.
    const said = isUtf8(fileNameRaw) ? flags | UTF_8 : flags;
    const name = composed(getFileNameLowLevel(said, fileNameRaw, extraFields, true));
    if (validateFileName(name) !== null) throw badUserInput(['file has an entry whose path leads out of the archive']);
    if (files.has(name)) throw badUserInput(['file has two entries of the same path']);
    const start = entry.relativeOffsetOfLocalHeader;
    places.push({ start, end: start + LOCAL_HEADER + entry.compressedSize });
    unpacked += entry.uncompressedSize;
    // A folder with content is a file with an unusual name.
    if (!name.endsWith('/') || entry.uncompressedSize > 0) files.set(name, entry);
  }
  places.sort((one, other) => one.start - other.start);
  if (places.some(({ end }, index) => end > (places[index + 1]?.start ?? Infinity)))
    throw badUserInput(['file has entries that overlap']);
  if (unpacked > Math.min(maxUnpackedBytes, Math.max(ratioFromBytes, zip.fileSize * ratio)))
    throw badUserInput([
      `file must not have more than 1 GB when it is unpacked, nor ${ratio} times what it has packed`,
    ]);
  return files;
}

/**
 * Whether the directory has more entries than the archive declares, which would not be read: without ZIP64 the number
 * has 16 bits.
 */
async function goesOn(zip: ZipFile, path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    throw damaged(error, notReadable);
  });
  try {
    const signature = Buffer.alloc(4);
    // A number, although its type says otherwise.
    await file.read(signature, 0, signature.length, Number(zip.readEntryCursor));
    return signature.equals(DIRECTORY_ENTRY);
  } finally {
    await file.close();
  }
}

const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02');

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw damaged(error, notReadable);
  }
}

const notReadable = () => badUserInput(['file is no ZIP archive that can be read']);

/** Errors of the disk or the archive: codes of zlib begin otherwise. */
function damaged(error: unknown, refusal: () => Error): Error {
  return /^E[A-Z]+$/.test(errorCode(error) ?? '') ? unavailableBecause(error) : refusal();
}
