import { describe, expect, test } from '@jest/globals';
import { inTurnBehind } from '../support/lock-waits.js';
import { newMember } from '../support/people.js';
import { person, provisionedOrganization, type Directory, type Provisioned } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildEndpointOf, disabledReasonsOf } from '../support/webhooks.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;
const GROUP_ROLES = [
  { group: 'Analysts', role: 'SECURITY_ANALYST' },
  { group: 'Officers', role: 'SECURITY_OFFICER' },
];
const one = await provisionedOrganization(gateway, { group_roles: GROUP_ROLES });
const { directory } = one;

let people = 0;
async function user(of: Provisioned = one): Promise<string> {
  const { status, body } = await of.directory.post('Users', person(of.domain, `p${(people += 1)}`));
  expect(status).toBe(201);
  return body.id;
}
let groups = 0;
/** A group without a role, unless it has a name. */
async function group(members: readonly string[] = [], displayName = `Group ${(groups += 1)}`, of = directory) {
  const { status, body } = await of.post('Groups', { displayName, members: members.map((value) => ({ value })) });
  expect(status).toBe(201);
  return body as { id: string; meta: { version: string } };
}
const membersOf = async (id: string, of: Directory = directory) =>
  (await of.get(`Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort();
const roleOf = async (id: string) =>
  (
    await database.rows<{ role: string }>(
      'select m.role from membership m join scim_user s on s.membership_id = m.id where s.id = $1',
      [id],
    )
  )[0]?.role;
const userIdOf = async (id: string) =>
  (
    await database.rows<{ userId: string }>(
      'select m.user_id as "userId" from membership m join scim_user s on s.membership_id = m.id where s.id = $1',
      [id],
    )
  )[0]!.userId;
async function trail(organizationId: number) {
  const { token } = await newMember(database, organizationId, 'SECURITY_OFFICER');
  const { organization } = await gateway.graphql.data(
    `{ organization(id: ${organizationId}) { auditTrail(first: 50) { nodes {
      action actor { type job } subject { type databaseId name } changes { field before after } } } } }`,
    { token },
  );
  return organization.auditTrail.nodes;
}

test('a group that is made with members after a wait was not modified before it was created', async () => {
  const member = await user();
  const lock = ['select from organization where id = $1 for update', [one.organizationId]] as const;
  const [made] = await inTurnBehind(database, lock, [() => group([member])]);
  const { created, lastModified } = (await directory.get(`Groups/${made!.id}`)).body.meta;
  expect(Date.parse(lastModified)).toBeGreaterThanOrEqual(Date.parse(created));
});

/** The requests of each directory that add a member to a group and remove it. */
const FORMS: Record<string, Record<'add' | 'remove', (id: string) => object[]>> = {
  'Entra ID': {
    add: (value) => [{ op: 'Add', path: 'members', value: [{ $ref: null, value }] }],
    remove: (value) => [{ op: 'Remove', path: 'members', value: [{ $ref: null, value }] }],
  },
  'Entra ID with value paths': {
    add: (value) => [{ name: 'addMember', op: 'Add', path: 'members', value: [{ value }] }],
    remove: (value) => [{ op: 'Remove', path: `members[value eq "${value}"]` }],
  },
  Okta: {
    add: (value) => [{ op: 'add', path: 'members', value: [{ value, display: 'anna@example.com' }] }],
    remove: (value) => [{ op: 'remove', path: `members[value eq "${value}"]` }],
  },
  authentik: {
    add: (value) => [{ op: 'add', path: 'members', value: [{ value }] }],
    remove: (value) => [{ op: 'remove', path: 'members', value: [{ value }] }],
  },
  'a value without a path': {
    add: (value) => [{ op: 'add', value: { members: [{ value }] } }],
    remove: (value) => [
      { op: 'REMOVE', path: `urn:ietf:params:scim:schemas:core:2.0:Group:members[VALUE eq "${value}"]` },
    ],
  },
};

describe.each(Object.entries(FORMS))('members of groups in the form of %s', (_form, { add, remove }) => {
  test('are added and removed one by one, and the others stay', async () => {
    const [first, second, third] = [await user(), await user(), await user()];
    const { id } = await group([first, second]);
    expect(await directory.patch(`Groups/${id}`, add(third))).toMatchObject({ status: 204, body: undefined });
    expect(await membersOf(id)).toEqual([first, second, third].sort());
    expect((await directory.patch(`Groups/${id}`, add(third))).status).toBe(204);
    expect((await directory.patch(`Groups/${id}`, remove(second))).status).toBe(204);
    expect(await membersOf(id)).toEqual([first, third].sort());
    expect((await directory.patch(`Groups/${id}`, remove(second))).status).toBe(204);
  });
});

test('a member that a path names can be removed, and nothing else', async () => {
  const [first, second] = [await user(), await user()];
  const { id } = await group([first]);
  for (const op of ['add', 'replace']) {
    const operation = { op, path: `members[value eq "${first}"]`, value: [{ value: second }] };
    const refused = { status: 400, body: { scimType: 'invalidPath' } };
    expect(await directory.patch(`Groups/${id}`, [operation])).toMatchObject(refused);
  }
  expect(await membersOf(id)).toEqual([first]);
});

test('a PATCH of a group gives and takes away the id of the directory, and refuses what a group does not have', async () => {
  const { id } = await group([], 'Patched');
  const changed = async (operation: object) => {
    await directory.patch(`Groups/${id}`, [operation]);
    return (await directory.get(`Groups/${id}`)).body.externalId;
  };
  expect(await changed({ op: 'add', path: 'externalId', value: 'given' })).toBe('given');
  expect(await changed({ op: 'remove', path: 'externalId' })).toBeUndefined();
  const { body: before } = await directory.get(`Groups/${id}`);
  for (const [operation, scimType] of [
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'members.value', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName[type eq "x"]', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName.x', value: 'x' }, 'invalidPath'],
  ] as const)
    expect([operation, await directory.patch(`Groups/${id}`, [operation])]).toMatchObject([
      operation,
      { status: 400, body: { scimType } },
    ]);
  expect((await directory.get(`Groups/${id}`)).body).toEqual(before);
});

test('members may be one value, which is no list', async () => {
  const value = await user();
  const { id } = await group();
  expect((await directory.patch(`Groups/${id}`, [{ op: 'add', path: 'members', value: { value } }])).status).toBe(204);
  expect(await membersOf(id)).toEqual([value]);
});

test('a directory without PATCH replaces a group: Keycloak sends all members, and none when it takes the last one away', async () => {
  const [first, second] = [await user(), await user()];
  const { id } = await group([first], 'Replaced');
  const put = (more: object) =>
    directory.put(`Groups/${id}`, { id, displayName: 'Replaced', externalId: 'kc-1', ...more });
  expect(await put({ members: [{ value: second, $ref: `Users/${second}`, display: 'x' }] })).toMatchObject({
    status: 200,
  });
  expect(await membersOf(id)).toEqual([second]);
  const members = [{ value: second }];
  expect(await put({ displayName: 'Renamed', members })).toMatchObject({
    body: { displayName: 'Renamed', externalId: 'kc-1' },
  });
  expect(await membersOf(id)).toEqual([second]);
  await put({ members: [] });
  expect(await membersOf(id)).toEqual([]);
  await put({ members });
  await put({});
  expect(await membersOf(id)).toEqual([]);
});

test('a list of members without a value empties the group, and an empty list of whom to remove changes nothing', async () => {
  const { id } = await group([await user()]);
  await directory.patch(`Groups/${id}`, [{ op: 'remove', path: 'members', value: [] }]);
  expect(await membersOf(id)).toHaveLength(1);
  await directory.patch(`Groups/${id}`, [{ op: 'remove', path: 'members' }]);
  expect(await membersOf(id)).toEqual([]);
});

test('Okta renames a group with its id in a value without a path, and authentik sends the schemas as well', async () => {
  const { id } = await group();
  await directory.patch(`Groups/${id}`, [{ op: 'replace', value: { id, displayName: 'By Okta' } }]);
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  const value = { schemas, id, externalId: 'ak-1', displayName: 'By authentik' };
  await directory.patch(`Groups/${id}`, [{ op: 'replace', value }]);
  expect((await directory.get(`Groups/${id}`)).body).toMatchObject({ displayName: 'By authentik', externalId: 'ak-1' });
});

describe('roles', () => {
  test('are those of the groups, the highest of them, and the default again without', async () => {
    const of = await provisionedOrganization(gateway, { group_roles: GROUP_ROLES });
    const id = await user(of);
    const analysts = await group([id], 'ANALYSTS', of.directory);
    expect(await roleOf(id)).toBe('SECURITY_ANALYST');
    const officers = await group([], 'Officers', of.directory);
    await of.directory.patch(`Groups/${officers.id}`, FORMS['Okta']!.add(id));
    expect(await roleOf(id)).toBe('SECURITY_OFFICER');
    await of.directory.patch(`Groups/${officers.id}`, [{ op: 'replace', path: 'displayName', value: 'Others' }]);
    expect(await roleOf(id)).toBe('SECURITY_ANALYST');
    expect(await of.directory.delete(`Groups/${analysts.id}`)).toMatchObject({ status: 204 });
    expect(await roleOf(id)).toBe('VIEWER');
    expect((await of.directory.get(`Users/${id}`)).body.groups).toMatchObject([
      { value: officers.id, display: 'Others' },
    ]);
    const entries = await trail(of.organizationId);
    expect(entries.slice(0, 4)).toMatchObject([
      { action: 'MEMBER_UPDATED', changes: [{ field: 'role', before: 'SECURITY_ANALYST', after: 'VIEWER' }] },
      {
        action: 'SCIM_GROUP_DELETED',
        actor: { type: 'SCIM', job: 'scim:Entra ID' },
        subject: { type: 'SCIM_GROUP', databaseId: analysts.id, name: 'ANALYSTS' },
        changes: [
          { field: 'displayName', before: 'ANALYSTS' },
          { field: 'removed', before: [id] },
        ],
      },
      { action: 'MEMBER_UPDATED' },
      { action: 'SCIM_GROUP_UPDATED', changes: [{ field: 'displayName', before: 'Officers', after: 'Others' }] },
    ]);
  });

  test('end with a group that is renamed, also for whom the same request takes away', async () => {
    const of = await provisionedOrganization(gateway, { group_roles: GROUP_ROLES });
    const [stays, goes] = [await user(of), await user(of)];
    const { id } = await group([stays, goes], 'Officers', of.directory);
    const body = { displayName: 'Others', members: [{ value: stays }] };
    expect(await of.directory.put(`Groups/${id}`, body)).toMatchObject({ status: 200 });
    expect([await roleOf(stays), await roleOf(goes)]).toEqual(['VIEWER', 'VIEWER']);
  });

  test('of managers come from groups only where an owner has mapped one, and those of owners remain; webhooks end with them', async () => {
    const of = await provisionedOrganization(gateway, {
      group_roles: [{ group: 'Admins', role: 'ORGANIZATION_MANAGER' }],
    });
    const [first, second] = [await user(of), await user(of)];
    await database.rows(
      `update membership set role = 'ORGANIZATION_OWNER' where id = (select membership_id from scim_user where id = $1)`,
      [second],
    );
    const admins = await group([first, second], 'Admins', of.directory);
    expect([await roleOf(first), await roleOf(second)]).toEqual(['ORGANIZATION_MANAGER', 'ORGANIZATION_OWNER']);
    const userIds = [await userIdOf(first), await userIdOf(second)] as const;
    for (const userId of userIds) await buildEndpointOf(database, of.organizationId, userId);
    await of.directory.delete(`Groups/${admins.id}`);
    expect(await disabledReasonsOf(database, userIds[0])).toEqual(['MEMBER_LEFT']);
    expect(await disabledReasonsOf(database, userIds[1])).toEqual([null]);
    expect([await roleOf(first), await roleOf(second)]).toEqual(['VIEWER', 'ORGANIZATION_OWNER']);
  });

  test('of a member who was made a manager by hand stay where no group makes managers', async () => {
    const id = await user();
    await database.rows(
      `update membership set role = 'ORGANIZATION_MANAGER' where id = (select membership_id from scim_user where id = $1)`,
      [id],
    );
    await group([id], 'By hand');
    expect(await roleOf(id)).toBe('ORGANIZATION_MANAGER');
    expect((await directory.patch(`Users/${id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(403);
  });
});

describe('groups', () => {
  test('have names that differ by more than case: of two at the same time one is 201 and one is 409', async () => {
    const answers = await Promise.all(['Same', 'SAME'].map((displayName) => directory.post('Groups', { displayName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { id } = await group();
    expect(
      await directory.patch(`Groups/${id}`, [{ op: 'replace', path: 'displayName', value: 'sAME' }]),
    ).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  });

  test('are listed in pages, filtered by name, id of the directory and member, with or without members', async () => {
    const of = await provisionedOrganization(gateway);
    const id = await user(of);
    const made = await group([id], 'With "quotes" \\ and more', of.directory);
    await group([], 'Empty', of.directory);
    const list = async (query: string) => (await of.directory.get(`Groups?${query}`)).body;
    const found = async (filter: string) =>
      (await list(`filter=${encodeURIComponent(filter)}`)).Resources.map((each: { id: string }) => each.id);
    expect(await list('count=1')).toMatchObject({ totalResults: 2, itemsPerPage: 1 });
    expect(await found(`displayName eq ${JSON.stringify('with "QUOTES" \\ and more')}`)).toEqual([made.id]);
    expect(await found(`members[value eq "${id}"]`)).toEqual([made.id]);
    expect(await found(`members.value eq "${id.toUpperCase()}"`)).toEqual([made.id]);
    expect(await found(`members eq "${made.id}"`)).toEqual([]);
    expect(await found(`members[value eq "' or 1=1"]`)).toEqual([]);
    const without = await list('excludedAttributes=members');
    expect(without.Resources.map((each: object) => 'members' in each)).toEqual([false, false]);
    const one = await of.directory.get(`Groups/${made.id}?excludedAttributes=members`);
    expect(one.body).not.toHaveProperty('members');
    expect(await of.directory.get('Groups?filter=userName%20eq%20%22a%22')).toMatchObject({
      body: { scimType: 'invalidFilter' },
    });
  });

  test('have a version that members change as well, which `If-Match` compares', async () => {
    const id = await user();
    const { id: groupId, meta } = await group();
    const add = (tag: string) =>
      directory.patch(`Groups/${groupId}`, FORMS['Okta']!.add(id), { headers: { 'if-match': tag } });
    const added = await add(meta.version);
    expect(added.status).toBe(204);
    expect(added.headers.get('etag')).not.toBe(meta.version);
    const stale = { headers: { 'if-match': meta.version } };
    expect(await add(meta.version)).toMatchObject({ status: 412 });
    expect(await directory.delete(`Groups/${groupId}`, stale)).toMatchObject({ status: 412 });
    const before = (await directory.get(`Groups/${groupId}`)).headers.get('etag');
    await directory.delete(`Users/${id}`);
    const after = await directory.get(`Groups/${groupId}`);
    expect(after.body.members).toEqual([]);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('and members have other versions where one shows the other anew', async () => {
    const id = await user();
    const { id: groupId } = await group();
    const changed = async (path: string, change: () => Promise<unknown>) => {
      const etag = (await directory.get(path)).headers.get('etag')!;
      await change();
      return (await directory.get(path, { headers: { 'if-none-match': etag } })).status === 200;
    };
    const replace = (path: string, value: string) => [{ op: 'replace', path, value }];
    expect(await changed(`Users/${id}`, () => directory.patch(`Groups/${groupId}`, FORMS['Okta']!.add(id)))).toBe(true);
    const named = () => directory.patch(`Groups/${groupId}`, replace('displayName', `Renamed ${groupId}`));
    expect(await changed(`Users/${id}`, named)).toBe(true);
    const renamed = () => directory.patch(`Users/${id}`, replace('userName', `renamed-${id}`));
    expect(await changed(`Groups/${groupId}`, renamed)).toBe(true);
    const other = () => directory.patch(`Users/${id}`, replace('displayName', 'Not shown'));
    expect(await changed(`Groups/${groupId}`, other)).toBe(false);
  });

  test.each([
    ['of another organization', async () => user(await provisionedOrganization(gateway))],
    [
      'that was deleted',
      async () => {
        const id = await user();
        await directory.delete(`Users/${id}`);
        return id;
      },
    ],
    ['that is no id', async () => 'anna'],
  ])('take no user %s', async (_what, nonMember) => {
    const value = await nonMember();
    const { id } = await group();
    const refused = { status: 400, body: { scimType: 'invalidValue' } };
    expect(await directory.patch(`Groups/${id}`, FORMS['Okta']!.add(value))).toMatchObject(refused);
    for (const members of [[{ value }], [{ value: await user() }, { value }]])
      expect(await directory.post('Groups', { displayName: `Never ${value}`, members })).toMatchObject(refused);
    expect(await membersOf(id)).toEqual([]);
  });

  test('take no groups within groups', async () => {
    const { id } = await group();
    const value = [{ value: id, type: 'Group' }];
    expect(await directory.patch(`Groups/${id}`, [{ op: 'add', path: 'members', value }])).toMatchObject({
      status: 400,
    });
  });

  test('are 1,000 at most', async () => {
    const of = await provisionedOrganization(gateway);
    await database.rows(
      `insert into scim_group (id, organization_id, display_name, display_name_key)
       select gen_random_uuid(), $1, n, n from generate_series(1, 999) n`,
      [of.organizationId],
    );
    await group([], 'The last', of.directory);
    expect(await of.directory.post('Groups', { displayName: 'One more' })).toMatchObject({ status: 403 });
    // A page has 100 of them at most.
    expect((await of.directory.get('Groups?count=1000')).body).toMatchObject({
      totalResults: 1_000,
      itemsPerPage: 100,
    });
  });
});
