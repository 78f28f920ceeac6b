import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import type { Role } from '../../src/values/enums.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Api,
  type Operation,
  FOR_PERSONS,
} from '../support/apis.js';
import { inTurnBehind } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { buildServiceAccount, newMember, titlesOf } from '../support/people.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildOrganization, buildToken, join, type Person } from '../support/test-data.js';
import { buildEndpointOf, disabledReasonsOf } from '../support/webhooks.js';

const ACCOUNT = `id: databaseId username name description role responsible { user_id: userId username }
  created_by: createdBy { username } created_at: createdAt updated_at: updatedAt last_used_at: lastUsedAt
  viewer_can: viewerCan { update delete manage_tokens: manageTokens }`;
const TOKEN = `id: databaseId name prefix scopes created_at: createdAt expires_at: expiresAt last_used_at: lastUsedAt
  revoked_at: revokedAt replaced_at: replacedAt allowed_ips: allowedIps`;
const PATH = '/api/v1/organizations/{organization_id}/service-accounts';
const ONE = `${PATH}/{service_account_id}`;

const UNANSWERED = 'A service account has no responsible person';

const deactivate = (organizationId: number, { id }: Person) =>
  database.rows('update membership set deactivated_at = now() where organization_id = $1 and user_id = $2', [
    organizationId,
    id,
  ]);

const OPERATIONS = {
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int) { organization(id: $organizationId) {
      serviceAccounts(first: $first, offset: $offset) { totalCount nodes { ${ACCOUNT} } } } }`,
    at: 'organization.serviceAccounts',
  },
  read: {
    rest: `GET ${ONE}`,
    graphql: `query ($organizationId: ID!, $serviceAccountId: ID!) {
      serviceAccount(organizationId: $organizationId, id: $serviceAccountId) { ${ACCOUNT} } }`,
    at: 'serviceAccount',
  },
  create: mutation(`POST ${PATH}`, 'createServiceAccount', `serviceAccount { ${ACCOUNT} }`),
  update: mutation(`PATCH ${ONE}`, 'updateServiceAccount', `serviceAccount { ${ACCOUNT} }`),
  delete: mutation(`DELETE ${ONE}`, 'deleteServiceAccount', `serviceAccount { ${ACCOUNT} }`),
  tokens: {
    rest: `GET ${ONE}/tokens`,
    graphql: `query ($organizationId: ID!, $serviceAccountId: ID!, $first: Int) {
      serviceAccount(organizationId: $organizationId, id: $serviceAccountId) {
        tokens(first: $first) { totalCount nodes { ${TOKEN} } } } }`,
    at: 'serviceAccount.tokens',
  },
  revoke: mutation(`DELETE ${ONE}/tokens/{id}`, 'revokeServiceAccountToken', `serviceAccountToken { ${TOKEN} }`, {
    id: 'tokenId',
  }),
} satisfies Record<string, Operation>;

const madeBy = (name: string, fields: string): Omit<Operation, 'rest'> => ({
  graphql: `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} } }`,
  at: name,
});
const TOKEN_OPERATIONS = {
  createToken: {
    rest: `POST ${ONE}/tokens`,
    ...madeBy('createServiceAccountToken', `token service_account_token: serviceAccountToken { ${TOKEN} }`),
  },
  rotate: {
    rest: `POST ${ONE}/tokens/{id}/rotate`,
    ...madeBy(
      'rotateServiceAccountToken',
      `token service_account_token: serviceAccountToken { ${TOKEN} } replaced { ${TOKEN} }`,
    ),
    names: { id: 'tokenId' },
  },
} satisfies Record<string, Operation>;

const ALL: Readonly<Record<string, Operation>> = { ...OPERATIONS, ...TOKEN_OPERATIONS };

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;

type Input = Record<string, unknown>;
type Name = keyof typeof OPERATIONS | keyof typeof TOKEN_OPERATIONS;
const run = (api: Api, name: Name, input: Input, token?: string) => callThrough(api, gateway, ALL[name]!, input, token);

/** An organization with a person of each required rank. */
async function organization() {
  const organizationId = await buildOrganization(database, 'With service accounts');
  const member = (role: Role) => newMember(database, organizationId, role);
  return {
    ...{ organizationId, owner: await member('ORGANIZATION_OWNER'), manager: await member('ORGANIZATION_MANAGER') },
    officer: await member('SECURITY_OFFICER'),
  };
}

async function trail(organizationId: number) {
  const { organization } = await gateway.graphql.data(
    `{ organization(id: ${organizationId}) { auditTrail(first: 50) { nodes {
      action actor { type user { username } userId } subject { type databaseId name parent { type databaseId } }
      changes { field before after } } } } }`,
    { token: (await newMember(database, organizationId, 'SECURITY_OFFICER')).token },
  );
  return organization.auditTrail.nodes;
}

test('an organization with no other person is handed over to none of its service accounts', async () => {
  const organizationId = await buildOrganization(database, 'Of one person');
  const { token } = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const input = { organization_id: organizationId, name: 'Alone', role: 'ORGANIZATION_MANAGER' };
  dataOf(await run('REST', 'create', input, token));
  const query = `{ organization(id: ${organizationId}) { viewerCan { transferOwnership leave } } }`;
  const { organization: answer } = await gateway.graphql.data(query, { token });
  expect(answer.viewerCan).toEqual({ transferOwnership: false, leave: false });
});

describe.each(APIS)('service accounts through %s', (api) => {
  test('are created, read, listed by name, changed and deleted by a manager, each on record', async () => {
    const { organizationId, manager, officer } = await organization();
    const made = dataOf(
      await run(
        api,
        'create',
        { organization_id: organizationId, name: ' Nightly import ', description: 'Backups', role: 'SECURITY_ANALYST' },
        manager.token,
      ),
    );
    expect(made).toMatchObject({
      ...{ name: 'Nightly import', description: 'Backups', role: 'SECURITY_ANALYST', last_used_at: null },
      ...{ username: `service-account:${organizationId}:nightly-import` },
      responsible: { user_id: manager.id, username: manager.username },
      viewer_can: { update: true, delete: true, manage_tokens: true },
    });
    const key = { organization_id: organizationId, service_account_id: made.id };
    expect(dataOf(await run(api, 'read', key, manager.token))).toEqual(made);
    const other = dataOf(
      await run(
        api,
        'create',
        { organization_id: organizationId, name: 'Alarms', role: 'VIEWER', responsible_id: officer.id },
        manager.token,
      ),
    );
    const list = await run(api, 'list', { organization_id: organizationId }, manager.token);
    expect([list.total, list.data.map(({ name }: { name: string }) => name)]).toEqual([
      2,
      ['Alarms', 'Nightly import'],
    ]);
    const changed = dataOf(
      await run(
        api,
        'update',
        { ...key, name: 'Import', role: 'SECURITY_OFFICER', responsible_id: officer.id },
        manager.token,
      ),
    );
    expect(changed).toMatchObject({
      ...{ name: 'Import', description: 'Backups', role: 'SECURITY_OFFICER', username: made.username },
      responsible: { user_id: officer.id },
    });
    dataOf(await run(api, 'delete', { ...key, service_account_id: other.id }, manager.token));
    expectFailure(await run(api, 'read', { ...key, service_account_id: other.id }, manager.token), 'NOT_FOUND');
    const entries = await trail(organizationId);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      ...['SERVICE_ACCOUNT_DELETED', 'SERVICE_ACCOUNT_UPDATED', 'SERVICE_ACCOUNT_CREATED', 'SERVICE_ACCOUNT_CREATED'],
    ]);
    expect(entries[1]).toMatchObject({
      actor: { type: 'USER', user: { username: manager.username } },
      subject: { type: 'SERVICE_ACCOUNT', databaseId: made.id, name: made.username },
      changes: [
        { field: 'name', before: 'Nightly import', after: 'Import' },
        { field: 'responsible', before: manager.id, after: officer.id },
        { field: 'role', before: 'SECURITY_ANALYST', after: 'SECURITY_OFFICER' },
      ],
    });
    expect(await titlesOf(database, officer)).toEqual([
      'You are responsible for a service account',
      'You are responsible for a service account',
    ]);
  });

  test.each([null, ''])('have no description where it is %j', async (description) => {
    const { organizationId, manager } = await organization();
    const { id } = await buildServiceAccount(database, organizationId, manager);
    const key = { organization_id: organizationId, service_account_id: id };
    dataOf(await run(api, 'update', { ...key, description: 'Backups' }, manager.token));
    expect(dataOf(await run(api, 'update', { ...key, description }, manager.token)).description).toBe('');
  });

  test('an update that changes nothing is no entry', async () => {
    const { organizationId, manager } = await organization();
    const { id } = await buildServiceAccount(database, organizationId, manager);
    const key = { organization_id: organizationId, service_account_id: id };
    const same = { name: 'Import', role: 'SECURITY_ANALYST', responsible_id: manager.id.toUpperCase() };
    dataOf(await run(api, 'update', { ...key, ...same }, manager.token));
    expect(await trail(organizationId)).toEqual([]);
  });

  test('is changed beside a responsible member who is deactivated meanwhile, but given to no such member', async () => {
    const { organizationId, owner, manager, officer } = await organization();
    const { id } = await buildServiceAccount(database, organizationId, manager);
    for (const member of [manager, officer]) await deactivate(organizationId, member);
    const key = { organization_id: organizationId, service_account_id: id };
    const update = (responsible_id: string) =>
      run(api, 'update', { ...key, name: 'Other', responsible_id }, owner.token);
    expect(dataOf(await update(manager.id))).toMatchObject({ name: 'Other', responsible: { user_id: manager.id } });
    expectFailure(await update(officer.id), 'BAD_USER_INPUT', [
      'responsible_id must be an active member of the organization',
    ]);
  });

  test.each<[Role, Role, 'OK' | 'FORBIDDEN']>([
    ['ORGANIZATION_MANAGER', 'SECURITY_OFFICER', 'OK'],
    ['ORGANIZATION_MANAGER', 'ORGANIZATION_MANAGER', 'FORBIDDEN'],
    ['ORGANIZATION_OWNER', 'ORGANIZATION_MANAGER', 'OK'],
  ])(
    '%s and the role %s: creating, raising to it, changing and deleting, and its tokens, are %s',
    async (actor, role, outcome) => {
      const { organizationId, manager, owner } = await organization();
      const { token } = actor === 'ORGANIZATION_OWNER' ? owner : manager;
      const key = { organization_id: organizationId };
      const of = async (kind: Role) => (await buildServiceAccount(database, organizationId, owner, kind)).id;
      const results = [
        await run(api, 'create', { ...key, name: 'One', role, responsible_id: owner.id }, token),
        await run(api, 'update', { ...key, service_account_id: await of('VIEWER'), role }, token),
        await run(api, 'update', { ...key, service_account_id: await of(role), name: 'Other' }, token),
        await run(api, 'createToken', { ...key, service_account_id: await of(role), name: 'Any' }, token),
        await run(api, 'delete', { ...key, service_account_id: await of(role) }, token),
      ];
      expect(results.map(({ code }) => code)).toEqual(results.map(() => outcome));
    },
  );

  test.each(['ORGANIZATION_OWNER', 'AUDITOR'])('is never %s, not even when an owner creates it', async (role) => {
    const { organizationId, owner } = await organization();
    const { id } = await buildServiceAccount(database, organizationId, owner);
    const sentence = ['role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER'];
    const key = { organization_id: organizationId };
    expectFailure(await run(api, 'create', { ...key, name: 'One', role }, owner.token), 'BAD_USER_INPUT', sentence);
    const update = await run(api, 'update', { ...key, service_account_id: id, role }, owner.token);
    expectFailure(update, 'BAD_USER_INPUT', sentence);
  });

  test('that are demoted or deleted leave no webhook endpoint behind that is sent to', async () => {
    const { organizationId, owner } = await organization();
    for (const operation of ['update', 'delete'] as const) {
      const { id } = await buildServiceAccount(database, organizationId, owner, 'ORGANIZATION_MANAGER');
      await buildEndpointOf(database, organizationId, id);
      const key = { organization_id: organizationId, service_account_id: id };
      const change = operation === 'update' ? { ...key, role: 'SECURITY_OFFICER' } : key;
      dataOf(await run(api, operation, change, owner.token));
      expect(await disabledReasonsOf(database, id)).toEqual(['MEMBER_LEFT']);
    }
  });

  test.each<[string, (with_: Awaited<ReturnType<typeof organization>>) => Promise<string> | string]>([
    ['a person of another organization', () => testData.nonMember.id],
    [
      'a service account',
      async ({ organizationId, owner }) => (await buildServiceAccount(database, organizationId, owner)).id,
    ],
    [
      'a member who is deactivated',
      async ({ organizationId, officer }) => {
        await deactivate(organizationId, officer);
        return officer.id;
      },
    ],
  ])('%s cannot answer for it', async (_who, idOf) => {
    const with_ = await organization();
    const input = {
      organization_id: with_.organizationId,
      name: 'One',
      role: 'VIEWER',
      responsible_id: await idOf(with_),
    };
    const result = await run(api, 'create', input, with_.manager.token);
    expectFailure(result, 'BAD_USER_INPUT', ['responsible_id must be an active member of the organization']);
  });

  test('one that creates another one says who answers for it', async () => {
    const { organizationId, owner } = await organization();
    const { token } = await buildServiceAccount(database, organizationId, owner, 'ORGANIZATION_MANAGER');
    const input = { organization_id: organizationId, name: 'One', role: 'VIEWER' };
    const sentence = ['responsible_id is required where a service account creates another one'];
    expectFailure(await run(api, 'create', input, token), 'BAD_USER_INPUT', sentence);
    const made = dataOf(await run(api, 'create', { ...input, responsible_id: owner.id }, token));
    expect(made.responsible.user_id).toBe(owner.id);
  });

  test.each([
    ['a letter that has two units of UTF-16', `a${'\u{10428}'.repeat(40)}`, `a${'\u{10428}'.repeat(39)}`],
    ['the end of a word', `${'b'.repeat(39)} c`, 'b'.repeat(39)],
  ])('a long name is cut for the user name at %s', async (_place, name, words) => {
    const { organizationId, manager } = await organization();
    const made = await run(api, 'create', { organization_id: organizationId, name, role: 'VIEWER' }, manager.token);
    expect(dataOf(made)).toMatchObject({ name, username: `service-account:${organizationId}:${words}` });
  });

  test(`an organization has ${LIMITS.serviceAccount.perOrganization} at most, deleted ones not counted`, async () => {
    const { organizationId, manager } = await organization();
    for (let n = 1; n < LIMITS.serviceAccount.perOrganization; n += 1)
      await buildServiceAccount(database, organizationId, manager);
    const input = { organization_id: organizationId, name: 'Last', role: 'VIEWER' };
    const last = dataOf(await run(api, 'create', input, manager.token));
    expectConflict(await run(api, 'create', input, manager.token), 'SERVICE_ACCOUNT_LIMIT');
    dataOf(await run(api, 'delete', { organization_id: organizationId, service_account_id: last.id }, manager.token));
    const again = dataOf(await run(api, 'create', input, manager.token));
    expect(again.username).toMatch(/:last-\d+$/);
  });

  test.each([
    ['name', LIMITS.serviceAccount.nameCharacters],
    ['description', LIMITS.serviceAccount.descriptionCharacters],
  ])('%s has %i characters at most', async (field, most) => {
    const { organizationId, manager } = await organization();
    const input = (length: number) => ({
      organization_id: organizationId,
      name: 'One',
      role: 'VIEWER',
      [field]: 'a'.repeat(length),
    });
    expect((await run(api, 'create', input(most), manager.token)).code).toBe('OK');
    expect((await run(api, 'create', input(most + 1), manager.token)).code).toBe('BAD_USER_INPUT');
  });

  test('is absent in another organization, for its managers as well', async () => {
    const { organizationId, manager } = await organization();
    const other = await organization();
    const { id } = await buildServiceAccount(database, organizationId, manager);
    const keys = [
      [{ organization_id: organizationId, service_account_id: id }, other.manager.token],
      [{ organization_id: other.organizationId, service_account_id: id }, other.manager.token],
      [{ organization_id: organizationId, service_account_id: 'never-was' }, manager.token],
    ] as const;
    for (const [key, token] of keys)
      for (const [name, input] of [
        ['read', {}],
        ['update', { name: 'x' }],
        ['delete', {}],
        ['tokens', {}],
        ['createToken', { name: 'x' }],
      ] as const)
        expectFailure(await run(api, name, { ...key, ...input }, token), 'NOT_FOUND');
  });

  test('tokens are made, listed, rotated and revoked, each on record in the trail of the organization', async () => {
    const { organizationId, manager } = await organization();
    const account = await buildServiceAccount(database, organizationId, manager);
    const key = { organization_id: organizationId, service_account_id: account.id };
    const made = dataOf(
      await run(
        api,
        'createToken',
        { ...key, name: 'Centre', scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.0/8'] },
        manager.token,
      ),
    );
    expect(made.token).toMatch(/^scp_/);
    expect(made.service_account_token).toMatchObject({
      name: 'Centre',
      scopes: ['READ', 'WRITE'],
      allowed_ips: ['127.0.0.0/8'],
      revoked_at: null,
    });
    const { id } = made.service_account_token;
    const rotated = dataOf(await run(api, 'rotate', { ...key, id, grace_hours: 1 }, manager.token));
    expect(rotated.replaced).toMatchObject({ id, replaced_at: expect.any(String) });
    expectConflict(await run(api, 'rotate', { ...key, id }, manager.token), 'TOKEN_NOT_ROTATABLE');
    dataOf(await run(api, 'revoke', { ...key, id }, manager.token));
    const list = await run(api, 'tokens', key, manager.token);
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['Centre', 'Centre', 'test']);
    expect(JSON.stringify(list.data)).not.toContain(made.token);
    expect((await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token: made.token })).status).toBe(401);
    expect((await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token: rotated.token })).status).toBe(
      200,
    );
    const entries = await trail(organizationId);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'TOKEN_REVOKED',
      'TOKEN_ROTATED',
      'TOKEN_CREATED',
    ]);
    for (const entry of entries) {
      expect(entry.subject.parent).toEqual({ type: 'SERVICE_ACCOUNT', databaseId: account.id });
      expect(JSON.stringify(entry)).not.toContain(made.token);
    }
  });

  test('a token that is made or rotated while its account is deleted ends with it', async () => {
    const { organizationId, manager } = await organization();
    const account = await buildServiceAccount(database, organizationId, manager);
    const key = { organization_id: organizationId, service_account_id: account.id };
    const { service_account_token } = dataOf(await run(api, 'createToken', { ...key, name: 'Old' }, manager.token));
    const lock = ['select from app_user where id = $1 for update', [account.id]] as const;
    const [made, rotated, deleted] = await inTurnBehind(database, lock, [
      () => run(api, 'createToken', { ...key, name: 'New' }, manager.token),
      () => run(api, 'rotate', { ...key, id: service_account_token.id }, manager.token),
      () => run(api, 'delete', key, manager.token),
    ]);
    for (const answer of [made!, rotated!, deleted!]) dataOf(answer);
    const live = 'select name from api_token where user_id = $1 and revoked_at is null';
    expect(await database.rows(live, [account.id])).toEqual([]);
  });

  test('a token of another user is absent among those of a service account', async () => {
    const { organizationId, manager, owner } = await organization();
    const account = await buildServiceAccount(database, organizationId, manager);
    const [row] = await database.rows<{ id: number }>('select max(id) as id from api_token where user_id = $1', [
      owner.id,
    ]);
    const key = { organization_id: organizationId, service_account_id: account.id, id: row!.id };
    expectFailure(await run(api, 'revoke', key, manager.token), 'NOT_FOUND');
    expectFailure(await run(api, 'rotate', key, manager.token), 'NOT_FOUND');
    expect((await gateway.rest.get('/api/v1/profile', { token: owner.token })).status).toBe(200);
  });

  test('a token may do no more than the token that makes it', async () => {
    const { organizationId, manager } = await organization();
    const account = await buildServiceAccount(database, organizationId, manager);
    const key = { organization_id: organizationId, service_account_id: account.id };
    const writeOnly = await buildToken(database, manager, { scopes: ['write'] });
    expectFailure(await run(api, 'createToken', { ...key, name: 'x', scopes: ['READ'] }, writeOnly), 'FORBIDDEN');
    expect((await run(api, 'createToken', { ...key, name: 'x', scopes: ['WRITE'] }, writeOnly)).code).toBe('OK');
    expect((await run(api, 'createToken', { ...key, name: 'x', scopes: ['TELEMETRY'] }, manager.token)).code).toBe(
      'OK',
    );
    const bound = await buildToken(database, manager, {});
    await database.rows(`update api_token set allowed_ips = '{127.0.0.1}' where id = (select max(id) from api_token)`);
    expectFailure(await run(api, 'createToken', { ...key, name: 'x', allowed_ips: ['0.0.0.0/0'] }, bound), 'FORBIDDEN');
    const made = dataOf(await run(api, 'createToken', { ...key, name: 'x' }, bound));
    expect(made.service_account_token.allowed_ips).toEqual(['127.0.0.1']);
  });
});

describe('a service account', () => {
  let shared: Awaited<ReturnType<typeof organization>> & { account: Person };
  const accountOf = async (role: Role = 'SECURITY_ANALYST') => {
    const made = await organization();
    shared = { ...made, account: await buildServiceAccount(database, made.organizationId, made.manager, role) };
    return shared;
  };

  test('writes under its own name, and stands in the trail as itself', async () => {
    const { organizationId, account } = await accountOf();
    const { createIncident } = await gateway.graphql.data(
      `mutation { createIncident: openIncident(input: { organizationId: ${organizationId}, title: "Found", severity: LOW }) { incident { openedBy { username } } } }`,
      { token: account.token },
    );
    expect(createIncident.incident.openedBy).toEqual({ username: account.username });
    const [entry] = await trail(organizationId);
    expect(entry).toMatchObject({
      action: 'INCIDENT_OPENED',
      actor: { type: 'SERVICE_ACCOUNT', userId: account.id, user: { username: account.username } },
    });
  });

  test('is the actor that a trail is filtered by, under each of its ids', async () => {
    const { organizationId, account, owner, manager } = await accountOf();
    const opened = await gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}`, {
      token: account.token,
      body: { title: 'Found', severity: 'LOW' },
    });
    expect(opened.status).toBe(201);
    const { organization } = await gateway.graphql.data(
      `{ organization(id: ${organizationId}) { serviceAccounts { nodes { id } } } }`,
      { token: owner.token },
    );
    const [{ id }] = organization.serviceAccounts.nodes;
    const codeOr = async (actorId: string) => {
      const { body } = await gateway.graphql.call(
        `query ($organizationId: ID!, $actorId: ID!) { organization(id: $organizationId) {
           auditTrail(filter: { actorId: $actorId }) { nodes { action } } } }`,
        { token: manager.token, variables: { organizationId, actorId } },
      );
      return body.errors?.[0]?.extensions.code ?? body.data?.organization.auditTrail.nodes;
    };
    expect(id).toMatch(/^ServiceAccount:/);
    for (const each of [id, account.id])
      expect([each, await codeOr(each)]).toEqual([each, [{ action: 'INCIDENT_OPENED' }]]);
    expect(await codeOr('Incident:1')).toBe('NOT_FOUND');
  });

  test('sees its own organization and no other, in lists as well', async () => {
    const { organizationId, account } = await accountOf('ORGANIZATION_MANAGER');
    await buildIncident(database, organizationId);
    await buildIncident(database, testData.organizationId);
    const { data } = (await gateway.rest.get('/api/v1/organizations', { token: account.token })).body as {
      data: { id: number }[];
    };
    expect(data.map(({ id }) => id)).toEqual([organizationId]);
    const { incidents, portfolio, viewer } = await gateway.graphql.data(
      `{ incidents: search(query: "Phishing") { nodes { organization { databaseId } } }
         portfolio { nodes { organization { databaseId } } }
         viewer { user { kind username email firstName } organizationRoles { role privileges } } }`,
      { token: account.token },
    );
    expect(incidents.nodes).toEqual([{ organization: { databaseId: organizationId } }]);
    expect(portfolio.nodes).toEqual([{ organization: { databaseId: organizationId } }]);
    expect(viewer.user).toEqual({
      kind: 'SERVICE_ACCOUNT',
      username: account.username,
      email: null,
      firstName: 'Import',
    });
    expect(viewer.organizationRoles[0].privileges).not.toContain('LEAVE_ORGANIZATION');
    for (const path of [
      `/api/v1/organizations/${testData.organizationId}`,
      `/api/v1/v-ciso/incidents/${testData.organizationId}`,
    ])
      expect((await gateway.rest.get(path, { token: account.token })).status).toBe(404);
  });

  test('that is deleted is answered with its tokens, which are revoked', async () => {
    const { organizationId, account, manager } = await accountOf();
    const document = `mutation ($input: DeleteServiceAccountInput!) { deleteServiceAccount(input: $input) {
      serviceAccount { name tokens { nodes { revokedAt } } } } }`;
    const variables = { input: { organizationId, serviceAccountId: account.id } };
    const { deleteServiceAccount } = await gateway.graphql.data(document, { token: manager.token, variables });
    expect(deleteServiceAccount.serviceAccount).toEqual({
      name: 'Import',
      tokens: { nodes: [{ revokedAt: expect.any(String) }] },
    });
  });

  test('cannot be made a member of another organization, in the database either', async () => {
    const { account } = await accountOf();
    await expect(join(database, account, testData.otherOrganizationId, 'VIEWER')).rejects.toThrow();
  });

  test('is in no list of members, no search, and cannot be changed, removed or made an owner as a member', async () => {
    const { organizationId, owner, account } = await accountOf();
    const members = await gateway.rest.get(`/api/v1/organizations/${organizationId}/users`, { token: owner.token });
    expect((members.body.data as { id: string }[]).map(({ id }) => id)).not.toContain(account.id);
    expect(members.body.total).toBe(3);
    const path = `/api/v1/organizations/${organizationId}/users/${account.id}`;
    const statuses = [
      await gateway.rest.get(path, { token: owner.token }),
      await gateway.rest.call('PATCH', path, { token: owner.token, body: { role: 'ORGANIZATION_OWNER' } }),
      await gateway.rest.call('DELETE', path, { token: owner.token }),
      await gateway.rest.call('POST', `/api/v1/organizations/${organizationId}/transfer`, {
        token: owner.token,
        body: { user_id: account.id },
      }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404]);
    const { search } = await gateway.graphql.data(`{ search(query: "service-account") { nodes { type } } }`, {
      token: owner.token,
    });
    expect(search.nodes).toEqual([]);
  });

  test('reads what its token may do, as a caller without an e-mail address', async () => {
    const { organizationId, manager } = await organization();
    const { id, token } = await buildServiceAccount(database, organizationId, manager);
    // The answer is compared with the OpenAPI document.
    const { body } = await gateway.rest.get('/api/v1/token', { token });
    expect(body.data.user).toMatchObject({ id, email: '' });
  });

  test('cannot leave, and cannot follow notifications', async () => {
    const { organizationId, account } = await accountOf();
    const leave = await gateway.rest.call('POST', `/api/v1/organizations/${organizationId}/leave`, {
      token: account.token,
    });
    const notifications = await gateway.rest.get('/api/v1/notifications', { token: account.token });
    const trail = await gateway.graphql.call('{ viewer { auditTrail { totalCount } } }', { token: account.token });
    for (const { status, body } of [leave, notifications]) expect([status, body.messages]).toEqual([403, FOR_PERSONS]);
    expect(trail.body.errors).toMatchObject([
      { message: FOR_PERSONS[1], extensions: { code: 'FORBIDDEN', messages: FOR_PERSONS } },
    ]);
    const italian = { token: account.token, headers: { 'accept-language': 'it' } };
    const { body } = await gateway.rest.get('/api/v1/notifications', italian);
    expect(body.messages).toEqual([1003, expect.stringMatching(/^Questa operazione è riservata alle persone/)]);
  });

  test('is refused what its role does not allow in the words that a person is', async () => {
    const { organizationId, account } = await accountOf();
    const path = `/api/v1/organizations/${organizationId}/invitations`;
    const { status, body } = await gateway.rest.get(path, { token: account.token });
    expect([status, body.messages]).toEqual([403, [1003]]);
  });

  test('has organizations listed whose alerts and mail preferences it may not read', async () => {
    const { organizationId, account } = await accountOf();
    const { body } = await gateway.graphql.call(
      '{ organizations { nodes { databaseId alerts { atb } mailPreferences { version } } } }',
      { token: account.token },
    );
    expect(body.data).toEqual({
      organizations: { nodes: [{ databaseId: organizationId, alerts: null, mailPreferences: null }] },
    });
    expect(body.errors).toMatchObject(
      ['alerts', 'mailPreferences'].map((field) => ({
        path: ['organizations', 'nodes', 0, field],
        extensions: { code: 'FORBIDDEN' },
      })),
    );
  });

  test('gets no notification, also where its role would', async () => {
    const { organizationId, account, owner } = await accountOf('ORGANIZATION_MANAGER');
    await gateway.graphql.data(
      `mutation { openIncident(input: { organizationId: ${organizationId}, title: "Found", severity: LOW }) { incident { id } } }`,
      { token: owner.token },
    );
    expect(await titlesOf(database, account)).toEqual([]);
  });

  test('rotates and revokes its own tokens, which the managers see, and makes none', async () => {
    const { organizationId, account } = await accountOf();
    const [row] = await database.rows<{ id: number }>('select max(id) as id from api_token where user_id = $1', [
      account.id,
    ]);
    expect(
      (
        await gateway.rest.call('POST', '/api/v1/tokens', {
          token: account.token,
          body: { name: 'x', scopes: ['READ'] },
        })
      ).status,
    ).toBe(403);
    const rotated = await gateway.rest.call('POST', `/api/v1/tokens/${row!.id}/rotate`, {
      token: account.token,
      body: {},
    });
    expect(rotated.status).toBe(201);
    const { token } = rotated.body.data as { token: string };
    expect((await gateway.rest.call('DELETE', `/api/v1/tokens/${row!.id}`, { token })).status).toBe(200);
    const actions = async () => (await trail(organizationId)).map(({ action }: { action: string }) => action);
    await until(async () => (await actions()).includes('ACCESS_REFUSED'));
    expect(await actions()).toEqual(expect.arrayContaining(['TOKEN_ROTATED', 'TOKEN_REVOKED']));
  });

  test('is refused from the moment on when it is deleted, and what it did retains its name', async () => {
    const { organizationId, manager, account } = await accountOf();
    const opened = await gateway.graphql.data(
      `mutation { openIncident(input: { organizationId: ${organizationId}, title: "Found", severity: LOW }) { incident { databaseId } } }`,
      { token: account.token },
    );
    dataOf(
      await run(
        'GraphQL',
        'delete',
        { organization_id: organizationId, service_account_id: account.id },
        manager.token,
      ),
    );
    expect((await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token: account.token })).status).toBe(
      401,
    );
    const { incident } = await gateway.graphql.data(
      `{ incident(organizationId: ${organizationId}, id: ${opened.openIncident.incident.databaseId}) { openedBy { username } } }`,
      { token: manager.token },
    );
    expect(incident.openedBy).toEqual({ username: account.username });
    expect((await trail(organizationId)).at(-1)!.actor).toMatchObject({
      type: 'SERVICE_ACCOUNT',
      user: { username: account.username },
    });
  });

  test.each(['removed', 'left', 'erased'])(
    'goes on when the member who answers for it has %s, and the managers are notified',
    async (how) => {
      const { organizationId, owner, manager, officer } = await organization();
      const account = await buildServiceAccount(database, organizationId, officer);
      const deleted = await buildServiceAccount(database, organizationId, officer);
      const key = { organization_id: organizationId, service_account_id: deleted.id };
      dataOf(await run('REST', 'delete', key, owner.token));
      const users = `/api/v1/organizations/${organizationId}/users/${officer.id}`;
      if (how === 'removed') await gateway.rest.call('DELETE', users, { token: owner.token });
      else if (how === 'left')
        await gateway.rest.call('POST', `/api/v1/organizations/${organizationId}/leave`, { token: officer.token });
      else await gateway.rest.call('DELETE', `/api/v1/profile?username=${officer.username}`, { token: officer.token });
      const read = await run(
        'REST',
        'read',
        { organization_id: organizationId, service_account_id: account.id },
        manager.token,
      );
      expect(dataOf(read).responsible).toBeNull();
      expect((await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token: account.token })).status).toBe(
        200,
      );
      // Also the owner who has removed the member. The deleted account has no notification.
      for (const each of [manager, owner])
        expect((await titlesOf(database, each)).filter((title) => title === UNANSWERED)).toHaveLength(1);
    },
  );

  test('goes for good with its organization, and its tokens with it', async () => {
    const { organizationId, account } = await accountOf();
    await database.rows('delete from organization where id = $1', [organizationId]);
    expect(await database.rows('select id from app_user where id = $1', [account.id])).toEqual([]);
    expect(await database.rows('select id from api_token where user_id = $1', [account.id])).toEqual([]);
  });

  test('the responsible user, or the managers, are notified of its expiring tokens', async () => {
    const { organizationId, officer, manager } = await organization();
    const ends = async (responsible: Person | null) => {
      const account = await buildServiceAccount(database, organizationId, responsible);
      await database.rows(
        `update api_token set created_at = now() - interval '30 days', expires_at = $2 where user_id = $1`,
        [account.id, new Date(Date.now() + 3 * DAY)],
      );
    };
    await ends(officer);
    await gateway.app.services.tokenWarnings.warnExpiring();
    expect(await titlesOf(database, officer)).toEqual(['A token of a service account expires soon']);
    expect(await titlesOf(database, manager)).toEqual([]);
    await ends(null);
    await gateway.app.services.tokenWarnings.warnExpiring();
    expect(await titlesOf(database, manager)).toEqual(['A token of a service account expires soon']);
    expect(await titlesOf(database, officer)).toHaveLength(1);
    await deactivate(organizationId, officer);
    await ends(officer);
    await gateway.app.services.tokenWarnings.warnExpiring();
    expect(await titlesOf(database, manager)).toHaveLength(2);
  });

  test('a token of it that an owner blocks is recorded as its token, and who answers for it is notified, or the managers', async () => {
    const { organizationId, owner, officer, manager } = await organization();
    const account = await buildServiceAccount(database, organizationId, officer);
    const block = async () => {
      await buildToken(database, account, {});
      const [token] = await database.rows('select max(id) as id from api_token where user_id = $1', [account.id]);
      const path = `/api/v1/organizations/${organizationId}/tokens/${token!['id']}`;
      expectStatus(await gateway.rest.call('DELETE', path, { token: owner.token }), 200);
    };
    await block();
    const entries = `/api/v1/organizations/${organizationId}/audit-trail?action=TOKEN_BLOCKED`;
    const [entry] = (await gateway.rest.get(entries, { token: owner.token })).body.data;
    expect(entry.subject).toMatchObject({ name: 'test', parent: { type: 'SERVICE_ACCOUNT', id: account.id } });
    expect(await titlesOf(database, officer)).toEqual(['A token of a service account was blocked']);
    expect(await titlesOf(database, manager)).toEqual([]);
    await deactivate(organizationId, officer);
    await block();
    expect(await titlesOf(database, manager)).toEqual(['A token of a service account was blocked']);
  });
});
