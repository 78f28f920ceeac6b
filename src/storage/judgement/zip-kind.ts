import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { FileKindName } from '../../vocabulary/file-kinds.js';
import type { FileWindow } from './file-window.js';
import {
  BrokenZip,
  findZipDirectory,
  packedBytes,
  type ZipDirectory,
  type ZipEntry,
  zipEntries,
} from './zip-directory.js';

/** The longest `[Content_Types].xml` of a large presentation is some 100 KB; a bomb stops here. */
const MAX_CONTENT_TYPES = 1024 * 1024;
const MAX_MIMETYPE = 128;
/** Every document declares the type of its main part once, whatever it calls that part. */
const MAIN_TYPE = /ContentType\s*=\s*["']([^"']*\.main\+xml)["']/g;

const inflate = promisify(inflateRaw);

const OOXML_MAIN: Readonly<Record<string, { kind: FileKindName; folder: string }>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml': { kind: 'DOCX', folder: 'word/' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml': { kind: 'XLSX', folder: 'xl/' },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml': {
    kind: 'PPTX',
    folder: 'ppt/',
  },
};
const ODF_TYPES: Readonly<Record<string, FileKindName>> = {
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.oasis.opendocument.spreadsheet': 'ODS',
  'application/vnd.oasis.opendocument.presentation': 'ODP',
};

/** Entries that make an archive a program to some system: Java, Android, iOS, Windows and browser packages. */
const PROGRAM =
  /^(META-INF\/(MANIFEST\.MF|mozilla\.rsa)|WEB-INF\/.*|AndroidManifest\.xml|classes\d*\.dex|BundleConfig\.pb|base\/manifest\/.*|Payload\/[^/]+\.app\/.*|AppxManifest\.xml|extension\.vsixmanifest|install\.rdf)$/i;
/** Macros inside an office document, whatever its name says. */
const MACRO = /(^|\/)vbaProject\.bin$|^Scripts\/.*[^/]$|^Basic\/[^/]+\/(?!script-lb\.xml$|dialog-lb\.xml$)[^/]+$/i;

/**
 * Tells what a ZIP container is from its directory, which is what readers go by: an office document by the type it
 * declares for itself, or a plain archive. Undefined for what contradicts itself, carries macros, or is a program.
 * What lies inside a plain archive is not judged: it is data until somebody unpacks it.
 */
export async function zipKind(file: FileWindow): Promise<FileKindName | undefined> {
  try {
    const directory = await findZipDirectory(file);
    if (!directory) return undefined;
    const contents = await survey(file, directory);
    if (contents.isProgram) return undefined;
    if (contents.contentTypes.length > 0) return await ooxmlKind(file, contents);
    if (contents.mimetype) return await odfKind(file, contents, contents.mimetype);
    return 'ZIP';
  } catch (error) {
    if (error instanceof BrokenZip) return undefined;
    throw error;
  }
}

interface Contents {
  contentTypes: ZipEntry[];
  mimetype?: ZipEntry;
  /** Office folders of the first level that hold something. */
  folders: Set<string>;
  hasMacros: boolean;
  isProgram: boolean;
}

async function survey(file: FileWindow, directory: ZipDirectory): Promise<Contents> {
  const contents: Contents = { contentTypes: [], folders: new Set(), hasMacros: false, isProgram: false };
  for await (const entry of zipEntries(file, directory)) {
    const { name } = entry;
    if (PROGRAM.test(name)) return { ...contents, isProgram: true };
    if (name.toLowerCase() === '[content_types].xml') contents.contentTypes.push(entry);
    // OpenDocument puts its type first, at a fixed place; anywhere else the name means nothing.
    if (name === 'mimetype' && entry.headerOffset === 0) contents.mimetype = entry;
    if (MACRO.test(name)) contents.hasMacros = true;
    const folder = /^(word|xl|ppt)\/./.exec(name)?.[0].slice(0, -1);
    if (folder) contents.folders.add(folder);
  }
  return contents;
}

async function ooxmlKind(file: FileWindow, contents: Contents): Promise<FileKindName | undefined> {
  const [entry, ...others] = contents.contentTypes;
  if (!entry || others.length > 0 || contents.hasMacros) return undefined;
  const xml = await unpacked(file, entry, MAX_CONTENT_TYPES);
  if (xml === undefined || /macroEnabled/i.test(xml)) return undefined;
  const declared = new Set(Array.from(xml.matchAll(MAIN_TYPE), ([, type = '']) => type));
  const [type = ''] = declared;
  const main = Object.hasOwn(OOXML_MAIN, type) ? OOXML_MAIN[type] : undefined;
  if (!main || declared.size !== 1 || !contents.folders.has(main.folder)) return undefined;
  return main.kind;
}

async function odfKind(file: FileWindow, contents: Contents, mimetype: ZipEntry): Promise<FileKindName | undefined> {
  if (contents.hasMacros || mimetype.method !== 0) return undefined;
  const type = (await unpacked(file, mimetype, MAX_MIMETYPE))?.trim() ?? '';
  return Object.hasOwn(ODF_TYPES, type) ? ODF_TYPES[type] : undefined;
}

async function unpacked(file: FileWindow, entry: ZipEntry, maxBytes: number): Promise<string | undefined> {
  const packed = await packedBytes(file, entry, maxBytes);
  if (!packed || entry.method === 0) return packed?.toString('utf8');
  if (entry.method !== 8) return undefined;
  try {
    return (await inflate(packed, { maxOutputLength: maxBytes })).toString('utf8');
  } catch {
    // Broken, or larger than it may be: either way not a document that we know.
    return undefined;
  }
}
