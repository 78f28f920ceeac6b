import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import type { Selection } from '../vocabulary/selection.js';
import type { WorkflowCatalog } from './workflow-catalog.js';
import type { CatalogControl, CatalogWorkflow } from './workflow-file.js';

export interface WorkflowProgress {
  total: number;
  toDo: number;
  inProgress: number;
  done: number;
  notApplicable: number;
}

export interface OrganizationControlView extends CatalogControl {
  controlId: string;
  workflowId: string;
  status: ControlStatus;
  justification: string;
  dueDate: string | null;
}

/** A workflow of an organization; the key of what is loaded for many of them at once. */
export interface OrganizationWorkflowKey {
  organizationId: number;
  workflowId: string;
}

interface StateRow extends OrganizationWorkflowKey {
  controlId: string;
  status: ControlStatus;
  justification: string;
  dueDate: string | null;
}

const listing = new Listing<'WORKFLOW'>({
  from: 'organization_workflow w join organization o on o.id = w.organization_id and o.deleted_at is null',
  id: { sql: 'w.id', type: 'int' },
  parent: { sql: 'w.organization_id', type: 'int' },
  sorts: { WORKFLOW: { sql: 'w.workflow_id', type: 'text' } },
});

const projection = new Projection(
  {
    id: `w.organization_id || '/' || w.workflow_id`,
    organizationId: 'w.organization_id',
    workflowId: 'w.workflow_id',
    associatedAt: 'w.created_at',
  },
  ['id', 'organizationId', 'workflowId'],
);

const STATES = `
  select s.organization_id as "organizationId", s.workflow_id as "workflowId", s.control_id as "controlId", s.status,
         s.justification, s.due_date as "dueDate"
    from control_state s
    join unnest($1::int[], $2::text[]) as asked(organization_id, workflow_id)
      on asked.organization_id = s.organization_id and asked.workflow_id = s.workflow_id`;

/** Workflows that organizations have taken up, and how far they are (decisions §9). */
export class OrganizationWorkflowService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalog: WorkflowCatalog,
  ) {}

  /** Everything that can be taken up (specification 4.8): the same for whoever may read. */
  available(caller: Caller): readonly CatalogWorkflow[] {
    this.access.authorizeSelf(caller, 'read');
    return this.catalog.list();
  }

  /** One workflow of the catalogue; throws NOT_FOUND. */
  fromCatalog(caller: Caller, id: string): CatalogWorkflow {
    this.access.authorizeSelf(caller, 'read');
    const workflow = this.catalog.find(id);
    if (workflow === undefined) throw notFound();
    return workflow;
  }

  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_WORKFLOWS', organizationId);
  }

  /** Workflows of each organization, by id. One that is no longer in the catalogue is left out: it has no controls. */
  async ofOrganizations(
    organizationIds: readonly number[],
    page: PageRequest,
    asked: Selection,
    total: boolean,
  ): Promise<Map<number, Page<object>>> {
    const pages = await listing.ofMany<OrganizationWorkflowKey & { name?: string }, number>(
      this.database,
      organizationIds,
      {
        page,
        conditions: [this.inCatalog()],
        sort: 'WORKFLOW',
        descending: false,
        select: projection.of(asked).select,
        total,
      },
    );
    for (const { rows } of pages.values()) for (const row of rows) row.name = this.catalog.find(row.workflowId)?.name;
    return pages;
  }

  /** One workflow of an organization; throws NOT_FOUND when it is not associated. */
  async read(caller: Caller, organizationId: number, workflowId: string, asked: Selection): Promise<object> {
    await this.authorizeList(caller, organizationId);
    const workflow = this.catalog.find(workflowId);
    const rows = await this.database.rows(
      `select ${projection.of(asked).select} from organization_workflow w where w.organization_id = $1 and w.workflow_id = $2`,
      [organizationId, workflow?.id ?? ''],
    );
    if (workflow === undefined || rows[0] === undefined) throw notFound();
    return { ...rows[0], name: workflow.name };
  }

  /** Throws NOT_FOUND unless the workflow is associated with the organization and has this control (decisions §6). */
  async requireControl(organizationId: number, workflowId: string, controlId: string): Promise<void> {
    if (this.catalog.control(workflowId, controlId) === undefined) throw notFound();
    const rows = await this.database.rows(
      'select 1 from organization_workflow where organization_id = $1 and workflow_id = $2',
      [organizationId, workflowId],
    );
    if (rows.length === 0) throw notFound();
  }

  /** Controls in reading order, each with how far the organization is: one statement for all workflows asked for. */
  async controls(keys: readonly OrganizationWorkflowKey[]): Promise<OrganizationControlView[][]> {
    const states = await this.statesOf(keys);
    return keys.map((key) => {
      const own = states.get(keyText(key));
      return this.workflow(key).controls.map((control) => ({
        ...control,
        id: `${key.organizationId}/${key.workflowId}/${control.id}`,
        controlId: control.id,
        workflowId: key.workflowId,
        status: own?.get(control.id)?.status ?? 'TO_DO',
        justification: own?.get(control.id)?.justification ?? '',
        dueDate: own?.get(control.id)?.dueDate ?? null,
      }));
    });
  }

  /** Counts what is to be done: headings are there to group it and do not count. */
  async progress(keys: readonly OrganizationWorkflowKey[]): Promise<WorkflowProgress[]> {
    const states = await this.statesOf(keys);
    return keys.map((key) => progressOf(this.workflow(key), states.get(keyText(key))));
  }

  private workflow(key: OrganizationWorkflowKey): CatalogWorkflow {
    const workflow = this.catalog.find(key.workflowId);
    if (workflow === undefined) throw notFound();
    return workflow;
  }

  private async statesOf(keys: readonly OrganizationWorkflowKey[]): Promise<Map<string, Map<string, StateRow>>> {
    const rows = await this.database.rows<StateRow>(STATES, [
      keys.map(({ organizationId }) => organizationId),
      keys.map(({ workflowId }) => workflowId),
    ]);
    const states = new Map<string, Map<string, StateRow>>();
    for (const row of rows) {
      const key = keyText(row);
      if (!states.has(key)) states.set(key, new Map());
      states.get(key)?.set(row.controlId, row);
    }
    return states;
  }

  private inCatalog(): Condition {
    return { sql: 'w.workflow_id = any(?)', values: [this.catalog.list().map(({ id }) => id)] };
  }
}

function keyText({ organizationId, workflowId }: OrganizationWorkflowKey): string {
  return `${organizationId}/${workflowId}`;
}

function progressOf(
  { controls }: CatalogWorkflow,
  states: ReadonlyMap<string, StateRow> | undefined,
): WorkflowProgress {
  const headings = new Set(controls.map(({ parentId }) => parentId));
  const progress: WorkflowProgress = { total: 0, toDo: 0, inProgress: 0, done: 0, notApplicable: 0 };
  for (const { id } of controls) {
    if (headings.has(id)) continue;
    progress.total += 1;
    progress[COUNTER[states?.get(id)?.status ?? 'TO_DO']] += 1;
  }
  return progress;
}

const COUNTER = { TO_DO: 'toDo', IN_PROGRESS: 'inProgress', DONE: 'done', NOT_APPLICABLE: 'notApplicable' } as const;
