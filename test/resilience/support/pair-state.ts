import { toSnakeCase } from '../../../src/common/naming.js';
import { apply } from '../../../src/services/as-of/recorded-changes.js';
import { opened, sealed, storedRows } from '../../../src/services/as-of/recorded-rows.js';
import { canonicalJson } from '../../../src/services/audit/personal-values.js';
import { RecordedState, type RecordedRows } from '../../../src/services/as-of/recorded-state.js';
import type { StoredEntry } from '../../../src/services/audit/entry-records.js';
import type { Fixture } from './pair-fixture.js';

/** Tables written asynchronously, or derived from others; trails are compared separately. */
const APART =
  /^(?:audit_|event|notification|recorded_state|token_address|workflow_progress|incident_reminder|idempotency|membership_mail|mail_|pgboss|recorded_|webhook_delivery|webhook_attempt)/;
/** Columns with secrets, generated values, and asynchronous writes. */
const HIDDEN = new Set([
  ...[
    'digest',
    'prefix',
    'secret',
    'previous_secret',
    'searchable',
    'challenge',
    'personal_key',
    'lease',
    'seq',
    'position',
  ],
  ...['last_used_at', 'content', 'log_id', 'compared_up_to'],
]);

interface Column {
  table: string;
  columns: string[];
}

let tables: Column[] | undefined;

interface StoredRow {
  table: string;
  row: Record<string, unknown>;
}

/** Rows of all tables that belong to the organization, or to its people. */
export async function rowsAround(fixture: Fixture): Promise<StoredRow[]> {
  const { database, organizationId, people } = fixture;
  tables ??= await database.rows<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
  );
  const ids = Object.values(people).map(({ id }) => id);
  const parts: string[] = [];
  for (const { table, columns } of tables) {
    if (APART.test(table)) continue;
    const where = conditionOf(table, columns);
    if (where !== undefined)
      parts.push(`select '${table}' as table, to_jsonb(t) as row from "${table}" t where ${where}`);
  }
  return database.rows<StoredRow & Record<string, unknown>>(parts.join(' union all '), [organizationId, ids]);
}

/** The rows by table, normalized for comparison. */
export function storedState(fixture: Fixture, rows: readonly StoredRow[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { table, row } of rows) {
    const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !HIDDEN.has(name)));
    (found[table] ??= []).push(textOf(normalised(fixture, shown)));
  }
  for (const [table, all] of Object.entries(found)) found[table] = all.toSorted();
  return found;
}

/** Rows that name an erased person. */
export function namesLeft({ people }: Fixture, rows: readonly StoredRow[]): object | undefined {
  const erased = new Set(rows.flatMap(({ table, row }) => (table === 'app_user' && isErased(row) ? [row['id']] : [])));
  const names = Object.values(people).flatMap(({ id, username }) => (erased.has(id) ? [username] : []));
  const left = rows.filter(({ row }) => names.some((name) => JSON.stringify(row).includes(name)));
  return left.length === 0 ? undefined : { left };
}

const isErased = (row: Readonly<Record<string, unknown>>) => String(row['email']).endsWith('@erased.invalid');

/** The same text for the same value. */
export const textOf = (value: unknown): string => canonicalJson(value ?? {}) ?? '';

const byText = (one: unknown, other: unknown) => (textOf(one) < textOf(other) ? -1 : 1);

function conditionOf(table: string, columns: readonly string[]): string | undefined {
  if (table === 'organization')
    return `t.id = $1 or t.id in (select organization_id from membership where user_id = any($2::uuid[]))`;
  if (table === 'app_user')
    return `t.id = any($2::uuid[]) or t.id in (select user_id from membership where organization_id = $1)`;
  if (table === 'engagement_auditor')
    return `t.engagement_id in (select id from engagement where organization_id = $1)`;
  if (table === 'outgoing_mail') return undefined;
  if (columns.includes('user_id') && columns.includes('organization_id'))
    return `t.organization_id = $1 or t.user_id = any($2::uuid[])`;
  if (columns.includes('organization_id')) return `t.organization_id = $1`;
  if (columns.includes('user_id'))
    return `t.user_id = any($2::uuid[]) or t.user_id in (select user_id from membership where organization_id = $1)`;
  return undefined;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?/g;
const SUFFIX = /-[0-9a-f]{8}\b/g;
const SECRET = /\b(?:scp|inv|rec|scim|whsec|sgn)_[\w+/=-]+/g;
const ADDRESS = /(https?:\/\/[^\s"?]+)\?[^\s"]+/g;

/** Replaces values that differ between runs: ids, times, secrets and the names of people. */
export function normalised(fixture: Fixture, value: unknown): unknown {
  const people = Object.entries(fixture.people);
  const ofText = (text: string) => {
    let shown = text;
    for (const [name, { id, username }] of people) shown = shown.replaceAll(id, `<${name}>`).replaceAll(username, name);
    return shown
      .replaceAll(ADDRESS, '$1?<signed>')
      .replaceAll(SECRET, '<secret>')
      .replaceAll(UUID, '<uuid>')
      .replaceAll(TIME, '<time>')
      .replaceAll(/erased-[0-9a-f]{12}/g, 'erased')
      .replaceAll(/\b[0-9a-f]{40}\b/g, '<proof>')
      .replaceAll(SUFFIX, '')
      .replaceAll(/\b2[1-9]\d{8}\b/g, '<id>')
      .replaceAll(/^[A-Za-z0-9_-]{60,}={0,2}$/g, '<token>');
  };
  const of = (each: unknown, name = ''): unknown => {
    // Beyond 32 bits: no count and no size is as large (seeded-gateway.ts).
    if (typeof each === 'number') return each > 2 ** 31 ? '<id>' : each;
    if (typeof each === 'string') return name === 'sealed' ? '<sealed>' : ofText(each);
    if (each === null || typeof each !== 'object') return each;
    if (Array.isArray(each)) return each.map((item) => of(item));
    return Object.fromEntries(Object.entries(each).map(([key, below]) => [key, of(below, key)]));
  };
  return of(JSON.parse(JSON.stringify(value ?? null)));
}

/** The position of the trail at an instant. */
export interface Mark {
  state: RecordedRows;
  position: number;
}

const positionOf = async ({ database, organizationId }: Fixture) =>
  (
    await database.rows<{ position: number }>('select position from audit_log where organization_id = $1', [
      organizationId,
    ])
  )[0]?.position ?? 0;

export async function mark(fixture: Fixture): Promise<Mark> {
  const { database, organizationId } = fixture;
  return {
    state: await sealed(database, await storedRows(database, organizationId)),
    position: await positionOf(fixture),
  };
}

async function entriesAfter({ database, organizationId }: Fixture, position: number) {
  const rows = await database.rows<{ entry: string; position: number }>(
    `select e.entry, e.position from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.position > $2 order by e.position`,
    [organizationId, position],
  );
  return rows.map(({ entry, ...rest }) => ({ ...rest, entry: JSON.parse(entry) as StoredEntry }));
}

/** Recorded asynchronously. */
const BESIDE = new Set(['ACCESS_REFUSED', 'TOKEN_USED_FROM_NEW_ADDRESS']);

/** The entries recorded since, in order. */
export async function recordedSince(fixture: Fixture, { position }: Mark): Promise<unknown[]> {
  const own = await fixture.database.rows<{ entry: string }>(
    `select e.entry from audit_entry e join audit_log l on l.id = e.log_id
      where l.user_id = any($1::uuid[]) order by l.user_id, e.position`,
    [Object.values(fixture.people).map(({ id }) => id)],
  );
  const all = [
    ...(await entriesAfter(fixture, position)).map(({ entry }) => entry),
    ...own.map(({ entry }) => JSON.parse(entry) as StoredEntry),
  ];
  return all
    .filter(({ action }) => !BESIDE.has(action))
    .map(({ action, subject, changes, reason, actor }) =>
      normalised(fixture, {
        ...{ action, subject: subject.type, by: (actor as { id?: string }).id, reason },
        changes: withoutCounts(changes),
      }),
    );
}

/** Without the number of asynchronously written rows that a reset has found. */
function withoutCounts(changes: StoredEntry['changes']): unknown {
  const removed = changes?.['removed']?.before;
  if (typeof removed !== 'object' || removed === null) return changes;
  const counted = Object.entries(removed).filter(([name]) => !APART.test(toSnakeCase(name)));
  return { ...changes, removed: { before: Object.fromEntries(counted) } };
}

const sorted = (rows: RecordedRows) =>
  Object.fromEntries(Object.entries(rows).map(([table, each]) => [table, each.toSorted(byText)]));

/** The differences between the rows replayed from the trail and the stored ones. */
export async function replayDefect(fixture: Fixture, from: Mark): Promise<object | undefined> {
  const { database, organizationId } = fixture;
  const state = new RecordedState(organizationId, from.state);
  for (const { entry, position } of await entriesAfter(fixture, from.position)) apply(state, entry, position);
  const [replayedRows, stored] = [
    sorted(await opened(database, state.recorded())),
    sorted(await storedRows(database, organizationId)),
  ];
  const differs = Object.keys(stored).filter((table) => textOf(replayedRows[table]) !== textOf(stored[table]));
  if (differs.length === 0) return undefined;
  return Object.fromEntries(
    differs.map((table) => [
      table,
      { replayed: only(replayedRows[table]!, stored[table]!), stored: only(stored[table]!, replayedRows[table]!) },
    ]),
  );
}

const only = (rows: readonly unknown[], others: readonly unknown[]) => {
  const known = new Set(others.map((row) => textOf(row)));
  return rows.filter((row) => !known.has(textOf(row)));
};
