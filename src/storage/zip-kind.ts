import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { type FileKindName, fileKinds } from '../values/file-types.js';
import { bytesAt } from './bytes-at.js';

/**
 * Detects the kind of a ZIP container from its directory, as readers do: an office document by its declared type, or
 * a plain archive. Undefined for contradictions, programs and documents with macros.
 */
export async function zipKind(path: string, size: number): Promise<FileKindName | undefined> {
  const handle = await open(path, 'r');
  try {
    const entries = await entriesOf(handle, size);
    if (!entries || entries.some(({ name }) => PROGRAM.test(name))) return undefined;
    const types = entries.filter(({ name }) => name.toLowerCase() === '[content_types].xml');
    // OpenDocument has its type first; elsewhere the name has no meaning.
    const mimetype = entries.find(({ name, headerOffset }) => name === 'mimetype' && headerOffset === 0);
    const declaration = types[0] ?? mimetype;
    if (!declaration) return 'ZIP';
    if (types.length > 1 || entries.some(({ name }) => MACRO.test(name))) return undefined;
    const text = await unpacked(handle, declaration);
    return text === undefined ? undefined : types[0] ? ooxmlKind(text, entries) : declaredKind(text, declaration);
  } finally {
    await handle.close();
  }
}

interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  packedSize: number;
  headerOffset: number;
}

/** Files that make an archive a program: of Java, Android, iOS, Windows and browsers. */
const PROGRAM =
  /^(META-INF\/(MANIFEST\.MF|mozilla\.rsa)|WEB-INF\/.*|AndroidManifest\.xml|classes\d*\.dex|BundleConfig\.pb|base\/manifest\/.*|Payload\/[^/]+\.app\/.*|AppxManifest\.xml|extension\.vsixmanifest|install\.rdf)$/i;
/** Macros inside an office document, whatever its name. */
const MACRO = /(^|\/)vbaProject\.bin$|^Scripts\/.*[^/]$|^Basic\/[^/]+\/(?!script-lb\.xml$|dialog-lb\.xml$)[^/]+$/i;

const END_BYTES = 22;
/** The end record with the longest comment, and line ends that some programs and mail systems add. */
const MAX_TAIL = END_BYTES + 0xffff + 4;
const ENTRY_BYTES = 46;
/** The most entries without ZIP64, with names of eighty bytes. */
const MAX_DIRECTORY = 0xffff * (ENTRY_BYTES + 80);

/**
 * The entries of a file that is a ZIP archive from its first byte to its last, so that every reader sees the same
 * files; undefined when there is something before, between or behind its parts.
 */
async function entriesOf(handle: FileHandle, size: number): Promise<ZipEntry[] | undefined> {
  const tail = await bytesAt(handle, Math.max(0, size - MAX_TAIL), MAX_TAIL);
  let end = tail.length - END_BYTES;
  while (end >= 0 && !isEndRecord(tail, end)) end -= 1;
  if (end < 0) return undefined;
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  const isOneVolume = tail.readUInt32LE(end + 4) === 0 && tail.readUInt16LE(end + 8) === count;
  if (!isOneVolume || offset + length !== size - tail.length + end || length > MAX_DIRECTORY) return undefined;
  const entries = entriesIn(await bytesAt(handle, offset, length));
  return entries?.length === count && (count === 0 || entries.some((entry) => entry.headerOffset === 0))
    ? entries
    : undefined;
}

function isEndRecord(tail: Buffer, at: number): boolean {
  if (tail.readUInt32LE(at) !== 0x06054b50) return false;
  const end = at + END_BYTES + tail.readUInt16LE(at + 20);
  return end <= tail.length && /^[\r\n]{0,4}$/.test(tail.toString('latin1', end, end + 5));
}

function entriesIn(directory: Buffer): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== 0x02014b50) return undefined;
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + ENTRY_BYTES, nameEnd),
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return at === directory.length ? entries : undefined;
}

const LOCAL_BYTES = 30;
/** Bytes, packed and unpacked. The content types of a large presentation take some 100 KB. */
const MAX_DECLARATION = 1024 * 1024;
const inflate = promisify(inflateRaw);

/** The text of an entry; undefined when it is missing, damaged, or too large. */
async function unpacked(handle: FileHandle, entry: ZipEntry): Promise<string | undefined> {
  const header = await bytesAt(handle, entry.headerOffset, LOCAL_BYTES);
  const isHeader = header.length === LOCAL_BYTES && header.readUInt32LE(0) === 0x04034b50;
  if (!isHeader || entry.packedSize > MAX_DECLARATION) return undefined;
  const start = entry.headerOffset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await bytesAt(handle, start, entry.packedSize);
  if (packed.length < entry.packedSize) return undefined;
  if (entry.method === 0) return packed.toString();
  if (entry.method !== 8) return undefined;
  return inflate(packed, { maxOutputLength: MAX_DECLARATION }).then(String, () => undefined);
}

/** Every document declares the type of its main part once, under any name. */
const MAIN_TYPE = /ContentType\s*=\s*["']([^"']*)\.main\+xml["']/g;
const FOLDERS: Readonly<Partial<Record<FileKindName, string>>> = { DOCX: 'word/', XLSX: 'xl/', PPTX: 'ppt/' };

function ooxmlKind(contentTypes: string, entries: ZipEntry[]): FileKindName | undefined {
  const declared = new Set(Array.from(contentTypes.matchAll(MAIN_TYPE), ([, type]) => type));
  const kind = fileKinds.find(({ mediaTypes: [own] }) => declared.has(own))?.name;
  const folder = kind && FOLDERS[kind];
  if (!folder || declared.size !== 1 || /macroEnabled/i.test(contentTypes)) return undefined;
  return entries.some(({ name }) => name.startsWith(folder) && name !== folder) ? kind : undefined;
}

/** OpenDocument, and signed containers of ETSI EN 319 162. */
const CONTAINER = /^application\/vnd\.(?:oasis\.opendocument\.|etsi\.asic-e\+zip$)/;

function declaredKind(mediaType: string, { method }: ZipEntry): FileKindName | undefined {
  const type = mediaType.trim();
  if (method !== 0 || !CONTAINER.test(type)) return undefined;
  return fileKinds.find(({ mediaTypes: [own] }) => own === type)?.name;
}
