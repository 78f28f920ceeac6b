import { plainText } from '../../common/plain-text.js';
import { MAX_ERRORS, type Path } from '../../errors.js';
import { leavesOf } from './catalog.js';
import type { CatalogWorkflow } from './catalog-file.js';
import { asPartial, catalogDocumentOf, type CatalogDocument, type CatalogError } from './catalog-text.js';
import { unknownKey } from './catalog-schema.js';
import { keyOf } from './imported-names.js';
import {
  isTooDeep,
  listOf,
  nodesIn,
  shownParameter,
  TOO_DEEP,
  workflowOfCatalog,
  type Fields,
} from './oscal-catalog.js';

/** A profile as its file has it, with the catalog that it imports if that was sent. */
export interface SentProfile {
  profile: unknown;
  catalog?: unknown;
}

const FIRST = 'resolve the profile first';

/** The keys that OSCAL defines for a profile and its parts. */
const KEYS = {
  profile: new Set(['uuid', 'metadata', 'imports', 'merge', 'modify', 'back-matter']),
  import: new Set(['href', 'include-all', 'include-controls', 'exclude-controls']),
  selection: new Set(['with-child-controls', 'with-ids', 'matching']),
  merge: new Set(['combine', 'flat', 'as-is', 'custom']),
  modify: new Set(['set-parameters', 'alters']),
  parameter: new Set([
    ...['param-id', 'class', 'depends-on', 'props', 'links', 'label', 'usage', 'constraints', 'guidelines'],
    ...['values', 'select'],
  ]),
  alter: new Set(['control-id', 'removes', 'adds']),
};
/** Selections of single controls, each as often as it is made: a few words may select all of them, any number of times. */
const MAX_SELECTIONS = 100_000;

/**
 * An OSCAL profile as a workflow: the controls that it selects of the catalog that was sent along or, without one, of a
 * workflow that is known. What it says beyond that selection and values of parameters is refused.
 */
export function workflowOfProfile(
  { profile, catalog }: SentProfile,
  id: unknown,
  known: readonly CatalogWorkflow[],
): CatalogDocument {
  if (isTooDeep(profile)) return catalogDocumentOf(undefined, [{ path: ['profile'], sentence: TOO_DEEP }]);
  if (catalog !== undefined) {
    // Its errors name their places in it.
    const whole = workflowOfCatalog({ catalog }, id);
    if (whole.syntaxErrors.length > 0) return whole;
  }
  const sent = catalog === undefined ? undefined : asPartial(catalog);
  const reader = new ProfileReader(asPartial(profile), sent, known);
  const resolved = reader.resolve();
  if (resolved === undefined) return catalogDocumentOf(undefined, reader.errors.slice(0, MAX_ERRORS));
  const { title, version } = asPartial(asPartial(profile)['metadata']);
  const source = `OSCAL profile: ${plainText(title)}, version ${plainText(version)}, of ${resolved.source}.`;
  return workflowOfCatalog({ catalog: resolved.catalog }, id, source);
}

/** Values and labels that the profile gives parameters, by their ids. */
type Settings = ReadonlyMap<unknown, Fields>;

interface Selection {
  ids: ReadonlySet<unknown>;
  settings: Settings;
}

class ProfileReader {
  readonly errors: CatalogError[] = [];
  private selections = 0;

  constructor(
    private readonly profile: Fields,
    /** The catalog that was sent along; it says more than a workflow that was made of one. */
    private readonly sent: Fields | undefined,
    private readonly known: readonly CatalogWorkflow[],
  ) {}

  /** The selected controls as a catalog of its own; undefined where something is wrong. */
  resolve(): { catalog: Fields; source: string } | undefined {
    const { metadata, imports, merge, modify } = this.profile;
    this.checkKeys(this.profile, ['profile'], KEYS.profile);
    this.checkKeys(asPartial(merge), ['profile', 'merge'], KEYS.merge);
    this.checkKeys(asPartial(modify), ['profile', 'modify'], KEYS.modify);
    for (const field of ['title', 'version'])
      if (typeof asPartial(metadata)[field] !== 'string') this.refuse(['profile', 'metadata', field], 'must be a text');
    if (asPartial(merge)['custom'] !== undefined)
      this.refuse(['profile', 'merge', 'custom'], `orders controls anew: ${FIRST}`);
    if (!Array.isArray(imports) || imports.length === 0) {
      this.refuse(['profile', 'imports'], 'must be a list of what it imports');
      return undefined;
    }
    const catalog = this.catalogOf(imports.map(asPartial));
    if (catalog === undefined) return undefined;
    const controls = new Map(controlsIn(catalog).map((control) => [control['id'], control]));
    const selected = new Set<unknown>();
    for (const [index, item] of imports.map(asPartial).entries())
      for (const id of this.selectedBy(item, ['profile', 'imports', index], controls)) selected.add(id);
    const parameters = nodesIn(catalog)
      .toReversed()
      .flatMap(({ params }) => listOf(params));
    const settings = this.settings(asPartial(modify), new Set(parameters.map(({ id: parameter }) => parameter)));
    this.checkAlters(asPartial(modify), selected);
    if (this.errors.length > 0) return undefined;
    const { title, version } = asPartial(catalog['metadata']);
    const { alters, 'set-parameters': set } = asPartial(modify);
    return {
      catalog: {
        ...selectIn(catalog, { ids: selected, settings }),
        metadata,
        params: [
          // With those of what is not selected, which inner controls may show.
          ...withSettings(parameters, settings),
          // The remarks name what else they set, and alterations.
          ...listOf(set).map((parameter) => ({ ...parameter, 'param-id': undefined })),
        ],
        ...(alters !== undefined && { alters }),
      },
      source: `${plainText(title)}, version ${plainText(version)}`,
    };
  }

  /** One catalog alone, so that ids mean one control each. */
  private catalogOf(imports: readonly Fields[]): Fields | undefined {
    const [first, ...others] = imports.map(({ href }) => href);
    const path = ['profile', 'imports'];
    if (typeof first !== 'string') this.refuse([...path, 0, 'href'], 'must be a text');
    else if (others.some((href) => href !== first)) this.refuse(path, `are of more than one catalog: ${FIRST}`);
    else if (this.sent !== undefined) return this.sent;
    else {
      const names = new Set(this.namesOf(first).map(keyOf));
      const workflow = this.known.find(({ id, name }) => names.has(keyOf(id)) || names.has(keyOf(name)));
      if (workflow !== undefined) return catalogOfWorkflow(workflow);
      this.refuse([...path, 0, 'href'], `is of no catalog that is at hand: send that beside the profile, or ${FIRST}`);
    }
    return undefined;
  }

  /** How a reference names its catalog: by the file at the end of an address, or by a resource of the profile. */
  private namesOf(href: string): string[] {
    if (!href.startsWith('#')) return [fileOf(href)];
    const resource = listOf(asPartial(this.profile['back-matter'])['resources']).find(
      ({ uuid }) => `#${plainText(uuid)}` === href,
    );
    const links = listOf(resource?.['rlinks']).map((link) => fileOf(plainText(link['href'])));
    return [...links, ...(typeof resource?.['title'] === 'string' ? [resource['title']] : [])];
  }

  private selectedBy(item: Fields, path: Path, controls: ReadonlyMap<unknown, Fields>): Set<unknown> {
    const { 'include-all': all, 'include-controls': included, 'exclude-controls': excluded } = item;
    this.checkKeys(item, path, KEYS.import);
    if ((all === undefined) === (included === undefined))
      this.refuse(path, 'must have either include-all or include-controls');
    const found = new Set<unknown>(all !== undefined && this.mayGoOn(controls.size) ? controls.keys() : []);
    for (const id of this.idsIn(included, [...path, 'include-controls'], controls)) found.add(id);
    for (const id of this.idsIn(excluded, [...path, 'exclude-controls'], controls)) found.delete(id);
    return found;
  }

  private *idsIn(lists: unknown, path: Path, controls: ReadonlyMap<unknown, Fields>): Generator<unknown> {
    for (const [index, list] of listOf(lists).entries()) {
      const { 'with-ids': ids, 'with-child-controls': children, matching } = list;
      this.checkKeys(list, [...path, index], KEYS.selection);
      if (children === 'yes' && this.sent === undefined)
        this.refuse([...path, index, 'with-child-controls'], `needs the catalog beside the profile, or ${FIRST}`);
      if (!['yes', 'no', undefined].includes(children as string | undefined))
        this.refuse([...path, index, 'with-child-controls'], 'must be yes or no');
      if (matching !== undefined) this.refuse([...path, index, 'matching'], `selects by patterns: ${FIRST}`);
      for (const [place, id] of (Array.isArray(ids) ? (ids as unknown[]) : []).entries()) {
        if (!this.mayGoOn(1)) return;
        const control = controls.get(id);
        if (control === undefined) this.refuse([...path, index, 'with-ids', place], 'is no control of the catalog');
        else {
          const inner = children === 'yes' ? controlsIn(control) : [];
          if (!this.mayGoOn(inner.length)) return;
          yield* [...inner.map((each) => each['id']), id];
        }
      }
    }
  }

  /** Counts selections; false as soon as there are too many. */
  private mayGoOn(more: number): boolean {
    if (this.selections > MAX_SELECTIONS) return false;
    this.selections += more;
    if (this.selections <= MAX_SELECTIONS) return true;
    this.refuse(['profile', 'imports'], `must not select controls more than ${MAX_SELECTIONS} times`);
    return false;
  }

  private settings({ 'set-parameters': set }: Fields, known: ReadonlySet<unknown>): Settings {
    const path = ['profile', 'modify', 'set-parameters'];
    if (listOf(set).length > 0 && this.sent === undefined)
      this.refuse(path, `need the catalog beside the profile, or ${FIRST}`);
    const settings = new Map<unknown, Fields>();
    for (const [index, parameter] of listOf(set).entries()) {
      const { 'param-id': id, values = [] } = parameter;
      this.checkKeys(parameter, [...path, index], KEYS.parameter);
      if (this.sent !== undefined && !known.has(id))
        this.refuse([...path, index, 'param-id'], 'is no parameter of the catalog');
      const shown = shownParameter(parameter);
      if (!Array.isArray(values)) this.refuse([...path, index, 'values'], 'must be a list');
      else if (shown !== undefined)
        settings.set(id, { ...settings.get(id), ...(values.length > 0 ? { values: [shown] } : { label: shown }) });
    }
    return settings;
  }

  /** Properties, links and guidance may change: they are not stored. */
  private checkAlters({ alters }: Fields, selected: ReadonlySet<unknown>): void {
    for (const [index, alter] of listOf(alters).entries()) {
      const { 'control-id': id, adds, removes } = alter;
      this.checkKeys(alter, ['profile', 'modify', 'alters', index], KEYS.alter);
      if (!selected.has(id)) continue;
      const isRemoved = listOf(removes).some((remove) => !/^(prop|link)s?$/.test(plainText(remove['by-item-name'])));
      const isAdded = listOf(adds).some(({ title, parts, params }) => {
        const isOfStatement = listOf(parts).some(({ name }) => name === 'statement' || name === 'item');
        return title !== undefined || params !== undefined || isOfStatement;
      });
      if (isRemoved || isAdded)
        this.refuse(['profile', 'modify', 'alters', index], `changes what a control says: ${FIRST}`);
    }
  }

  /** A misspelt selection would select other controls. */
  private checkKeys(part: Fields, path: Path, known: ReadonlySet<string>): void {
    for (const key of Object.keys(part))
      if (!known.has(key) && this.errors.length < MAX_ERRORS) this.refuse(path, unknownKey(key));
  }

  private refuse(path: Path, sentence: string): void {
    this.errors.push({ path, sentence });
  }
}

/** Every control in it, at any depth. */
function controlsIn(within: Fields): Fields[] {
  const found: Fields[] = [];
  const open = [within];
  for (const { groups, controls } of open) {
    found.push(...listOf(controls));
    open.push(...listOf(groups), ...listOf(controls));
  }
  return found;
}

/** A group, or the catalog, with the selected controls alone. */
function selectIn(group: Fields, selection: Selection): Fields {
  const groups = listOf(group['groups']).map((inner) => selectIn(inner, selection));
  return { ...group, groups, controls: selectOf(group['controls'], selection) };
}

/** A control whose parent is not selected replaces it. */
function selectOf(controls: unknown, selection: Selection): Fields[] {
  return listOf(controls).flatMap((control) => {
    const inner = selectOf(control['controls'], selection);
    if (!selection.ids.has(control['id'])) return inner;
    return [{ ...control, params: withSettings(listOf(control['params']), selection.settings), controls: inner }];
  });
}

function withSettings(params: readonly Fields[], settings: Settings): Fields[] {
  return params.map((parameter) => ({ ...parameter, ...settings.get(parameter['id']) }));
}

/** Headings are groups, and the others controls with their texts as statements. */
function catalogOfWorkflow(workflow: CatalogWorkflow): Fields {
  const { name, edition, controls } = workflow;
  const leaves = leavesOf(workflow);
  const below = Map.groupBy(controls, ({ parentId }) => parentId);
  const within = (parent: string | null): Fields => {
    const [groups, own] = [false, true].map((isLeaf) =>
      (below.get(parent) ?? []).filter(({ id }) => leaves.has(id) === isLeaf),
    );
    return {
      groups: groups?.map(({ id, label }) => ({ id, title: label, ...within(id) })),
      controls: own?.map(({ id, label, text }) => {
        return { id, title: label, parts: text === null ? [] : [{ name: 'statement', prose: text }] };
      }),
    };
  };
  return { metadata: { title: name, version: edition }, ...within(null) };
}

/** The name of the file at the end of an address. */
function fileOf(href: string): string {
  return (href.split(/[?#]/)[0]?.split('/').at(-1) ?? '').replace(/\.(json|xml|yaml)$/, '');
}
