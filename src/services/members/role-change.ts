import type { Actor } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';
import type { FieldChange } from '../audit/record.js';
import { recordMember } from '../audit/subjects.js';
import { disableWebhooksOf, lockWebhooks } from '../webhooks/endpoint-records.js';

const setRole = statement<{ userId: string; organizationId: number; role: Role }>()((p) =>
  db
    .updateTable('membership')
    .set({ role: p('role') })
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', p('organizationId')),
);

interface RoleChange {
  organizationId: number;
  userId: string;
  username: string;
  before: Role;
  after: Role;
  at: Date;
  /** Further fields of its entry. */
  by?: Readonly<Record<string, FieldChange>>;
}

/** Gives a member the role that groups elsewhere have for it, under the lock of the members. */
export async function changeRole(
  tx: Queryable,
  actor: Actor,
  { organizationId, userId, username, before, after, at, by }: RoleChange,
): Promise<void> {
  await lockWebhooks(tx, [organizationId]);
  await setRole.all(tx, { userId, organizationId, role: after });
  const changes = { role: { before, after }, ...by };
  await recordMember(tx, actor, { organizationId, userId, username }, { action: 'MEMBER_UPDATED', at, changes });
  if (!roleHas(after, 'MANAGE_WEBHOOKS')) await disableWebhooksOf(tx, actor, { organizationId, userId, at });
}
