import { type FileHandle, open } from 'node:fs/promises';
import { unsupportedFileType } from '../errors.js';
import { type FileKind, type FileKindName, fileKinds } from '../vocabulary/file-kinds.js';
import { extensionOf } from './display-name.js';
import { cfbKind } from './judgement/cfb-kind.js';
import { FileWindow } from './judgement/file-window.js';
import { JsonScanner } from './judgement/json-scanner.js';
import { declaredEncoding, isPlainText, isXmlDocument } from './judgement/markup.js';
import { hasMessageHeaders } from './judgement/message-headers.js';
import { type Signature, signatureOf } from './judgement/signature.js';
import { scanText } from './judgement/text-scan.js';
import { zipKind } from './judgement/zip-kind.js';
import { onDisk } from './storage-faults.js';

export interface FileToJudge {
  /** Where its bytes lie; all of them, readable. */
  path: string;
  /** Its first bytes, as a StagedBlob has them. */
  head: Uint8Array;
  /** Bytes. */
  size: number;
  filename?: string;
  contentType?: string;
}

/** Older character sets that an XML declaration may name. UTF-7 and the like are not among them: they hide markup. */
const SINGLE_BYTE = /^(us-ascii|iso-8859-\d{1,2}|windows-125\d)$/;

/**
 * Tells which allowed kind a file is (decisions, section 6): its content's own signature, the declared media type and
 * the extension have to agree, else UNSUPPORTED_FILE_TYPE. Answers the kind and its own media type, whatever alias
 * was declared.
 *
 * - An absent media type and `application/octet-stream` say nothing; parameters and case do not count.
 * - A name without extension says nothing. With neither, only kinds with a signature are told.
 * - A text has no signature. It is one that holds no control characters, is UTF-8 (or UTF-16 with a byte order mark),
 *   and does not begin as HTML, SVG, a script or a program. JSON is JSON throughout, XML begins with a root element,
 *   an e-mail with its header fields.
 * - An office document with macros is refused, and so is any ZIP that some system runs (JAR, APK, …).
 *
 * Memory is bounded (some 100 KB) whatever the content.
 */
export async function judgeFile(file: FileToJudge): Promise<{ kind: FileKindName; mediaType: string }> {
  const candidates = kindsFor(extensionOf(file.filename ?? ''), declaredType(file.contentType));
  const signature = signatureOf(file.head);
  const kind =
    signature === undefined ? await textAmong(candidates, file) : await binaryAmong(candidates, file, signature);
  if (!kind) throw unsupportedFileType();
  return { kind: kind.name, mediaType: kind.mediaTypes[0] };
}

function declaredType(contentType = ''): string {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/octet-stream' ? '' : essence;
}

/** The kinds that a name's extension and a declared media type both allow. Empty text stands for "not said". */
function kindsFor(extension: string, mediaType: string): FileKind[] {
  return fileKinds.filter(
    (kind) =>
      (extension === '' || kind.extensions.includes(extension)) &&
      (mediaType === '' || kind.mediaTypes.includes(mediaType)) &&
      // With neither said, a text is nothing in particular and stays unknown.
      (extension !== '' || mediaType !== '' || !kind.isText),
  );
}

async function binaryAmong(
  candidates: FileKind[],
  file: FileToJudge,
  signature: Signature,
): Promise<FileKind | undefined> {
  if (signature === 'program' || candidates.every((kind) => kind.isText)) return undefined;
  const name = await kindBehind(signature, file);
  return candidates.find((kind) => kind.name === name);
}

function kindBehind(
  signature: Exclude<Signature, 'program'>,
  file: FileToJudge,
): FileKindName | undefined | Promise<FileKindName | undefined> {
  if (signature === 'zip') return reading(file, (handle) => zipKind(new FileWindow(handle, file.size)));
  if (signature === 'cfb') return reading(file, (handle) => cfbKind(new FileWindow(handle, file.size, 4_096)));
  return signature;
}

/** The first text kind that is still possible: with a shared media type and no extension that is the plainest. */
async function textAmong(candidates: FileKind[], file: FileToJudge): Promise<FileKind | undefined> {
  const kind = candidates.find(({ isText }) => isText);
  if (!kind) return undefined;
  return (await reading(file, (handle) => isTextOf(kind.name, handle))) ? kind : undefined;
}

async function isTextOf(kind: FileKindName, handle: FileHandle): Promise<boolean> {
  if (kind === 'JSON') return isJson(handle);
  const text = await scanText(handle);
  if (!text) return false;
  if (kind === 'XML') return isXmlEncoding(text) && text.last === '>' && isXmlDocument(text.lead);
  // The body of a message may be in any character set; its header fields are what makes it one.
  if (kind === 'EML') return text.encoding !== 'utf-16' && hasMessageHeaders(text.lead);
  return text.encoding !== 'other' && isPlainText({ ...text, isMarkdown: kind === 'MARKDOWN' });
}

async function isJson(handle: FileHandle): Promise<boolean> {
  const scanner = new JsonScanner();
  const text = await scanText(handle, (chunk) => scanner.write(chunk));
  return text?.encoding === 'utf-8' && scanner.end();
}

function isXmlEncoding(text: { encoding: string; lead: string }): boolean {
  const declared = declaredEncoding(text.lead);
  if (text.encoding === 'other') return SINGLE_BYTE.test(declared);
  return declared === '' || SINGLE_BYTE.test(declared) || declared.startsWith(text.encoding);
}

function reading<T>(file: FileToJudge, judge: (handle: FileHandle) => Promise<T>): Promise<T> {
  return onDisk(async () => {
    const handle = await open(file.path, 'r');
    try {
      return await judge(handle);
    } finally {
      await handle.close();
    }
  });
}
