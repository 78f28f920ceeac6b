import { fileTypeFromFile } from 'file-type';
import type { FileFacts } from './incoming-file.js';
import { unsupportedFileType } from '../errors.js';
import { allowedExtensions, type FileKind, type FileKindName, fileKinds } from '../values/file-types.js';
import { onDisk, type StagedBlob } from './blob-store.js';
import { extensionOf } from './file-names.js';
import { compoundKind, type CompoundKind } from './compound-kind.js';
import { isSignedDocument } from './signed-document.js';
import { isTextOf } from './text-files.js';
import { zipKind } from './zip-kind.js';

type ReceivedFile = Pick<StagedBlob, 'path' | 'head' | 'size'>;

/**
 * Detects the allowed kind of a file: content, declared media type and extension must agree, else
 * UNSUPPORTED_FILE_TYPE. Returns the kind with its own media type, whichever alias was declared.
 */
export async function detectFileType(
  file: ReceivedFile,
  { filename = '', contentType }: FileFacts,
  allowed: readonly FileKind[] = fileKinds,
): Promise<{ kind: FileKindName; mediaType: string }> {
  const candidates = kindsFor(allowed, extensionOf(filename), declaredType(contentType));
  const name = await onDisk(() => kindByContent(file, candidates));
  const kind = candidates.find((candidate) => candidate.name === name);
  if (!kind) throw unsupportedFileType(allowedExtensions(allowed));
  return { kind: kind.name, mediaType: kind.mediaTypes[0] };
}

/** Parameters and case are ignored, and `application/octet-stream` counts as no type. */
function declaredType(contentType = ''): string {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/octet-stream' ? '' : essence;
}

/** The kinds that the extension and the declared media type both allow; all for empty texts. */
function kindsFor(allowed: readonly FileKind[], extension: string, mediaType: string): FileKind[] {
  return allowed.filter(
    (kind) =>
      (extension === '' || kind.extensions.includes(extension)) &&
      (mediaType === '' || kind.mediaTypes.includes(mediaType)) &&
      (extension !== '' || mediaType !== '' || kind.isText !== true),
  );
}

async function kindByContent(file: ReceivedFile, candidates: FileKind[]): Promise<FileKindName | undefined> {
  const opening = Buffer.from(file.head).toString('latin1');
  if (ZIP_OPENING.test(opening)) return zipKind(file.path, file.size);
  if (opening.startsWith(COMPOUND_OPENING)) return officeKind(await compoundKind(file.path), candidates);
  if (await isSignedDocument(file)) return 'P7M';
  const detected = MISLEADING_OPENING.test(opening) ? undefined : await fileTypeFromFile(file.path);
  const binary = detected && BINARY_KINDS.get(detected.mime);
  if (binary) return binary;
  // The first candidate: with a shared media type and no extension the plainest one.
  const text = candidates.find(({ isText }) => isText);
  return text && (await isTextOf(text.name, file)) ? text.name : undefined;
}

/** A protected document does not show its program: its name or media type does. */
function officeKind(kind: CompoundKind | undefined, candidates: readonly FileKind[]): FileKindName | undefined {
  if (kind !== 'ENCRYPTED') return kind;
  const [only, ...others] = candidates.filter(({ name }) => PROTECTED.has(name));
  return others.length === 0 ? only?.name : undefined;
}

const PROTECTED: ReadonlySet<string> = new Set(['DOCX', 'XLSX', 'PPTX']);
const COMPOUND_OPENING = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const ZIP_OPENING = /^PK(?:\x03\x04|\x05\x06)/;

/** `file-type` skips a byte order mark and an ID3 header before detection, and accepts any "GIF" as an image. */
const MISLEADING_OPENING = /^(?:\xef\xbb\xbf|ID3|GIF(?!8[79]a))/;

/** Kinds by the media types of `file-type`, which has its own for animated PNG and TIFF of cameras. */
const BINARY_KINDS: ReadonlyMap<string, FileKindName> = new Map([
  ...fileKinds.filter(({ isText }) => !isText).map(({ name, mediaTypes: [own] }) => [own, name] as const),
  ...['heif', 'heic-sequence', 'heif-sequence'].map((name) => [`image/${name}`, 'HEIC'] as const),
  ['image/apng', 'PNG'],
  ['image/jls', 'JPEG'],
  ...['canon-cr2', 'nikon-nef', 'adobe-dng', 'sony-arw'].map((camera) => [`image/x-${camera}`, 'TIFF'] as const),
]);
