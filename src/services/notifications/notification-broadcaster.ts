import type { Selection } from '../../common/selection.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

const n = table('notification', 'n');

/** A notification for subscribers; those of one batch share the objects of their organizations. */
export interface LiveNotification {
  readonly id: number;
  readonly userId: string;
  readonly organizationId: number;
  organization: object;
  extra: { href: string };
}

/** A range of notifications: of these users, with ids after one, ordered by id. */
export interface LiveRange {
  users: readonly string[];
  after: number;
  /** All organizations when null. */
  organizationId: number | null;
  limit: number;
}

/** Checks the membership at the moment of delivery, like the list: removed members receive nothing more. */
const readRange = statement<LiveRange>()((p) =>
  db
    .selectFrom('notification as n')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'n.user_id').onRef('m.organization_id', '=', 'n.organization_id').on(ACTIVE_MEMBER),
    )
    .innerJoin('organization as o', (join) =>
      join.onRef('o.id', '=', 'n.organization_id').on('o.deleted_at', 'is', null),
    )
    .select(['n.id', 'n.user_id as userId', 'n.organization_id as organizationId', 'n.title', 'n.message', 'n.type'])
    .select(['n.action', 'n.read', 'n.created_at as datetime', 'n.icon', 'n.href'])
    .where('n.user_id', '=', sql<string>`any(${p('users')}::uuid[])`)
    .where('n.id', '>', p('after'))
    .where(sql<boolean>`(${p('organizationId')}::bigint is null or ${n.organization_id} = ${p('organizationId')})`)
    .orderBy('n.id')
    .limit(p('limit')),
);

const newest = statement()(() =>
  db.selectFrom('notification').select((eb) => eb.fn.coalesce(eb.fn.max('id'), sql<number>`0`).as('newest')),
);

/** A subscriber to the notifications of one user. */
export interface Subscriber {
  readonly wanted: {
    readonly userId: string;
    /** All organizations when null. */
    readonly organizationId: number | null;
    readonly organizationSelection: Selection;
  };
  take(notification: LiveNotification): void;
}

/** Rows of one read. */
const BATCH = 500;
/** Milliseconds before a read that failed is tried again. */
const RETRY = 500;

/**
 * Dispatches new notifications to the subscribers of this instance, with one read for all of them. Its position is
 * the highest id up to which all were dispatched, so that missed announcements cause no gap.
 */
export class NotificationBroadcaster {
  /** Undefined until the first read. */
  private position: number | undefined;
  private target = 0;
  private isTargetKnown = false;
  private readonly subscribers = new Map<string, Set<Subscriber>>();
  private running: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly database: Queryable,
    private readonly organizations: OrganizationReader,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Receives an announcement of the channel "notification": the highest id of a committed statement. */
  announced(payload: string): void {
    this.target = Math.max(this.target, Number(payload) || 0);
    this.wake();
  }

  /** Announcements may have been missed: the newest id is unknown. */
  missed(): void {
    this.isTargetKnown = false;
    this.wake();
  }

  /**
   * Adds a subscriber, which receives all notifications that become visible from now on, and possibly some visible
   * ones.
   */
  async join(subscriber: Subscriber): Promise<void> {
    if (this.position === undefined) {
      const newest = await this.newestId();
      this.position ??= newest;
    }
    const { userId } = subscriber.wanted;
    const siblings = this.subscribers.get(userId);
    if (siblings === undefined) this.subscribers.set(userId, new Set([subscriber]));
    else siblings.add(subscriber);
  }

  /** Removes the subscriber; does nothing for one that has not joined. */
  leave(subscriber: Subscriber): void {
    const { userId } = subscriber.wanted;
    const siblings = this.subscribers.get(userId);
    siblings?.delete(subscriber);
    if (siblings?.size === 0) this.subscribers.delete(userId);
  }

  /**
   * Reads each row and each organization once. `selection` is the union of the subscribers' selections of the
   * organization.
   */
  async read(range: LiveRange, selection: Selection): Promise<LiveNotification[]> {
    const rows = await readRange.all(this.database, range);
    const ids = rows.map(({ organizationId }) => organizationId);
    const organizations = await this.organizations.byIds(this.database, ids, selection);
    return rows.map(({ href, ...row }) => {
      return { ...row, organization: organizations.get(row.organizationId)!, extra: { href } };
    });
  }

  /** The newest id: all lower ones are visible, because ids follow the order of commits. */
  async newestId(): Promise<number> {
    return (await newest.one(this.database)).newest;
  }

  /** Resolves after the current dispatch; no other one begins. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.running;
  }

  private wake(): void {
    if (this.closed || this.isCurrent()) return;
    clearTimeout(this.retry);
    this.running ??= this.advance();
  }

  /** No announcement is missed between the last check and the end. */
  private async advance(): Promise<void> {
    try {
      while (!this.closed && !this.isCurrent()) {
        if (!this.isTargetKnown) {
          // Set before the read: `missed` during the read causes another one.
          this.isTargetKnown = true;
          this.target = Math.max(this.target, await this.newestId());
        }
        this.position = await this.dispatch(this.position ?? this.target);
      }
    } catch (error) {
      this.isTargetKnown = false;
      this.onError(error);
      if (!this.closed) this.retry = setTimeout(() => this.wake(), RETRY).unref();
    } finally {
      this.running = undefined;
    }
  }

  private isCurrent(): boolean {
    return this.isTargetKnown && this.position !== undefined && this.position >= this.target;
  }

  /** One read; returns the id up to which all were dispatched. Subscribers that join meanwhile read it as history. */
  private async dispatch(after: number): Promise<number> {
    const upTo = this.target;
    if (this.subscribers.size === 0) return upTo;
    const range = { users: [...this.subscribers.keys()], after, organizationId: null, limit: BATCH };
    const batch = await this.read(range, this.mostRequested());
    for (const notification of batch) {
      for (const subscriber of this.subscribers.get(notification.userId) ?? []) {
        const { organizationId } = subscriber.wanted;
        if (organizationId === null || organizationId === notification.organizationId) subscriber.take(notification);
      }
    }
    // Limited to the target: users who joined before the statement ran are not in its range. Duplicates are skipped.
    return batch.length < BATCH ? upTo : Math.min(batch.at(-1)?.id ?? upTo, upTo);
  }

  private mostRequested(): Selection {
    const fields = new Set<string>();
    for (const siblings of this.subscribers.values())
      for (const { wanted } of siblings) for (const field of wanted.organizationSelection.fields) fields.add(field);
    return selectionOf(fields);
  }
}

/** Columns of one record, with nothing below them. */
function selectionOf(fields: ReadonlySet<string>): Selection {
  return { fields: [...fields], has: (field) => fields.has(field), of: () => selectionOf(new Set()) };
}
