import { describe, expect, test } from '@jest/globals';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../src/values/sectors.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildPerson, type Person } from '../support/test-data.js';

const ORGANIZATION = `id: databaseId name description number_employees: numberEmployees website logo sectors industries
  nis2_sector: nis2Sector compliance_frameworks: complianceFrameworks { value fields } infrastructure
  contacts { name role email phone email_report: emailReport } domains ips created_at: createdAt updated_at: updatedAt`;
const CREATE = mutation('POST /api/v1/organizations', 'createOrganization', `organization { ${ORGANIZATION} }`);
const USERS = {
  rest: 'GET /api/v1/organizations/{organization_id}/users',
  graphql:
    'query ($organizationId: ID!, $first: Int) { organization(id: $organizationId) { users(first: $first) { totalCount nodes { id: userId role } } } }',
  at: 'organization.users',
};
const BRANDING = {
  rest: 'GET /api/v1/organizations/{organization_id}/branding',
  graphql: 'query ($organizationId: ID!) { organization(id: $organizationId) { branding { palette } } }',
  at: 'organization.branding',
};

const SENT = {
  name: '  Acme S.p.A.  ',
  description: 'Line one\nLine two – è',
  number_employees: 42,
  website: 'https://www.example.com/about?x=1#y',
  logo: 'http://cdn.example.com/logo.png',
  sectors: ['Energy', 'Arts & Entertainment', 'Energy'],
  industries: ['Banking/Mortgage', 'Higher Education/Acadamia'],
  nis2_sector: "Trasporti - Vie d'acqua interne",
  compliance_frameworks: [
    { value: 'NIS2', fields: { entity_type: 'essential', ownReference: { camelKey: 1, snake_key: [null] } } },
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021', 'ISO 27018:2020'] } },
  ],
  infrastructure: 'on-prem',
  contacts: [
    { name: 'Anna', role: 'CISO', email: 'anna@example.com', phone: '+39 02 1234', email_report: true },
    { phone: '+39 02 5678' },
  ],
  domains: ['Example.COM', 'xn--perch-fsa.example', 'intranet', 'example.com'],
  ips: ['192.0.2.1', '0.0.0.0', '255.255.255.255', '192.0.2.1'],
};
const STORED = {
  ...SENT,
  name: 'Acme S.p.A.',
  sectors: ['Energy', 'Arts & Entertainment'],
  contacts: [SENT.contacts[0], { name: '', role: '', email: '', phone: '+39 02 5678', email_report: false }],
  domains: ['example.com', 'xn--perch-fsa.example', 'intranet'],
  ips: ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
};
const EMPTY = {
  name: '',
  description: '',
  number_employees: null,
  website: '',
  logo: '',
  sectors: [],
  industries: [],
  nis2_sector: '',
  compliance_frameworks: [],
  infrastructure: '',
  contacts: [],
  domains: [],
  ips: [],
};

const gateway = await startSharedGateway();
const person = await buildPerson(gateway.app.database, 'founder');
const other = await buildPerson(gateway.app.database, 'other');

const count = async () =>
  (await gateway.app.database.rows<{ n: number }>('select count(*) as n from organization'))[0]!.n;

describe.each(APIS)('creating an organization through %s', (api) => {
  const create = (input: object) => callThrough(api, gateway, CREATE, { ...input }, person.token);
  const created = async (input: object) => dataOf(await create(input));
  /** The record has exactly these fields in their order, between its id and its times. */
  async function expectCreated(input: object, fields: object): Promise<void> {
    const record = await created(input);
    const { id, created_at } = record;
    expect(Number.isInteger(id)).toBe(true);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(60_000);
    expect(JSON.stringify(record)).toBe(JSON.stringify({ id, ...fields, created_at, updated_at: created_at }));
  }

  test('makes the caller its owner, and its only member', async () => {
    const organization_id = (await created({ name: 'Mine' })).id;
    const users = ({ token }: Person) => callThrough(api, gateway, USERS, { organization_id }, token);
    expect(dataOf(await users(person))).toMatchObject([{ id: person.id, role: 'ORGANIZATION_OWNER' }]);
    expectFailure(await users(other), 'NOT_FOUND');
  });

  test('gives access at once also to an owner who read its id before it existed', async () => {
    const { id } = await created({ name: 'First' });
    const branding = () => callThrough(api, gateway, BRANDING, { organization_id: id + 1 }, person.token);
    expectFailure(await branding(), 'NOT_FOUND');
    expect((await created({ name: 'Second' })).id).toBe(id + 1);
    dataOf(await branding());
  });

  test('answers every field as it is stored, in the order of the specification', () => expectCreated(SENT, STORED));

  test('leaves empty what is absent or null', async () => {
    await expectCreated({ name: 'A' }, { ...EMPTY, name: 'A' });
    const nulls = Object.fromEntries(Object.keys(EMPTY).map((key) => [key, null]));
    await expectCreated({ ...nulls, name: 'B' }, { ...EMPTY, name: 'B' });
  });

  test.each<[string, object, object]>([
    ['no employees', { name: ' trimmed ', description: 'a\n\tb', number_employees: 0 }, { name: 'trimmed' }],
    ['the most employees', { name: 'A', number_employees: 2 ** 31 - 1 }, {}],
    ['an address in capital letters', { name: 'A', website: 'HTTPS://EXAMPLE.com' }, {}],
    ['an address as browsers show it', { name: 'A', website: 'https://bücher.example/straße?[a]=50%' }, {}],
    ['a sector twice', { name: 'A', sectors: ['Energy', 'Energy'], nis2_sector: 'PA' }, { sectors: ['Energy'] }],
    [
      'keys of the sender in a framework',
      {
        name: 'A',
        compliance_frameworks: [
          {
            value: 'NIS2',
            fields: { entity_type: 'important', numberEmployees: 1, number_employees: [{ emailReport: 1 }] },
          },
          { value: 'ISO 27001:2023', fields: { extensions: [] } },
        ],
      },
      {},
    ],
    [
      'contacts of which only some fields are known',
      {
        name: 'A',
        contacts: [
          { email: 'a@example.com', email_report: true },
          { phone: '1', name: 'è', role: '😀' },
        ],
      },
      {
        contacts: [
          { name: '', role: '', email: 'a@example.com', phone: '', email_report: true },
          { name: 'è', role: '😀', email: '', phone: '1', email_report: false },
        ],
      },
    ],
  ])('takes %s', (_what, input, stored) => expectCreated(input, { ...EMPTY, ...input, ...stored }));

  test('takes every sector and every industry in its exact spelling', async () => {
    expect([SECTORS.length, INDUSTRIES.length, NIS2_SECTORS.length]).toEqual([25, 151, 40]);
    const lists = { sectors: [...SECTORS], industries: [...INDUSTRIES] };
    await expectCreated({ name: 'All', ...lists }, { ...EMPTY, name: 'All', ...lists });
  });

  test('takes every NIS 2 sector, infrastructure, framework and entity type', async () => {
    const frameworks = (entity_type: string) => [{ value: 'NIS2', fields: { entity_type } }];
    for (const fields of [
      ...NIS2_SECTORS.map((nis2_sector) => ({ nis2_sector })),
      ...['cloud', 'on-prem', 'hybrid'].map((infrastructure) => ({ infrastructure })),
      ...['important', 'essential'].map((type) => ({ compliance_frameworks: frameworks(type) })),
    ]) {
      expect(await created({ name: 'N', ...fields })).toMatchObject(fields);
    }
  });

  test.each<[string, object, string[]]>([
    [
      'values that are one letter off, each at its place',
      {
        name: 'Off',
        sectors: ['Energy', 'energy'],
        industries: ['Higher Education/Academia'],
        nis2_sector: 'Energia - gas',
        infrastructure: 'on-premises',
        compliance_frameworks: [
          { value: 'ISO 27001:2022', fields: {} },
          { value: 'NIS2', fields: { entity_type: 'Essential' } },
          { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2015'] } },
        ],
      },
      [
        'sectors[1] must be one of the sectors of GET /api/v1/options',
        'industries[0] must be one of the industries of GET /api/v1/options',
        'nis2_sector must be one of the NIS 2 sectors of GET /api/v1/options',
        'compliance_frameworks[0].value must be one of ISO 27001:2023, NIS2',
        'compliance_frameworks[1].fields.entity_type must be one of important, essential',
        'compliance_frameworks[2].fields.extensions[0] must be one of ISO 27017:2021, ISO 27018:2020',
        'infrastructure must be one of cloud, on-prem, hybrid',
      ],
    ],
    ['no name', { name: undefined }, ['name is required']],
    ['a blank name', { name: ' \t ' }, ['name is required']],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, ['name must not be longer than 200 characters']],
    ['negative employees', { name: 'A', number_employees: -1 }, ['number_employees must be an integer of 0 or more']],
    ['half an employee', { name: 'A', number_employees: 1.5 }, ['number_employees must be an integer of 0 or more']],
    ['employees as text', { name: 'A', number_employees: '5' }, ['number_employees must be an integer of 0 or more']],
    [
      'too many employees',
      { name: 'A', number_employees: 2 ** 31 },
      ['number_employees must not be greater than 2147483647'],
    ],
    [
      'addresses that are none',
      { name: 'A', website: 'www.example.com', logo: 'ftp://example.com/a.png' },
      [
        'website must be an absolute http or https URL without credentials',
        'logo must be an absolute http or https URL without credentials',
      ],
    ],
    [
      'blank addresses and a blank infrastructure',
      { name: 'A', website: ' ', logo: ' ', infrastructure: ' ' },
      [
        'website must be an absolute http or https URL without credentials',
        'logo must be an absolute http or https URL without credentials',
        'infrastructure must be one of cloud, on-prem, hybrid',
      ],
    ],
    [
      'NIS2 without its entity type',
      { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: {} }, { value: 'ISO 27001:2023' }] },
      [
        'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
        'compliance_frameworks[1].fields is required',
      ],
    ],
    [
      'a contact without a way to reach it',
      {
        name: 'A',
        contacts: [{ name: 'X' }, { email: '', phone: '' }, { phone: '1', email_report: true }, { email: 'x' }],
      },
      [
        'contacts[0].email must be set when phone is empty',
        'contacts[1].email must be set when phone is empty',
        'contacts[2].email must be set when email_report is true',
        'contacts[3].email must be an e-mail address',
      ],
    ],
    [
      'domains and addresses of the wrong form',
      {
        name: 'A',
        domains: ['-a.example', 'http://a.example', 'a_b.example', ''],
        ips: ['1.2.3', '01.2.3.4', '256.1.1.1', '::1'],
      },
      [
        ...[0, 1, 2, 3].map((at) => `domains[${at}] must be a hostname`),
        ...[0, 1, 2, 3].map((at) => `ips[${at}] must be a dotted IPv4 address`),
      ],
    ],
    [
      'a type and rules that are broken at once',
      { name: 5, number_employees: -1, contacts: [{ email_report: true }] },
      [
        'name must be a string',
        'number_employees must be an integer of 0 or more',
        'contacts[0].email must be set when phone is empty',
        'contacts[0].email must be set when email_report is true',
      ],
    ],
  ])('refuses %s, and stores nothing', async (_what, input, messages) => {
    const before = await count();
    expectFailure(await create(input), 'BAD_USER_INPUT', messages);
    expect(await count()).toBe(before);
  });

  test('reports fifty errors at most', async () => {
    const { code, messages } = await create({ name: 'A', ips: Array.from({ length: 60 }, () => 'x') });
    expect([code, messages.length]).toEqual(['BAD_USER_INPUT', 50]);
  });
});
