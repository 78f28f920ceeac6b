import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { roleHas, type Privilege } from '../../auth/roles.js';
import { isUuid } from '../../common/formats.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, type TableReference } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import type { Role } from '../../values/enums.js';

const lock = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', p('organizationId'))
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
);

const activeOwner = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('u.deactivated_at', 'is', null)
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.role', '=', 'ORGANIZATION_OWNER')
    .where('m.deactivated_at', 'is', null)
    .limit(1),
);

/** Those of these users who are members; one can act unless the membership or the user is deactivated. */
const membersAmong = statement<{ organizationId: number; userIds: readonly string[] }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select((eb) => {
      const active = eb('m.deactivated_at', 'is', null).$castTo<boolean>();
      const canAct = eb.and([active, eb('u.deactivated_at', 'is', null)]).$castTo<boolean>();
      return [
        'm.organization_id as organizationId',
        'u.id as userId',
        'u.username',
        'm.role',
        active.as('active'),
        canAct.as('canAct'),
      ];
    })
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.user_id', '=', ({ fn }) => fn.any(p('userIds'))),
);

/**
 * Makes changes of who is what in an organization wait for each other: what is read after it stays true until the
 * transaction ends. Throws NOT_FOUND for an organization that is not there or deleted. Reading and new records of the
 * organization do not wait.
 */
export async function lockMembers(tx: Queryable, organizationId: number): Promise<void> {
  if ((await lock.first(tx, { organizationId })) === undefined) throw notFound();
}

/**
 * Throws CONFLICT when the transaction has left no owner who can act. Call it after the change, and `lockMembers`
 * before.
 */
export async function keepAnOwner(tx: Queryable, organizationId: number): Promise<void> {
  if ((await activeOwner.first(tx, { organizationId })) === undefined) throw conflict('LAST_OWNER');
}

type Members = Awaited<ReturnType<typeof lockedMembers>>;

/** What these users are in the organization under the lock, by their ids; non-members are missing. */
export async function lockedMembers(tx: Queryable, organizationId: number, userIds: readonly string[]) {
  await lockMembers(tx, organizationId);
  const rows = await membersAmong.all(tx, { organizationId, userIds });
  return new Map(rows.map((row) => [row.userId, row]));
}

export function activeAmong(members: Members, userId: string) {
  const member = members.get(userId);
  return member?.canAct ? member : undefined;
}

/** Of the caller, whom `members` was read for as well. The system acts as an owner; undefined for who cannot act. */
export function roleAmong(members: Members, caller: Caller): Role | undefined {
  if (caller.kind !== 'user') return caller.kind === 'system' ? 'ORGANIZATION_OWNER' : undefined;
  return activeAmong(members, caller.userId)?.role;
}

/** The caller's role in the database, not the cached one: for decisions under the lock. */
export async function roleNow(tx: Queryable, caller: Caller, organizationId: number): Promise<Role | undefined> {
  const userIds = caller.kind === 'user' ? [caller.userId] : [];
  return roleAmong(await lockedMembers(tx, organizationId, userIds), caller);
}

/**
 * The same as a decision: the role may have changed while the caller waited for the lock. Throws NOT_FOUND and
 * FORBIDDEN as `authorize` does, which comes before it and checks the token as well.
 */
export async function authorizeNow(
  tx: Queryable,
  access: Access,
  caller: Caller,
  privilege: Privilege,
  organizationId: number,
): Promise<void> {
  const role = await roleNow(tx, caller, organizationId);
  if (role === undefined) throw notFound();
  if (!roleHas(role, privilege)) access.refuse(caller, privilege, organizationId);
}

/** The caller's role, cached or not, where it may manage members: for what it may do. The system acts as an owner. */
export async function managingRole(access: Access, caller: Caller, organizationId: number): Promise<Role | undefined> {
  if (caller.kind === 'system') return 'ORGANIZATION_OWNER';
  if (caller.kind === 'anonymous' || !(await access.allows(caller, 'MANAGE_MEMBERS', organizationId))) return undefined;
  return access.roleIn(caller, organizationId);
}

/** The full name of a user, or the user name where there is none. */
export function nameOf({ first_name, last_name, username }: TableReference<'app_user'>) {
  return sql<string>`coalesce(nullif(trim(concat(${first_name}, ' ', ${last_name})), ''), ${username})`;
}

/** Which member; a text that is no UUID matches none. */
export interface MemberKey {
  organizationId: number;
  userId: string;
}

/** As the database writes it. A malformed id is NOT_FOUND, like one that never was. */
export function userIdOf({ userId }: Pick<MemberKey, 'userId'>): string {
  if (!isUuid(userId)) throw notFound();
  return userId.toLowerCase();
}
