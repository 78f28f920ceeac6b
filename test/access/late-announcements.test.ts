import { afterAll, expect, test } from '@jest/globals';
import { Link } from '../resilience/support/link.js';
import { createTestDatabase } from '../support/database.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, buildWorkflow, join } from '../support/test-data.js';

/** Delay in milliseconds of the gateway's own NOTIFY messages: until then it uses its cache. */
const LATE = 150;
/** A time on the 25th in Honolulu, and on the 24th in Niue. */
const NOW = new Date('2026-11-25T10:00:00.000Z');

const database = await createTestDatabase();
const link = await Link.to(database.url);
const { gateway, testData } = await startSeededGateway({
  ...{ database, now: () => NOW },
  config: { listenDatabaseUrl: link.url },
});
link.slow(LATE);
afterAll(async () => {
  await link.close();
  await database.drop();
});

const { token } = testData.owner;

async function newOrganization(): Promise<string> {
  const id = await buildOrganization(gateway.app.database, 'With late announcements');
  await join(gateway.app.database, testData.owner, id, 'ORGANIZATION_OWNER');
  await buildWorkflow(gateway.app.database, id, 'nis2-directive');
  return String(id);
}

const set = async (id: string, body: object) =>
  expectData(await gateway.rest.call('PATCH', `/api/v1/organizations/${id}/settings`, { token, body }));

test('a token in an address is refused at once by the instance that has switched such tokens off', async () => {
  const id = await newOrganization();
  const send = () => gateway.rest.get(`/api/v1/organizations/${id}?X-Service-Token=${token}`);
  for (let times = 0; times < 5; times += 1) {
    await set(id, { query_token_allowed: true });
    expectStatus(await send(), 200);
    await set(id, { query_token_allowed: false });
    expectStatus(await send(), 403);
  }
});

test('the day of another time zone is that of the next request to the instance that has set it', async () => {
  const id = await newOrganization();
  const address = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/controls/20.1`;
  expectData(await gateway.rest.call('PATCH', address, { token, body: { due_date: '2026-11-24' } }));
  const isOverdue = async () => expectData(await gateway.rest.get(address, { token })).overdue;
  for (let times = 0; times < 5; times += 1) {
    await set(id, { time_zone: 'Pacific/Honolulu' });
    expect(await isOverdue()).toBe(true);
    await set(id, { time_zone: 'Pacific/Niue' });
    expect(await isOverdue()).toBe(false);
  }
});

test('the day of a sandbox is that of the example for the next request to the instance that has reset it', async () => {
  const due = { status: 'TO_DO', due_date: '2026-11-24' };
  for (let times = 0; times < 3; times += 1) {
    const body = { name: 'For trying out', sandbox: true };
    const { id } = expectData(await gateway.rest.call('POST', '/api/v1/organizations', { token, body }), 201);
    await buildWorkflow(gateway.app.database, id, 'nis2-directive');
    const address = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/controls/20.1`;
    const isOverdue = async () => expectData(await gateway.rest.call('PATCH', address, { token, body: due })).overdue;
    // Cached once all earlier NOTIFY messages have arrived.
    link.slow(0);
    await set(id, { time_zone: 'Pacific/Niue' });
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await isOverdue()).toBe(false);
    link.slow(LATE);
    expectData(await gateway.rest.call('POST', `/api/v1/organizations/${id}/reset`, { token }));
    expect(await isOverdue()).toBe(true);
  }
});

test('the session of a member who is deactivated does not come back with the member', async () => {
  const { database: db } = gateway.app;
  const id = await newOrganization();
  const member = await buildPerson(db, 'signed-in');
  await join(db, member, Number(id), 'VIEWER');
  await db.rows(
    `with provider as (insert into identity_provider (organization_id, name, issuer, client_id, default_role, group_roles, redirect_uris)
       values ($1, 'late', 'https://issuer.example', 'gateway', 'VIEWER', '[]', '{}') returning id)
     update api_token set origin = 'SIGN_IN', provider_id = provider.id from provider where user_id = $2`,
    [id, member.id],
  );
  const send = () => gateway.rest.get(`/api/v1/organizations/${id}`, { token: member.token });
  expectStatus(await send(), 200);
  for (const active of [false, true]) {
    const path = `/api/v1/organizations/${id}/users/${member.id}`;
    expectData(await gateway.rest.call('PATCH', path, { token, body: { active } }));
  }
  expectStatus(await send(), 401);
});
