import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { expectExactly } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/settings`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const AT_FIRST = { time_zone: 'UTC', report_weekday: 1, query_token_allowed: true };
const envelope = (data: object) => ({ error: 0, messages: [], data });

const change = (body: object, ifMatch?: string, id = testData.otherOrganizationId) =>
  gateway.rest.call('PATCH', path(id), {
    token: testData.nonMember.token,
    body,
    headers: { ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
  });

describe('GET /api/v1/organizations/{id}/settings', () => {
  test('answers what was never settled, with the version of the organization', async () => {
    const answer = await gateway.rest.get(path(), { token: testData.viewer.token });
    expectExactly(answer, 200, envelope(AT_FIRST));
    expect(answer.headers.get('etag')).toBe('"1"');
  });

  test('answers 304 to who has them already', async () => {
    const headers = { 'if-none-match': '"1"' };
    expect((await gateway.rest.get(path(), { token: testData.viewer.token, headers })).status).toBe(304);
  });
});

describe('PATCH /api/v1/organizations/{id}/settings', () => {
  test('changes what is sent, leaves what is absent, and null is what it was at first', async () => {
    const first = await change({ time_zone: 'Europe/Rome', query_token_allowed: false }, '"1"');
    expectExactly(first, 200, envelope({ ...AT_FIRST, time_zone: 'Europe/Rome', query_token_allowed: false }));
    expect(first.headers.get('etag')).toBe('"2"');
    const second = await change({ report_weekday: 7 }, '"2"');
    expectExactly(second, 200, envelope({ time_zone: 'Europe/Rome', report_weekday: 7, query_token_allowed: false }));
    const last = await change({ time_zone: null, report_weekday: null, query_token_allowed: null }, '"3"');
    expectExactly(last, 200, envelope(AT_FIRST));
    expectError(await change({ report_weekday: 3 }, '"3"'), 412, [1012]);
  });

  test('takes the names of the IANA database and nothing else for a time zone', async () => {
    for (const name of ['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1']) {
      expect(expectData(await change({ time_zone: name })).time_zone).toBe(name);
    }
    for (const name of [
      ' ',
      '+01:00',
      'Europe/Atlantis',
      'Rome',
      'local',
      ' UTC',
      "UTC'; drop table organization; --",
    ]) {
      expectError(await change({ time_zone: name }), 400, ['time_zone must be an IANA time zone such as Europe/Rome']);
    }
    expectError(await change({ time_zone: `A${'a'.repeat(64)}` }), 400, [
      'time_zone must not be longer than 64 characters',
    ]);
  });

  test('takes 1 to 7 for a weekday', async () => {
    for (const day of [1, 7]) expect(expectData(await change({ report_weekday: day })).report_weekday).toBe(day);
    for (const day of [0, 8, -1]) {
      expectError(await change({ report_weekday: day }), 400, ['report_weekday must be from 1 (Monday) to 7 (Sunday)']);
    }
  });

  test('tells all errors at once', async () => {
    expectError(await change({ time_zone: 'Nowhere', report_weekday: 9 }), 400, [
      'time_zone must be an IANA time zone such as Europe/Rome',
      'report_weekday must be from 1 (Monday) to 7 (Sunday)',
    ]);
    const answer = await change({ query_token_allowed: 'yes', timeZone: 'UTC', id: 1 });
    expect([answer.status, answer.body.messages]).toEqual([
      400,
      ['query_token_allowed must be true or false', 'timeZone is not a known field', 'id is not a known field'],
    ]);
  });
});

test('answers a token that may only write, and one that shuts itself out by the change', async () => {
  const { tokens, owner } = testData;
  const written = await gateway.rest.patch(path(), { token: tokens.writeOnly, body: { report_weekday: 4 } });
  expect(expectData(written).report_weekday).toBe(4);
  const inAddress = `${path()}?X-Service-Token=${owner.token}`;
  const shut = await gateway.rest.patch(inAddress, { body: { query_token_allowed: false } });
  expect(expectData(shut).query_token_allowed).toBe(false);
});

test('GraphQL reads and writes the same', async () => {
  const { token } = testData.nonMember;
  const input = { organizationId: testData.otherOrganizationId, timeZone: 'Europe/Rome', reportWeekday: 5 };
  const { updateOrganizationSettings } = await gateway.graphql.data(
    `mutation ($input: UpdateOrganizationSettingsInput!) { updateOrganizationSettings(input: $input) {
      organization { version settings { timeZone reportWeekday queryTokenAllowed } } } }`,
    { token, variables: { input } },
  );
  const rest = await gateway.rest.get(path(testData.otherOrganizationId), { token });
  const { settings, version } = updateOrganizationSettings.organization;
  expect([settings.timeZone, settings.reportWeekday, settings.queryTokenAllowed]).toEqual(
    Object.values(rest.body.data),
  );
  expect(rest.headers.get('etag')).toBe(`"${version}"`);
  const error = await gateway.graphql.error(
    'mutation ($input: UpdateOrganizationSettingsInput!) { updateOrganizationSettings(input: $input) { organization { id: databaseId } } }',
    { token, variables: { input: { ...input, version: version - 1 } } },
  );
  expect(error).toEqual({ code: 'CONFLICT', messages: [1009] });
});
