import type { Queryable } from '../database/database.js';
import { Projection } from '../database/projection.js';
import type { Selection } from '../vocabulary/selection.js';
import { organizationColumns } from './organization-columns.js';
import { ACTIVE_MEMBER } from './reach.js';

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

/** The membership is asked for at the moment of delivery, as it is for the list: who was removed gets nothing more. */
const READ = `
  select n.id, n.user_id as "userId", n.organization_id as "organizationId", n.title, n.message, n.type, n.action,
         n.read, n.created_at as datetime, n.icon, n.href
    from notification n
    join membership m on m.user_id = n.user_id and m.organization_id = n.organization_id and ${ACTIVE_MEMBER}
    join organization o on o.id = n.organization_id and o.deleted_at is null
   where n.user_id = any($1::uuid[]) and n.id > $2 and n.id <= $3 and ($4::int is null or n.organization_id = $4)
   order by n.id limit $5`;

/** Reads notifications for their subscribers: the rows once, and each organization once, whoever gets them. */
export class LiveNotifications {
  private readonly organizations: Projection;

  constructor(
    private readonly database: Queryable,
    publicUrl: string,
  ) {
    this.organizations = new Projection(organizationColumns('o', publicUrl));
  }

  /** `asked` is what is wanted of each organization, by whoever wants most. */
  async read({ users, after, upTo, organizationId, limit }: LiveRange, asked: Selection): Promise<LiveNotification[]> {
    const values = [users, after, upTo, organizationId, limit];
    const rows = await this.database.rows<LiveNotification & { href: string }>(READ, values);
    const organizations = await this.organizationsOf(rows, asked);
    for (const row of rows) {
      row.organization = organizations.get(row.organizationId) ?? { id: row.organizationId };
      row.extra = { href: row.href };
    }
    return rows;
  }

  /** The newest id that there is: those before it are all visible, because ids follow the order of commits. */
  async newestId(): Promise<number> {
    const [row] = await this.database.rows<{ newest: number }>(
      'select coalesce(max(id), 0) as newest from notification',
    );
    return row?.newest ?? 0;
  }

  private async organizationsOf(rows: readonly LiveNotification[], asked: Selection): Promise<Map<number, object>> {
    const shape = this.organizations.of(asked);
    if (rows.length === 0 || shape.bare) return new Map();
    const ids = [...new Set(rows.map(({ organizationId }) => organizationId))];
    const found = await this.database.rows<{ id: number }>(
      `select ${shape.select} from organization o where o.id = any($1::int[])`,
      [ids],
    );
    return new Map(found.map((organization) => [organization.id, organization]));
  }
}
