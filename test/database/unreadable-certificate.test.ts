import { expect, test } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnnouncementFeed } from '../../src/database/announcement-feed.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { Database } from '../../src/database/database.js';
import { createLogger } from '../../src/logger.js';
import { withParameters } from '../support/database.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';

const gateway = await startSharedGateway();
const certificate = join(gateway.dataDir, 'authority.pem');
const url = withParameters(gateway.database.url, { sslmode: 'disable', sslrootcert: certificate });

test('a certificate that cannot be read when announcements are received again is waited for, and ends nothing', async () => {
  const warned: { err?: Error }[] = [];
  const log = createLogger('silent');
  log.warn = ((what: object) => void warned.push(what)) as typeof log.warn;
  const feed = new AnnouncementFeed({ url, database: gateway.app.database, clock: new DatabaseClock(), log });
  feed.start({ access: [], delivery: [], document: [], event: [], notification: [] });
  await until('the operator is warned', async () => warned.length > 0);
  expect(warned).toEqual([{ err: expect.objectContaining({ code: 'ENOENT' }) }]);
  await writeFile(certificate, '');
  await until('announcements arrive', async () => feed.isFresh());
  feed.close();
});

test('a certificate that cannot be read when a lost connection is made again is UNAVAILABLE, and ends nothing', async () => {
  await writeFile(certificate, '');
  const database = await Database.open(url, 1);
  const [{ pid } = { pid: 0 }] = await database.rows<{ pid: number }>('select pg_backend_pid() as pid');
  const statements = [database.rows('select pg_sleep(600)'), database.rows('select 1')];
  await rm(certificate);
  await gateway.app.database.rows('select pg_terminate_backend($1)', [pid]);
  const ends = await Promise.allSettled(statements);
  const unavailable = { status: 'rejected', reason: { code: 'UNAVAILABLE' } };
  expect(ends).toMatchObject([unavailable, unavailable]);
  await writeFile(certificate, '');
  expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
});
