import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { graphqlOutcome, restOutcome } from '../support/parity.js';
import { expectExactly } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/branding`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const DEFAULT = {
  palette: 'default',
  custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' },
};
const put = (body: object, ifMatch?: string) =>
  gateway.rest.call('PUT', path(testData.otherOrganizationId), {
    token: testData.nonMember.token,
    body,
    headers: { ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
  });

describe('PUT /api/v1/organizations/{id}/branding', () => {
  test('leaves what is absent, and null is the default', async () => {
    const custom_colors = { primary: '#004466', primary_hover: '#003355', primary_dark: '#001122' };
    expectExactly(await put({ palette: 'sea' }), 200, {
      error: 0,
      messages: [],
      data: { palette: 'sea', custom_colors: DEFAULT.custom_colors },
    });
    expect(expectData(await put({ custom_colors }))).toEqual({ palette: 'sea', custom_colors });
    expect(expectData(await put({ palette: null }))).toEqual({ palette: 'default', custom_colors });
    expect(expectData(await put({}))).toEqual({ palette: 'default', custom_colors });
    expect(expectData(await put({ palette: null, custom_colors: null }))).toEqual(DEFAULT);
    const read = await gateway.rest.get(path(testData.otherOrganizationId), { token: testData.nonMember.token });
    expect(expectData(read)).toEqual(DEFAULT);
  });

  test('derives hover and dark shade where they are absent or null, and keeps one spelling of colours', async () => {
    expect(expectData(await put({ custom_colors: { primary: '#b4540a' } })).custom_colors).toEqual({
      primary: '#B4540A',
      primary_hover: '#9A4808',
      primary_dark: '#612D05',
    });
    const given = { primary: '#004466', primary_hover: null, primary_dark: '#00112f' };
    expect(expectData(await put({ custom_colors: given })).custom_colors).toEqual({
      primary: '#004466',
      primary_hover: '#003A57',
      primary_dark: '#00112F',
    });
    expect(expectData(await put({ custom_colors: { primary: '#000000' } })).custom_colors).toEqual({
      primary: '#000000',
      primary_hover: '#000000',
      primary_dark: '#000000',
    });
  });

  test('refuses a colour on which white text cannot be read, and says how far it is from it', async () => {
    // The lightest grey that keeps 4.5, and the next one.
    expectData(await put({ custom_colors: { primary: '#767676' } }));
    expectError(await put({ custom_colors: { primary: '#777777' } }), 400, [
      'custom_colors.primary has a contrast of 4.47 to white text; at least 4.5 is needed',
    ]);
    expectError(
      await put({ custom_colors: { primary: '#FFFFFF', primary_hover: '#E07A1F', primary_dark: '#00FF00' } }),
      400,
      [
        'custom_colors.primary has a contrast of 1.00 to white text; at least 4.5 is needed',
        'custom_colors.primary_hover has a contrast of 3.01 to white text; at least 4.5 is needed',
        'custom_colors.primary_dark has a contrast of 1.37 to white text; at least 4.5 is needed',
      ],
    );
  });

  test('tells all errors at once', async () => {
    for (const primary of ['#12345', '#1234567', 'red', '', '123456', '#12345G', '#123456 ', '#0000001']) {
      expectError(await put({ palette: ' ', custom_colors: { primary } }), 400, [
        'palette is required',
        'custom_colors.primary must be a colour such as #1F6FEB',
      ]);
    }
    expectError(await put({ palette: 'p'.repeat(51) }), 400, ['palette must not be longer than 50 characters']);
    expectData(await put({ palette: 'p'.repeat(50) }));
    expectError(await put({ custom_colors: {}, customColors: null }), 400, [
      'custom_colors.primary is required',
      'customColors is not a known field',
    ]);
    expectError(await put({ custom_colors: { primary: '#000000', accent: '#000000' } }), 400, [
      'custom_colors.accent is not a known field',
    ]);
  });

  test('moves the version of the organization, and is a conflict when that is another one', async () => {
    const { token } = testData.nonMember;
    const before = await gateway.rest.get(path(testData.otherOrganizationId), { token });
    const etag = before.headers.get('etag') as string;
    const [one, other] = await Promise.all([put({ palette: 'one' }, etag), put({ palette: 'other' }, etag)]);
    expect([one.status, other.status].toSorted()).toEqual([200, 412]);
    const moved = one.status === 200 ? one : other;
    expect(moved.headers.get('etag')).toBe(`"${Number(etag.slice(1, -1)) + 1}"`);
  });
});

test('answers a token that may only write', async () => {
  const body = { palette: 'written' };
  const answer = await gateway.rest.call('PUT', path(), { token: testData.tokens.writeOnly, body });
  expect(expectData(answer).palette).toBe('written');
});

test('GraphQL answers and refuses in the same words', async () => {
  const organizationId = testData.otherOrganizationId;
  const { token } = testData.nonMember;
  const query = `mutation ($input: UpdateBrandingInput!) { updateBranding(input: $input) {
    organization { branding { palette customColors { primary primaryHover primaryDark } } } } }`;
  for (const [input, body] of [
    [{ palette: 'sea' }, { palette: 'sea' }],
    [{ customColors: { primary: '#004466' } }, { custom_colors: { primary: '#004466' } }],
    [
      { customColors: null, palette: null },
      { custom_colors: null, palette: null },
    ],
    [{ customColors: { primary: '#EEEEEE' } }, { custom_colors: { primary: '#EEEEEE' } }],
    [
      { palette: '', customColors: { primary: 'x' } },
      { palette: '', custom_colors: { primary: 'x' } },
    ],
    [{ version: 1 }, undefined],
  ] as const) {
    const graphql = await gateway.graphql.call(query, { token, variables: { input: { organizationId, ...input } } });
    const rest = await (body === undefined ? put({}, '"1"') : put(body));
    expect(graphqlOutcome(graphql)).toEqual(
      rest.status === 412 ? { code: 'CONFLICT', messages: [1009] } : restOutcome(rest),
    );
    if (rest.status !== 200) continue;
    const { branding } = graphql.body.data.updateBranding.organization;
    expect(Object.values(branding.customColors)).toEqual(Object.values(rest.body.data.custom_colors));
    expect(branding.palette).toBe(rest.body.data.palette);
  }
});
