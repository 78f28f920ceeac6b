import type { IncomingFile } from '../../storage/incoming-file.js';
import { collected } from '../../common/collected.js';
import { composed } from '../../common/composed-text.js';
import { visibleText } from '../../common/visible-text.js';
import {
  badUserInput,
  fileTooLarge,
  invalidInput,
  MAX_ERRORS,
  nameOf,
  reading,
  wholeError,
  type DomainError,
  type Path,
} from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import {
  catalogDocumentOf,
  isLibrary,
  isOscalCatalog,
  isOscalProfile,
  mayBeLibrary,
  readCatalogText,
  type CatalogDocument,
  type CatalogError,
} from './catalog-text.js';
import type { ImportMode } from '../../values/enums.js';
import type { CatalogWorkflow } from './catalog-file.js';
import { workflowOfLibrary } from './ciso-library.js';
import { mappingOfLibrary } from './ciso-mapping.js';
import { workflowOfCatalog } from './oscal-catalog.js';
import { workflowOfProfile } from './oscal-profile.js';

/** The context that the form of an import is interpreted in. */
export interface ImportContext {
  mode: ImportMode;
  /** Workflows that a mapping may refer to. */
  known(): Promise<readonly CatalogWorkflow[]>;
}

/** A received workflow, in one of these four forms. */
export interface IncomingWorkflow {
  /** YAML or JSON. */
  text?: string | null;
  /** The same as a file. */
  file?: IncomingFile | null;
  /** The value of an OSCAL file under this key. */
  catalog?: object | null;
  /** The same under this one, with the catalog that it imports as `catalog` or not. */
  profile?: object | null;
  /** The fields of the file themselves, null for what is absent; or only the id to store a catalog by. */
  fields?: Readonly<Record<string, unknown>>;
  /** Whether the caller may send a file. */
  hasFile?: boolean;
}

const { maxBytes, maxCatalogBytes } = LIMITS.workflowImport;

/** Reads it, whatever the form, with every text as it is shown. Throws BAD_USER_INPUT, FILE_TOO_LARGE. */
export async function readIncomingWorkflow(
  incoming: IncomingWorkflow,
  context: ImportContext,
): Promise<CatalogDocument> {
  const document = await documentOf(incoming, context);
  const data = visible(document.data);
  const isMade = document.originOf !== undefined && document.syntaxErrors.length === 0;
  return isMade && Buffer.byteLength(JSON.stringify(data)) > maxBytes
    ? catalogDocumentOf(undefined, [{ path: [], sentence: 'has more than 1 MB of labels and texts' }])
    : { ...document, data };
}

async function documentOf(
  { text, file, catalog, profile, fields = {}, hasFile = false }: IncomingWorkflow,
  { mode, known }: ImportContext,
): Promise<CatalogDocument> {
  // A file has no null: absent and null are the same.
  const json = JSON.stringify(fields, (_key, value: unknown) => value ?? undefined);
  const given = JSON.parse(json) as Record<string, unknown>;
  const { id, from, to, ...others } = given;
  // Beside a text or a file, they are options.
  const beside = text != null || file != null;
  const own = beside ? others : { ...others, from, to };
  const forms = [
    text != null,
    file != null,
    catalog != null || profile != null,
    Object.values(own).some((value) => value !== undefined),
  ];
  if (forms.filter(Boolean).length !== 1) throw oneForm(hasFile);
  if (profile != null) {
    const sent = { profile, ...(catalog != null && { catalog }) };
    return boundedCatalog(sent, workflowOfProfile(sent, id, await known()));
  }
  if (catalog != null) return boundedCatalog({ catalog }, workflowOfCatalog({ catalog }, id));
  if (text == null && file == null) {
    bounded(Buffer.byteLength(json), maxBytes);
    return catalogDocumentOf(given);
  }
  const document = await reading(file == null ? 'text' : 'file', async () =>
    readText(text ?? (await textOf(file as IncomingFile))),
  );
  if (document.syntaxErrors.length > 0) return document;
  const isOfWorkflows = from !== undefined || to !== undefined;
  if (isOscalProfile(document.data) && !isOfWorkflows) return workflowOfProfile(document.data, id, await known());
  if (isOscalCatalog(document.data) && !isOfWorkflows) return workflowOfCatalog(document.data, id);
  if (isLibrary(document.data) && mode === 'MAPPING')
    return mappingOfLibrary(document, { id, from, to }, await known());
  if (isLibrary(document.data) && !isOfWorkflows) return workflowOfLibrary(document, { id });
  if (id !== undefined || isOfWorkflows) throw oneForm(hasFile);
  return document;
}

/** Every error by its place, with its line where it was a text: `controls[3].label (line 27): must …`. */
export function importErrors(
  errors: readonly CatalogError[],
  document: CatalogDocument,
  { text, file }: Pick<IncomingWorkflow, 'text' | 'file'>,
  whole: string,
): DomainError {
  const source = text != null ? 'text' : file != null ? 'file' : undefined;
  return invalidInput(
    errors.slice(0, MAX_ERRORS).map(({ path, sentence, line = document.lineOf(path) }) => {
      const origin = document.originOf?.(path) ?? path;
      const place = nameOf(origin) || whole;
      const said = `${place}${line === undefined ? '' : ` (line ${line})`}: ${sentence}`;
      return wholeError(source === undefined ? origin : [source], said);
    }),
  );
}

function oneForm(hasFile: boolean): DomainError {
  const names = `text, ${hasFile ? 'file, ' : ''}catalog`;
  return invalidInput([wholeError([], `exactly one of ${names} and the fields of a workflow must be given`)]);
}

/** A byte order mark is not part of the text. Only catalogs and libraries may be larger than workflows. */
function readText(sent: string): CatalogDocument {
  const text = sent.replace(/^\ufeff/, '');
  if (/^\s*</.test(text)) throw badUserInput(['workflow: is XML or HTML; JSON and YAML are read']);
  const size = Buffer.byteLength(sent);
  bounded(size, /^\s*\{/.test(text) || mayBeLibrary(text) ? maxCatalogBytes : maxBytes);
  const document = readCatalogText(text);
  const mayBeLarge = document.syntaxErrors.length > 0 || MAY_BE_LARGE.some((is) => is(document.data));
  if (!mayBeLarge) bounded(size, maxBytes);
  return document;
}

const MAY_BE_LARGE = [isOscalCatalog, isOscalProfile, isLibrary];

/**
 * The catalog with its size checked. One that is nested too deep is refused before it is written out to be measured,
 * which recurses.
 */
function boundedCatalog(sent: object, document: CatalogDocument): CatalogDocument {
  if (document.syntaxErrors.length === 0) bounded(Buffer.byteLength(JSON.stringify(sent)), maxCatalogBytes);
  return document;
}

async function textOf({ bytes }: IncomingFile): Promise<string> {
  const whole = await collected(bytes, maxCatalogBytes, () => fileTooLarge(maxCatalogBytes));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch {
    throw badUserInput(['file must be text in UTF-8']);
  }
}

function bounded(bytes: number, max: number): void {
  if (bytes > max) throw fileTooLarge(max);
}

/** The same data with every text as it is shown, as deep as a workflow goes. */
function visible(value: unknown, levels = 4): unknown {
  if (typeof value === 'string') return composed(visibleText(value));
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => visible(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visible(item, levels - 1)]));
}

// PostgreSQL refuses NUL and lone surrogates; other control characters break lists and mails.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

export function textErrors(value: unknown, path: Path = []): CatalogError[] {
  if (typeof value === 'string')
    return CONTROL.test(value) ? [{ path, sentence: 'must not contain control characters' }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textErrors(item, [...path, index]));
  return Object.entries(value as object).flatMap(([key, item]) => textErrors(item, [...path, key]));
}
