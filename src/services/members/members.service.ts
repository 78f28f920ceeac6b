import type { Access } from '../../auth/access.js';
import { userOf, type Caller } from '../../auth/caller.js';
import { manages, roleHas, type Privilege } from '../../auth/roles.js';
import { isUuid } from '../../common/formats.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type TableReference } from '../../database/sql.js';
import { conflict, found, notFound } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { ROLES, type Role } from '../../values/enums.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { containsText } from '../shared/text-search.js';

export interface MemberQuery extends ListQuery<'USERNAME' | 'EMAIL' | 'ROLE'> {
  role?: Role | null;
  /** Only active members, or only deactivated ones. */
  active?: boolean | null;
  /** Part of a name, user name or e-mail address, case-insensitive. */
  search?: string | null;
}

const m = table('membership', 'm');
const u = table('app_user', 'u');
const other = table('membership', 'other');
const user = table('app_user', 'o');

/** The user is joined only if one of its columns is read: each membership has one. */
const FROM = sql`${m.table} left join ${u.table} on ${u.id} = ${m.user_id}`;
/** Service accounts have memberships, but are not listed or managed as members. */
const IS_PERSON = sql<boolean>`${m.person_name} is not null`;
const CAN_ACT = sql<boolean>`${ACTIVE_MEMBER} and ${u.deactivated_at} is null`;
const RANK = sql`case ${m.role} ${sql.join(
  ROLES.map((role, index) => sql`when ${role} then ${index + 1}`),
  sql` `,
)} end`;

/** Whether the member is the only owner with access. */
const LAST_OWNER = sql`(${m.role} = 'ORGANIZATION_OWNER' and ${ACTIVE_MEMBER} and not exists (
  select 1 from ${other.table} join ${user.table} on ${user.id} = ${other.user_id} and ${user.deactivated_at} is null
   where ${other.organization_id} = ${m.organization_id} and ${other.user_id} <> ${m.user_id}
     and ${other.role} = 'ORGANIZATION_OWNER' and ${other.deactivated_at} is null))`;

/** A member, with the columns for authorization. */
export interface ManagedMember {
  organizationId: number;
  role: Role;
  lastOwner: boolean;
}

const listing = new Listing<MemberQuery>({
  from: FROM,
  details: sql`join ${m.table} on ${m.organization_id} = key.parent and ${m.user_id} = key.id join ${u.table} on ${u.id} = ${m.user_id}`,
  where: [IS_PERSON],
  id: { column: m.user_id, type: 'uuid' },
  parent: { column: m.organization_id, type: 'bigint' },
  sorts: {
    USERNAME: { column: m.person_name, type: 'text' },
    EMAIL: { column: u.email, type: 'text' },
    ROLE: { column: RANK, type: 'int' },
  },
  order: { field: 'USERNAME', direction: 'ASC' },
  filters: {
    active: (active) => sql`(${ACTIVE_MEMBER}) = ${active}`,
    role: (role) => sql`${m.role} = ${role}`,
    // Full name, user name and address.
    search: (text) => containsText(u.searchable, text),
  },
});

/** The id of a member is read only if selected: no nested list or check needs it, and it is expensive to build. */
const projection = new Projection(
  'OrganizationUser',
  {
    id: sql`${m.organization_id} || '/' || ${m.user_id}`,
    userId: m.user_id,
    ...properties(u, 'username', 'email', 'first_name', 'last_name'),
    role: m.role,
    active: ACTIVE_MEMBER,
    joinedAt: m.created_at,
    version: m.version,
    deactivatedAt: m.deactivated_at,
    viewerCan: { needs: { organizationId: m.organization_id, role: m.role, lastOwner: LAST_OWNER } },
    history: { needs: { organizationId: m.organization_id } },
    alerts: {
      object: {
        ...{ atb: m.alert_atb, cloudDefender: m.alert_cloud_defender, vCiso: m.alert_v_ciso },
        version: m.alerts_version,
      },
    },
  },
  ['userId'],
);

const one = projected<{ organizationId: number; userId: string }>()(
  (p, { select }) => sql<object>`
    select ${sql.join(select)} from ${FROM} where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} = ${p('userId')} and ${IS_PERSON}`,
);

/** Keys such as `1/<uuid>`. As a condition, `$isPerson` lets the planner use the list's index when it has no statistics. */
const some = projected<{ organizationIds: readonly number[]; userIds: readonly string[] }>()(
  (p, { select }) => sql<{ $key: string; $isPerson: boolean }>`
    select ${m.organization_id} || '/' || ${m.user_id} as "$key", ${IS_PERSON} as "$isPerson", ${sql.join(select)}
      from unnest(${p('organizationIds')}::bigint[], ${p('userIds')}::uuid[]) as wanted(organization_id, user_id)
      join (${FROM}) on ${m.organization_id} = wanted.organization_id and ${m.user_id} = wanted.user_id`,
);

/** Members of organizations (specification 2.8 and 4.7). */
export class MemberService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access'>) {}

  /** Authorizes the list of this organization's members (specification 4.7), before several lists are loaded together. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'LIST_MEMBERS', organizationId);
  }

  /** One member; throws NOT_FOUND, or FORBIDDEN for others than oneself below rank 3 (specification 4.7). */
  async read(caller: Caller, key: MemberKey, selection: Selection): Promise<object> {
    const isOneself = caller.kind === 'user' && caller.userId === key.userId.toLowerCase();
    await this.deps.access.authorize(caller, isOneself ? 'READ_ORGANIZATION' : 'LIST_MEMBERS', key.organizationId);
    return this.one(key.organizationId, userIdOf(key), selection);
  }

  /** Not authorized here: for the answer to a write. */
  async one(organizationId: number, userId: string, selection: Selection, tx: Queryable = this.deps.database) {
    return found(await one(projection.of(selection)).first(tx, { organizationId, userId }));
  }

  /** Changes of `member-update.service.ts` that this caller may make. */
  async permissions(caller: Caller, { organizationId, role, lastOwner }: ManagedMember) {
    const actor = await managingRole(this.deps.access, caller, organizationId);
    if (actor === undefined || !manages(actor, role)) return { assignRoles: [], setActive: false, remove: false };
    const assignRoles = lastOwner ? [role] : ROLES.filter((each) => manages(actor, each));
    return { assignRoles, setActive: !lastOwner, remove: !lastOwner };
  }

  /** Members by keys such as `1/<uuid>`, in one statement. The lists of the organizations were authorized. */
  async ofKeys(keys: readonly string[], selection: Selection): Promise<Map<string, object>> {
    const parts = keys.map((key) => key.split('/'));
    const rows = await some(projection.of(selection)).all(this.deps.database, {
      organizationIds: parts.map(([organizationId]) => Number(organizationId)),
      userIds: parts.map(([, userId]) => userId as string),
    });
    return new Map(rows.filter(({ $isPerson }) => $isPerson).map((row) => [row.$key, row]));
  }

  async ofOrganizations(organizationIds: readonly number[], query: MemberQuery, selection: ListSelection) {
    const request = { ...query, search: query.search || null, ...projection.list(selection) };
    return listing.ofMany<object, number>(this.deps.database, organizationIds, request);
  }
}

const lock = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', p('organizationId'))
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
);

const activeOwner = statement<{ organizationId: number }>()(
  (p) => sql<{ id: number }>`
    select ${m.id} from ${FROM}
     where ${m.organization_id} = ${p('organizationId')} and ${m.role} = 'ORGANIZATION_OWNER' and ${CAN_ACT} limit 1`,
);

/** Those of these users who are members; `canAct` unless the membership or the user is deactivated. */
const membersAmong = statement<{ organizationId: number; userIds: readonly string[] }>()(
  (p) => sql<
    MemberKey & { username: string; isPerson: boolean; role: Role; active: boolean; canAct: boolean; version: number }
  >`
    select ${m.organization_id} as "organizationId", ${u.id} as "userId", ${u.username}, ${IS_PERSON} as "isPerson", ${m.role},
           ${ACTIVE_MEMBER} as active, ${CAN_ACT} as "canAct", ${m.version}
      from ${FROM} where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} = any(${p('userIds')}::uuid[])`,
);

/**
 * Serializes changes of an organization's memberships: values read after it remain valid until the
 * transaction ends. Throws NOT_FOUND for a missing or deleted organization. Reading and new records of the
 * organization do not wait.
 */
export async function lockMembers(tx: Queryable, organizationId: number): Promise<void> {
  found(await lock.first(tx, { organizationId }));
}

/**
 * Throws CONFLICT when the transaction has left no active owner. Call it after the change, and `lockMembers`
 * before.
 */
export async function requireRemainingOwner(tx: Queryable, organizationId: number): Promise<void> {
  if ((await activeOwner.first(tx, { organizationId })) === undefined) throw conflict('LAST_OWNER');
}

type Members = Awaited<ReturnType<typeof lockedMembers>>;

/** Locks the members of an organization and returns those named, by user id; non-members are missing. */
export async function lockedMembers(tx: Queryable, organizationId: number, userIds: readonly string[]) {
  await lockMembers(tx, organizationId);
  const rows = await membersAmong.all(tx, { organizationId, userIds });
  return new Map(rows.map((row) => [row.userId, row]));
}

export function activeAmong(members: Members, userId: string) {
  const member = members.get(userId);
  return member?.canAct ? member : undefined;
}

/** The caller's role in the database, not the cached one: for decisions under the lock. Undefined for an inactive caller. */
export async function roleNow(tx: Queryable, caller: Caller, organizationId: number): Promise<Role | undefined> {
  const { userId } = userOf(caller);
  return activeAmong(await lockedMembers(tx, organizationId, [userId]), userId)?.role;
}

/**
 * The same as a decision, because the role may have changed while the lock was waited for. Throws NOT_FOUND and
 * FORBIDDEN as `authorize` does, which comes before it and checks the token as well.
 */
export async function authorizeNow(
  tx: Queryable,
  access: Access,
  caller: Caller,
  privilege: Privilege,
  organizationId: number,
): Promise<void> {
  const role = found(await roleNow(tx, caller, organizationId));
  if (!roleHas(role, privilege)) access.refuse(caller, privilege, organizationId);
}

/**
 * Throws FORBIDDEN unless the caller's role `actor` manages this one. Owners' exclusive rights are noted in addition to that
 * of managing members: they are checked again before COMMIT, and before the answer is repeated.
 */
export function requireManaged(
  access: Access,
  caller: Caller,
  { actor, role, organizationId }: { actor: Role; role: Role; organizationId: number },
): void {
  if (!manages(actor, role)) access.refuse(caller, 'MANAGE_OWNERS', organizationId);
  if (!manages('ORGANIZATION_MANAGER', role))
    userOf(caller).rights?.add({ privilege: 'MANAGE_OWNERS', organizationId });
}

/** The caller's role, possibly cached, if it may manage members: for permissions. */
export async function managingRole(access: Access, caller: Caller, organizationId: number): Promise<Role | undefined> {
  if (!(await access.allows(caller, 'MANAGE_MEMBERS', organizationId))) return undefined;
  return access.roleIn(userOf(caller), organizationId);
}

/** The full name of a user, or the user name without one. */
export function nameOf({ first_name, last_name, username }: TableReference<'app_user'>) {
  return sql<string>`coalesce(nullif(trim(concat(${first_name}, ' ', ${last_name})), ''), ${username})`;
}

/** The member's id; a text that is no UUID matches none. */
export interface MemberKey {
  organizationId: number;
  userId: string;
}

/** In the database's spelling. A malformed id is NOT_FOUND, like an unknown one. */
export function userIdOf({ userId }: Pick<MemberKey, 'userId'>): string {
  if (!isUuid(userId)) throw notFound();
  return userId.toLowerCase();
}
