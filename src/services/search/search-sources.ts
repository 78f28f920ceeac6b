import { SEARCH_TYPES, type SearchType } from '../../values/enums.js';
import { sql, statementPerList, table, type Expression, type Placeholders } from '../../database/sql.js';

/** Types that are searched in the database; controls have their labels in the catalogues. */
export type StoredType = Exclude<SearchType, 'CONTROL'>;

/** Where the caller may look: which of its organizations, by type. */
export interface SearchScope {
  userId: string;
  /** Those whose records it may read, and those whose members it may list. */
  organizationIds: readonly number[];
  memberIds: readonly number[];
  /** Former members whom the query names: the organization of each, and the pattern of a name in notifications. */
  formerIn: readonly number[];
  formerPatterns: readonly string[];
}

/** How one type is read. Titles and texts are folded before they are compared. */
interface Source {
  from: Expression;
  /** Which rows the caller may find. */
  within: (p: Placeholders<SearchScope>) => Expression;
  organization: Expression;
  recordId: Expression;
  /** What breaks ties, as text that sorts like the ids. */
  key: Expression;
  title: Expression;
  /** Further text that is searched and shown. */
  body: Expression;
  /** All that is searched: the expression of the table's index, to the letter, where there is one. */
  searched: Expression;
  href: Expression;
}

const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const d = table('document_version', 'd');
const i = table('incident', 'i');
const n = table('notification', 'n');

const text = (id: Expression) => sql`${id}::text`;
const padded = (id: Expression) => sql`lpad(${id}::text, 10, '0')`;

const SOURCES: Readonly<Record<StoredType, Source>> = {
  ORGANIZATION: {
    from: o.table,
    within: (p) => sql`${o.id} = any(${p('organizationIds')}::int[])`,
    organization: o.id,
    recordId: text(o.id),
    key: padded(o.id),
    title: o.name,
    body: o.description,
    searched: sql`search_text(${o.name} || e'\\n' || ${o.description})`,
    href: sql`'/organizations/' || ${o.id}`,
  },
  MEMBER: {
    from: sql`${m.table} join ${u.table} on ${u.id} = ${m.user_id}`,
    within: (p) => sql`${m.organization_id} = any(${p('memberIds')}::int[])`,
    organization: m.organization_id,
    recordId: text(u.id),
    key: sql`${padded(m.organization_id)} || ':' || ${u.id}`,
    title: sql`trim(${u.first_name} || ' ' || ${u.last_name})`,
    body: sql`${u.username} || ' ' || ${u.email}`,
    searched: sql`search_text(${u.first_name} || ' ' || ${u.last_name} || e'\\n' || ${u.username} || e'\\n' || ${u.email})`,
    href: sql`'/organizations/' || ${m.organization_id} || '/users/' || ${u.id}`,
  },
  DOCUMENT: {
    from: d.table,
    within: (p) => sql`${d.organization_id} = any(${p('organizationIds')}::int[])`,
    organization: d.organization_id,
    recordId: text(d.id),
    key: padded(d.id),
    title: d.original_name,
    body: sql`${d.artifact_id} || ' ' || coalesce(${d.note}, '')`,
    searched: sql`search_text(${d.original_name} || e'\\n' || ${d.artifact_id} || e'\\n' || coalesce(${d.note}, ''))`,
    href: sql`'/organizations/' || ${d.organization_id} || '/workflows/' || ${d.workflow_id} || '/controls/' || ${d.artifact_id}`,
  },
  INCIDENT: {
    from: i.table,
    within: (p) => sql`${i.organization_id} = any(${p('organizationIds')}::int[])`,
    organization: i.organization_id,
    recordId: text(i.id),
    key: padded(i.id),
    title: i.title,
    body: i.description,
    searched: sql`search_text(${i.title} || e'\\n' || ${i.description})`,
    href: sql`'/organizations/' || ${i.organization_id} || '/incidents/' || ${i.id}`,
  },
  NOTIFICATION: {
    from: n.table,
    within: (p) =>
      sql`${n.user_id} = ${p('userId')}::uuid and ${n.organization_id} = any(${p('organizationIds')}::int[])
        and not exists (select from unnest(${p('formerIn')}::int[], ${p('formerPatterns')}::text[]) as former(place, pattern)
                         where former.place = ${n.organization_id} and ${n.title} || ' ' || ${n.message} ~ former.pattern)`,
    organization: n.organization_id,
    recordId: text(n.id),
    key: padded(n.id),
    title: n.title,
    body: n.message,
    searched: sql`search_text(${n.title} || e'\\n' || ${n.message})`,
    href: n.href,
  },
};

export interface SearchParams extends SearchScope {
  query: string;
}

/** One union of everything that contains `query` in these types: columns rank, key, title and so on. */
function allHits(p: Placeholders<SearchParams>, types: readonly StoredType[]) {
  return sql<Hit>`${sql.join(
    types.map((type) => hitsOfType(p, type)),
    sql` union all `,
  )}`;
}

function hitsOfType(p: Placeholders<SearchParams>, type: StoredType): Expression {
  const source = SOURCES[type];
  const wanted = sql`${p('query')}::text`;
  const title = sql`search_text(${source.title})`;
  const rank = sql`case when ${title} = search_text(${wanted}) then 0
    when ${title} like search_pattern(${wanted}) || '%' then 1
    when ${title} like '%' || search_pattern(${wanted}) || '%' then 2 else 3 end`;
  return sql`select ${type} as type, ${rank} as rank, ${`${SEARCH_TYPES.indexOf(type)}:`} || ${source.key} as key,
      ${source.organization} as "organizationId", ${source.recordId} as "recordId", ${source.title} as title,
      ${source.body} as body, ${source.href} as href
    from ${source.from}
    where ${source.within(p)} and ${source.searched} like '%' || search_pattern(${wanted}) || '%'`;
}

/** What a page shows of a hit before its snippet is cut. */
export interface Hit {
  type: SearchType;
  /** 0 is the title itself, 1 its beginning, 2 a part of it, 3 elsewhere. */
  rank: number;
  /** Sorts by type, then by id; ASCII but for ids that customers have chosen. */
  key: string;
  organizationId: number;
  recordId: string;
  title: string;
  body: string;
  href: string;
}

/** Where a page begins: after this place in the order. */
export interface Place {
  rank: number;
  key: string;
}

interface PageParams extends SearchParams {
  limit: number;
}

/** The first so many hits, best first. */
export const firstHits = statementPerList<StoredType, PageParams>()(
  (p, types) => sql<Hit>`select * from (${allHits(p, types)}) hits ${IN_ORDER} limit ${p('limit')}`,
);

/** The same after a place. */
export const hitsAfter = statementPerList<StoredType, PageParams & Place>()(
  (p, types) => sql<Hit>`select * from (${allHits(p, types)}) hits
    where rank > ${p('rank')}::int or rank = ${p('rank')}::int and key collate "C" > ${p('key')}::text
    ${IN_ORDER} limit ${p('limit')}`,
);

const IN_ORDER = sql`order by rank, key collate "C"`;

/** Counts what `firstHits` begins with; controls, which are not stored, are not among it. */
export const countHits = statementPerList<StoredType, SearchParams>()(
  (p, types) => sql<{ total: number }>`select count(*) as total from (${allHits(p, types)}) hits`,
);
