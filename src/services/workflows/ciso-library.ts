import { composed } from '../../common/composed-text.js';
import { plainText } from '../../common/plain-text.js';
import { MAX_ERRORS, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { CatalogWorkflow, WorkflowFile } from './catalog-file.js';
import { asPartial, catalogDocumentOf, type CatalogDocument, type CatalogError } from './catalog-text.js';
import { oncePerWorkflow } from './catalog.js';
import type { MappingFile } from './control-mappings.js';
import type { Fields } from './oscal-catalog.js';
import {
  cut,
  FreeIds,
  idOf,
  inWords,
  keyOf,
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

/** The mapping of a library between two known workflows. */
export function mappingOfLibrary(
  library: CatalogDocument,
  ids: LibraryIds,
  known: readonly CatalogWorkflow[],
): CatalogDocument {
  return new MappingReader(library, known).read(ids);
}

/** Reads parts of a library, and collects errors. */
class LibraryReader {
  protected readonly library: Fields;
  protected readonly objects: Fields;
  private readonly errors: CatalogError[] = [];

  constructor(private readonly document: CatalogDocument) {
    this.library = asPartial(document.data);
    this.objects = asPartial(this.library['objects']);
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
      source: { text: cut(isText(description) ? `${text} ${description.trim()}` : text, MAX_PROSE) },
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
    const used = this.usedNodes();
    const controls = used.map(({ control, parent }) => {
      const heading = parent === undefined ? undefined : this.nodes.get(parent);
      return { ...control, ...(heading && { parent: heading.control.id }) };
    });
    const left = this.nodes.size - used.length;
    const name = isText(framework['name']) ? framework['name'] : this.text(this.library, 'name', []);
    const file = {
      id: id ?? idOf(tailOf(plainText(framework['urn']))),
      name: lineOf(name, MAX_NAME),
      version: lineOf(this.text(this.library, 'version', []), MAX_VERSION),
      ...this.origin,
      ...(left > 0 && { remarks: `Parts below which nothing is assessed are left out: ${left}.` }),
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
    const label = lineOf(name || text || number, MAX_NAME);
    const control = {
      id,
      label,
      ...(text && text !== label && { text: cut(text, MAX_TEXT) }),
      kind: 'control' as const,
    };
    const parent = above?.isControl === true ? above.parent : above?.urn;
    this.nodes.set(urn, { isControl: isTrue(node['assessable']), parent, urn, path, control });
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

/** Maximum; in some libraries, many nodes are omitted. */
const MAX_NODES = 4 * LIMITS.workflowImport.controls;

const ORIGINS: Partial<Record<string | number, string>> = {
  id: 'ref_id',
  label: 'name',
  text: 'description',
  parent: 'parent_urn',
};

class MappingReader extends LibraryReader {
  private readonly pairs = new Map<string, { path: Path; matches: Set<string> }>();
  private readonly relationships = new Map<string, number>();

  constructor(
    document: CatalogDocument,
    private readonly known: readonly CatalogWorkflow[],
  ) {
    super(document);
  }

  read({ id, from, to }: LibraryIds): CatalogDocument {
    const [key, sets] = mappingSetsIn(this.objects) ?? ['', []];
    if (key === '') this.refuse(['objects'], 'has no requirement_mapping_sets');
    const places: Path[] = sets.map((_set, index) => [
      'objects',
      key,
      ...(Array.isArray(this.objects[key]) ? [index] : []),
    ]);
    const [first = {}] = sets;
    const ours = this.workflow(first, 'source_framework_urn', places[0] ?? [], from, 'from');
    const theirs = this.workflow(first, 'target_framework_urn', places[0] ?? [], to, 'to');
    const ends = [first['source_framework_urn'], first['target_framework_urn']];
    for (const [index, set] of sets.entries()) {
      const own = [set['source_framework_urn'], set['target_framework_urn']];
      const isReverse = own[0] === ends[1] && own[1] === ends[0];
      if (!isReverse && (own[0] !== ends[0] || own[1] !== ends[1]))
        this.refuse(places[index] ?? [], 'is of other frameworks than the first: send one at a time');
      else if (ours && theirs) this.readSet(set, places[index] ?? [], isReverse, ours, theirs);
    }
    const pairs = [...this.pairs].map(([control, { matches }]) => ({ control, matches: [...matches] }));
    const said = [...this.relationships].map(([relationship, count]) => `${relationship} ${count}`).join(', ');
    const file: Partial<MappingFile> & Fields = {
      id: (id as string | undefined) ?? idOf(tailOf(String(this.library['urn']))),
      from: ours?.id ?? '',
      to: theirs?.id ?? '',
      ...this.origin,
      ...(said !== '' && { remarks: `Relationships of the library, each read as one of the same subject: ${said}.` }),
      pairs,
    };
    const read = [...this.pairs.values()];
    return this.done(file, (path) => {
      if (path[0] === 'licence') return ['copyright'];
      return path[0] === 'pairs' ? (read[Number(path[1])]?.path ?? ['objects', key]) : path;
    });
  }

  private readSet(set: Fields, path: Path, isReverse: boolean, ours: CatalogWorkflow, theirs: CatalogWorkflow): void {
    const [source, target] = isReverse ? [theirs, ours] : [ours, theirs];
    for (const [index, item] of this.list(set, 'requirement_mappings', path).entries()) {
      if (this.isFull) return;
      const [pair, place] = [asPartial(item), [...path, 'requirement_mappings', index]];
      const relationship = plainText(pair['relationship']);
      if (relationship === 'not_related') continue;
      if (!RELATIONSHIPS.has(relationship))
        this.refuse([...place, 'relationship'], `must be one of ${[...RELATIONSHIPS].join(', ')}, not_related`);
      const one = this.control(pair, 'source_requirement_urn', place, source);
      const other = this.control(pair, 'target_requirement_urn', place, target);
      if (one === undefined || other === undefined) continue;
      if (!isReverse) this.relationships.set(relationship, (this.relationships.get(relationship) ?? 0) + 1);
      const [control, match] = isReverse ? [other, one] : [one, other];
      const known = this.pairs.get(control) ?? { path: place, matches: new Set() };
      this.pairs.set(control, known);
      known.matches.add(match);
    }
  }

  private workflow(set: Fields, key: string, path: Path, given: unknown, name: string): CatalogWorkflow | undefined {
    if (given !== undefined) {
      const named = this.known.find(({ id }) => id === given);
      if (named === undefined) this.refuse([name], 'is no workflow of the catalogue');
      return named;
    }
    if (path.length === 0) return undefined;
    const framework = tailOf(this.text(set, key, path));
    const found = this.known.find(({ id }) => keyOf(id) === keyOf(framework));
    if (found === undefined)
      this.refuse(
        [...path, key],
        `is of no workflow that is there: import its framework first, or name a workflow in ${name}`,
      );
    return found;
  }

  private control(pair: Fields, key: string, path: Path, workflow: CatalogWorkflow): string | undefined {
    const id = idsOf(workflow).get(controlIdOf(tailOf(this.text(pair, key, path))).toLowerCase());
    if (id === undefined) this.refuse([...path, key], `is no control of ${workflow.id}`);
    return id;
  }
}

const RELATIONSHIPS: ReadonlySet<string> = new Set(['equal', 'subset', 'superset', 'intersect']);

/** The sets of mappings in a library, with their key. */
function mappingSetsIn(objects: Fields): [key: string, sets: Fields[]] | undefined {
  for (const key of ['requirement_mapping_sets', 'requirement_mapping_set'])
    if (objects[key] !== undefined) return [key, [objects[key]].flat().map(asPartial)];
  return undefined;
}

/** Addresses of a library are in lower case. */
const idsOf = oncePerWorkflow(({ controls }) => new Map(controls.map(({ id }) => [id.toLowerCase(), id])));

/** `urn:maker:risk:req_node:framework:number` has the number last; of a framework or library, the last part. */
function tailOf(urn: string): string {
  const parts = urn.split(':');
  return parts[3] === 'req_node' ? parts.slice(5).join(':') : parts.slice(4).join(':');
}

/** Hyphens replace characters that ids cannot have: `AC-2(1)` is `AC-2-1`, and `R7+` is `R7-plus`. */
function controlIdOf(number: string): string {
  const id = composed(number)
    .replaceAll('+', '-plus')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[.-]+|-+$/g, '');
  return inWords(id, MAX_MADE_ID);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Every scalar of YAML is text here. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
