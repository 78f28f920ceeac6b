import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LineCounter, type Document, isNode, parseDocument } from 'yaml';

export interface CatalogControl {
  /** The source's own number, such as `A.5.1` or `21.2.a`: the artifact id of documents. */
  readonly id: string;
  readonly label: string;
  /** The heading above, null at the top. A parent stands before its children. */
  readonly parentId: string | null;
  readonly kind: 'CONTROL' | 'TASK';
  /** Place in the workflow's reading order, from 1 without gaps. */
  readonly position: number;
}

export interface CatalogWorkflow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: 'FRAMEWORK' | 'TASK_SET';
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly licence: string;
  readonly remarks: string | null;
  /** In reading order. */
  readonly controls: readonly CatalogControl[];
}

/** The frameworks and task sets that organizations can take up (specification 2.9, 4.8). Everything in it is frozen. */
export class WorkflowCatalog {
  // Ids come from addresses. A Map knows only what was put into it, whereas a plain object would find `__proto__`.
  readonly #workflows: ReadonlyMap<string, CatalogWorkflow>;
  readonly #controls: ReadonlyMap<string, ReadonlyMap<string, CatalogControl>>;
  readonly #list: readonly CatalogWorkflow[];

  private constructor(workflows: readonly CatalogWorkflow[]) {
    this.#list = Object.freeze(workflows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    this.#workflows = new Map(workflows.map((workflow) => [workflow.id, workflow]));
    this.#controls = new Map(workflows.map(({ id, controls }) => [id, new Map(controls.map((c) => [c.id, c]))]));
  }

  /**
   * Reads every `*.yaml` of `directory` and checks it against the `workflow.schema.json` beside it. Throws one Error
   * that lists all faults of all files, each as `file:line place: what is wrong`; a catalogue is whole or absent.
   */
  static load(directory: string): WorkflowCatalog {
    const isValid = compileSchema(join(directory, 'workflow.schema.json'));
    const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
    const drafts = names.toSorted().map((name) => readDraft(directory, name));
    const faults = drafts.flatMap((draft) => faultsOf(draft, isValid));
    if (drafts.length === 0) faults.push('there is no *.yaml file');
    if (faults.length > 0) throw new Error([`Workflow catalogue ${directory} is faulty:`, ...faults].join('\n  '));
    return new WorkflowCatalog(drafts.map((draft) => toWorkflow(draft.data as WorkflowFile)));
  }

  /** All workflows, ordered by id. */
  list(): readonly CatalogWorkflow[] {
    return this.#list;
  }

  find(id: string): CatalogWorkflow | undefined {
    return this.#workflows.get(id);
  }

  control(workflowId: string, controlId: string): CatalogControl | undefined {
    return this.#controls.get(workflowId)?.get(controlId);
  }
}

/** What the JSON Schema promises of a valid file. */
interface WorkflowFile {
  id: string;
  name: string;
  version: string;
  kind?: 'framework' | 'task-set';
  source: { text: string; url?: string };
  licence: string;
  remarks?: string;
  controls: { id: string; label: string; parent?: string; kind: 'control' | 'task' }[];
}

/** A file that was read and not yet judged. `data` is undefined when the text is no YAML. */
interface Draft {
  name: string;
  syntaxFaults: string[];
  data: unknown;
  /** `name:line place` of a value, for people who have to find it. */
  at(path: Path): string;
}

type Path = readonly (string | number)[];

function compileSchema(path: string): ValidateFunction {
  return new Ajv2020({ allErrors: true, strict: true }).compile(JSON.parse(readFileSync(path, 'utf8')));
}

function readDraft(directory: string, name: string): Draft {
  const lines = new LineCounter();
  // The failsafe schema reads every scalar as text. Otherwise an unquoted 7.10 would silently become the control 7.1.
  const options = { schema: 'failsafe', lineCounter: lines, prettyErrors: false } as const;
  const document = parseDocument(readFileSync(join(directory, name), 'utf8'), options);
  const syntaxFaults = [...document.errors, ...document.warnings].map(
    ({ pos, message }) => `${name}:${lines.linePos(pos[0]).line} ${message}`,
  );
  const data: unknown = syntaxFaults.length > 0 ? undefined : document.toJS();
  return { name, syntaxFaults, data, at: (path) => `${name}:${lineOf(document, lines, path)} ${toPlace(path)}` };
}

/** The line of the value at `path`, or of the nearest thing around it when the value is missing. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function toPlace(path: Path): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return place.replace(/^\./, '') || 'file';
}

function faultsOf(draft: Draft, isValid: ValidateFunction): string[] {
  if (draft.syntaxFaults.length > 0) return draft.syntaxFaults;
  const shape = isValid(draft.data) ? [] : (isValid.errors ?? []).map((error) => shapeFault(draft, error));
  return [...shape, ...nameFaults(draft), ...treeFaults(draft)];
}

function shapeFault(draft: Draft, error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(fromPointer);
  if (error.keyword === 'additionalProperties')
    return `${draft.at(path)}: unknown key ${error.params.additionalProperty}`;
  if (error.keyword === 'enum') return `${draft.at(path)}: must be one of ${error.params.allowedValues.join(', ')}`;
  return `${draft.at(path)}: ${error.message}`;
}

function fromPointer(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function nameFaults(draft: Draft): string[] {
  const { id } = asPartial(draft.data);
  if (typeof id !== 'string' || id === basename(draft.name, '.yaml')) return [];
  return [`${draft.at(['id'])}: is ${id}, yet the file is named ${draft.name}`];
}

/** Ids are unique, and every parent stands before its children: so the tree has neither loops nor loose ends. */
function treeFaults(draft: Draft): string[] {
  const { controls } = asPartial(draft.data);
  if (!Array.isArray(controls)) return [];
  const seen = new Set<unknown>();
  return controls.flatMap((control: unknown, index) => {
    const { id, parent } = asPartial(control);
    const faults: string[] = [];
    if (id !== undefined && seen.has(id)) faults.push(`${draft.at(['controls', index, 'id'])}: ${id} is there twice`);
    if (parent !== undefined && !seen.has(parent))
      faults.push(`${draft.at(['controls', index, 'parent'])}: no control before this one is ${parent}`);
    seen.add(id);
    return faults;
  });
}

/** Lets all faults be told at once: what lacks its shape is still looked through for the other rules. */
function asPartial(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toWorkflow(file: WorkflowFile): CatalogWorkflow {
  const controls = file.controls.map(({ id, label, parent, kind }, index) => {
    const control = { id, label, parentId: parent ?? null, kind: kind === 'task' ? 'TASK' : 'CONTROL' } as const;
    return Object.freeze({ ...control, position: index + 1 });
  });
  return Object.freeze({
    id: file.id,
    name: file.name,
    version: file.version,
    kind: file.kind === 'task-set' ? 'TASK_SET' : 'FRAMEWORK',
    source: file.source.text,
    sourceUrl: file.source.url ?? null,
    licence: file.licence,
    remarks: file.remarks ?? null,
    controls: Object.freeze(controls),
  });
}
