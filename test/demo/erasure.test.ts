import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/database/database.js';
import { seedDemo } from '../../src/demo/demo.js';
import { eraseUser } from '../../src/services/members/erasure.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { CATALOG } from '../support/catalog.js';
import { createTestDatabase } from '../support/database.js';

const NOW = new Date('2026-03-04T10:20:30.456Z');

const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
const { url, drop } = await createTestDatabase();
const database = await Database.open(url, 3);
const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
afterAll(async () => {
  await database.close();
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

const seed = () => {
  const config = { dataDir, storageUrl: `file:${join(dataDir, 'files')}` };
  return seedDemo({ databaseUrl: url, config, catalog: CATALOG, now: () => NOW });
};

test('users of the demo who were erased stand in no table or file any more, nor after another start', async () => {
  await seed();
  const users = await database.rows<Record<'id' | 'username' | 'email' | 'firstName' | 'lastName', string>>(
    `select u.id, username, email, first_name as "firstName", last_name as "lastName" from app_user u
      where u.kind = 'PERSON' and not exists (select from membership m where m.user_id = u.id and m.role = 'ORGANIZATION_OWNER')`,
  );
  expect(users.length).toBeGreaterThan(4);
  for (const { id } of users)
    await database.transaction((tx) =>
      eraseUser(tx, catalogs, { kind: 'system', name: 'test' }, { userId: id, at: NOW }),
    );
  await seed();
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  const words = users.flatMap(({ username, email, firstName, lastName }) => [
    ...[username, email, `${firstName} ${lastName}`],
  ]);
  for (const { name } of tables)
    for (const { row } of await database.rows<{ row: string }>(`select t::text as row from "${name}" t`))
      found.push(...words.filter((word) => row.includes(word)).map((word) => `${name}: ${word}`));
  for (const name of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (name.isFile()) {
      const text = await readFile(join(name.parentPath, name.name), 'latin1');
      found.push(...words.filter((word) => text.includes(word)).map((word) => `${name.name}: ${word}`));
    }
  expect(found).toEqual([]);
});
