import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import { RecordedStates } from '../../src/services/as-of/recorded-states.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { APIS } from '../support/apis.js';
import { pruneTrail, verifyProofOffline } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, type Person } from '../support/test-data.js';

/** States that were stored with a lost secret key, on a gateway that is configured for the loss. */

const clock = new TestClock();
const { gateway } = await startSeededGateway({ now: clock.now });
const { database } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();
const sql = <Row extends object>(text: string, values: unknown[] = []) => database.rows<Row>(text, values);

const secretKey = 'the secret key that comes after it';
const warned: object[] = [];
const log = createLogger('silent');
log.warn = ((what: object) => void warned.push(what)) as typeof log.warn;

const withKeys = (config: object) =>
  startGateway({
    ...{ config, log, now: clock.now, database: gateway.database, dataDir: gateway.dataDir },
  });

let without: TestGateway;
beforeAll(async () => {
  without = await withKeys({ secretKey, isEarlierKeyLost: true });
});
afterAll(() => without.close());

interface Made {
  id: number;
  owner: Person;
}

const rename = ({ id, owner }: Made, name: string) =>
  gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: owner.token, body: { name } });

/** An organization that was signed 402 days ago, renamed since, and pruned; then it is an hour later. */
async function prunedOrganization(by = gateway): Promise<Made> {
  clock.set(-402 * 24);
  const owner = await buildPerson(database, 'owner');
  const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body: { name: 'Aged' } });
  const { id } = made.body.data as { id: number };
  await gateway.rest.post(`/api/v1/organizations/${id}/audit-trail/checkpoints`, { token: owner.token });
  clock.set(0);
  await rename({ id, owner }, 'Before');
  await pruneTrail(by, id);
  clock.set(1);
  return { id, owner };
}

const recordMissing = ({ app }: TestGateway) => app.services.recordedStates.recordMissing();

const recordings = async ({ id }: Made) =>
  (
    await sql<{ entry: string }>(
      `select e.entry from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and e.action = 'STATE_RECORDED' order by e.position`,
      [id],
    )
  ).map(({ entry }) => JSON.parse(entry) as { actor: object; changes: Record<string, { after: string }> });

async function nameAt({ id, owner }: Made, hours: number, { rest, graphql } = without, api = 'REST') {
  const { token } = owner;
  if (api === 'REST') {
    const { body } = await rest.get(`/api/v1/organizations/${id}?as_of=${at(hours)}`, { token });
    return body.error === 1 ? String(body.messages) : (body.data as { name: string }).name;
  }
  const { body } = await graphql.call(`{ organization(id: ${id}, asOf: "${at(hours)}") { name } }`, { token });
  const { organization } = (body.data ?? {}) as { organization?: { name: string } };
  return organization?.name ?? String(body.errors?.map(({ message }) => message));
}

const UNUSABLE = /cannot be answered: the state that the audit trail goes on from was changed, or stored with a key/;

test.each(APIS)(
  'an organization is recorded anew once, on record, and answered from then on alone, through %s',
  async (api) => {
    const made = await prunedOrganization();
    await rename(made, 'Now');
    expect(await nameAt(made, 0.5, gateway, api)).toBe('Before');
    expect(await nameAt(made, 1, without, api)).toMatch(UNUSABLE);
    clock.set(2);
    warned.length = 0;
    const beside = await withKeys({ secretKey, isEarlierKeyLost: true });
    await Promise.all([without, beside].map(recordMissing));
    await recordMissing(beside);
    await beside.close();
    expect(warned).toEqual([{ organizations: 1 }]);
    const [{ kid }] = ((await without.rest.get('/.well-known/audit-keys.json')).body as never as { keys: never })
      .keys as [{ kid: string }];
    expect(await recordings(made)).toMatchObject([
      {
        actor: { type: 'SYSTEM', id: 'recordedStates.recordAnew' },
        changes: { sha256: { after: expect.stringMatching(/^[\da-f]{64}$/) }, keyId: { after: kid } },
      },
    ]);
    clock.set(3);
    await rename(made, 'Later');
    clock.set(4);
    expect(await nameAt(made, 2.5, without, api)).toBe('Now');
    expect(await nameAt(made, 3.5, without, api)).toBe('Later');
    for (const hours of [0.5, 1.5]) expect(await nameAt(made, hours, without, api)).toMatch(UNUSABLE);
    const path = `/api/v1/organizations/${made.id}/audit-trail/verification`;
    const { body } = await without.rest.get(path, { token: made.owner.token });
    expect(body.data).toMatchObject({ valid: false, fault: { reason: 'SIGNATURE_INVALID' } });
  },
);

test('nothing is recorded anew unless the operator says that a key is lost', async () => {
  const made = await prunedOrganization();
  // An instance does not start then.
  const config = { isEarlierKeyLost: false };
  await new RecordedStates(database, new CheckpointKey(secretKey), clock.now, { config, log }).recordMissing();
  expect(await recordings(made)).toEqual([]);
  expect(await nameAt(made, 0.5)).toMatch(UNUSABLE);
});

const forge = ({ id }: Made) =>
  sql(
    `update recorded_state set rows = regexp_replace(rows, '"name":"\\w+"', '"name":"Forged"') where organization_id = $1`,
    [id],
  );

test('a state that was stored with a key that is known and was changed is not recorded anew', async () => {
  const pruned = await prunedOrganization();
  await forge(pruned);
  const another = await withKeys({ isEarlierKeyLost: true });
  await recordMissing(another);
  await another.close();
  expect(await recordings(pruned)).toEqual([]);
  expect(await nameAt(pruned, 0.5, gateway)).toMatch(UNUSABLE);
  // Nor one that was recorded anew.
  await recordMissing(without);
  await forge(pruned);
  await recordMissing(without);
  expect(await recordings(pruned)).toHaveLength(1);
  clock.set(2);
  expect(await nameAt(pruned, 1.5)).toMatch(UNUSABLE);
});

test('a state that was stored by a pruning with a known key is not recorded anew when it was changed', async () => {
  const rotated = await withKeys({ secretKey, earlierSecretKeys: [gateway.config.secretKey] });
  const made = await prunedOrganization(rotated);
  await rotated.close();
  await forge(made);
  await recordMissing(without);
  expect(await recordings(made)).toEqual([]);
  expect(await nameAt(made, 0.5)).toMatch(UNUSABLE);
});

test('a state whose key had signed what was before it is not recorded anew when it was changed', async () => {
  const made = await prunedOrganization();
  const keys = { secretKey, earlierSecretKeys: [gateway.config.secretKey] };
  const rotated = await withKeys(keys);
  await rotated.rest.post(`/api/v1/organizations/${made.id}/audit-trail/checkpoints`, { token: made.owner.token });
  await rename(made, 'Now');
  const { recordedStates } = rotated.app.services;
  const [head] = await sql<{ position: number }>('select position from audit_log where organization_id = $1', [
    made.id,
  ]);
  await recordedStates.store(database, made.id, head!.position, (await recordedStates.at(made.id, head!.position))!);
  await rotated.close();
  await sql('update recorded_state set mac = sha256(mac) where organization_id = $1 and position = $2', [
    made.id,
    head!.position,
  ]);
  await recordMissing(without);
  expect(await recordings(made)).toEqual([]);
  expect(await nameAt(made, 1)).toMatch(UNUSABLE);
});

test('an organization whose recording is broken off is recorded by the next start, and those behind it by this one', async () => {
  const [made, other] = [await prunedOrganization(), await prunedOrganization()];
  await sql(`alter table recorded_state add constraint broken check (organization_id <> ${made.id}) not valid`);
  await expect(recordMissing(without)).rejects.toThrow(`not recorded as they are: organizations ${made.id}`);
  expect(await recordings(made)).toEqual([]);
  expect(await recordings(other)).toHaveLength(1);
  await sql('alter table recorded_state drop constraint broken');
  await recordMissing(without);
  expect(await recordings(made)).toHaveLength(1);
});

test('once the key is found again everything is answered and proven, what was before the recording as well', async () => {
  const made = await prunedOrganization();
  // A newly recorded state has its author sealed with the new key.
  const body = { title: 'Breach', severity: 'HIGH' };
  await gateway.rest.post(`/api/v1/v-ciso/incidents/${made.id}`, { token: made.owner.token, body });
  clock.set(2);
  await recordMissing(without);
  clock.set(3);
  const found = await withKeys({ secretKey, earlierSecretKeys: [gateway.config.secretKey] });
  await rename(made, 'Later');
  clock.set(4);
  const names = { 0.5: 'Before', 2.5: 'Before', 3.5: 'Later' };
  for (const [hours, name] of Object.entries(names)) {
    expect(await nameAt(made, Number(hours), found)).toBe(name);
    const path = `/api/v1/organizations/${made.id}/proof?as_of=${at(Number(hours))}`;
    const { text } = await found.rest.get(path, { token: made.owner.token });
    const keys = (await found.rest.get('/.well-known/audit-keys.json')).body;
    expect(await verifyProofOffline(text, { keys })).toMatchObject({ exitCode: 0 });
  }
  await found.close();
});
