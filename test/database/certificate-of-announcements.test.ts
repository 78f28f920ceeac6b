import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnnouncementFeed } from '../../src/database/announcement-feed.js';
import { createLogger } from '../../src/logger.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';

const gateway = await startSharedGateway();

test('a certificate that cannot be read when announcements are received again is waited for, and ends nothing', async () => {
  const warned: { err?: Error }[] = [];
  const log = createLogger('silent');
  log.warn = ((what: object) => void warned.push(what)) as typeof log.warn;
  const certificate = join(gateway.dataDir, 'authority.pem');
  const url = `${gateway.database.url}?sslmode=disable&sslrootcert=${certificate}`;
  const feed = new AnnouncementFeed({ url, database: gateway.app.database, log });
  feed.start({ access: [], delivery: [], document: [], event: [], notification: [] });
  await until('the operator is warned', async () => warned.length > 0);
  expect(warned).toEqual([{ err: expect.objectContaining({ code: 'ENOENT' }) }]);
  await writeFile(certificate, '');
  await until('announcements arrive', async () => feed.isFresh());
  feed.close();
});
