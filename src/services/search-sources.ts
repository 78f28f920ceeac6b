import { SqlText } from '../database/listing.js';
import { SEARCH_TYPES, type SearchType } from '../vocabulary/search-types.js';

/** Types that are searched in the database; controls have their labels in the catalogues. */
export type StoredType = Exclude<SearchType, 'CONTROL'>;

/** Where the caller may look: which of its organizations, by type. */
export interface SearchScope {
  userId: string;
  /** Those whose records it may read, and those whose members it may list. */
  organizationIds: readonly number[];
  memberIds: readonly number[];
}

/** How one type is read. Titles and texts are folded before they are compared. */
interface Source {
  from: string;
  /** Which rows are within reach; `?` is the placeholder of what `reach` names. */
  within: string;
  reach: keyof SearchScope;
  organization: string;
  recordId: string;
  /** What breaks ties, as text that sorts like the ids. */
  key: string;
  title: string;
  /** Further text that is searched and shown. */
  body: string;
  /** All that is searched: the expression of the index, to the letter, where there is one. */
  searched: string;
  href: string;
}

const padded = (id: string) => `lpad(${id}::text, 10, '0')`;

/** What is `searched` is the expression of the table's index, where it has one: migration 152000. */
const SOURCES: Readonly<Record<StoredType, Source>> = {
  ORGANIZATION: {
    from: 'organization o',
    within: 'o.id = any(?::int[])',
    reach: 'organizationIds',
    organization: 'o.id',
    recordId: 'o.id::text',
    key: padded('o.id'),
    title: 'o.name',
    body: 'o.description',
    searched: `search_text(o.name || e'\\n' || o.description)`,
    href: `'/organizations/' || o.id`,
  },
  MEMBER: {
    from: 'membership m join app_user u on u.id = m.user_id',
    within: 'm.organization_id = any(?::int[])',
    reach: 'memberIds',
    organization: 'm.organization_id',
    recordId: 'u.id::text',
    key: `${padded('m.organization_id')} || ':' || u.id`,
    title: `trim(u.first_name || ' ' || u.last_name)`,
    body: `u.username || ' ' || u.email`,
    searched: `search_text(u.first_name || ' ' || u.last_name || e'\\n' || u.username || e'\\n' || u.email)`,
    href: `'/organizations/' || m.organization_id || '/users/' || u.id`,
  },
  DOCUMENT: {
    from: 'document_version d',
    within: 'd.organization_id = any(?::int[])',
    reach: 'organizationIds',
    organization: 'd.organization_id',
    recordId: 'd.id::text',
    key: padded('d.id'),
    title: 'd.original_name',
    body: `d.artifact_id || ' ' || coalesce(d.note, '')`,
    searched: `search_text(d.original_name || e'\\n' || d.artifact_id || e'\\n' || coalesce(d.note, ''))`,
    href: `'/organizations/' || d.organization_id || '/workflows/' || d.workflow_id || '/controls/' || d.artifact_id`,
  },
  INCIDENT: {
    from: 'incident i',
    within: 'i.organization_id = any(?::int[])',
    reach: 'organizationIds',
    organization: 'i.organization_id',
    recordId: 'i.id::text',
    key: padded('i.id'),
    title: 'i.title',
    body: 'i.description',
    searched: `search_text(i.title || e'\\n' || i.description)`,
    href: `'/organizations/' || i.organization_id || '/incidents/' || i.id`,
  },
  NOTIFICATION: {
    from: 'notification n',
    within: 'n.user_id = ?::uuid and n.organization_id = any(?::int[])',
    reach: 'userId',
    organization: 'n.organization_id',
    recordId: 'n.id::text',
    key: padded('n.id'),
    title: 'n.title',
    body: 'n.message',
    searched: `search_text(n.title || e'\\n' || n.message)`,
    href: 'n.href',
  },
};

/** One union of everything that contains `query` in these types: columns rank, key, title and so on. */
export function hitsOf(sql: SqlText, types: readonly StoredType[], scope: SearchScope, query: string): string {
  const wanted = sql.value(query);
  return types.map((type) => hitsOfType(sql, type, scope, `${wanted}::text`)).join(' union all ');
}

function hitsOfType(sql: SqlText, type: StoredType, scope: SearchScope, wanted: string): string {
  const source = SOURCES[type];
  const reach = [scope[source.reach], scope.organizationIds];
  const within = source.within.replaceAll('?', () => sql.value(reach.shift()));
  const title = `search_text(${source.title})`;
  const rank = `case when ${title} = search_text(${wanted}) then 0
    when ${title} like search_pattern(${wanted}) || '%' then 1
    when ${title} like '%' || search_pattern(${wanted}) || '%' then 2 else 3 end`;
  return `select '${type}' as type, ${rank} as rank, '${SEARCH_TYPES.indexOf(type)}:' || ${source.key} as key,
      ${source.organization} as "organizationId", ${source.recordId} as "recordId", ${source.title} as title,
      ${source.body} as body, ${source.href} as href
    from ${source.from} where ${within} and ${source.searched} like '%' || search_pattern(${wanted}) || '%'`;
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

/** The first so many hits after a place, best first. */
export function pageStatement(
  types: readonly StoredType[],
  scope: SearchScope,
  { query, after, limit }: { query: string; after: Place | undefined; limit: number },
): { text: string; values: readonly unknown[] } {
  const sql = new SqlText();
  const hits = hitsOf(sql, types, scope, query);
  const beyond =
    after === undefined
      ? ''
      : `where rank > ${sql.value(after.rank)}::int or rank = ${sql.value(after.rank)}::int and key collate "C" > ${sql.value(after.key)}::text`;
  const text = `select * from (${hits}) hits ${beyond} order by rank, key collate "C" limit ${sql.value(limit)}`;
  return { text, values: sql.values };
}

/** Counts what `pageStatement` pages through; controls, which are not stored, are not among it. */
export function countStatement(
  types: readonly StoredType[],
  scope: SearchScope,
  query: string,
): { text: string; values: readonly unknown[] } {
  const sql = new SqlText();
  return { text: `select count(*) as total from (${hitsOf(sql, types, scope, query)}) hits`, values: sql.values };
}
