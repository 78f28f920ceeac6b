import type { EntityType } from '../vocabulary/frameworks.js';
import type { ImportMode } from '../vocabulary/import-modes.js';
import type { ControlRef } from './control-mappings.js';
import { controlOf, leavesOf, type WorkflowCatalog } from './workflow-catalog.js';
import { toWorkflow, type CatalogControl, type CatalogWorkflow, type WorkflowFile } from './workflow-file.js';

/** What an organization brought along, as it is stored. */
export interface ImportedFile {
  mode: ImportMode;
  content: WorkflowFile;
}

/**
 * The catalogue as one organization sees it: ours with the titles that it is licensed for, its own beside them, and of
 * each workflow the controls that bind its kind of entity. Who has not said which kind it is sees all: nothing that
 * might bind it is hidden (docs/adr/0010).
 */
export class OrganizationCatalog {
  private readonly own = new Map<string, CatalogWorkflow>();
  private readonly titles = new Map<string, ReadonlyMap<string, string>>();
  private readonly seen = new Map<string, CatalogWorkflow>();
  /** How much room it takes, in controls. */
  readonly size: number;

  constructor(
    private readonly shipped: WorkflowCatalog,
    /** Undefined when the organization has not said it. */
    readonly entityType: EntityType | undefined,
    imports: readonly ImportedFile[] = [],
  ) {
    for (const { mode, content } of imports) {
      if (mode === 'WORKFLOW') this.own.set(content.id, toWorkflow(content));
      else this.titles.set(content.id, new Map(content.controls.map(({ id, label }) => [id, label])));
    }
    this.size = imports.reduce((sum, { content }) => sum + content.controls.length, 1);
  }

  /** Its own workflows, in no order. */
  imported(): readonly CatalogWorkflow[] {
    return [...this.own.values()];
  }

  /** An id of its own goes before one of ours: it may have been there first. */
  find(id: string): CatalogWorkflow | undefined {
    let workflow = this.seen.get(id);
    if (workflow !== undefined) return workflow;
    workflow = this.own.get(id) ?? this.shipped.find(id);
    if (workflow === undefined) return undefined;
    workflow = binding(retitled(workflow, this.titles.get(id)), this.entityType);
    this.seen.set(id, workflow);
    return workflow;
  }

  /** Controls that ask for the same as this one and bind the organization. Mappings are of our workflows. */
  matches({ workflowId, controlId }: ControlRef): (ControlRef & { label: string })[] {
    if (this.own.has(workflowId)) return [];
    return this.shipped.mappings.of({ workflowId, controlId }).flatMap((match) => {
      const control = this.own.has(match.workflowId) ? undefined : this.control(match.workflowId, match.controlId);
      return control === undefined ? [] : [{ ...match, label: control.label }];
    });
  }

  /** A control as the organization sees it; undefined when it has none of that number, or one that does not bind it. */
  control(workflowId: string, controlId: string): CatalogControl | undefined {
    const workflow = this.find(workflowId);
    return workflow && controlOf(workflow, controlId);
  }
}

function retitled(workflow: CatalogWorkflow, titles: ReadonlyMap<string, string> | undefined): CatalogWorkflow {
  if (titles === undefined) return workflow;
  const controls = workflow.controls.map((control) => ({ ...control, label: titles.get(control.id) ?? control.label }));
  return { ...workflow, controls };
}

const bindings = new WeakMap<CatalogWorkflow, Map<EntityType, CatalogWorkflow>>();

/** The same object for all organizations of one kind, so that what is worked out of it is worked out once. */
function binding(workflow: CatalogWorkflow, entity: EntityType | undefined): CatalogWorkflow {
  if (entity === undefined || workflow.controls.every(({ entities }) => entities === null)) return workflow;
  let known = bindings.get(workflow);
  if (known === undefined) bindings.set(workflow, (known = new Map()));
  let bound = known.get(entity);
  if (bound === undefined) {
    known.set(entity, (bound = { ...workflow, controls: boundControls(workflow, entity) }));
  }
  return bound;
}

/** A heading below which nothing is left goes as well: it would pass for something to do. Parents stand before children. */
function boundControls(workflow: CatalogWorkflow, entity: EntityType): CatalogControl[] {
  const leaves = leavesOf(workflow);
  const headings = new Set<string | null>();
  const bound = workflow.controls.toReversed().filter(({ id, parentId, entities }) => {
    const stays = (entities === null || entities.includes(entity)) && (leaves.has(id) || headings.has(id));
    if (stays) headings.add(parentId);
    return stays;
  });
  return bound.toReversed();
}
