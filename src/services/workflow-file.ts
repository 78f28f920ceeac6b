import { join } from 'node:path';
import { CatalogSchema, asPartial, type CatalogDocument, type CatalogFault, type Path } from './catalog-document.js';
import type { EntityType } from '../vocabulary/frameworks.js';

export interface CatalogControl {
  /** The source's own number, such as `A.5.1` or `21.2.a`: the artifact id of documents. */
  readonly id: string;
  readonly label: string;
  /** The heading above, null at the top. A parent stands before its children. */
  readonly parentId: string | null;
  readonly kind: 'CONTROL' | 'TASK';
  /** Place in the workflow's reading order, from 1 without gaps. */
  readonly position: number;
  /** Which entities under NIS 2 it binds; null means all. */
  readonly entities: readonly EntityType[] | null;
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

/** What the JSON Schema promises of a valid file. */
export interface WorkflowFile {
  id: string;
  name: string;
  version: string;
  kind?: 'framework' | 'task-set';
  source: { text: string; url?: string };
  licence: string;
  remarks?: string;
  controls: { id: string; label: string; parent?: string; kind: 'control' | 'task'; entities?: EntityType[] }[];
}

/** What a workflow must be, whoever wrote it: ours are held to it at the start, a customer's when it is imported. */
export class WorkflowRules {
  private readonly schema: CatalogSchema;

  constructor(catalogDir: string) {
    this.schema = new CatalogSchema(join(catalogDir, 'workflow.schema.json'));
  }

  /** Everything that is wrong with it at once; nothing means that its data is a WorkflowFile. */
  faultsOf(document: CatalogDocument): readonly CatalogFault[] {
    if (document.syntaxFaults.length > 0) return document.syntaxFaults;
    return [...this.schema.faultsOf(document), ...treeFaults(document)];
  }
}

/** Everything in it is frozen. */
export function toWorkflow(file: WorkflowFile): CatalogWorkflow {
  const controls = file.controls.map(({ id, label, parent, kind, entities }, index) =>
    Object.freeze({
      id,
      label,
      parentId: parent ?? null,
      kind: kind === 'task' ? ('TASK' as const) : ('CONTROL' as const),
      position: index + 1,
      entities: entities === undefined ? null : Object.freeze([...entities]),
    }),
  );
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

/**
 * Ids are unique, and every parent stands before its children: so the tree has neither loops nor loose ends. Nothing
 * binds an entity that its heading does not bind: it would hang in the air there.
 */
function treeFaults(document: CatalogDocument): CatalogFault[] {
  const { controls } = asPartial(document.data);
  if (!Array.isArray(controls)) return [];
  const bound = new Map<unknown, unknown>();
  return controls.flatMap((control: unknown, index) => {
    const { id, parent, entities } = asPartial(control);
    const faults: CatalogFault[] = [];
    const add = (key: string, sentence: string) => {
      const path: Path = ['controls', index, key];
      faults.push({ path, line: document.lineOf(path), sentence });
    };
    if (id !== undefined && bound.has(id)) add('id', 'is there twice');
    if (parent !== undefined && !bound.has(parent)) add('parent', 'no control before this one has this id');
    if (!isWithin(entities, bound.get(parent))) add('entities', 'must be among those of the heading');
    bound.set(id, entities);
    return faults;
  });
}

function isWithin(entities: unknown, heading: unknown): boolean {
  if (!Array.isArray(heading)) return true;
  return Array.isArray(entities) && entities.every((entity) => heading.includes(entity));
}
