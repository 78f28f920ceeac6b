import {
  loadModule,
  parseSync,
  type DeleteStmt,
  type InsertStmt,
  type JoinExpr,
  type Node,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';
import {
  always,
  eitherOf,
  equate,
  groupsOf,
  isBound,
  reach,
  sourcesIn,
  value,
  type Decides,
  type Value,
} from './compared-values.js';
import { cte, namesOfWith, relationOf, rowsOf, textsOf, type Outputs, type Relation, type Scope } from './relations.js';
import type { ShardTables } from './shard-tables.js';

/**
 * `one`: every tenant table is filtered by the same organization. `several`: those of a user or a list. `key`: rows are
 * found by another key. `all`: every organization. `apart`: as the last three, with joins by another key than the
 * organization. `none`: no tenant table.
 */
export type StatementClass = 'one' | 'several' | 'key' | 'all' | 'apart' | 'none';

interface Occurrence {
  table: string;
  column(name: string): Value;
  /** Its referenced columns. */
  values: Map<string, Value>;
}

await loadModule();

/** `isPart` is for a selection of a row: unresolved columns belong to that row, as does its organization. */
export function readStatement(
  text: string,
  tables: ShardTables,
  isPart = false,
): { kind: StatementClass; tables: string[] } {
  const reading = new Reading(tables, isPart);
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt) reading.query(stmt, [], always);
  return { kind: reading.class(), tables: [...new Set(reading.occurrences.map(({ table }) => table))] };
}

class Reading {
  readonly occurrences: Occurrence[] = [];
  private readonly params = new Map<number, Value>();
  private readonly outer = value('one', 'outer');
  /** For an insert: the organization that it creates. */
  private readonly made = value('one', 'made');

  constructor(
    private readonly tables: ShardTables,
    private readonly isPart: boolean,
  ) {}

  class(): StatementClass {
    const places = this.occurrences.filter(({ table }) => this.tables.isTenant(table));
    if (places.length === 0) return 'none';
    const organizations = places.map((place) => this.organizationsOf(place));
    const [first = new Set<Value>(), ...rest] = organizations.map((values) => sourcesIn(values, 'one'));
    if ([...first].some((one) => rest.every((ones) => ones.has(one)))) return 'one';
    if (this.areApart(places)) return 'apart';
    const ofUsers = new Set(places.filter(({ column }) => isBound(column('user_id'))).map((each) => this.keyOf(each)));
    const isKnown = (values: Set<Value>) => [...values].some((each) => each.from !== undefined || ofUsers.has(each));
    if (organizations.every(isKnown)) return 'several';
    return this.areFound(places) ? 'key' : 'all';
  }

  /** Returns the classification of its columns. */
  query(node: Node, scopes: Scope[], decides: Decides): Outputs {
    if ('SelectStmt' in node) return this.select(node.SelectStmt, scopes, decides);
    if ('InsertStmt' in node) return this.insert(node.InsertStmt, scopes);
    if ('UpdateStmt' in node) return this.change(node.UpdateStmt, node.UpdateStmt.fromClause, scopes);
    if ('DeleteStmt' in node) return this.change(node.DeleteStmt, node.DeleteStmt.usingClause, scopes);
    return [];
  }

  private keyOf({ table, column }: Occurrence): Value | undefined {
    const organization = this.tables.organizationColumn(table);
    return organization === undefined ? undefined : column(organization);
  }

  /** All values that the organization of its rows equals. */
  private organizationsOf(place: Occurrence): Set<Value> {
    const key = this.keyOf(place);
    return key === undefined ? new Set() : reach(key);
  }

  /** Whether some are joined by another key than their organization. */
  private areApart(places: readonly Occurrence[]): boolean {
    const joined = groupsOf(places, ({ values }) => {
      const equal = [...values.values()].flatMap((each) => [...reach(each)]);
      return new Set(equal.filter(({ from }) => from === undefined));
    });
    const together = groupsOf(places, (place) => this.organizationsOf(place));
    return places.some((one) =>
      places.some((other) => joined.get(one) === joined.get(other) && together.get(one) !== together.get(other)),
    );
  }

  /** Whether each is found by a key: a given one, or that of a found row. */
  private areFound(places: readonly Occurrence[]): boolean {
    const known = new Set<Value>();
    let open = [...places];
    for (;;) {
      const isKnown = (one: Value | undefined) =>
        one !== undefined && [...reach(one)].some((each) => each.from !== undefined || known.has(each));
      const isFound = (place: Occurrence) =>
        isKnown(this.keyOf(place)) ||
        ['user_id', ...this.tables.keyColumns(place.table)].some((name) => isKnown(place.column(name)));
      const found = open.filter(isFound);
      if (found.length === 0) return open.length === 0;
      for (const { values } of found) for (const each of values.values()) known.add(each);
      open = open.filter((place) => !found.includes(place));
    }
  }

  private select(select: SelectStmt, outer: Scope[], decides: Decides): Outputs {
    const scope: Scope = new Map();
    const scopes = [...outer, scope];
    this.with(select.withClause, scopes);
    if (select.larg !== undefined && select.rarg !== undefined) {
      const left = this.select(select.larg, scopes, decides);
      const right = this.select(select.rarg, scopes, decides);
      return left.map(({ name, value: first }, index) => ({ name, value: eitherOf(first, right[index]?.value) }));
    }
    if (select.valuesLists) {
      const rows = select.valuesLists.map((row) => this.listed(row, scopes));
      const [first = []] = rows;
      if (rows.length === 1) return first.map((one, index) => ({ name: `column${index + 1}`, value: one }));
      return first.map((_, index) => ({ name: `column${index + 1}`, value: value('several', 'values') }));
    }
    for (const item of select.fromClause ?? []) this.from(item, scopes, decides);
    this.condition(select.whereClause, scopes, decides);
    this.inside([select.havingClause, select.sortClause, select.groupClause, select.limitCount], scopes);
    return this.outputs(select.targetList, scopes);
  }

  private insert(insert: InsertStmt, outer: Scope[]): Outputs {
    const scope: Scope = new Map();
    const scopes = [...outer, scope];
    this.with(insert.withClause, scopes);
    const place = this.table(insert.relation as RangeVar, scopes);
    const names = (insert.cols ?? []).map((col) => ('ResTarget' in col ? (col.ResTarget.name ?? '') : ''));
    const values = insert.selectStmt ? this.query(insert.selectStmt, [...outer, namesOfWith(scope)], always) : [];
    if (place !== undefined) {
      for (const [index, name] of names.entries()) {
        const given = values[index]?.value;
        if (given !== undefined) place.column(name).equals.add(given);
      }
      if (place.table === 'organization' && !names.includes('id')) place.column('id').equals.add(this.made);
      const row: Relation = { column: (name) => place.column(name), columns: this.tables.columnsOf(place.table) };
      scope.set('excluded', row);
    }
    this.inside([insert.onConflictClause], scopes);
    return this.outputs(insert.returningClause?.exprs, scopes);
  }

  private change(change: UpdateStmt | DeleteStmt, from: Node[] | undefined, outer: Scope[]): Outputs {
    const scopes = [...outer, new Map() as Scope];
    this.with(change.withClause, scopes);
    this.table(change.relation as RangeVar, scopes);
    for (const item of from ?? []) this.from(item, scopes, always);
    this.condition(change.whereClause, scopes, always);
    if ('targetList' in change) this.inside([change.targetList], scopes);
    return this.outputs(change.returningClause?.exprs, scopes);
  }

  private with(clause: WithClause | undefined, scopes: Scope[]): void {
    for (const each of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in each)) continue;
      const { ctename = '', ctequery, aliascolnames } = each.CommonTableExpr;
      const names = textsOf(aliascolnames);
      const scope = scopes.at(-1) as Scope;
      // A recursive query references itself: with the result of its first part.
      if (clause?.recursive && ctequery && 'SelectStmt' in ctequery && ctequery.SelectStmt.larg)
        scope.set(cte(ctename), relationOf(this.select(ctequery.SelectStmt.larg, scopes, always), names));
      if (ctequery) scope.set(cte(ctename), relationOf(this.query(ctequery, scopes, always), names));
    }
  }

  private from(item: Node, scopes: Scope[], decides: Decides): void {
    const scope = scopes.at(-1) as Scope;
    if ('RangeVar' in item) this.table(item.RangeVar, scopes);
    else if ('JoinExpr' in item) this.join(item.JoinExpr, scopes, decides);
    else if ('RangeSubselect' in item) {
      const { subquery, alias } = item.RangeSubselect;
      const outputs = subquery ? this.query(subquery, scopes, decides) : [];
      scope.set(alias?.aliasname ?? `(${scope.size})`, relationOf(outputs, textsOf(alias?.colnames)));
    } else if ('RangeFunction' in item) {
      const { functions, alias, coldeflist } = item.RangeFunction;
      this.inside([functions], scopes);
      scope.set(alias?.aliasname ?? `(${scope.size})`, rowsOf(alias, coldeflist));
    }
  }

  private join({ jointype, larg, rarg, quals, usingClause }: JoinExpr, scopes: Scope[], decides: Decides): void {
    const scope = scopes.at(-1) as Scope;
    const before = this.occurrences.length;
    if (larg) this.from(larg, scopes, decides);
    const left = new Set([...scope.keys()]);
    const right = this.occurrences.length;
    const inner = jointype === 'JOIN_INNER';
    if (rarg) this.from(rarg, scopes, inner ? decides : within(scopes));
    // An outer join does not restrict the rows of its left side.
    const leftColumns = new Set(this.occurrences.slice(before, right).map(({ column }) => column));
    const isRight: Decides = (each) => decides(each) && ![...leftColumns].some((column) => column(each.name) === each);
    this.condition(quals, scopes, inner ? decides : isRight);
    for (const name of textsOf(usingClause)) {
      const found = [...scope].map(([alias, relation]) => [left.has(alias), relation.column(name)] as const);
      const [one] = found.filter(([isLeft, each]) => isLeft && each).map(([, each]) => each);
      const [other] = found.filter(([isLeft, each]) => !isLeft && each).map(([, each]) => each);
      equate(one, other, inner ? decides : isRight);
    }
  }

  private table(range: RangeVar, scopes: Scope[]): Occurrence | undefined {
    const { relname = '', schemaname, alias } = range;
    const name = alias?.aliasname ?? relname;
    const scope = scopes.at(-1) as Scope;
    const known = scopes.map((each) => each.get(cte(relname))).findLast((each) => each !== undefined);
    if (schemaname === undefined && known !== undefined) {
      scope.set(name, known);
      return undefined;
    }
    if (schemaname !== undefined || !this.tables.has(relname)) {
      scope.set(name, rowsOf(alias));
      return undefined;
    }
    const values = new Map<string, Value>();
    const column = (name: string) => {
      let found = values.get(name);
      if (found === undefined) values.set(name, (found = { ...value(undefined, name), depth: scopes.length }));
      return found;
    };
    const occurrence = { table: relname, column, values };
    this.occurrences.push(occurrence);
    const columns = this.tables.columnsOf(relname);
    scope.set(name, { columns, column: (name) => (columns.includes(name) ? column(name) : undefined) });
    return occurrence;
  }

  /** The facts that are certain if the condition is true; `decides` selects the values that it restricts. */
  private condition(node: Node | undefined, scopes: Scope[], decides: Decides): void {
    if (node === undefined) return;
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const arg of node.BoolExpr.args ?? []) this.condition(arg, scopes, decides);
    } else if ('A_Expr' in node && textsOf(node.A_Expr.name)[0] === '=') {
      const { kind, lexpr, rexpr } = node.A_Expr;
      const [left, right] = [this.listed(lexpr, scopes), this.listed(rexpr, scopes)];
      if (kind === 'AEXPR_OP') left.forEach((each, index) => equate(each, right[index], decides));
      else if (kind === 'AEXPR_OP_ANY') equate(left[0], value('several', 'any'), decides);
      else if (kind === 'AEXPR_IN') equate(left[0], right.length === 1 ? right[0] : value('several', 'in'), decides);
    } else if ('SubLink' in node && node.SubLink.subLinkType === 'ANY_SUBLINK') {
      const { testexpr, subselect } = node.SubLink;
      const tested = this.listed(testexpr, scopes);
      const outputs = subselect ? this.query(subselect, scopes, within(scopes)) : [];
      tested.forEach((each, index) => equate(each, outputs[index]?.value, decides));
    } else if ('SubLink' in node && node.SubLink.subLinkType === 'EXISTS_SUBLINK') {
      if (node.SubLink.subselect)
        this.query(node.SubLink.subselect, scopes, (each) => decides(each) || within(scopes)(each));
    } else this.inside([node], scopes);
  }

  /** For a row of values, or a single one. */
  private listed(node: Node | undefined, scopes: Scope[]): (Value | undefined)[] {
    if (node === undefined) return [];
    if ('RowExpr' in node) return (node.RowExpr.args ?? []).map((arg) => this.value(arg, scopes));
    if ('List' in node) return (node.List.items ?? []).map((arg) => this.value(arg, scopes));
    return [this.value(node, scopes)];
  }

  private value(node: Node, scopes: Scope[]): Value | undefined {
    if ('TypeCast' in node && node.TypeCast.arg) return this.value(node.TypeCast.arg, scopes);
    if ('ColumnRef' in node) return this.columnOf(textsOf(node.ColumnRef.fields), scopes);
    if ('ParamRef' in node) {
      const number = node.ParamRef.number ?? 0;
      if (!this.params.has(number)) this.params.set(number, value('one', `$${number}`));
      return this.params.get(number);
    }
    if ('A_Const' in node) return value('one', 'constant');
    if ('SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK' && node.SubLink.subselect)
      return this.query(node.SubLink.subselect, scopes, within(scopes))[0]?.value;
    this.inside([node], scopes);
    return undefined;
  }

  private columnOf(names: readonly string[], scopes: Scope[]): Value | undefined {
    const [alias = '', name] = names.length > 1 ? names.slice(-2) : [undefined, names[0]];
    for (const scope of scopes.toReversed()) {
      if (names.length > 1) {
        const relation = scope.get(alias);
        if (relation !== undefined) return relation.column(name as string);
      } else {
        const relations = [...scope].filter(([key]) => !key.startsWith(cte(''))).map(([, relation]) => relation);
        const having = relations.find(({ columns }) => columns.includes(name as string));
        if (having !== undefined) return having.column(name as string);
        if (relations.length === 1 && relations[0]?.isOpen) return relations[0].column(name as string);
      }
    }
    return this.isPart ? this.outer : undefined;
  }

  private outputs(list: Node[] | undefined, scopes: Scope[]): Outputs {
    return (list ?? []).flatMap((each): Outputs => {
      if (!('ResTarget' in each) || each.ResTarget.val === undefined) return [];
      const { val, name } = each.ResTarget;
      const fields = 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : [];
      if (fields.some((field) => 'A_Star' in field)) return this.star(textsOf(fields)[0], scopes.at(-1) as Scope);
      return [{ name: name ?? textsOf(fields).at(-1) ?? '', value: this.value(val, scopes) }];
    });
  }

  private star(alias: string | undefined, scope: Scope): Outputs {
    const relations = [...scope].filter(([key]) => (alias === undefined ? !key.startsWith(cte('')) : key === alias));
    return relations.flatMap(([, { columns, column }]) => columns.map((name) => ({ name, value: column(name) })));
  }

  /** Finds subqueries in expressions that imply no other facts. */
  private inside(nodes: unknown, scopes: Scope[]): void {
    if (Array.isArray(nodes)) for (const node of nodes) this.inside(node, scopes);
    else if (typeof nodes === 'object' && nodes !== null) {
      if ('SelectStmt' in nodes) this.query(nodes as Node, scopes, within(scopes));
      else for (const part of Object.values(nodes)) this.inside(part, scopes);
    }
  }
}

/** Values of the subquery itself: its comparisons do not restrict the outer ones. */
function within(scopes: Scope[]): Decides {
  return ({ depth }) => depth > scopes.length;
}
