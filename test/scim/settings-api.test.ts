import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Api, type Operation } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { Directory, person, provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization } from '../support/test-data.js';

const SETTINGS = `enabled default_role: defaultRole group_roles: groupRoles { group role } link_members: linkMembers url
  updated_at: updatedAt`;
const TOKEN = `id: databaseId name prefix created_at: createdAt expires_at: expiresAt last_used_at: lastUsedAt revoked_at: revokedAt`;
const PATH = '/api/v1/organizations/{organization_id}/scim';
const OPERATIONS = {
  read: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!) { scimSettings(organizationId: $organizationId) { ${SETTINGS} } }`,
    at: 'scimSettings',
  },
  update: mutation(`PATCH ${PATH}`, 'updateScimSettings', `scimSettings { ${SETTINGS} }`),
  tokens: {
    rest: `GET ${PATH}/tokens`,
    graphql: `query ($organizationId: ID!, $first: Int) { organization(id: $organizationId) {
      scimTokens(first: $first) { totalCount nodes { ${TOKEN} } } } }`,
    at: 'organization.scimTokens',
  },
  token: {
    rest: `GET ${PATH}/tokens/{id}`,
    graphql: `query ($organizationId: ID!, $id: ID!) { scimToken(organizationId: $organizationId, id: $id) { ${TOKEN} } }`,
    at: 'scimToken',
  },
  create: {
    rest: `POST ${PATH}/tokens`,
    graphql: `mutation ($input: CreateScimTokenInput!) { createScimToken(input: $input) { token scim_token: scimToken { ${TOKEN} } } }`,
    at: 'createScimToken',
  },
  revoke: mutation(`DELETE ${PATH}/tokens/{id}`, 'revokeScimToken', `scimToken { ${TOKEN} }`, { id: 'scimTokenId' }),
} satisfies Record<string, Operation>;

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

type Name = keyof typeof OPERATIONS;
const run = (api: Api, name: Name, input: Record<string, unknown>, token?: string) =>
  callThrough(api, gateway, OPERATIONS[name], input, token);

async function organization() {
  const organizationId = await buildOrganization(database, 'With a directory');
  const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  return { organizationId, owner, manager, key: { organization_id: organizationId } };
}
async function trail(organizationId: number) {
  const { organization } = await gateway.graphql.data(
    `{ organization(id: ${organizationId}) { auditTrail(first: 50) { nodes {
      action subject { type databaseId name } changes { field before after } } } } }`,
    { token: (await newMember(database, organizationId, 'SECURITY_OFFICER')).token },
  );
  return organization.auditTrail.nodes;
}
const BELOW_OWNER = 'must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER';
const byManagers = [{ group: 'Admins', role: 'ORGANIZATION_MANAGER' }];

describe.each(APIS)('SCIM settings through %s', (api) => {
  test('begin switched off, and are changed by a manager, on record', async () => {
    const { organizationId, manager, key } = await organization();
    const url = `${gateway.url}/scim/v2/organizations/${organizationId}`;
    const first = {
      enabled: false,
      default_role: 'VIEWER',
      group_roles: [],
      link_members: false,
      url,
      updated_at: null,
    };
    expect(dataOf(await run(api, 'read', key, manager.token))).toEqual(first);
    const group_roles = [{ group: 'Security', role: 'SECURITY_OFFICER' }];
    const pasted = [{ group: ' Security ', role: 'SECURITY_OFFICER' }];
    const change = { ...key, enabled: true, default_role: 'SECURITY_ANALYST', group_roles: pasted };
    const changed = dataOf(await run(api, 'update', change, manager.token));
    expect(changed).toMatchObject({ enabled: true, default_role: 'SECURITY_ANALYST', group_roles, url });
    expect(dataOf(await run(api, 'read', key, manager.token))).toEqual(changed);
    dataOf(await run(api, 'update', change, manager.token));
    expect(await trail(organizationId)).toMatchObject([
      {
        action: 'SCIM_UPDATED',
        subject: { type: 'ORGANIZATION' },
        changes: [
          { field: 'defaultRole', before: 'VIEWER', after: 'SECURITY_ANALYST' },
          { field: 'enabled', before: false, after: true },
          { field: 'groupRoles', before: [], after: group_roles },
        ],
      },
    ]);
  });

  test('are not changed where they have another version by now', async () => {
    const { owner, key } = await organization();
    dataOf(await run(api, 'update', { ...key, enabled: true, if_match: 1 }, owner.token));
    const late = await run(api, 'update', { ...key, enabled: false, if_match: 1 }, owner.token);
    expectConflict(late, 'STALE_VERSION');
    dataOf(await run(api, 'update', { ...key, enabled: false, if_match: 2 }, owner.token));
  });

  test.each([
    ['a group that makes managers', { group_roles: byManagers }],
    ['managers as the default', { default_role: 'ORGANIZATION_MANAGER' }],
    ['linking of members', { link_members: true }],
  ])('with %s are an owner’s to set and to take back', async (_what, change) => {
    const { owner, manager, key } = await organization();
    expectFailure(await run(api, 'update', { ...key, ...change }, manager.token), 'FORBIDDEN');
    dataOf(await run(api, 'update', { ...key, ...change }, owner.token));
    const back = { ...key, group_roles: [], default_role: 'VIEWER', link_members: false };
    expectFailure(await run(api, 'update', back, manager.token), 'FORBIDDEN');
    dataOf(await run(api, 'update', { ...key, enabled: true }, manager.token));
  });

  test.each([
    [{ default_role: 'ORGANIZATION_OWNER' }, `default_role ${BELOW_OWNER}`],
    [{ default_role: 'AUDITOR' }, `default_role ${BELOW_OWNER}`],
    [{ group_roles: [{ group: 'A', role: 'ORGANIZATION_OWNER' }] }, `group_roles[0].role ${BELOW_OWNER}`],
    [
      {
        group_roles: [
          { group: 'A', role: 'VIEWER' },
          { group: 'a', role: 'SECURITY_ANALYST' },
        ],
      },
      'group_roles must name each group once',
    ],
  ])('refuse %j', async (change, sentence) => {
    const { owner, key } = await organization();
    expectFailure(await run(api, 'update', { ...key, ...change }, owner.token), 'BAD_USER_INPUT', [sentence]);
  });
});

describe.each(APIS)('tokens of a directory through %s', (api) => {
  test('are made, listed and revoked by a manager; the secret is shown once and stands nowhere', async () => {
    const { organizationId, manager, key } = await organization();
    dataOf(await run(api, 'update', { ...key, enabled: true }, manager.token));
    const { token, scim_token: made } = dataOf(await run(api, 'create', { ...key, name: ' Okta ' }, manager.token));
    expect(token).toMatch(/^scim_[0-9A-Za-z]{36}$/);
    expect(made).toMatchObject({ name: 'Okta', prefix: token.slice(0, 8), last_used_at: null, revoked_at: null });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(365 * DAY);
    const directory = new Directory(`${gateway.url}/scim/v2/organizations/${organizationId}`, token);
    expect(await directory.get('Users')).toMatchObject({ status: 200 });
    const one = { ...key, id: made.id };
    expect(dataOf(await run(api, 'token', one, manager.token)).last_used_at).not.toBeNull();
    dataOf(await run(api, 'revoke', one, manager.token));
    dataOf(await run(api, 'revoke', one, manager.token));
    expect(await directory.get('Users')).toMatchObject({ status: 401 });
    const list = await run(api, 'tokens', key, manager.token);
    expect(list).toMatchObject({ total: 1, data: [{ id: made.id }] });
    const entries = await trail(organizationId);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      ...['SCIM_TOKEN_REVOKED', 'SCIM_TOKEN_CREATED', 'SCIM_UPDATED'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token.slice(8));
    const dumped = JSON.stringify(await database.rows('select * from scim_token'));
    expect(dumped).not.toContain(token.slice(8));
  });

  test('are two at once, so that one takes the place of the other without a gap', async () => {
    const { organizationId, manager, key } = await organization();
    dataOf(await run(api, 'update', { ...key, enabled: true }, manager.token));
    const make = async (name: string) => dataOf(await run(api, 'create', { ...key, name }, manager.token));
    const [first, second] = [await make('First'), await make('Second')];
    expectConflict(await run(api, 'create', { ...key, name: 'Third' }, manager.token), 'SCIM_TOKEN_LIMIT');
    const elsewhere = await organization();
    const atOnce = [1, 2, 3].map(() => run(api, 'create', { ...elsewhere.key, name: 'Any' }, elsewhere.manager.token));
    expect((await Promise.all(atOnce)).map(({ code }) => code).toSorted()).toEqual(['CONFLICT', 'OK', 'OK']);
    const status = async (token: string) =>
      (await new Directory(`${gateway.url}/scim/v2/organizations/${organizationId}`, token).get('Groups')).status;
    expect([await status(first.token), await status(second.token)]).toEqual([200, 200]);
    dataOf(await run(api, 'revoke', { ...key, id: first.scim_token.id }, manager.token));
    expect([await status(first.token), await status(second.token)]).toEqual([401, 200]);
    const third = await make('Third');
    expect(await status(third.token)).toBe(200);
  });

  test('are an owner’s to make where the directory makes managers', async () => {
    const { owner, manager, key } = await organization();
    dataOf(await run(api, 'update', { ...key, enabled: true, group_roles: byManagers }, owner.token));
    expectFailure(await run(api, 'create', { ...key, name: 'Any' }, manager.token), 'FORBIDDEN');
    dataOf(await run(api, 'create', { ...key, name: 'Any' }, owner.token));
  });

  test('end after 730 days at most', async () => {
    const { manager, key } = await organization();
    const make = (days: number) =>
      run(
        api,
        'create',
        { ...key, name: 'A', expires_at: new Date(Date.now() + days * DAY).toISOString() },
        manager.token,
      );
    const sentence = ['expires_at must be in the future, 730 days from now at most'];
    expectFailure(await make(-0.01), 'BAD_USER_INPUT', sentence);
    expectFailure(await make(730.01), 'BAD_USER_INPUT', sentence);
    dataOf(await make(729.99));
  });
});

test('the first request with a new mapping changes the roles of members whose groups it names', async () => {
  const of = await provisionedOrganization(gateway);
  const { body: user } = await of.directory.post('Users', person(of.domain, 'mapped'));
  await of.directory.post('Groups', { displayName: 'Security', members: [{ value: user.id }] });
  const role = async () =>
    (
      await database.rows<{ role: string }>(
        'select m.role from membership m join scim_user s on s.membership_id = m.id where s.id = $1',
        [user.id],
      )
    )[0]?.role;
  expect(await role()).toBe('VIEWER');
  const group_roles = [{ group: 'security', role: 'SECURITY_OFFICER' }];
  await gateway.rest.patch(of.path, { token: of.manager.token, body: { group_roles } });
  expect(await role()).toBe('SECURITY_OFFICER');
  await gateway.rest.patch(of.path, { token: of.manager.token, body: { group_roles: [] } });
  expect(await role()).toBe('VIEWER');
  // A removed mapping revokes the role that it gave.
  const managers = [{ group: 'security', role: 'ORGANIZATION_MANAGER' }];
  await gateway.rest.patch(of.path, { token: of.owner.token, body: { group_roles: managers } });
  expect(await role()).toBe('ORGANIZATION_MANAGER');
  await gateway.rest.patch(of.path, { token: of.owner.token, body: { group_roles: [] } });
  expect(await role()).toBe('VIEWER');
  // A user deleted by the directory is not managed by it any more.
  await of.directory.delete(`Users/${user.id}`);
  await database.rows(
    `update membership m set role = 'SECURITY_OFFICER' from scim_user s where s.membership_id = m.id and s.id = $1`,
    [user.id],
  );
  await gateway.rest.patch(of.path, { token: of.owner.token, body: { group_roles } });
  expect(await role()).toBe('SECURITY_OFFICER');
});

test('SCIM that is switched off, an expired token and a deleted organization are refused like an unknown token', async () => {
  const of = await provisionedOrganization(gateway);
  const status = async () => (await of.directory.get('Users')).status;
  const set = (text: string) => database.rows(text, [of.organizationId]);
  expect(await status()).toBe(200);
  await gateway.rest.patch(of.path, { token: of.owner.token, body: { enabled: false } });
  expect(await status()).toBe(401);
  await gateway.rest.patch(of.path, { token: of.owner.token, body: { enabled: true } });
  expect(await status()).toBe(200);
  await set('update organization set deleted_at = now() where id = $1');
  expect(await status()).toBe(401);
  await set('update organization set deleted_at = null where id = $1');
  await set(`update scim_token set expires_at = now() - interval '1 second' where organization_id = $1`);
  expect(await status()).toBe(401);
});
