import { expect, test } from '@jest/globals';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { expectData } from '../support/matchers.js';
import { expectProven, expectRecorded, expectToldAtRandom } from '../support/recorded-state.js';
import { person, provisioning } from '../support/scim.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();

// Others are in `recorded-state.campaign.ts`.
test('the trail tells every recorded field of every row, after changes at random and after an erasure', () =>
  expectToldAtRandom(gateway, 7));

test('the trail tells a sandbox before and after it was reset', async () => {
  const changes = await RandomChanges.begin(gateway, seededRandom(11), { sandbox: true });
  const { id, owner } = changes.organization;
  const { token } = owner;
  await changes.run(60);
  for (const story of ['reset', 'reset again']) {
    expectData(await gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }));
    await expectRecorded(gateway, id, story);
    const incident = { title: 'Exercise', severity: 'HIGH', rehearsal: true };
    expectData(await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}`, { token, body: incident }), 201);
    await expectRecorded(gateway, id, `${story}, rehearsed`);
    await expectProven(gateway, { id, owner });
  }
});

test('the trail tells members whom a directory provisions, takes away and brings back with another role', async () => {
  const { organization } = await RandomChanges.begin(gateway, seededRandom(5));
  const { id, owner } = organization;
  const group_roles = [{ group: 'Officers', role: 'SECURITY_OFFICER' }];
  const { directory, domain } = await provisioning(gateway, id, owner, { group_roles });
  const made = async (name: string, more: object = {}) => {
    const { status, body } = await directory.post('Users', person(domain, name, more));
    expect(status).toBe(201);
    return { value: body.id as string };
  };
  const members = [await made('first'), await made('second', { active: false })];
  await expectRecorded(gateway, id, 'provisioned');
  expect((await directory.post('Groups', { displayName: 'Officers', members })).status).toBe(201);
  for (const { value } of members) expect((await directory.delete(`Users/${value}`)).status).toBe(204);
  await expectRecorded(gateway, id, 'taken away');
  await made('first');
  await made('second', { active: false });
  await expectRecorded(gateway, id, 'brought back');
  await expectProven(gateway, { id, owner });
});
