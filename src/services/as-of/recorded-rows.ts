import { allColumns } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type Statement } from '../../database/sql.js';
import { isSealed, personsBy, PersonalValue, seal, unseal, type SealedValue } from '../audit/personal-values.js';
import { zoneOfRecord } from '../../values/time-zones.js';
import { pseudonymOf } from '../members/erased-names.js';
import type { RecordedRow } from './recorded-fields.js';
import type { RecordedRows } from './recorded-state.js';
import { AUTHORS, RECORDED_TABLES, recordedProperties, type RecordedTable } from '../../database/recorded-tables.js';

/** Columns with the organization of a row, in tables that have no `organization_id`. */
const [o, a, e] = [table('organization', 'r'), table('engagement_auditor', 'r'), table('engagement', 'e')];
const OWNED_THROUGH: Partial<Record<RecordedTable, Expression>> = {
  organization: o.id,
  engagement_auditor: e.organization_id,
};
const ENGAGEMENT = sql`join ${e.table} on ${e.id} = ${a.engagement_id}`;

const reads = Object.fromEntries(RECORDED_TABLES.map((name) => [name, readOf(name)])) as Record<
  RecordedTable,
  Statement<{ organizationId: number }, RecordedRow>
>;

function readOf(name: RecordedTable) {
  const key = OWNED_THROUGH[name] ?? sql.ref('r.organization_id');
  const columns: Readonly<Record<string, Expression>> = allColumns(name, 'r');
  const selected = recordedProperties(name).map((property) => sql`${columns[property]} as ${sql.id(property)}`);
  return statement<{ organizationId: number }>()(
    (p) => sql<RecordedRow>`
      select ${sql.join(selected)} from ${sql.table(name)} r
       ${name === 'engagement_auditor' ? ENGAGEMENT : sql``} where ${key} = ${p('organizationId')}`,
  );
}

/** The current rows of an organization in the recorded tables. */
export async function storedRows(database: Queryable, organizationId: number): Promise<RecordedRows> {
  const rows: Partial<RecordedRows> = {};
  for (const table of RECORDED_TABLES) rows[table] = await reads[table].all(database, { organizationId });
  return rows as RecordedRows;
}

const usersNamed = statement<{ names: readonly string[] }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'username', 'personal_key as key'])
    .where('username', '=', ({ fn }) => fn.any(p('names'))),
);

/** The same rows with sealed names of authors. */
export async function sealed(database: Queryable, rows: RecordedRows): Promise<RecordedRows> {
  const authors = RECORDED_TABLES.flatMap((table) =>
    rows[table].flatMap((row) => (AUTHORS[table] ?? []).map((column) => row[column] as string | null)),
  );
  const names = [...new Set(authors.filter((name) => name))] as string[];
  const users = new Map((await usersNamed.all(database, { names })).map((user) => [user.username, user]));
  return mapAuthors(rows, (name) => {
    const user = users.get(name as string);
    // The name of an erased person is already a pseudonym.
    return user?.key == null ? name : seal(new PersonalValue(user.id, user.username), user.key);
  });
}

/** The same rows with opened values; pseudonyms of erased persons. Time zones are those that PostgreSQL knows. */
export async function opened(database: Queryable, rows: RecordedRows): Promise<RecordedRows> {
  const values = RECORDED_TABLES.flatMap((table) =>
    rows[table].flatMap((row) => (AUTHORS[table] ?? []).map((column) => row[column]).filter(isSealedValue)),
  );
  const ids = [...new Set(values.map(({ person }) => person))];
  const found = ids.length === 0 ? [] : await personsBy.all(database, { ids });
  const persons = new Map(found.map((person) => [person.id, person]));
  const { organization, ...others } = mapAuthors(rows, (value) => {
    if (!isSealedValue(value)) return value;
    const person = persons.get(value.person);
    return unseal(value, person?.key) ?? person?.username ?? pseudonymOf(value.person);
  });
  const zoned = organization.map((row) => ({ ...row, timeZone: zoneOfRecord(row['timeZone'] as string) }));
  return { ...others, organization: zoned };
}

function mapAuthors(rows: RecordedRows, change: (value: unknown) => unknown): RecordedRows {
  const changed = RECORDED_TABLES.map((table) => {
    const columns = AUTHORS[table];
    if (columns === undefined) return [table, rows[table]];
    const each = (row: RecordedRow) => ({
      ...row,
      ...Object.fromEntries(columns.map((column) => [column, change(row[column])])),
    });
    return [table, rows[table].map(each)];
  });
  return Object.fromEntries(changed) as RecordedRows;
}

function isSealedValue(value: unknown): value is SealedValue {
  return value !== null && typeof value === 'object' && isSealed(value);
}
