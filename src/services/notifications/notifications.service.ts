import { hash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Database, Queryable } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { column, sql, statement, table, type Placeholders } from '../../database/sql.js';
import { found, notFound } from '../../errors.js';
import type { NotificationType } from '../../values/enums.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';

export interface NotificationQuery extends ListQuery<'DATETIME'> {
  read?: boolean | null;
  type?: NotificationType | null;
  organizationId?: number | null;
}

/** The notifications of the caller to mark: these, all, or all of one organization. */
export interface MarkRequest {
  ids?: readonly number[] | null;
  all?: boolean | null;
  organizationId?: number | null;
  /** Read unless false. */
  read?: boolean | null;
}

const n = table('notification', 'n');
const m = table('membership', 'm');
const o = table('organization', 'o');
const revisions = table('notification_revision', 'r');

/** Conditions of the caller's list: no notifications of organizations that the caller has left or that were deleted. */
const SEEN = sql`${n.table}
  join ${m.table} on ${m.user_id} = ${n.user_id} and ${m.organization_id} = ${n.organization_id} and ${ACTIVE_MEMBER}
  join ${o.table} on ${o.id} = ${n.organization_id} and ${o.deleted_at} is null`;

/** The organizations whose notifications a user sees: neither left nor deleted ones. */
const accessible = (p: Placeholders<{ userId: string } & Reach>) => sql`select ${m.organization_id} from ${m.table}
  join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
  where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER} and ${reachable(p)}`;

interface Marked extends Reach {
  userId: string;
  /** All organizations when null. */
  organizationId: number | null;
}

/** Locks in the order of ids, so that two requests that mark the same ones cannot deadlock. */
const markGiven = statement<Reach & { userId: string; ids: readonly number[]; read: boolean }>()(
  (p) => sql<{ found: number; changed: number; organizationIds: number[] }>`
    with found as (select ${n.id}, ${n.read}, ${n.organization_id} from ${SEEN}
                    where ${n.user_id} = ${p('userId')} and ${n.id} = any(${p('ids')}::bigint[]) and ${reachable(p)}
                    order by ${n.id} for update of n),
         marked as (update ${n.table} set ${column('notification', 'read')} = ${p('read')} from found
                     where ${n.id} = found.id and found.read <> ${p('read')} returning ${n.id})
    select (select count(*) from found) as found, (select count(*) from marked) as changed,
           array(select distinct found.organization_id from found) as "organizationIds"`,
);

const markAllRead = markAll(true);
const markAllUnread = markAll(false);

/** Written as `read` and `not read`, so that the index of the unread ones serves it. */
function markAll(read: boolean) {
  return statement<Marked>()(
    (p) => sql<{ changed: number }>`
      with found as (select ${n.id} from ${SEEN}
                      where ${n.user_id} = ${p('userId')} and ${isIn(p)} and ${read ? sql`not ${n.read}` : n.read}
                        and ${reachable(p)}
                      order by ${n.id} for update of n),
           marked as (update ${n.table} set ${column('notification', 'read')} = ${read} from found where ${n.id} = found.id returning ${n.id})
      select count(*) as changed from marked`,
  );
}

const countUnread = statement<Marked>()(
  (p) => sql<{ unread: number }>`
    select count(*) as unread from ${n.table}
     where ${n.user_id} = ${p('userId')} and not ${n.read} and ${isIn(p)} and (${n.organization_id} in (${accessible(p)})) is true`,
);

function isIn(p: Placeholders<Marked>) {
  return sql`(${p('organizationId')}::bigint is null or ${n.organization_id} = ${p('organizationId')})`;
}

/**
 * The revision of a list of notifications: of the notifications, and of the fields of the caller's organizations in
 * it.
 */
const revisionOf = statement<Reach & { userId: string }>()(
  (p) => sql<{ revision: number; organizations: string | null }>`
    select coalesce((select ${revisions.revision} from ${revisions.table} where ${revisions.user_id} = ${p('userId')}), 0) as revision,
           (select string_agg(${o.id} || ' ' || ${o.name} || ' ' || ${o.logo}, e'\n' order by ${o.id})
              from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
             where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER} and ${reachable(p)}) as organizations`,
);

const listing = new Listing<NotificationQuery>({
  from: n.table,
  details: sql`join ${n.table} on ${n.id} = key.id join ${o.table} on ${o.id} = ${n.organization_id}`,
  id: { column: n.id, type: 'bigint' },
  parent: { column: n.user_id, type: 'uuid' },
  sorts: { DATETIME: { column: n.created_at, type: 'timestamptz' } },
  order: { field: 'DATETIME', direction: 'DESC' },
  filters: {
    read: (read) => sql`${n.read} = ${read}`,
    type: (type) => sql`${n.type} = ${type}`,
    organizationId: (id) => sql`${n.organization_id} = ${id}`,
  },
});

/** Notifications of the caller (specification 2.11 and 4.10), and their read state. */
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
  async list(caller: Caller, query: NotificationQuery, selection: ListSelection): Promise<Page<object>> {
    const user = this.access.authorizeSelf(caller, 'read');
    const conditions = [isAccessible({ userId: user.userId, ...reachOf(user) })];
    const request = { ...query, conditions, ...this.projection.list(selection) };
    return listing.of<object>(this.database, user.userId, request);
  }

  /** One notification of the caller; throws NOT_FOUND for those of others. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    return this.own(this.access.authorizeSelf(caller, 'read'), id, selection);
  }

  /** Reads without the scope `read`: for the result of a write. */
  async own(user: UserCaller, id: number, selection: Selection, database: Queryable = this.database): Promise<object> {
    const shape = this.projection.of(selection);
    return found(await some(shape).first(database, { ids: [id], userId: user.userId, ...reachOf(user) }));
  }

  /** Marks one and returns it. Throws NOT_FOUND when the caller does not see it. */
  async markOne(caller: Caller, { id, read }: { id: number; read: boolean }, selection: Selection): Promise<object> {
    const user = this.access.authorizeSelf(caller, 'write');
    return this.database.transaction(async (tx) => {
      await markThese(tx, user, { ids: [id], read });
      return this.own(user, id, selection, tx);
    });
  }

  /**
   * Marks several and returns how many have changed; also those of `ids`, where they are selected. Throws NOT_FOUND,
   * and changes nothing, when the caller does not see one of `ids`.
   */
  async mark(
    caller: Caller,
    request: MarkRequest,
    selection?: Selection,
  ): Promise<{ changed: number; notifications: object[] | null }> {
    const user = this.access.authorizeSelf(caller, 'write');
    const { ids, organizationId = null } = request;
    const read = request.read ?? true;
    if (ids != null)
      return this.database.transaction(async (tx) => {
        const changed = await markThese(tx, user, { ids, read });
        return { changed, notifications: selection === undefined ? null : await this.named(user, ids, selection, tx) };
      });
    const marked = { userId: user.userId, organizationId, ...reachOf(user) };
    const { changed } = await (read ? markAllRead : markAllUnread).one(this.database, marked);
    return { changed, notifications: null };
  }

  /** The given notifications without duplicates, in the order of `ids`. */
  private async named(user: UserCaller, ids: readonly number[], selection: Selection, tx: Queryable) {
    const wanted = [...new Set(ids)];
    const rows = await some(this.projection.of(selection)).all(tx, {
      ...{ ids: wanted, userId: user.userId },
      ...reachOf(user),
    });
    const byId = new Map(rows.map((row) => [row.$id, row]));
    return wanted.map((id) => byId.get(id)!);
  }

  /** The number of unread notifications of the caller, in total or of one organization. */
  async unread(caller: Caller, organizationId: number | null): Promise<number> {
    return this.countUnread(this.access.authorizeSelf(caller, 'read'), organizationId);
  }

  /** The same without the scope `read`: for the result of a write. */
  async countUnread(user: UserCaller, organizationId: number | null = null): Promise<number> {
    const { unread } = await countUnread.one(this.database, { userId: user.userId, organizationId, ...reachOf(user) });
    return unread;
  }

  /** A text that changes with the list of the caller's notifications. One statement, no page. */
  async revision(caller: Caller): Promise<string> {
    const user = this.access.authorizeSelf(caller, 'read');
    const { userId } = user;
    const reach = reachOf(user);
    const row = await revisionOf.one(this.database, { userId, ...reach });
    return hash('sha256', JSON.stringify([userId, reach, row]), 'base64url');
  }
}

const some = projected<{ ids: readonly number[]; userId: string } & Reach>()(
  (p, { select }) =>
    sql<{
      $id: number;
    }>`select ${n.id} as "$id", ${sql.join(select)} from ${n.table} join ${o.table} on ${o.id} = ${n.organization_id}
      where ${n.id} = any(${p('ids')}::bigint[]) and ${n.user_id} = ${p('userId')} and ${n.organization_id} in (${accessible(p)})`,
);

/** `is true` prevents a join, which would lose the order of the index and sort all notifications of the user. */
const isAccessible = filter<{ userId: string } & Reach>(
  (p) => sql<boolean>`(${n.organization_id} in (${accessible(p)})) is true`,
);

/** Throws inside the transaction, so that none is marked. */
async function markThese(
  tx: Queryable,
  user: UserCaller,
  { ids, read }: { ids: readonly number[]; read: boolean },
): Promise<number> {
  const wanted = [...new Set(ids)];
  const { found, changed, organizationIds } = await markGiven.one(tx, {
    ...{ userId: user.userId, ids: wanted, read },
    ...reachOf(user),
  });
  if (found !== wanted.length) throw notFound();
  // A repeated answer needs this right as well, because it shows data of these organizations.
  for (const organizationId of organizationIds) user.rights?.add({ privilege: 'SET_OWN_ALERTS', organizationId });
  return changed;
}
