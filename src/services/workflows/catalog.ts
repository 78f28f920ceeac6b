import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../../errors.js';
import {
  repeatedIds,
  toWorkflow,
  treeErrors,
  type CatalogControl,
  type CatalogWorkflow,
  type WorkflowFile,
} from './catalog-file.js';
import { CatalogSchema } from './catalog-schema.js';
import {
  asPartial,
  catalogDocumentOf,
  readCatalogText,
  type CatalogDocument,
  type CatalogError,
} from './catalog-text.js';
import { ControlMappings, pairErrors, TOO_MANY_PAIRS, type MappingFile } from './control-mappings.js';

/** The rules of every workflow and mapping: shipped ones are checked at the start, customers' on import. */
class CatalogRules {
  private readonly workflows: CatalogSchema;
  private readonly mappings: CatalogSchema;

  constructor(directory: string) {
    this.workflows = new CatalogSchema(join(directory, 'workflow.schema.json'));
    this.mappings = new CatalogSchema(join(directory, 'mappings/mapping.schema.json'));
  }

  /** All errors of a document at once, unless sizes are excessive; none means that it is a WorkflowFile. */
  workflowErrors(document: CatalogDocument): readonly CatalogError[] {
    return this.controlErrors(document, (checked) => [...repeatedIds(checked), ...treeErrors(checked)]);
  }

  /** The same of titles, whose tree is that of the workflow they are for. */
  titleErrors(document: CatalogDocument): readonly CatalogError[] {
    return this.controlErrors(document, repeatedIds);
  }

  /** The same of a MappingFile; `find` knows the workflows that may be mapped. */
  mappingErrors(
    document: CatalogDocument,
    find: (workflowId: string) => CatalogWorkflow | undefined,
  ): readonly CatalogError[] {
    const errors = this.mappings.errorsOf(document);
    return errors.length > 0 ? errors : pairErrors(document.data as MappingFile, find);
  }

  private controlErrors(document: CatalogDocument, moreErrors: (document: CatalogDocument) => CatalogError[]) {
    const tooMany = this.workflows.countErrors(document.data);
    return tooMany.length > 0 ? tooMany : [...this.workflows.errorsOf(document), ...moreErrors(document)];
  }
}

/** The shipped frameworks and task sets (specification 2.9, 4.8), deeply frozen. */
export class WorkflowCatalog {
  // Ids come from requests: in a plain object, `__proto__` would be found.
  readonly #workflows: ReadonlyMap<string, CatalogWorkflow>;
  readonly #list: readonly CatalogWorkflow[];

  private constructor(
    workflows: readonly CatalogWorkflow[],
    /** Rules of every file, including imported ones. */
    readonly rules: CatalogRules,
    /** Equivalent controls of two workflows. */
    readonly mappings: ControlMappings,
  ) {
    this.#list = Object.freeze(workflows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    this.#workflows = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  }

  /**
   * Reads every `*.yaml` of `directory` and of its folder `mappings`, and validates them.
   * Throws one Error that lists all errors of all files, each with file, line and place.
   */
  static load(directory: string): WorkflowCatalog {
    const rules = new CatalogRules(directory);
    const files = readCatalog<WorkflowFile>(directory, NAME, (document) => rules.workflowErrors(document));
    const workflows = files.map(toWorkflow);
    return new WorkflowCatalog(workflows, rules, loadMappings(join(directory, 'mappings'), rules, workflows));
  }

  /** All workflows, ordered by id. */
  list(): readonly CatalogWorkflow[] {
    return this.#list;
  }

  /** A shipped workflow; undefined for any other. */
  find(id: string): CatalogWorkflow | undefined {
    return this.#workflows.get(id);
  }
}

/** Derives a value from a workflow once: most organizations share it. */
export function oncePerWorkflow<Result>(derive: (workflow: CatalogWorkflow) => Result) {
  const known = new WeakMap<CatalogWorkflow, Result>();
  return (workflow: CatalogWorkflow): Result => {
    let result = known.get(workflow);
    if (result === undefined) known.set(workflow, (result = derive(workflow)));
    return result;
  };
}

const byNumber = oncePerWorkflow(({ controls }) => new Map(controls.map((control) => [control.id, control])));

export function controlOf(workflow: CatalogWorkflow, controlId: string): CatalogControl | undefined {
  return byNumber(workflow).get(controlId);
}

/** Ids of the leaf controls, which are to be done. Headings group them. */
export const leavesOf = oncePerWorkflow(({ controls }): ReadonlySet<string> => {
  const headings = new Set(controls.map(({ parentId }) => parentId));
  return new Set(controls.map(({ id }) => id).filter((id) => !headings.has(id)));
});

const NAME = 'Workflow catalogue';

/**
 * The data of every `*.yaml` of `directory`, each named after its id, or `id@day` after its id and first day. Throws one Error that lists all errors of all
 * files, each as `file:line place: what is wrong`.
 */
export function readCatalog<File>(
  directory: string,
  name: string,
  errorsOf: (document: CatalogDocument) => readonly CatalogError[],
): File[] {
  const documents = readDocuments(directory);
  const errors = documents.flatMap(([file, document]) => {
    const { id, valid_from: day } = asPartial(document.data);
    const found = [...errorsOf(document)];
    if (typeof id === 'string' && ![id, `${id}@${String(day)}`].includes(basename(file, '.yaml')))
      found.push({ path: ['id'], sentence: `is not what ${file} is named` });
    return found.map(({ path, sentence, line = document.lineOf(path) ?? 1 }) => {
      return `${file}:${line} ${nameOf(path) || 'file'}: ${sentence}`;
    });
  });
  if (documents.length === 0) errors.push('there is no *.yaml file');
  if (errors.length > 0) throw errorOf(directory, name, errors);
  return documents.map(([, { data }]) => data as File);
}

function errorOf(directory: string, name: string, errors: readonly string[]): Error {
  return new Error([`${name} ${directory} has errors:`, ...errors].join('\n  '));
}

function readDocuments(directory: string): [file: string, CatalogDocument][] {
  const built: Partial<Record<string, unknown>> = existsSync(BUILT) ? JSON.parse(readFileSync(BUILT, 'utf8')) : {};
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    const data = built[text];
    if (data === undefined) return [name, readCatalogText(text)];
    // Lines are needed for errors only.
    return [name, { ...catalogDocumentOf(data), lineOf: (path) => readCatalogText(text).lineOf(path) }];
  });
}

/** The content of texts that the build has parsed (scripts/build.js), without ones that changed since. */
const BUILT = fileURLToPath(new URL('../../catalog.json', import.meta.url));

function loadMappings(directory: string, rules: CatalogRules, workflows: readonly CatalogWorkflow[]): ControlMappings {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  const errorsOf = (document: CatalogDocument) => rules.mappingErrors(document, (id) => byId.get(id));
  const files = existsSync(directory) ? readCatalog<MappingFile>(directory, NAME, errorsOf) : [];
  const mappings = new ControlMappings(files, workflows);
  const errors = mappings.omitted.map((id) => `${id}.yaml pairs: ${TOO_MANY_PAIRS}`);
  if (errors.length > 0) throw errorOf(directory, NAME, errors);
  return mappings;
}
