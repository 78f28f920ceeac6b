import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListingSpec, ListQuery } from '../../../src/database/list-query.js';
import type { ColumnMap } from '../../../src/database/projection.js';
import type { Compilable, Expression } from '../../../src/database/sql.js';

/** A statement of the gateway, or its selection of a table, which is a part of several statements. */
export interface CompiledStatement {
  /** Place of its declaration: folder, file and name. */
  at: string;
  /** The calls that declared it, as `file:line`, the innermost first. */
  calls: string[];
  text: string;
  isPart?: true;
  /** A list for several parents at once. */
  isOfMany?: true;
}

/** A statement that is compiled at its first use. */
type Declared = { at: string } & (
  | { listing: Listed; spec: ListingSpec<ListQuery<string>> }
  | { columns: ColumnMap }
  | { build: (p: unknown, shape: unknown) => Compilable<unknown> }
  | { condition: (p: unknown, parent: Expression) => Expression; column: Expression | undefined }
);

interface Listed {
  ofMany(database: object, parents: readonly number[], request: object): Promise<unknown>;
}

/** With the stack for its place. */
const found: Omit<CompiledStatement, 'calls'>[] = [];
const declared: Declared[] = [];
/** Place of the declaration, while a statement that was declared before is compiled. */
let declaredAt: string | undefined;

Object.assign(globalThis, {
  noteCompiled: (text: string) => found.push({ at: declaredAt ?? placeOfCall(), text }),
  noteDeclared: (what: object) => declared.push({ at: placeOfCall(), ...what } as Declared),
});

/** Appended to a module: replaces declarations of classes and functions for all importers. */
const NOTES: Record<string, string> = {
  'src/database/sql.ts': `
    const { compileQuery } = StatementCompiler.prototype;
    StatementCompiler.prototype.compileQuery = function (...given) {
      const compiled = compileQuery.apply(this, given);
      noteCompiled(compiled.sql);
      return compiled;
    };
    const perList = statementPerList;
    statementPerList = () => (build) => { noteDeclared({ build }); return perList()(build); };`,
  'src/database/list-conditions.ts': `
    const bareFilter = filter;
    filter = (condition, column) => { noteDeclared({ condition, column }); return bareFilter(condition, column); };`,
  'src/database/list-query.ts': `
    const BareListing = Listing;
    Listing = class extends BareListing { constructor(spec) { super(spec); noteDeclared({ listing: this, spec }); } };`,
  'src/database/projection.ts': `
    const BareProjection = Projection;
    Projection = class extends BareProjection {
      constructor(type, columns, always) { super(type, columns, always); noteDeclared({ columns }); }
    };
    const bareProjected = projected;
    projected = () => (build) => { noteDeclared({ build }); return bareProjected()(build); };`,
};

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const note = Object.entries(NOTES).find(([file]) => url === pathToFileURL(resolve(file)).href)?.[1];
    return note === undefined ? loaded : { ...loaded, source: `${String(loaded.source)}\n${note}` };
  },
});

function placeOfCall(): string {
  return new Error().stack ?? '';
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const load = (file: string) => import(pathToFileURL(resolve(file)).href);
for (const file of files) if (file !== 'main.ts') await load(join('src', file));

const { testConfig } = await load('test/support/gateway.ts');
const { CATALOG, REGIMES } = await load('test/support/catalog.ts');
const { createLogger } = await load('src/logger.ts');
const { createFoundation } = await load('src/services/foundation.ts');
const { createServices } = await load('src/services/index.ts');
const dataDir = await mkdtemp(join(tmpdir(), 'statements-'));
const foundation = await createFoundation({
  config: testConfig('http://127.0.0.1', dataDir),
  databaseUrl: 'postgres://127.0.0.1:1/none',
  ...{ catalog: CATALOG, regimes: REGIMES, log: createLogger('silent') },
});
createServices(foundation);
await rm(dataDir, { recursive: true });

const { sql, statement } = await load('src/database/sql.ts');
const { SEARCH_TYPES } = await load('src/values/enums.ts');
const PROPERTY = /^ +(?:this\.|readonly |private |const )*(\w+)(?::| =) (?:statement|projected|new |sql)/;
const HOLDER = /^(?:export )?(?:async )?(?:const|class|function) (\w+)/;
/** For statements that are compiled for a list of names. */
const LISTS: Record<string, readonly string[][]> = {
  'services/audit/record append': [['organization_id'], ['user_id']],
  'services/search/search-sources': [SEARCH_TYPES.filter((type: string) => type !== 'CONTROL')],
  'services/provisioning/group-statements': [['members']],
  'services/organizations/organization-update.service': [['name']],
  'services/devices/device-statements': [['endpoint']],
  'services/workflows/due-controls': [['CONTROL', 'REVIEW'], ['CONTROL'], ['REVIEW']],
};
const SHAPE = { key: '', select: [sql`1`.as('one')], columns: new Map(), bare: false, nest: () => undefined };

for (const each of declared) {
  declaredAt = each.at;
  if ('listing' in each) await compileListing(each.listing, each.spec);
  else if ('columns' in each) compileColumns(each.columns);
  else if ('condition' in each) compileCondition(each.condition, each.column);
  else compileBuilt(each.build, nameOf(each.at));
}
const named = found.map(({ at, ...rest }) => ({ at: nameOf(at), calls: callsOf(at), ...rest }));
process.stdout.write(JSON.stringify(named), () => process.exit());

/** The list of one parent and of several, with every filter, and with totals. */
async function compileListing(listing: Listed, { sorts, order, filters = {} }: ListingSpec<ListQuery<string>>) {
  const database = { rows: async () => [], tuples: async () => [] };
  const given = Object.fromEntries(Object.keys(filters).map((name) => [name, 'given']));
  for (const parents of [[1], [1, 2]])
    for (const field of Object.keys(sorts)) {
      const request = { page: { first: 1 }, orderBy: { ...order, field }, shape: SHAPE, total: true, ...given };
      const before = found.length;
      await listing.ofMany(database, parents, request);
      if (parents.length > 1) for (const one of found.slice(before)) one.isOfMany = true;
    }
}

function compileColumns(columns: ColumnMap): void {
  for (const column of Object.values(columns)) {
    if ('object' in column) compileColumns(column.object);
    else if ('needs' in column) for (const needed of Object.values(column.needs)) compilePart(needed);
    else compilePart(column);
  }
}

function compileCondition(condition: (p: unknown, parent: Expression) => Expression, column: Expression | undefined) {
  // A list's own filters are compiled with the list; a list of texts for a column has no condition.
  if (column !== undefined || /new (?:Bare)?Listing/.test(declaredAt ?? '')) return;
  statement()((p: unknown) => part(condition(p, sql`parents.id`)));
  Object.assign(found.at(-1) ?? {}, { isPart: true });
}

function compilePart(expression: Expression): void {
  statement()(() => part(expression));
  Object.assign(found.at(-1) ?? {}, { isPart: true });
}

function part(expression: Expression): Compilable<unknown> {
  return sql`select ${expression}`;
}

function compileBuilt(build: (p: unknown, given: unknown) => Compilable<unknown>, name: string): void {
  const lists = Object.entries(LISTS).find(([place]) => name.startsWith(place))?.[1] ?? [SHAPE];
  for (const given of lists) statement()((p: unknown) => build(p, given));
}

/** Calls in sources of the gateway, the innermost first, as `file:line`. */
function callsOf(stack: string): string[] {
  const calls = [...stack.matchAll(/\/src\/(\S+\.ts):(\d+):\d+/g)].map(([, file, line]) => `${file}:${line}`);
  return calls.filter(
    (call) => !/^database\/(?:sql|projection|list-conditions|list-query)\.ts|^services\/index\.ts/.test(call),
  );
}

/**
 * By the enclosing declarations of the calls: `services/audit/trails lockTrail`, and the caller that it was created
 * for.
 */
function nameOf(stack: string): string {
  const [inner = [], ...outer] = callsOf(stack).map((call) => declarationOf(call));
  const [file = '', ...names] = inner;
  const [user = '', ...usedIn] = outer.at(-1) ?? [];
  const use = [...(user === file ? [] : [user]), ...usedIn].join(' ');
  return [file, ...names, ...(use === '' || use === names.join(' ') ? [] : [`for ${use}`])].join(' ');
}

/** The file, the outermost declaration, and the property. */
function declarationOf(call: string): string[] {
  const [file = '', line = ''] = call.split(':');
  const lines = readFileSync(join('src', file), 'utf8').split('\n').slice(0, Number(line));
  const [, property] = PROPERTY.exec(lines.at(-1) ?? '') ?? [];
  const holder = lines.map((text) => HOLDER.exec(text)?.[1]).findLast((name) => name !== undefined);
  return [file.replace('.ts', ''), holder, property].filter((name) => name !== undefined);
}
