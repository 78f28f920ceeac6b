import { dayOf } from '../../common/local-time.js';
import { NO_FIELDS } from '../../common/selection.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { selectSome, type RowOf } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import { sql, statement, table } from '../../database/sql.js';
import { found } from '../../errors.js';
import type { ControlStatus } from '../../values/enums.js';
import type { WorkflowService } from './workflows.service.js';
import { controlOf, leavesOf } from './catalog.js';
import type { CatalogControl } from './catalog-file.js';
import {
  listsOf,
  wantedWorkflows,
  type OrganizationWorkflowKey,
  type SeenWorkflow,
  type WorkflowLists,
} from './progress.js';

/** The properties of a control that a caller writes. */
export const WRITTEN = [
  ...(['status', 'justification', 'inclusionReason', 'note'] as const),
  ...(['ownerId', 'dueDate', 'reviewIntervalMonths'] as const),
];

export type ControlValues = Pick<RowOf<'control_state'>, (typeof WRITTEN)[number]>;

export type StoredState = ControlValues & { controlId: string };
export const STORED = ['controlId', ...WRITTEN] as const;

/** A control without a stored state. */
export const UNTOUCHED: Readonly<ControlValues> = Object.freeze({
  status: 'TO_DO',
  justification: '',
  inclusionReason: '',
  note: '',
  ownerId: null,
  dueDate: null,
  reviewIntervalMonths: null,
});

/** Version of a control without a stored state. */
export const FIRST_VERSION = 1;

/** The owner of a control, as every member may see it. */
interface ControlOwner {
  organizationId: number;
  userId: string;
  username: string;
  firstName: string;
  lastName: string;
}

/** A control of the catalogue with its state in an organization. */
export interface OrganizationControlView extends CatalogControl, Omit<ControlValues, 'ownerId'> {
  organizationId: number;
  workflowId: string;
  controlId: string;
  owner: ControlOwner | null;
  /** ISO 8601; null when it was never changed. */
  updatedAt: string | null;
  version: number;
  /** Its day has passed, and it is neither done nor not applicable. */
  overdue: boolean;
}

/** Filter of controls; all conditions apply at once. */
export interface ControlQuery {
  status?: ControlStatus | null;
  /** A user's id. */
  ownerId?: string | null;
  overdue?: boolean | null;
  /** Only those directly below this control. */
  parentId?: string | null;
}

export interface StateRow extends StoredState, Omit<ControlOwner, 'userId' | 'organizationId'> {
  updatedAt: string;
  version: number;
}

const s = table('control_state', 's');
const u = table('app_user', 'u');

/** A state `s` as it is read in any statement, with what joins its owner. */
export const STATE_COLUMNS = sql`${sql.join(selectSome('control_state', 's', [...STORED, 'updatedAt', 'version']))},
  ${u.username}, ${u.first_name} as "firstName", ${u.last_name} as "lastName"`;
export const STATE_OWNER = sql`left join ${u.table} on ${u.id} = ${s.owner_id}`;

/** Of each of the workflows, in their order: `place` counts them from 1. */
export const statesOf = statement<WorkflowLists>()(
  (p) => sql<StateRow & { place: number }>`
    select wanted.place, ${STATE_COLUMNS}
      from ${wantedWorkflows(p)}
      join ${s.table} on ${s.organization_id} = wanted.organization_id and ${s.workflow_id} = wanted.workflow_id
      ${STATE_OWNER}`,
);

const NEVER_CHANGED = Object.freeze({
  ...UNTOUCHED,
  username: '',
  firstName: '',
  lastName: '',
  updatedAt: null,
  version: FIRST_VERSION,
});

/** Controls and tasks of associated workflows. */
export class ControlService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: WorkflowService,
    private readonly now: () => Date,
  ) {}

  /** Controls of each workflow in reading order with their states, in one statement. The workflows were authorized. */
  async ofWorkflows(
    keys: readonly OrganizationWorkflowKey[],
    query: ControlQuery = {},
  ): Promise<OrganizationControlView[][]> {
    const seen = await this.workflows.seen(keys);
    const states = await this.statesOf(keys);
    const now = this.now();
    return seen.map(({ key, workflow, timeZone }, index) => {
      const today = dayOf(now, timeZone);
      const leaves = leavesOf(workflow);
      // The status of a heading counts nowhere: as many are listed by one as progress has.
      return workflow.controls
        .filter(({ id }) => query.status == null || leaves.has(id))
        .map((control) => controlView(key, control, states[index]?.get(control.id), today))
        .filter((view) => meets(view, query));
    });
  }

  /** Controls of associated workflows by keys such as `1/iso-27001-2022/A.5.1`. The organizations were authorized. */
  async ofKeys(keys: readonly string[]): Promise<Map<string, OrganizationControlView>> {
    const workflows = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/'))));
    const associated = await this.workflows.ofKeys([...workflows], NO_FIELDS);
    const views = (await this.ofWorkflows([...associated.values()])).flat();
    return new Map(views.map((view) => [`${view.organizationId}/${view.workflowId}/${view.controlId}`, view]));
  }

  /** One control; throws NOT_FOUND unless the workflow is associated and has it. */
  async read(caller: Caller, key: OrganizationWorkflowKey, controlId: string): Promise<OrganizationControlView> {
    await this.access.authorize(caller, 'READ_WORKFLOWS', key.organizationId);
    const seen = await this.workflows.requireControl(key.organizationId, key.workflowId, controlId);
    const [view] = await this.byIds(seen, [controlId]);
    return view as OrganizationControlView;
  }

  /**
   * Reads without authorizing, in the order of the ids: for the answer to a write, whose workflow may be dissociated by
   * now.
   */
  async byIds(
    { key, workflow, timeZone }: SeenWorkflow,
    controlIds: readonly string[],
  ): Promise<OrganizationControlView[]> {
    const [states] = await this.statesOf([key]);
    const today = dayOf(this.now(), timeZone);
    return controlIds.map((id) => {
      const control = found(controlOf(workflow, id));
      return controlView(key, control, states?.get(id), today);
    });
  }

  private async statesOf(keys: readonly OrganizationWorkflowKey[]): Promise<ReadonlyMap<string, StateRow>[]> {
    const rows = await statesOf.all(this.database, listsOf(keys));
    const states = keys.map(() => new Map<string, StateRow>());
    for (const row of rows) states[row.place - 1]?.set(row.controlId, row);
    return states;
  }
}

/** A page of controls in reading order, of an organization or of the catalogue. */
export function controlPage<Control extends Pick<CatalogControl, 'position'>>(
  controls: readonly Control[],
  page: PageRequest,
): Page<Control> {
  return pageOfItems(controls, 'int', ({ position }) => position, page);
}

/** A control of a workflow with the state that was read of it, if it has one. */
export function controlView(
  { organizationId, workflowId }: OrganizationWorkflowKey,
  control: CatalogControl,
  row: StateRow | undefined,
  today: string,
): OrganizationControlView {
  const { ownerId, username, firstName, lastName, ...state } = row ?? NEVER_CHANGED;
  const { status, dueDate } = state;
  return {
    ...control,
    ...state,
    id: `${organizationId}/${workflowId}/${control.id}`,
    organizationId,
    workflowId,
    controlId: control.id,
    owner: ownerId === null ? null : { organizationId, userId: ownerId, username, firstName, lastName },
    // A due date is a day: it has passed when the next one begins where the organization is.
    overdue: dueDate !== null && dueDate < today && (status === 'TO_DO' || status === 'IN_PROGRESS'),
  };
}

function meets(view: OrganizationControlView, { status, ownerId, overdue, parentId }: ControlQuery): boolean {
  if (status != null && view.status !== status) return false;
  if (ownerId != null && view.owner?.userId !== ownerId.toLowerCase()) return false;
  if (overdue != null && view.overdue !== overdue) return false;
  return parentId == null || view.parentId === parentId;
}
