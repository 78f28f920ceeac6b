import type { Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Foundation } from '../../infrastructure.js';
import { ROLES, type Role } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { managingRole, userIdOf, type MemberKey } from './ownership.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

export interface MemberQuery extends ListQuery<'USERNAME' | 'EMAIL' | 'ROLE'> {
  role?: Role | null;
  /** Only those who have access, or only those who are deactivated. */
  active?: boolean | null;
  /** Part of a name, user name or e-mail address, in whatever case. */
  search?: string | null;
}

const m = table('membership', 'm');
const u = table('app_user', 'u');
const other = table('membership', 'other');
const user = table('app_user', 'o');

const RANK = sql`case ${m.role} ${sql.join(
  ROLES.map((role, index) => sql`when ${role} then ${index + 1}`),
  sql` `,
)} end`;

/** Whether the organization would be without an owner who can act if this one were none. */
const LAST_OWNER = sql`(${m.role} = 'ORGANIZATION_OWNER' and ${ACTIVE_MEMBER} and not exists (
  select 1 from ${other.table} join ${user.table} on ${user.id} = ${other.user_id} and ${user.deactivated_at} is null
   where ${other.organization_id} = ${m.organization_id} and ${other.user_id} <> ${m.user_id}
     and ${other.role} = 'ORGANIZATION_OWNER' and ${other.deactivated_at} is null))`;

/** A member, with what deciding about it takes. */
export interface ManagedMember {
  organizationId: number;
  role: Role;
  lastOwner: boolean;
}

const listing = new Listing<MemberQuery>({
  from: sql`${m.table} join ${u.table} on ${u.id} = ${m.user_id}`,
  id: { column: u.id, type: 'uuid' },
  parent: { column: m.organization_id, type: 'int' },
  sorts: {
    USERNAME: { column: u.username, type: 'text' },
    EMAIL: { column: u.email, type: 'text' },
    ROLE: { column: RANK, type: 'int' },
  },
  order: { field: 'USERNAME', direction: 'ASC' },
  filters: {
    active: (active) => sql`(${ACTIVE_MEMBER}) = ${active}`,
    role: (role) => sql`${m.role} = ${role}`,
    search: (part) => {
      const name = sql`(${u.first_name} || ' ' || ${u.last_name})`;
      return sql`(${u.username} ilike ${part} or ${u.email} ilike ${part} or ${name} ilike ${part})`;
    },
  },
});

/** Nothing hangs on the id of a member, and it takes some making. */
const projection = new Projection(
  'OrganizationUser',
  {
    id: sql`${m.organization_id} || '/' || ${m.user_id}`,
    userId: u.id,
    ...properties(u, 'username', 'email', 'first_name', 'last_name'),
    role: m.role,
    active: ACTIVE_MEMBER,
    joinedAt: m.created_at,
    deactivatedAt: m.deactivated_at,
    viewerCan: { needs: { organizationId: m.organization_id, role: m.role, lastOwner: LAST_OWNER } },
    history: { needs: { organizationId: m.organization_id } },
    alerts: { object: { atb: m.alert_atb, cloudDefender: m.alert_cloud_defender, vCiso: m.alert_v_ciso } },
  },
  ['userId'],
);

const one = projected<{ organizationId: number; userId: string }>()((p, { select }) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(select)
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.user_id', '=', p('userId')),
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

  /** Decides nothing: for the answer to a write. */
  async one(organizationId: number, userId: string, selection: Selection, tx: Queryable = this.deps.database) {
    const member = await one(projection.of(selection)).first(tx, { organizationId, userId });
    if (member === undefined) throw notFound();
    return member;
  }

  /** What `member-update.service.ts` would accept from this caller. */
  async permissions(caller: Caller, { organizationId, role, lastOwner }: ManagedMember) {
    const actor = await managingRole(this.deps.access, caller, organizationId);
    if (actor === undefined || !manages(actor, role)) return { assignRoles: [], setActive: false, remove: false };
    const assignRoles = lastOwner ? [role] : ROLES.filter((each) => manages(actor, each));
    return { assignRoles, setActive: !lastOwner, remove: !lastOwner };
  }

  /** Members of each organization, in one statement. */
  async ofOrganizations(organizationIds: readonly number[], query: MemberQuery, selection: ListSelection) {
    const search = query.search && `%${query.search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const request = { ...query, search: search || null, ...projection.list(selection) };
    return listing.ofMany<object, number>(this.deps.database, organizationIds, request);
  }
}
