import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { filter, oneOf, type Condition } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS, type AuditAction, type AuditSubjectType } from '../../values/audit.js';
import { LAST_INSTANT } from '../../values/limits.js';
import { entryRecords } from './entry-records.js';
import { headOf } from './trails.js';

export interface AuditTrailQuery extends ListQuery<'POSITION'> {
  /** The id of a user or a service account. */
  actorId?: string | null;
  actorJob?: string | null;
  action?: AuditAction | null;
  subjectType?: AuditSubjectType | null;
  subjectId?: string | null;
  from?: Date | null;
  to?: Date | null;
  afterPosition?: number | null;
}

export interface AuditEntryKey {
  logId: number;
  position: number;
}

/** Organization, type and id, such as `1/INCIDENT/7`. */
export type AuditedObject = `${number}/${AuditSubjectType}/${string}`;

type EntryRow = { entry?: string };

/** A row with the organization of its trail; null for the trail of a user. */
interface RowOfTrail {
  row: EntryRow;
  organizationId: number | null;
}

const ofTrail = (rows: readonly EntryRow[], organizationId: number | null): RowOfTrail[] =>
  rows.map((row) => ({ row, organizationId }));

const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');

const NEWEST_FIRST = orderedByKey(e.position, 'POSITION', 'DESC');

const listing = new Listing<ListQuery<'POSITION'>>({
  from: e.table,
  details: sql`join ${e.table} on ${e.log_id} = key.parent and ${e.position} = key.id`,
  // Not the organization: with a join, PostgreSQL would sort a long trail for each page.
  parent: { column: e.log_id, type: 'bigint' },
  ...NEWEST_FIRST,
});

/** Entries about an object: as their subject, or as its parent. */
const about = (subject: Expression) =>
  sql`select ${e.log_id}, ${e.position}, ${e.at}, ${e.action}, ${e.entry}, ${e.hash}, ${subject} as about from ${e.table}`;

const histories = new Listing<ListQuery<'POSITION'>>({
  from: sql`(${about(e.subject)} union all ${about(e.parent)}) e`,
  parent: { column: sql.ref('e.about'), type: 'text' },
  ...NEWEST_FIRST,
});

/** Fields that are read from the text of the entry, not from columns. */
const IN_ENTRY = ['actor', 'requestId', 'subject', 'changes', 'reason'];

const projection = new Projection('AuditEntry', {
  id: sql`${e.log_id} || '/' || ${e.position}`,
  ...properties(e, 'position', 'at', 'action'),
  hash: sql`encode(${e.hash}, 'hex')`,
  ...Object.fromEntries(IN_ENTRY.map((property) => [property, { needs: { entry: e.entry } }])),
});

const logsOf = statement<{ organizationIds: readonly number[] }>()((p) =>
  db
    .selectFrom('audit_log')
    .select(['id', 'organization_id as organizationId'])
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds'))),
);

/** The trail of an organization, for conditions. */
const logOf = (organizationId: Expression) =>
  sql`(select ${l.id} from ${l.table} where ${l.organization_id} = ${organizationId})`;

const ownerOf = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_log')
    .select(['organization_id as organizationId', 'user_id as userId'])
    .where('id', '=', p('logId')),
);

/** Numbers of entries of whole trails: positions have no gaps. */
const lengthsOf = statement<{ logIds: readonly number[] }>()(
  (p) => sql<{ logId: number; entries: number }>`
    select ${l.id} as "logId", ${l.position} - oldest.position + 1 as entries
      from ${l.table}
     cross join lateral (select ${e.position} from ${e.table} where ${e.log_id} = ${l.id} order by ${e.position} limit 1) oldest
     where ${l.id} = any(${p('logIds')}::bigint[])`,
);

const one = projected<AuditEntryKey>()((p, { select }) =>
  db
    .selectFrom('audit_entry as e')
    .select(select)
    .where('e.log_id', '=', p('logId'))
    .where('e.position', '=', p('position'))
    .$castTo<EntryRow>(),
);

const some = projected<{ organizationIds: readonly number[]; positions: readonly number[] }>()(
  (p, { select }) => sql<EntryRow & { $organization: number; $position: number }>`
    select ${l.organization_id} as "$organization", ${e.position} as "$position", ${sql.join(select)}
      from unnest(${p('organizationIds')}::bigint[], ${p('positions')}::bigint[]) as wanted(organization, place)
      join ${l.table} on ${l.organization_id} = wanted.organization
      join ${e.table} on ${e.log_id} = ${l.id} and ${e.position} = wanted.place`,
);

/** Reads audit trails of organizations and users (docs/adr/0024). */
export class AuditTrailService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not read the audit trail of the organization. */
  authorize(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
  }

  /** Entries of each organization, newest first by default. The caller must already be authorized. */
  async ofOrganizations(
    organizationIds: readonly number[],
    query: AuditTrailQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const logs = await logsOf.all(this.database, { organizationIds });
    const ids = new Map(logs.map(({ id, organizationId }) => [organizationId, id]));
    // Organizations without entries have no trail yet; a negative id stands for none.
    const parents = organizationIds.map((organizationId) => ids.get(organizationId) ?? -organizationId);
    const trails = new Map(parents.map((logId, index) => [logId, organizationIds[index] as number]));
    const pages = await this.pages(trails, query, selection);
    return new Map(organizationIds.map((id, index) => [id, pages.get(parents[index] as number) as Page<object>]));
  }

  /** The caller's own trail. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  async ofCaller(caller: Caller, query: AuditTrailQuery, selection: ListSelection): Promise<Page<object>> {
    const { userId } = this.access.authorizeOwn(caller, 'read');
    const { id = NO_LOG } = await headOf(this.database, { userId });
    return (await this.pages(new Map([[id, null]]), query, selection)).get(id) as Page<object>;
  }

  /** Pages by trail, each with its organization, if any. */
  private async pages(
    trails: ReadonlyMap<number, number | null>,
    query: AuditTrailQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<EntryRow>>> {
    const { page, orderBy } = query;
    const logIds = [...trails.keys()];
    const conditions = conditionsOf(query);
    const isWhole = conditions.length === 0;
    const request = { page, orderBy, conditions, ...projection.list({ items, total: total && !isWhole }) };
    const pages = await listing.ofMany<EntryRow, number>(this.database, logIds, request);
    if (total && isWhole) {
      const lengths = await lengthsOf.all(this.database, { logIds });
      const entries = new Map(lengths.map((row) => [row.logId, row.entries]));
      for (const [logId, page] of pages) page.total = entries.get(logId) ?? 0;
    }
    await this.complete([...pages].flatMap(([logId, { rows }]) => ofTrail(rows, trails.get(logId) ?? null)));
    return pages;
  }

  /**
   * Entries about each object and its parts, newest first, with one statement for each organization. The caller must
   * already be authorized.
   */
  async histories(
    objects: readonly AuditedObject[],
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Map<AuditedObject, Page<object>>> {
    const pages = new Map<AuditedObject, Page<EntryRow>>();
    const readOf = async (organizationId: number, own: readonly AuditedObject[]) => {
      const found = await histories.ofMany<EntryRow, string>(this.database, own.map(subjectIn), {
        ...{ page, conditions: [isOf({ organizationId })], ...projection.list(selection) },
      });
      for (const object of own) pages.set(object, found.get(subjectIn(object)) as Page<EntryRow>);
    };
    await Promise.all([...Map.groupBy(objects, organizationIn)].map(([id, own]) => readOf(id, own)));
    await this.complete([...pages].flatMap(([object, { rows }]) => ofTrail(rows, organizationIn(object))));
    return pages;
  }

  /**
   * Entries by organization and position, such as `1/42`: of each organization the one at the position with the same
   * index. The caller must already be authorized.
   */
  async entriesAt(
    organizationIds: readonly number[],
    positions: readonly number[],
    selection: Selection,
  ): Promise<Map<string, object>> {
    const rows = await some(projection.of(selection)).all(this.database, { organizationIds, positions });
    await this.complete(rows.map((row) => ({ row, organizationId: row.$organization })));
    return new Map(rows.map((row) => [`${row.$organization}/${row.$position}`, row]));
  }

  /** One entry; throws NOT_FOUND or FORBIDDEN. */
  async read(caller: Caller, key: AuditEntryKey, selection: Selection): Promise<object> {
    const { organizationId, userId } = (await ownerOf.first(this.database, key)) ?? absent();
    if (organizationId !== null) await this.authorize(caller, organizationId);
    else if (this.access.authorizeOwn(caller, 'read').userId !== userId) throw notFound();
    const rows = await one(projection.of(selection)).all(this.database, key);
    await this.complete(ofTrail(rows, organizationId));
    return rows[0] ?? absent();
  }

  private async complete(rows: readonly RowOfTrail[]): Promise<void> {
    const stored = rows.flatMap((of) => (of.row.entry === undefined ? [] : { ...of, entry: of.row.entry }));
    if (stored.length === 0) return;
    for (const { row, organizationId, actor, ...record } of await entryRecords(this.database, stored))
      Object.assign(row, record, { actor: { ...actor, organizationId } });
  }
}

const NO_LOG = -1;

const isOf = filter<{ organizationId: number }>((p) => sql`${e.log_id} = ${logOf(p('organizationId'))}`);
const hasActor = filter<{ actor: string }>((p) => sql`${e.actor} = ${p('actor')}`);
const isOfType = oneOf(e.subject_type);
const isAction = oneOf(e.action);
const [ALL_ACTIONS, ALL_SUBJECTS] = [Object.keys(AUDIT_ACTIONS), Object.keys(AUDIT_SUBJECTS)];
const hasSubject = filter<{ subject: string }>((p) => sql`${e.subject} = ${p('subject')}`);

const x = table('audit_entry', 'x');

/** The position of the first entry of `log`, by time, that meets `condition`. */
const positionOf = (log: Expression, condition: Expression, direction: Expression) =>
  sql`(select ${x.position} from ${x.table} where ${x.log_id} = ${log} and ${condition}
    order by ${x.at} ${direction}, ${x.position} ${direction} limit 1)`;
const latenessIn = (log: Expression) => sql`(select ${l.lateness} from ${l.table} where ${l.id} = ${log})`;
const textOf = (instant: Expression) => sql`to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const END_OF_TIME = sql`${sql.lit(new Date(LAST_INSTANT).toISOString())}::timestamptz`;

/** A condition on time as one on positions: an entry that is older by more than the lateness has a lower position. */
export const isFrom = filter<{ from: string }>((p, log) => {
  const before = sql`${x.at} < ${textOf(sql`${p('from')}::timestamptz - ${latenessIn(log)}`)}`;
  return sql`${e.at} >= ${p('from')} and ${e.position} > coalesce(${positionOf(log, before, sql`desc`)}, 0)`;
});

/** The same for the end of the period. */
export const isBefore = filter<{ to: string }>((p, log) => {
  const after = sql`${x.at} >= ${textOf(sql`least(${p('to')}::timestamptz + ${latenessIn(log)}, ${END_OF_TIME})`)}`;
  return sql`${e.at} < ${p('to')} and ${e.position} < coalesce(${positionOf(log, after, sql`asc`)}, ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
});

const isAfter = filter<{ position: number }>((p) => sql`${e.position} > ${p('position')}::bigint`);

function conditionsOf(query: AuditTrailQuery): Condition[] {
  const { actorId, actorJob, action, subjectType, subjectId, from, to, afterPosition } = query;
  const conditions: Condition[] = [];
  for (const actor of [actorId?.toLowerCase(), actorJob]) if (actor != null) conditions.push(hasActor({ actor }));
  if (subjectType != null && subjectId != null) {
    conditions.push(hasSubject({ subject: `${subjectType}/${subjectId}` }));
    if (action != null) conditions.push(isAction({ texts: [action] }));
  } else if ((actorId ?? actorJob ?? action ?? subjectType) != null) {
    // Indexes contain all entries, and those of each actor, by action and type.
    conditions.push(isAction({ texts: action == null ? ALL_ACTIONS : [action] }));
    conditions.push(isOfType({ texts: subjectType == null ? ALL_SUBJECTS : [subjectType] }));
  }
  if (from != null) conditions.push(isFrom({ from: from.toISOString() }));
  if (to != null) conditions.push(isBefore({ to: to.toISOString() }));
  if (afterPosition != null) conditions.push(isAfter({ position: afterPosition }));
  return conditions;
}

function organizationIn(object: AuditedObject): number {
  return Number(object.slice(0, object.indexOf('/')));
}

function subjectIn(object: AuditedObject): string {
  return object.slice(object.indexOf('/') + 1);
}

function absent(): never {
  throw notFound();
}
