import type { EntityType } from '../../values/enums.js';
import { asPartial, type CatalogDocument, type CatalogError } from './catalog-text.js';

export interface CatalogControl {
  /** The source's own number, such as `A.5.1` or `21.2.a`: the artifact id of documents. */
  readonly id: string;
  readonly label: string;
  /** The original text of the source; null where only the label is stored. */
  readonly text: string | null;
  /** The heading above, null at the top. A parent precedes its children. */
  readonly parentId: string | null;
  readonly kind: 'CONTROL' | 'TASK';
  /** Position in the workflow's reading order, from 1 without gaps. */
  readonly position: number;
  /** Which entities under NIS 2 it binds; null means all. */
  readonly entities: readonly EntityType[] | null;
}

export interface CatalogWorkflow {
  readonly id: string;
  readonly name: string;
  readonly edition: string;
  readonly kind: 'FRAMEWORK' | 'TASK_SET';
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly licence: string;
  readonly remarks: string | null;
  readonly controls: readonly CatalogControl[];
}

/** A file that is valid by its JSON Schema. */
export interface WorkflowFile {
  id: string;
  name: string;
  version: string;
  kind?: 'framework' | 'task-set';
  source: { text: string; url?: string };
  licence: string;
  remarks?: string;
  controls: {
    id: string;
    label: string;
    text?: string;
    parent?: string;
    kind: 'control' | 'task';
    entities?: EntityType[];
  }[];
}

/** Everything in it is frozen. */
export function toWorkflow(file: WorkflowFile): CatalogWorkflow {
  const controls = file.controls.map(({ id, label, text, parent, kind, entities }, index) =>
    Object.freeze({
      id,
      label,
      text: text ?? null,
      parentId: parent ?? null,
      kind: kind === 'task' ? ('TASK' as const) : ('CONTROL' as const),
      position: index + 1,
      entities: entities === undefined ? null : Object.freeze([...entities]),
    }),
  );
  return Object.freeze({
    id: file.id,
    name: file.name,
    edition: file.version,
    kind: file.kind === 'task-set' ? 'TASK_SET' : 'FRAMEWORK',
    source: file.source.text,
    sourceUrl: file.source.url ?? null,
    licence: file.licence,
    remarks: file.remarks ?? null,
    controls: Object.freeze(controls),
  });
}

/** Ids are unique. */
export function repeatedIds({ data }: CatalogDocument): CatalogError[] {
  const seen = new Set<unknown>();
  return controlsOf(data).flatMap(({ id }, index) => {
    const repeated = id !== undefined && seen.has(id);
    seen.add(id);
    if (!repeated) return [];
    return [
      { path: ['controls', index, 'id'], sentence: `is there twice${DECIMAL.test(String(id)) ? BY_SPREADSHEET : ''}` },
    ];
  });
}

/**
 * Every parent precedes its children, so that the tree has no loops, and a control binds no entity that its heading does
 * not bind.
 */
export function treeErrors({ data }: CatalogDocument): CatalogError[] {
  const bound = new Map<unknown, unknown>();
  return controlsOf(data).flatMap(({ id, parent, entities }, index) => {
    const errors: CatalogError[] = [];
    const add = (key: string, sentence: string) => errors.push({ path: ['controls', index, key], sentence });
    if (parent !== undefined && !bound.has(parent)) add('parent', 'no control before this one has this id');
    if (!isWithin(entities, bound.get(parent))) add('entities', 'must be among those of the heading');
    bound.set(id, entities);
    return errors;
  });
}

function controlsOf(data: unknown) {
  const { controls } = asPartial(data);
  return Array.isArray(controls) ? controls.map(asPartial) : [];
}

function isWithin(entities: unknown, heading: unknown): boolean {
  if (!Array.isArray(heading)) return true;
  return Array.isArray(entities) && entities.every((entity) => heading.includes(entity));
}

/** A control that a spreadsheet reads as a number, and writes without the trailing zero. */
const DECIMAL = /^\d+\.\d*[1-9]$/;
const BY_SPREADSHEET = ' (a spreadsheet turns 6.10 into 6.1: such ids must be columns of text)';
