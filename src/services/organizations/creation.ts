import type { UserCaller } from '../../auth/caller.js';
import { Gathered } from '../../common/gathered.js';
import { toSnakeCase } from '../../common/naming.js';
import type { RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, insertSelect, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import { beginTrails, type FirstEntry } from '../audit/record.js';

/** The columns that an organization is created with. */
const WRITTEN = [
  ...(['name', 'description', 'numberEmployees', 'website', 'logo', 'logoBytes', 'sectors', 'industries'] as const),
  ...(['nis2Sector', 'complianceFrameworks', 'infrastructure', 'contacts', 'domains', 'ips', 'sandbox'] as const),
  ...(['createdAt', 'updatedAt', 'reportDueAt'] as const),
];

const COLUMNS = WRITTEN.map((property) => [property, toSnakeCase(property)] as const);

/** Values of the columns that an organization is created with. */
export type WrittenOrganization = Pick<RowOf<'organization'>, (typeof WRITTEN)[number]>;

/** An organization to be created. */
export interface Creation {
  founder: UserCaller;
  organization: WrittenOrganization;
  /** Maximum number of organizations that its founder may own, including this one; null without a quota. */
  quota: number | null;
  firstEntry: FirstEntry;
}

/** An organization as inserted by PostgreSQL, with its trail. */
export interface CreatedOrganization extends Pick<RowOf<'organization'>, 'id' | 'version' | 'createdAt' | 'updatedAt'> {
  logId: number;
}

interface Creations {
  /** As JSON: the result of `parametersOf` for each. */
  rows: string;
  founders: readonly string[];
}

const o = table('organization');
const u = table('app_user', 'u');

/**
 * One statement, so that an organization always has an owner and an entry. No row where the
 * founder has reached its maximum, or has been erased. A founder with a quota may occur only once: its
 * other organizations are counted before.
 */
const creating = (p: Placeholders<Creations>, locked: Expression) => {
  const columns = COLUMNS.map(([, name]) => sql.id(name));
  const owner = insertSelect('membership', {
    organization_id: sql`created.id`,
    user_id: sql`allowed.founder`,
    role: sql`'ORGANIZATION_OWNER'`,
    created_at: sql`created."createdAt"`,
  });
  const present = sql`select ${u.id} from ${u.table} where ${u.deactivated_at} is null and ${u.id} = any(${p('founders')}::uuid[])`;
  return sql<CreatedOrganization & { place: number }>`
    with present as (${present} order by ${u.id} ${locked}), allowed as materialized (
      select nextval('organization_id_seq') as id, given.*
        from json_to_recordset(${p('rows')}) as given (place int, founder uuid, quota int, before text, after text, organization ${o.table})
        join present on present.id = given.founder
       where given.quota is null or owned_organizations(present.id, (given.organization).sandbox) < given.quota
    ), created as (
      insert into ${o.table} (${column('organization', 'id')}, ${sql.join(columns)})
      select allowed.id, ${sql.join(columns.map((name) => sql`(allowed.organization).${name}`))} from allowed
      returning ${o.id}, ${o.version}, ${o.created_at} as "createdAt", ${o.updated_at} as "updatedAt"
    ), owner as (${owner} from created join allowed on allowed.id = created.id),
    entry as (
      select created.id, allowed.before || created.id || allowed.after as text, created."createdAt" as at
        from created join allowed on allowed.id = created.id
    ), ${beginTrails()}
    select allowed.place, created.*, head.id as "logId"
      from created join allowed on allowed.id = created.id join head on head.organization_id = created.id`;
};

/** Serializes with other transactions that make a founder an owner, or erase it. */
const create = statement<Creations>()((p) => creating(p, sql`for key share`));
/** Skips founders that another transaction erases. */
const createSome = statement<Creations>()((p) => creating(p, sql`for key share skip locked`));
/** Skips founders that another transaction makes an owner. */
const createCounted = statement<Creations>()((p) => creating(p, sql`for no key update skip locked`));

function parametersOf(creations: readonly Creation[]): Creations {
  const rows = creations.map(({ founder, quota, organization, firstEntry }, place) => ({
    ...{ place, founder: founder.userId, quota, before: firstEntry.beforeId, after: firstEntry.afterId },
    organization: Object.fromEntries(COLUMNS.map(([property, name]) => [name, organization[property]])),
  }));
  return { rows: JSON.stringify(rows), founders: creations.map(({ founder }) => founder.userId) };
}

/** Undefined when the founder has reached its maximum, or has been erased. */
export function createAlone(database: Queryable, creation: Creation): Promise<CreatedOrganization | undefined> {
  return create.first(database, parametersOf([creation]));
}

/** The organizations of different requests, created together. */
export function gatheredCreations(database: Database): Gathered<Creation, CreatedOrganization | undefined> {
  return new Gathered({
    together: async (creations) => {
      const created = await (creations.some(({ quota }) => quota !== null) ? createCounted : createSome).all(
        database,
        parametersOf(creations),
      );
      const byPlace = new Map(created.map((row) => [row.place, row]));
      return creations.map((_, place) => byPlace.get(place));
    },
    alone: (creation) => createAlone(database, creation),
    keyOf: ({ founder, quota }) => (quota === null ? undefined : founder.userId),
  });
}
