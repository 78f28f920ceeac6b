import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { ROLES, type Role } from '../vocabulary/roles.js';
import type { Selection } from '../vocabulary/selection.js';

export type MemberSort = 'USERNAME' | 'EMAIL' | 'ROLE';

export interface MemberQuery {
  page: PageRequest;
  role?: Role | null;
  /** Part of a name, user name or e-mail address, in whatever case. */
  search?: string | null;
  sort?: MemberSort | null;
  descending?: boolean;
}

const FROM = 'membership m join app_user u on u.id = m.user_id';
const RANK = `case m.role ${ROLES.map((role, index) => `when '${role}' then ${index + 1}`).join(' ')} end`;

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

const projection = new Projection({
  id: `m.organization_id || ':' || m.user_id`,
  userId: 'u.id',
  username: 'u.username',
  email: 'u.email',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  role: 'm.role',
  alerts: { object: { atb: 'm.alert_atb', cloudDefender: 'm.alert_cloud_defender', vCiso: 'm.alert_v_ciso' } },
});

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

  /** Members of each organization, in one statement. */
  async ofOrganizations(
    organizationIds: readonly number[],
    query: MemberQuery,
    asked: Selection,
    total: boolean,
  ): Promise<Map<number, Page<object>>> {
    const shape = projection.of(asked);
    const pages = await listing.ofMany<object, number>(this.database, organizationIds, {
      page: query.page,
      conditions: conditionsOf(query),
      sort: query.sort ?? 'USERNAME',
      descending: query.descending ?? false,
      select: shape.select,
      total,
    });
    for (const page of pages.values()) shape.nest(page.rows);
    return pages;
  }
}

function conditionsOf({ role, search }: MemberQuery): Condition[] {
  const conditions: Condition[] = [];
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
