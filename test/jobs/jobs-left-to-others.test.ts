import { expect, test } from '@jest/globals';
import pino from 'pino';
import { passPauses, workDue } from '../support/jobs.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { requireSameClock } from '../../src/database/clock.js';
import { Jobs } from '../../src/app/jobs.js';
import { until } from '../support/until.js';
import { createLogger } from '../../src/logger.js';
import { LIMITS } from '../../src/values/limits.js';

const NEWER = 'newer.job';
const DEMO = 'demoDevices.report';
const RIGHT_CLOCK = { machineAhead: 0 };

const gateway = await startSharedGateway();

const rows = (text: string) => gateway.app.database.rows<Record<string, unknown>>(text);

test('a periodic job of a newer version is left, however often it is met, to an instance that knows it', async () => {
  const { app } = gateway;
  const boss = await app.jobs.queues.boss();
  await boss.send('periodic', { name: NEWER }, { singletonKey: NEWER });
  // More often than a job is retried.
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
  const jobs = new Jobs(app.jobs.queues, periodic, handlers, createLogger('silent'), RIGHT_CLOCK);
  expect(await workDue({ ...app, jobs }, 'periodic')).toBe(1);
  expect(runs).toBe(1);
  expect(await rows('select state from pgboss.job')).toEqual([{ state: 'completed' }]);
});

test('an instance whose clock is not that of the database leaves what deletes to others, and does all else', async () => {
  const { app } = gateway;
  const boss = await app.jobs.queues.boss();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let [runs, reminders] = [0, 0];
  const periodic = new Map<string, readonly [string, () => Promise<unknown>, 'deletes'?]>([
    ['purge', ['* * * * *', async () => (runs += 3), 'deletes']],
    ['remind', ['* * * * *', async () => void (reminders += 1)]],
  ]);
  const handlers = { mail: fail, recovery: fail, 'weekly-report': fail, import: fail };
  const after = (minutes: number) => new Jobs(app.jobs.queues, periodic, handlers, log, { machineAhead: minutes * 60 });
  await boss.send('periodic', { name: 'purge' }, { singletonKey: 'purge' });
  for (const minutes of [6, -6, 60 * 24 * 31]) {
    await boss.send('periodic', { name: 'remind' }, { singletonKey: 'remind' });
    expect(await workDue({ ...app, jobs: after(minutes) }, 'periodic')).toBe(2);
    await passPauses(app.database);
  }
  expect([runs, reminders]).toEqual([0, 3]);
  expect(lines.map(({ secondsAhead }) => Math.round((secondsAhead as number) / 60))).toEqual([6, -6, 60 * 24 * 31]);
  expect(await workDue({ ...app, jobs: after(4) }, 'periodic')).toBe(1);
  expect(runs).toBe(3);
  expect(lines.at(-1)).toMatchObject({ job: 'purge', count: 3 });
});

test('a start is refused where the clock of the machine is not that of the database', async () => {
  const after = (minutes: number) => () => requireSameClock({ machineAhead: minutes * 60 });
  expect(after(4)).not.toThrow();
  expect(after(60 * 24)).toThrow('is 86400 seconds ahead of that of the database');
  expect(after(-6)).toThrow('is 360 seconds behind that of the database');
});

test('metrics have when a periodic job last succeeded on any instance, also where none ever did', async () => {
  const { app } = gateway;
  const value = async () =>
    Number((await app.metrics.text()).match(/^gateway_periodic_jobs_last_success_timestamp_seconds (\S+)$/m)?.[1]);
  const secondsOf = async (text: string) =>
    (await rows(`select extract(epoch from (${text}))::float8 as seconds`))[0]?.['seconds'];
  await rows(`delete from pgboss.job where name = 'periodic'`);
  expect(await value()).toBe(await secondsOf(`select created_on from pgboss.queue where name = 'periodic'`));
  const boss = await app.jobs.queues.boss();
  for (const [name, run] of [
    ['good', async () => undefined],
    ['bad', fail],
  ] as const) {
    await boss.send('periodic', { name }, { singletonKey: name });
    const handlers = { mail: fail, recovery: fail, 'weekly-report': fail, import: fail };
    const periodic = new Map([[name, ['* * * * *', run] as const]]);
    const jobs = new Jobs(app.jobs.queues, periodic, handlers, createLogger('silent'), RIGHT_CLOCK);
    expect(await workDue({ ...app, jobs }, 'periodic')).toBe(1);
    // A failure is no success.
    expect(await value()).toBe(
      await secondsOf(`select completed_on from pgboss.job where name = 'periodic' and data ->> 'name' = 'good'`),
    );
  }
  // An unreadable value is absent: 0 would mean long ago, or that no job waits.
  await rows('alter table pgboss.queue rename to queue_away');
  expect(await value()).toBeNaN();
  await rows('alter table pgboss.queue_away rename to queue');
  expect(await value()).toBeGreaterThan(0);
});

test('a start leaves the schedule of jobs that it does not know, ends that of the demo where there is none, and brings queues up to date', async () => {
  const { jobs } = gateway.app;
  const boss = await jobs.queues.boss();
  for (const key of [NEWER, DEMO]) await boss.schedule('periodic', '0 0 1 1 *', { name: key }, { key });
  // In the form of an earlier version.
  await rows(`update pgboss.queue set retry_limit = 1 where name = 'mail'`);
  jobs.start();
  const keys = async () => (await rows('select key from pgboss.schedule')).map(({ key }) => key);
  await until('the schedule is up to date', async () => !(await keys()).includes(DEMO));
  expect(await keys()).toEqual(expect.arrayContaining([NEWER, 'mails.purgeOld']));
  const limits = await rows(`select retry_limit as retries from pgboss.queue where name = 'mail'`);
  expect(limits).toEqual([{ retries: LIMITS.mail.attempts - 1 }]);
});

test('a periodic job logs how many it was about, and nothing where there was none', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const results = { none: 0, some: 3, other: undefined };
  const periodic = new Map(Object.entries(results).map(([name, of]) => [name, ['* * * * *', async () => of]] as const));
  const handlers = { mail: fail, recovery: fail, 'weekly-report': fail, import: fail };
  const jobs = new Jobs(gateway.app.jobs.queues, periodic, handlers, log, RIGHT_CLOCK);
  for (const name of Object.keys(results)) await jobs.run(name);
  expect(lines).toMatchObject([{ job: 'some', count: 3 }]);
});

async function fail(): Promise<void> {
  throw new Error('This queue is not worked here');
}
