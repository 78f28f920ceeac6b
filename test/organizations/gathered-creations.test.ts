import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Quotas } from '../../src/config.js';
import type { Answer, Envelope } from '../support/clients.js';
import { createTestDatabase } from '../support/database.js';
import { HIGH_QUOTAS, startGateway } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildPerson, type Person } from '../support/test-data.js';

const FOUNDERS = 6;

/** A gateway with users who own nothing. */
async function start(quotas: Partial<Quotas> = {}) {
  const database = await createTestDatabase();
  const gateway = await startGateway({ database, config: { quotas: { ...HIGH_QUOTAS, ...quotas } } });
  const db = gateway.app.database;
  const founders: Person[] = [];
  for (let n = 0; n < FOUNDERS; n += 1) founders.push(await buildPerson(db, `founder ${n}`));
  const create = ({ token }: Person, name = 'Together') =>
    gateway.rest.post('/api/v1/organizations', { token, body: { name } });
  /**
   * Sends while two creations of the first founder are running, so that those of `send` are batched. Returns all
   * responses.
   */
  const meanwhile = async (send: () => Promise<Answer<Envelope>>[]) => {
    const sent: Promise<Answer<Envelope>>[] = [];
    await db.transaction(async (tx) => {
      await tx.rows('lock table organization in share mode');
      sent.push(create(founders[0]!), create(founders[0]!));
      await someoneWaits(tx, 2);
      sent.push(...send());
      // Later creations succeed as well, and are not batched.
      await sleep(200);
    });
    return Promise.all(sent);
  };
  const close = async () => {
    await gateway.close();
    await database.drop();
  };
  return { gateway, db, founders, create, meanwhile, [Symbol.asyncDispose]: close };
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

test('organizations that are created together are each their founder’s, with a trail that begins with them', async () => {
  await using started = await start({ organizationsPerUser: Infinity });
  const { gateway, db, founders, create, meanwhile } = started;
  const requests = Array.from({ length: 30 }, (_, n) => ({
    founder: founders[n % FOUNDERS]!,
    name: `Number ${n} "\\"`,
  }));
  const [, , ...answers] = await meanwhile(() => requests.map(({ founder, name }) => create(founder, name)));
  for (const [index, { founder, name }] of requests.entries()) {
    const { id, name: answered } = expectData(answers[index]!, 201);
    expect(answered).toBe(name);
    const token = founder.token;
    expect(expectData(await gateway.rest.get(`/api/v1/organizations/${id}`, { token }))).toMatchObject({
      name,
    });
    const owners = await db.rows('select user_id, role from membership where organization_id = $1', [id]);
    expect(owners).toEqual([{ user_id: founder.id, role: 'ORGANIZATION_OWNER' }]);
    const trail = expectData(await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail`, { token }));
    expect(trail).toMatchObject([
      { action: 'ORGANIZATION_CREATED', actor: { user_id: founder.id }, subject: { id: String(id), name } },
    ]);
    const verified = await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail/verification`, {
      token,
    });
    expect(expectData(verified)).toMatchObject({ valid: true });
  }
  const [counted] = await db.rows(
    'select count(distinct xmin::text) as transactions from organization where name like $1',
    ['Number%'],
  );
  expect(counted?.['transactions']).toBeLessThan(requests.length);
});

test('one that fails, and one whose founder is locked or erased, concern no other that comes with it', async () => {
  await using started = await start({ organizationsPerUser: Infinity });
  const { db, founders, create, meanwhile } = started;
  const [, , locked, erased, bad, good] = founders as [Person, Person, Person, Person, Person, Person];
  await db.rows(`create function refuse_bad() returns trigger language plpgsql as $$
    begin if new.name = 'bad' then raise exception 'bad'; end if; return new; end $$`);
  await db.rows('create trigger refuse_bad before insert on organization for each row execute function refuse_bad()');
  const ending = Promise.withResolvers<void>();
  const late: Promise<unknown>[] = [];
  const locking = db.transaction(async (tx) => {
    await tx.rows('select 1 from app_user where id = any($1) order by id for update', [[locked.id, erased.id]]);
    await ending.promise;
    await tx.rows('update app_user set deactivated_at = now() where id = $1', [erased.id]);
  });
  const [, , failed, ...others] = await meanwhile(() => {
    late.push(create(locked).then((answer) => expectStatus(answer, 201)));
    late.push(create(erased).then((answer) => expectError(answer, 401, [1001])));
    return [create(bad, 'bad'), ...Array.from({ length: 8 }, () => create(good))];
  });
  expectStatus(failed!, 500);
  expect(statuses(others)).toEqual(others.map(() => 201));
  ending.resolve();
  await locking;
  await Promise.all(late);
});

test('no founder owns more than the quota says, however many come together and in batches at the same time', async () => {
  await using started = await start({ organizationsPerUser: 1 });
  const { db, founders, create, meanwhile } = started;
  const some = founders.slice(1);
  const answers = await meanwhile(() => some.flatMap((founder) => Array.from({ length: 5 }, () => create(founder))));
  expect(statuses(answers.slice(0, 2))).toEqual([201, 409]);
  expect(statuses(answers.slice(2))).toEqual([
    ...Array<number>(some.length).fill(201),
    ...Array<number>(4 * some.length).fill(409),
  ]);
  for (const { id } of founders)
    expect(await db.rows('select 1 from membership where user_id = $1', [id])).toHaveLength(1);
});
