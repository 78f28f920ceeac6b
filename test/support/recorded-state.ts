import { expect } from '@jest/globals';
import { opened, storedRows } from '../../src/services/as-of/recorded-rows.js';
import { apply } from '../../src/services/as-of/recorded-changes.js';
import { RecordedState, type RecordedRows } from '../../src/services/as-of/recorded-state.js';
import type { StoredEntry } from '../../src/services/audit/entry-records.js';
import { verifyProofOffline } from './audit.js';
import type { TestGateway } from './gateway.js';
import { RandomChanges, seededRandom } from './random-changes.js';

/** The rows of an organization, replayed from its whole trail. */
async function replayed({ app: { database } }: TestGateway, organizationId: number): Promise<RecordedRows> {
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

/** Expects that the replay of a trail equals the stored rows. */
export async function expectRecorded(gateway: TestGateway, organizationId: number, story: string) {
  const stores = storedRows(gateway.app.database, organizationId);
  const [replayedRows, stored] = await Promise.all([replayed(gateway, organizationId), stores]);
  expect({ story, ...inOrder(replayedRows) }).toEqual({ story, ...inOrder(stored) });
}

/** Expects that the script for replays without the gateway has the same result. */
export async function expectProven(gateway: TestGateway, { id, owner }: { id: number; owner: { token: string } }) {
  const { text } = await gateway.rest.get(`/api/v1/organizations/${id}/proof`, { token: owner.token });
  expect(await verifyProofOffline(text)).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^valid: all of/),
  });
}

/** Expects a correct replay of every recorded field of every row, after random changes and after an erasure. */
export async function expectRecordedStateAtRandom(gateway: TestGateway, seed: number) {
  const changes = await RandomChanges.begin(gateway, seededRandom(seed));
  const { organization } = changes;
  // Changes that depend on another kind may be too early each time.
  for (let round = 0; round < 4 && (round === 0 || changes.neverAccepted().length > 0); round += 1)
    await changes.run(120);
  await expectRecorded(gateway, organization.id, `seed ${seed}`);
  await expectProven(gateway, organization);
  expect(changes.neverAccepted()).toEqual([]);
  await changes.invite();
  const [erased] = organization.members.slice(-1);
  await changes.run(40);
  expect((await changes.erase(erased!)).status).toBe(200);
  const [engaged] = organization.engagements;
  expect((await changes.erase(engaged!.auditor)).status).toBe(200);
  await expectRecorded(gateway, organization.id, `seed ${seed}, erased`);
  await expectProven(gateway, organization);
}
