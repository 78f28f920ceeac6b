import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROUTES } from '../../src/rest/routes.js';
import { UNAVAILABLE_AS_OF } from '../../src/values/unavailable-as-of.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, type Person } from '../support/test-data.js';

const OPERATIONS = {
  organization: {
    rest: 'GET /api/v1/organizations/{id}',
    graphql: 'query ($id: ID!, $asOf: DateTime) { organization(id: $id, asOf: $asOf) { name } }',
    at: 'organization',
  },
  members: {
    rest: 'GET /api/v1/organizations/{id}/users',
    graphql:
      'query ($id: ID!, $asOf: DateTime) { organization(id: $id, asOf: $asOf) { users { totalCount nodes { role } } } }',
    at: 'organization.users',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { database } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();

/** An organization that the API created at the beginning, and renamed after two hours. */
async function renamed(): Promise<{ id: number; owner: Person }> {
  const owner = await buildPerson(database, 'owner');
  clock.set(0);
  const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body: { name: 'First' } });
  const { id } = made.body.data as { id: number };
  clock.set(2);
  await gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: owner.token, body: { name: 'Second' } });
  clock.set(4);
  return { id, owner };
}

describe.each(APIS)('through %s', (api) => {
  const read = (
    name: keyof typeof OPERATIONS,
    input: Readonly<Record<string, unknown>>,
    { token }: { token: string },
  ) => callThrough(api, gateway, OPERATIONS[name], input, token);

  test('a time is that of the entries up to it, and one before the creation or in the future is refused', async () => {
    const { id, owner } = await renamed();
    for (const [as_of, name] of [
      [at(0), 'First'],
      [at(1), 'First'],
      [at(2), 'Second'],
      [at(4), 'Second'],
    ] as const)
      expect(dataOf(await read('organization', { id, as_of }, owner))).toMatchObject({ name });
    const early = `as_of must not be before ${at(0)}, the time from which the audit trail records the state`;
    expectFailure(await read('organization', { id, as_of: at(-1) }, owner), 'BAD_USER_INPUT', [early]);
    const future = `as_of must not be in the future`;
    expectFailure(await read('organization', { id, as_of: at(5) }, owner), 'BAD_USER_INPUT', [future]);
  });

  test('a time without an offset is no instant', async () => {
    const { id, owner } = await renamed();
    const { code } = await read('organization', { id, as_of: '2026-11-20T00:00:00' }, owner);
    expect(code).toBe('BAD_USER_INPUT');
  });

  test('an organization whose trail lacks its state is refused until it is recorded as a whole', async () => {
    const { organizationId: id, owner } = testData;
    clock.set(0);
    await gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, {
      token: owner.token,
      body: { description: `By ${api}` },
    });
    clock.set(1);
    const unrecorded = await read('organization', { id, as_of: at(0) }, owner);
    if (api === 'REST') expect(unrecorded.code).toBe('BAD_USER_INPUT');
    await gateway.app.services.recordedStates.recordMissing();
    clock.set(2);
    expect(dataOf(await read('organization', { id, as_of: at(1) }, owner))).toMatchObject({
      name: 'First Organization',
    });
    const { total } = await read('members', { id, as_of: at(1) }, owner);
    expect(total).toBe(5);
  });

  test('roles are those of now: others find nothing, and a low role is refused what it always is', async () => {
    const { organizationId: id, viewer, nonMember } = testData;
    await gateway.app.services.recordedStates.recordMissing();
    expectFailure(await read('organization', { id, as_of: at(2) }, nonMember), 'NOT_FOUND');
    expectFailure(await read('members', { id, as_of: at(2) }, viewer), 'FORBIDDEN');
  });
});

test('fields of one request name one instant of one organization', async () => {
  const { id, owner } = await renamed();
  const send = (query: string) => gateway.graphql.call(query, { token: owner.token });
  const mixed = [
    `{ a: organization(id: "${id}", asOf: "${at(1)}") { name } b: organization(id: "${id}") { name } }`,
    `{ a: organization(id: "${id}", asOf: "${at(1)}") { name } b: organization(id: "${id}", asOf: "${at(2)}") { name } }`,
    `{ a: organization(id: "${id}", asOf: "${at(1)}") { name } viewer { user { username } } }`,
  ];
  for (const query of mixed) {
    const { body } = await send(query);
    expect(body.errors?.map(({ message }) => message)).toEqual([
      'asOf must be the same in every field of a request, all of one organization',
    ]);
  }
  const same = `{ a: organization(id: "${id}", asOf: "${at(1)}") { name } b: node(id: "Organization:${id}", asOf: "${at(1)}") { ... on Organization { name } } }`;
  expect((await send(same)).body).toEqual({ data: { a: { name: 'First' }, b: { name: 'First' } } });
});

test.each(['id', '__typename', 'databaseId viewerRole', 'changes { totalCount }'])(
  'an instant is refused where no more than %s is selected',
  async (selection) => {
    const { id, owner } = await renamed();
    const early = `asOf must not be before ${at(0)}, the time from which the audit trail records the state`;
    for (const [hours, sentence] of [
      [-1, early],
      [5, 'asOf must not be in the future'],
    ] as const)
      for (const field of [`organization(id: "${id}"`, `node(id: "Organization:${id}"`]) {
        const query = `{ at: ${field}, asOf: "${at(hours)}") { ... on Organization { ${selection} } } }`;
        const { body } = await gateway.graphql.call(query, { token: owner.token });
        expect(body).toMatchObject({ data: { at: null }, errors: [{ message: sentence, path: ['at'] }] });
      }
    const { body } = await gateway.graphql.call(`{ organization(id: "${id}", asOf: "${at(1)}") { id } }`, {
      token: owner.token,
    });
    expect(body).toEqual({ data: { organization: { id: `Organization:${id}` } } });
  },
);

test('a field that is left out by @skip or @include names no instant', async () => {
  const { id, owner } = await renamed();
  const query = `query ($past: Boolean = false) {
    then: organization(id: "${id}", asOf: "${at(1)}") @include(if: $past) { name }
    ... @skip(if: $past) { ...Now }
  }
  fragment Now on Query { now: organization(id: "${id}") { name } viewer { user { username } } }`;
  const send = async (variables: object) =>
    (await gateway.graphql.call(query, { token: owner.token, variables: { ...variables } })).body;
  expect(await send({ past: true })).toEqual({ data: { then: { name: 'First' } } });
  for (const variables of [{}, { past: false }])
    expect(await send(variables)).toEqual({
      data: { now: { name: 'Second' }, viewer: { user: { username: owner.username } } },
    });
  expect((await send({ past: null })).errors?.map(({ message }) => message)).toEqual([
    'Argument "if" of non-null type "Boolean!" must not be null.',
  ]);
});

test('an id that is none is answered as that of an organization of others is, whether an instant is given or not', async () => {
  const [{ owner }, { id: other }] = [await renamed(), await renamed()];
  const codes = async (id: string, args = '') => {
    const query = `{ node(id: "${id}"${args}) { id } organization(id: "${id}"${args}) { name } }`;
    const { body } = await gateway.graphql.call(query, { token: owner.token });
    return body.errors?.map(({ message, extensions }) => `${extensions.code} ${message}`).toSorted();
  };
  const now = await codes(`Organization:${other}`);
  const then = await codes(`Organization:${other}`, `, asOf: "${at(1)}"`);
  expect(then).toEqual(expect.arrayContaining([expect.stringMatching(/^NOT_FOUND /)]));
  for (const id of ['Organization:987654', 'Nothing:1', 'Organization:x', 'nonsense', ''])
    expect([id, await codes(id), await codes(id, `, asOf: "${at(1)}"`)]).toEqual([id, now, then]);
});

test('an entry of the trail is read by its id, and what is of no organization is refused with why', async () => {
  const { id, owner } = await renamed();
  const { body } = await gateway.graphql.call(`{ organization(id: "${id}") { auditTrail { nodes { id action } } } }`, {
    token: owner.token,
  });
  const [renaming, creation] = (
    body.data as { organization: { auditTrail: { nodes: { id: string; action: string }[] } } }
  ).organization.auditTrail.nodes;
  const read = async (node: string) =>
    (
      await gateway.graphql.call(
        `{ node(id: "${node}", asOf: "${at(1)}") { id ... on AuditEntry { action } } organization(id: "${id}", asOf: "${at(1)}") { name } }`,
        { token: owner.token },
      )
    ).body;
  expect(await read(creation!.id)).toEqual({ data: { node: creation, organization: { name: 'First' } } });
  expect((await read(renaming!.id)).errors?.map(({ extensions }) => extensions?.['code'])).toEqual(['NOT_FOUND']);
  const user = await gateway.graphql.call(`{ node(id: "User:${owner.id}", asOf: "${at(1)}") { id } }`, {
    token: owner.token,
  });
  expect(user.body.errors?.map(({ message }) => message)).toEqual([`asOf ${UNAVAILABLE_AS_OF.OTHER}`]);
});

/** REST refuses these two, and GraphQL responds with the present values beside those of that day. */
const ANSWERED = ['changes', 'workflowImports'];
/** Lists of an organization that have no past states, with the reason in the descriptions of REST. */
const UNTOLD_FIELDS = Object.fromEntries(
  ROUTES.flatMap((route) => {
    const [, name = ''] = /^organization\.(\w+)\.nodes$/.exec(route.data ?? '') ?? [];
    return name === '' || ANSWERED.includes(name) || typeof route.past !== 'string'
      ? []
      : [[name, route.past] as const];
  }),
);

test.each(Object.entries(UNTOLD_FIELDS))('%s are refused with why', async (field, reason) => {
  const { id, owner } = await renamed();
  const query = `{ organization(id: "${id}", asOf: "${at(1)}") { ${field} { nodes { __typename } } } }`;
  const { body } = await gateway.graphql.call(query, { token: owner.token });
  expect(body.errors?.map(({ message }) => message)).toEqual([`asOf ${UNAVAILABLE_AS_OF[reason]}`]);
});

test('a list that is refused leaves the others of the request their answers', async () => {
  const { id, owner } = await renamed();
  // Import jobs are non-null: their refusal is that of the whole organization.
  const refused = Object.keys(UNTOLD_FIELDS).filter((field) => field !== 'importJobs');
  const lists = [...refused, 'users', 'incidents', 'documentVersions', 'auditTrail'];
  const fields = lists.map((field) => `${field}(first: 1) { nodes { __typename } }`).join(' ');
  const { status, body } = await gateway.graphql.call(`{ organization(id: "${id}", asOf: "${at(1)}") { ${fields} } }`, {
    token: owner.token,
  });
  expect(status).toBe(200);
  expect(body.errors?.map(({ path }) => path?.at(-1)).sort()).toEqual(refused.sort());
  expect(body.data).toMatchObject({
    organization: {
      users: { nodes: [{ __typename: 'OrganizationUser' }] },
      ...{ incidents: { nodes: [] }, documentVersions: { nodes: [] } },
      auditTrail: { nodes: [{ __typename: 'AuditEntry' }] },
    },
  });
});

const ONE = (field: string) => `workflows(first: 1) { nodes { ${field} } }`;

test.each([
  ['auditTrailVerification { valid }', 'TRAIL'],
  [ONE('oscalAssessmentResults'), 'FILES'],
  [ONE('oscalComponentDefinition'), 'FILES'],
  [ONE('evidencePackUrl'), 'FILES'],
] as const)('%s, which no list is, is refused with why as well', async (field, reason) => {
  const { id, owner } = await renamed();
  const path = `/api/v1/v-ciso/organizations/${id}/workflows`;
  await gateway.rest.post(path, { token: owner.token, body: { id: 'nis2-directive' } });
  const query = `{ organization(id: "${id}", asOf: "${at(4)}") { ${field} } }`;
  const { body } = await gateway.graphql.call(query, { token: owner.token });
  expect(body.errors?.map(({ message }) => message)).toEqual([`asOf ${UNAVAILABLE_AS_OF[reason]}`]);
});

test('every list of an organization answers as of an instant, or is refused with why', async () => {
  const { id, owner } = await renamed();
  const type = `{ __type(name: "Organization") { fields { name type { name ofType { name } } } } }`;
  const { body: schema } = await gateway.graphql.call(type, { token: owner.token });
  const { fields } = (schema.data as { __type: { fields: { name: string; type: object }[] } }).__type;
  const lists = fields.filter(({ type }) => JSON.stringify(type).includes('Connection'));
  expect(lists.length).toBeGreaterThan(10);
  for (const { name } of lists) {
    const query = `{ organization(id: "${id}", asOf: "${at(1)}") { ${name} { nodes { __typename } totalCount } } }`;
    const { body } = await gateway.graphql.call(query, { token: owner.token });
    const reason = UNTOLD_FIELDS[name];
    const expected = reason === undefined ? undefined : [`asOf ${UNAVAILABLE_AS_OF[reason]}`];
    expect([name, body.errors?.map(({ message }) => message)]).toEqual([name, expected]);
  }
});

const OF_ORGANIZATION = /\{organizationid\}|organizations\/\{id\}|\/(?:atb|cloud-defender)(?:\/\{id\}|$)/;
const gets = ROUTES.filter(
  ({ method, path }) => method === 'GET' && OF_ORGANIZATION.test(path.replace(/\/series$/, '')),
);

test('every path of an organization takes an instant, or says why not', () => {
  const silent = gets.filter(({ past, operationId }) => past === undefined && operationId !== 'exportProof');
  expect(silent.map(({ path }) => path)).toEqual([]);
  const guide = readFileSync(resolve(import.meta.dirname, '../../docs/audit-trail.md'), 'utf8');
  const said = new Set(gets.flatMap(({ past }) => (typeof past === 'string' ? [UNAVAILABLE_AS_OF[past]] : [])));
  expect([...said].filter((sentence) => !guide.includes(sentence))).toEqual([]);
});

test.each(gets.flatMap(({ path, past }) => (typeof past === 'string' ? [[path, past] as const] : [])))(
  '%s says why it takes no instant',
  async (path, reason) => {
    const { id, owner } = await renamed();
    const own = path
      .replaceAll(/\{organizationid\}|(?<=organizations\/)\{id\}/g, String(id))
      .replace('{stage}', 'EARLY_WARNING')
      .replaceAll(/\{\w+\}/g, '1');
    const { body } = await gateway.rest.get(`${own}?as_of=${at(1)}`, { token: owner.token });
    expect(body.messages).toEqual([`as_of ${UNAVAILABLE_AS_OF[reason]}`]);
  },
);

test('a change takes no instant, also where the path has it for reading', async () => {
  const { id, owner } = await renamed();
  const path = `/api/v1/organizations/${id}?as_of=${at(1)}`;
  const { body } = await gateway.rest.call('PATCH', path, { token: owner.token, body: { name: 'Third' } });
  expect(body.messages).toEqual(['as_of is for GET only']);
});

test('a list of devices as of an instant is of one organization, without what devices report', async () => {
  const { id, owner } = await renamed();
  const messages = async (query: string) =>
    (await gateway.rest.get(`/api/v1/atb?as_of=${at(1)}${query}`, { token: owner.token })).body.messages;
  expect(await messages('')).toEqual(['as_of requires organization_id']);
  expect(await messages(`&organization_id=${id}&status=1`)).toEqual([`as_of ${UNAVAILABLE_AS_OF.DEVICE_REPORTS}`]);
  expect(await messages(`&organization_id=${id}&sort=-last_seen_at`)).toEqual([
    `as_of ${UNAVAILABLE_AS_OF.DEVICE_REPORTS}`,
  ]);
  expect(await messages(`&organization_id=${id}`)).toEqual([]);
});
