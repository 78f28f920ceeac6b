import { toSnakeCase } from '../../common/naming.js';
import { allColumns, type RowOf } from '../../database/columns.js';
import { column, db, insertSelect, sql, statement, table } from '../../database/sql.js';
import type { OrganizationWorkflowKey } from './progress.js';

/** The properties of a control that a caller writes. */
export const WRITTEN = [
  ...(['status', 'justification', 'inclusionReason', 'note'] as const),
  ...(['ownerId', 'dueDate', 'reviewIntervalMonths'] as const),
];

export type ControlValues = Pick<RowOf<'control_state'>, (typeof WRITTEN)[number]>;

/** What is stored of a control of an organization. */
export type StoredState = ControlValues & { controlId: string };

/** A control of which nothing is stored. */
export const UNTOUCHED: Readonly<ControlValues> = Object.freeze({
  status: 'TO_DO',
  justification: '',
  inclusionReason: '',
  note: '',
  ownerId: null,
  dueDate: null,
  reviewIntervalMonths: null,
});

/** The columns of a stored state, and others of its table `s`. */
export function stateColumns(...others: (keyof RowOf<'control_state'>)[]) {
  const columns = allColumns('control_state', 's');
  return (['controlId', ...WRITTEN, ...others] as const).map((property) => columns[property].as(property));
}

/** The association is the lock: changes of controls, and dissociating the workflow, follow each other. */
export const lockAssociation = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('organization_workflow')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .forUpdate(),
);

export const storedStates = statement<OrganizationWorkflowKey & { ids: readonly string[] }>()((p) =>
  db
    .selectFrom('control_state as s')
    .select(stateColumns())
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('control_id', '=', ({ fn }) => fn.any(p('ids')))
    .$castTo<StoredState>(),
);

/** Locked, so that no member leaves before the end of the transaction. */
export const lockActiveMembers = statement<{ organizationId: number; ids: readonly string[] }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.user_id as id')
    .where('u.deactivated_at', 'is', null)
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.deactivated_at', 'is', null)
    .where('m.user_id', '=', sql<string>`any(${p('ids')}::uuid[])`)
    .forShare('m'),
);

interface StoredStates extends OrganizationWorkflowKey {
  /** What `rowsOf` makes of the states. */
  rows: string;
  /** Controls whose owner was given. */
  named: readonly string[];
  now: Date;
}

/** States as JSON with the names of the columns. */
export function rowsOf(states: readonly StoredState[]): string {
  return JSON.stringify(
    states.map((state) =>
      Object.fromEntries(Object.entries(state).map(([property, value]) => [toSnakeCase(property), value])),
    ),
  );
}

/**
 * An owner is written where it was given, and otherwise left to the row as it is by now: a member who leaves the
 * organization is taken out of it without waiting for the workflow.
 */
export const storeStates = statement<StoredStates>()((p) => {
  const state = table('control_state');
  const given = table('control_state', 'given');
  const excluded = table('control_state', 'excluded');
  const names = ['status', 'justification', 'inclusion_reason', 'note', 'due_date', 'review_interval_months'] as const;
  const insert = insertSelect('control_state', {
    organization_id: p('organizationId'),
    workflow_id: p('workflowId'),
    control_id: given.control_id,
    owner_id: given.owner_id,
    ...(Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<typeof given, (typeof names)[number]>),
    updated_at: p('now'),
  });
  const changes = [...names, 'updated_at' as const].map(
    (name) => sql`${column('control_state', name)} = ${excluded[name]}`,
  );
  const key = (['organization_id', 'workflow_id', 'control_id'] as const).map((name) => column('control_state', name));
  return sql`${insert} from json_populate_recordset(null::control_state, ${p('rows')}) as given
    on conflict (${sql.join(key)}) do update set ${sql.join(changes)}, ${column('control_state', 'owner_id')} =
      case when ${excluded.control_id} = any(${p('named')}) then ${excluded.owner_id} else ${state.owner_id} end`;
});
