import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { opened, storedRows } from '../../src/services/as-of/recorded-rows.js';
import { apply } from '../../src/services/as-of/recorded-changes.js';
import { RecordedState, type RecordedRows } from '../../src/services/as-of/recorded-state.js';
import type { StoredEntry } from '../../src/services/audit/entry-records.js';
import { verifyProofOffline } from '../support/audit.js';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { expectData } from '../support/matchers.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();
const { database } = gateway.app;

/** The rows of an organization as its whole trail tells them. */
async function replayed(organizationId: number): Promise<RecordedRows> {
  const state = new RecordedState(organizationId);
  const entries = await database.rows<{ entry: string; position: number }>(
    `select e.entry, e.position from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
    [organizationId],
  );
  for (const { entry, position } of entries) apply(state, JSON.parse(entry) as StoredEntry, position);
  return opened(database, state.recorded());
}

const inOrder = (rows: RecordedRows) =>
  Object.fromEntries(
    Object.entries(rows).map(([table, each]) => {
      const keyOf = (row: object) =>
        JSON.stringify(['id', 'userId', 'workflowId', 'controlId'].map((name) => row[name as never]));
      return [table, each.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))];
    }),
  );

async function expectEqual(organizationId: number, story: string) {
  const [told, stored] = await Promise.all([replayed(organizationId), storedRows(database, organizationId)]);
  expect({ story, ...inOrder(told) }).toEqual({ story, ...inOrder(stored) });
}

/** The script that replays without the gateway comes to the same. */
async function expectProven({ id, owner }: { id: number; owner: { token: string } }) {
  const { text } = await gateway.rest.get(`/api/v1/organizations/${id}/proof`, { token: owner.token });
  expect(await verifyProofOffline(text)).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^valid: all of/),
  });
}

test('the trail tells every recorded field of every row, after changes at random and after an erasure', async () => {
  const seed = randomInt(2 ** 31);
  const changes = await RandomChanges.begin(gateway, seededRandom(seed));
  const { organization } = changes;
  // A kind of change that needs another one first may come too early each time.
  for (let round = 0; round < 4 && (round === 0 || changes.neverAccepted().length > 0); round += 1)
    await changes.run(120);
  await expectEqual(organization.id, `seed ${seed}`);
  await expectProven(organization);
  expect(changes.neverAccepted()).toEqual([]);
  await changes.invite();
  const [erased] = organization.members.slice(-1);
  await changes.run(40);
  expect((await changes.erase(erased!)).status).toBe(200);
  const [engaged] = organization.engagements;
  expect((await changes.erase(engaged!.auditor)).status).toBe(200);
  await expectEqual(organization.id, `seed ${seed}, erased`);
  await expectProven(organization);
});

test('the trail tells a sandbox before and after it was reset', async () => {
  const seed = randomInt(2 ** 31);
  const changes = await RandomChanges.begin(gateway, seededRandom(seed), { sandbox: true });
  const { id, owner } = changes.organization;
  const { token } = owner;
  await changes.run(60);
  for (const story of ['reset', 'reset again']) {
    expectData(await gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }));
    await expectEqual(id, `seed ${seed}, ${story}`);
    const incident = { title: 'Exercise', severity: 'HIGH', rehearsal: true };
    expectData(await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}`, { token, body: incident }), 201);
    await expectEqual(id, `seed ${seed}, ${story}, rehearsed`);
    await expectProven({ id, owner });
  }
});
