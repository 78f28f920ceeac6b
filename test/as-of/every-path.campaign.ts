import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '../../src/rest/routes.js';
import { pseudonymOf } from '../../src/services/members/erased-names.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { RandomChanges, seededRandom, withoutFormer } from '../support/random-changes.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf, csvOf } from '../support/spreadsheets.js';
import { buildPerson, type Person } from '../support/test-data.js';
import { zip } from '../support/zip.js';

/** The clock runs like the machine's, with an offset. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const { gateway } = await startSeededGateway({ now });
const { database, services } = gateway.app;

/** Every path with the parameter `as_of`. */
const PATHS = ROUTES.flatMap((route) => ('past' in route && route.past === true ? [route.path] : []));
const WORKFLOW = 'nis2-directive';
const CONTROLS = ['20.2', '21.2.a', '21.2.b', '21.2.c'];

/** By the name of a parameter, or with the part of the path before it where several have that name. */
type Values = Readonly<Record<string, readonly (string | number)[]>>;

function filled(path: string, values: Values): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const before = path
    .slice(0, path.indexOf(`{${name}}`))
    .split('/')
    .at(-2);
  const found = values[`${before} ${name}`] ?? values[name];
  if (found === undefined) throw new Error(`${path}: no value of ${before} ${name}`);
  return found.flatMap((value) => filled(path.replace(`{${name}}`, String(value)), values));
}

const LIST =
  /\/(?:users|engagements|controls|documents|requests|sign-offs|attestations|versions|notes|timeline|attachments|incidents(?:\/\d+)?)$/;

function addressesOf(id: number, values: Values): string[] {
  const all = { ...values, organizationid: [id], 'organizations id': [id] };
  return PATHS.flatMap((path) => filled(path, all)).map((path) => {
    if (/\/(?:atb|cloud-defender)$/.test(path)) return `${path}?organization_id=${id}&limit=100`;
    return LIST.test(path) ? `${path}?limit=100` : path;
  });
}

/** All objects that the organization has had so far. */
function valuesOf({ organization }: RandomChanges, people: readonly Person[]): Values {
  const { incidents, documents, devices, engagements, attestations, attachments } = organization;
  const numbers = (paths: readonly string[]) => paths.map((path) => Number(path.split('/').at(-1)));
  const ids = (kind: string) => devices.filter((device) => device.kind === kind).map((device) => device.id);
  return {
    ...{ workflowid: [WORKFLOW], controlid: CONTROLS, artifactid: CONTROLS, userid: people.map(({ id }) => id) },
    ...{ incidentid: incidents, engagementid: engagements.map(({ id }) => id), 'documents id': documents },
    ...{ 'attestations id': numbers(attestations), 'attachments id': attachments.map(({ id }) => id) },
    ...{ 'requests id': [1, 2, 3], 'cloud-defender id': ids('cloud-defender'), 'atb id': ids('atb') },
  };
}

/** Signed addresses, and fields that are not recorded. */
const UNTOLD = new Set([
  'download_url',
  'contacts',
  'audit_witness_email',
  'atb_key',
  'plugin',
  'last_seen_at',
  'check',
]);

async function answer(path: string, { token }: Person, asOf?: string): Promise<unknown> {
  const at = asOf === undefined ? '' : `${path.includes('?') ? '&' : '?'}as_of=${asOf}`;
  const { body, status } = await gateway.rest.call('GET', `${path}${at}`, { token });
  const recorded = (name: string, value: unknown) => (UNTOLD.has(name) ? undefined : value);
  // Members are sorted by their names, which an erased person does not have any more.
  const data = /\/users\?/.test(path) && Array.isArray(body.data) ? body.data.toSorted(byId) : body.data;
  return JSON.parse(JSON.stringify({ status, ...body, data }, recorded));
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

interface Seen {
  story: string;
  at: string;
  answers: ReadonlyMap<string, unknown>;
}

/** The present response of each address. */
async function see(story: string, addresses: readonly string[], reader: Person): Promise<Seen> {
  // Earlier changes are before the instant, later ones after it.
  await sleep(5);
  const at = now().toISOString();
  await sleep(5);
  const answers = new Map<string, unknown>();
  for (const path of addresses) answers.set(path, await answer(path, reader));
  return { story, at, answers };
}

/** The trail also grows by recorded reads and refusals. */
const isTrail = (path: string) => path.includes('/audit-trail');

async function expectSame(seen: readonly Seen[], reader: Person, expected: (answer: unknown) => unknown) {
  for (const { story, at, answers } of seen)
    for (const [path, then] of answers) {
      if (isTrail(path)) continue;
      expect({ story, path, answer: await answer(path, reader, at) }).toEqual({ story, path, answer: expected(then) });
    }
}

const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));

test(`each path answers as of a time what it answered then, whatever came since: seed ${seed}`, async () => {
  const changes = await RandomChanges.begin(gateway, seededRandom(seed));
  const { organization } = changes;
  const { id, owner } = organization;
  const send = (method: string, path: string, request: object = {}) =>
    gateway.rest.call(method, path, { token: owner.token, ...request });
  const [one, vCiso] = [`/api/v1/organizations/${id}`, `/api/v1/v-ciso/organizations/${id}/workflows/${WORKFLOW}`];
  const people: Person[] = [owner];
  const seen: Seen[] = [];
  const note = async (story: string) => {
    people.push(...organization.members.filter((member) => !people.includes(member)));
    seen.push(await see(story, addressesOf(id, valuesOf(changes, people)), owner));
  };
  /** Imports a list as a file with some changed cells. */
  const imported = async (path: string, column: string, change: (cell: string) => string) => {
    const { text } = await send('GET', `${path}?format=csv&bom=0`);
    const [names = [], ...rows] = cellsOf(text);
    const place = names.indexOf(column);
    const body = Buffer.from(csvOf([names, ...rows.map((row) => row.with(place, change(row[place]!)))]));
    expectStatus(await send('POST', `${path}/import`, { headers: { 'content-type': 'text/csv' }, body }), 200);
  };
  await changes.run(45);
  await note('at first');
  await imported(`${vCiso}/controls`, 'note', () => 'Imported');
  await imported(`${one}/users`, 'role', (role) => (role === 'VIEWER' ? 'SECURITY_ANALYST' : role));
  const manifest = JSON.stringify({ documents: [{ path: 'a.txt', control_id: '21.2.a', note: 'One.' }] });
  const body = zip([
    { name: 'manifest.json', content: Buffer.from(manifest) },
    { name: 'a.txt', content: Buffer.from('A') },
  ] as never);
  const headers = { 'content-type': 'application/zip' };
  expectStatus(await send('POST', `${vCiso}/documents/import`, { headers, body }), 200);
  await note('after imports');
  const until = new Date(now().getTime() + 60_000).toISOString();
  const { id: engagement } = organization.engagements[0]!;
  expectStatus(await send('PATCH', `${one}/engagements/${engagement}`, { body: { until } }), 200);
  ahead += 3_600_000;
  await note('after the end of an engagement');
  await changes.run(15);
  for (const way of [0, 1]) if (organization.members.length < 3 + way) await changes.invite();
  await note('after changes behind it');
  const [leaver, eraser] = organization.members.slice(-2) as [Person, Person];
  expectStatus(await send('DELETE', `${one}/users/${leaver.id}`), 200);
  organization.members = organization.members.filter((member) => member !== leaver);
  await note('after a member has left');
  expectStatus(await changes.erase(eraser), 200);
  await note('after a member was erased');
  expectStatus(await send('DELETE', one), 200);
  ahead += 60_000;
  expectStatus(await send('POST', `${one}/restore`), 200);
  await note('after it was deleted and restored');
  await services.recordedStates.keepDue();
  // The caller cannot read the name of the organization any more.
  await gateway.rest.call('PATCH', '/api/v1/profile', { token: leaver.token, body: { first_name: 'Renamed' } });
  const erased = (text: string) => text.replaceAll(`"${eraser.username}"`, `"${pseudonymOf(eraser.id)}"`);
  await expectSame(seen, owner, (then) =>
    JSON.parse(erased(JSON.stringify(withoutFormer(then, [owner, ...organization.members])))),
  );

  // As of an instant, present permissions apply.
  const { at, answers } = seen.at(-3)!;
  const nonMember = await buildPerson(database, 'stranger');
  const viewer = await newMember(database, id, 'VIEWER');
  for (const reader of [nonMember, leaver, viewer, ...organization.engagements.map(({ auditor }) => auditor)])
    for (const path of answers.keys()) {
      const { status: present } = (await answer(path, reader)) as { status: number };
      const { status: then } = (await answer(path, reader, at)) as { status: number };
      expect([reader.username, path, then === 200 && present !== 200]).toEqual([reader.username, path, false]);
    }
}, 900_000);

test('each path answers as of a time before a sandbox was reset what it answered then', async () => {
  const owner = await buildPerson(database, 'owner');
  const { token } = owner;
  const read = async (path: string) => expectData(await gateway.rest.get(path, { token }), 200) as { id: number }[];
  const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Trial', sandbox: true } });
  const { id } = expectData(made, 201) as { id: number };
  const reset = async () => expectData(await gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token }));
  const idsOf = async (path: string) => (await read(path)).map((row) => row.id).slice(0, 3);
  await reset();
  const values: Values = {
    ...{ workflowid: [WORKFLOW], controlid: CONTROLS, artifactid: CONTROLS, userid: [owner.id] },
    ...{ incidentid: await idsOf(`/api/v1/v-ciso/incidents/${id}`), engagementid: [1], 'attachments id': [1] },
    ...{ 'documents id': await idsOf(`/api/v1/v-ciso/organizations/${id}/documents`), 'attestations id': [1] },
    ...{ 'requests id': [1], 'atb id': await idsOf(`/api/v1/atb?organization_id=${id}`) },
    'cloud-defender id': await idsOf(`/api/v1/cloud-defender?organization_id=${id}`),
  };
  // Deleted devices are not found by their id: they are only in the lists.
  const lists = addressesOf(id, values).filter((path) => !/\/(?:atb|cloud-defender)\/\d+$/.test(path));
  const before = await see('before the reset', lists, owner);
  await reset();
  await expectSame([before], owner, (then) => then);
}, 300_000);
