import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY } from '../../src/common/time.js';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { OrganizationPurgeService } from '../../src/services/organizations/purge.service.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import {
  buildAuditEntry,
  checkpointsOf,
  exportedByOperator,
  signNewest,
  tamperWith,
  verifyOffline,
} from '../support/audit.js';
import { CATALOG } from '../support/catalog.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { contentUnderTest, storedContents } from '../support/stored-content.js';
import { buildOrganization } from '../support/test-data.js';

let gateway: TestGateway;
let store: BlobStore;
let facts: DemoFacts;
let deletedAt: Date;
/** Milliseconds after the deletion. */
let later = 0;

beforeAll(async () => {
  gateway = await startGateway();
  const { config, database } = gateway;
  store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir });
  facts = (await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG })) as DemoFacts;
  // The demo has a deleted one already, which is purged earlier.
  await gateway.app.database.rows('delete from organization where deleted_at is not null');
});
afterAll(async () => {
  await store?.close();
  await gateway?.close();
});

const purge = async () => {
  const now = () => new Date(deletedAt.getTime() + later);
  const { database } = gateway.app;
  const { content } = contentUnderTest(database, store, gateway.config);
  return new OrganizationPurgeService({ database, content, now }, await checkpointsOf(gateway, now)).purgeDeleted();
};

const trailOf = (id: number) =>
  gateway.app.database.rows<{ position: number; action: string; isSigned: boolean }>(
    `select e.position, e.action, c.position is not null as "isSigned" from audit_log l
       join audit_entry e on e.log_id = l.id left join audit_checkpoint c on c.log_id = l.id and c.position = e.position
      where l.organization_id = $1 order by e.position`,
    [id],
  );

const stored = () => storedContents(store);

/** Rows of each table that refers to organizations, by organization. */
const belongings = async (id: number) => {
  const { database } = gateway.app;
  const tables = await database.rows<{ table: string; column: string }>(REFERRING, ['organization']);
  const counts: Record<string, number> = {};
  for (const { table, column } of tables) {
    const [row] = await database.rows<{ count: number }>(`select count(*) from "${table}" where "${column}" = $1`, [
      id,
    ]);
    counts[table] = row!.count;
  }
  return counts;
};

// Notifications have triggers in place of a foreign key.
const REFERRING = `
  select c.conrelid::regclass::text as "table", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
   where c.contype = 'f' and c.confrelid = $1::regclass
   union all select 'notification', 'organization_id' order by 1`;

test('each table that refers to organizations finds their rows by an index', async () => {
  const without = await gateway.app.database.rows(
    `select c.conrelid::regclass::text as "table" from pg_constraint c
      where c.contype = 'f' and c.confrelid = 'organization'::regclass and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indpred is null)`,
  );
  expect(without).toEqual([]);
});

describe('an organization that was deleted', () => {
  test('stays for 30 days as it was', async () => {
    const { organization_id: id, tokens } = facts;
    const before = await belongings(id);
    expect(before).toMatchObject({ membership: 7, incident: expect.any(Number), document_version: expect.any(Number) });
    const files = await stored();
    expectData(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token: tokens.owner }));
    const [row] = await gateway.app.database.rows<{ deletedAt: string }>(
      'select deleted_at as "deletedAt" from organization where id = $1',
      [id],
    );
    deletedAt = new Date(row!.deletedAt);
    later = 30 * DAY;
    expect(await purge()).toBe(0);
    expect(await belongings(id)).toEqual({ ...before, notification: expect.any(Number) });
    expect(await stored()).toEqual(files);
  });

  test('loses nothing more once it was restored while it was being purged', async () => {
    const { organization_id: id } = facts;
    const { database } = gateway.app;
    const deleted = 'update organization set deleted_at = $2 where id = $1';
    const before = await belongings(id);
    later = 30 * DAY + 1;
    const remove = store.remove.bind(store);
    // After the first step, the files of incidents.
    store.remove = async (sha256) => {
      await database.rows(deleted, [id, null]);
      await remove(sha256);
    };
    expect(await purge()).toBe(0);
    store.remove = remove;
    expect(await belongings(id)).toEqual({ ...before, incident_attachment: 0 });
    await database.rows(deleted, [id, deletedAt]);
  });

  test('goes for good afterwards, once, with all that belongs to it and no file of anybody else', async () => {
    const { organization_id: id, other_organization_id: otherId, tokens } = facts;
    const { database } = gateway.app;
    const others = await belongings(otherId);
    const trail = await trailOf(id);
    const mails = await database.rows<{ id: string }>(
      'select mail_id as id from weekly_report where organization_id = $1',
      [id],
    );
    expect(mails).not.toEqual([]);
    later = 30 * DAY + 1;
    // Two concurrent instances: it is done once.
    const counts = await Promise.all([purge(), purge()]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(Object.values(await belongings(id)).filter((count) => count > 0)).toEqual([]);
    expect(await database.rows('select 1 from organization where id = $1', [id])).toEqual([]);
    const left = () =>
      database.rows('select recipient, content from outgoing_mail where id = any($1)', [mails.map(({ id }) => id)]);
    expect(await left()).toEqual(mails.map(() => ({ recipient: '', content: null })));
    await gateway.app.jobs.run('mails.purgeOld');
    expect(await left()).toEqual([]);
    for (const table of ['incident_attachment', 'cloud_defender_check', 'threat_blocker_check']) {
      const [left] = await database.rows<{ orphans: number }>(
        table === 'incident_attachment'
          ? 'select count(*) as orphans from incident_attachment a left join incident i on i.id = a.incident_id where i.id is null'
          : `select count(*) as orphans from ${table} c left join ${table.replace('_check', '')} d on d.id = c.device_id where d.id is null`,
      );
      expect([table, left!.orphans]).toEqual([table, 0]);
    }
    expect(await belongings(otherId)).toEqual(others);
    const remaining = await database.rows<{ sha256: string }>(
      `select distinct sha256 from document_version where organization_id = $1
       union select distinct sha256 from incident_attachment`,
      [otherId],
    );
    expect(await stored()).toEqual(remaining.map(({ sha256 }) => sha256).toSorted());
    expectError(await gateway.rest.post(`/api/v1/organizations/${id}/restore`, { token: tokens.owner }), 404, [1004]);
    expect(await purge()).toBe(0);
    const { position, action } = trail.at(-1)!;
    expect((await trailOf(id)).slice(trail.length - 1)).toEqual([
      { position, action, isSigned: true },
      { position: position + 1, action: 'ORGANIZATION_PURGED', isSigned: true },
    ]);
  });

  test('takes the tokens of years of sign-ins along, a part of them at a time', async () => {
    const { database } = gateway.app;
    const id = await buildOrganization(database, 'Signed in to');
    await database.rows('update organization set deleted_at = $2 where id = $1', [id, deletedAt]);
    await database.rows(
      `with provider as (
         insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
         values ($1, 'years', 'https://login.example.com', 'client', '[]', '{}') returning id)
       insert into api_token (user_id, name, digest, prefix, scopes, expires_at, origin, provider_id)
       select (select id from app_user limit 1), 'n', 'years-' || n, 'scp_0000', '{read}', now(), 'SIGN_IN', provider.id
         from provider, generate_series(1, 1200) n`,
      [id],
    );
    await database.rows('create table tokens_gone (tokens int)');
    await database.rows(`create function note_gone() returns trigger language plpgsql as $$
      begin insert into tokens_gone select count(*) from gone; return null; end $$`);
    await database.rows(`create trigger token_gone after delete on api_token referencing old table as gone
      for each statement execute function note_gone()`);
    later = 30 * DAY + 2;
    expect(await purge()).toBe(1);
    const counted = await database.rows('select tokens from tokens_gone where tokens > 0 order by tokens desc');
    expect(counted).toEqual([{ tokens: 500 }, { tokens: 500 }, { tokens: 200 }]);
    await database.rows('drop function note_gone cascade');
    await database.rows('drop table tokens_gone');
  });

  test('leaves an audit trail that the documented statement exports, and that verifies', async () => {
    const text = await exportedByOperator(gateway.app.database, facts.organization_id);
    expect(text).toContain('"ORGANIZATION_PURGED"');
    const keys = (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;
    expect(await verifyOffline(text, keys)).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^valid up to position \d+, checkpoint of /),
    });
  });

  test('is purged also if its audit trail has a violation, which is not signed then, and raises an alarm', async () => {
    const { database } = gateway.app;
    const id = await buildOrganization(database, 'Tampered with');
    await buildAuditEntry(database, id);
    await signNewest(await checkpointsOf(gateway, () => new Date()), id);
    await tamperWith(database, [
      'update audit_seal set mac = sha256(mac) where log_id = (select id from audit_log where organization_id = $1)',
      [id],
    ]);
    await database.rows('update organization set deleted_at = $2 where id = $1', [id, deletedAt]);
    later = 30 * DAY + 2;
    expect(await purge()).toBe(1);
    expect(await database.rows('select 1 from organization where id = $1', [id])).toEqual([]);
    expect(await trailOf(id)).toEqual([
      { position: 1, action: 'INCIDENT_OPENED', isSigned: true },
      { position: 2, action: 'ORGANIZATION_PURGED', isSigned: false },
    ]);
    const violations = await database.rows('select reason from audit_fault where log = $1', [`organization/${id}`]);
    expect(violations).toEqual([{ reason: 'SIGNATURE_INVALID' }]);
  });

  test('goes also where the checkpoint of one before it cannot be read, which is deleted later', async () => {
    const { database } = gateway.app;
    const [before, after] = [await buildOrganization(database, 'Before'), await buildOrganization(database, 'After')];
    for (const [id, late] of [
      [before, 0],
      [after, 1],
    ])
      await database.rows('update organization set deleted_at = $2 where id = $1', [
        id,
        new Date(deletedAt.getTime() + late!),
      ]);
    const left = async () =>
      (await database.rows<{ id: number }>('select id from organization where id = any($1)', [[before, after]])).map(
        ({ id }) => id,
      );
    later = 30 * DAY + 2;
    const folder = join(fileURLToPath(gateway.config.storageUrl), `audit-checkpoints/organization/${before}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '0000000001.json'), '{"log":');
    await expect(purge()).rejects.toThrow(`not deleted for good: organizations ${before}`);
    expect(await left()).toEqual([before]);
    await rm(folder, { recursive: true });
    expect(await purge()).toBe(1);
    expect(await left()).toEqual([]);
  });
});
