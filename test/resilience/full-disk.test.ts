import { afterEach, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';

/** Linux's device on which every write fails with "no space left". */
const FULL = '/dev/full';

const outages: { msg: string; service?: string; err?: { code?: string }; unwritten?: number }[] = [];

const log = pino({ level: 'warn' }, { write: (line: string) => void outages.push(JSON.parse(line)) });
const { gateway, testData } = await startSeededGateway({ log });

afterEach(async () => {
  await sql('drop trigger if exists full_disk on organization');
  await sql('drop event trigger if exists full_disk');
  expect(await readiness()).toMatchObject({ status: 'ready' });
});

const sql = (text: string) => gateway.app.database.rows(text);
const readiness = async () => (await fetch(`${gateway.url}/health/ready`)).json();
const create = (name: string) =>
  gateway.rest.post('/api/v1/organizations', { token: testData.owner.token, body: { name } });
expectStatus(await create('Before'), 201);

/** The error of the server when a file cannot grow; only another program could fill its disk. */
async function fillDatabase(): Promise<void> {
  for (const [name, returns] of [
    ['full_disk_row', 'trigger'],
    ['full_disk_table', 'event_trigger'],
  ])
    await sql(`create or replace function ${name}() returns ${returns} language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await sql(
    'create trigger full_disk before insert on organization for each statement execute function full_disk_row()',
  );
  await sql(`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS')
             execute function full_disk_table()`);
}

describe('while the disk of the database is full', () => {
  test('writes are answered 503, lists are read, and readiness names the cause until there is space again', async () => {
    await fillDatabase();
    const refused = await create('Too much');
    expectError(refused, 503, []);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const mutation = 'mutation { createOrganization(input: { name: "Too much" }) { organization { id: databaseId } } }';
    const answer = await gateway.graphql.call(mutation, { token: testData.owner.token });
    withStory(answer, () => {
      expect(answer.status).toBe(503);
      expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAVAILABLE']);
    });
    expect(await readiness()).toEqual({
      status: 'not ready',
      draining: false,
      checks: { database: 'down', storage: 'up' },
      causes: { database: 'disk full (53100)' },
    });
    const users = `/api/v1/organizations/${testData.organizationId}/users`;
    expectData(await gateway.rest.get(users, { token: testData.owner.token }));
    await sql('drop event trigger full_disk');
    expect(await readiness()).toMatchObject({ status: 'ready', checks: { database: 'up' } });
  });

  test('the log names the service and the cause, and far fewer times than requests fail', async () => {
    await fillDatabase();
    const begunAt = performance.now();
    for (let round = 0; round < 8; round += 1) expectError(await create(`Too much ${round}`), 503, []);
    const seconds = (performance.now() - begunAt) / 1000;
    const written = outages.filter(({ msg }) => msg === 'a service is not available');
    for (const line of written) expect(line).toMatchObject({ service: 'database', err: { code: '53100' } });
    expect(written.length).toBeGreaterThan(0);
    // The previous test has written one as well; then at most one is written in ten seconds.
    expect(written.length).toBeLessThanOrEqual(2 + seconds / 10);
  });
});

(existsSync(FULL) ? test : test.skip)('readiness names a full disk of the storage', async () => {
  const probe = join(gateway.dataDir, 'files/staging/space-probe');
  await rm(probe, { force: true });
  await symlink(FULL, probe);
  expect(await readiness()).toEqual({
    status: 'not ready',
    draining: false,
    checks: { database: 'up', storage: 'down' },
    causes: { storage: 'disk full (ENOSPC)' },
  });
});
