import type { IncomingFile } from '../../common/incoming-file.js';
import { visibleText } from '../../common/visible-text.js';
import { badUserInput, fileTooLarge, nameOf, type DomainError, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import {
  asPartial,
  catalogDocumentOf,
  readCatalogText,
  type CatalogDocument,
  type CatalogError,
  type WorkflowFile,
} from './catalog-file.js';

/** A workflow as it came: in one of these four forms. */
export interface IncomingWorkflow {
  /** YAML or JSON. */
  text?: string | null;
  /** The same as a file. */
  file?: IncomingFile | null;
  /** What an OSCAL file has under this key. */
  catalog?: object | null;
  /** The fields of the file themselves, null for what is absent; or only the id to store a catalog by. */
  fields?: Readonly<Record<string, unknown>>;
}

const { maxBytes, maxCatalogBytes } = LIMITS.workflowImport;
const ONE_FORM = 'exactly one of text, file, catalog and the fields of a workflow must be given';

/** Reads it, whatever the form, with every text as it is shown. Throws BAD_USER_INPUT, FILE_TOO_LARGE. */
export async function readIncomingWorkflow(incoming: IncomingWorkflow): Promise<CatalogDocument> {
  const document = await documentOf(incoming);
  return { ...document, data: visible(document.data) };
}

async function documentOf({ text, file, catalog, fields = {} }: IncomingWorkflow): Promise<CatalogDocument> {
  // Absent and null are one thing in a file: it has no null.
  const json = JSON.stringify(fields, (_key, value: unknown) => value ?? undefined);
  const given = JSON.parse(json) as Record<string, unknown>;
  const { id, ...own } = given;
  const forms = [text != null, file != null, catalog != null, Object.keys(own).length > 0];
  if (forms.filter(Boolean).length !== 1) throw badUserInput([ONE_FORM]);
  if (catalog != null) return boundedCatalog({ catalog }, id);
  if (text == null && file == null) {
    bounded(Buffer.byteLength(json), maxBytes);
    return catalogDocumentOf(given);
  }
  const document = readText(text ?? (await textOf(file as IncomingFile)));
  if (isOscalCatalog(document.data)) return workflowOfCatalog(document.data, id);
  if (id !== undefined) throw badUserInput([ONE_FORM]);
  return document;
}

/** Every error by its place, with its line where it was a text: `controls[3].label (line 27): must …`. */
export function importErrors(errors: readonly CatalogError[], document: CatalogDocument, whole: string): DomainError {
  return badUserInput(
    errors.map(({ path, sentence, line = document.lineOf(path) }) => {
      const place = nameOf(document.originOf?.(path) ?? path) || whole;
      return `${place}${line === undefined ? '' : ` (line ${line})`}: ${sentence}`;
    }),
  );
}

/** A byte order mark is no part of the text that it stands before. Only a catalog may have more than other workflows. */
function readText(sent: string): CatalogDocument {
  const text = sent.replace(/^\ufeff/, '');
  if (/^\s*</.test(text)) throw badUserInput(['workflow: is XML or HTML; JSON and YAML are read']);
  const size = Buffer.byteLength(sent);
  bounded(size, /^\s*\{/.test(text) ? maxCatalogBytes : maxBytes);
  const document = readCatalogText(text);
  if (!isOscalCatalog(document.data)) bounded(size, maxBytes);
  return document;
}

/** What is nested too deep is refused before it is written out to be measured, which recurses. */
function boundedCatalog(sent: { catalog: object }, id: unknown): CatalogDocument {
  const document = workflowOfCatalog(sent, id);
  if (document.syntaxErrors.length === 0) bounded(Buffer.byteLength(JSON.stringify(sent)), maxCatalogBytes);
  return document;
}

async function textOf({ bytes }: IncomingFile): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    bounded(size, maxCatalogBytes);
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw badUserInput(['file must be text in UTF-8']);
  }
}

function bounded(bytes: number, max: number): void {
  if (bytes > max) throw fileTooLarge(max);
}

/** The same data with every text as it is shown, as deep as a workflow goes. */
function visible(value: unknown, levels = 4): unknown {
  if (typeof value === 'string') return visibleText(value).normalize('NFC');
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => visible(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visible(item, levels - 1)]));
}

// NUL and half a character are refused by PostgreSQL; other control characters break lists and mails.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

export function textErrors(value: unknown, path: Path = []): CatalogError[] {
  if (typeof value === 'string')
    return CONTROL.test(value) ? [{ path, sentence: 'must not contain control characters' }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textErrors(item, [...path, index]));
  return Object.entries(value as object).flatMap(([key, item]) => textErrors(item, [...path, key]));
}

/** Whether it is an OSCAL catalog, a resolved profile among them: its root has one key that says so. */
function isOscalCatalog(data: unknown): data is { catalog: unknown } {
  return asPartial(data)['catalog'] !== undefined;
}

/**
 * An OSCAL catalog as a workflow: its groups and controls are the headings and controls. `id` is what to store it by;
 * absent, it is made of the title. Errors name their place in the catalog.
 */
function workflowOfCatalog({ catalog }: { catalog: unknown }, id: unknown): CatalogDocument {
  if (isTooDeep(catalog)) return catalogDocumentOf(undefined, [{ path: ['catalog'], sentence: 'is nested too deep' }]);
  const reader = new CatalogReader();
  const file = reader.read(asPartial(catalog), id);
  if (reader.errors.length > 0) return catalogDocumentOf(undefined, reader.errors);
  return { ...catalogDocumentOf(file), originOf: reader.originOf };
}

/** As deep as a body of REST may be; reading a catalog recurses. */
const MAX_LEVELS = 32;

/** Walks with a list instead of the stack, level by level. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

const MAX_NAME = 120;
const MAX_VERSION = 40;
const MAX_ID = 64;

type Fields = Partial<Record<string, unknown>>;

class CatalogReader {
  readonly errors: CatalogError[] = [];
  private readonly controls: WorkflowFile['controls'] = [];
  /** Where each of the controls stands in the catalog. */
  private readonly places: Path[] = [];
  private withdrawn = 0;

  read(catalog: Fields, id: unknown): Fields {
    const metadata = asPartial(catalog['metadata']);
    const title = this.text(metadata, 'title', ['catalog', 'metadata']);
    const version = lineOf(this.text(metadata, 'version', ['catalog', 'metadata']), MAX_VERSION);
    this.children(catalog, ['catalog'], undefined);
    const name = lineOf(title, MAX_NAME);
    return {
      ...{ id: id ?? idOf(title), name, version },
      source: { text: `OSCAL catalog: ${name}, version ${version}.` },
      licence: 'The publisher of the catalog holds the rights in its titles, and states the terms of use.',
      ...(this.withdrawn > 0 && { remarks: `Withdrawn controls are left out: ${this.withdrawn}.` }),
      controls: this.controls,
    };
  }

  /** `controls[3].label` as its place in the catalog. */
  readonly originOf = (path: Path): Path => {
    const [list, index, key] = path;
    const place = list === 'controls' ? this.places[Number(index)] : undefined;
    if (place === undefined) return path;
    return [...place, key === 'label' ? 'title' : (key ?? 'id')];
  };

  /** Groups before controls, as OSCAL orders them. */
  private children(of: Fields, path: Path, parent: string | undefined): void {
    this.items(of, 'groups', path, (group, place) => this.group(group, place, parent));
    this.items(of, 'controls', path, (control, place) => this.control(control, place, parent));
  }

  /** A group without a control, as withdrawn ones leave it, is no heading: it would pass for something to do. */
  private group(group: Fields, path: Path, parent: string | undefined): void {
    const title = this.text(group, 'title', path);
    const id = group['id'] === undefined ? slug(title) : this.text(group, 'id', path);
    const before = this.controls.length;
    this.add(id, title, path, parent);
    this.children(group, path, id);
    if (this.controls.length > before + 1) return;
    this.controls.pop();
    this.places.pop();
  }

  /** An enhancement is to be done besides its control, and stands beside it: below it, it would make a heading of it. */
  private control(control: Fields, path: Path, parent: string | undefined): void {
    if (isWithdrawn(control)) return void (this.withdrawn += 1);
    const id = this.text(control, 'id', path);
    this.add(id, this.text(control, 'title', path), path, parent);
    this.items(control, 'controls', path, (inner, place) =>
      this.control(inner, place, isEnhancement(inner) ? parent : id),
    );
  }

  private add(id: string, title: string, path: Path, parent: string | undefined): void {
    const label = lineOf(title, MAX_NAME);
    this.controls.push({ id, label, ...(parent !== undefined && { parent }), kind: 'control' });
    this.places.push(path);
  }

  private items(of: Fields, key: string, path: Path, read: (item: Fields, path: Path) => void): void {
    const list = of[key] ?? [];
    if (!Array.isArray(list)) return void this.errors.push({ path: [...path, key], sentence: 'must be a list' });
    for (const [index, item] of list.entries()) read(asPartial(item), [...path, key, index]);
  }

  private text(of: Fields, key: string, path: Path): string {
    const value = of[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.errors.push({ path: [...path, key], sentence: 'must be a text' });
    return '';
  }
}

function isWithdrawn({ props }: Fields): boolean {
  const all = Array.isArray(props) ? props.map(asPartial) : [];
  return all.some(({ name, value }) => name === 'status' && String(value).toLowerCase() === 'withdrawn');
}

/** As NIST classes them: `SP800-53-enhancement`. */
function isEnhancement({ class: kind }: Fields): boolean {
  return /enhancement$/i.test(String(kind));
}

/** The text on one line of so many characters at most. */
function lineOf(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  const start = line.slice(0, max - 1).trimEnd();
  return `${start.toWellFormed()}…`;
}

/** In whole words, as far as there is room. */
function idOf(title: string): string {
  const words = slug(title);
  return words.length <= MAX_ID ? words : words.slice(0, MAX_ID + 1).replace(/-[^-]*$/, '');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
