import { insertRows, selectSome, type RowOf } from '../../database/columns.js';
import { column, db, sql, statement, table } from '../../database/sql.js';
import type { OrganizationWorkflowKey } from './progress.js';

/** The properties of a control that a caller writes. */
export const WRITTEN = [
  ...(['status', 'justification', 'inclusionReason', 'note'] as const),
  ...(['ownerId', 'dueDate', 'reviewIntervalMonths'] as const),
];

export type ControlValues = Pick<RowOf<'control_state'>, (typeof WRITTEN)[number]>;

/** What is stored of a control of an organization. */
export type StoredState = ControlValues & { controlId: string };
export const STORED = ['controlId', ...WRITTEN] as const;

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
    .selectFrom('control_state')
    .select(selectSome('control_state', 'control_state', STORED))
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('control_id', '=', ({ fn }) => fn.any(p('ids'))),
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

interface StoredStates {
  /** JSON of rows. */
  rows: string;
  /** Controls whose owner was given. */
  named: readonly string[];
}

/**
 * An owner is written where it was given, and otherwise left to the row as it is by now: a member who leaves the
 * organization is taken out of it without waiting for the workflow.
 */
export const storeStates = statement<StoredStates>()((p) => {
  const state = table('control_state');
  const excluded = table('control_state', 'excluded');
  const key = ['organizationId', 'workflowId', 'controlId'] as const;
  const names = ['status', 'justification', 'inclusion_reason', 'note', 'due_date', 'review_interval_months'] as const;
  const changes = [...names, 'updated_at' as const].map(
    (name) => sql`${column('control_state', name)} = ${excluded[name]}`,
  );
  return sql`${insertRows('control_state', [...key, ...WRITTEN, 'updatedAt'], p('rows'))}
    on conflict (organization_id, workflow_id, control_id) do update set ${sql.join(changes)}, owner_id =
      case when ${excluded.control_id} = any(${p('named')}) then ${excluded.owner_id} else ${state.owner_id} end`;
});
