import { beforeEach, describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { samples } from '../support/sample-files.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildThreatBlocker,
  join,
} from '../support/test-data.js';
import { dataTwice } from '../support/twice.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { expectExactly, pagingCases } from '../support/rest.js';

const { gateway, testData } = await startSeededGateway();

describe('the list of organizations', () => {
  const LIST = `query ($first: Int, $after: String, $orderBy: OrganizationOrder, $filter: OrganizationFilter) {
    organizations(first: $first, after: $after, orderBy: $orderBy, filter: $filter) {
      totalCount nodes { name viewerRole } pageInfo { hasNextPage endCursor } } }`;

  test('is paged by cursor in both orders, and drops or repeats none', async () => {
    const { database } = gateway.app;
    for (let n = 0; n < 5; n += 1) {
      await join(
        database,
        testData.userWithoutOrganization,
        await buildOrganization(database, `Same ${n % 2}`),
        'VIEWER',
      );
    }
    for (const direction of ['ASC', 'DESC']) {
      for (const field of ['NAME', 'CREATED_AT']) {
        const names: string[] = [];
        let after: string | null = null;
        do {
          const variables: object = { first: 2, after, orderBy: { field, direction } };
          const { organizations } = await dataTwice(gateway.graphql, LIST, {
            token: testData.userWithoutOrganization.token,
            variables,
          });
          expect(organizations.totalCount).toBe(5);
          names.push(...organizations.nodes.map(({ name }: { name: string }) => name));
          after = organizations.pageInfo.hasNextPage ? organizations.pageInfo.endCursor : null;
        } while (after !== null);
        expect(names.toSorted()).toEqual(['Same 0', 'Same 0', 'Same 0', 'Same 1', 'Same 1']);
      }
    }
  });
});

test('creating an organization stores a logo that comes as a file and shows it at an address of the gateway', async () => {
  const answer = await gateway.graphql.upload(
    'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id: databaseId logo } } }',
    { input: { name: 'With logo', logoFile: null } },
    'variables.input.logoFile',
    { name: samples.WEBP.filename, type: samples.WEBP.contentType, bytes: samples.WEBP.bytes },
    testData.userWithoutOrganization.token,
  );
  const { logo } = answer.body.data.createOrganization.organization;
  expect(logo).toMatch(new RegExp(`^${gateway.url}/logos/[0-9a-f]{64}\\.webp$`));
  const image = await fetch(logo);
  expect(image.headers.get('content-type')).toBe('image/webp');
  expect(Buffer.from(await image.arrayBuffer())).toEqual(samples.WEBP.bytes);
});

describe('changing an organization', () => {
  const UPDATE = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) {
    organization { name description website sectors logo version } } }`;
  let id: number;

  beforeEach(async () => {
    const { createOrganization } = await gateway.graphql.data(
      `mutation { createOrganization(input: { name: "Acme", description: "d", website: "https://acme.example.com", sectors: [ENERGY] })
        { organization { id: databaseId } } }`,
      { token: testData.userWithoutOrganization.token },
    );
    id = createOrganization.organization.id;
  });
  const update = async (query: string, variables: object) =>
    (await gateway.graphql.data(query, { token: testData.userWithoutOrganization.token, variables })).updateOrganization
      .organization;

  test('leaves what is absent and empties what is null, in variables and in the document itself', async () => {
    expect(await update(UPDATE, { input: { organizationId: id, website: null } })).toEqual({
      name: 'Acme',
      description: 'd',
      website: null,
      sectors: ['ENERGY'],
      logo: null,
      version: 2,
    });
    const literal = `mutation ($id: ID!, $sectors: [Sector!], $description: String, $version: Int) {
      updateOrganization(input: { organizationId: $id, version: $version, sectors: $sectors, description: $description, name: "New" }) {
        organization { name description sectors version } } }`;
    // Twice: an operation is interpreted at first, and compiled from then on. The second changes nothing.
    for (let run = 0; run < 2; run += 1) {
      expect(await update(literal, { id })).toEqual({ name: 'New', description: 'd', sectors: ['ENERGY'], version: 3 });
    }
    expect(await update(literal, { id, description: null, version: 3 })).toEqual({
      name: 'New',
      description: null,
      sectors: ['ENERGY'],
      version: 4,
    });
  });

  test('is a conflict when the version is another one, and reports types and rules together', async () => {
    const error = (input: object) =>
      gateway.graphql.error(UPDATE, { token: testData.userWithoutOrganization.token, variables: { input } });
    const STALE = { code: 'CONFLICT', messages: [1009], reason: 'STALE_VERSION' };
    expect(await error({ organizationId: id, version: 2, name: 'A' })).toEqual(STALE);
    expect(await error({ organizationId: id, version: 0, name: 'A' })).toEqual(STALE);
    expect(await error({ organizationId: id, name: null, numberEmployees: 1.5, ips: ['x'] })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [
        'name is required',
        'numberEmployees must be an integer of 0 or more',
        'ips[0] must be a dotted IPv4 address',
      ],
    });
  });

  test('stores a logo that comes as a file, and deletes the one before it', async () => {
    const send = async (sample: (typeof samples)['PNG'], input: object = {}) => {
      const file = { name: sample.filename, type: sample.contentType, bytes: sample.bytes };
      const variables = { input: { organizationId: id, logoFile: null, ...input } };
      return gateway.graphql.upload(
        UPDATE,
        variables,
        'variables.input.logoFile',
        file,
        testData.userWithoutOrganization.token,
      );
    };
    const logoOf = (answer: Awaited<ReturnType<typeof send>>) => answer.body.data.updateOrganization.organization.logo;
    const first = logoOf(await send(samples.PNG));
    expect((await fetch(first)).status).toBe(200);
    const second = logoOf(await send(samples.JPEG, { logo: 'https://elsewhere.example.com/logo.png' }));
    expect(second).toMatch(new RegExp(`^${gateway.url}/logos/[0-9a-f]{64}\\.jpg$`));
    expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);
    const refused = await send(samples.PDF);
    expect(refused.body.errors?.[0]?.extensions.code).toBe('UNSUPPORTED_FILE_TYPE');
    const stale = await send(samples.PNG, { version: 1 });
    expect(stale.body.errors?.[0]?.extensions.code).toBe('CONFLICT');
    expect((await fetch(first)).status).toBe(404);
    expect((await update(UPDATE, { input: { organizationId: id, logo: null } })).logo).toBeNull();
    expect((await fetch(second)).status).toBe(404);
  });
});

test('what may be done with an organization that was deleted or left is said in the answer to that', async () => {
  const { database } = gateway.app;
  const { owner, manager } = testData;
  const id = await buildOrganization(database, 'Deleted');
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  await join(database, manager, id, 'ORGANIZATION_MANAGER');
  const viewerCan = async (mutation: string, { token }: { token: string }) => {
    const document = `mutation ($id: ID!) { answer: ${mutation}(input: { organizationId: $id }) {
      organization { viewerCan { update delete restore leave transferOwnership openIncidents } } } }`;
    return (await gateway.graphql.data(document, { token, variables: { id } })).answer.organization.viewerCan;
  };
  const nothing = {
    ...{ update: false, delete: false, restore: false, leave: false },
    ...{ transferOwnership: false, openIncidents: false },
  };
  expect(await viewerCan('deleteOrganization', owner)).toEqual({ ...nothing, restore: true });
  expect(await viewerCan('restoreOrganization', owner)).toEqual({
    ...{ update: true, delete: true, restore: false, leave: false },
    ...{ transferOwnership: true, openIncidents: true },
  });
  expect(await viewerCan('leaveOrganization', manager)).toEqual(nothing);
});

test.each(['deleteOrganization', 'leaveOrganization'])(
  '%s answers role, settings and branding as they were, and whom it is refused gets none of them',
  async (mutation) => {
    const { database } = gateway.app;
    const { owner, manager, nonMember, organizationId } = testData;
    const id = await buildOrganization(database, 'Deleted or left');
    await join(database, owner, id, 'ORGANIZATION_OWNER');
    await join(database, manager, id, 'ORGANIZATION_MANAGER');
    const own = 'viewerRole settings { timeZone } branding { palette }';
    const before = await gateway.graphql.data(`query ($id: ID!) { organization(id: $id) { ${own} } }`, {
      token: owner.token,
      variables: { id },
    });
    const document = `mutation ($id: ID!) { answer: ${mutation}(input: { organizationId: $id }) {
      organization { name ${own} } } }`;
    const send = (token: string, of = id) => gateway.graphql.call(document, { token, variables: { id: of } });
    const refused = await send(nonMember.token, organizationId);
    expect(refused.body).toMatchObject({ data: { answer: null }, errors: [{ path: ['answer'] }] });
    const isDeletion = mutation === 'deleteOrganization';
    const { body } = await send(isDeletion ? owner.token : manager.token);
    expect(body).toEqual({
      data: {
        answer: {
          organization: {
            ...before.organization,
            name: 'Deleted or left',
            viewerRole: isDeletion ? 'ORGANIZATION_OWNER' : 'ORGANIZATION_MANAGER',
          },
        },
      },
    });
  },
);

test('every record with an organization says what the caller may do there', async () => {
  const { database } = gateway.app;
  const { organizationId, manager, analyst } = testData;
  const edge = await buildCloudDefender(database, organizationId);
  const blocker = await buildThreatBlocker(database, organizationId);
  await buildIncident(database, organizationId);
  const [version] = await database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'nis2-directive', '21.2.a', 'd', 1, 'text/plain', 'attached', 'none', 'owner') returning id`,
    [organizationId],
  );
  const query = `query ($organization: ID!, $edge: ID!, $blocker: ID!, $version: ID!) {
    organization(id: $organization) { viewerPrivileges incidents { nodes { organization { viewerPrivileges } } } }
    cloudDefender(id: $edge) { organization { viewerPrivileges } }
    threatBlocker(id: $blocker) { organization { viewerPrivileges } }
    documentVersion(id: $version) { organization { viewerPrivileges } } }`;
  const variables = { organization: organizationId, edge, blocker, version: version!.id };
  const data = await dataTwice(gateway.graphql, query, { token: manager.token, variables });
  const can = data.organization.viewerPrivileges as string[];
  expect(can).toContain('MANAGE_SETTINGS');
  expect(can).not.toContain('TRANSFER_ORGANIZATION');
  expect(data).toEqual({
    organization: { viewerPrivileges: can, incidents: { nodes: [{ organization: { viewerPrivileges: can } }] } },
    cloudDefender: { organization: { viewerPrivileges: can } },
    threatBlocker: { organization: { viewerPrivileges: can } },
    documentVersion: { organization: { viewerPrivileges: can } },
  });
  const { organization } = await gateway.graphql.data(
    'query ($id: ID!) { organization(id: $id) { viewerPrivileges } }',
    {
      token: analyst.token,
      variables: { id: organizationId },
    },
  );
  expect(organization.viewerPrivileges).toContain('EDIT_INCIDENTS');
  expect(organization.viewerPrivileges).not.toContain('LIST_MEMBERS');
});

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
  test('is refused with 412 unless If-Match is the tag of its version, and answers the next one when it changes something', async () => {
    const { database } = gateway.app;
    const id = await buildOrganization(database, 'First');
    await join(database, testData.manager, id, 'ORGANIZATION_MANAGER');
    const change = (ifMatch: string) =>
      gateway.rest.call(method, path(below, id), {
        token: testData.manager.token,
        headers: { 'if-match': ifMatch },
        body,
      });
    const many = Array.from({ length: 17 }, () => '"1"').join(', ');
    const malformed = ['1', '"01"', '"1" "2"', '"1", 2', '', '"', ',', '*, "1"', many];
    for (const other of ['"2"', 'W/"1"', '"of-another-client"', '"2147483648"', ...malformed]) {
      const answer = await change(other);
      expectStatus(answer, 412);
      expect(answer.body.messages).toEqual(messages);
    }
    expect((await change('"5", W/"1","x,y" , "1"')).headers.get('etag')).toBe('"2"');
    expect((await change('*')).headers.get('etag')).toBe('"2"');
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
  const change = (field: string) => gateway.rest.patch(path(), { token, body: { [field]: 'x' } });
  for (const field of ['id', 'created_at']) expectError(await change(field), 400, [`${field} cannot be changed`]);
  for (const [field, hint] of [
    ['version', ''],
    ['logo_file', ''],
    ['numberEmployees', '. Did you mean number_employees?'],
    ['deleted_at', ''],
  ] as const)
    expectError(await change(field), 400, [`${field} is not a known field${hint}`]);
  for (const [below, field, hint] of [
    ['settings', 'timeZone', '. Did you mean time_zone?'],
    ['settings', 'id', ''],
    ['branding', 'customColors', '. Did you mean custom_colors?'],
  ] as const) {
    const method = below === 'settings' ? 'PATCH' : 'PUT';
    const answer = await gateway.rest.call(method, path(`/${below}`), { token, body: { [field]: null } });
    expectError(answer, 400, [`${field} is not a known field${hint}`]);
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
  for (const other of ['"2"', 'soon', '', '"1", soon']) expectError(await remove(other), 412, [1012]);
  expectData(await remove('"7", "1"'));
  for (let times = 0; times < 2; times += 1) {
    expect((await gateway.rest.post(path('/restore', id), { token })).headers.get('etag')).toBe('"3"');
  }
  expectData(await remove('*'));
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
    const { roles } = (await gateway.graphql.data('{ formOptions { roles { role privileges } } }', { token }))
      .formOptions;
    const answer = await gateway.rest.get(path('/privileges'), { token });
    const viewer = roles.find(({ role }: { role: string }) => role === 'VIEWER');
    expectExactly(answer, 200, { error: 0, messages: [], data: viewer });
    expect(viewer.privileges).toContain('READ_BRANDING');
    expect(viewer.privileges).not.toContain('LIST_MEMBERS');
  });

  test('has no privilege that the scopes of the token do not allow', async () => {
    const all = await privileges(testData.owner.token);
    const some = await privileges(testData.tokens.readOnly);
    expect(some).toEqual(all.filter((privilege) => /^(READ|LIST)_/.test(privilege)));
    expect(all).toContain('TRANSFER_ORGANIZATION');
  });
});
