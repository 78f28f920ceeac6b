import { plainText } from '../../common/plain-text.js';
import type { Path } from '../../errors.js';
import type { CatalogWorkflow } from './catalog-file.js';
import { asPartial, type CatalogDocument } from './catalog-text.js';
import { oncePerWorkflow } from './catalog.js';
import { controlIdOf, LibraryReader, mappingSetsIn, tailOf, type LibraryIds } from './ciso-library.js';
import type { MappingFile } from './control-mappings.js';
import { idOf, keyOf } from './imported-names.js';
import type { Fields } from './oscal-catalog.js';

/** The keys that are read. */
const READ = {
  objects: new Set(['requirement_mapping_sets', 'requirement_mapping_set']),
  set: new Set([
    ...['urn', 'ref_id', 'name', 'description', 'source_framework_urn', 'target_framework_urn'],
    ...['requirement_mappings'],
  ]),
  mapping: new Set(['source_requirement_urn', 'target_requirement_urn', 'relationship']),
};

/** The mapping of a library between two known workflows. */
export function mappingOfLibrary(
  library: CatalogDocument,
  ids: LibraryIds,
  known: readonly CatalogWorkflow[],
): CatalogDocument {
  return new MappingReader(library, known).read(ids);
}

class MappingReader extends LibraryReader {
  private readonly pairs = new Map<string, { path: Path; matches: Set<string> }>();
  private readonly relationships = new Map<string, number>();
  private unrelated = 0;

  constructor(
    document: CatalogDocument,
    private readonly known: readonly CatalogWorkflow[],
  ) {
    super(document);
  }

  read({ id, from, to }: LibraryIds): CatalogDocument {
    const [key, sets] = mappingSetsIn(this.objects) ?? ['', []];
    this.remarks.addUnread(this.objects, READ.objects);
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
      ...this.remarks.with([
        ...(said === '' ? [] : [`Relationships of the library, each read as one of the same subject: ${said}.`]),
        ...(this.unrelated > 0 ? [`Pairs that are not related are left out: ${this.unrelated}.`] : []),
      ]),
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
    this.remarks.addUnread(set, READ.set);
    for (const [index, item] of this.list(set, 'requirement_mappings', path).entries()) {
      if (this.isFull) return;
      const [pair, place] = [asPartial(item), [...path, 'requirement_mappings', index]];
      this.remarks.addUnread(pair, READ.mapping);
      const relationship = plainText(pair['relationship']);
      if (relationship === 'not_related') {
        this.unrelated += 1;
        continue;
      }
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

/** Addresses of a library are in lower case. */
const idsOf = oncePerWorkflow(({ controls }) => new Map(controls.map(({ id }) => [id.toLowerCase(), id])));
