import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { readStatement } from '../support/sharding/organization-of-statement.js';
import { ShardTables } from '../support/sharding/shard-tables.js';
import { allStatements } from '../support/sharding/statements.js';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'deploy/citus';
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const tables = await ShardTables.ofEntities();
const statements = (await allStatements()).map((each) => ({
  ...each,
  ...readStatement(each.text, tables, each.isPart),
}));

describe('the statements', () => {
  /** Declarations in the source: the line of the call. */
  const DECLARES = /\b(?:statement|projected|statementPerList)(?:<|\(\))|\bnew (?:Listing|Projection|Statement)\b/;
  /** A line that stores the result of the first of the two calls, for several statements. */
  const KEPT = /^const (\w+) = statement<\w+>\(\);$/;
  const OF_STATEMENTS = ['database/sql.ts', 'database/projection.ts', 'database/list-query.ts'];
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !OF_STATEMENTS.includes(file));

  test('are all read: none is declared in a place where none was compiled', () => {
    const calls = new Set(statements.flatMap(({ calls }) => calls));
    const declared = files.flatMap((file) => {
      const lines = textOf(`src/${file}`).split('\n');
      const kept = lines.flatMap((line) => KEPT.exec(line)?.[1] ?? []);
      const declares = (line: string) =>
        (DECLARES.test(line) && !KEPT.test(line)) || kept.some((name) => line.includes(`${name}(`));
      return lines.flatMap((line, index) => (declares(line) && !/^ *\*/.test(line) ? [`${file}:${index + 1}`] : []));
    });
    expect(declared.length).toBeGreaterThan(400);
    expect(declared.filter((place) => !calls.has(place))).toEqual([]);
  });

  test.each(['several', 'key', 'all', 'apart'])('of class "%s" are those that are explained', (kind) => {
    const explained = explanations('statements.yaml', kind);
    // The reason of a declaration applies to its users, unless they have their own.
    const nameOf = (at: string) => (explained.includes(at) ? at : at.replace(/ for .*/, ''));
    const found = statements.filter((each) => each.kind === kind && !isOfSeveralOrganizations(each));
    expect(explained.toSorted()).toEqual([...new Set(found.map(({ at }) => nameOf(at)))].toSorted());
  });

  /** Lists of organizations are also read for several in one round trip. */
  function isOfSeveralOrganizations({ kind, at, isOfMany }: (typeof statements)[number]): boolean {
    const isOfOne = statements.some((each) => each.at === at && each.kind === 'one' && each.isOfMany === undefined);
    return kind === 'several' && isOfMany === true && isOfOne;
  }

  function explanations(file: string, kind: string): string[] {
    type Groups = Record<string, { why: string; statements: Record<string, string> }[]>;
    return ((parse(textOf(`${FOLDER}/${file}`)) as Groups)[kind] ?? []).flatMap(({ statements }) =>
      Object.entries(statements).flatMap(([place, names]) => names.split(', ').map((name) => `${place} ${name}`)),
    );
  }
});

describe('a statement is of the class', () => {
  test.each([
    ['one', 'select from incident where organization_id = $1'],
    ['one', 'select from incident i join organization o on o.id = i.organization_id where o.id = $1::bigint'],
    ['one', 'select from incident i, incident_note n where (n.organization_id, i.organization_id) = ($1, $1)'],
    ['one', 'insert into incident_note (text, organization_id) select $1, $2'],
    ['one', 'update incident set title = $1 where organization_id in ($2) and id = $3'],
    [
      'one',
      'with found as (select organization_id as o from incident where organization_id = $1) delete from incident_note n using found where n.organization_id = found.o',
    ],
    ['several', 'select from incident where organization_id = any($1)'],
    [
      'several',
      'select from incident where organization_id in (select organization_id from membership where user_id = $1)',
    ],
    [
      'several',
      'insert into incident_note (organization_id) select organization_id from json_populate_recordset(null::incident_note, $1)',
    ],
    ['several', 'select from incident i, organization_facts f where i.organization_id = $1 and f.organization_id = $2'],
    ['key', 'select from incident where id = $1'],
    ['key', 'select from incident where id = $1 and ($2::bigint is null or organization_id = $2)'],
    ['key', 'select from audit_entry where log_id = $1'],
    ['all', "select from incident where status = 'OPEN'"],
    ['all', 'select from incident where organization_id = $1 or rehearsal'],
    ['all', 'select from incident where not organization_id = $1'],
    ['all', 'select from organization o left join incident i on i.organization_id = o.id and o.id = $1'],
    [
      'all',
      'select from organization o where not exists (select from incident i where i.organization_id = o.id and i.organization_id = $1)',
    ],
    ['apart', 'select from incident i join incident_note n on n.incident_id = i.id where i.organization_id = $1'],
    ['apart', 'delete from incident where id in (select id from incident where organization_id = $1)'],
    ['none', 'select from app_user where id = $1'],
  ])('"%s": %s', (kind, text) => expect(readStatement(text, tables).kind).toBe(kind));
});

describe('distribute.sql', () => {
  const script = textOf(`${FOLDER}/distribute.sql`);
  const tenants = tables.names.filter((table) => tables.isTenant(table));
  let done: { name: string; column: string | null; group: string | null }[];

  beforeAll(async () => {
    done = await withClient(async (client) => {
      await client.query(
        [...tables.names.map(withoutHindrance), ...tables.names.flatMap(references), CITUS].join(';\n'),
      );
      await runAsPsql(client, script);
      return (await client.query<(typeof done)[number]>('select * from citus.done order by number')).rows;
    }, createEmptyDatabase());
  });

  test('distributes each table of organizations by its organization, together with them', () => {
    const spread = done.filter(({ column }) => column !== null);
    const together = (name: string) =>
      name === 'organization' ? [name, 'id', 'none'] : [name, 'organization_id', 'organization'];
    expect(spread.map(({ name, column, group }) => [name, column, group]).toSorted()).toEqual(
      tenants.map(together).toSorted(),
    );
  });

  test('copies what tables of organizations refer to, or are read together with, to every server, and leaves the rest', () => {
    const read = statements.filter(({ kind }) => kind !== 'none').flatMap((each) => each.tables);
    const referred = tenants.flatMap((table) => tables.referredBy(table));
    const wanted = new Set([...read, ...referred].filter((table) => !tables.isTenant(table)));
    const copied = done.filter(({ column }) => column === null);
    expect(copied.map(({ name }) => name).toSorted()).toEqual([...wanted].toSorted());
  });

  test('begins with the tables that are copied, and goes on with those that others refer to', () => {
    const order = done.map(({ name }) => name);
    for (const [index, table] of order.entries())
      for (const target of tables.referredBy(table))
        if (target !== table && order.includes(target) && !REFUSED.has(`${table} ${target}`))
          expect([table, target, order.indexOf(target) < index]).toEqual([table, target, true]);
  });

  test('refuses a database of today, with each constraint and trigger whose change is known', async () => {
    const refused = await withClient((client) =>
      runAsPsql(client, script).then(
        () => '',
        ({ detail = '' }: { detail?: string }) => detail,
      ),
    );
    const known = ['column of', 'key', 'reference', 'trigger function'].flatMap((what) => changes(what));
    expect(known.toSorted()).toEqual(refused.split('\n').toSorted());
  });

  /** The required form of a table: its key begins with its organization. */
  function withoutHindrance(table: string): string {
    return tables.isTenant(table) && table !== 'organization'
      ? `create table ${table} (organization_id bigint primary key)`
      : `create table ${table} (id bigint primary key)`;
  }

  function references(table: string): string[] {
    const targets = tables.referredBy(table).filter((target) => target !== table && !REFUSED.has(`${table} ${target}`));
    const key = tables.isTenant(table) && table !== 'organization' ? 'organization_id' : 'id';
    return [...new Set(targets)].map((target) => `alter table ${table} add foreign key (${key}) references ${target}`);
  }
});

/** Rows of a query before \gexec are statements, which are executed. */
async function runAsPsql(client: Client, script: string): Promise<void> {
  const parts = script.split('\\gexec');
  for (const [index, part] of parts.entries()) {
    const made = [await client.query(part)].flat().at(-1)?.rows as Record<string, string>[];
    if (index < parts.length - 1)
      for (const text of made.flatMap((row) => Object.values(row))) await client.query(text);
  }
}

/** Stubs of the two functions of Citus: they record the table. */
const CITUS = `create schema citus;
  create table citus.done (number serial, name text, "column" text, "group" text);
  set search_path = public, citus;
  create function citus.create_reference_table(table_name regclass) returns void
    language sql as 'insert into citus.done (name) values (table_name)';
  create function citus.create_distributed_table(table_name regclass, distribution_column text, colocate_with text) returns void
    language sql as 'insert into citus.done (name, "column", "group") values (table_name, distribution_column, colocate_with)'`;

test('of the functions that statements call, it is known what they need', async () => {
  const own = await withClient(async (client) => {
    const { rows } = await client.query<{ name: string }>(`select distinct p.proname as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
    return rows.map(({ name }) => name);
  });
  const called = own.filter((name) => statements.some(({ text }) => new RegExp(`\\b${name}\\(`).test(text)));
  expect(changes('function').toSorted()).toEqual(called.map((name) => `function ${name}`).toSorted());
});

/** The required changes in constraints.yaml, in the form of distribute.sql. */
function changes(what: string): string[] {
  const all = parse(textOf(`${FOLDER}/constraints.yaml`)) as Record<string, { names: string; ids?: string }[]>;
  const keyed = (column: string) =>
    tables.names.filter((table) => {
      const [key, ...more] = tables.primaryKey(table);
      return tables.isTenant(table) && table !== 'organization' && key === column && more.length === 0;
    });
  return (all[what] ?? []).flatMap(({ names, ids }) =>
    [...names.split(', '), ...(ids === undefined ? [] : keyed(ids).map((table) => `${table}_pkey`))].map(
      (name) => `${what} ${name}`,
    ),
  );
}

async function withClient<Result>(
  use: (client: Client) => Promise<Result>,
  created = createTestDatabase(),
): Promise<Result> {
  const database = await created;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** References from copied to distributed tables, which must be dropped. */
const REFUSED = new Set(['api_token identity_provider']);
