import { expect } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/sql.js';
import { FIRST_DATA_LIMITS } from '../../src/database/time-limits.js';
import type { Page, PageRequest } from '../../src/database/cursor.js';
import { until } from './until.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { planNodes, wholeReads, type PlanMode, type PlanNode } from './plans.js';
import { recording, type SentStatement } from './recorded-statements.js';

/** Number of rows from which a table counts as large: sequential scans of smaller ones are justified. */
const LARGE = 2_000;
const MODES: readonly PlanMode[] = ['custom', 'generic'];
/** Autovacuum would analyze test rows at an arbitrary time: plans would depend on the duration of the test. */
const WITHOUT_AUTOVACUUM = `do $$ declare name regclass; begin
  for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = off)', name);
  end loop; end $$`;
const EXPLAINABLE = /^\s*(?:select|with|insert|update|delete)/i;

/** A separate database with large tables, and the plans of the statements that services send to it. */
export class PlannedDatabase {
  private large: ReadonlySet<string> = new Set();

  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: Database,
  ) {}

  static async open(): Promise<PlannedDatabase> {
    const testDatabase = await createTestDatabase();
    return new PlannedDatabase(testDatabase, await Database.open(testDatabase.url, 2, FIRST_DATA_LIMITS));
  }

  fill(text: string, values: readonly unknown[] = []): Promise<void> {
    return this.fillWith((tx) => tx.rows(text, values));
  }

  fillWith(write: (tx: Queryable) => Promise<unknown>): Promise<void> {
    return withoutTriggers(this.database, write);
  }

  /** Many organizations besides those of a test. */
  async fillOrganizations(count: number): Promise<void> {
    await this.fill(
      `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips, created_at)
       select 'Number ' || n, '{}', '{}', '[]', '[]', '{}', '{}', timestamptz '2026-01-01Z' + make_interval(mins => n)
         from generate_series(1, $1::int) n`,
      [count],
    );
  }

  /** Analyzes the tables once. Throws for a table among `tables` that is not large. */
  async analyze(tables: readonly string[]): Promise<void> {
    await this.database.rows('analyze');
    await this.database.rows(WITHOUT_AUTOVACUUM);
    this.large = await largeTables(this.database);
    const small = tables.filter((table) => !this.large.has(table));
    if (small.length > 0) throw new Error(`not large enough to be looked at: ${small.join(', ')}`);
  }

  /** Vacuums like autovacuum: index-only scans need pages that are marked visible, once their commit is flushed. */
  async makeVisible(table: string): Promise<void> {
    await until('the rows are visible to all', async () => {
      await this.database.rows(`vacuum ${table}`);
      // The schema of recorded states has a view of the same name, without pages.
      const visible = 'select from pg_class where oid = $1::regclass and relpages > 0 and relallvisible = relpages';
      return (await this.database.rows(visible, [`public.${table}`])).length > 0;
    });
  }

  /**
   * Expects that no statement of `run` scans a large table sequentially, and that one reads a large table. Checks the
   * custom and the generic plan; only the custom one for a batch that is a large part of a test's table.
   */
  async expectIndexed(
    run: (recorder: Database) => Promise<unknown>,
    modes: readonly PlanMode[] = MODES,
  ): Promise<void> {
    const statements: SentStatement[] = [];
    await run(recording(this.database, statements));
    const read: string[] = [];
    const distinct = new Map(statements.toReversed().map((statement) => [statement.text, statement]));
    for (const statement of [...distinct.values()].filter(({ text }) => EXPLAINABLE.test(text))) {
      const nodes: PlanNode[] = [];
      for (const mode of modes) nodes.push(...(await planNodes(this.database, statement, mode)));
      read.push(...nodes.map((node) => node['Relation Name'] ?? '').filter((table) => this.large.has(table)));
      const whole = wholeReads(nodes).filter((table) => this.large.has(table));
      expect([statement.text, whole]).toEqual([statement.text, []]);
    }
    expect(read).not.toEqual([]);
  }

  /**
   * The same for every kind of pagination: from either end, after a cursor, and by offset. A page from the end is read
   * in the opposite order, which covers both directions of a sort.
   */
  async expectPagesIndexed(
    list: (recorder: Database, page: PageRequest) => Promise<Pick<Page<unknown>, 'cursors'>>,
    modes?: readonly PlanMode[],
  ): Promise<void> {
    const [within] = (await list(this.database, { first: 1 })).cursors;
    if (within === undefined) throw new Error('an empty list has no pages to look at');
    const pages: PageRequest[] = [
      { first: 10 },
      { first: 10, after: within },
      { first: 10, offset: 5 },
      { last: 10 },
      { last: 10, before: within },
    ];
    for (const page of pages) await this.expectIndexed((recorder) => list(recorder, page), modes);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }
}

/** Triggers check each reference, and count: plans depend on neither. */
export async function withoutTriggers(database: Database, write: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows('set local session_replication_role = replica');
    await write(tx);
  });
}

async function largeTables(database: Database): Promise<Set<string>> {
  const rows = await database.rows<{ relname: string }>(
    `select relname from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and reltuples >= $1`,
    [LARGE],
  );
  return new Set(rows.map(({ relname }) => relname));
}
