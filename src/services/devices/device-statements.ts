import { filter } from '../../database/list-conditions.js';
import type { ListingSpec, ListQuery } from '../../database/list-query.js';
import {
  insertSelect,
  sql,
  statement,
  statementPerList,
  table,
  type Expression,
  type TableReference,
} from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import type { CheckStatus, Role } from '../../values/enums.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { containsText } from '../shared/text-search.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';

/** By id, name, `check.status`, or the time last seen, else created. */
type DeviceSort = 'ID' | 'NAME' | 'STATUS' | 'LAST_SEEN_AT';

export interface DeviceQuery extends ListQuery<DeviceSort> {
  /** Part of a name or an address, case-insensitive. */
  search?: string | null;
  status?: CheckStatus | null;
  /** Only deleted ones that may still be restored; those that are not deleted otherwise. */
  deleted?: boolean | null;
}

export interface LockedDevice {
  id: number;
  organizationId: number;
  name: string;
  deletedAt: string | null;
  version: number;
  values: DeviceValues;
}

/** The columns that both kinds have. */
export const d: TableReference<DeviceKind['table']> = table('cloud_defender', 'd');
export const o = table('organization', 'o');
const m = table('membership', 'm');

const ID = { column: d.id, type: 'bigint' } as const;
export const MEMBER = { column: m.user_id, type: 'uuid' } as const;
export const OF_MEMBERS = sql`
  join ${m.table} on ${m.organization_id} = ${d.organization_id} and ${ACTIVE_MEMBER}
  join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null`;
export const NOT_DELETED = sql`${d.deleted_at} is null`;

export const isLive = filter(() => NOT_DELETED);
export const isDeletedSince = filter<{ since: Date }>((p) => sql`${d.deleted_at} >= ${p('since')}`);
export const hasRole = filter<{ roles: readonly Role[] }>((p) => sql`${m.role} = any(${p('roles')})`);

export function listedOf({ name, searched }: DeviceKind): Omit<ListingSpec<DeviceQuery>, 'from' | 'parent'> {
  return {
    id: ID,
    sorts: {
      ID,
      NAME: { column: name, type: 'text' },
      STATUS: { column: d.status, type: 'int' },
      LAST_SEEN_AT: { column: sql`coalesce(${d.last_seen_at}, ${d.created_at})`, type: 'timestamptz' },
    },
    order: { field: 'ID', direction: 'ASC' },
    filters: {
      status: (status) => sql`${d.status} = ${status}`,
      search: (text) => containsText(sql`search_text(concat_ws(chr(10), ${sql.join([...searched])}))`, text),
    },
  };
}

export function statementsOf({ table: name, name: shown, written }: DeviceKind) {
  const devices = table(name, 'd').table;
  const values = Object.entries(written).map(
    ([property, column]) => sql`${sql.lit(property)}, ${sql.ref(`d.${column}`)}`,
  );
  const set = (column: keyof Tables[DeviceKind['table']], value: Expression) => sql`${sql.id(column)} = ${value}`;
  const facts = sql`${d.organization_id} as "organizationId", ${d.deleted_at} as "deletedAt"`;
  return {
    insert: statementPerList<string, DeviceValues & { organizationId: number; now: Date }>()((p, fields) => {
      const given = Object.fromEntries(fields.map((field) => [written[field] as string, p(field)]));
      const times = { created_at: p('now'), updated_at: p('now') };
      const values = { organization_id: p('organizationId'), ...times, ...given } as never;
      return sql<{ id: number }>`${insertSelect(name, values)} returning id`;
    }),
    update: statementPerList<string, DeviceValues & { id: number; now: Date }>()((p, fields) => {
      const sets = fields.map((field) => sql`${sql.id(written[field] as string)} = ${p(field)}`);
      return sql`update ${devices} set ${sql.join([...sets, set('updated_at', p('now'))])} where ${d.id} = ${p('id')}`;
    }),
    lock: statement<{ id: number }>()(
      (p) => sql<LockedDevice>`
        select ${d.id}, ${d.version}, ${facts}, ${shown} as name, jsonb_build_object(${sql.join(values)}) as values
          from ${devices} where ${d.id} = ${p('id')} for no key update`,
    ),
    find: statement<{ id: number }>()(
      (p) => sql<Pick<LockedDevice, 'organizationId' | 'deletedAt'>>`
        select ${facts} from ${devices} where ${d.id} = ${p('id')}`,
    ),
    remove: statement<{ id: number; now: Date }>()(
      (p) => sql`
        update ${devices} set ${set('deleted_at', p('now'))}, ${set('updated_at', p('now'))} where ${d.id} = ${p('id')}`,
    ),
    restore: statement<{ id: number; now: Date }>()(
      (p) => sql`
        update ${devices}
           set ${set('deleted_at', sql`null`)}, ${set('restored_at', p('now'))}, ${set('updated_at', p('now'))}
         where ${d.id} = ${p('id')}`,
    ),
  };
}
