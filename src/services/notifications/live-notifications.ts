import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { Selection } from '../../common/selection.js';
import type { OrganizationReader } from '../shared/organization-columns.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

const n = table('notification', 'n');

/** A notification as its subscribers get it; those of one batch share the objects of their organizations. */
export interface LiveNotification {
  readonly id: number;
  readonly userId: string;
  readonly organizationId: number;
  organization: object;
  extra: { href: string };
}

/** Which notifications: of these users, with ids after one and up to another, in the order of ids. */
export interface LiveRange {
  users: readonly string[];
  after: number;
  upTo: number;
  /** Of all organizations when null. */
  organizationId: number | null;
  limit: number;
}

/** The membership is checked at the moment of delivery, as it is for the list: a member who was removed gets nothing more. */
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
    .where('n.id', '<=', p('upTo'))
    .where(sql<boolean>`(${p('organizationId')}::int is null or ${n.organization_id} = ${p('organizationId')})`)
    .orderBy('n.id')
    .limit(p('limit')),
);

/** Ids follow the order of commits. */
const newest = statement()(() =>
  db.selectFrom('notification').select((eb) => eb.fn.coalesce(eb.fn.max('id'), sql<number>`0`).as('newest')),
);

/** Reads notifications for their subscribers: each row and each organization once. */
export class LiveNotifications {
  constructor(
    private readonly database: Queryable,
    private readonly organizations: OrganizationReader,
  ) {}

  /** `selection` is the union of what the subscribers select of the organization. */
  async read(range: LiveRange, selection: Selection): Promise<LiveNotification[]> {
    const rows = await readRange.all(this.database, range);
    const ids = rows.map(({ organizationId }) => organizationId);
    const organizations = await this.organizations.byIds(this.database, ids, selection);
    return rows.map(({ href, ...row }) => {
      return { ...row, organization: organizations.get(row.organizationId)!, extra: { href } };
    });
  }

  /** The newest id that there is: those before it are all visible, because ids follow the order of commits. */
  async newestId(): Promise<number> {
    return (await newest.one(this.database)).newest;
  }
}
