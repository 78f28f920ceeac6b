import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { buildImport } from '../support/seeded-organization.js';
import { buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
for (const id of ['nis2-directive', 'incident-readiness'])
  await buildWorkflow(gateway.app.database, testData.organizationId, id);
for (const id of ['rules-1', 'rules-2', 'rules-3'])
  await buildImport(gateway.app.database, testData.organizationId, id);

const CATALOGUE = '/api/v1/v-ciso/available-workflows';
const path = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}${rest}`;
const get = (target: string) => gateway.rest.get(target, testData.viewer);
const send = (method: string, target: string, body: object) =>
  gateway.rest.call(method, target, { token: testData.manager.token, body });

describe('the parameters of the list of available workflows', () => {
  pagingCases((query) => get(`${CATALOGUE}?${query}`));
});

describe('the parameters of the list of controls of an available workflow', () => {
  pagingCases((query) => get(`${CATALOGUE}/nis2-directive/controls?${query}`));
});

describe('the parameters of the list of workflows of an organization', () => {
  pagingCases((query) => get(path(`/workflows?${query}`)));
});

describe('the parameters of the list of imports', () => {
  pagingCases((query) => get(path(`/available-workflows?${query}`)));
});

describe('the parameters of the list of controls', () => {
  const list = (query: string) => get(path(`/workflows/nis2-directive/controls?${query}`));
  pagingCases(list);

  test('are refused when they are no status and no boolean', async () => {
    expectError(await list('status=done&overdue=yes'), 400, [
      'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE',
      'overdue must be true or false',
    ]);
  });
});

test('a range of progress is of days of the calendar', async () => {
  expectError(await get(path('/workflows/nis2-directive/progress?from=2026-02-29&to=tomorrow')), 400, [
    'from must be a day of the calendar, such as 2026-01-31',
    'to must be a day of the calendar, such as 2026-01-31',
  ]);
});

test('an id of another form is not found', async () => {
  for (const id of ['..%2f', '%00']) {
    expectError(await get(path(`/workflows/${id}`)), 404, [1004]);
    expectError(await get(path(`/workflows/nis2-directive/controls/${id}`)), 404, [1004]);
  }
});

test.each([
  ['/workflows', { id: 'iso-27018-2019' }],
  [
    '/available-workflows',
    {
      id: 'house-rules',
      name: 'House rules',
      version: '3',
      source: { text: 'Our handbook' },
      licence: 'Ours',
      controls: [{ id: 'H1', label: 'Lock the door', kind: 'control' }],
    },
  ],
])('POST %s answers 201 with Location for what is new, and 200 for what existed', async (list, body) => {
  const first = await send('POST', path(list), body);
  expectStatus(first, 201);
  expect(first.headers.get('location')).toBe(path(`${list}/${body.id}`));
  const again = await send('POST', path(list), body);
  expectStatus(again, 200);
  expect(again.headers.get('location')).toBeNull();
  expect((await get(path(`${list}/${body.id}`))).text).toBe(again.text);
});

test('bodies have no fields for what is in the path', async () => {
  const { status, body } = await send('POST', path('/workflows'), { hue: 1, organization_id: 2 });
  expect([status, body.messages]).toEqual([
    400,
    ['id is required', 'hue is not a known field', 'organization_id is not a known field'],
  ]);
  expectError(await send('POST', path('/available-workflows'), { text: 'a', organization_id: 1 }), 400, [
    'organization_id is not a known field',
  ]);
  const control = path('/workflows/nis2-directive/controls/20.2');
  expectError(await send('PATCH', control, { control_id: '20.1' }), 400, ['control_id is not a known field']);
});

test('the changed controls are counted in the total', async () => {
  const body = { control_ids: ['23.1', '20.1'], changes: { note: 'Seen' } };
  const answer = await send('PATCH', path('/workflows/nis2-directive/controls'), body);
  expect(expectData(answer)).toHaveLength(2);
  expect(answer.body.total).toBe(2);
});
