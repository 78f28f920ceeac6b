import { expect, test } from '@jest/globals';
import { apply } from '../../src/services/as-of/recorded-changes.js';
import { RecordedState } from '../../src/services/as-of/recorded-state.js';
import type { StoredEntry } from '../../src/services/audit/entry-records.js';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { expectData } from '../support/matchers.js';
import { expectProven, expectRecorded, expectRecordedStateAtRandom } from '../support/recorded-state.js';
import { person, provisioning } from '../support/scim.js';
import { multipart } from '../support/rest.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();

// Others are in `recorded-state.campaign.ts`.
test('the trail has every recorded field of every row, after random changes and after an erasure', () =>
  expectRecordedStateAtRandom(gateway, 7));

test('the trail has the state of a sandbox before and after its reset', async () => {
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

test('the trail has members whom a directory provisions, removes and restores with another role', async () => {
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

test('the trail records that a control loses its owner with a member, and a report its copy with the file', async () => {
  const { organization } = await RandomChanges.begin(gateway, seededRandom(3));
  const { id, owner, members } = organization;
  const { token } = owner;
  const [member] = members;
  const vCiso = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/controls/21.2.a`;
  expectData(await gateway.rest.patch(vCiso, { token, body: { owner_id: member!.id } }));
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const incident = expectData(
    await gateway.rest.post(incidents, { token, body: { title: 'Reported', severity: 'HIGH' } }),
    201,
  );
  const path = `${incidents}/${(incident as { id: number }).id}`;
  const form = multipart([{ name: 'file', filename: 'copy.txt', type: 'text/plain', content: 'The copy.' }]);
  const file = expectData(await gateway.rest.post(`${path}/attachments`, { token, ...form }), 201) as { id: number };
  const report = { regime_id: 'nis2', stage: 'EARLY_WARNING', attachment_id: file.id };
  expectData(await gateway.rest.post(`${path}/reports`, { token, body: report }), 201);
  await expectRecorded(gateway, id, 'owned and reported');
  expectData(await gateway.rest.delete(`${path}/attachments/${file.id}`, { token }));
  expectData(await gateway.rest.post(`/api/v1/organizations/${id}/leave`, { token: member!.token }));
  await expectRecorded(gateway, id, 'left and deleted');
  await expectProven(gateway, { id, owner });
});

test('a trail of an earlier version implies that a removed member owns no control any more, without a separate entry', () => {
  const state = new RecordedState(1);
  const at = '2026-11-20T08:15:30.000Z';
  const actor = { type: 'SYSTEM', id: 'tests' } as const;
  const assigned = (controlId: string, after: string): StoredEntry => ({
    ...{ action: 'CONTROL_UPDATED', actor, at, changes: { ownerId: { before: null, after } } },
    subject: { type: 'CONTROL', id: `nis2-directive/${controlId}`, name: controlId },
  });
  const left: StoredEntry = { action: 'MEMBER_LEFT', actor, at, subject: { type: 'MEMBER', id: 'gone', name: 'gone' } };
  for (const [index, entry] of [assigned('21.2.a', 'gone'), assigned('21.2.b', 'there'), left].entries())
    apply(state, entry, index + 1);
  expect(state.recorded().control_state).toMatchObject([
    { controlId: '21.2.a', ownerId: null, version: 3 },
    { controlId: '21.2.b', ownerId: 'there', version: 2 },
  ]);
});
