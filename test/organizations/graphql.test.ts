import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { samples } from '../support/sample-files.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const FIELDS = `id: databaseId name description numberEmployees website logo sectors industries nis2Sector
  complianceFrameworks { value fields } infrastructure contacts { name role email phone emailReport } domains ips
  version createdAt updatedAt branding { palette customColors { primary primaryHover primaryDark } }`;
const CREATE = `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { ${FIELDS} } } }`;
const READ = `query ($id: ID!) { organization(id: $id) { ${FIELDS} } }`;
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DEFAULT_BRANDING = {
  palette: 'default',
  customColors: { primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' },
};

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const create = (input: object, token = testData.userWithoutOrganization.token) =>
  gateway.graphql.data(CREATE, { token, variables: { input } });

describe('creating', () => {
  test('stores every field and answers the whole record, as it reads later', async () => {
    const { createOrganization } = await create({
      name: '  Acme  ',
      description: 'First line\nsecond line',
      numberEmployees: 12,
      website: 'https://acme.example.com',
      logo: 'https://acme.example.com/logo.png',
      sectors: ['Energy', 'Arts & Entertainment', 'Energy'],
      industries: ['Higher Education/Acadamia'],
      nis2Sector: "Trasporti - Vie d'acqua interne",
      complianceFrameworks: [
        { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'], keptKey: { deep_key: [1, null] } } },
        { value: 'NIS2', fields: { entity_type: 'essential' } },
      ],
      infrastructure: 'on-prem',
      contacts: [
        { name: 'Ann', role: 'CISO', email: 'ann@example.com', phone: '+39 02 1', emailReport: true },
        { phone: '1' },
      ],
      domains: ['ACME.example.com', 'acme.example.com'],
      ips: ['192.0.2.1'],
    });
    const { organization } = createOrganization;
    expect(organization).toEqual({
      id: expect.any(Number),
      name: 'Acme',
      description: 'First line\nsecond line',
      numberEmployees: 12,
      website: 'https://acme.example.com',
      logo: 'https://acme.example.com/logo.png',
      sectors: ['Energy', 'Arts & Entertainment'],
      industries: ['Higher Education/Acadamia'],
      nis2Sector: "Trasporti - Vie d'acqua interne",
      complianceFrameworks: [
        { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'], keptKey: { deep_key: [1, null] } } },
        { value: 'NIS2', fields: { entity_type: 'essential' } },
      ],
      infrastructure: 'on-prem',
      contacts: [
        { name: 'Ann', role: 'CISO', email: 'ann@example.com', phone: '+39 02 1', emailReport: true },
        { name: '', role: '', email: '', phone: '1', emailReport: false },
      ],
      domains: ['acme.example.com'],
      ips: ['192.0.2.1'],
      version: 1,
      createdAt: INSTANT,
      updatedAt: INSTANT,
      branding: DEFAULT_BRANDING,
    });
    const read = await dataTwice(gateway.graphql, READ, {
      token: testData.userWithoutOrganization.token,
      variables: { id: organization.id },
    });
    expect(read.organization).toEqual(organization);
  });

  test('asks for a name only: what was never given is empty', async () => {
    const { createOrganization } = await create({ name: 'n'.repeat(200), description: null, sectors: null });
    expect(createOrganization.organization).toEqual({
      id: expect.any(Number),
      name: 'n'.repeat(200),
      description: '',
      numberEmployees: null,
      website: '',
      logo: '',
      sectors: [],
      industries: [],
      nis2Sector: '',
      complianceFrameworks: [],
      infrastructure: '',
      contacts: [],
      domains: [],
      ips: [],
      version: 1,
      createdAt: INSTANT,
      updatedAt: INSTANT,
      branding: DEFAULT_BRANDING,
    });
  });

  test('makes the caller its owner, on this very instance at once', async () => {
    const { createOrganization } = await create({ name: 'Owned' });
    const { organization } = await gateway.graphql.data(
      'query ($id: ID!) { organization(id: $id) { users { nodes { userId role } } } }',
      { token: testData.userWithoutOrganization.token, variables: { id: createOrganization.organization.id } },
    );
    expect(organization.users.nodes).toEqual([
      { userId: testData.userWithoutOrganization.id, role: 'ORGANIZATION_OWNER' },
    ]);
  });

  test('stores a logo that comes as a file and shows it at an address of ours', async () => {
    const answer = await gateway.graphql.upload(
      'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id: databaseId logo } } }',
      { input: { name: 'With logo', logoFile: null } },
      'variables.input.logoFile',
      { name: samples.PNG.filename, type: samples.PNG.contentType, bytes: samples.PNG.bytes },
      testData.userWithoutOrganization.token,
    );
    const { logo } = answer.body.data.createOrganization.organization;
    expect(logo).toMatch(new RegExp(`^${gateway.url}/logos/[0-9a-f]{64}\\.png$`));
    const image = await fetch(logo);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(samples.PNG.bytes);
  });

  test('tells every error at once in the spelling of GraphQL, types and rules together', async () => {
    const input = {
      name: 5,
      numberEmployees: -1,
      website: 'ftp://example.com',
      sectors: ['Energi'],
      complianceFrameworks: [{ value: 'NIS2', fields: {} }],
      infrastructure: 'Cloud',
      contacts: [{ emailReport: true }],
      ips: ['01.2.3.4'],
    };
    const errors = await errorsTwice(gateway.graphql, CREATE, {
      token: testData.userWithoutOrganization.token,
      variables: { input },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: [
        'name must be a string',
        'numberEmployees must be an integer of 0 or more',
        'website must be an absolute http or https URL without credentials',
        'sectors[0] must be one of the sectors of the specification',
        'complianceFrameworks[0].fields.entity_type is required when value is NIS2',
        'infrastructure must be one of cloud, on-prem, hybrid',
        'contacts[0].email must be set when phone is empty',
        'contacts[0].email must be set when emailReport is true',
        'ips[0] must be a dotted IPv4 address',
      ],
    });
  });
});

describe('reading', () => {
  test('finds no organization that is not there', async () => {
    const errors = await errorsTwice(gateway.graphql, READ, {
      token: testData.owner.token,
      variables: { id: 2147483647 },
    });
    expect(errors[0]).toMatchObject({ path: ['organization'], extensions: { code: 'NOT_FOUND', messages: [1004] } });
  });

  test('finds no organization that was deleted, not even for its owner', async () => {
    const { createOrganization } = await create({ name: 'Deleted' });
    const { id } = createOrganization.organization;
    await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [id]);
    // What this instance remembers of the caller's role goes when the database announces the change.
    const { error } = await untilRefused(id);
    expect(error).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });

  test('shows the branding that is stored', async () => {
    const { organizationId, viewer } = testData;
    await gateway.app.database.rows(
      `update organization set palette = 'ocean', custom_colors = '{"primary":"#010203","primaryHover":"#040506","primaryDark":"#070809"}' where id = $1`,
      [organizationId],
    );
    const { organization } = await dataTwice(
      gateway.graphql,
      'query ($id: ID!) { organization(id: $id) { branding { palette customColors { primary primaryHover primaryDark } } } }',
      { token: viewer.token, variables: { id: organizationId } },
    );
    expect(organization.branding).toEqual({
      palette: 'ocean',
      customColors: { primary: '#010203', primaryHover: '#040506', primaryDark: '#070809' },
    });
  });
});

async function untilRefused(id: number) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await gateway.graphql.call(READ, {
      token: testData.userWithoutOrganization.token,
      variables: { id },
    });
    const error = answer.body.errors?.[0]?.extensions;
    if (error !== undefined) return { error };
    if (attempt > 100) throw new Error(`The organization is still shown.\n${answer.story}`);
  }
}
