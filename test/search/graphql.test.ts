import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
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
});
afterAll(() => gateway?.close());

const search = async (args: string, fields: string, token = testData.owner.token) =>
  (await dataTwice(gateway.graphql, `{ search(${args}) { ${fields} } }`, { token })).search;

test('shows every field, and of the organization whatever is asked for', async () => {
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
      snippet: '',
      href: `/organizations/${testData.organizationId}/incidents/${nodes[0].recordId}`,
      organization: {
        __typename: 'Organization',
        id: testData.organizationId,
        name: 'First Organization',
        description: '',
        users: { totalCount: 5 },
      },
    },
  ]);
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

test('keeps to the kinds that are named, however often, and takes none for all', async () => {
  const types = async (list: string) =>
    (await search(`query: "risk", types: ${list}, first: 100`, 'totalCount')).totalCount;
  expect(await types('[INCIDENT]')).toBe(12);
  expect(await types('[INCIDENT, INCIDENT]')).toBe(12);
  expect(await types('INCIDENT')).toBe(12);
  expect((await types('[INCIDENT, CONTROL]')) - 12).toBe(await types('[CONTROL]'));
  expect(await types('[]')).toBe(await types('null'));
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
