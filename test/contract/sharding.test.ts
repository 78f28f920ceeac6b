import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseSync, type Node } from 'libpg-query';
import { Client } from 'pg';
import { parse } from 'yaml';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import type { CompiledStatement } from '../support/sharding/compiled-statements.js';
import { readStatement } from '../support/sharding/organization-of-statement.js';
import { ShardTables } from '../support/sharding/shard-tables.js';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'deploy/citus';
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const tables = await ShardTables.ofEntities();
const statements = (await compiled()).map((each) => ({
  ...each,
  ...readStatement(each.text, tables, each.isPart),
}));

/** In a process of its own: what this one imports was compiled before anything could be noted. */
async function compiled(): Promise<CompiledStatement[]> {
  const program = ['--import', './test/setup/native-modules.mjs', 'test/support/sharding/compiled-statements.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as CompiledStatement[];
}

describe('the statements', () => {
  /** Where sources declare one: the line of the call. */
  const DECLARES = /\b(?:statement|projected|statementPerList)(?:<|\(\))|\bnew (?:Listing|Projection|Statement)\b/;
  /** What keeps the first of the two calls, for several statements. */
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
    const found = statements.filter((each) => each.kind === kind).map(({ at }) => at);
    const explained = explanations('statements.yaml', kind);
    expect(explained.toSorted()).toEqual([...new Set(found)].toSorted());
  });

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
  const calls = (parseSync(script).stmts ?? []).flatMap(({ stmt }) => (stmt ? callOf(stmt) : []));
  const copied = calls.filter(([name]) => name === 'create_reference_table');
  const spread = calls.filter(([name]) => name === 'create_distributed_table');

  test('distributes each table of organizations by its organization, together with them', () => {
    const wanted = tables.names.filter((table) => tables.isTenant(table));
    const together = (table: string) => [table, table === 'organization' ? 'id' : 'organization_id'];
    expect(spread.map(([, table, column]) => [table, column]).toSorted()).toEqual(wanted.map(together).toSorted());
    expect(spread.map(([, table, , group]) => `${table} ${group}`)).toEqual(
      spread.map(([, table]) => `${table} ${table === 'organization' ? 'none' : 'organization'}`),
    );
  });

  test('copies what tables of organizations refer to, or are read together with, to every server', () => {
    const read = statements.filter(({ kind }) => kind !== 'none').flatMap((each) => each.tables);
    const tenants = tables.names.filter((table) => tables.isTenant(table));
    const referred = tenants.flatMap((table) => tables.referredBy(table));
    const wanted = new Set([...read, ...referred].filter((table) => !tables.isTenant(table)));
    expect(copied.map(([, table]) => table).toSorted()).toEqual([...wanted].toSorted());
  });

  test('begins with the tables that are copied, and goes on with those that others refer to', () => {
    expect(calls).toEqual([...copied, ...spread]);
    const order = calls.map(([, table]) => table as string);
    for (const [index, table] of order.entries())
      for (const target of tables.referredBy(table))
        if (target !== table && order.includes(target) && !REFUSED.has(`${table} ${target}`))
          expect([table, target, order.indexOf(target) < index]).toEqual([table, target, true]);
  });

  test('says what stays where it is', () => {
    const rest = tables.names.filter((table) => !calls.some(([, called]) => called === table));
    const [, remark = ''] = /-- Everything else stays on the coordinator: ([^]*?)\n\n/.exec(script) ?? [];
    const named = remark
      .replaceAll('\n-- ', ' ')
      .split(', ')
      .filter((name) => tables.has(name));
    expect(named.toSorted()).toEqual(rest.toSorted());
  });

  test('refuses a database of today, with each constraint and trigger whose change is known', async () => {
    const refused = await withClient((client) =>
      client.query(script.slice(0, script.indexOf('select create_'))).then(
        () => '',
        ({ detail = '' }: { detail?: string }) => detail,
      ),
    );
    const known = ['column of', 'key', 'reference', 'trigger function'].flatMap((what) => changes(what));
    expect(known.toSorted()).toEqual(refused.split('\n').toSorted());
  });

  test('goes through all tables once nothing is in the way', async () => {
    const rows = calls.map(([, table, column = 'id']) => `create table ${table} (${column} bigint primary key)`);
    const done = await withClient(async (client) => {
      await client.query([...rows, CITUS, script].join(';\n'));
      return (await client.query<{ name: string }>('select name from done order by number')).rows;
    }, createEmptyDatabase());
    expect(done.map(({ name }) => name)).toEqual(calls.map(([, table]) => table));
  });
});

/** The two functions of Citus, as they are called: they note the table. */
const CITUS = `create table done (number serial, name text);
  create function create_reference_table(table_name regclass) returns void
    language sql as 'insert into done (name) values (table_name)';
  create function create_distributed_table(table_name regclass, distribution_column text, colocate_with text) returns void
    language sql as 'insert into done (name) values (table_name)'`;

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

/** What constraints.yaml says that has to change, as distribute.sql names it. */
function changes(what: string): string[] {
  const all = parse(textOf(`${FOLDER}/constraints.yaml`)) as Record<string, { change: string; names: string }[]>;
  return (all[what] ?? []).flatMap(({ names }) => names.split(', ').map((name) => `${what} ${name}`));
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

/** References from what is copied to what is distributed, which have to be given up. */
const REFUSED = new Set(['api_token identity_provider']);

/** A function that is called, and its arguments. */
function callOf(statement: Node): string[][] {
  if (!('SelectStmt' in statement)) return [];
  return (statement.SelectStmt.targetList ?? []).flatMap((target) => {
    const call = 'ResTarget' in target ? target.ResTarget.val : undefined;
    if (call === undefined || !('FuncCall' in call)) return [];
    const [name] = (call.FuncCall.funcname ?? []).map((part) => ('String' in part ? part.String.sval : undefined));
    const values = (call.FuncCall.args ?? []).map((arg) => ('NamedArgExpr' in arg ? arg.NamedArgExpr.arg : arg));
    return [
      [name ?? '', ...values.map((value) => (value && 'A_Const' in value ? (value.A_Const.sval?.sval ?? '') : ''))],
    ];
  });
}
