import { hash } from 'node:crypto';
import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { badUserInput, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Selection } from '../vocabulary/selection.js';
import type { NotificationService } from './notifications.js';
import { ACTIVE_MEMBER, reachable, reachValues } from './reach.js';

/** Which notifications of the caller to mark: these, or all, or all of one organization. */
export interface MarkRequest {
  ids?: readonly number[] | null;
  all?: boolean | null;
  organizationId?: number | null;
  /** Read unless false. */
  read?: boolean | null;
}

/** What the caller sees, as in the list: nothing of organizations that it has left or that were deleted. */
const SEEN = `notification n
  join membership m on m.user_id = n.user_id and m.organization_id = n.organization_id and ${ACTIVE_MEMBER}
  join organization o on o.id = n.organization_id and o.deleted_at is null`;

/** Locks in the order of ids, so that two requests that mark the same ones cannot wait for each other in a circle. */
const MARK_THESE = `
  with asked as (select n.id, n.read from ${SEEN} where n.user_id = $1 and n.id = any($2::int[]) and ${reachable('$4', '$5')}
                  order by n.id for update of n),
       marked as (update notification n set read = $3 from asked
                   where n.id = asked.id and asked.read <> $3 returning n.id)
  select (select count(*) from asked) as found, (select count(*) from marked) as changed`;

/** Not "read <> $2": the index of the unread ones answers to this alone. */
const markAll = (marked: 'read' | 'unread') => `
  with asked as (select n.id from ${SEEN}
                  where n.user_id = $1 and ($2::int is null or n.organization_id = $2) and ${marked === 'read' ? 'not n.read' : 'n.read'}
                        and ${reachable('$3', '$4')}
                  order by n.id for update of n),
       marked as (update notification n set read = ${String(marked === 'read')} from asked where n.id = asked.id returning n.id)
  select count(*) as changed from marked`;
const MARK_ALL_READ = markAll('read');
const MARK_ALL_UNREAD = markAll('unread');

const COUNT_UNREAD = `
  select count(*) as unread from ${SEEN}
   where n.user_id = $1 and not n.read and ($2::int is null or n.organization_id = $2) and ${reachable('$3', '$4')}`;

/** What a list of notifications is made of: the notifications, and what it shows of the caller's organizations. */
const REVISION = `
  select coalesce((select revision from notification_revision where user_id = $1), 0) as revision,
         (select string_agg(o.id || ' ' || o.name || ' ' || o.logo, e'\\n' order by o.id)
            from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
           where m.user_id = $1 and ${ACTIVE_MEMBER} and ${reachable('$2', '$3')}) as organizations`;

/** What the caller has read of its notifications (decisions §10). */
export class NotificationMarkService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    /** Reads the answers. */
    private readonly notifications: Pick<NotificationService, 'own'>,
  ) {}

  /** Marks one and answers it. Throws NOT_FOUND when the caller does not see it. */
  async markOne(caller: Caller, { id, read }: { id: number; read: boolean }, asked: Selection): Promise<object> {
    const user = this.access.authorizeSelf(caller, 'write');
    return this.database.transaction(async (tx) => {
      await markThese(tx, user, { ids: [id], read });
      return this.notifications.own(user, id, asked, tx);
    });
  }

  /**
   * Marks many at once and says how many of them have changed. Throws NOT_FOUND, and changes nothing, when one of `ids`
   * is not a notification that the caller sees; BAD_USER_INPUT unless exactly one of `ids` and `all` is given.
   */
  async mark(caller: Caller, request: MarkRequest): Promise<number> {
    const user = this.access.authorizeSelf(caller, 'write');
    const faults = faultsOf(request);
    if (faults.length > 0) throw badUserInput(faults);
    const { ids, organizationId = null } = request;
    const read = request.read ?? true;
    if (ids != null) return this.database.transaction((tx) => markThese(tx, user, { ids, read }));
    const text = read ? MARK_ALL_READ : MARK_ALL_UNREAD;
    const [row] = await this.database.rows<{ changed: number }>(text, [
      user.userId,
      organizationId,
      ...reachValues(user),
    ]);
    return row?.changed ?? 0;
  }

  /** How many notifications the caller has not read, in all or of one organization. */
  async unread(caller: Caller, organizationId: number | null): Promise<number> {
    return this.countUnread(this.access.authorizeSelf(caller, 'read'), organizationId);
  }

  /** The same without the scope `read`: for the answer to a write. */
  async countUnread(user: UserCaller, organizationId: number | null = null): Promise<number> {
    const [row] = await this.database.rows<{ unread: number }>(COUNT_UNREAD, [
      user.userId,
      organizationId,
      ...reachValues(user),
    ]);
    return row?.unread ?? 0;
  }

  /** A text that is another one whenever a list of the caller's notifications would be. One statement, no page. */
  async revision(caller: Caller): Promise<string> {
    const user = this.access.authorizeSelf(caller, 'read');
    const reach = reachValues(user);
    const [row] = await this.database.rows<{ revision: number; organizations: string | null }>(REVISION, [
      user.userId,
      ...reach,
    ]);
    return hash('sha256', JSON.stringify([user.userId, reach, row]), 'base64url');
  }
}

/** Throws inside the transaction, so that those that were found are left as they were. */
async function markThese(
  tx: Queryable,
  user: UserCaller,
  { ids, read }: { ids: readonly number[]; read: boolean },
): Promise<number> {
  const wanted = [...new Set(ids)];
  const values = [user.userId, wanted, read, ...reachValues(user)];
  const [row] = await tx.rows<{ found: number; changed: number }>(MARK_THESE, values);
  if (row?.found !== wanted.length) throw notFound();
  return row.changed;
}

const { maxMarked } = LIMITS.notification;

function faultsOf({ ids, all, organizationId }: MarkRequest): string[] {
  const faults: string[] = [];
  if (ids == null && all !== true) faults.push('ids or all must be given');
  if (ids != null && all === true) faults.push('ids and all must not be given together');
  if (ids?.length === 0) faults.push('ids must name at least one notification');
  if (ids != null && ids.length > maxMarked) faults.push(`ids must not name more than ${maxMarked} notifications`);
  if (ids != null && organizationId != null) faults.push('organization_id must not be given together with ids');
  return faults;
}
