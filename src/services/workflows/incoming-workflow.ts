import type { IncomingFile } from '../../common/incoming-file.js';
import { visibleText } from '../../common/visible-text.js';
import { badUserInput, fileTooLarge, type DomainError } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import {
  type CatalogDocument,
  type CatalogError,
  type Path,
  catalogDocumentOf,
  placeOf,
  readCatalogText,
} from './catalog-file.js';

/** A workflow as it came: in one of these three forms. */
export interface IncomingWorkflow {
  /** YAML or JSON. */
  text?: string | null;
  /** The same as a file. */
  file?: IncomingFile | null;
  /** The fields of the file themselves, null for what is absent. */
  fields?: Readonly<Record<string, unknown>>;
}

/** Reads it, whatever the form. Throws BAD_USER_INPUT, FILE_TOO_LARGE. */
export async function readIncomingWorkflow({ text, file, fields = {} }: IncomingWorkflow): Promise<CatalogDocument> {
  const given = withoutNulls(fields) as Record<string, unknown>;
  const forms = [text != null, file != null, Object.keys(given).length > 0].filter(Boolean).length;
  if (forms !== 1) throw badUserInput(['exactly one of text, file and the fields of a workflow must be given']);
  if (file != null) return documentOf(await textOf(file));
  if (text != null) return documentOf(bounded(Buffer.from(text)).toString());
  bounded(Buffer.from(JSON.stringify(given)));
  return catalogDocumentOf(given);
}

/** Every error by its place, with its line where it was a text: `controls[3].label (line 27): must …`. */
export function importErrors(errors: readonly CatalogError[]): DomainError {
  return badUserInput(
    errors.map(({ path, line, sentence }) => {
      const place = placeOf(path, 'workflow');
      return `${place}${line === undefined ? '' : ` (line ${line})`}: ${sentence}`;
    }),
  );
}

/** A byte order mark is no part of the text that it stands before. */
function documentOf(text: string): CatalogDocument {
  return readCatalogText(text.replace(/^\ufeff/, ''));
}

async function textOf({ bytes }: IncomingFile): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > LIMITS.workflowImport.maxBytes) throw fileTooLarge(LIMITS.workflowImport.maxBytes);
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw badUserInput(['file must be text in UTF-8']);
  }
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > LIMITS.workflowImport.maxBytes) throw fileTooLarge(LIMITS.workflowImport.maxBytes);
  return bytes;
}

/** Absent and null are one thing in a file: it has no null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(given.map(([key, item]) => [key, withoutNulls(item)]));
}

// NUL and half a character are refused by PostgreSQL; other control characters break lists and mails.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/** The same with every text as it is shown, as deep as a workflow goes. */
export function visible(value: unknown, levels = 4): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => visible(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visible(item, levels - 1)]));
}

export function textErrors(document: CatalogDocument, value: unknown, path: Path): CatalogError[] {
  if (typeof value === 'string')
    return CONTROL.test(value)
      ? [{ path, line: document.lineOf(path), sentence: 'must not contain control characters' }]
      : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textErrors(document, item, [...path, index]));
  return Object.entries(value as object).flatMap(([key, item]) => textErrors(document, item, [...path, key]));
}
