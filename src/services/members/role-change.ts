import type { Actor } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';
import { recordAll, type FieldChange } from '../audit/record.js';
import { memberEvent } from '../audit/subjects.js';
import { disableWebhooksOf, lockWebhooks } from '../webhooks/endpoint-records.js';

const m = table('membership', 'm');

/** Each member is found by its id: joined to the ids, all members of the organization would be read. */
const setRoles = statement<{ organizationId: number; userIds: readonly string[]; roles: readonly Role[] }>()(
  (p) => sql`
    update ${m.table}
       set ${column('membership', 'role')} = (${p('roles')}::text[])[array_position(${p('userIds')}::uuid[], ${m.user_id})]
     where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} = any(${p('userIds')}::uuid[])`,
);

export interface RoleChange {
  userId: string;
  username: string;
  before: Role;
  after: Role;
}

interface RoleChanges {
  organizationId: number;
  members: readonly RoleChange[];
  at: Date;
  /** Further fields of each entry. */
  by?: Readonly<Record<string, FieldChange>>;
}

/**
 * Sets the roles of members by their groups in a directory or at an identity provider, under the lock of the members.
 * A group may have thousands, while everything else in the organization's trail waits: only the statements of entries
 * are executed for each one.
 */
export async function changeRoles(
  tx: Queryable,
  actor: Actor,
  { organizationId, members, at, by }: RoleChanges,
): Promise<void> {
  await lockWebhooks(tx, [organizationId]);
  const [userIds, roles] = [members.map(({ userId }) => userId), members.map(({ after }) => after)];
  await setRoles.all(tx, { organizationId, userIds, roles });
  const events = members.map(({ before, after, ...member }) =>
    memberEvent(
      { organizationId, ...member },
      { action: 'MEMBER_UPDATED', at, changes: { role: { before, after }, ...by } },
    ),
  );
  await recordAll(tx, actor, events);
  for (const { userId, before, after } of members)
    if (roleHas(before, 'MANAGE_WEBHOOKS') && !roleHas(after, 'MANAGE_WEBHOOKS'))
      await disableWebhooksOf(tx, actor, { organizationId, userId, at });
}
