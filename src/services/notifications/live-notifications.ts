import type { Queryable } from '../../database/database.js';
import { Projection, type Shape } from '../../database/projection.js';
import { db, sql, statement, statementPer, table } from '../../database/sql.js';
import type { Selection } from '../../common/selection.js';
import { organizationColumns } from '../shared/organization-columns.js';
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

const organizationsOf = statementPer<Shape, { ids: readonly number[] }>()((p, { select }) =>
  db
    .selectFrom('organization as o')
    .select(select)
    .where('o.id', '=', sql<number>`any(${p('ids')}::int[])`)
    .$castTo<{ id: number }>(),
);

/** Reads notifications for their subscribers: each row and each organization once. */
export class LiveNotifications {
  private readonly organizations: Projection;

  constructor(
    private readonly database: Queryable,
    publicUrl: string,
  ) {
    this.organizations = new Projection('Organization', organizationColumns(publicUrl));
  }

  /** `selection` is the union of what the subscribers select of the organization. */
  async read(range: LiveRange, selection: Selection): Promise<LiveNotification[]> {
    const rows = await readRange.all(this.database, range);
    const organizations = await this.organizationsOf(rows, selection);
    return rows.map(({ href, ...row }) => {
      const organization = organizations.get(row.organizationId) ?? { id: row.organizationId };
      return { ...row, organization, extra: { href } };
    });
  }

  /** The newest id that there is: those before it are all visible, because ids follow the order of commits. */
  async newestId(): Promise<number> {
    return (await newest.one(this.database)).newest;
  }

  private async organizationsOf(
    rows: readonly { organizationId: number }[],
    selection: Selection,
  ): Promise<Map<number, object>> {
    const shape = this.organizations.of(selection);
    if (rows.length === 0 || shape.bare) return new Map();
    const ids = [...new Set(rows.map(({ organizationId }) => organizationId))];
    const found = await organizationsOf(shape).all(this.database, { ids });
    return new Map(found.map((organization) => [organization.id, organization]));
  }
}
