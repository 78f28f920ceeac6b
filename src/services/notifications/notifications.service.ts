import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type Condition, filter } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { Projection, properties, type Shape } from '../../database/projection.js';
import { sql, statementPer, table, type Placeholders } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { NotificationType } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';

export interface NotificationQuery {
  page: PageRequest;
  read?: boolean | null;
  type?: NotificationType | null;
  organizationId?: number | null;
  /** Newest first unless false. */
  descending?: boolean;
}

const n = table('notification', 'n');
const m = table('membership', 'm');
const o = table('organization', 'o');

/** The organizations whose notifications a user sees: none that it has left, and none that is deleted. */
const accessible = (p: Placeholders<{ userId: string } & Reach>) => sql`select ${m.organization_id} from ${m.table}
  join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
  where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER} and ${reachable(p)}`;

const listing = new Listing<'DATETIME'>({
  from: n.table,
  details: sql`join ${n.table} on ${n.id} = key.id join ${o.table} on ${o.id} = ${n.organization_id}`,
  id: { column: n.id, type: 'bigint' },
  parent: { column: n.user_id, type: 'uuid' },
  sorts: { DATETIME: { column: n.created_at, type: 'timestamptz' } },
});

/** Notifications of the caller (specification 2.11 and 4.10). */
export class NotificationService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    publicUrl: string,
  ) {
    this.projection = new Projection('Notification', {
      id: n.id,
      organization: { object: organizationColumns(publicUrl) },
      ...properties(n, 'title', 'message', 'type', 'action', 'read'),
      datetime: n.created_at,
      icon: n.icon,
      extra: { object: { href: n.href } },
    });
  }

  /**
   * The caller's notifications, newest first by default (specification 4.10). Throws FORBIDDEN without the scope
   * `read`.
   */
  async list(caller: Caller, query: NotificationQuery, { items, total }: ListSelection): Promise<Page<object>> {
    const user = this.access.authorizeSelf(caller, 'read');
    return listing.of<object>(this.database, user.userId, {
      page: query.page,
      conditions: [isAccessible({ userId: user.userId, ...reachOf(user) }), ...conditionsOf(query)],
      sort: 'DATETIME',
      descending: query.descending ?? true,
      shape: this.projection.of(items),
      total,
    });
  }

  /** One notification of the caller; throws NOT_FOUND for anybody else's. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    return this.own(this.access.authorizeSelf(caller, 'read'), id, selection);
  }

  /** Reads without the scope `read`: for the answer to a write. */
  async own(user: UserCaller, id: number, selection: Selection, database: Queryable = this.database): Promise<object> {
    const shape = this.projection.of(selection);
    const rows = await one(shape).all(database, { id, userId: user.userId, ...reachOf(user) });
    if (rows.length === 0) throw notFound();
    return shape.nest<object>(rows)[0] as object;
  }
}

const one = statementPer<Shape, { id: number; userId: string } & Reach>()(
  (p, { select }) =>
    sql<object>`select ${sql.join(select)} from ${n.table} join ${o.table} on ${o.id} = ${n.organization_id}
      where ${n.id} = ${p('id')} and ${n.user_id} = ${p('userId')} and ${n.organization_id} in (${accessible(p)})`,
);

/** `is true` keeps the planner from a join, which loses the order of the index and sorts all that a user has. */
const isAccessible = filter<{ userId: string } & Reach>(
  (p) => sql<boolean>`(${n.organization_id} in (${accessible(p)})) is true`,
);

const isRead = filter<{ read: boolean }>((p) => sql`${n.read} = ${p('read')}`);
const hasType = filter<{ type: NotificationType }>((p) => sql`${n.type} = ${p('type')}`);
const isOf = filter<{ organizationId: number }>((p) => sql`${n.organization_id} = ${p('organizationId')}`);

function conditionsOf({ read, type, organizationId }: NotificationQuery): Condition[] {
  const conditions: Condition[] = [];
  if (read != null) conditions.push(isRead({ read }));
  if (type != null) conditions.push(hasType({ type }));
  if (organizationId != null) conditions.push(isOf({ organizationId }));
  return conditions;
}
