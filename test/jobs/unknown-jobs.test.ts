import { expect, test } from '@jest/globals';
import { passPauses, workDue } from '../support/jobs.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { Jobs } from '../../src/app/jobs.js';
import { until } from '../support/until.js';
import { createLogger } from '../../src/logger.js';

const NEWER = 'newer.job';
const DEMO = 'demoDevices.report';

const gateway = await startSharedGateway();

const rows = (text: string) => gateway.app.database.rows<Record<string, unknown>>(text);

test('a periodic job of a newer version is left, however often it is met, to an instance that knows it', async () => {
  const { app } = gateway;
  const boss = await app.jobs.queues.boss();
  await boss.send('periodic', { name: NEWER }, { singletonKey: NEWER });
  // More often than a job is tried again.
  for (let time = 0; time < 5; time += 1) {
    expect(await workDue(app, 'periodic')).toBe(1);
    expect(await rows('select state, retry_count as retries, output from pgboss.job')).toEqual([
      { state: 'created', retries: 0, output: null },
    ]);
    await passPauses(app.database);
  }
  let runs = 0;
  const periodic = new Map([[NEWER, ['* * * * *', async () => (runs += 1)] as const]]);
  const handlers = { mail: fail, recovery: fail, 'weekly-report': fail, import: fail };
  const jobs = new Jobs(app.jobs.queues, periodic, handlers, createLogger('silent'));
  expect(await workDue({ ...app, jobs }, 'periodic')).toBe(1);
  expect(runs).toBe(1);
  expect(await rows('select state from pgboss.job')).toEqual([{ state: 'completed' }]);
});

test('a start keeps the schedule of jobs that it does not know, and ends that of the demo where there is none', async () => {
  const { jobs } = gateway.app;
  const boss = await jobs.queues.boss();
  for (const key of [NEWER, DEMO]) await boss.schedule('periodic', '0 0 1 1 *', { name: key }, { key });
  jobs.start();
  const keys = async () => (await rows('select key from pgboss.schedule')).map(({ key }) => key);
  await until('the schedule is up to date', async () => !(await keys()).includes(DEMO));
  expect(await keys()).toEqual(expect.arrayContaining([NEWER, 'mails.purgeOld']));
});

async function fail(): Promise<void> {
  throw new Error('This queue is not worked here');
}
