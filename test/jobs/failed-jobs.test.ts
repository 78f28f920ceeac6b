import { expect, test } from '@jest/globals';
import pino from 'pino';
import { startSeededGateway } from '../support/seeded-gateway.js';

const lines: Record<string, unknown>[] = [];
const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const { gateway, testData } = await startSeededGateway({ log });
const { database, jobs } = gateway.app;

test('a job that fails after it has deleted rows has their number in the log', async () => {
  for (const isRead of [true, true, true, false])
    await database.rows(
      `insert into notification (user_id, organization_id, title, message, type, action, read, created_at)
       values ($1, $2, '', '', 'SYSTEM', 'NONE', $3, now() - interval '2 years')`,
      [testData.viewer.id, testData.organizationId, isRead],
    );
  await database.rows(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await database.rows(
    'create trigger refuse before delete on notification for each row when (not old.read) execute function refuse()',
  );
  lines.length = 0;
  await expect(jobs.run('notificationRetention.purgeOld')).rejects.toThrow('refused');
  const job = 'notificationRetention.purgeOld';
  expect(lines).toMatchObject([{ level: 40, job, rows: 3, msg: 'a periodic job had work before it failed' }]);
});
