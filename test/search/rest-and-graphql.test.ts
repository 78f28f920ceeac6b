import { beforeAll, describe, expect, test } from '@jest/globals';
import { execute, GraphQLSchema, parse, type GraphQLObjectType } from 'graphql';
import { userCaller } from '../support/callers.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, buildWorkflow, join } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
for (const [title, description] of [
  ['risk', ''],
  ['risky', ''],
  ['a risk', ''],
  ['other', 'of a risk'],
])
  await gateway.app.database.rows(
    `insert into incident (organization_id, title, description, severity, aware_at) select $1, $2, $3, 'LOW', now() from generate_series(1, 3)`,
    [testData.organizationId, title, description],
  );

const search = async (args: string, fields: string, token = testData.owner.token) =>
  (await dataTwice(gateway.graphql, `{ search(${args}) { ${fields} } }`, { token })).search;

test('shows every field, and every requested field of the organization', async () => {
  const { nodes } = await search(
    'query: "RISKY", first: 1',
    'nodes { __typename id type recordId title snippet href organization { __typename id: databaseId name description users { totalCount } } }',
  );
  expect(nodes).toEqual([
    {
      __typename: 'SearchResult',
      id: `INCIDENT:${nodes[0].recordId}`,
      type: 'INCIDENT',
      recordId: expect.stringMatching(/^\d+$/),
      title: 'risky',
      snippet: null,
      href: `/organizations/${testData.organizationId}/incidents/${nodes[0].recordId}`,
      organization: {
        __typename: 'Organization',
        id: testData.organizationId,
        name: 'First Organization',
        description: null,
        users: { totalCount: 5 },
      },
    },
  ]);
});

describe('the record of a result', () => {
  const RECORD = `record { __typename id ... on Organization { name } ... on OrganizationUser { email }
    ... on OrganizationControl { note } ... on DocumentVersion { filename } ... on Incident { title description }
    ... on Notification { title message } }`;
  const records: Record<string, [recordId: string, record: Record<string, string>]> = {};
  let organizationId: number;

  beforeAll(async () => {
    const { database } = gateway.app;
    const insert = async (text: string, ...values: unknown[]) =>
      `${(await database.rows<{ id: number }>(`${text} returning id`, [organizationId, ...values]))[0]!.id}`;
    organizationId = await buildOrganization(database, 'Zebra');
    const member = await buildPerson(database, 'zebra');
    await join(database, testData.owner, organizationId, 'ORGANIZATION_OWNER');
    await join(database, testData.viewer, organizationId, 'VIEWER');
    await join(database, member, organizationId, 'VIEWER');
    await buildWorkflow(database, organizationId, 'nis2-directive');
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status, justification, note)
       values ($1, 'nis2-directive', '21.2.b', 'IN_PROGRESS', '', 'Zebra note')`,
      [organizationId],
    );
    const document =
      await insert(`insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
      values ($1, 'nis2-directive', '21.2.a', 'zebra.pdf', 1, 'text/plain', 'attached', repeat('0', 64), 'owner')`);
    const incident = await insert(`insert into incident (organization_id, title, description, severity, aware_at)
      values ($1, 'Zebra loose', 'In the yard', 'LOW', now())`);
    const notification = await insert(
      `insert into notification (user_id, organization_id, title, message, type, action, href)
       values ($2, $1, 'Zebra seen', 'Again', 'SYSTEM', 'NONE', '')`,
      testData.owner.id,
    );
    const control = `${organizationId}/nis2-directive/21.2.b`;
    const [{ email }] = (await database.rows('select email from app_user where id = $1', [member.id])) as [
      { email: string },
    ];
    const recordOf = (__typename: string, key: number | string, fields: Record<string, string>) => ({
      __typename,
      id: `${__typename}:${key}`,
      ...fields,
    });
    Object.assign(records, {
      ORGANIZATION: [`${organizationId}`, recordOf('Organization', organizationId, { name: 'Zebra' })],
      MEMBER: [member.id, recordOf('OrganizationUser', `${organizationId}/${member.id}`, { email })],
      CONTROL: [control, recordOf('OrganizationControl', control, { note: 'Zebra note' })],
      DOCUMENT: [document, recordOf('DocumentVersion', document, { filename: 'zebra.pdf' })],
      INCIDENT: [incident, recordOf('Incident', incident, { title: 'Zebra loose', description: 'In the yard' })],
      NOTIFICATION: [notification, recordOf('Notification', notification, { title: 'Zebra seen', message: 'Again' })],
    });
  });

  /** Executes the fields of one result, as if a search of this user had found it. */
  const showAs = ({ id }: { id: string }, type: string) => {
    const { schema } = gateway.app.executor;
    const query = schema.getType('SearchResult') as GraphQLObjectType;
    return execute({
      schema: new GraphQLSchema({ ...schema.toConfig(), query, mutation: null, subscription: null }),
      document: parse(`{ type ${RECORD} }`),
      rootValue: { type, organizationId, recordId: records[type]![0] },
      contextValue: { caller: userCaller(id), services: gateway.app.services, batches: new Map() },
    });
  };

  test('is the found record, of whatever kind, with the fields that are selected', async () => {
    const { nodes } = await search(
      `query: "zebra", organizationId: ${organizationId}`,
      `nodes { type recordId ${RECORD} }`,
    );
    const shown = nodes.map(({ type, recordId, record }: Record<string, string>) => [type, [recordId, record]]);
    expect(Object.fromEntries(shown)).toEqual(records);
    expect(shown).toHaveLength(6);
  });

  test('is null with an error for a caller who may not read it, and the result retains its other fields', async () => {
    for (const [type, [, record]] of Object.entries(records)) {
      expect(await showAs(testData.owner, type)).toEqual({ data: { type, record } });
      const { data, errors } = await showAs(testData.nonMember, type);
      expect(data).toEqual({ type, record: null });
      expect(errors).toMatchObject([{ path: ['record'], originalError: { code: 'NOT_FOUND' } }]);
    }
    const { data, errors } = await showAs(testData.viewer, 'MEMBER');
    expect(data).toEqual({ type: 'MEMBER', record: null });
    expect(errors).toMatchObject([{ path: ['record'], originalError: { code: 'FORBIDDEN' } }]);
  });

  test('counts for each result of the page in the cost of an operation', async () => {
    const below = 'record { ... on Organization { incidents(first: 100) { nodes { id title status } } } }';
    const [error] = await errorsTwice(
      gateway.graphql,
      `{ search(query: "zebra", first: 100) { nodes { ${below} } } }`,
      {
        token: testData.owner.token,
      },
    );
    expect(error?.message).toContain('exceeds the cost limit');
    await search('query: "zebra", first: 10', `nodes { ${below} }`);
  });
});

describe('pages', () => {
  test('by cursor neither drop nor repeat a result, whichever source it comes from', async () => {
    const whole = await search('query: "risk", first: 100', 'totalCount nodes { id type }');
    expect(new Set(whole.nodes.map(({ type }: { type: string }) => type))).toEqual(new Set(['INCIDENT', 'CONTROL']));
    expect(whole.totalCount).toBe(whole.nodes.length);
    for (const size of [1, 2, 5]) {
      const seen: unknown[] = [];
      for (let cursor = 'null', more = true; more;) {
        const page = await search(
          `query: "risk", first: ${size}, after: ${cursor}`,
          'totalCount edges { cursor node { id type } } pageInfo { hasNextPage endCursor }',
        );
        seen.push(...page.edges.map(({ node }: { node: unknown }) => node));
        expect(page.totalCount).toBe(whole.totalCount);
        cursor = JSON.stringify(page.pageInfo.endCursor);
        more = page.pageInfo.hasNextPage;
      }
      expect(seen).toEqual(whole.nodes);
    }
  });

  test.each([
    ['first: 0', 'first must be from 1 to 100'],
    ['first: 101', 'first must be from 1 to 100'],
    ['offset: -1', 'offset must be 0 or more'],
    ['offset: 1001', 'offset must not be more than 1000; cursors reach further'],
    ['offset: 1, after: "x"', 'offset must not be given together with a cursor or last'],
    ['after: "x"', 'after must be a cursor of this list in the same order'],
    ['after: "WyJSRUxFVkFOQ0UiLCIwIiwiNDoxIl0"', 'after must be a cursor of this list in the same order'],
  ])('refuse (%s)', async (args, message) => {
    const errors = await errorsTwice(gateway.graphql, `{ search(query: "risk", ${args}) { totalCount } }`, {
      token: testData.owner.token,
    });
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', messages: [message] });
  });
});

test('finds the kinds alone that are named, however often, and refuses an empty list of them', async () => {
  const types = async (list: string) =>
    (await search(`query: "risk", types: ${list}, first: 100`, 'totalCount')).totalCount;
  expect(await types('[INCIDENT]')).toBe(12);
  expect(await types('[INCIDENT, INCIDENT]')).toBe(12);
  expect(await types('INCIDENT')).toBe(12);
  expect((await types('[INCIDENT, CONTROL]')) - 12).toBe(await types('[CONTROL]'));
  expect(await types('null')).toBe(await types('[INCIDENT, CONTROL]'));
  const { token } = testData.owner;
  const [error] = await errorsTwice(gateway.graphql, '{ search(query: "r", types: []) { totalCount } }', { token });
  expect(error?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    messages: ['types must name at least one type', 'query must have from 2 to 100 characters'],
  });
  expectError(await find('risk', '&types='), 400, [
    'types must be one of ORGANIZATION, MEMBER, CONTROL, DOCUMENT, INCIDENT, NOTIFICATION',
  ]);
});

test('refuses what is too short or too long', async () => {
  for (const query of ['x', ' x ', 'x'.repeat(101)]) {
    const errors = await errorsTwice(gateway.graphql, `query ($q: String!) { search(query: $q) { totalCount } }`, {
      token: testData.owner.token,
      variables: { q: query },
    });
    expect(errors[0]?.extensions.messages).toEqual(['query must have from 2 to 100 characters']);
  }
});

const find = (q: string, rest = '') =>
  gateway.rest.get(`/api/v1/search?q=${encodeURIComponent(q)}${rest}`, { token: testData.owner.token });

describe('REST', () => {
  pagingCases((query) => find('it', `&${query}`), 1_000, 'offset must be from 0 to 1000');

  test('refuses invalid parameters with every error at once', async () => {
    const length = 'q must have from 2 to 100 characters';
    expectError(await gateway.rest.get('/api/v1/search', { token: testData.owner.token }), 400, ['q is required']);
    for (const q of ['', 'a', '   ', ' a ', 'x'.repeat(101)]) expectError(await find(q), 400, [length]);
    for (const q of ['ab', 'x'.repeat(100), '💥💥']) expectStatus(await find(q), 200);
    expect((await find('\u0300\u0301\u0302')).body).toMatchObject({ data: [], total: 0 });
    expectError(await find('ab', '&types=FILE&offset=1001&organization_id=x&limit=0'), 400, [
      'organization_id must be an integer of 1 or more',
      'types must be one of ORGANIZATION, MEMBER, CONTROL, DOCUMENT, INCIDENT, NOTIFICATION',
      'limit must be from 1 to 100',
      'offset must be from 0 to 1000',
    ]);
    expectStatus(await find('ab', '&offset=1000'), 200);
    expectError(await find('a\0b'), 400, ['q must not contain control characters']);
  });
});
