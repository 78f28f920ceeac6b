import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../src/values/enums.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { newMember, membership, titlesOf } from '../support/people.js';
import { buildOrganization, seedTestData, join, type Person, type TestData } from '../support/test-data.js';
import { personOf } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let managed: Person;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  managed = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
});

afterAll(() => gateway?.close());

const NOBODY = '00000000-0000-4000-8000-000000000000';
const pathOf = (userId: string, organizationId = testData.organizationId) =>
  `/api/v1/organizations/${organizationId}/users/${userId}`;
const fresh = (role: Role) => newMember(gateway.app.database, testData.organizationId, role);
const patch = (userId: string, body: object, token: string) =>
  gateway.rest.call('PATCH', pathOf(userId), { token, body });
const membershipOf = (person: Person) => membership(gateway.app.database, testData.organizationId, person);

describe('reading a user', () => {
  test('shows every field in its order', async () => {
    const person = await fresh('SECURITY_ANALYST');
    const data = expectData(await gateway.rest.get(pathOf(person.id.toUpperCase()), { token: testData.manager.token }));
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

  test('is open to everybody about itself', async () => {
    const { viewer } = testData;
    expect(expectData(await gateway.rest.get(pathOf(viewer.id), { token: viewer.token }))).toMatchObject({
      id: viewer.id,
      viewer_can: { assign_roles: [], set_active: false, remove: false },
    });
  });

  test('finds neither who is no member nor what is no UUID', async () => {
    for (const id of [testData.userWithoutOrganization.id, NOBODY, 'x', `${managed.id}0`]) {
      expectError(await gateway.rest.get(pathOf(id), { token: testData.owner.token }), 404, [1004]);
    }
  });
});

describe('changing a user', () => {
  const below = (role: Role) => ['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER'].includes(role);

  test.each(ROLES)('lets a manager give and take roles below its own: from %s', async (from) => {
    for (const to of ROLES) {
      const person = await fresh(from);
      const answer = await patch(person.id, { role: to }, testData.manager.token);
      if (below(from) && below(to)) expect(expectData(answer).role).toBe(to);
      else expectError(answer, 403, [1003]);
      expect(await membershipOf(person)).toEqual({ role: answer.status === 200 ? to : from, active: true });
    }
  });

  test.each(ROLES)('lets an owner give and take every role: from %s', async (from) => {
    for (const to of ROLES) {
      const person = await fresh(from);
      expect(expectData(await patch(person.id, { role: to }, testData.owner.token)).role).toBe(to);
    }
  });

  test('does not let a manager raise itself, or anybody whom it does not manage be deactivated by it', async () => {
    const { manager, owner } = testData;
    for (const body of [{ role: 'ORGANIZATION_OWNER' }, { role: 'VIEWER' }, { active: false }]) {
      expectError(await patch(manager.id, body, manager.token), 403, [1003]);
      expectError(await patch(owner.id, body, manager.token), 403, [1003]);
    }
  });

  test('tells the member of its new role, and nobody when nothing changes', async () => {
    const person = await fresh('VIEWER');
    await patch(person.id, { role: 'SECURITY_OFFICER' }, testData.manager.token);
    await patch(person.id, { role: 'SECURITY_OFFICER', active: true }, testData.manager.token);
    await patch(person.id, {}, testData.manager.token);
    expect(await titlesOf(gateway.app.database, person)).toEqual(['Your role was changed']);
  });

  test('takes a body with nothing in it, or none at all', async () => {
    const person = await fresh('VIEWER');
    expectStatus(await gateway.rest.call('PATCH', pathOf(person.id), { token: testData.manager.token }), 200);
    expect(await membershipOf(person)).toEqual({ role: 'VIEWER', active: true });
  });

  test('tells all errors of the body at once', async () => {
    const body = { role: 'KING', active: 1, userId: 'x', user_id: NOBODY };
    expectError(await patch(managed.id, body, testData.manager.token), 400, [
      'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
      'active must be true or false',
      'userId is not a known field',
      'user_id is not a known field',
    ]);
  });
});

describe('deactivating a user', () => {
  test('takes its access away at once, keeps its place, and can be undone', async () => {
    const person = await fresh('SECURITY_OFFICER');
    const read = () => gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/branding`, person);
    expectStatus(await read(), 200);
    const gone = expectData(await patch(person.id, { active: false }, testData.manager.token));
    expect(gone).toMatchObject({
      active: false,
      role: 'SECURITY_OFFICER',
      deactivated_at: expect.stringMatching(/Z$/),
    });
    expectError(await read(), 404, [1004]);
    const { viewer } = await gateway.graphql.data('{ viewer { organizations { totalCount } } }', person);
    expect(viewer.organizations.totalCount).toBe(0);
    const back = expectData(await patch(person.id, { active: true }, testData.manager.token));
    expect(back).toMatchObject({ active: true, role: 'SECURITY_OFFICER', deactivated_at: null });
    expectStatus(await read(), 200);
  });

  test('hides the notifications of the organization, and makes no new ones', async () => {
    const person = await fresh('ORGANIZATION_MANAGER');
    const other = await fresh('VIEWER');
    const count = async () => (await gateway.rest.get('/api/v1/notifications', person)).body.total;
    await patch(other.id, { active: false }, testData.owner.token);
    expect(await count()).toBe(1);
    await patch(person.id, { active: false }, testData.owner.token);
    await patch(other.id, { active: true }, testData.owner.token);
    expect(await count()).toBe(0);
    expect(await titlesOf(gateway.app.database, person)).toEqual(['A member was deactivated']);
  });

  test('can be asked for in the list', async () => {
    const person = await fresh('VIEWER');
    await patch(person.id, { active: false }, testData.manager.token);
    const list = async (active: string) => {
      const path = `/api/v1/organizations/${testData.organizationId}/users?limit=100&active=${active}`;
      const data = expectData(await gateway.rest.get(path, testData.manager)) as { id: string }[];
      return data.map(({ id }) => id);
    };
    expect(await list('false')).toContain(person.id);
    expect(await list('true')).not.toContain(person.id);
  });

  test('does not let a deactivated manager act on what was remembered of it', async () => {
    const manager = await fresh('ORGANIZATION_MANAGER');
    const person = await fresh('VIEWER');
    expectStatus(await patch(person.id, { role: 'SECURITY_ANALYST' }, manager.token), 200);
    await patch(manager.id, { active: false }, testData.owner.token);
    expectError(await patch(person.id, { role: 'VIEWER' }, manager.token), 404, [1004]);
  });
});

describe('removing a user', () => {
  test('answers it as it was; then it is absent, and without access', async () => {
    const person = await fresh('SECURITY_OFFICER');
    const { token } = testData.manager;
    const before = expectData(await gateway.rest.get(pathOf(person.id), { token }));
    expect(expectData(await gateway.rest.delete(pathOf(person.id), { token }))).toEqual(before);
    expectError(await gateway.rest.delete(pathOf(person.id), { token }), 404, [1004]);
    expectError(await gateway.rest.get(pathOf(person.id), { token: person.token }), 404, [1004]);
    expect(await membershipOf(person)).toBeUndefined();
  });

  test('is for managers below rank 4 only, and for owners of everybody', async () => {
    for (const role of ROLES) {
      const person = await fresh(role);
      const answer = await gateway.rest.delete(pathOf(person.id), testData.manager);
      if (below(role)) expectStatus(answer, 200);
      else {
        expectError(answer, 403, [1003]);
        expectStatus(await gateway.rest.delete(pathOf(person.id), testData.owner), 200);
      }
    }
  });

  const below = (role: Role) => role.startsWith('SECURITY') || role === 'VIEWER';

  test('tells the other managers', async () => {
    const { organizationId } = testData;
    const [manager, person] = [await fresh('ORGANIZATION_MANAGER'), await fresh('VIEWER')];
    await gateway.rest.delete(pathOf(person.id), testData.manager);
    expect(await titlesOf(gateway.app.database, manager)).toEqual(['A member was removed']);
    const notified = await gateway.rest.get(
      `/api/v1/notifications?type=MEMBER&organization_id=${organizationId}`,
      manager,
    );
    expect(notified.body.data[0]).toMatchObject({
      message: `${person.username} does not belong to the organization any more.`,
      extra: { href: `/organizations/${organizationId}/users` },
    });
  });
});

describe('the last owner', () => {
  async function alone(): Promise<{ organizationId: number; owner: Person }> {
    const organizationId = await buildOrganization(gateway.app.database, 'Of one');
    return { organizationId, owner: await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER') };
  }

  test.each([
    ['demoted', 'PATCH', { role: 'ORGANIZATION_MANAGER' }],
    ['deactivated', 'PATCH', { active: false }],
    ['removed', 'DELETE', undefined],
  ])('cannot be %s', async (_how, method, body) => {
    const { organizationId, owner } = await alone();
    const path = pathOf(owner.id, organizationId);
    const shown = expectData(await gateway.rest.get(path, owner));
    expect(shown.viewer_can).toEqual({ assign_roles: ['ORGANIZATION_OWNER'], set_active: false, remove: false });
    expectError(await gateway.rest.call(method, path, { token: owner.token, ...(body && { body }) }), 409, [1009]);
    expect(await membership(gateway.app.database, organizationId, owner)).toEqual({
      role: 'ORGANIZATION_OWNER',
      active: true,
    });
  });

  test('is who alone can act: deactivated owners and users do not count', async () => {
    const { organizationId, owner } = await alone();
    const { database } = gateway.app;
    const second = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    expectStatus(
      await gateway.rest.call('PATCH', pathOf(second.id, organizationId), { ...owner, body: { active: false } }),
      200,
    );
    expectError(await gateway.rest.delete(pathOf(owner.id, organizationId), owner), 409, [1009]);
    const third = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    await database.rows('update app_user set deactivated_at = now() where id = $1', [third.id]);
    expectError(await gateway.rest.delete(pathOf(owner.id, organizationId), owner), 409, [1009]);
    const fourth = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    expectStatus(await gateway.rest.delete(pathOf(owner.id, organizationId), owner), 200);
    expect(await membership(database, organizationId, fourth)).toEqual({ role: 'ORGANIZATION_OWNER', active: true });
  });

  test.each([
    ['demote', 'PATCH', { role: 'VIEWER' }],
    ['remove', 'DELETE', undefined],
  ])('is left when owners %s each other at the same time', async (_what, method, body) => {
    const { database } = gateway.app;
    for (let round = 0; round < 5; round += 1) {
      const { organizationId, owner } = await alone();
      const owners = [owner];
      for (let more = 0; more < 3; more += 1) {
        owners.push(await newMember(database, organizationId, 'ORGANIZATION_OWNER'));
      }
      const answers = await Promise.all(
        owners.map(({ token }, index) => {
          const next = owners[(index + 1) % owners.length] as Person;
          return gateway.rest.call(method, pathOf(next.id, organizationId), { token, ...(body && { body }) });
        }),
      );
      const left = await database.rows(
        `select 1 from membership where organization_id = $1 and role = 'ORGANIZATION_OWNER'`,
        [organizationId],
      );
      expect(left.length).toBeGreaterThanOrEqual(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(owners.length - left.length);
      for (const { status } of answers) expect([200, 403, 404, 409]).toContain(status);
    }
  });

  test('is nobody in particular: of two who demote each other at once, one is an owner then', async () => {
    const { organizationId, owner } = await alone();
    const other = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    const demote = (by: Person, whom: Person) =>
      gateway.rest.call('PATCH', pathOf(whom.id, organizationId), { token: by.token, body: { role: 'VIEWER' } });
    const answers = await Promise.all([demote(owner, other), demote(other, owner)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test('of one organization is a member like any other in the next', async () => {
    const { organizationId, owner } = await alone();
    await join(gateway.app.database, personOf(testData, 'VIEWER'), organizationId, 'ORGANIZATION_OWNER');
    expectStatus(await gateway.rest.delete(pathOf(testData.viewer.id, organizationId), owner), 200);
    expect(await membershipOf(testData.viewer)).toEqual({ role: 'VIEWER', active: true });
  });
});
