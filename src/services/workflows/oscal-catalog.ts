import {
  asPartial,
  catalogDocumentOf,
  type CatalogDocument,
  type CatalogError,
  type Path,
  type WorkflowFile,
} from './catalog-file.js';

/** Whether it is an OSCAL catalog, a resolved profile among them: its root has one key that says so. */
export function isOscalCatalog(data: unknown): data is { catalog: unknown } {
  return asPartial(data)['catalog'] !== undefined;
}

/**
 * An OSCAL catalog as a workflow: its groups and controls are the headings and controls. `id` is what to store it by;
 * absent, it is made of the title. Errors name their place in the catalog.
 */
export function workflowOfCatalog({ catalog }: { catalog: unknown }, id: unknown): CatalogDocument {
  const reader = new CatalogReader();
  if (isTooDeep(catalog)) reader.fail(['catalog'], 'is nested too deep');
  else reader.read(asPartial(catalog));
  if (reader.errors.length > 0) return { ...catalogDocumentOf(undefined), syntaxErrors: reader.errors };
  const { metadata } = asPartial(catalog);
  return { ...catalogDocumentOf(reader.file(asPartial(metadata), id)), originOf: reader.originOf };
}

/** As deep as a body of REST may be; reading a catalog recurses. */
const MAX_LEVELS = 32;
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

  read(catalog: Fields): void {
    const metadata = asPartial(catalog['metadata']);
    this.text(metadata, 'title', ['catalog', 'metadata']);
    this.text(metadata, 'version', ['catalog', 'metadata']);
    this.children(catalog, ['catalog'], undefined);
  }

  file(metadata: Fields, id: unknown): Fields {
    const { title, version } = metadata as { title: string; version: string };
    return {
      id: id ?? idOf(title),
      name: label(title),
      version: shortened(line(version), MAX_VERSION),
      source: { text: `OSCAL catalog: ${label(title)}, version ${shortened(line(version), MAX_VERSION)}.` },
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
    if (this.controls.length === before + 1) this.drop();
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
    this.controls.push({ id, label: label(title), ...(parent !== undefined && { parent }), kind: 'control' });
    this.places.push(path);
  }

  private drop(): void {
    this.controls.pop();
    this.places.pop();
  }

  private items(of: Fields, key: string, path: Path, read: (item: Fields, path: Path) => void): void {
    const list = of[key] ?? [];
    if (!Array.isArray(list)) return this.fail([...path, key], 'must be a list');
    for (const [index, item] of list.entries()) read(asPartial(item), [...path, key, index]);
  }

  private text(of: Fields, key: string, path: Path): string {
    const value = of[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.fail([...path, key], 'must be a text');
    return '';
  }

  fail(path: Path, sentence: string): void {
    this.errors.push({ path, line: undefined, sentence });
  }
}

function isWithdrawn({ props }: Fields): boolean {
  if (!Array.isArray(props)) return false;
  return props
    .map(asPartial)
    .some(({ name, value }) => name === 'status' && String(value).toLowerCase() === 'withdrawn');
}

/** As NIST classes them: `SP800-53-enhancement`. */
function isEnhancement({ class: kind }: Fields): boolean {
  return /enhancement$/i.test(String(kind));
}

function label(title: string): string {
  return shortened(line(title), MAX_NAME);
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function shortened(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .trimEnd()
        .toWellFormed()}…`;
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

/** Walks with a list instead of the stack, level by level. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
