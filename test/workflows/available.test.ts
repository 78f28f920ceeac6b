import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { expectExactly, pagingCases } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const PATH = '/api/v1/v-ciso/available-workflows';

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

describe('GET /api/v1/v-ciso/available-workflows', () => {
  test('answers the whole catalogue with its total to every caller, member of something or not', async () => {
    for (const token of [
      testData.owner.token,
      testData.viewer.token,
      testData.userWithoutOrganization.token,
      testData.tokens.readOnly,
    ]) {
      expectExactly(await gateway.rest.get(PATH, { token }), 200, {
        error: 0,
        messages: [],
        data: [
          { id: 'incident-readiness', name: 'Incident readiness' },
          { id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022' },
          { id: 'iso-27017-2015', name: 'ISO/IEC 27017:2015' },
          { id: 'iso-27018-2019', name: 'ISO/IEC 27018:2019' },
          { id: 'nis2-directive', name: 'NIS 2 Directive' },
          { id: 'nis2-it-baseline', name: 'NIS 2 baseline measures, Italy' },
        ],
        total: 6,
      });
    }
  });

  test('counts the whole list on a page of one', async () => {
    expectExactly(
      await gateway.rest.get(`${PATH}?limit=1&offset=1`, { token: testData.userWithoutOrganization.token }),
      200,
      {
        error: 0,
        messages: [],
        data: [{ id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022' }],
        total: 6,
      },
    );
  });

  pagingCases((query) => gateway.rest.get(`${PATH}?${query}`, { token: testData.userWithoutOrganization.token }));
});

describe('GET /api/v1/v-ciso/available-workflows/{workflowid}', () => {
  test('answers what GraphQL answers, before any organization has taken it up', async () => {
    const { token } = testData.userWithoutOrganization;
    const query = `query ($id: ID!) { data: workflow(id: $id) {
      id: databaseId name version kind source source_url: sourceUrl licence remarks } }`;
    for (const id of ['iso-27001-2022', 'nis2-directive', 'incident-readiness']) {
      const { data } = await gateway.graphql.data(query, { token, variables: { id } });
      expectExactly(await gateway.rest.get(`${PATH}/${id}`, { token }), 200, { error: 0, messages: [], data });
    }
  });

  test('knows no workflow of another name', async () => {
    for (const id of ['iso-27001', 'ISO-27001-2022', '1'])
      expectError(await gateway.rest.get(`${PATH}/${id}`, { token: testData.viewer.token }), 404, [1004]);
  });
});

describe('GET /api/v1/v-ciso/available-workflows/{workflowid}/controls', () => {
  const CONTROLS = `${PATH}/nis2-directive/controls`;
  pagingCases((query) => gateway.rest.get(`${CONTROLS}?${query}`, { token: testData.userWithoutOrganization.token }));

  test('answers what GraphQL answers, in reading order', async () => {
    const { token } = testData.userWithoutOrganization;
    const query = `{ workflow(id: "nis2-directive") { controls(first: 100) { total: totalCount data: nodes {
      id: controlId label parent_id: parentId kind position entities } } } }`;
    const { data, total } = (await gateway.graphql.data(query, { token })).workflow.controls;
    expectExactly(await gateway.rest.get(`${CONTROLS}?limit=100`, { token }), 200, {
      error: 0,
      messages: [],
      data,
      total,
    });
  });

  test('knows no workflow of another name', async () => {
    expectError(await gateway.rest.get(`${PATH}/none/controls`, { token: testData.viewer.token }), 404, [1004]);
  });
});
