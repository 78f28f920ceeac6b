import { describe, expect, test } from '@jest/globals';
import { isEnumType, type GraphQLEnumType } from 'graphql';
import { toEnumName } from '../../src/common/naming.js';
import { spelledEnumeration } from '../../src/schema/shared/spelled.js';
import { DEVICE_KINDS, FRAMEWORK_VALUES, INCIDENT_CATEGORIES, INFRASTRUCTURES } from '../../src/values/enums.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../src/values/sectors.js';
import { REGIMES } from '../support/catalog.js';
import { expectData } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const { organizationId } = testData;
const { token } = testData.owner;
const PATH = `/api/v1/organizations/${organizationId}`;

const LISTS: Readonly<Record<string, readonly string[]>> = {
  Sector: SECTORS,
  Industry: INDUSTRIES,
  Nis2Sector: NIS2_SECTORS.slice(1),
  Infrastructure: INFRASTRUCTURES,
  ComplianceFrameworkValue: FRAMEWORK_VALUES,
  DeviceKind: DEVICE_KINDS,
  IncidentCategory: INCIDENT_CATEGORIES,
};

test.each([
  ['Arts & Entertainment', 'ARTS_AND_ENTERTAINMENT'],
  ['Business / Management Consultancy', 'BUSINESS_MANAGEMENT_CONSULTANCY'],
  ['Cybersecurity Services (MSSP/MDR)', 'CYBERSECURITY_SERVICES_MSSP_MDR'],
  ["Trasporti - Vie d'acqua interne", 'TRASPORTI_VIE_D_ACQUA_INTERNE'],
  ['Società pubblica', 'SOCIETA_PUBBLICA'],
  ['ISO 27001:2023', 'ISO_27001_2023'],
  ['on-prem', 'ON_PREM'],
])('the value %s is called %s in GraphQL', (spelling, name) => expect(toEnumName(spelling)).toBe(name));

test('the gateway does not start with two values of one name', () => {
  expect(() => spelledEnumeration('Twice', 'Two values.', ['Food & Drink', 'Food and Drink'])).toThrow(
    'Two values of Twice have one name in GraphQL',
  );
});

test.each(Object.entries(LISTS))(
  '%s has every value of its list, with the exact spelling as description',
  (name, list) => {
    const type = gateway.app.executor.schema.getType(name) as GraphQLEnumType;
    expect(isEnumType(type)).toBe(true);
    expect(type.getValues().map(({ description }) => description)).toEqual(list);
    for (const { name: value } of type.getValues()) expect(value).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
  },
);

test('the categories of incidents are those of all reporting regimes that are shipped', () => {
  const shipped = REGIMES.all.flatMap(({ categories }) => categories.map(({ id }) => id));
  expect([...new Set(shipped)].toSorted()).toEqual(INCIDENT_CATEGORIES);
});

test('the category of an incident is a name in GraphQL, and a text in REST', async () => {
  const input = { complianceFrameworks: [{ value: 'NIS2', fields: { entity_type: 'essential' } }] };
  await update({ ...input, nis2Sector: 'ENERGIA_GAS' });
  const settings =
    'mutation ($input: UpdateOrganizationSettingsInput!) { updateOrganizationSettings(input: $input) { organization { id } } }';
  await gateway.graphql.data(settings, { token, variables: { input: { organizationId, country: 'IT' } } });
  const open = `mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident { databaseId category } } }`;
  const facts = { organizationId, title: 'Leak', severity: 'HIGH', significant: true };
  const opened = await gateway.graphql.data(open, { token, variables: { input: { ...facts, category: 'IS_2' } } });
  const { databaseId, category } = opened.openIncident.incident;
  expect(category).toBe('IS_2');
  const path = `/api/v1/v-ciso/incidents/${organizationId}/${databaseId}`;
  expect(expectData(await gateway.rest.get(path, { token })).category).toBe('IS-2');
  for (const [sent, shown] of [
    ['IS-1', 'IS-1'],
    ['', ''],
    ['IS-3', 'IS-3'],
    [null, ''],
  ]) {
    const { category: now } = expectData(await gateway.rest.patch(path, { token, body: { category: sent } }));
    expect(now).toBe(shown);
  }
  const wrong = await gateway.rest.patch(path, { token, body: { category: 'IS_1' } });
  expect(wrong.body.messages).toEqual(['category must be one of IS-1, IS-2, IS-3, IS-4']);
  const { reportingRegimes } = await gateway.graphql.data(
    '{ reportingRegimes { nodes { categories { category label } } } }',
    { token },
  );
  const offered = reportingRegimes.nodes.flatMap((regime: { categories: object[] }) => regime.categories);
  expect(offered).toContainEqual({ category: 'IS_1', label: 'Loss of confidentiality of digital data' });
});

const UPDATE = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization {
  sectors industries nis2Sector infrastructure complianceFrameworks { value } } } }`;
const update = (input: object) =>
  gateway.graphql.data(UPDATE, { token, variables: { input: { organizationId, ...input } } });
const refusal = (input: object) =>
  gateway.graphql.error(UPDATE, { token, variables: { input: { organizationId, ...input } } });

describe('a value that GraphQL was sent by its name', () => {
  const NAMED = {
    sectors: ['ARTS_AND_ENTERTAINMENT'],
    industries: ['HIGHER_EDUCATION_ACADAMIA'],
    nis2Sector: 'ENERGIA_GAS',
    infrastructure: 'ON_PREM',
  };
  const framework = { value: 'ISO_27001_2023' };

  test('is answered by its name, and through REST in exact spelling, which may be sent back', async () => {
    const frameworks = [{ ...framework, fields: {} }];
    const { updateOrganization } = await update({ ...NAMED, complianceFrameworks: frameworks });
    expect(updateOrganization.organization).toEqual({ ...NAMED, complianceFrameworks: [framework] });
    const SPELLED = {
      sectors: ['Arts & Entertainment'],
      industries: ['Higher Education/Acadamia'],
      nis2_sector: 'Energia - Gas',
      infrastructure: 'on-prem',
      compliance_frameworks: [{ value: 'ISO 27001:2023', fields: {} }],
    };
    expect(expectData(await gateway.rest.get(PATH, { token }))).toMatchObject(SPELLED);
    expect(expectData(await gateway.rest.patch(PATH, { token, body: SPELLED }))).toMatchObject(SPELLED);
  });

  test('is taken away by null, which REST shows and takes as the empty text', async () => {
    await update(NAMED);
    expect((await update({ nis2Sector: null, infrastructure: null })).updateOrganization.organization).toMatchObject({
      ...{ nis2Sector: null, infrastructure: null },
    });
    const none = { nis2_sector: '', infrastructure: '' };
    expect(expectData(await gateway.rest.get(PATH, { token }))).toMatchObject(none);
    await update(NAMED);
    expect(expectData(await gateway.rest.patch(PATH, { token, body: none }))).toMatchObject(none);
  });

  test('remains where it is absent', async () => {
    await update(NAMED);
    expect((await update({ description: 'Other' })).updateOrganization.organization).toMatchObject(NAMED);
  });
});

describe('a value that the list does not have', () => {
  test('is refused with the names that are near, and is not repeated', async () => {
    expect(await refusal({ sectors: ['ENERGY', 'Energi'] })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['sectors[1] must be one of the sectors of GET /api/v1/options: did you mean "ENERGY"?'],
    });
    expect(await refusal({ industries: ['Banking/Mortgage'] })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [
        'industries[0] must be one of the industries of GET /api/v1/options: did you mean "BANKING_MORTGAGE"?',
      ],
    });
    expect(await refusal({ nis2Sector: '' })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['nis2Sector must be one of the NIS 2 sectors of GET /api/v1/options'],
    });
    expect(await refusal({ infrastructure: 'on-prem' })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['infrastructure must be one of CLOUD, ON_PREM, HYBRID'],
    });
    expect(await refusal({ complianceFrameworks: [{ value: 'NIS3', fields: {} }] })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['complianceFrameworks[0].value must be one of ISO_27001_2023, NIS2'],
    });
  });

  test('is refused in a document as well', async () => {
    const query = `mutation { updateOrganization(input: { organizationId: "${organizationId}", infrastructure: "cloud" }) { organization { name } } }`;
    expect(await gateway.graphql.error(query, { token })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [
        `A value in the document is not of the type Infrastructure (line 1, column ${query.indexOf('"cloud"') + 1}). Did you mean the enum value "CLOUD"?`,
      ],
    });
  });

  test('has REST name the values as it spells them', async () => {
    const { body } = await gateway.rest.patch(PATH, {
      token,
      body: { infrastructure: 'CLOUD', nis2_sector: 'ENERGIA_GAS' },
    });
    expect(body.messages).toEqual([
      'nis2_sector must be one of the NIS 2 sectors of GET /api/v1/options',
      'infrastructure must be one of cloud, on-prem, hybrid',
    ]);
  });
});
