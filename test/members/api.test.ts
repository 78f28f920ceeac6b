import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../src/values/enums.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { membership, newMember, titlesOf } from '../support/people.js';
import { buildOrganization, join, type Person } from '../support/test-data.js';

const LISTED = `id: userId username email first_name: firstName last_name: lastName role
  alerts { atb cloud_defender: cloudDefender v_ciso: vCiso }`;
const MEMBER = `${LISTED} active joined_at: joinedAt deactivated_at: deactivatedAt
  viewer_can: viewerCan { assign_roles: assignRoles set_active: setActive remove }`;

const OPERATIONS = {
  list: {
    rest: 'GET /api/v1/organizations/{organization_id}/users',
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int, $orderBy: OrganizationUserOrder, $filter: OrganizationUserFilter) {
      organization(id: $organizationId) {
        users(first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) { totalCount nodes { ${LISTED} } } } }`,
    at: 'organization.users',
  },
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}/users/{user_id}',
    graphql: `query ($organizationId: ID!, $userId: ID!) { member(organizationId: $organizationId, userId: $userId) { ${MEMBER} } }`,
    at: 'member',
  },
  update: mutation(
    'PATCH /api/v1/organizations/{organization_id}/users/{user_id}',
    'updateMember',
    `member { ${MEMBER} }`,
  ),
  remove: mutation(
    'DELETE /api/v1/organizations/{organization_id}/users/{user_id}',
    'removeMember',
    `member { ${MEMBER} }`,
  ),
} satisfies Record<string, Operation>;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000099';
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Username, e-mail address, first and last name, role. */
const STAFF = [
  ['bruno', 'z@example.com', 'Bruno', 'Rossi', 'VIEWER'],
  ['anna', 'y@example.com', 'Anna', 'De Luca', 'SECURITY_ANALYST'],
  ['carla', 'x@example.com', 'Carla', '100%', 'VIEWER'],
  ['dario', 'w@example.net', 'Dario', 'under_score', 'ORGANIZATION_MANAGER'],
  ['elena', 'v@example.com', 'Elena', 'back\\slash', 'VIEWER'],
] as const;

const { gateway, testData } = await startSeededGateway();
/** An organization with exactly known members: STAFF, and `zoe`, who lists them. */
const staff = await buildOrganization(gateway.app.database, 'Staff');

beforeAll(async () => {
  const { database } = gateway.app;
  for (const [index, [username, email, first, last, role]] of STAFF.entries()) {
    await database.rows(
      'insert into app_user (id, username, email, first_name, last_name) values ($1, $2, $3, $4, $5)',
      [idOf(index), username, email, first, last],
    );
    await join(database, { id: idOf(index) }, staff, role);
  }
  const { id: zoe } = testData.userWithoutOrganization;
  await database.rows(`update app_user set username = 'zoe', email = 'a@example.com' where id = $1`, [zoe]);
  await join(database, testData.userWithoutOrganization, staff, 'SECURITY_OFFICER');
  await database.rows('update membership set alert_atb = false, alert_v_ciso = false where user_id = $1', [idOf(1)]);
});

const newPerson = (role: Role) => newMember(gateway.app.database, testData.organizationId, role);
const membershipOf = (person: Person, organizationId = testData.organizationId) =>
  membership(gateway.app.database, organizationId, person);
const isManaged = (role: Role) => ['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER'].includes(role);

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: { token: string }) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const onUser = (name: keyof typeof OPERATIONS) => (by: { token: string }, user: { id: string }, changes?: object) =>
    call(name, { organization_id: testData.organizationId, user_id: user.id, ...changes }, by);
  const [read, update, remove] = [onUser('read'), onUser('update'), onUser('remove')];

  describe('the list of members', () => {
    const list = (input: object = {}) =>
      call('list', { organization_id: staff, ...input }, testData.userWithoutOrganization);
    const usernames = async (input: object) =>
      dataOf(await list(input)).map(({ username }: { username: string }) => username);

    test('shows the fields of the specification, ordered by user name', async () => {
      const { data, total } = await list({ limit: 1 });
      const record = {
        id: idOf(1),
        username: 'anna',
        email: 'y@example.com',
        first_name: 'Anna',
        last_name: 'De Luca',
        role: 'SECURITY_ANALYST',
        alerts: { atb: false, cloud_defender: true, v_ciso: false },
      };
      expect([JSON.stringify(data), total]).toEqual([JSON.stringify([record]), 6]);
    });

    test('is not found when the organization is deleted', async () => {
      const { database } = gateway.app;
      const gone = await buildOrganization(database, 'Gone');
      await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
      await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
      expectFailure(await call('list', { organization_id: gone }, testData.owner), 'NOT_FOUND');
    });

    test('is ordered by each field in both directions', async () => {
      expect(await usernames({ sort: 'username' })).toEqual(['anna', 'bruno', 'carla', 'dario', 'elena', 'zoe']);
      expect(await usernames({ sort: '-username' })).toEqual(['zoe', 'elena', 'dario', 'carla', 'bruno', 'anna']);
      expect(await usernames({ sort: 'email' })).toEqual(['zoe', 'elena', 'dario', 'carla', 'anna', 'bruno']);
      expect(await usernames({ sort: '-email' })).toEqual(['bruno', 'anna', 'carla', 'dario', 'elena', 'zoe']);
      // Sorted by rank, then by id.
      expect(await usernames({ sort: 'role' })).toEqual(['bruno', 'carla', 'elena', 'anna', 'zoe', 'dario']);
      expect((await usernames({ sort: '-role' })).slice(0, 3)).toEqual(['dario', 'zoe', 'anna']);
    });

    test('has the place of the user name that an operator gave to a user', async () => {
      const rename = (name: string) =>
        gateway.app.database.rows('update app_user set username = $1 where id = $2', [name, idOf(1)]);
      await rename('yanna');
      expect(await usernames({})).toEqual(['bruno', 'carla', 'dario', 'elena', 'yanna', 'zoe']);
      await rename('anna');
      expect(await usernames({})).toEqual(['anna', 'bruno', 'carla', 'dario', 'elena', 'zoe']);
    });

    test('neither drops nor repeats a member where many have the same role', async () => {
      const all = [...STAFF.keys()].map(idOf).concat(testData.userWithoutOrganization.id).toSorted();
      for (const sort of ['role', '-role', 'username']) {
        const whole = dataOf(await list({ sort }));
        expect(whole.map(({ id }: { id: string }) => id).toSorted()).toEqual(all);
        for (const limit of [1, 2, 4]) {
          const pages: unknown[] = [];
          for (let offset = 0; offset < 6; offset += limit) {
            pages.push(...dataOf(await list({ sort, limit, offset })));
          }
          expect(pages).toEqual(whole);
        }
      }
    });

    test('has only members of exactly the role that is named, and counts them', async () => {
      const { data, total } = await list({ role: 'VIEWER', limit: 2 });
      expect([total, data.map(({ role }: { role: string }) => role)]).toEqual([3, ['VIEWER', 'VIEWER']]);
      expect(await list({ role: 'ORGANIZATION_OWNER' })).toMatchObject({ data: [], total: 0 });
    });

    test('is searched by user name, address and full name in any case, and takes wildcards literally', async () => {
      for (const [search, expected] of [
        ['ANN', ['anna']],
        ['example.NET', ['dario']],
        ['na De Lu', ['anna']],
        ['%', ['carla']],
        ['_', ['dario']],
        ['\\', ['elena']],
        ['', ['anna', 'bruno', 'carla', 'dario', 'elena', 'zoe']],
        ["'; drop table membership; --", []],
        ['unknown', []],
      ] as const) {
        const { data, total } = await list({ search });
        const found = data.map(({ username }: { username: string }) => username);
        expect([search, found, total]).toEqual([search, expected, expected.length]);
      }
    });

    test('is searched without regard to accents and to the Unicode form of names', async () => {
      const { database } = gateway.app;
      await database.rows(`update app_user set first_name = 'Hélène' where username = 'anna'`);
      for (const search of ['helene', 'HÉLÈNE', 'ne de', 'Hélè'.normalize('NFD')])
        expect([search, (await list({ search })).total]).toEqual([search, 1]);
      await database.rows(`update app_user set first_name = 'Anna' where username = 'anna'`);
    });

    test('meets all conditions at once', async () => {
      const input = { role: 'VIEWER', search: 'example.com', sort: '-email', limit: 2 };
      expect(await usernames(input)).toEqual(['bruno', 'carla']);
    });

    test('is not searched by a text that no name can contain', async () => {
      for (const [search, message] of [
        ['a'.repeat(201), 'search must not be longer than 200 characters'],
        ['a\u0007', 'search must not contain control characters'],
      ] as const) {
        expectFailure(await list({ search }), 'BAD_USER_INPUT', [message]);
      }
      dataOf(await list({ search: 'a'.repeat(200) }));
    });
  });

  describe('reading a member', () => {
    test('shows every field in its order', async () => {
      const person = await newPerson('SECURITY_ANALYST');
      const data = dataOf(await read(testData.manager, { id: person.id.toUpperCase() }));
      expect(JSON.stringify(data)).toBe(
        JSON.stringify({
          id: person.id,
          username: person.username,
          email: `${person.username}@example.com`,
          first_name: 'security_analyst',
          last_name: 'Person',
          role: 'SECURITY_ANALYST',
          alerts: { atb: true, cloud_defender: true, v_ciso: true },
          active: true,
          joined_at: data.joined_at,
          deactivated_at: null,
          viewer_can: {
            assign_roles: ['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER'],
            set_active: true,
            remove: true,
          },
        }),
      );
    });

    test('is possible for every member about itself', async () => {
      const { viewer } = testData;
      expect(dataOf(await read(viewer, viewer))).toMatchObject({
        id: viewer.id,
        viewer_can: { assign_roles: [], set_active: false, remove: false },
      });
    });

    test('finds neither a user who is no member nor an id that is no UUID', async () => {
      for (const id of [testData.userWithoutOrganization.id, UNKNOWN_ID, 'x', `${testData.viewer.id}0`]) {
        expectFailure(await read(testData.owner, { id }), 'NOT_FOUND');
      }
    });
  });

  describe('changing a member', () => {
    test.each(ROLES)('is possible for a manager between roles below its own: from %s', async (from) => {
      for (const to of ROLES) {
        const person = await newPerson(from);
        const result = await update(testData.manager, person, { role: to });
        const isAllowed = isManaged(from) && isManaged(to);
        if (isAllowed) expect(dataOf(result).role).toBe(to);
        else expectFailure(result, 'FORBIDDEN');
        expect(await membershipOf(person)).toEqual({ role: isAllowed ? to : from, active: true });
      }
    });

    test.each(ROLES)('is possible for an owner between all roles: from %s', async (from) => {
      for (const to of ROLES) {
        const person = await newPerson(from);
        expect(dataOf(await update(testData.owner, person, { role: to })).role).toBe(to);
      }
    });

    test('is refused to a manager for itself and for an owner', async () => {
      const { manager, owner } = testData;
      for (const changes of [{ role: 'ORGANIZATION_OWNER' }, { role: 'VIEWER' }, { active: false }]) {
        expectFailure(await update(manager, manager, changes), 'FORBIDDEN');
        expectFailure(await update(manager, owner, changes), 'FORBIDDEN');
      }
    });

    test('notifies the member of its new role, and sends nothing when nothing changes', async () => {
      const person = await newPerson('VIEWER');
      await update(testData.manager, person, { role: 'SECURITY_OFFICER' });
      await update(testData.manager, person, { role: 'SECURITY_OFFICER', active: true });
      dataOf(await update(testData.manager, person));
      expect(await titlesOf(gateway.app.database, person)).toEqual(['Your role was changed']);
    });

    test('reports every error at once', async () => {
      const changes = { role: 'KING', active: 1, hue: UNKNOWN_ID };
      expectFailure(await update(testData.manager, testData.viewer, changes), 'BAD_USER_INPUT', [
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
        'active must be true or false',
        'hue is not a known field',
      ]);
    });
  });

  describe('deactivating a member', () => {
    const branding = async ({ token }: Person) =>
      (await gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/branding`, { token })).status;

    test('ends its access at once, retains its role, and can be undone', async () => {
      const person = await newPerson('SECURITY_OFFICER');
      expect(await branding(person)).toBe(200);
      expect(dataOf(await update(testData.manager, person, { active: false }))).toMatchObject({
        active: false,
        role: 'SECURITY_OFFICER',
        deactivated_at: expect.stringMatching(/Z$/),
      });
      expect(await branding(person)).toBe(404);
      const { viewer } = await gateway.graphql.data('{ viewer { organizations { totalCount } } }', person);
      expect(viewer.organizations.totalCount).toBe(0);
      const active = { active: true, role: 'SECURITY_OFFICER', deactivated_at: null };
      expect(dataOf(await update(testData.manager, person, { active: true }))).toMatchObject(active);
      expect(await branding(person)).toBe(200);
    });

    test('hides the notifications of the organization from it, and sends it no new ones', async () => {
      const [person, other] = [await newPerson('ORGANIZATION_MANAGER'), await newPerson('VIEWER')];
      const count = async () => (await gateway.rest.get('/api/v1/notifications', person)).body.total;
      await update(testData.owner, other, { active: false });
      expect(await count()).toBe(1);
      await update(testData.owner, person, { active: false });
      await update(testData.owner, other, { active: true });
      expect(await count()).toBe(0);
      expect(await titlesOf(gateway.app.database, person)).toEqual(['A member was deactivated']);
    });

    test('shows in the list, which may be of active or of deactivated members', async () => {
      const person = await newPerson('VIEWER');
      await update(testData.manager, person, { active: false });
      const ids = async (active: boolean) => {
        const input = { organization_id: testData.organizationId, limit: 100, active };
        return dataOf(await call('list', input, testData.manager)).map(({ id }: { id: string }) => id);
      };
      expect(await ids(false)).toContain(person.id);
      expect(await ids(true)).not.toContain(person.id);
    });

    test('ends the rights of a manager that has just used them', async () => {
      const [manager, person] = [await newPerson('ORGANIZATION_MANAGER'), await newPerson('VIEWER')];
      dataOf(await update(manager, person, { role: 'SECURITY_ANALYST' }));
      await update(testData.owner, manager, { active: false });
      expectFailure(await update(manager, person, { role: 'VIEWER' }), 'NOT_FOUND');
    });
  });

  describe('removing a member', () => {
    test('answers it as it was; then it is not found and has no access', async () => {
      const person = await newPerson('SECURITY_OFFICER');
      const before = dataOf(await read(testData.manager, person));
      expect(dataOf(await remove(testData.manager, person))).toEqual(before);
      expectFailure(await remove(testData.manager, person), 'NOT_FOUND');
      expectFailure(await read(person, person), 'NOT_FOUND');
      expect(await membershipOf(person)).toBeUndefined();
    });

    test('is possible for managers below their own role only, and for owners always', async () => {
      for (const role of ROLES) {
        const person = await newPerson(role);
        const result = await remove(testData.manager, person);
        if (isManaged(role)) dataOf(result);
        else {
          expectFailure(result, 'FORBIDDEN');
          dataOf(await remove(testData.owner, person));
        }
      }
    });

    test('notifies the other managers', async () => {
      const { organizationId } = testData;
      const [manager, person] = [await newPerson('ORGANIZATION_MANAGER'), await newPerson('VIEWER')];
      await remove(testData.manager, person);
      expect(await titlesOf(gateway.app.database, manager)).toEqual(['A member was removed']);
      const path = `/api/v1/notifications?type=MEMBER&organization_id=${organizationId}`;
      expect((await gateway.rest.get(path, manager)).body.data[0]).toMatchObject({
        message: `${person.username} no longer belongs to the organization.`,
        extra: { href: `/organizations/${organizationId}/users` },
      });
    });
  });

  describe('the last owner of an organization', () => {
    async function ownedByOne(): Promise<{ organizationId: number; owner: Person }> {
      const organizationId = await buildOrganization(gateway.app.database, 'Of one');
      return { organizationId, owner: await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER') };
    }
    const secondOwner = (organizationId: number) =>
      newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    /** A change of a member of another organization than the first; without changes it is removed. */
    const change = (organizationId: number, by: Person, user: Person, changes?: object) =>
      call(changes ? 'update' : 'remove', { organization_id: organizationId, user_id: user.id, ...changes }, by);
    const OWNER = { role: 'ORGANIZATION_OWNER', active: true };

    test.each([
      ['demoted', { role: 'ORGANIZATION_MANAGER' }],
      ['deactivated', { active: false }],
      ['removed', undefined],
    ])('cannot be %s', async (_how, changes) => {
      const { organizationId, owner } = await ownedByOne();
      const shown = dataOf(await call('read', { organization_id: organizationId, user_id: owner.id }, owner));
      expect(shown.viewer_can).toEqual({ assign_roles: ['ORGANIZATION_OWNER'], set_active: false, remove: false });
      expectConflict(await change(organizationId, owner, owner, changes), 'LAST_OWNER');
      expect(await membershipOf(owner, organizationId)).toEqual(OWNER);
    });

    test('is the last who can act: deactivated owners and users do not count', async () => {
      const { organizationId, owner } = await ownedByOne();
      const leave = () => change(organizationId, owner, owner);
      dataOf(await change(organizationId, owner, await secondOwner(organizationId), { active: false }));
      expectConflict(await leave(), 'LAST_OWNER');
      const { id } = await secondOwner(organizationId);
      await gateway.app.database.rows('update app_user set deactivated_at = now() where id = $1', [id]);
      expectConflict(await leave(), 'LAST_OWNER');
      const other = await secondOwner(organizationId);
      dataOf(await leave());
      expect(await membershipOf(other, organizationId)).toEqual(OWNER);
    });

    test.each([
      ['demote', { role: 'VIEWER' }],
      ['remove', undefined],
    ])('remains when four owners %s each other at the same time', async (_what, changes) => {
      for (let round = 0; round < 5; round += 1) {
        const { organizationId, owner } = await ownedByOne();
        const owners = [owner];
        while (owners.length < 4) owners.push(await secondOwner(organizationId));
        const results = await Promise.all(
          owners.map((by, index) => change(organizationId, by, owners[(index + 1) % 4]!, changes)),
        );
        const left = await gateway.app.database.rows(
          `select 1 from membership where organization_id = $1 and role = 'ORGANIZATION_OWNER'`,
          [organizationId],
        );
        expect(left.length).toBeGreaterThanOrEqual(1);
        expect(results.filter(({ code }) => code === 'OK')).toHaveLength(4 - left.length);
        for (const { code } of results) expect(['OK', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT']).toContain(code);
      }
    });

    test('is one of two owners who demote each other at once', async () => {
      const { organizationId, owner } = await ownedByOne();
      const other = await secondOwner(organizationId);
      const demote = (by: Person, user: Person) => change(organizationId, by, user, { role: 'VIEWER' });
      const results = await Promise.all([demote(owner, other), demote(other, owner)]);
      expect(results.map(({ code }) => code).toSorted()).toEqual(['FORBIDDEN', 'OK']);
    });

    test('is counted for each organization by itself', async () => {
      const { organizationId, owner } = await ownedByOne();
      await join(gateway.app.database, testData.viewer, organizationId, 'ORGANIZATION_OWNER');
      dataOf(await change(organizationId, owner, testData.viewer));
      expect(await membershipOf(testData.viewer)).toEqual({ role: 'VIEWER', active: true });
    });
  });
});
