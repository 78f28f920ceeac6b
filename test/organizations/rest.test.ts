import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { expectExactly, pagingCases } from '../support/rest.js';
import { buildOrganization, join } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
for (const name of ['One', 'Two', 'Three']) {
  const id = await buildOrganization(gateway.app.database, name);
  await join(gateway.app.database, testData.nonMember, id, 'VIEWER');
}

const path = (rest = '', id = testData.organizationId) => `/api/v1/organizations/${id}${rest}`;
const list = (query: string) => gateway.rest.get(`/api/v1/organizations?${query}`, testData.nonMember);

describe('the parameters of the list of organizations', () => {
  pagingCases(list);

  test('are refused when they name an order or a role that does not exist', async () => {
    expectError(await list('sort=id'), 400, ['sort must be one of name, -name, created_at, -created_at']);
    expectError(await list('role=OWNER'), 400, [
      'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
    ]);
  });
});

describe.each(['', '/settings', '/branding'])('GET /api/v1/organizations/{id}%s', (below) => {
  test('answers the version as ETag, and 304 without a body to a client that has it', async () => {
    const { token } = testData.viewer;
    const etag = (await gateway.rest.get(path(below), { token })).headers.get('etag') as string;
    expect(etag).toBe('"1"');
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await gateway.rest.get(path(below), { token, headers: { 'if-none-match': ifNoneMatch } });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expectStatus(await gateway.rest.get(path(below), { token, headers: { 'if-none-match': '"999"' } }), 200);
  });
});

describe.each([
  ['', 'PATCH', { name: 'Second' }, [1012]],
  ['/settings', 'PATCH', { report_weekday: 2 }, [1012]],
  ['/branding', 'PUT', { palette: 'sea' }, []],
] as const)('a change of /api/v1/organizations/{id}%s', (below, method, body, messages) => {
  test('is refused with 412 unless If-Match is the tag of its version, and answers the next one', async () => {
    const { database } = gateway.app;
    const id = await buildOrganization(database, 'First');
    await join(database, testData.manager, id, 'ORGANIZATION_MANAGER');
    const change = (ifMatch: string) =>
      gateway.rest.call(method, path(below, id), {
        token: testData.manager.token,
        headers: { 'if-match': ifMatch },
        body,
      });
    for (const other of ['"2"', 'W/"1"', '"of-another-client"', '"2147483648"']) {
      const answer = await change(other);
      expectStatus(answer, 412);
      expect(answer.body.messages).toEqual(messages);
    }
    for (const invalid of ['1', '"1", "2"', '', '"']) {
      expectError(await change(invalid), 400, ['If-Match must be one entity tag, as ETag has it, or *']);
    }
    expect((await change('"1"')).headers.get('etag')).toBe('"2"');
    expect((await change('*')).headers.get('etag')).toBe('"3"');
  });

  test('answers a token that may only write', async () => {
    const answer = await gateway.rest.call(method, path(below), { token: testData.tokens.writeOnly, body });
    expect(expectData(answer)).toMatchObject(body);
  });
});

test('a change of an organization without a body changes nothing', async () => {
  const before = expectData(await gateway.rest.get(path(), testData.manager));
  const after = expectData(await gateway.rest.patch(path(), testData.manager));
  expect(after).toEqual({ ...before, updated_at: after.updated_at });
});

test('a change has no field for what a record has of its own, nor one in the spelling of GraphQL', async () => {
  const { token } = testData.manager;
  for (const field of ['id', 'version', 'logo_file', 'numberEmployees', 'created_at', 'deleted_at']) {
    expectError(await gateway.rest.patch(path(), { token, body: { [field]: 1 } }), 400, [
      `${field} is not a known field`,
    ]);
  }
  for (const [below, field] of [
    ['settings', 'timeZone'],
    ['settings', 'id'],
    ['branding', 'customColors'],
  ] as const) {
    const method = below === 'settings' ? 'PATCH' : 'PUT';
    const answer = await gateway.rest.call(method, path(`/${below}`), { token, body: { [field]: null } });
    expectError(answer, 400, [`${field} is not a known field`]);
  }
  const transfer = { token: testData.owner.token, body: { userId: testData.viewer.id } };
  expectStatus(await gateway.rest.post(path('/transfer'), transfer), 400);
});

test('deleting and restoring an organization take and answer its version', async () => {
  const { database } = gateway.app;
  const id = await buildOrganization(database, 'Passing');
  await join(database, testData.owner, id, 'ORGANIZATION_OWNER');
  const { token } = testData.owner;
  const remove = (ifMatch: string) => gateway.rest.delete(path('', id), { token, headers: { 'if-match': ifMatch } });
  expectError(await remove('"2"'), 412, [1012]);
  expectData(await remove('"1"'));
  for (let times = 0; times < 2; times += 1) {
    expect((await gateway.rest.post(path('/restore', id), { token })).headers.get('etag')).toBe('"3"');
  }
});

test('a change of the settings is answered to a token that it shuts out', async () => {
  const inAddress = `${path('/settings')}?X-Service-Token=${testData.owner.token}`;
  const shut = await gateway.rest.patch(inAddress, { body: { query_token_allowed: false } });
  expect(expectData(shut).query_token_allowed).toBe(false);
});

describe('GET /api/v1/organizations/{id}/privileges', () => {
  const privileges = async (token: string) =>
    expectData(await gateway.rest.get(path('/privileges'), { token })).privileges as string[];

  test('answers the role of the caller and what it may do', async () => {
    const { token } = testData.viewer;
    const { roles } = await gateway.graphql.data('{ roles { role privileges } }', { token });
    const answer = await gateway.rest.get(path('/privileges'), { token });
    expectExactly(answer, 200, { error: 0, messages: [], data: roles[0] });
    expect(roles[0].privileges).toContain('READ_BRANDING');
    expect(roles[0].privileges).not.toContain('LIST_MEMBERS');
  });

  test('has no privilege that the scopes of the token do not allow', async () => {
    const all = await privileges(testData.owner.token);
    const some = await privileges(testData.tokens.readOnly);
    expect(some).toEqual(all.filter((privilege) => /^(READ|LIST)_/.test(privilege)));
    expect(all).toContain('TRANSFER_ORGANIZATION');
  });
});
