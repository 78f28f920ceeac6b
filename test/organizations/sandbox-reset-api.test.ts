import { beforeEach, describe, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { digestToken } from '../../src/auth/token.js';
import { ORGANIZATION_TABLES } from '../../src/services/shared/organization-columns.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { HIGH_RATE_LIMITS } from '../support/gateway.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { expectData } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { multipart } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { buildPerson, buildToken, type Person } from '../support/test-data.js';

const RESET: Operation = {
  rest: 'POST /api/v1/organizations/{organization_id}/reset',
  graphql: `mutation ($input: ResetSandboxInput!) { resetSandbox(input: $input) { organization { id: databaseId name sandbox } } }`,
  at: 'resetSandbox.organization',
};

const clock = new TestClock();
const concurrent = { ...HIGH_RATE_LIMITS.concurrent, packs: 3 };
const { gateway } = await startSeededGateway({
  now: clock.now,
  config: { rateLimits: { ...HIGH_RATE_LIMITS, concurrent } },
});
const { database } = gateway.app;

let owner: Person;
let id: number;

async function create(sandbox: boolean): Promise<number> {
  const body = { name: 'Trial', sandbox };
  return expectData(await gateway.rest.post('/api/v1/organizations', { token: owner.token, body }), 201).id;
}

beforeEach(async () => {
  owner = await buildPerson(database, 'owner');
  id = await create(true);
});

const read = async (path: string) => expectData(await gateway.rest.get(path, owner));
const titles = async () => (await read(`/api/v1/v-ciso/incidents/${id}`)).map(({ title }: { title: string }) => title);

/** Rows of an organization in each of its tables, except its trail, events and recorded states. */
async function rowsOf(organizationId: number): Promise<Record<string, number>> {
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id'
        and table_name not in ('audit_log', 'event', 'recorded_state', 'organization_facts') order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database.rows<{ n: number }>(`select count(*) as n from "${name}" where organization_id = $1`, [
      organizationId,
    ]);
    counts[name] = row!.n;
  }
  return counts;
}

describe.each(APIS)('through %s', (api) => {
  const reset = (by: Person, organizationId = id, more: object = {}) =>
    callThrough(api, gateway, RESET, { organization_id: organizationId, ...more }, by.token);

  test('everything of a sandbox goes but its name and its owner, and the example takes its place, always the same', async () => {
    const manager = await newMember(database, id, 'ORGANIZATION_MANAGER');
    await seedOrganization(database, id, owner);
    await database.rows(
      'insert into token_block (token_id, organization_id) select id, $1 from api_token where user_id = $2',
      [id, manager.id],
    );
    expect(dataOf(await reset(owner))).toMatchObject({ id, name: 'Trial', sandbox: true });
    const example = await rowsOf(id);
    const fresh = await create(true);
    for (const times of [1, 2]) {
      dataOf(await reset(owner, fresh));
      expect([times, await rowsOf(fresh)]).toEqual([times, example]);
    }
    expect(example).toMatchObject({
      ...{ membership: 1, incident: 4, incident_note: 2, organization_workflow: 3, cloud_defender: 3 },
      ...{ threat_blocker: 2, document_version: 11, service_account: 0, notification: 0 },
    });
  });

  test('an organization that is no sandbox is refused, and nothing of it is changed', async () => {
    const real = await create(false);
    await seedOrganization(database, real, owner);
    const before = await rowsOf(real);
    expectConflict(await reset(owner, real), 'NOT_A_SANDBOX');
    expect(await rowsOf(real)).toEqual(before);
  });

  test('who is no owner is refused, and who has read another version', async () => {
    const manager = await newMember(database, id, 'ORGANIZATION_MANAGER');
    expectFailure(await reset(manager), 'FORBIDDEN');
    expectConflict(await reset(owner, id, { if_match: 7 }), 'STALE_VERSION');
    expect((await rowsOf(id))['incident']).toBe(0);
  });
});

const reset = async () =>
  expectData(await gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token: owner.token }));

test('the trail continues: it has the removed objects, verifies, and has the earlier state', async () => {
  const body = { title: 'Mine', severity: 'LOW' };
  const opened = expectData(
    await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}`, { token: owner.token, body }),
    201,
  );
  const note = { token: owner.token, body: { text: 'Seen' } };
  for (let notes = 0; notes < 2; notes += 1)
    expectData(await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}/${opened.id}/notes`, note), 201);
  clock.set(1);
  await reset();
  const entries = await read(`/api/v1/organizations/${id}/audit-trail?action=SANDBOX_RESET`);
  expect(entries).toHaveLength(1);
  const removed = entries[0].changes.find(({ field }: { field: string }) => field === 'removed');
  expect(removed.before).toMatchObject({ incident: 1, incidentNote: 2 });
  expect(await read(`/api/v1/organizations/${id}/audit-trail/verification`)).toMatchObject({ valid: true });
  expect(await titles()).not.toContain('Mine');
  const past = await read(`/api/v1/v-ciso/incidents/${id}?as_of=${clock.at(0.5).toISOString()}`);
  expect(past.map(({ title }: { title: string }) => title)).toEqual(['Mine']);
});

test('the trail says of contacts and of the witness that they were changed, and not what they were', async () => {
  const path = `/api/v1/organizations/${id}`;
  const { token } = owner;
  const contacts = [{ name: 'Guest', role: '', email: 'guest@example.org', phone: '', email_report: false }];
  expectData(await gateway.rest.patch(path, { token, body: { contacts } }));
  const settings = { audit_witness_email: 'witness@example.org' };
  expectData(await gateway.rest.patch(`${path}/settings`, { token, body: settings }));
  await reset();
  expect(expectData(await gateway.rest.get(`${path}/settings`, { token })).audit_witness_email).toBeNull();
  const [{ changes }] = await read(`${path}/audit-trail?action=SANDBOX_RESET`);
  for (const field of ['contacts', 'auditWitnessEmail'])
    expect(changes).toContainEqual({ field, before: null, after: 'changed' });
  const { text } = await gateway.rest.get(`${path}/audit-trail.ndjson`, { token });
  expect(text).not.toContain('example.org');
});

test('a reset that is repeated with its key happens once', async () => {
  const send = (headers: Record<string, string>) =>
    gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token: owner.token, headers });
  for (const other of ['soon', '', '"1", soon']) expect((await send({ 'if-match': other })).status).toBe(412);
  const repeat = () => send({ 'idempotency-key': `reset-${id}`, 'if-match': '"9", "1"' });
  const first = await repeat();
  expectData(first);
  expect((await repeat()).text).toBe(first.text);
  expect(await read(`/api/v1/organizations/${id}/audit-trail?action=SANDBOX_RESET`)).toHaveLength(1);
  expect(await titles()).toHaveLength(4);
});

test('incidents of the example are judged by what the sandbox is after its reset', async () => {
  await reset();
  const incidents = await read(`/api/v1/v-ciso/incidents/${id}`);
  const running = incidents.find(({ status }: { status: string }) => status === 'CONTAINED');
  const stages = running.clock.stages.map(({ stage, state }: { stage: string; state: string }) => [stage, state]);
  expect(stages).toEqual(expect.arrayContaining([['EARLY_WARNING', 'SENT']]));
});

test('a sandbox that is changed while its reset waits is what the example is afterwards', async () => {
  const { token } = owner;
  const body = { country: 'FR' };
  clock.set(2);
  const [changed, done] = await database.transaction(async (tx) => {
    await tx.rows('select from organization where id = $1 for update', [id]);
    const change = gateway.rest.patch(`/api/v1/organizations/${id}/settings`, { token, body });
    await someoneWaits(tx);
    const resetting = gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token });
    await someoneWaits(tx, 2);
    clock.set(3);
    return [change, resetting] as const;
  });
  expectData(await changed);
  expectData(await done);
  expect(await titles()).toHaveLength(4);
});

test('what is changed while a sandbox is reset happens before it and goes, or after it and stays', async () => {
  const { token } = owner;
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const open = (title: string) => gateway.rest.post(incidents, { token, body: { title, severity: 'LOW' } });
  const incident = `${incidents}/${expectData(await open('Early'), 201).id}`;
  const file = { name: 'file', filename: 'a.txt', type: 'text/plain', content: 'text' };
  const lock = ['select from audit_log where organization_id = $1 for update', [id]] as const;
  const answers = await inTurnBehind(database, lock, [
    () => gateway.rest.post(`${incident}/notes`, { token, body: { text: 'Begun' } }),
    () => gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }),
    () => open('Late'),
    () => gateway.rest.patch(incident, { token, body: { title: 'Gone' } }),
    () => gateway.rest.post(`${incident}/attachments`, { token, ...multipart([file]) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 404, 404]);
  expect(await titles()).toHaveLength(5);
  expect(await titles()).not.toContain('Early');
  const [newest] = await read(`/api/v1/organizations/${id}/audit-trail`);
  expect(newest).toMatchObject({ action: 'INCIDENT_OPENED', subject: { name: 'Late' } });
});

test('a document of a workflow that a reset takes is gone, or refused where the upload has waited for the reset', async () => {
  const { token } = owner;
  const workflows = `/api/v1/v-ciso/organizations/${id}/workflows`;
  expectData(await gateway.rest.post(workflows, { token, body: { id: 'soc-2-2017' } }), 201);
  const upload = (content: string) => {
    const file = { name: 'file', filename: 'a.txt', type: 'text/plain', content };
    return gateway.rest.post(`${workflows}/soc-2-2017/documents/CC1.1/versions`, { token, ...multipart([file]) });
  };
  const lock = ['select from audit_log where organization_id = $1 for update', [id]] as const;
  const answers = await inTurnBehind(database, lock, [
    () => upload('Early'),
    () => gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }),
    () => upload('Late'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 404]);
  expect(
    await database.rows(`select from document_version where organization_id = $1 and workflow_id = 'soc-2-2017'`, [id]),
  ).toEqual([]);
});

test('an import by a job of a workflow that a reset takes is gone, or refused where it has waited for the reset', async () => {
  const { token } = owner;
  const workflows = `/api/v1/v-ciso/organizations/${id}/workflows`;
  expectData(await gateway.rest.post(workflows, { token, body: { id: 'soc-2-2017' } }), 201);
  const start = (note: string) => {
    const headers = { 'content-type': 'text/csv', prefer: 'respond-async' };
    const body = Buffer.from(`id,note\nCC1.1,${note}\n`);
    return gateway.rest.call('POST', `${workflows}/soc-2-2017/controls/import`, { token, headers, body });
  };
  const lock = ['select from audit_log where organization_id = $1 for update', [id]] as const;
  const answers = await inTurnBehind(database, lock, [
    () => start('Early'),
    () => gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }),
    () => start('Late'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 404]);
  expect(await database.rows('select from import_job where organization_id = $1', [id])).toEqual([]);
});

test('a sign-in that was begun is done before the reset takes its provider, and a job that it takes is not cancelled', async () => {
  const { identityProviderId, importJobId } = await seedOrganization(database, id, owner);
  const [code, redirect_uri] = [`code-${id}`, 'https://app.example.com/'];
  await database.rows(
    `insert into sign_in_code (digest, user_id, provider_id, redirect_uri, code_challenge, expires_at)
     values ($1, $2, $3, $4, $5, now() + interval '100 years')`,
    [digestToken(code), owner.id, identityProviderId, redirect_uri, hash('sha256', 'v', 'base64url')],
  );
  const { token } = owner;
  const path = `/api/v1/organizations/${id}`;
  const lock = ['select from app_user where id = $1 for update', [owner.id]] as const;
  const answers = await inTurnBehind(database, lock, [
    () => gateway.rest.post('/api/v1/token/exchange', { body: { code, code_verifier: 'v', redirect_uri } }),
    () => gateway.rest.post(`${path}/reset`, { token }),
    () => gateway.rest.post(`${path}/import-jobs/${importJobId}/cancel`, { token }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 404]);
});

test('a sandbox whose tokens had to be of a provider takes any again when a reset has taken the provider', async () => {
  const { identityProviderId } = await seedOrganization(database, id, owner);
  await database.rows('update organization set required_provider_id = $2 where id = $1', [id, identityProviderId]);
  const token = await buildToken(database, owner, {});
  await database.rows(`update api_token set origin = 'OPERATOR' where digest = $1`, [digestToken(token)]);
  const path = `/api/v1/organizations/${id}`;
  expectData(await gateway.rest.post(`${path}/reset`, { token }));
  expect(await read(path)).toMatchObject({ id });
});

test('a member who was removed by a reset has no access any more', async () => {
  const viewer = await newMember(database, id, 'VIEWER');
  expectData(await gateway.rest.get(`/api/v1/organizations/${id}`, viewer));
  await reset();
  expect((await gateway.rest.get(`/api/v1/organizations/${id}`, viewer)).status).toBe(404);
});

test('resets are few at a time, as whatever takes long', async () => {
  const path = `/api/v1/organizations/${id}/reset`;
  const { token } = owner;
  let sent: Promise<{ status: number }>[] = [];
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from organization where id = $1 for update', [id]);
    sent = [1, 2, 3].map(() => gateway.rest.post(path, { token }));
    await someoneWaits(tx, 3);
    expect((await gateway.rest.post(path, { token })).status).toBe(429);
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const seven = Array.from(
    { length: 7 },
    (_, n) => `r${n}: resetSandbox(input: { organizationId: ${id} }) { __typename }`,
  );
  const { body } = await gateway.graphql.call(`mutation { ${seven.join(' ')} }`, { token });
  expect(body.errors?.[0]?.extensions.messages).toEqual([
    'The operation exceeds the cost limit of 30000: ask for fewer fields or smaller pages',
  ]);
});

test('each table with rows of an organization has an index by which these are found', async () => {
  const found = await gateway.app.database.rows<{ name: string }>(
    `select distinct c.relname as name from pg_index x
       join pg_class c on c.oid = x.indrelid
       join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0] and a.attname = 'organization_id'
      where x.indpred is null`,
  );
  const indexed = new Set(found.map(({ name }) => name));
  expect(ORGANIZATION_TABLES.filter((name) => !indexed.has(name))).toEqual([]);
});
