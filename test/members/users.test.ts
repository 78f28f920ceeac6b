import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { buildOrganization, seedTestData, join, type Person, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
/** An organization whose members are known to the letter. */
let staff: number;
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/users`;
const list = (query: string) =>
  gateway.rest.get(`${path(staff)}?${query}`, { token: testData.userWithoutOrganization.token });
const ids = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Username, e-mail address, first and last name, role. */
const MEMBERS = [
  ['bruno', 'z@example.com', 'Bruno', 'Rossi', 'VIEWER'],
  ['anna', 'y@example.com', 'Anna', 'De Luca', 'SECURITY_ANALYST'],
  ['carla', 'x@example.com', 'Carla', '100%', 'VIEWER'],
  ['dario', 'w@example.net', 'Dario', 'under_score', 'ORGANIZATION_MANAGER'],
  ['elena', 'v@example.com', 'Elena', 'back\\slash', 'VIEWER'],
] as const;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  staff = await buildOrganization(database, 'Staff');
  for (const [index, [username, email, first, last, role]] of MEMBERS.entries()) {
    await database.rows(
      'insert into app_user (id, username, email, first_name, last_name) values ($1, $2, $3, $4, $5)',
      [ids(index), username, email, first, last],
    );
    await join(database, { id: ids(index) } as Person, staff, role);
  }
  await database.rows('update app_user set username = $2, email = $3 where id = $1', [
    testData.userWithoutOrganization.id,
    'zoe',
    'a@example.com',
  ]);
  await join(database, testData.userWithoutOrganization, staff, 'SECURITY_OFFICER');
  await database.rows('update membership set alert_atb = false, alert_v_ciso = false where user_id = $1', [ids(1)]);
});
afterAll(() => gateway.close());

describe('who may list', () => {
  test('answers officers and who ranks above them', async () => {
    for (const role of rolesFrom('SECURITY_OFFICER')) {
      const answer = await gateway.rest.get(path(), { token: personOf(testData, role).token });
      expect(expectData(answer)).toHaveLength(5);
    }
  });

  test('is absent when the organization is deleted', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    expectError(await gateway.rest.get(path(gone), { token: testData.owner.token }), 404, [1004]);
  });
});

describe('the list', () => {
  test('shows exactly the fields of the specification, ordered by user name', async () => {
    expectExactly(await list('limit=1'), 200, {
      error: 0,
      messages: [],
      data: [
        {
          id: ids(1),
          username: 'anna',
          email: 'y@example.com',
          first_name: 'Anna',
          last_name: 'De Luca',
          role: 'SECURITY_ANALYST',
          alerts: { atb: false, cloud_defender: true, v_ciso: false },
        },
      ],
      total: 6,
    });
  });

  pagingCases(list);

  const usernames = async (query: string) =>
    (await list(query)).body.data.map((user: { username: string }) => user.username);
  test('is ordered by each field, both ways', async () => {
    expect(await usernames('sort=username')).toEqual(['anna', 'bruno', 'carla', 'dario', 'elena', 'zoe']);
    expect(await usernames('sort=-username')).toEqual(['zoe', 'elena', 'dario', 'carla', 'bruno', 'anna']);
    expect(await usernames('sort=email')).toEqual(['zoe', 'elena', 'dario', 'carla', 'anna', 'bruno']);
    expect(await usernames('sort=-email')).toEqual(['bruno', 'anna', 'carla', 'dario', 'elena', 'zoe']);
    // By rank, and by id where the rank is one.
    expect(await usernames('sort=role')).toEqual(['bruno', 'carla', 'elena', 'anna', 'zoe', 'dario']);
    expect((await usernames('sort=-role')).slice(0, 3)).toEqual(['dario', 'zoe', 'anna']);
  });

  test('refuses an order that it does not have', async () => {
    const error = 'sort must be one of username, -username, email, -email, role, -role';
    for (const sort of ['first_name', 'USERNAME', '--username', '', 'id', 'username,email']) {
      expectError(await list(`sort=${sort}`), 400, [error]);
    }
  });

  test('neither drops nor repeats a member where many are alike', async () => {
    for (const sort of ['role', '-role', 'username']) {
      for (const size of [1, 2, 4]) {
        const found = await collectPages<{ id: string }>(list, `sort=${sort}`, size);
        expect(found.map(({ id }) => id).toSorted()).toEqual(
          [...MEMBERS.keys()].map(ids).concat(testData.userWithoutOrganization.id).toSorted(),
        );
        expect(found).toEqual((await list(`sort=${sort}`)).body.data);
      }
    }
  });

  test('shows only members of exactly the role, and counts them', async () => {
    const { body } = await list('role=VIEWER&limit=2');
    expect([body.total, body.data.map(({ role }: { role: string }) => role)]).toEqual([3, ['VIEWER', 'VIEWER']]);
    expect((await list('role=ORGANIZATION_OWNER')).body).toEqual({ error: 0, messages: [], data: [], total: 0 });
    for (const role of ['viewer', 'BOSS', '']) {
      expectError(await list(`role=${role}`), 400, [
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
      ]);
    }
  });

  test('searches user name, address and full name in any case, and takes signs of patterns as they stand', async () => {
    for (const [search, found] of [
      ['ANN', ['anna']],
      ['example.NET', ['dario']],
      ['na De Lu', ['anna']],
      ['%25', ['carla']],
      ['_', ['dario']],
      ['%5C', ['elena']],
      ['', ['anna', 'bruno', 'carla', 'dario', 'elena', 'zoe']],
      ["'; drop table membership; --", []],
      ['nobody', []],
    ] as const) {
      const { body } = await list(`search=${search}`);
      expect([search, body.data.map(({ username }: { username: string }) => username), body.total]).toEqual([
        search,
        found,
        found.length,
      ]);
    }
  });

  test('all conditions hold at once', async () => {
    expect(await usernames('role=VIEWER&search=example.com&sort=-email&limit=2')).toEqual(['bruno', 'carla']);
  });

  test('refuses a search that no name can hold', async () => {
    expectError(await list(`search=${'a'.repeat(201)}`), 400, ['search must not be longer than 200 characters']);
    expectError(await list('search=a%00'), 400, ['search must not contain control characters']);
    expect((await list(`search=${'a'.repeat(200)}`)).status).toBe(200);
  });
});
