import { hash } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import type { EntityType } from '../../values/enums.js';
import { toWorkflow, type CatalogControl, type WorkflowFile } from './catalog-file.js';
import { leavesOf } from './catalog.js';
import { controlView, statesOf, type OrganizationControlView } from './controls.service.js';
import { listsOf, type OrganizationWorkflowKey } from './progress.js';

/** A control in one edition of a workflow. */
interface ControlEdition {
  label: string;
  text: string | null;
  parentId: string | null;
  kind: CatalogControl['kind'];
  entities: readonly EntityType[] | null;
  /** It has controls below it, and no status of its own. */
  isHeading: boolean;
}

/** The change of a control, with what the organization has of it. */
interface ControlChange extends Pick<OrganizationControlView, 'status' | 'justification' | 'owner' | 'dueDate'> {
  controlId: string;
  before: ControlEdition | null;
  after: ControlEdition | null;
  /** How many document versions are stored for it. */
  documents: number;
}

/** Differences between a workflow to import and the one that it replaces. */
export interface ImportChanges {
  /** Of everything below, and of both editions. */
  digest: string;
  added: ControlChange[];
  removed: ControlChange[];
  changed: ControlChange[];
  /** How many stay as they are. */
  unchanged: number;
}

const documentsOf = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('document_version as d')
    .select(({ fn }) => ['d.artifact_id as controlId', fn.countAll<number>().as('count')])
    .where('d.organization_id', '=', p('organizationId'))
    .where('d.workflow_id', '=', p('workflowId'))
    .groupBy('d.artifact_id'),
);

/** Controls that return have their earlier state and documents. `before` is undefined for a new workflow. */
export async function importChanges(
  tx: Queryable,
  key: OrganizationWorkflowKey,
  before: WorkflowFile | undefined,
  after: WorkflowFile,
  today: string,
): Promise<ImportChanges> {
  const states = new Map((await statesOf.all(tx, listsOf([key]))).map((row) => [row.controlId, row]));
  const counts = new Map((await documentsOf.all(tx, key)).map(({ controlId, count }) => [controlId, count]));
  const [old, next] = [editionsOf(before), editionsOf(after)];
  const changeOf = (controlId: string): ControlChange => {
    const edition = next.get(controlId) ?? old.get(controlId)!;
    const view = controlView(key, edition.control, states.get(controlId), today);
    const { status, justification, owner, dueDate } = view;
    const [from, to] = [old.get(controlId)?.edition ?? null, next.get(controlId)?.edition ?? null];
    const documents = counts.get(controlId) ?? 0;
    return { controlId, before: from, after: to, status, justification, owner, dueDate, documents };
  };
  const common = [...next.keys()].filter((id) => old.has(id));
  const isChanged = (id: string) => JSON.stringify(old.get(id)?.edition) !== JSON.stringify(next.get(id)?.edition);
  const lists = {
    added: [...next.keys()].filter((id) => !old.has(id)).map(changeOf),
    removed: [...old.keys()].filter((id) => !next.has(id)).map(changeOf),
    changed: common.filter(isChanged).map(changeOf),
  };
  const digest = hash('sha256', JSON.stringify([key, before ?? null, after, lists]));
  return { digest, ...lists, unchanged: common.length - lists.changed.length };
}

/** Controls that have a status in the new edition, and had none in the one before. */
export function becomingLeaves({ added, changed }: ImportChanges): string[] {
  return [...added, ...changed]
    .filter(({ before, after }) => before?.isHeading !== false && after?.isHeading === false)
    .map(({ controlId }) => controlId);
}

/** In reading order. */
function editionsOf(file: WorkflowFile | undefined) {
  if (file === undefined) return new Map<string, { control: CatalogControl; edition: ControlEdition }>();
  const workflow = toWorkflow(file);
  const leaves = leavesOf(workflow);
  return new Map(
    workflow.controls.map((control) => {
      const { id, label, text, parentId, kind, entities } = control;
      const edition: ControlEdition = { label, text, parentId, kind, entities, isHeading: !leaves.has(id) };
      return [id, { control, edition }];
    }),
  );
}

/** Facts of an import for the trail, by which states and documents of removed controls can be found. */
export function recordedChanges({ added, removed, changed }: ImportChanges) {
  const gone = removed.map(({ controlId, before, status, owner, documents }) => {
    return { id: controlId, label: before?.label, status, ownerId: owner?.userId ?? null, documents };
  });
  return {
    ...(added.length > 0 && { added: { after: added.map(({ controlId }) => controlId) } }),
    ...(removed.length > 0 && { removed: { before: gone } }),
    ...(changed.length > 0 && { changed: { after: changed.map(({ controlId }) => controlId) } }),
  };
}
