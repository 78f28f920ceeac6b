import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { decodeCursor, encodeCursor, windowOf } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { cursorGone } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { EVENT_TYPES, type EventAction, type EventType } from '../../values/events.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';
import { eventContent } from '../../common/event-content.js';
import { actionsOf, readableBy } from './audience.js';

export interface EventQuery {
  /** A cursor, or `latest`; from the oldest stored event when absent. */
  after?: string | null;
  first?: number | null;
  types?: readonly EventType[] | null;
  organizationId?: number | null;
}

export interface EventPage {
  rows: object[];
  /** Cursors of the rows. */
  cursors: string[];
  /** The cursor to continue from, also without rows. */
  next: string;
  hasNextPage: boolean;
}

/** The most entries that one statement scans, over all organizations: its time does not depend on their number. */
const LOOKED_AT = 20_000;
/** The most statements for one page; each scans more than the one before. */
const LOOKS = 4;
const GROWTH = 8;

/** A cursor behind the newest event. */
export const LATEST = 'latest';
/** The name of event cursors among those of lists. */
const ORDER = 'EVENT';
/** The place before the first event, with the time at which there was none. */
const BEGINNING = 0;

const [v, e] = [table('event', 'v'), table('audit_entry', 'e')];
const until = table('event', 'until');
const [m, o] = [table('membership', 'm'), table('organization', 'o')];

const DELETED: EventAction = 'ORGANIZATION_DELETED';

const projection = new Projection(
  'Event',
  {
    id: sql`${v.organization_id} || '/' || ${v.position}`,
    ...properties(v, 'organization_id', 'position'),
    sandbox: sql`coalesce((select ${o.sandbox} from ${o.table} where ${o.id} = ${v.organization_id}), false)`,
    type: { needs: { action: v.action } },
    organization: { needs: properties(v, 'organization_id') },
    ...Object.fromEntries(
      ['subject', 'changedFields', 'at', 'url'].map((name) => [name, { needs: { entry: e.entry } }]),
    ),
  },
  ['organizationId'],
);

interface Look extends Reach {
  userId: string;
  organizationId: number | null;
  actions: readonly string[] | null;
  seq: number | null;
  createdAt: string | null;
  latest: boolean;
  limit: number;
  /** Multiplies the number of entries to scan. */
  factor: number;
}

interface EventRow {
  organizationId: number;
  action?: EventAction;
  entry?: string;
}

interface Place {
  seq: number;
  createdAt: string;
}

/** Each row has the values of the whole scan; without an event there is one row, whose `$seq` is null. */
type LookRow = EventRow & {
  $seq: number | null;
  $createdAt: string;
  $isKnown: boolean;
  $upTo: number;
  $upToCreatedAt: string;
  $isAll: boolean;
};

/**
 * The next events behind a place. The index has those of each organization; where one has more than are scanned, the
 * events of all are read only up to its last scanned one. Members of a deleted organization see its deletion.
 */
const look = projected<Look>()(
  (p, { select }) => sql<LookRow>`
    with start as (
      select case when ${p('latest')}::boolean then coalesce((select max(${v.seq}) from ${v.table}), 0)
                  else coalesce(${p('seq')}::bigint, 0) end as seq,
             case when ${p('latest')}::boolean or ${p('seq')}::bigint is null then true
                  when ${p('seq')}::bigint = ${sql.lit(BEGINNING)} then coalesce((select min(${v.seq}) from ${v.table}), 1) = 1
                       or ${p('createdAt')}::timestamptz > now() - make_interval(days => ${sql.lit(LIMITS.events.keptDays)})
                  else exists (select from ${v.table} where ${v.seq} = ${p('seq')}::bigint and ${v.created_at} = ${p('createdAt')}::timestamptz)
             end as known
    ), reach as materialized (
      select ${o.id}, ${o.deleted_at} is not null as deleted, ${m.role}
        from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id}
       where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER} and ${reachable(p)}
         and (${p('organizationId')}::bigint is null or ${o.id} = ${p('organizationId')}::bigint)
    ), share as (
select least(${sql.lit(LOOKED_AT)}, (8 * count(*) + 4 * ${p('limit')}::bigint) * ${p('factor')}::bigint) / greatest(count(*), 1) + 1 as size
        from reach
    ), found as materialized (
      select reach.*, near.seq, near.action
        from reach cross join lateral (
          select ${v.seq}, ${v.action} from ${v.table}
           where ${v.organization_id} = reach.id and ${v.seq} > (select seq from start)
           order by ${v.seq} limit (select size from share)) near
    ), edge as (
      select min(last) as seq from (
        select max(seq) as last from found group by id having count(*) >= (select size from share)) full_share
    ), page as (
      select found.seq from found
       where found.seq <= coalesce((select seq from edge), found.seq)
         and case when deleted then action = ${sql.lit(DELETED)} else ${readableBy(sql`role`, sql`action`)} end
         and (${p('actions')}::text[] is null or action = any(${p('actions')}::text[]))
       order by found.seq limit ${p('limit')}
    ), whole as (
      select start.known, edge.seq is null as is_all,
             coalesce(edge.seq, (select max(${v.seq}) from ${v.table}), ${sql.lit(BEGINNING)}) as up_to from start, edge
    )
    select ${v.seq} as "$seq", ${v.created_at} as "$createdAt", whole.known as "$isKnown", whole.up_to as "$upTo",
           whole.is_all as "$isAll", coalesce(${until.created_at}, now()::timestamptz(3)) as "$upToCreatedAt", ${sql.join(select)}
      from whole left join ${until.table} on ${until.seq} = whole.up_to
      left join (page join ${v.table} on ${v.seq} = page.seq
                 join ${e.table} on ${e.log_id} = ${v.log_id} and ${e.position} = ${v.position}) on true
     order by page.seq`,
);

/** Events of all organizations of a caller, in one order (docs/events.md). */
export class EventService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly publicUrl: string,
  ) {}

  /** The next events behind a cursor. Throws GONE for a cursor older than the retention. */
  async list(caller: Caller, query: EventQuery, selection: Selection): Promise<EventPage> {
    const { first, after, organizationId = null } = query;
    if (organizationId !== null) await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
    const user = this.access.authorizeToken(caller, 'read');
    const window = windowOf({ first, after });
    const latest = window.cursor === LATEST;
    let from =
      window.cursor === undefined || latest ? undefined : placeOf(decodeCursor(window, ORDER, 'timestamptz', 'bigint'));
    let hasNextPage = true;
    const found: LookRow[] = [];
    for (let looks = 1; hasNextPage && looks <= LOOKS && found.length <= window.size; looks += 1) {
      const rows = await look(projection.of(selection)).all(this.database, {
        ...this.lookOf(user, query),
        ...{ latest, seq: from?.seq ?? null, createdAt: from?.createdAt ?? null },
        ...{ limit: window.size + 1 - found.length, factor: GROWTH ** (looks - 1) },
      });
      const [{ $isKnown, $isAll, $upTo, $upToCreatedAt }] = rows as [LookRow];
      if (!$isKnown) throw cursorGone();
      found.push(...rows.filter(({ $seq }) => $seq !== null));
      from = { seq: $upTo, createdAt: $upToCreatedAt };
      hasNextPage = !$isAll;
    }
    const page = found.slice(0, window.size);
    const cursors = page.map(({ $seq, $createdAt }) => cursorAt({ seq: $seq as number, createdAt: $createdAt }));
    const isFull = found.length > page.length;
    for (const row of page) this.complete(row);
    const next = isFull ? (cursors.at(-1) as string) : cursorAt(from as Place);
    return { rows: page, cursors, next, hasNextPage: isFull || hasNextPage };
  }

  private lookOf(user: UserCaller, { types, organizationId = null }: EventQuery) {
    return { ...reachOf(user), userId: user.userId, organizationId, actions: actionsOf(types) };
  }

  private complete(row: LookRow): void {
    const { organizationId, action, entry } = row;
    if (action !== undefined) Object.assign(row, { type: EVENT_TYPES[action] });
    if (entry === undefined) return;
    const { subject, ...content } = eventContent(organizationId, entry, this.publicUrl);
    Object.assign(row, { ...content, subject: { type: subject.type, databaseId: subject.id } });
  }
}

function placeOf({ sort, id }: { sort: unknown; id: unknown }): Place {
  return { seq: id as number, createdAt: sort as string };
}

function cursorAt({ seq, createdAt }: Place): string {
  return encodeCursor(ORDER, createdAt, seq);
}
