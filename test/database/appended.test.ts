import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/sql.js';
import { record } from '../../src/services/audit/record.js';
import { SYSTEM } from '../support/callers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildOrganization } from '../support/test-data.js';

let server: TestDatabase;
let database: Database;
let organizationId: number;
const heard: number[][] = [];

beforeAll(async () => {
  server = await createTestDatabase();
  database = await Database.open(server.url, 4);
  organizationId = await buildOrganization(database, 'Recorded');
  database.onAppend((logIds) => heard.push([...logIds]));
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const append = (tx: Queryable) => {
  const subject = { type: 'ORGANIZATION', id: organizationId, name: 'Recorded' } as const;
  return record(tx, SYSTEM, { organizationId, action: 'ORGANIZATION_UPDATED', at: new Date(), subject });
};

test('a log that was appended to is announced once, after COMMIT, and not after ROLLBACK', async () => {
  await expect(
    database.transaction(async (tx) => {
      await append(tx);
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  expect(heard).toEqual([]);
  await database.transaction(async (tx) => {
    await append(tx);
    await append(tx);
    expect(heard).toEqual([]);
  });
  const [log] = await database.rows<{ id: number }>('select id from audit_log');
  expect(heard.splice(0)).toEqual([[log?.id]]);
});

test('changes that are committed together with the answer of their request are announced then', async () => {
  await database.share(
    async () => undefined,
    async (share) => {
      await database.transaction(append);
      expect(heard).toEqual([]);
      await share.commit(async () => undefined);
    },
  );
  expect(heard.splice(0)).toHaveLength(1);
});

test('jobs announce as requests do', async () => {
  await database.forJobs().transaction(append);
  expect(heard.splice(0)).toHaveLength(1);
});
