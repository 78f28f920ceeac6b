import { SEARCH_TYPES, type SearchType } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { sql, statementPerList, table, type Expression, type Placeholders } from '../../database/sql.js';

/** Types that are searched in the database; labels of controls are in the catalogues. */
export type StoredType = Exclude<SearchType, 'CONTROL'>;

/** The caller's searchable organizations, by type. */
export interface SearchScope {
  userId: string;
  /** Those whose records it may read, and those whose members it may list. */
  organizationIds: readonly number[];
  memberIds: readonly number[];
  /** For each of `organizationIds`, matching folded names of former members, and their patterns: lines. */
  formerNames: readonly string[];
  formerPatterns: readonly string[];
}

/** How one type is read. */
interface Source {
  from: Expression;
  /** Condition on rows that the caller may find. */
  within: Expression;
  /** Condition for queries of two characters, which have no trigram; where all rows would be too many. */
  newest?: Expression;
  /** The folded title on its first line, followed by all other searched texts. */
  searchable: Expression;
  organization: Expression;
  id: Expression;
  /** The text that breaks ties, in the order of the ids; defaults to that of the id. */
  key?: Expression;
  title: Expression;
  /** Further displayed text. */
  body: Expression;
  href: Expression;
}

const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const d = table('document_version', 'd');
const i = table('incident', 'i');
const n = table('notification', 'n');
const newestDocument = table('document_version', 'newest');
const newestIncident = table('incident', 'newest');

const padded = (id: Expression) => sql`lpad(${id}::text, 10, '0')`;

const sourcesOf = (p: Placeholders<SearchScope>): Readonly<Record<StoredType, Source>> => ({
  ORGANIZATION: {
    from: o.table,
    within: sql`${o.id} = any(${p('organizationIds')}::bigint[])`,
    searchable: o.searchable,
    organization: o.id,
    id: o.id,
    title: o.name,
    body: o.description,
    href: sql`'/organizations/' || ${o.id}`,
  },
  MEMBER: {
    from: sql`${m.table} join ${u.table} on ${u.id} = ${m.user_id}`,
    within: sql`${m.organization_id} = any(${p('memberIds')}::bigint[]) and ${u.kind} = 'PERSON'`,
    searchable: u.searchable,
    organization: m.organization_id,
    id: u.id,
    key: sql`${padded(m.organization_id)} || ':' || ${u.id}`,
    title: sql`trim(${u.first_name} || ' ' || ${u.last_name})`,
    body: sql`${u.username} || ' ' || ${u.email}`,
    href: sql`'/organizations/' || ${m.organization_id} || '/users/' || ${u.id}`,
  },
  DOCUMENT: {
    from: d.table,
    within: sql`${d.organization_id} = any(${p('organizationIds')}::bigint[])`,
    newest: newestOf(p, d.id, newestDocument, sql`${newestDocument.created_at} desc, ${newestDocument.id} desc`),
    searchable: d.searchable,
    organization: d.organization_id,
    id: d.id,
    title: d.original_name,
    body: sql`${d.artifact_id} || ' ' || coalesce(${d.note}, '')`,
    href: sql`'/organizations/' || ${d.organization_id} || '/workflows/' || ${d.workflow_id} || '/controls/' || ${d.artifact_id}`,
  },
  INCIDENT: {
    from: i.table,
    within: sql`${i.organization_id} = any(${p('organizationIds')}::bigint[])`,
    newest: newestOf(p, i.id, newestIncident, sql`${newestIncident.id} desc`),
    searchable: i.searchable,
    organization: i.organization_id,
    id: i.id,
    title: i.title,
    body: i.description,
    href: sql`'/organizations/' || ${i.organization_id} || '/incidents/' || ${i.id}`,
  },
  NOTIFICATION: {
    from: sql`(select * from ${n.table} where ${n.user_id} = ${p('userId')}::uuid
            order by ${n.created_at} desc, ${n.id} desc limit ${sql.lit(LIMITS.search.notifications)}) as n`,
    within: sql`${n.organization_id} = any(${p('organizationIds')}::bigint[])
        and not exists (
          select from array_position(${p('organizationIds')}::bigint[], ${n.organization_id}) as place,
                      unnest(string_to_array((${p('formerNames')}::text[])[place], chr(10)),
                             string_to_array((${p('formerPatterns')}::text[])[place], chr(10))) as former(name, pattern)
           where case when position(former.name in ${n.searchable}) > 0 then ${n.searchable} ~ former.pattern end)`,
    searchable: n.searchable,
    organization: n.organization_id,
    id: n.id,
    title: n.title,
    body: n.message,
    href: n.href,
  },
});

/**
 * Whether a row is among the newest of each organization, by an index on `order`. With many organizations,
 * fewer rows of each.
 */
function newestOf(
  p: Placeholders<SearchScope>,
  id: Expression,
  of: typeof newestDocument | typeof newestIncident,
  order: Expression,
): Expression {
  const { recordsForTwoCharacters: each, allRecordsForTwoCharacters: all } = LIMITS.search;
  return sql`${id} = any(array(
    select newest.id from unnest(${p('organizationIds')}::bigint[]) as own(id) cross join lateral
      (select ${of.id} from ${of.table} where ${of.organization_id} = own.id order by ${order}
        limit least(${sql.lit(each)}, ${sql.lit(all)} / greatest(cardinality(${p('organizationIds')}::bigint[]), 1))) as newest))`;
}

export interface SearchParams extends SearchScope {
  query: string;
}

/** For `like`. As a subquery it is evaluated once, and the plan is the same for every text. */
export function searchPattern(p: Placeholders<{ query: string }>): Expression {
  return sql`(select '%' || search_pattern(${p('query')}::text) || '%')`;
}

/** By an index of trigrams; or, for two characters, which have none, the newest rows. */
export type Reading = 'trigrams' | 'newest';

/** Column compared with the pattern; for two characters an expression, because the trigram index would be read whole. */
export function comparable(searchable: Expression, reading: Reading): Expression {
  return reading === 'newest' ? sql`(${searchable} || '')` : searchable;
}

/** Union of rows that contain `query` in these types, with a limit for each. */
function allHits(p: Placeholders<SearchParams>, types: readonly StoredType[], reading: Reading): Expression {
  const sources = sourcesOf(p);
  const wanted = sql`(select search_text(${p('query')}::text))`;
  const hits = types.map((type) => {
    const { from, within, newest, searchable, organization, id, key = padded(id), title, body, href } = sources[type];
    const first = sql`split_part(${searchable}, chr(10), 1)`;
    return sql`(select ${type} as type, case when ${first} = ${wanted} then 0 when starts_with(${first}, ${wanted}) then 1
        when position(${wanted} in ${first}) > 0 then 2 else 3 end as rank,
      ${`${SEARCH_TYPES.indexOf(type)}:`} || ${key} as key, ${organization} as "organizationId", ${id}::text as "recordId",
      ${title} as title, ${body} as body, ${href} as href
    from ${from} where ${within} and ${(reading === 'newest' && newest) || sql`true`}
      and ${comparable(searchable, reading)} like ${searchPattern(p)} limit ${CANDIDATES})`;
  });
  return sql.join(hits, sql` union all `);
}

const CANDIDATES = sql.lit(LIMITS.search.candidates);

/** A hit before its snippet is cut. */
export interface Hit {
  type: SearchType;
  /** 0 is the title itself, 1 its prefix, 2 a part of it, 3 other text. */
  rank: number;
  /** Sorts by type, then by id; ASCII except for ids chosen by customers. */
  key: string;
  organizationId: number;
  recordId: string;
  title: string;
  body: string;
  href: string;
}

/** Cursor: where a page begins. */
export interface Place {
  rank: number;
  key: string;
}

interface PageParams extends SearchParams {
  limit: number;
}

const IN_ORDER = sql`order by rank, key collate "C"`;

const statementsOf = (reading: Reading) => ({
  /** The first hits, best first, each with the total number. */
  first: statementPerList<StoredType, PageParams>()(
    (p, types) => sql<Hit & { total: number }>`
      select *, count(*) over () as total from (${allHits(p, types, reading)}) hits ${IN_ORDER} limit ${p('limit')}`,
  ),
  /** The same after a cursor. */
  after: statementPerList<StoredType, PageParams & Place>()(
    (p, types) => sql<Hit>`select * from (${allHits(p, types, reading)}) hits
      where rank > ${p('rank')}::int or rank = ${p('rank')}::int and key collate "C" > ${p('key')}::text
      ${IN_ORDER} limit ${p('limit')}`,
  ),
  /** Number of hits, up to the maximum that is counted. */
  count: statementPerList<StoredType, SearchParams>()(
    (p, types) => sql<{ total: number }>`
      select count(*) as total from (select from (${allHits(p, types, reading)}) hits limit ${CANDIDATES}) counted`,
  ),
});

const STATEMENTS = { trigrams: statementsOf('trigrams'), newest: statementsOf('newest') };

/** How a folded text is searched for, without controls, which are not stored. */
export function statementsFor(text: string): ReturnType<typeof statementsOf> {
  return STATEMENTS[readingOf(text)];
}

/** How a folded text is read. */
export function readingOf(text: string): Reading {
  return [...text].length < 3 ? 'newest' : 'trigrams';
}

const MARKS = /[\u0300-\u036f]/g;

/** As `search_text` in the database folds it: without accents, in lower case, with compatibility normalization. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
}

/** Match quality of a title: 0 equal, 1 prefix, 2 part; undefined for no match. All folded. */
export function rankOf(title: string, wanted: string): number | undefined {
  if (title === wanted) return 0;
  if (title.startsWith(wanted)) return 1;
  return title.includes(wanted) ? 2 : undefined;
}
