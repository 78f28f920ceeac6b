import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyProofOffline } from '../support/audit.js';
import { RandomChanges, seededRandom, withoutFormer } from '../support/random-changes.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();
const changes = await RandomChanges.begin(gateway, seededRandom(5));
await changes.run(40);
const { id, owner } = changes.organization;

const ORGANIZATION = `query ($id: ID!, $asOf: DateTime) { organization(id: $id, asOf: $asOf) {
  name version updatedAt sectors settings { country timeZone } branding { palette customColors { primary } }
  asOf { at position hash checkpoint { position } notRecorded }
  users(first: 20) { totalCount nodes { role active user { username } } }
  documentVersions(first: 20) { nodes { databaseId filename sha256 note createdBy { username } } }
  incidents(first: 10) { nodes { databaseId title status version openedBy { username } closedBy { username }
    clock { applies stages { regimeId stage state dueAt sentAt } } notes(first: 5) { nodes { text createdBy { username } } }
    timeline(first: 50) { totalCount nodes { at kind } } attachments(first: 5) { nodes { filename } } reports(first: 5) { nodes { databaseId stage sentBy { username } } } } }
  engagements(first: 10) { nodes { databaseId version name until auditors { username }
    requests(first: 20) { nodes { text answer version createdBy { username } } } signOffs(first: 20) { nodes { statement } } } }
  cloudDefenders(first: 20) { nodes { databaseId fqdn services } }
  threatBlockers(first: 20) { nodes { databaseId email services version } } } }`;

const V_CISO = `/api/v1/v-ciso/organizations/${id}`;
const INCIDENTS = `/api/v1/v-ciso/incidents/${id}`;
const PATHS = [
  `/api/v1/organizations/${id}`,
  `/api/v1/organizations/${id}/settings`,
  `/api/v1/organizations/${id}/branding`,
  `/api/v1/organizations/${id}/users?limit=100`,
  `/api/v1/organizations/${id}/users/${owner.id}`,
  `${V_CISO}/workflows`,
  `${V_CISO}/workflows/nis2-directive`,
  `${V_CISO}/workflows/nis2-directive/controls?limit=100`,
  `${V_CISO}/workflows/nis2-directive/controls/21.2.a`,
  `${V_CISO}/workflows/nis2-directive/documents/21.2.a/versions`,
  `${V_CISO}/workflows/nis2-directive/controls/21.2.a/attestations`,
  `/api/v1/organizations/${id}/engagements`,
  ...changes.organization.engagements.flatMap((engagement) =>
    ['', '/controls?limit=20', '/documents', '/incidents', '/requests', '/sign-offs', '/audit-trail'].map(
      (part) => `/api/v1/organizations/${id}/engagements/${engagement.id}${part}`,
    ),
  ),
  `/api/v1/organizations/${id}/alerts`,
  `/api/v1/organizations/${id}/mail-preferences`,
  // Refusals are recorded asynchronously.
  `/api/v1/organizations/${id}/audit-trail?limit=20&subject_type=INCIDENT`,
  `/api/v1/cloud-defender?organization_id=${id}`,
  `/api/v1/atb?organization_id=${id}`,
  `${V_CISO}/documents`,
  `${INCIDENTS}`,
  ...changes.organization.incidents.flatMap((incident) =>
    ['', '/clock', '/significance', '/reports', '/notes', '/timeline?limit=50', '/attachments'].map(
      (part) => `${INCIDENTS}/${incident}${part}`,
    ),
  ),
  ...changes.organization.devices.map(({ kind, id: device }) => `/api/v1/${kind}/${device}`),
];

const read = (asOf: string | null, token = owner.token) =>
  gateway.graphql.call(ORGANIZATION, { token, variables: { id: String(id), asOf } });

async function organization(asOf: string | null) {
  const { body, story } = await read(asOf);
  expect({ errors: body.errors, story: body.errors && story }).toEqual({ errors: undefined, story: undefined });
  const { asOf: made, ...rest } = (body.data as { organization: Record<string, unknown> }).organization;
  return { asOf: made, rest };
}

/** The response of each path, without signed addresses and without unrecorded fields. */
async function answers(asOf?: string) {
  const found: Record<string, unknown> = {};
  for (const path of PATHS) {
    const at = asOf === undefined ? '' : `${path.includes('?') ? '&' : '?'}as_of=${asOf}`;
    const { body, status, headers } = await gateway.rest.call('GET', `${path}${at}`, { token: owner.token });
    if (asOf !== undefined && status === 200) expect(headers.get('as-of-hash')).toMatch(/^[0-9a-f]{64}$/);
    found[path] = JSON.parse(
      JSON.stringify({ status, ...body }, (name, value: unknown) => (UNTOLD.has(name) ? undefined : value)),
    );
  }
  return found;
}

const UNTOLD = new Set(['download_url', 'contacts', 'atb_key', 'plugin', 'last_seen_at', 'check']);

test('as of each moment an organization is as it was then, through both APIs', async () => {
  const states: { at: string; rest: object; paths: object }[] = [];
  for (let n = 0; n < 2; n += 1) {
    const [{ rest }, paths] = [await organization(null), await answers()];
    states.push({ at: new Date().toISOString(), rest, paths });
    await sleep(5);
    await changes.run(30);
  }
  for (const { at, rest, paths } of states) {
    const then = await organization(at);
    expect(then.rest).toEqual(rest);
    expect(then.asOf).toMatchObject({ at, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await answers(at)).toEqual(withoutFormer(paths, [owner, ...changes.organization.members]));
  }
});

test('as of each moment a request has the answer of then, also where it was taken back or closed without one', async () => {
  await changes.engage();
  const { id: engagement, auditor } = changes.organization.engagements.at(-1)!;
  const path = `/api/v1/organizations/${id}/engagements/${engagement}/requests`;
  const send = async (method: 'PATCH' | 'POST', to: string, body: object, { token }: { token: string }) => {
    const { body: sent } = await gateway.rest.call(method, to, { token, body });
    expect(sent).toMatchObject({ error: 0 });
    return sent.data as { id: number };
  };
  const evidenceRequest = { workflow_id: 'nis2-directive', control_id: '21.2.a', text: 'Minutes, please' };
  const first = await send('POST', path, evidenceRequest, auditor);
  const second = await send('POST', path, evidenceRequest, auditor);
  const states: { at: string; data: unknown }[] = [];
  for (const [{ id: request }, body] of [
    [first, { answer: 'Mistaken' }],
    [first, { answer: null }],
    [first, { answer: 'Attached' }],
    [first, { close: true }],
    [second, { close: true }],
  ] as const) {
    await send('PATCH', `${path}/${request}`, body, owner);
    const { body: live } = await gateway.rest.call('GET', path, { token: owner.token });
    states.push({ at: new Date().toISOString(), data: live.data });
    await sleep(5);
  }
  for (const { at, data } of states) {
    const { body } = await gateway.rest.call('GET', `${path}?as_of=${at}`, { token: owner.token });
    expect(body).toMatchObject({ error: 0, data });
  }
  const { text } = await gateway.rest.get(`/api/v1/organizations/${id}/proof`, { token: owner.token });
  expect(await verifyProofOffline(text)).toMatchObject({ exitCode: 0 });
});

test('a member of then who has left since is found by the user name, and not by the name and the address of now', async () => {
  await changes.invite();
  const { username, id: user } = changes.organization.members.pop()!;
  const at = new Date().toISOString();
  await sleep(5);
  const path = `/api/v1/organizations/${id}/users`;
  const { status } = await gateway.rest.call('DELETE', `${path}/${user}`, { token: owner.token });
  expect(status).toBe(200);
  const found = async (search: string) => {
    const { body } = await gateway.rest.get(`${path}?as_of=${at}&search=${search}`, { token: owner.token });
    return (body.data as { username: string }[]).some((member) => member.username === username);
  };
  expect([await found(username.toUpperCase()), await found(username.slice(3))]).toEqual([true, true]);
  expect([await found('Person'), await found(`${username}@`), await found('former@')]).toEqual([false, false, false]);
});
