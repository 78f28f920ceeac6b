import { composed } from '../../common/composed-text.js';
import { plainText } from '../../common/plain-text.js';
import { MAX_ERRORS, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { WorkflowFile } from './catalog-file.js';
import { asPartial, catalogDocumentOf, type CatalogDocument, type CatalogError } from './catalog-text.js';
import { ImportRemarks } from './import-remarks.js';
import type { Fields } from './oscal-catalog.js';
import {
  FreeIds,
  idOf,
  inWords,
  lineOf,
  MAX_MADE_ID,
  MAX_NAME,
  MAX_PROSE,
  MAX_TEXT,
  MAX_VERSION,
} from './imported-names.js';

/** Ids given beside a library. */
export interface LibraryIds {
  id?: unknown;
  /** Workflows of a mapping, if they differ from those of its frameworks. */
  from?: unknown;
  to?: unknown;
}

/** The framework of a library as a workflow: assessable nodes are its controls, others its headings. */
export function workflowOfLibrary(library: CatalogDocument, { id }: LibraryIds): CatalogDocument {
  return new FrameworkReader(library).read(id);
}

/** Reads parts of a library, and collects errors. */
export class LibraryReader {
  protected readonly library: Fields;
  protected readonly objects: Fields;
  protected readonly remarks = new ImportRemarks();
  private readonly errors: CatalogError[] = [];

  constructor(private readonly document: CatalogDocument) {
    this.library = asPartial(document.data);
    this.objects = asPartial(this.library['objects']);
    this.remarks.addUnread(this.library, READ.library);
  }

  /** The parsed content or its errors; `originOf` maps a place in it to the library. */
  protected done(file: Fields, originOf: (path: Path) => Path): CatalogDocument {
    const { document, errors } = this;
    const read = catalogDocumentOf(errors.length > 0 ? undefined : file, errors.slice(0, MAX_ERRORS));
    // Values given beside the library have no line.
    const lineOf = (path: Path) => {
      const [key = '', ...rest] = originOf(path);
      return Object.hasOwn(this.library, key) ? document.lineOf([key, ...rest]) : undefined;
    };
    return { ...read, originOf, lineOf };
  }

  /** Publisher and terms, in full. */
  protected get origin() {
    const { urn, provider, packager, version, publication_date: day, description, copyright } = this.library;
    const edition = `version ${plainText(version)}${typeof day === 'string' ? ` of ${day}` : ''}`;
    const makers = [
      isText(provider) ? [`provided by ${provider}`] : [],
      isText(packager) ? [`packaged by ${packager}`] : [],
    ];
    const text = `CISO Assistant library ${String(urn)}, ${[edition, ...makers.flat()].join(', ')}.`;
    return {
      source: { text: this.remarks.cut(isText(description) ? `${text} ${description.trim()}` : text, MAX_PROSE) },
      licence: isText(copyright) ? copyright.trim() : 'The library does not say under which terms it may be used.',
    };
  }

  protected get isFull(): boolean {
    return this.errors.length >= MAX_ERRORS;
  }

  protected refuse(path: Path, sentence: string): void {
    this.errors.push({ path, sentence });
  }

  protected list(of: Fields, key: string, path: Path): unknown[] {
    const list = of[key];
    if (Array.isArray(list)) return list;
    this.refuse([...path, key], 'must be a list');
    return [];
  }

  /** Every scalar of YAML is text here. */
  protected truth(of: Fields, key: string, path: Path): boolean {
    const value = String(of[key] ?? false).toLowerCase();
    if (value !== 'true' && value !== 'false') this.refuse([...path, key], 'must be true or false');
    return value === 'true';
  }

  protected text(of: Fields, key: string, path: Path): string {
    const value = typeof of[key] === 'number' ? String(of[key]) : of[key];
    if (isText(value)) return value.trim();
    this.refuse([...path, key], 'must be a text');
    return '';
  }
}

/** A parsed part of a framework. */
interface Node {
  isControl: boolean;
  /** The nearest heading above it. */
  parent: string | undefined;
  urn: string;
  path: Path;
  control: WorkflowFile['controls'][number];
}

class FrameworkReader extends LibraryReader {
  private readonly nodes = new Map<string, Node>();
  private readonly numbers = new Set<string>();
  private readonly ids = new FreeIds();

  read(id: unknown): CatalogDocument {
    const path = ['objects', 'framework'];
    const framework = asPartial(this.objects['framework']);
    if (this.objects['framework'] === undefined)
      this.refuse(['objects'], `has no framework${mappingSetsIn(this.objects) ? ': import it as a MAPPING' : ''}`);
    else this.readNodes(framework, path);
    this.remarks.addUnread(this.objects, READ.framework);
    this.remarks.addUnread(framework, READ.ofFramework);
    const used = this.usedNodes();
    const controls = used.map(({ control, parent }) => {
      const heading = parent === undefined ? undefined : this.nodes.get(parent);
      return { ...control, ...(heading && { parent: heading.control.id }) };
    });
    const left = this.nodes.size - used.length;
    const name = isText(framework['name']) ? framework['name'] : this.text(this.library, 'name', []);
    const file = {
      id: id ?? idOf(tailOf(plainText(framework['urn']))),
      name: this.remarks.line(name, MAX_NAME),
      version: this.remarks.line(this.text(this.library, 'version', []), MAX_VERSION),
      ...this.origin,
      ...this.remarks.with(left > 0 ? [`Parts below which nothing is assessed are left out: ${left}.`] : []),
      controls,
    };
    return this.done(file, ([list, index, key, ...rest]) => {
      if (list === 'licence') return ['copyright'];
      const node = list === 'controls' ? used[Number(index)] : undefined;
      if (node === undefined)
        return list === 'controls'
          ? [...path, 'requirement_nodes']
          : [list, index, key, ...rest].filter((part) => part !== undefined);
      return [...node.path, key === undefined ? 'urn' : (ORIGINS[key] ?? key)];
    });
  }

  /** Nodes follow their parent: no node is its own ancestor. */
  private readNodes(framework: Fields, path: Path): void {
    const nodes = this.list(framework, 'requirement_nodes', path);
    const place = [...path, 'requirement_nodes'];
    if (nodes.length > MAX_NODES) return this.refuse(place, `must NOT have more than ${MAX_NODES} items`);
    for (const [index, item] of nodes.entries()) {
      if (this.isFull) return;
      this.readNode(asPartial(item), [...place, index]);
    }
  }

  private readNode(node: Fields, path: Path): void {
    const urn = this.text(node, 'urn', path);
    if (this.nodes.has(urn)) return this.refuse([...path, 'urn'], 'is there twice');
    const { parent_urn: parentUrn } = node;
    const above = this.nodes.get(plainText(parentUrn));
    if (parentUrn != null && above === undefined)
      return this.refuse([...path, 'parent_urn'], 'no node before this one has this urn');
    const number = node['ref_id'] == null ? tailOf(urn) : this.text(node, 'ref_id', path);
    if (this.numbers.has(number)) return this.refuse([...path, 'ref_id'], 'is there twice');
    this.numbers.add(number);
    // Mappings use the end of the address; the number replaces it if both are equal but for case.
    const [written, end] = [controlIdOf(number), controlIdOf(tailOf(urn))];
    const id = this.ids.take((written.toLowerCase() === end.toLowerCase() ? written : end) || 'part');
    const [name, text] = [node['name'], node['description']].map((value) => (isText(value) ? value.trim() : ''));
    this.remarks.addUnread(node, READ.node);
    // A description has its beginning as well.
    const label = name ? this.remarks.line(name, MAX_NAME) : lineOf(text || number, MAX_NAME);
    const control = {
      id,
      label,
      ...(text && text !== label && { text: this.remarks.cut(text, MAX_TEXT) }),
      kind: 'control' as const,
    };
    const parent = above?.isControl === true ? above.parent : above?.urn;
    const isControl = this.truth(node, 'assessable', path);
    this.nodes.set(urn, { isControl, parent, urn, path, control });
  }

  /** A heading without controls would look like a control. Parents precede children. */
  private usedNodes(): Node[] {
    const headings = new Set<string | undefined>();
    const used = [...this.nodes.values()].toReversed().filter(({ isControl, parent, urn }) => {
      const stays = isControl || headings.has(urn);
      if (stays) headings.add(parent);
      return stays;
    });
    return used.toReversed();
  }
}

/** The keys that are read. */
const READ = {
  library: new Set([
    ...['urn', 'locale', 'ref_id', 'name', 'description', 'copyright', 'version', 'publication_date', 'provider'],
    ...['packager', 'objects'],
  ]),
  framework: new Set(['framework']),
  ofFramework: new Set(['urn', 'ref_id', 'name', 'description', 'requirement_nodes']),
  node: new Set(['urn', 'parent_urn', 'assessable', 'depth', 'ref_id', 'name', 'description']),
};

/** Maximum; in some libraries, many nodes are omitted. */
const MAX_NODES = 4 * LIMITS.workflowImport.controls;

const ORIGINS: Partial<Record<string | number, string>> = {
  id: 'ref_id',
  label: 'name',
  text: 'description',
  parent: 'parent_urn',
};

/** The sets of mappings in a library, with their key. */
export function mappingSetsIn(objects: Fields): [key: string, sets: Fields[]] | undefined {
  for (const key of ['requirement_mapping_sets', 'requirement_mapping_set'])
    if (objects[key] !== undefined) return [key, [objects[key]].flat().map(asPartial)];
  return undefined;
}

/** `urn:maker:risk:req_node:framework:number` has the number last; of a framework or library, the last part. */
export function tailOf(urn: string): string {
  const parts = urn.split(':');
  return parts[3] === 'req_node' ? parts.slice(5).join(':') : parts.slice(4).join(':');
}

/** Hyphens replace characters that ids cannot have: `AC-2(1)` is `AC-2-1`, and `R7+` is `R7-plus`. */
export function controlIdOf(number: string): string {
  const id = composed(number)
    .replaceAll('+', '-plus')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[.-]+|-+$/g, '');
  return inWords(id, MAX_MADE_ID);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
