import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { record } from '../audit/record.js';
import { controlOf } from './catalog.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

/** A user whose memberships end. */
interface Leaving {
  userId: string;
  organizationIds: readonly number[];
  at: Date;
}

/** A control that loses its owner. */
export interface ReleasedControl {
  organizationId: number;
  workflowId: string;
  controlId: string;
}

/** Assigning a control locks the owner's membership: it is waited for, and later assignments find no membership. */
const lockMemberships = statement<Omit<Leaving, 'at'>>()((p) =>
  db
    .selectFrom('membership')
    .select('id')
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
    .orderBy('organization_id')
    .forUpdate(),
);

/** In the order in which changes of controls lock them, which prevents deadlocks. */
const lockControls = statement<Omit<Leaving, 'at'>>()((p) =>
  db
    .selectFrom('control_state')
    .select('id')
    .where('owner_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
    .orderBy('organization_id')
    .orderBy('workflow_id')
    .orderBy('control_id')
    .forNoKeyUpdate(),
);

const release = statement<Leaving>()((p) =>
  db
    .updateTable('control_state')
    .set({ owner_id: null, updated_at: p('at') })
    .where('owner_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
    .returning(['organization_id as organizationId', 'workflow_id as workflowId', 'control_id as controlId']),
);

/**
 * Removes a user as owner of controls before its memberships end: a trigger would do so then without returning
 * the changes. Call `recordReleased` afterwards.
 */
export async function releaseControls(tx: Queryable, leaving: Leaving): Promise<ReleasedControl[]> {
  await lockMemberships.all(tx, leaving);
  await lockControls.all(tx, leaving);
  return release.all(tx, leaving);
}

/** Records that these controls of one organization have lost their owner, before the end of its membership is recorded. */
export async function recordReleased(
  tx: Queryable,
  catalogs: Pick<OrganizationCatalogs, 'ofMany'>,
  actor: Actor | Caller,
  { userId, at, controls }: { userId: string; at: Date; controls: readonly ReleasedControl[] },
): Promise<void> {
  const ids = controls.map(({ organizationId }) => organizationId);
  const known = await catalogs.ofMany(ids, tx);
  const changes = { ownerId: { before: userId, after: null } };
  const entries = controls.map(({ organizationId, workflowId, controlId }) => {
    const catalog = known.get(organizationId);
    // A control that does not bind the organization any more has had an owner as well.
    const source = catalog?.source(workflowId);
    const control = catalog?.control(workflowId, controlId) ?? (source && controlOf(source, controlId));
    const name = control?.label ?? '';
    const parent = { type: 'WORKFLOW', id: workflowId } as const;
    const subject = { type: 'CONTROL', id: `${workflowId}/${controlId}`, name, parent } as const;
    return record(tx, actor, { organizationId, action: 'CONTROL_UPDATED', at, subject, changes });
  });
  await Promise.all(entries);
}
