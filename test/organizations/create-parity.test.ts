import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, withStory } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { multipart } from '../support/rest.js';
import { graphqlOutcome, restOutcome } from '../support/parity.js';

const { gateway, testData } = await startSeededGateway();

const FIELDS = `
  name description number_employees: numberEmployees website logo sectors industries nis2_sector: nis2Sector
  compliance_frameworks: complianceFrameworks { value fields } infrastructure
  contacts { name role email phone email_report: emailReport } domains ips`;

const mutation = (name: string) =>
  `mutation ${name}($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { ${FIELDS} } } }`;

type Json = Record<string, unknown>;

const NAMES = new Map([
  ['number_employees', 'numberEmployees'],
  ['nis2_sector', 'nis2Sector'],
  ['compliance_frameworks', 'complianceFrameworks'],
  ['email_report', 'emailReport'],
]);

/** The same input as GraphQL spells it; what is inside `fields` is the sender's own. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [NAMES.get(key) ?? key, key === 'fields' ? item : camel(item)]),
  );
}

const rest = (body: unknown, token = testData.userWithoutOrganization.token) => {
  const headers = { 'content-type': 'application/json' };
  return gateway.rest.post('/api/v1/organizations', { token, headers, body: JSON.stringify(body) });
};
const graphql = (name: string, input: unknown, token = testData.userWithoutOrganization.token) =>
  gateway.graphql.call(mutation(name), { token, variables: { input } });

const everyType = [true, 5, 1.5, 'text', [], [5], [null], {}, { x: 1 }];
/** GraphQL takes one value for a list of one: what is right as an item is no error there. */
const TAKEN_AS_LIST: Record<string, unknown[]> = { contacts: [{}, { x: 1 }], compliance_frameworks: [{}, { x: 1 }] };
const LISTS = ['sectors', 'industries', 'compliance_frameworks', 'contacts', 'domains', 'ips'];

const wrongTypes: Json[] = Object.entries({
  name: everyType.filter((value) => value !== 'text'),
  description: everyType.filter((value) => value !== 'text'),
  number_employees: everyType.filter((value) => value !== 5),
  website: everyType,
  logo: everyType,
  nis2_sector: everyType,
  infrastructure: everyType,
  ...Object.fromEntries(
    LISTS.map((field) => [
      field,
      everyType.filter(
        (value) =>
          !(Array.isArray(value) && value.length === 0) &&
          !(typeof value === 'string') &&
          !(TAKEN_AS_LIST[field] ?? []).some((taken) => JSON.stringify(taken) === JSON.stringify(value)),
      ),
    ]),
  ),
}).flatMap(([field, values]) => values.map((value) => ({ name: 'A', [field]: value })));

const BAD: unknown[] = [
  {},
  null,
  { name: null },
  { name: '' },
  { name: '   ' },
  { name: 'a'.repeat(201) },
  { name: 'A\u0001' },
  { description: 'no name' },
  { name: 'A', description: 'x'.repeat(10_001) },
  { name: 'A', number_employees: -1 },
  { name: 'A', number_employees: 2 ** 31 },
  { name: 'A', number_employees: -(2 ** 31) - 1 },
  { name: 'A', number_employees: 1e300 },
  { name: 'A', website: ' ', logo: 'x', infrastructure: ' ' },
  { name: 'A', website: 'javascript:alert(1)', logo: 'https://user:secret@example.com/' },
  { name: 'A', sectors: ['Energy', 'energy', 'Energy '] },
  { name: 'A', industries: Array.from({ length: 201 }, () => 'Banking/Mortgage') },
  { name: 'A', nis2_sector: 'energia' },
  { name: 'A', compliance_frameworks: [{}] },
  { name: 'A', compliance_frameworks: [{ value: 'NIS2' }] },
  {
    name: 'A',
    compliance_frameworks: [
      { value: 'NIS2', fields: {} },
      { value: 'NIS2', fields: { entity_type: 'x' } },
    ],
  },
  { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: { entityType: 'important' } }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: { extensions: ['x', 5], entity_type: 5 } }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: [] }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: 'x', extra: 1 }] },
  { name: 'A', contacts: [{}] },
  {
    name: 'A',
    contacts: [{ email: 'x' }, { phone: '1', email_report: true }, { email: 5, phone: [], email_report: 'yes' }],
  },
  { name: 'A', contacts: [{ phone: '1', unknown: true }] },
  { name: 'A', domains: ['-a', 'a..b', 'a'.repeat(254)] },
  { name: 'A', ips: ['1.2.3.4.5', '1.2.3.04', '::1'] },
  { name: 'A', id: 1, version: 2, created_at: 'now' },
  { name: 'A', constructor: 1, toString: 2 },
  { name: 'A', ips: Array.from({ length: 70 }, () => 'x') },
  [],
  [{ name: 'A' }],
  'text',
  5,
];

describe('an organization with an error', () => {
  test('is one of more than 100', () => expect(BAD.length + wrongTypes.length).toBeGreaterThan(100));

  test.each([...BAD, ...wrongTypes].map((input, at) => [JSON.stringify(input).slice(0, 100), at, input] as const))(
    'as %s has the same errors through both APIs',
    async (_, at, input) => {
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      const notified = restOutcome(await rest(input));
      expect(notified.code).toBe('BAD_USER_INPUT');
      // A document is interpreted when it is new and compiled when it comes again.
      for (const answer of [await graphql(`Bad${at}`, camel(input)), await graphql(`Bad${at}`, camel(input))]) {
        withStory(answer, () => {
          if (isObject) expect(graphqlOutcome(answer)).toEqual(notified);
          else expect(graphqlOutcome(answer).code).toBe('BAD_USER_INPUT');
        });
      }
    },
  );

  test('is not stored', async () => {
    const rows = await gateway.app.database.rows(`select 1 from organization where name not like '%Organization'`);
    expect(rows).toEqual([]);
  });
});

describe("a field in the other API's spelling", () => {
  const secret = 'a-value-that-must-not-come-back';
  test.each<[Json, string[]]>([
    [{ name: secret, number_employees: 5 }, ['number_employees is not a known field']],
    [{ name: secret, compliance_frameworks: [] }, ['compliance_frameworks is not a known field']],
    [{ name: secret, nis2_sector: '' }, ['nis2_sector is not a known field']],
    [
      { name: secret, contacts: [{ phone: secret, email_report: false }] },
      ['contacts[0].email_report is not a known field'],
    ],
    [{ name: secret, logoFile: secret }, ['logo_file must be a file sent as multipart/form-data']],
  ])('%j is an error of GraphQL that repeats no value', async (input, messages) => {
    const name = `Spelling${Object.keys(input)[1]}`;
    for (const answer of [await graphql(name, input), await graphql(name, input)]) {
      withStory(answer, () => {
        expect(graphqlOutcome(answer)).toEqual({ code: 'BAD_USER_INPUT', messages });
        expect(answer.text).not.toContain(secret);
      });
    }
  });

  test.each(['numberEmployees', 'nis2Sector', 'complianceFrameworks', 'logoFile'])(
    '%s is an error of REST',
    async (key) => {
      expect(restOutcome(await rest({ name: 'A', [key]: null }))).toEqual({
        code: 'BAD_USER_INPUT',
        messages: [`${key} is not a known field`],
      });
    },
  );
});

test('a logo file has the same address through both APIs', async () => {
  const { filename, contentType, bytes } = samples.WEBP;
  const form = multipart([
    { name: 'data', content: '{"name":"Logo"}' },
    { name: 'logo', filename, type: contentType, content: bytes },
  ]);
  const { logo } = expectData(
    await gateway.rest.post('/api/v1/organizations', { token: testData.userWithoutOrganization.token, ...form }),
    201,
  );
  const file = { name: filename, type: contentType, bytes };
  const input = { name: 'Logo', logoFile: null };
  const answer = await gateway.graphql.upload(
    mutation('Logo'),
    { input },
    'variables.input.logoFile',
    file,
    testData.userWithoutOrganization.token,
  );
  withStory(answer, () => expect(answer.body.data?.createOrganization.organization.logo).toBe(logo));
});
