import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { manages } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import { ROLES, type Role } from '../vocabulary/roles.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { userIdOf, type MemberKey } from './member-key.js';
import { ACTIVE_MEMBER } from './reach.js';

export type MemberSort = 'USERNAME' | 'EMAIL' | 'ROLE';

export interface MemberQuery {
  page: PageRequest;
  role?: Role | null;
  /** Only those who have access, or only those who are deactivated. */
  active?: boolean | null;
  /** Part of a name, user name or e-mail address, in whatever case. */
  search?: string | null;
  sort?: MemberSort | null;
  descending?: boolean;
}

const FROM = 'membership m join app_user u on u.id = m.user_id';
const RANK = `case m.role ${ROLES.map((role, index) => `when '${role}' then ${index + 1}`).join(' ')} end`;

/** Whether the organization would be without an owner who can act if this one were none. */
const LAST_OWNER = `(m.role = 'ORGANIZATION_OWNER' and ${ACTIVE_MEMBER} and not exists (
  select 1 from membership other join app_user o on o.id = other.user_id and o.deactivated_at is null
   where other.organization_id = m.organization_id and other.user_id <> m.user_id
     and other.role = 'ORGANIZATION_OWNER' and other.deactivated_at is null))`;

/** A member, with what deciding about it takes. */
export interface ManagedMember {
  organizationId: number;
  role: Role;
  lastOwner: boolean;
}

/** What the caller may do to a member (decisions §2). */
export interface MemberPermissions {
  /** Roles that the caller may give it; empty when it may not change its role. */
  assignRoles: readonly Role[];
  setActive: boolean;
  remove: boolean;
}

const listing = new Listing<MemberSort>({
  from: FROM,
  id: { sql: 'u.id', type: 'uuid' },
  parent: { sql: 'm.organization_id', type: 'int' },
  sorts: {
    USERNAME: { sql: 'u.username', type: 'text' },
    EMAIL: { sql: 'u.email', type: 'text' },
    ROLE: { sql: RANK, type: 'int' },
  },
});

const COLUMNS = {
  id: `m.organization_id || ':' || m.user_id`,
  userId: 'u.id',
  username: 'u.username',
  email: 'u.email',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  role: 'm.role',
  active: ACTIVE_MEMBER,
  joinedAt: 'm.created_at',
  deactivatedAt: 'm.deactivated_at',
  viewerCan: { needs: { organizationId: 'm.organization_id', role: 'm.role', lastOwner: LAST_OWNER } },
  alerts: { object: { atb: 'm.alert_atb', cloudDefender: 'm.alert_cloud_defender', vCiso: 'm.alert_v_ciso' } },
};

/** Nothing hangs on the id of a member, and it takes some making. */
const projection = new Projection(COLUMNS, ['userId']);

/** Members of organizations (specification 2.8 and 4.7). */
export class MemberService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
  ) {}

  /** May the caller list this organization's members (specification 4.7); asked for each one before they are loaded together. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'LIST_MEMBERS', organizationId);
  }

  /** One member; throws NOT_FOUND, or FORBIDDEN for others than oneself below rank 3 (specification 4.7). */
  async read(caller: Caller, key: MemberKey, asked: Selection): Promise<object> {
    const isOneself = caller.kind === 'user' && caller.userId === key.userId.toLowerCase();
    await this.access.authorize(caller, isOneself ? 'READ_ORGANIZATION' : 'LIST_MEMBERS', key.organizationId);
    return this.one(key.organizationId, userIdOf(key), asked);
  }

  /** Decides nothing: for the answer to a write. */
  async one(
    organizationId: number,
    userId: string,
    asked: Selection,
    database: Queryable = this.database,
  ): Promise<object> {
    const shape = projection.of(asked);
    const rows = await database.rows(
      `select ${shape.select} from ${FROM} where m.organization_id = $1 and m.user_id = $2`,
      [organizationId, userId],
    );
    if (rows.length === 0) throw notFound();
    return shape.nest<object>(rows)[0] as object;
  }

  /** What `member-changes.ts` would let this caller do: a client asks instead of guessing. */
  async permissions(caller: Caller, { organizationId, role, lastOwner }: ManagedMember): Promise<MemberPermissions> {
    const actor = await this.managingRole(caller, organizationId);
    if (actor === undefined || !manages(actor, role)) return { assignRoles: [], setActive: false, remove: false };
    const assignRoles = lastOwner ? [role] : ROLES.filter((each) => manages(actor, each));
    return { assignRoles, setActive: !lastOwner, remove: !lastOwner };
  }

  private async managingRole(caller: Caller, organizationId: number): Promise<Role | undefined> {
    if (caller.kind === 'system') return 'ORGANIZATION_OWNER';
    if (caller.kind === 'anonymous' || !(await this.access.allows(caller, 'MANAGE_MEMBERS', organizationId))) return;
    return this.access.roleIn(caller, organizationId);
  }

  /** Members of each organization, in one statement. */
  async ofOrganizations(
    organizationIds: readonly number[],
    query: MemberQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    return listing.ofMany<object, number>(this.database, organizationIds, {
      page: query.page,
      conditions: conditionsOf(query),
      sort: query.sort ?? 'USERNAME',
      descending: query.descending ?? false,
      shape: projection.of(items),
      total,
    });
  }
}

function conditionsOf({ role, active, search }: MemberQuery): Condition[] {
  const conditions: Condition[] = [];
  if (active != null) conditions.push({ sql: `(${ACTIVE_MEMBER}) = ?`, values: [active] });
  if (role != null) conditions.push({ sql: 'm.role = ?', values: [role] });
  if (search != null && search !== '') {
    const part = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    conditions.push({
      sql: `(u.username ilike ? or u.email ilike ? or (u.first_name || ' ' || u.last_name) ilike ?)`,
      values: [part, part, part],
    });
  }
  return conditions;
}
