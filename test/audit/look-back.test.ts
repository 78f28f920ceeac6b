import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import { Database } from '../../src/database/database.js';
import { sql, statement, table, type Queryable } from '../../src/database/sql.js';
import { LookBack, writtenSince } from '../../src/services/audit/look-back.js';
import { buildAuditEntry } from '../support/audit.js';
import { createTestDatabase } from '../support/database.js';
import { buildOrganization } from '../support/test-data.js';
import { until } from '../support/until.js';

const testDatabase = await createTestDatabase();
const database = await Database.open(testDatabase.url, 4);

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const l = table('audit_log', 'l');
const written = statement<{ since: string | null }>()(
  (p) => sql<{ organizationId: number }>`
    select ${l.organization_id} as "organizationId" from ${l.table} where ${writtenSince('l', p('since'))} order by 1`,
);

const MARGIN = 120_000;

let organizationId: number;
let now: number;
let lookBack: LookBack;

beforeEach(async () => {
  organizationId = await buildOrganization(database, 'Looked at');
  await buildAuditEntry(database, organizationId);
  now = 0;
  lookBack = new LookBack(() => now);
});

async function look(): Promise<number[]> {
  const { since, done } = await lookBack.begin(database);
  const found = await written.all(database, { since });
  done();
  now += MARGIN;
  return found.map((each) => each.organizationId);
}

/** Polls until nothing is found: running transactions of other databases make a poll find earlier trails again. */
const untilNothingIsNew = () => until(async () => (await look()).length === 0);

test('The first look is at all trails, and a further one at those that were written since the one before.', async () => {
  const other = await buildOrganization(database, 'Quiet');
  await buildAuditEntry(database, other);
  expect(await look()).toEqual(expect.arrayContaining([organizationId, other]));
  await untilNothingIsNew();
  // Independent of the age of an entry's subject.
  await buildAuditEntry(database, organizationId, { at: new Date('2020-01-01T00:00:00Z') });
  expect(await look()).toEqual([organizationId]);
  await untilNothingIsNew();
});

test('A transaction that was running during a look is found by the next one, with what its savepoints have written.', async () => {
  await untilNothingIsNew();
  const other = await buildOrganization(database, 'Written meanwhile');
  await database.transaction(async (tx) => {
    await buildAuditEntry(tx as Database, organizationId);
    await buildAuditEntry(database, other);
    expect(await look()).toEqual([other]);
  });
  expect(await look()).toContain(organizationId);
  await database.transaction(async (tx) => {
    await tx.rows('select pg_current_xact_id()');
    await untilNothingIsNew();
    await tx.rows('savepoint first');
    await buildAuditEntry(tx as Database, organizationId);
    await tx.rows('release first');
  });
  expect(await look()).toEqual([organizationId]);
});

test('A look that has not found everything is repeated from where it began.', async () => {
  await untilNothingIsNew();
  await buildAuditEntry(database, organizationId);
  const { since } = await lookBack.begin(database);
  expect(await written.all(database, { since })).toHaveLength(1);
  expect(await look()).toEqual([organizationId]);
});

test('All trails are looked at after a failure, also after one during a look.', async () => {
  await untilNothingIsNew();
  const { done } = await lookBack.begin(database);
  lookBack.failed();
  done();
  expect(await look()).toContain(organizationId);
  await untilNothingIsNew();
});

test('All trails are looked at when the database is behind the last look, as after a failover that lost transactions.', async () => {
  await untilNothingIsNew();
  const ahead: Queryable = {
    async rows<Row extends QueryResultRow>(text: string) {
      const [row] = await database.rows<{ transaction: string }>(text);
      return [{ transaction: String(BigInt(row!.transaction) + 1_000_000n) }] as unknown as Row[];
    },
  };
  (await lookBack.begin(ahead)).done();
  expect(await look()).toContain(organizationId);
  await untilNothingIsNew();
});

// Another instance may work on the same entry, and die.
test('What was written in the last two minutes is looked at again.', async () => {
  await untilNothingIsNew();
  await buildAuditEntry(database, organizationId);
  for (let second = 0; second < 120; second += 10) {
    const { since, done } = await lookBack.begin(database);
    expect([second, await written.all(database, { since })]).toEqual([second, [{ organizationId }]]);
    done();
    now += 10_000;
  }
  await untilNothingIsNew();
});
