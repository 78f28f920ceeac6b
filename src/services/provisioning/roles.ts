import type { Actor } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { ROLE_RANKS, type Role } from '../../values/enums.js';
import { changeRoles, type RoleChange } from '../members/role-change.js';
import { roleOf, type Settings } from './settings-statements.js';

const s = table('scim_user', 's');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const g = table('scim_group', 'g');
const gm = table('scim_group_member', 'gm');

const provisioned = statement<{ organizationId: number; ids: readonly string[] | null }>()(
  (p) => sql<{ userId: string; username: string; role: Role; groups: string[] }>`
    select ${m.user_id} as "userId", ${u.username}, ${m.role},
           array(select ${g.display_name_key} from ${gm.table} join ${g.table} on ${g.id} = ${gm.group_id}
                  where ${gm.user_id} = ${s.id}) as groups
      from ${s.table} join ${m.table} on ${m.id} = ${s.membership_id} join ${u.table} on ${u.id} = ${m.user_id}
     where ${s.organization_id} = ${p('organizationId')} and ${s.deleted_at} is null
       and (${p('ids')}::uuid[] is null or ${s.id} = any(${p('ids')}::uuid[]))
     order by ${s.id}`,
);

interface Recomputed {
  organizationId: number;
  settings: Settings;
  /** Members above this rank are unchanged. */
  reach: number;
  /** Of users of the directory; null for all. */
  ids: readonly string[] | null;
  at: Date;
}

/** Sets members' roles by their groups, under the lock of the members. Returns the users whose role changed. */
export async function applyRoles(
  tx: Queryable,
  actor: Actor,
  { organizationId, settings, reach, ids, at }: Recomputed,
): Promise<string[]> {
  const members: RoleChange[] = [];
  for (const { userId, username, role, groups } of await provisioned.all(tx, { organizationId, ids })) {
    const after = roleOf(settings, groups);
    if (after !== role && ROLE_RANKS[role] <= reach) members.push({ userId, username, before: role, after });
  }
  if (members.length > 0) await changeRoles(tx, actor, { organizationId, members, at });
  return members.map(({ userId }) => userId);
}
