import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  // A clock that stands still: both APIs write the same instants.
  gateway = await startGateway({ now: new TestClock().now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

beforeEach(async () => {
  const { database } = gateway.app;
  await database.rows('delete from organization_workflow');
  await database.rows('delete from control_state');
  await buildWorkflow(database, testData.organizationId, 'nis2-directive');
  await database.rows(`update organization_workflow set created_at = '2026-05-06T07:08:09.010Z'`);
});

const PROGRESS = '{ total to_do: toDo in_progress: inProgress done not_applicable: notApplicable }';
const WORKFLOW = `id: workflowId name associated_at: associatedAt progress ${PROGRESS}`;
const CONTROL = `id: controlId label parent_id: parentId kind position status justification
  owner { user_id: userId username first_name: firstName last_name: lastName }
  due_date: dueDate overdue note
  evidence { own mapped total sources { workflow_id: workflowId control_id: controlId label documents } }
  updated_at: updatedAt`;

const root = () => `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows`;
const args = () => `organizationId: ${testData.organizationId}, workflowId: "nis2-directive"`;

/** Each read of REST, and the same of GraphQL. */
const READS: Record<string, { tail: string; query: () => string; at: string[] }> = {
  list: {
    tail: '',
    query: () => `{ organization(id: ${testData.organizationId}) { workflows { nodes { ${WORKFLOW} } } } }`,
    at: ['organization', 'workflows', 'nodes'],
  },
  one: {
    tail: '/nis2-directive',
    query: () => `{ organizationWorkflow(${args()}) { ${WORKFLOW} } }`,
    at: ['organizationWorkflow'],
  },
  progress: {
    tail: '/nis2-directive/progress?from=2026-05-01&to=2026-06-01',
    query: () =>
      `{ organizationWorkflow(${args()}) { progressHistory(from: "2026-05-01", to: "2026-06-01") { days { day } } } }`,
    at: ['organizationWorkflow', 'progressHistory', 'days'],
  },
  controls: {
    tail: '/nis2-directive/controls?limit=3&offset=1&status=TO_DO&parent=20',
    query: () =>
      `{ organizationWorkflow(${args()}) { controls(first: 3, offset: 1, filter: { status: TO_DO, parent: "20" }) { nodes { ${CONTROL} } } } }`,
    at: ['organizationWorkflow', 'controls', 'nodes'],
  },
  control: {
    tail: '/nis2-directive/controls/21.2.a',
    query: () => `{ organizationControl(${args()}, controlId: "21.2.a") { ${CONTROL} } }`,
    at: ['organizationControl'],
  },
};

describe('reading', () => {
  test.each(Object.keys(READS))('%s shows one value through both APIs, to every caller that may', async (name) => {
    const { tail, query, at } = READS[name]!;
    const codes = new Set<string>();
    for (const [caller, token] of callersOf(testData)) {
      const options = token === undefined ? {} : { token };
      const rest = await gateway.rest.get(root() + tail, options);
      const answer = await gateway.graphql.call(query(), options);
      withStory(answer, () => expect([caller, graphqlOutcome(answer)]).toEqual([caller, restOutcome(rest)]));
      codes.add(restOutcome(rest).code);
      if (rest.status !== 200) continue;
      const shown = at.reduce((value, key) => value[key], answer.body.data);
      expect(JSON.stringify(shown)).toBe(JSON.stringify(rest.body.data));
    }
    expectBothEnds(codes);
  });
});

/** Each write: the request to REST, and the same input to GraphQL. */
const WRITES: Record<
  string,
  { method: string; tail: string; body?: object; input: object; answer: string; at: string }
> = {
  associateWorkflow: {
    method: 'POST',
    tail: '',
    body: { id: 'nis2-directive' },
    input: { workflowId: 'nis2-directive' },
    answer: `organizationWorkflow { ${WORKFLOW} }`,
    at: 'organizationWorkflow',
  },
  dissociateWorkflow: {
    method: 'DELETE',
    tail: '/nis2-directive',
    input: { workflowId: 'nis2-directive' },
    answer: `organizationWorkflow { ${WORKFLOW} }`,
    at: 'organizationWorkflow',
  },
  updateControl: {
    method: 'PATCH',
    tail: '/nis2-directive/controls/20.1',
    body: { status: 'NOT_APPLICABLE', justification: 'x', due_date: '2030-01-01', note: null },
    input: {
      workflowId: 'nis2-directive',
      controlId: '20.1',
      status: 'NOT_APPLICABLE',
      justification: 'x',
      dueDate: '2030-01-01',
      note: null,
    },
    answer: `control { ${CONTROL} }`,
    at: 'control',
  },
  updateControls: {
    method: 'PATCH',
    tail: '/nis2-directive/controls',
    body: { updates: [{ control_id: '20.2', status: 'DONE', owner_id: null }] },
    input: { workflowId: 'nis2-directive', updates: [{ controlId: '20.2', status: 'DONE', ownerId: null }] },
    answer: `controls { ${CONTROL} }`,
    at: 'controls',
  },
};

describe('writing', () => {
  const send = async (name: string, token: string | undefined, twist: (input: object) => object = (same) => same) => {
    const { method, tail, body, input, answer } = WRITES[name]!;
    const options = token === undefined ? {} : { token };
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${answer} } }`;
    const variables = { input: { organizationId: testData.organizationId, ...twist(input) } };
    return {
      rest: () => gateway.rest.call(method, root() + tail, { ...options, ...(body && { body: twist(body) }) }),
      graphql: () => gateway.graphql.call(query, { ...options, variables }),
    };
  };
  const again = () =>
    buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive').catch(() => undefined);

  test.each(Object.keys(WRITES))('%s ends alike through both APIs, for every caller', async (name) => {
    const codes = new Set<string>();
    for (const [caller, token] of callersOf(testData)) {
      const { rest, graphql } = await send(name, token);
      const one = await rest();
      await again();
      const other = await graphql();
      await again();
      withStory(other, () => expect([caller, graphqlOutcome(other)]).toEqual([caller, restOutcome(one)]));
      codes.add(restOutcome(one).code);
      if (one.status >= 300) continue;
      const shown = other.body.data[name][WRITES[name]!.at];
      const strip = (value: unknown) => JSON.stringify(value).replace(/"associated_at":"[^"]*"/, '');
      expect(strip(shown)).toBe(strip(one.body.data));
    }
    expectBothEnds(codes);
  });

  const invalid = { status: null, note: 'x'.repeat(5001) };
  test.each([
    ['updateControl', invalid, invalid],
    ['updateControls', { updates: [{ control_id: '99' }] }, { updates: [{ controlId: '99' }] }],
  ])('%s tells the same errors through both APIs', async (name, body, input) => {
    const { token } = testData.owner;
    const one = await (await send(name, token, (given) => ({ ...given, ...body }))).rest();
    const other = await (await send(name, token, (given) => ({ ...given, ...input }))).graphql();
    expect(one.status).toBe(400);
    withStory(other, () => expect(graphqlOutcome(other)).toEqual(restOutcome(one)));
  });

  test('associateWorkflow names the missing workflow as each API calls it', async () => {
    const { token } = testData.owner;
    const one = await (await send('associateWorkflow', token, (given) => ({ ...given, id: null }))).rest();
    const other = await (await send('associateWorkflow', token, (given) => ({ ...given, workflowId: null }))).graphql();
    expect(restOutcome(one)).toEqual({ code: 'BAD_USER_INPUT', messages: ['id is required'] });
    expect(other.body.errors?.[0]?.extensions.messages).toEqual(['workflowId is required']);
  });
});
