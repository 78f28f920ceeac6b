import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  asPartial,
  placeOf,
  readCatalogText,
  type CatalogDocument,
  type CatalogError,
  WorkflowRules,
  toWorkflow,
  type CatalogControl,
  type CatalogWorkflow,
  type WorkflowFile,
} from './catalog-file.js';
import { ControlMappings, MappingRules, TOO_MANY_PAIRS, type MappingFile } from './control-mappings.js';

/** The frameworks and task sets that we ship (specification 2.9, 4.8). Everything in it is frozen. */
export class WorkflowCatalog {
  // Ids come from addresses. A Map knows only what was put into it, whereas a plain object would find `__proto__`.
  readonly #workflows: ReadonlyMap<string, CatalogWorkflow>;
  readonly #list: readonly CatalogWorkflow[];

  private constructor(
    workflows: readonly CatalogWorkflow[],
    /** What every workflow file keeps, those that customers import as well. */
    readonly rules: WorkflowRules,
    /** What every mapping keeps. */
    readonly mappingRules: MappingRules,
    /** Which controls ask for the same in two workflows. */
    readonly mappings: ControlMappings,
  ) {
    this.#list = Object.freeze(workflows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    this.#workflows = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  }

  /**
   * Reads every `*.yaml` of `directory` and of its folder `mappings`, and checks them by the JSON Schema beside them.
   * Throws one Error that lists all errors of all files, each as `file:line place: what is wrong`.
   */
  static load(directory: string): WorkflowCatalog {
    const rules = new WorkflowRules(directory);
    const files = readCatalog<WorkflowFile>(directory, NAME, (document) => rules.errorsOf(document));
    const workflows = files.map(toWorkflow);
    const mappings = join(directory, 'mappings');
    const mappingRules = new MappingRules(mappings);
    return new WorkflowCatalog(workflows, rules, mappingRules, loadMappings(mappings, mappingRules, workflows));
  }

  /** All workflows, ordered by id. */
  list(): readonly CatalogWorkflow[] {
    return this.#list;
  }

  /** One of the workflows that we ship; undefined for any other. */
  find(id: string): CatalogWorkflow | undefined {
    return this.#workflows.get(id);
  }

  /** A control of a workflow that we ship; undefined where either is not there. */
  control(workflowId: string, controlId: string): CatalogControl | undefined {
    const workflow = this.find(workflowId);
    return workflow && controlOf(workflow, controlId);
  }
}

const indexes = new WeakMap<CatalogWorkflow, ReadonlyMap<string, CatalogControl>>();

/** A control of a workflow by its number. */
export function controlOf(workflow: CatalogWorkflow, controlId: string): CatalogControl | undefined {
  let index = indexes.get(workflow);
  if (index === undefined) indexes.set(workflow, (index = new Map(workflow.controls.map((one) => [one.id, one]))));
  return index.get(controlId);
}

const leaves = new WeakMap<CatalogWorkflow, ReadonlySet<string>>();

/** Ids of the controls that have none below them: what is to be done. Headings group it and are no work themselves. */
export function leavesOf(workflow: CatalogWorkflow): ReadonlySet<string> {
  let ids = leaves.get(workflow);
  if (ids === undefined) {
    const headings = new Set(workflow.controls.map(({ parentId }) => parentId));
    leaves.set(workflow, (ids = new Set(workflow.controls.map(({ id }) => id).filter((id) => !headings.has(id)))));
  }
  return ids;
}

const NAME = 'Workflow catalogue';

/**
 * The data of every `*.yaml` of `directory`, each named after its id. Throws one Error that lists all errors of all
 * files, each as `file:line place: what is wrong`.
 */
export function readCatalog<File>(
  directory: string,
  name: string,
  errorsOf: (document: CatalogDocument) => readonly CatalogError[],
): File[] {
  const drafts = readDrafts(directory);
  const errors = drafts.flatMap((draft) => errorTexts(draft, errorsOf(draft.document)));
  if (drafts.length === 0) errors.push('there is no *.yaml file');
  if (errors.length > 0) throw errorOf(directory, name, errors);
  return drafts.map(({ document }) => document.data as File);
}

function errorOf(directory: string, name: string, errors: readonly string[]): Error {
  return new Error([`${name} ${directory} has errors:`, ...errors].join('\n  '));
}

/** A file that was read and not yet validated. */
interface Draft {
  name: string;
  document: CatalogDocument;
}

function readDrafts(directory: string): Draft[] {
  const built: Partial<Record<string, unknown>> = existsSync(BUILT) ? JSON.parse(readFileSync(BUILT, 'utf8')) : {};
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    const data = built[text];
    if (data === undefined) return { name, document: readCatalogText(text) };
    // Lines are needed for errors only.
    return { name, document: { data, syntaxErrors: [], lineOf: (path) => readCatalogText(text).lineOf(path) } };
  });
}

/** What the texts say that the build has read (scripts/build.js); one that has changed since is not among them. */
const BUILT = fileURLToPath(new URL('../../catalog.json', import.meta.url));

function errorTexts({ name, document }: Draft, errors: readonly CatalogError[]): string[] {
  const { id } = asPartial(document.data);
  const misnamed = typeof id === 'string' && id !== basename(name, '.yaml');
  const named = misnamed
    ? [{ path: ['id'], line: document.lineOf(['id']), sentence: `is not what ${name} is named` }]
    : [];
  return [...errors, ...named].map(
    ({ path, line, sentence }) => `${name}:${line ?? 1} ${placeOf(path, 'file')}: ${sentence}`,
  );
}

function loadMappings(directory: string, rules: MappingRules, workflows: readonly CatalogWorkflow[]): ControlMappings {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  const errorsOf = (document: CatalogDocument) => rules.errorsOf(document, (id) => byId.get(id));
  const files = existsSync(directory) ? readCatalog<MappingFile>(directory, NAME, errorsOf) : [];
  const mappings = new ControlMappings(files, workflows);
  const errors = mappings.omitted.map((id) => `${id}.yaml pairs: ${TOO_MANY_PAIRS}`);
  if (errors.length > 0) throw errorOf(directory, NAME, errors);
  return mappings;
}
