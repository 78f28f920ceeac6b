import { column, db, insertSelect, sql, statement, table, type Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import type { ControlStatus } from '../../values/enums.js';
import type { OrganizationWorkflowKey } from './progress.js';

/** What is stored of a control of an organization. */
export interface StoredState {
  controlId: string;
  status: ControlStatus;
  justification: string;
  inclusionReason: string;
  note: string;
  ownerId: string | null;
  dueDate: string | null;
  reviewIntervalMonths: number | null;
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
    .selectFrom('control_state')
    .select([
      'control_id as controlId',
      'status',
      'justification',
      'inclusion_reason as inclusionReason',
      'note',
      'owner_id as ownerId',
      'due_date as dueDate',
      'review_interval_months as reviewIntervalMonths',
    ])
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

interface StoredStates extends OrganizationWorkflowKey {
  controlIds: readonly string[];
  statuses: readonly ControlStatus[];
  justifications: readonly string[];
  inclusionReasons: readonly string[];
  notes: readonly string[];
  ownerIds: readonly (string | null)[];
  dueDates: readonly (string | null)[];
  reviewIntervals: readonly (number | null)[];
  /** Controls whose owner was given. */
  named: readonly string[];
  now: Date;
}

const given = {
  control_id: sql`given.control_id`,
  status: sql`given.status`,
  justification: sql`given.justification`,
  inclusion_reason: sql`given.inclusion_reason`,
  note: sql`given.note`,
  owner_id: sql`given.owner_id`,
  due_date: sql`given.due_date`,
  review_interval_months: sql`given.review_interval_months`,
};

/**
 * An owner is written where it was given, and otherwise left to the row as it is by now: a member who leaves the
 * organization is taken out of it without waiting for the workflow.
 */
export const storeStates = statement<StoredStates>()((p) => {
  const insert = insertSelect('control_state', {
    organization_id: p('organizationId'),
    workflow_id: p('workflowId'),
    ...given,
    updated_at: p('now'),
  });
  const excluded = table('control_state', 'excluded');
  const state = table('control_state');
  const set = (name: keyof Tables['control_state'], value: Expression = excluded[name]) =>
    sql`${column('control_state', name)} = ${value}`;
  const owner = sql`case when ${excluded.control_id} = any(${p('named')}) then ${excluded.owner_id} else ${state.owner_id} end`;
  const changes = [
    set('status'),
    set('justification'),
    set('inclusion_reason'),
    set('note'),
    set('owner_id', owner),
    set('due_date'),
    set('review_interval_months'),
  ];
  const key = sql.join([
    column('control_state', 'organization_id'),
    column('control_state', 'workflow_id'),
    column('control_state', 'control_id'),
  ]);
  return sql`${insert}
    from unnest(${p('controlIds')}::text[], ${p('statuses')}::text[], ${p('justifications')}::text[],
                ${p('inclusionReasons')}::text[], ${p('notes')}::text[], ${p('ownerIds')}::uuid[], ${p('dueDates')}::date[], ${p('reviewIntervals')}::int[])
      as given(control_id, status, justification, inclusion_reason, note, owner_id, due_date, review_interval_months)
    on conflict (${key}) do update set ${sql.join([...changes, set('updated_at')])}`;
});
