import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { buildInvitation } from '../support/people.js';
import { pagingCases } from '../support/rest.js';

const { gateway, testData } = await startSeededGateway();
for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
  await buildInvitation(gateway.app.database, { ...testData, email });
}

const path = (rest: string) => `/api/v1/organizations/${testData.organizationId}${rest}`;
const users = (query: string) => gateway.rest.get(`${path('/users')}?${query}`, testData.manager);
const patch = (body?: object) =>
  gateway.rest.patch(path(`/users/${testData.viewer.id}`), { token: testData.manager.token, ...(body && { body }) });

describe('the parameters of the list of members', () => {
  pagingCases(users);

  test('are refused when they name an order or a role that does not exist, or hold a NUL character', async () => {
    for (const sort of ['first_name', 'USERNAME', '--username', '', 'id', 'username,email']) {
      expectError(await users(`sort=${sort}`), 400, [
        'sort must be one of username, -username, email, -email, role, -role',
      ]);
    }
    for (const role of ['viewer', 'BOSS', '']) {
      expectError(await users(`role=${role}`), 400, [
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
      ]);
    }
    expectError(await users('search=a%00'), 400, ['search must not contain control characters']);
  });
});

describe('the parameters of the list of invitations', () => {
  pagingCases((query) => gateway.rest.get(`${path('/invitations')}?${query}`, testData.manager));
});

test('a change of a member without a body changes nothing', async () => {
  expect(expectData(await patch())).toMatchObject({ role: 'VIEWER', active: true });
});

test('a change of a member has no field for the id of the user', async () => {
  expectError(await patch({ userId: 'x', user_id: testData.viewer.id }), 400, [
    'userId is not a known field',
    'user_id is not a known field',
  ]);
});

test('an invitation that was made is at the path of Location, and answered there in the same bytes', async () => {
  const body = { email: 'new@example.org', role: 'VIEWER' };
  const invited = await gateway.rest.post(path('/invitations'), { token: testData.manager.token, body });
  const { id } = expectData(invited, 201);
  expect(invited.headers.get('location')).toBe(path(`/invitations/${id}`));
  expect((await gateway.rest.get(path(`/invitations/${id}`), testData.manager)).text).toBe(invited.text);
});

test('every route that needs no token refuses a body of more than 4 KB', async () => {
  for (const route of ['invitations/preview', 'invitations/accept', 'recovery', 'recovery/accept']) {
    const response = await gateway.rest.post(`/api/v1/${route}`, { body: { secret: 's'.repeat(4 * 1024) } });
    expectError(response, 400, ['The body must not exceed 4096 bytes']);
  }
});
