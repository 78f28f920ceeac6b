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
 * A ZIP archive that was received, which is not trusted: its directory is read whole and judged before anything is unpacked.
 * Nothing is ever written to a path that it names.
 */
export class ZipArchive {
  private constructor(
    private readonly zip: ZipFile,
    /** Files by their paths, in Unicode's form NFC: a Mac packs names in NFD. */
    readonly files: ReadonlyMap<string, Entry>,
  ) {}

  /** Throws BAD_USER_INPUT for what is no archive, or one that is made to do harm. */
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

  /** The bytes of a file as it was packed. Throws BAD_USER_INPUT for one that cannot be unpacked, or is not as it says. */
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

/** Its content would be the path that it leads to. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & FILE_KIND) === LINK;
}

/** Of Unix modes, which archives have in the upper half of an entry's attributes. */
const FILE_KIND = 0o170000;
const LINK = 0o120000;

/** The flag of an entry whose name is in UTF-8, and not in code page 437. */
const UTF_8 = 0x800;

/** Bytes before the name of an entry, which its content follows. */
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
    // The Finder packs names in UTF-8 without saying so.
    const said = isUtf8(fileNameRaw) ? flags | UTF_8 : flags;
    const name = composed(getFileNameLowLevel(said, fileNameRaw, extraFields, true));
    if (validateFileName(name) !== null) throw badUserInput(['file has an entry whose path leads out of the archive']);
    if (files.has(name)) throw badUserInput(['file has two entries of the same path']);
    const start = entry.relativeOffsetOfLocalHeader;
    places.push({ start, end: start + LOCAL_HEADER + entry.compressedSize });
    unpacked += entry.uncompressedSize;
    // A folder that has content is a file of an odd name.
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

/** Whether the directory has more entries than the archive says, which are not read: the number has 16 bits where it is no ZIP64. */
async function goesOn(zip: ZipFile, path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    throw damaged(error, notReadable);
  });
  try {
    const signature = Buffer.alloc(4);
    // It is a number, whatever its type says.
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

/** Of the disk, or of the archive: codes of zlib begin otherwise. */
function damaged(error: unknown, refusal: () => Error): Error {
  return /^E[A-Z]+$/.test(errorCode(error) ?? '') ? unavailableBecause(error) : refusal();
}
