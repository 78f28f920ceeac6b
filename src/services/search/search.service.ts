import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { decodeCursor, pageOf, windowOf, type Page, type Window } from '../../database/cursor.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import { refuseErrors, type FieldError } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { SEARCH_TYPES, type SearchType } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { controlHits } from './control-search.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import { namePattern } from '../shared/text-search.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';
import {
  folded,
  statementsFor,
  type Hit,
  type Place,
  type SearchParams,
  type SearchScope,
  type StoredType,
} from './search-sources.js';

export interface SearchRequest {
  query: string;
  organizationId?: number | null;
  /** Restricts the types; all when absent. */
  types?: readonly SearchType[] | null;
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

export interface SearchResultView extends Omit<Hit, 'rank' | 'key' | 'body'> {
  id: string;
  snippet: string;
  organization: object;
}

interface ScopeParams extends Reach {
  userId: string;
  organizationId: number | null;
  query: string;
}

const o = table('organization', 'o');
const l = table('audit_log', 'l');
const e = table('audit_entry', 'e');
const u = table('app_user', 'u');
const present = table('membership', 'present');

/** Folded user names and addresses of former members of the organization `o` that the query matches. */
const formerNames = (p: Placeholders<ScopeParams>) => sql<string[]>`array(
  select name from ${l.table}
    join ${e.table} on ${e.log_id} = ${l.id} and ${e.action} in ('MEMBER_REMOVED', 'MEMBER_LEFT')
    join ${u.table} on ${u.id} = split_part(${e.subject}, '/', 2)::uuid and ${u.personal_key} is not null
   cross join unnest((string_to_array(${u.searchable}, chr(10)))[2:3]) as name
   where ${l.organization_id} = ${o.id}
     and (position((select search_text(${p('query')}::text)) in name) > 0
          or position(name in (select search_text(${p('query')}::text))) > 0)
     and not exists (select from ${present.table} where ${present.organization_id} = ${o.id} and ${present.user_id} = ${u.id}))`;

const organizationsOf = statement<ScopeParams>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.organization_id as id', 'm.role', formerNames(p).as('formerNames')])
    .where('o.deleted_at', 'is', null)
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where(reachable(p))
    .where(sql<boolean>`(${p('organizationId')}::bigint is null or ${o.id} = ${p('organizationId')})`),
);

const NOTHING = { rows: [], count: 0 };

/** The order of search results; it refuses cursors of other lists. */
const ORDER = 'RELEVANCE';
const { minCharacters, maxCharacters, maxOffset } = LIMITS.search;

/** Searches everything visible to the caller, in all of its organizations or in one (docs/adr/0015). */
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly organizations: OrganizationReader,
  ) {}

  /**
   * One page, best first: the title itself, its prefix, a part of it, other text; then by type, then by id. Throws
   * NOT_FOUND for an organization without access.
   */
  async find(caller: Caller, request: SearchRequest, { items, total }: ListSelection): Promise<Page<object>> {
    const { organizationId = null } = request;
    if (organizationId !== null) await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
    const user = this.access.authorizeToken(caller, 'read');
    const window = windowOf(request);
    const query = textOf(request, window);
    const reads = await this.database.longReads();
    const scope = await this.scopeOf(reads, user, organizationId, query);
    // Accents alone fold to the empty text, which would match everything.
    const types = folded(query) === '' ? [] : typesIn(request.types, scope);
    const after = window.cursor === undefined ? undefined : placeOf(window);
    const stored = types.filter((type): type is StoredType => type !== 'CONTROL');
    const place = { ...scope, query, after, limit: window.offset + window.size + 1 };
    const [controls, { rows, count }] = await Promise.all([
      types.includes('CONTROL') ? controlHits(reads, this.catalogs, scope.organizationIds, query) : [],
      stored.length === 0 ? NOTHING : this.stored(reads, stored, place, total),
    ]);
    const page = pageFrom([...rows, ...controls.filter((hit) => isBeyond(hit, after))], window);
    if (total) page.total = Math.min(controls.length + count, LIMITS.search.candidates);
    await this.show(reads, page, query, items);
    return page;
  }

  private async scopeOf(
    reads: Queryable,
    user: UserCaller,
    organizationId: number | null,
    query: string,
  ): Promise<SearchScope> {
    const { userId } = user;
    const reached = await organizationsOf.all(reads, { userId, organizationId, query, ...reachOf(user) });
    const mayListMembers = reached.filter(({ role }) => roleHas(role, 'LIST_MEMBERS'));
    return {
      userId,
      organizationIds: reached.map(({ id }) => id),
      memberIds: mayListMembers.map(({ id }) => id),
      formerNames: reached.map(({ formerNames }) => formerNames.join('\n')),
      formerPatterns: reached.map(({ formerNames }) => formerNames.map(namePattern).join('\n')),
    };
  }

  /** A page of these types and, if selected, their total number of hits. */
  private async stored(
    reads: Queryable,
    types: readonly StoredType[],
    { after, ...params }: SearchParams & { limit: number; after: Place | undefined },
    total: boolean,
  ): Promise<{ rows: Hit[]; count: number }> {
    const statements = statementsFor(folded(params.query));
    if (after === undefined) {
      const rows = await statements.first(types).all(reads, params);
      return { rows, count: rows[0]?.total ?? 0 };
    }
    const rows = await statements.after(types).all(reads, { ...params, ...after });
    return { rows, count: total ? (await statements.count(types).one(reads, params)).total : 0 };
  }

  /** Adds fields that only the items of the page need: snippets and organizations. */
  private async show(reads: Queryable, page: Page<object>, query: string, selection: Selection): Promise<void> {
    const items = page.rows as (SearchResultView & Hit)[];
    const ids = items.map(({ organizationId }) => organizationId);
    const organizations = await this.organizations.byIds(reads, ids, selection.of('organization'));
    const wanted = folded(query);
    for (const item of items) {
      item.id = `${item.type}:${item.type === 'MEMBER' ? `${item.organizationId}:` : ''}${item.recordId}`;
      item.organization = organizations.get(item.organizationId)!;
      item.snippet = selection.has('snippet') ? snippetOf(item.body, wanted) : '';
    }
  }
}

/** The search text on one line. Throws BAD_USER_INPUT for "query", its name in GraphQL; REST checks its own. */
function textOf({ query, types }: SearchRequest, { offset }: Window): string {
  const text = query.replaceAll(/\s+/gu, ' ').trim();
  const length = [...text].length;
  const errors: FieldError[] = [];
  if (types?.length === 0) errors.push({ path: ['types'], sentence: 'must name at least one type' });
  if (length < minCharacters || length > maxCharacters)
    errors.push({ path: ['query'], sentence: `must have from ${minCharacters} to ${maxCharacters} characters` });
  if (offset > maxOffset)
    errors.push({ path: ['offset'], sentence: `must not be more than ${maxOffset}; cursors reach further` });
  refuseErrors(errors);
  return text;
}

function typesIn(types: readonly SearchType[] | null | undefined, scope: SearchScope): SearchType[] {
  const wanted = types ?? SEARCH_TYPES;
  return SEARCH_TYPES.filter((type) => {
    if (!wanted.includes(type)) return false;
    return (type === 'MEMBER' ? scope.memberIds : scope.organizationIds).length > 0;
  });
}

function placeOf(window: Window): Place {
  const { sort, id } = decodeCursor(window, ORDER, 'int', 'text');
  return { rank: sort as number, key: id as string };
}

function isBeyond(hit: Hit, after: Place | undefined): boolean {
  return after === undefined || byPlace(hit, after) > 0;
}

function byPlace(one: Place, other: Place): number {
  return one.rank - other.rank || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0);
}

/** Merges two sorted sources into one page: each has returned as many as the page could contain. */
function pageFrom(hits: readonly Hit[], window: Window): Page<object> {
  const sorted = hits.toSorted(byPlace).slice(window.offset, window.offset + window.size + 1);
  return pageOf(sorted, window, ORDER, { row: (hit) => ({ ...hit }), place: ({ rank, key }) => [rank, key] });
}

const LENGTH = LIMITS.search.snippetCharacters;
/** Characters of a snippet before the match. */
const LEAD = 40;

/** A part of the text on one line: around the match, or its beginning. */
export function snippetOf(text: string, wanted: string): string {
  const characters = [...text.replaceAll(/\s+/gu, ' ').trim()];
  const at = characterOf(characters, wanted);
  const start = at <= LEAD ? 0 : at - LEAD;
  const shown = characters.slice(start, start + LENGTH);
  if (start > 0) shown[0] = '…';
  if (start + LENGTH < characters.length) shown[shown.length - 1] = '…';
  return shown.join('');
}

/** The position in the text at which the folded match begins; 0 without a match. */
function characterOf(characters: readonly string[], wanted: string): number {
  const whole = folded(characters.join(''));
  const found = whole.indexOf(wanted);
  if (found <= 0) return 0;
  // Folding may map one character to several, or to none.
  let length = 0;
  for (const [index, character] of characters.entries()) {
    length += folded(character).length;
    if (length > found) return index;
  }
  return 0;
}
