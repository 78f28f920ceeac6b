import { describe, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isListType, getNullableType } from 'graphql';
import { constraintsOf } from '../../src/common/input-schema.js';
import { buildIdentityProvider } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident } from '../support/test-data.js';
import { expectError } from '../support/matchers.js';

const { gateway, testData } = await startSeededGateway();

const INSTANT = 'a date-time with an offset, such as 2026-01-31T09:30:00Z';
const CREATE = `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id: databaseId } } }`;

async function fieldsOf(query: string, variables: object): Promise<unknown> {
  const { body } = await gateway.graphql.call(query, { token: testData.owner.token, variables });
  return body.errors?.[0]?.extensions.fields;
}

describe('errors of an input object', () => {
  const input = {
    name: ' ',
    numberEmployees: -1,
    contacts: [{ phone: '1', emailReport: true }, { email: '?' }],
    domains: ['ok.example', '_'],
  };
  const found = [
    { path: ['input', 'name'], message: 'name is required' },
    { path: ['input', 'numberEmployees'], message: 'numberEmployees must be an integer of 0 or more' },
    { path: ['input', 'contacts', 0, 'email'], message: 'contacts[0].email must be set when emailReport is true' },
    { path: ['input', 'contacts', 1, 'email'], message: 'contacts[1].email must be an e-mail address' },
    { path: ['input', 'domains', 1], message: 'domains[1] must be a hostname' },
  ];

  test('are all reported at once in GraphQL, each with its path and in the names of GraphQL', async () => {
    expect(await fieldsOf(CREATE, { input })).toEqual(found);
  });

  test('are reported together with wrong types and unknown fields', async () => {
    const wrong = { ...input, description: 7, number_employees: 1 };
    expect(await fieldsOf(CREATE, { input: wrong })).toEqual([
      found[0],
      { path: ['input', 'description'], message: 'description must be a string' },
      ...found.slice(1),
      {
        path: ['input', 'number_employees'],
        message: 'number_employees is not a known field. Did you mean numberEmployees?',
      },
    ]);
  });

  test('are found in a document that spells the input out, and in a variable inside of it', async () => {
    const literal = `mutation { createOrganization(input: { name: "", numberEmployees: -1 }) { organization { id: databaseId } } }`;
    expect(await fieldsOf(literal, {})).toEqual(found.slice(0, 2));
    const inside = `mutation ($n: String!, $e: Int) { createOrganization(input: { name: $n, numberEmployees: $e }) { organization { id: databaseId } } }`;
    expect(await fieldsOf(inside, { n: '', e: -1 })).toEqual(found.slice(0, 2));
    expect(await fieldsOf(inside, { n: 1, e: 'x' })).toEqual([
      { path: ['input', 'name'], message: 'name must be a string' },
      { path: ['input', 'numberEmployees'], message: 'numberEmployees must be a 32-bit integer' },
    ]);
  });

  test('are found in a variable inside of a list that the document spells out', async () => {
    const query = `mutation ($d: String!, $e: String) { createOrganization(input: {
      name: "A", domains: ["ok.example", $d], contacts: [{ email: $e }] }) { organization { id: databaseId } } }`;
    expect(await fieldsOf(query, { d: 1, e: true })).toEqual([
      { path: ['input', 'domains', 1], message: 'domains[1] must be a string' },
      { path: ['input', 'contacts', 0, 'email'], message: 'contacts[0].email must be a string' },
    ]);
  });

  test('are not looked for in a list that is longer than any may be', async () => {
    const domains = Array(2_501).fill('_');
    const variables = { input: { name: 'A', domains } };
    const { body } = await gateway.graphql.call(CREATE, { token: testData.owner.token, variables });
    expect(body.errors).toMatchObject([
      { message: 'A list of the variables has more than 2500 items', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test('do not repeat a long name that the document has', async () => {
    const name = 'x'.repeat(400);
    const { body } = await gateway.graphql.call(`{ ${name} }`, { token: testData.owner.token });
    expect(body.errors?.map(({ message }) => message)).toEqual([
      'The document is not valid for this schema (line 1, column 3)',
    ]);
  });

  test.each([
    [
      'title: "x", severity: ',
      '"HIGH"',
      'is not of the type IncidentSeverity{at}. Did you mean the enum value "HIGH"?',
    ],
    ['severity: HIGH, title: ', '7', 'is not of the type String{at}'],
    ['severity: HIGH, title: "x", awareAt: ', '"now"', `must be ${INSTANT}{at}`],
    ['title: "x", severity: ', 'null', 'is not of the type IncidentSeverity!{at}'],
  ])(
    'name the type that a value after %s has to have, its place, and never the value %s',
    async (before, value, said) => {
      const begin = `mutation { openIncident(input: { organizationId: 1, ${before}`;
      const query = `${begin}${value} }) { incident { id } } }`;
      const { body } = await gateway.graphql.call(query, { token: testData.owner.token });
      const sentence = `A value in the document ${said.replace('{at}', ` (line 1, column ${begin.length + 1})`)}`;
      expect(body.errors!.map(({ message }) => message)).toEqual([sentence]);
    },
  );

  test('name the fields that a document leaves out, in the language of the client', async () => {
    const query = 'mutation { openIncident(input: { organizationId: 1, title: "x" }) { incident { id } } }';
    const said = async (language: string) =>
      (await gateway.graphql.call(query, { token: testData.owner.token, headers: { 'Accept-Language': language } }))
        .body.errors?.[0]?.message;
    expect(await said('en')).toBe(
      'Field "OpenIncidentInput.severity" of required type "IncidentSeverity!" was not provided.',
    );
    expect(await said('de')).toBe('Das Pflichtfeld "OpenIncidentInput.severity" vom Typ "IncidentSeverity!" fehlt.');
  });

  test('have the names of REST in REST, with rules that need the clock or a stored row', async () => {
    const { token } = testData.owner;
    const late = new Date(Date.now() + 86_400_000).toISOString();
    const body = { title: 'x', severity: 'LOW', aware_at: late };
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
    expectError(await gateway.rest.post(path, { token, body }), 400, ['aware_at must not be in the future']);
    const open = `mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident { id: databaseId } } }`;
    const variables = {
      input: { organizationId: testData.organizationId, title: 'x', severity: 'LOW', awareAt: late },
    };
    expect(await fieldsOf(open, variables)).toEqual([
      { path: ['input', 'awareAt'], message: 'awareAt must not be in the future' },
    ]);
  });

  test('are looked for after authentication and before authorization', async () => {
    const query = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id: databaseId } } }`;
    const codeOf = async (token: string | undefined, name: string) => {
      const variables = { input: { organizationId: testData.organizationId, name } };
      const { body } = await gateway.graphql.call(query, { ...(token && { token }), variables });
      return body.errors?.[0]?.extensions.code;
    };
    expect(await codeOf(undefined, '')).toBe('UNAUTHENTICATED');
    expect(await codeOf(testData.nonMember.token, '')).toBe('BAD_USER_INPUT');
    expect(await codeOf(testData.nonMember.token, 'x')).toBe('NOT_FOUND');
  });
});

describe('errors that are found behind the input object', () => {
  const { organizationId } = testData;
  const past = new Date(Date.now() - 86_400_000).toISOString();
  const future = new Date(Date.now() + 86_400_000).toISOString();
  const oldIncident = async () => {
    const incidentId = await buildIncident(gateway.app.database, organizationId);
    await gateway.app.database.rows('update incident set aware_at = $1 where id = $2', [past, incidentId]);
    return incidentId;
  };
  const cases: [name: string, input: () => Promise<object>, fields: string[]][] = [
    [
      'createApiToken',
      async () => ({ name: 'A', scopes: ['READ', 'DOCUMENTS'], expiresAt: past }),
      ['scopes', 'expiresAt'],
    ],
    [
      'updateIdentityProvider',
      async () => {
        const identityProviderId = await buildIdentityProvider(gateway.app.database, organizationId);
        await gateway.app.database.rows(`update identity_provider set client_secret = '\\x00' where id = $1`, [
          identityProviderId,
        ]);
        const issuer = 'https://other.example.com/?a=b';
        return { organizationId, identityProviderId, issuer };
      },
      ['issuer', 'clientSecret'],
    ],
    [
      'createEngagement',
      async () => ({ organizationId, name: 'A', workflowIds: ['no'], from: past, to: past, until: past }),
      ['to', 'until', 'workflowIds'],
    ],
    ['createWebhookEndpoint', async () => ({ url: 'http://192.0.2.1/' }), ['organizationId', 'url']],
    [
      'openIncident',
      async () => ({ organizationId, title: 'A', severity: 'LOW', handledAt: future, category: 'IS_1' }),
      ['handledAt', 'category'],
    ],
    [
      'updateIncident',
      async () => ({
        ...{ organizationId, incidentId: await oldIncident() },
        ...{ awareAt: new Date(Date.now() - 60_000).toISOString(), category: 'IS_1' },
      }),
      ['category', 'reason'],
    ],
    [
      'recordIncidentReport',
      async () => ({
        ...{ organizationId, incidentId: await buildIncident(gateway.app.database, organizationId) },
        ...{ regimeId: 'nis2', stage: 'EARLY_WARNING', includes: ['NOTIFICATION'], reason: 'A' },
        ...{ sentAt: future, attachmentId: 2_147_483_647 },
      }),
      ['reason', 'includes', 'sentAt', 'attachmentId'],
    ],
  ];

  test.each(cases)('are reported together, of %s', async (name, input, fields) => {
    const query = `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`;
    const found = (await fieldsOf(query, { input: await input() })) as { path: unknown }[];
    expect(found?.map(({ path }) => path)).toEqual(fields.map((field) => ['input', field]));
  });
});

const LINES = 'id: a\nname: A\n';
test.each<[string, object, unknown]>([
  ['importMembers', { text: '' }, [['text']]],
  ['importMembers', {}, [[]]],
  ['importWorkflow', { text: LINES }, [['text']]],
  ['importWorkflow', { text: '<a/>' }, [['text']]],
  ['importWorkflow', { text: LINES, name: 'A' }, [[]]],
  ['importWorkflow', { id: 'a', name: 'A', controls: [{ id: '1', label: 5 }] }, [['controls', 0, 'label']]],
  [
    'importWorkflow',
    {
      id: 'nis2-directive',
      name: 'A',
      version: '1',
      licence: 'A',
      source: { text: 'A' },
      controls: [{ id: '1', kind: 'control', label: 'A' }],
    },
    [['id']],
  ],
])(
  'what is wrong in a text or among the fields that %s is sent as %j has the path of the field',
  async (name, input, paths) => {
    const query = `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`;
    const found = await fieldsOf(query, { input: { organizationId: testData.organizationId, ...input } });
    const places = new Set(
      (found as { path: string[] }[] | undefined)?.map(({ path }) => JSON.stringify(path.slice(1))),
    );
    expect([...places].map((place) => JSON.parse(place))).toEqual(paths);
  },
);

test('every text and list of an input has a constraint, or says where it is checked', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap()).filter(isInputObjectType);
  const bare = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => {
        const isList = isListType(getNullableType(field.type));
        return (isList || getNamedType(field.type).name === 'String') && !isLimited(constraintsOf(field), isList);
      })
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect(types.length).toBeGreaterThan(40);
  expect(bare).toEqual([]);
});

function isLimited(
  { maxLength, maxItems, enum: values, format, unchecked }: ReturnType<typeof constraintsOf>,
  isList: boolean,
) {
  if (unchecked !== undefined) return true;
  return isList ? maxItems !== undefined : maxLength !== undefined || values !== undefined || format !== undefined;
}
