import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { NotificationType } from '../vocabulary/notification-types.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { organizationColumns } from './organization-columns.js';
import { ACTIVE_MEMBER, reachable, reachValues, withinReach } from './reach.js';

export interface NotificationQuery {
  page: PageRequest;
  read?: boolean | null;
  type?: NotificationType | null;
  organizationId?: number | null;
  /** Newest first unless false. */
  descending?: boolean;
}

/**
 * The membership is part of the list: who has left an organization, or whose organization is deleted, no longer sees
 * what it said (decisions §2).
 */
const FROM = `notification n
  join membership m on m.user_id = n.user_id and m.organization_id = n.organization_id and ${ACTIVE_MEMBER}
  join organization o on o.id = n.organization_id and o.deleted_at is null`;

const listing = new Listing<'DATETIME'>({
  from: FROM,
  id: { sql: 'n.id', type: 'int' },
  parent: { sql: 'n.user_id', type: 'uuid' },
  sorts: { DATETIME: { sql: 'n.created_at', type: 'timestamptz' } },
});

/** Notifications of the caller (specification 2.11 and 4.10). */
export class NotificationService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    publicUrl: string,
  ) {
    this.projection = new Projection({
      id: 'n.id',
      organization: { object: organizationColumns('o', publicUrl) },
      title: 'n.title',
      message: 'n.message',
      type: 'n.type',
      action: 'n.action',
      read: 'n.read',
      datetime: 'n.created_at',
      icon: 'n.icon',
      extra: { object: { href: 'n.href' } },
    });
  }

  /**
   * The caller's notifications, newest first unless asked otherwise (specification 4.10). Throws FORBIDDEN without the
   * scope `read`.
   */
  async list(caller: Caller, query: NotificationQuery, { items, total }: ListSelection): Promise<Page<object>> {
    const user = this.access.authorizeSelf(caller, 'read');
    return listing.of<object>(this.database, user.userId, {
      page: query.page,
      conditions: [...conditionsOf(query), ...withinReach(user)],
      sort: 'DATETIME',
      descending: query.descending ?? true,
      shape: this.projection.of(items),
      total,
    });
  }

  /** One notification of the caller; throws NOT_FOUND for anybody else's. */
  async read(caller: Caller, id: number, asked: Selection): Promise<object> {
    return this.own(this.access.authorizeSelf(caller, 'read'), id, asked);
  }

  /** Reads without the scope `read`: for the answer to a write. */
  async own(user: UserCaller, id: number, asked: Selection, database: Queryable = this.database): Promise<object> {
    const shape = this.projection.of(asked);
    const rows = await database.rows(
      `select ${shape.select} from ${FROM} where n.id = $1 and n.user_id = $2 and ${reachable('$3', '$4')}`,
      [id, user.userId, ...reachValues(user)],
    );
    if (rows.length === 0) throw notFound();
    return shape.nest<object>(rows)[0] as object;
  }
}

function conditionsOf({ read, type, organizationId }: NotificationQuery): Condition[] {
  const conditions: Condition[] = [];
  if (read != null) conditions.push({ sql: 'n.read = ?', values: [read] });
  if (type != null) conditions.push({ sql: 'n.type = ?', values: [type] });
  if (organizationId != null) conditions.push({ sql: 'n.organization_id = ?', values: [organizationId] });
  return conditions;
}
