import { fileTypeFromFile } from 'file-type';
import type { FileFacts } from '../common/incoming-file.js';
import { unsupportedFileType } from '../errors.js';
import { type FileKind, type FileKindName, fileKinds } from '../values/file-types.js';
import { onDisk, type StagedBlob } from './blob-store.js';
import { extensionOf } from './file-names.js';
import { isTextOf } from './text-kind.js';
import { zipKind } from './zip-kind.js';

type ReceivedFile = Pick<StagedBlob, 'path' | 'head' | 'size'>;

/**
 * Detects which allowed kind a file is: its content, the declared media type and the extension have to agree, else
 * UNSUPPORTED_FILE_TYPE. Returns the kind and its own media type, whichever alias was declared.
 */
export async function detectFileType(
  file: ReceivedFile,
  { filename = '', contentType }: FileFacts,
): Promise<{ kind: FileKindName; mediaType: string }> {
  const candidates = kindsFor(extensionOf(filename), declaredType(contentType));
  const name = await onDisk(() => kindByContent(file, candidates));
  const kind = candidates.find((candidate) => candidate.name === name);
  if (!kind) throw unsupportedFileType();
  return { kind: kind.name, mediaType: kind.mediaTypes[0] };
}

/** Parameters and case do not count, and `application/octet-stream` says as little as no type at all. */
function declaredType(contentType = ''): string {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/octet-stream' ? '' : essence;
}

/** The kinds that a name's extension and a declared media type both allow. An empty text allows all of them. */
function kindsFor(extension: string, mediaType: string): FileKind[] {
  return fileKinds.filter(
    (kind) =>
      (extension === '' || kind.extensions.includes(extension)) &&
      (mediaType === '' || kind.mediaTypes.includes(mediaType)) &&
      (extension !== '' || mediaType !== '' || !needsNameOrType(kind)),
  );
}

/** Texts have no signature, and a message has that of every other compound file. */
function needsNameOrType({ name, isText }: FileKind): boolean {
  return isText === true || name === 'MSG';
}

async function kindByContent(file: ReceivedFile, candidates: FileKind[]): Promise<FileKindName | undefined> {
  const opening = Buffer.from(file.head).toString('latin1');
  if (ZIP_OPENING.test(opening)) return zipKind(file.path, file.size);
  const detected = MISLEADING_OPENING.test(opening) ? undefined : await fileTypeFromFile(file.path);
  const binary = detected && BINARY_KINDS.get(detected.mime);
  if (binary) return binary;
  // The first that is possible: with a shared media type and no extension that is the plainest.
  const text = candidates.find(({ isText }) => isText);
  return text && (await isTextOf(text.name, file)) ? text.name : undefined;
}

const ZIP_OPENING = /^PK(?:\x03\x04|\x05\x06)/;

/** `file-type` skips a byte order mark and an ID3 header to detect what follows, and takes any "GIF" for an image. */
const MISLEADING_OPENING = /^(?:\xef\xbb\xbf|ID3|GIF(?!8[79]a))/;

/** Kinds by the media types of `file-type`, which has types of its own for animated PNG and TIFF of cameras. */
const BINARY_KINDS: ReadonlyMap<string, FileKindName> = new Map([
  ...fileKinds.filter(({ isText }) => !isText).map(({ name, mediaTypes: [own] }) => [own, name] as const),
  ['application/x-cfb', 'MSG'],
  ['image/apng', 'PNG'],
  ['image/jls', 'JPEG'],
  ...['canon-cr2', 'nikon-nef', 'adobe-dng', 'sony-arw'].map((camera) => [`image/x-${camera}`, 'TIFF'] as const),
]);
