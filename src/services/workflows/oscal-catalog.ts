import { plainText } from '../../common/plain-text.js';
import { MAX_ERRORS, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { WorkflowFile } from './catalog-file.js';
import { asPartial, catalogDocumentOf, type CatalogDocument, type CatalogError } from './catalog-text.js';
import { ImportRemarks } from './import-remarks.js';
import { cut, FreeIds, idOf, lineOf, MAX_NAME, MAX_PROSE, MAX_TEXT, MAX_VERSION, wordsOf } from './imported-names.js';

/**
 * An OSCAL catalog as a workflow: its groups and controls are the headings and controls. `id` is what to store it by;
 * absent, it is made of the title. Errors name their place in the catalog.
 */
export function workflowOfCatalog({ catalog }: { catalog: unknown }, id: unknown, source?: string): CatalogDocument {
  if (isTooDeep(catalog)) return catalogDocumentOf(undefined, [{ path: ['catalog'], sentence: TOO_DEEP }]);
  const reader = new CatalogReader(catalog);
  const file = reader.read(asPartial(catalog), id, source);
  if (reader.errors.length > 0) return catalogDocumentOf(undefined, reader.errors);
  return { ...catalogDocumentOf(file), originOf: reader.originOf };
}

/** As deep as a body of REST may be; reading a catalog recurses. */
const MAX_LEVELS = 32;

export const TOO_DEEP = 'is nested too deep';

/** Walks iteratively, level by level, because the stack is bounded. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

export type Fields = Partial<Record<string, unknown>>;

/** The keys that are read of a catalog and its parts; `uuid`, `class` and `ns` have no text. */
const READ = {
  catalog: new Set(['uuid', 'metadata', 'params', 'groups', 'controls']),
  group: new Set(['id', 'title', 'class', 'params', 'parts', 'groups', 'controls']),
  control: new Set(['id', 'title', 'class', 'params', 'props', 'parts', 'controls']),
  parameter: new Set(['id', 'class', 'label', 'values']),
  part: new Set(['id', 'uuid', 'name', 'ns', 'class', 'props', 'prose', 'parts']),
};
/** Properties that are read. */
const PROPERTIES = new Set<unknown>(['status', 'label']);

class CatalogReader {
  readonly errors: CatalogError[] = [];
  /** Ids of the catalog, and generated ones. */
  private readonly ids: FreeIds;
  /** How parameters of the catalog, its groups and its controls are shown, by their ids. */
  private readonly parameters: ReadonlyMap<unknown, string | undefined>;
  private readonly controls: WorkflowFile['controls'] = [];
  /** The place of each control in the catalog. */
  private readonly places: Path[] = [];
  /** With their descendants. */
  private withdrawn = 0;
  private readonly remarks = new ImportRemarks();

  constructor(catalog: unknown) {
    const nodes = nodesIn(asPartial(catalog));
    this.ids = new FreeIds(nodes.map(({ id }) => id));
    this.parameters = new Map(nodes.toReversed().flatMap((node) => [...parametersOf(node)]));
  }

  read(catalog: Fields, id: unknown, source?: string): Fields {
    const metadata = asPartial(catalog['metadata']);
    const title = this.text(metadata, 'title', ['catalog', 'metadata']);
    const version = this.remarks.line(this.text(metadata, 'version', ['catalog', 'metadata']), MAX_VERSION);
    this.addUnread(catalog, READ.catalog);
    this.children(catalog, ['catalog'], undefined);
    const name = this.remarks.line(title, MAX_NAME);
    return {
      ...{ id: id ?? idOf(title), name, version },
      source: { text: cut(source ?? `OSCAL catalog: ${name}, version ${version}.`, MAX_PROSE) },
      licence: 'The publisher of the catalog holds the rights in its titles, and states the terms of use.',
      ...this.remarks.with(this.withdrawn > 0 ? [`Withdrawn controls are left out: ${this.withdrawn}.`] : []),
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

  /** A group without a control, for example because all are withdrawn, is omitted: it would look like a control. */
  private group(group: Fields, path: Path, parent: string | undefined): void {
    const title = this.text(group, 'title', path);
    // From the original title, so that it does not change with values of parameters.
    const id = group['id'] === undefined ? this.madeId(title) : this.text(group, 'id', path);
    const before = this.controls.length;
    const shown: Shown = (parameter) => this.parameters.get(parameter);
    this.add(id, withParameters(title, shown), path, parent);
    this.addUnread(group, READ.group);
    this.addParts(listOf(group['parts']));
    this.children(group, path, id);
    if (this.controls.length > before + 1) return;
    this.controls.pop();
    this.places.pop();
  }

  /** An enhancement is a control of its own, a sibling of its control, which would otherwise become a heading. */
  private control(control: Fields, path: Path, parent: string | undefined): void {
    if (isWithdrawn(control)) return void (this.withdrawn += nodesIn(control).length);
    const id = this.text(control, 'id', path);
    // Those of the control itself first, where several have one id.
    const own = parametersOf(control);
    const shown: Shown = (parameter) => own.get(parameter) ?? this.parameters.get(parameter);
    const title = withParameters(this.text(control, 'title', path), shown);
    const statement = this.statement(control, shown);
    this.addUnread(control, READ.control);
    this.add(id, labelOf(control, title, statement), path, parent, statement);
    this.items(control, 'controls', path, (inner, place) =>
      this.control(inner, place, isEnhancement(inner) ? parent : id),
    );
  }

  private add(id: string, title: string, path: Path, parent: string | undefined, text = ''): void {
    // A statement has its first line as well.
    const label = text.includes(title) ? lineOf(title, MAX_NAME) : this.remarks.line(title, MAX_NAME);
    const own = { ...(parent !== undefined && { parent }), ...(text !== '' && text !== label && { text }) };
    this.controls.push({ id, label, kind: 'control', ...own });
    this.places.push(path);
  }

  /** The statement of a control with its items, each on a line, with parameters in their places. */
  private statement(control: Fields, shown: Shown): string {
    const parts = listOf(control['parts']);
    const statement = parts.find(({ name }) => name === 'statement');
    this.addParts(parts.filter((part) => part !== statement));
    if (statement === undefined) return '';
    const whole = [...this.prose(statement)].join('\n');
    const short = this.remarks.cut(whole, MAX_TEXT);
    const text = withParameters(short, shown).replaceAll(LINK, '$1');
    return short === whole ? this.remarks.cut(text, MAX_TEXT) : cut(text, MAX_TEXT);
  }

  private *prose(part: Fields): Generator<string> {
    const { prose, parts, props } = part;
    this.addUnread(part, READ.part);
    const text = typeof prose === 'string' ? prose.trim() : '';
    const label = listOf(props).find(({ name }) => name === 'label')?.['value'];
    if (text !== '') yield typeof label === 'string' ? `${label} ${text}` : text;
    for (const inner of listOf(parts)) {
      if (inner['name'] === 'item') yield* this.prose(inner);
      else this.addParts([inner]);
    }
  }

  /** Adds what is not stored of a part: its other keys, those of its parameters, and its other properties. */
  private addUnread(part: Fields, read: ReadonlySet<string>): void {
    this.remarks.addUnread(part, read);
    for (const parameter of listOf(part['params'])) this.remarks.addUnread(parameter, READ.parameter);
    if (listOf(part['props']).some(({ name }) => !PROPERTIES.has(name))) this.remarks.addName('props');
  }

  private addParts(parts: readonly Fields[]): void {
    for (const { name } of parts) this.remarks.addName(plainText(name));
  }

  /** Of a title that no other group has, however long it is and in whatever script. */
  private madeId(title: string): string {
    return this.ids.take(wordsOf(title) || 'group');
  }

  /** Reads no more than what is refused for its number anyway. */
  private items(of: Fields, key: string, path: Path, read: (item: Fields, path: Path) => void): void {
    const list = of[key] ?? [];
    if (!Array.isArray(list)) return void this.errors.push({ path: [...path, key], sentence: 'must be a list' });
    for (const [index, item] of list.entries()) {
      if (this.errors.length >= MAX_ERRORS || this.controls.length > LIMITS.workflowImport.controls) return;
      read(asPartial(item), [...path, key, index]);
    }
  }

  private text(of: Fields, key: string, path: Path): string {
    const value = of[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.errors.push({ path: [...path, key], sentence: 'must be a text' });
    return '';
  }
}

/** The catalog, its groups and its controls, the outer ones first. */
export function nodesIn(catalog: Fields): Fields[] {
  const open = [catalog];
  for (const { groups, controls } of open)
    for (const list of [groups, controls]) if (Array.isArray(list)) for (const item of list) open.push(asPartial(item));
  return open;
}

function isWithdrawn({ props }: Fields): boolean {
  return listOf(props).some(({ name, value }) => name === 'status' && plainText(value).toLowerCase() === 'withdrawn');
}

/** As NIST classes them: `SP800-53-enhancement`. */
function isEnhancement({ class: kind }: Fields): boolean {
  return /enhancement$/i.test(plainText(kind));
}

/** The title, or the requirement if the title only repeats the id: `GV.OC-01`, `Control: ism-1997`. */
function labelOf(control: Fields, title: string, statement: string): string {
  const bare = title
    .replace(/^\s*\p{L}+:\s/u, '')
    .trim()
    .toLowerCase();
  const numbers = [control['id'], labelProperty(control)].map((id) => plainText(id).toLowerCase());
  if (!numbers.includes(bare)) return title;
  return statement.split('\n')[0] || title;
}

/** The number as people write it; a label without a digit is a title. */
function labelProperty({ props }: Fields): unknown {
  const label = listOf(props).find(({ name }) => name === 'label')?.['value'];
  return /\d/.test(plainText(label)) ? label : undefined;
}

/** The text of a parameter in a statement: its values, or its name without one. */
export function shownParameter({ values, label }: Fields): string | undefined {
  const shown =
    Array.isArray(values) && values.length > 0 ? values.map((value) => plainText(value ?? '')).join(', ') : label;
  return typeof shown === 'string' ? shown : undefined;
}

type Shown = (parameter: string) => string | undefined;

function parametersOf({ params }: Fields): ReadonlyMap<unknown, string | undefined> {
  return new Map(listOf(params).map((parameter) => [parameter['id'], shownParameter(parameter)]));
}

/** Inserts parameters up to the length of a text: a large one may occur many times, in every control. */
function withParameters(text: string, shown: Shown): string {
  let remaining = MAX_TEXT;
  return text.replaceAll(PARAMETER, (insert: string, id: string) => {
    if (remaining <= 0) return insert;
    const parameter = `[${cut(shown(id) ?? id, MAX_TEXT)}]`;
    remaining -= parameter.length;
    return parameter;
  });
}

const PARAMETER = /\{\{\s*insert:\s*param,\s*([^\s{}]+)\s*\}\}/g;
/** A link of Markdown, which OSCAL's prose is. */
const LINK = /\[([^\][]*)\]\([^()]*\)/g;

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(asPartial) : [];
}
