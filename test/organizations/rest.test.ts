import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
/** What the gateway takes for now. */
let now = new Date('2026-11-21T10:00:00.000Z');
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}`;

const RECORD = {
  name: 'Rossi Energia S.p.A.',
  description: 'Distribution of electricity.',
  number_employees: 240,
  website: 'https://www.rossi-energia.example',
  logo: 'https://www.rossi-energia.example/logo.png',
  sectors: ['Energy'],
  industries: ['Utilities'],
  nis2_sector: 'Energia - Gas',
  compliance_frameworks: [{ value: 'NIS2', fields: { entity_type: 'essential', kept_Key: [1] } }],
  infrastructure: 'hybrid',
  contacts: [{ name: 'Anna', role: 'CISO', email: 'anna@example.com', phone: '', email_report: true }],
  domains: ['rossi-energia.example'],
  ips: ['192.0.2.10'],
};

beforeAll(async () => {
  gateway = await startGateway({ now: () => now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const patch = (body: object, { id, token, ifMatch }: { id?: number; token?: string; ifMatch?: string } = {}) =>
  gateway.rest.call('PATCH', path(id), {
    token: token ?? testData.manager.token,
    headers: { 'content-type': 'application/json', ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    body: JSON.stringify(body),
  });

const versionOf = async (id = testData.organizationId) => {
  const [row] = await gateway.app.database.rows<{ version: number }>('select version from organization where id = $1', [
    id,
  ]);
  return row!.version;
};

describe('GET /api/v1/organizations', () => {
  const list = (query: string, token = testData.owner.token) =>
    gateway.rest.get(`/api/v1/organizations?${query}`, { token });

  describe('of somebody who belongs to many', () => {
    beforeAll(async () => {
      const { database } = gateway.app;
      for (const [name, role] of [
        ['Beta', 'VIEWER'],
        ['alpha 100%', 'ORGANIZATION_OWNER'],
        ['Gamma_x', 'ORGANIZATION_MANAGER'],
        ['Beta', 'ORGANIZATION_OWNER'],
      ] as const) {
        await join(database, testData.nonMember, await buildOrganization(database, name), role);
      }
      const gone = await buildOrganization(database, 'Gone');
      await join(database, testData.nonMember, gone, 'ORGANIZATION_OWNER');
      await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    });

    const mine = (query: string) => list(query, testData.nonMember.token);
    const names = async (query: string) =>
      (expectData(await mine(query)) as { name: string }[]).map(({ name }) => name);

    pagingCases(mine);

    test('lists those that the caller belongs to and that are not deleted, by name', async () => {
      const all = await names('');
      expect(all.toSorted()).toEqual(['Beta', 'Beta', 'Gamma_x', 'Other Organization', 'alpha 100%'].toSorted());
      expect((await mine('')).body.total).toBe(5);
      expect(await names('sort=-name')).toEqual(all.toReversed());
      expect(await collectPages<{ name: string }>(mine, '', 2)).toMatchObject(all.map((name) => ({ name })));
    });

    test('sorts by when they were created', async () => {
      expect(await names('sort=created_at')).toEqual(['Other Organization', 'Beta', 'alpha 100%', 'Gamma_x', 'Beta']);
      expectError(await mine('sort=id'), 400, ['sort must be one of name, -name, created_at, -created_at']);
    });

    test('filters by a part of the name in any case, and by the role of the caller', async () => {
      expect(await names('search=ALPHA')).toEqual(['alpha 100%']);
      expect(await names('search=%25')).toEqual(['alpha 100%']);
      expect(await names('search=_')).toEqual(['Gamma_x']);
      expect(await names('role=VIEWER')).toEqual(['Beta']);
      expect((await mine('role=ORGANIZATION_OWNER&search=beta')).body.total).toBe(1);
      expect(await names('role=SECURITY_OFFICER')).toEqual([]);
      expectError(await mine('role=OWNER'), 400, [
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
      ]);
    });
  });

  test('is empty for who belongs to none', async () => {
    expectExactly(await list('', testData.userWithoutOrganization.token), 200, {
      error: 0,
      messages: [],
      data: [],
      total: 0,
    });
  });
});

describe('GET /api/v1/organizations/{id}', () => {
  test('answers the record that creation answered, with its version as ETag', async () => {
    const created = await gateway.rest.post('/api/v1/organizations', {
      token: testData.userWithoutOrganization.token,
      body: RECORD,
    });
    const { id } = expectData(created, 201);
    const answer = await gateway.rest.get(path(id), { token: testData.userWithoutOrganization.token });
    withStory(answer, () => {
      expect(answer.body).toEqual(created.body);
      expect(Object.keys(answer.body.data)).toEqual(Object.keys(created.body.data));
      expect(answer.headers.get('etag')).toBe('"1"');
    });
  });

  test('answers 304 without a body to who has this state already', async () => {
    const { token } = testData.viewer;
    const etag = (await gateway.rest.get(path(), { token })).headers.get('etag') as string;
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await gateway.rest.get(path(), { token, headers: { 'if-none-match': ifNoneMatch } });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expectStatus(await gateway.rest.get(path(), { token, headers: { 'if-none-match': '"999"' } }), 200);
  });
});

describe('PATCH /api/v1/organizations/{id}', () => {
  let id: number;
  beforeEach(async () => {
    const created = await gateway.rest.post('/api/v1/organizations', {
      token: testData.userWithoutOrganization.token,
      body: RECORD,
    });
    id = expectData(created, 201).id;
  });
  const change = (body: object, ifMatch?: string) =>
    patch(body, { id, token: testData.userWithoutOrganization.token, ...(ifMatch !== undefined && { ifMatch }) });

  test('is granted to every role from manager on', async () => {
    for (const role of rolesFrom('ORGANIZATION_MANAGER')) {
      expectData(await patch({ description: role }, { token: personOf(testData, role).token }));
    }
  });

  test('changes what is sent, leaves what is absent, and answers the whole record with its new version', async () => {
    now = new Date('2026-11-22T08:30:00.000Z');
    const answer = await change({ number_employees: 250, domains: ['NEW.example.com', 'new.example.com'] });
    const data = expectData(answer);
    expect(data).toEqual({
      id,
      ...RECORD,
      number_employees: 250,
      domains: ['new.example.com'],
      created_at: expect.any(String),
      updated_at: '2026-11-22T08:30:00.000Z',
    });
    expect(answer.headers.get('etag')).toBe('"2"');
    const read = await gateway.rest.get(path(id), { token: testData.userWithoutOrganization.token });
    expect([read.text, read.headers.get('etag')]).toEqual([answer.text, '"2"']);
  });

  test('empties what is null', async () => {
    const empty = {
      description: null,
      number_employees: null,
      website: null,
      logo: null,
      sectors: null,
      industries: null,
      nis2_sector: null,
      compliance_frameworks: null,
      infrastructure: null,
      contacts: null,
      domains: null,
      ips: null,
    };
    expect(expectData(await change(empty))).toMatchObject({
      name: RECORD.name,
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
    });
  });

  test('takes a body without fields for a change of nothing', async () => {
    expect(expectData(await change({}))).toMatchObject(RECORD);
    const bodiless = await gateway.rest.call('PATCH', path(id), { token: testData.userWithoutOrganization.token });
    expect(expectData(bodiless)).toMatchObject(RECORD);
    expect(await versionOf(id)).toBe(3);
  });

  test('tells every error at once in the words of creation, and changes nothing', async () => {
    const wrong = {
      name: null,
      number_employees: -1,
      website: 'www.example.com',
      sectors: ['Energi'],
      compliance_frameworks: [{ value: 'NIS2', fields: {} }],
      infrastructure: 'Cloud',
      contacts: [{ email_report: true }],
      ips: ['01.2.3.4'],
    };
    const { text } = await gateway.rest.post('/api/v1/organizations', {
      token: testData.userWithoutOrganization.token,
      body: wrong,
    });
    const answer = await change(wrong);
    expect(answer.text).toBe(text);
    expectError(answer, 400, [
      'name is required',
      'number_employees must be an integer of 0 or more',
      'website must be an absolute http or https URL without credentials',
      'sectors[0] must be one of the sectors of the specification',
      'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
      'infrastructure must be one of cloud, on-prem, hybrid',
      'contacts[0].email must be set when phone is empty',
      'contacts[0].email must be set when email_report is true',
      'ips[0] must be a dotted IPv4 address',
    ]);
    expect(await versionOf(id)).toBe(1);
  });

  test('takes a name of 200 characters and refuses 201', async () => {
    expectData(await change({ name: 'é'.repeat(200) }));
    expectError(await change({ name: 'é'.repeat(201) }), 400, ['name must not be longer than 200 characters']);
    expectError(await change({ name: '  ' }), 400, ['name is required']);
  });

  test('knows neither id, version nor file in a body, nor a field in the spelling of GraphQL', async () => {
    for (const field of ['id', 'version', 'logo_file', 'numberEmployees', 'created_at', 'deleted_at']) {
      expectError(await change({ [field]: 1 }), 400, [`${field} is not a known field`]);
    }
  });

  test('is refused with 412 when the version is not the one of If-Match any more', async () => {
    expectData(await change({ name: 'First' }, '"1"'));
    expectError(await change({ name: 'Second' }, '"1"'), 412, [1012]);
    expectError(await change({ name: 'Second' }, 'W/"2"'), 412, [1012]);
    expectError(await change({ name: 'Second' }, '"of-somebody-else"'), 412, [1012]);
    expectError(await change({ name: 'Second' }, '"2147483648"'), 412, [1012]);
    for (const ifMatch of ['2', '"1", "2"', '', '"']) {
      expectError(await change({ name: 'Second' }, ifMatch), 400, [
        'If-Match must be one entity tag, as ETag has it, or *',
      ]);
    }
    expect(expectData(await change({ name: 'Second' }, '"2"')).name).toBe('Second');
    expect(expectData(await change({ name: 'Third' }, '*')).name).toBe('Third');
    expect(await versionOf(id)).toBe(4);
  });

  test('tells a stranger nothing by a version', async () => {
    expectError(await patch({ name: 'A' }, { id, token: testData.nonMember.token, ifMatch: '"1"' }), 404, [1004]);
    expectError(await patch({ name: 'A' }, { id, token: testData.nonMember.token, ifMatch: '"9"' }), 404, [1004]);
  });

  test('lets one of many succeed who change the same version at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change({ name: `Racer ${index}` }, '"1"')),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
    expect(await versionOf(id)).toBe(2);
  });

  test('loses no change of those that ask for no version', async () => {
    await Promise.all([
      change({ description: 'one' }),
      change({ number_employees: 1 }),
      change({ website: 'https://one.example.com' }),
    ]);
    expect(
      expectData(await gateway.rest.get(path(id), { token: testData.userWithoutOrganization.token })),
    ).toMatchObject({
      description: 'one',
      number_employees: 1,
      website: 'https://one.example.com',
    });
    expect(await versionOf(id)).toBe(4);
  });
});

describe('GET /api/v1/organizations/{id}/privileges', () => {
  const privileges = (id?: number) => `${path(id)}/privileges`;
  test('answers the role of the caller and what it may do', async () => {
    const { token } = testData.viewer;
    const { roles } = await gateway.graphql.data('{ roles { role privileges } }', { token });
    expectExactly(await gateway.rest.get(privileges(), { token }), 200, { error: 0, messages: [], data: roles[0] });
    expect(roles[0].privileges).toContain('READ_BRANDING');
    expect(roles[0].privileges).not.toContain('LIST_MEMBERS');
  });

  test('leaves out what the scopes of the token do not allow', async () => {
    const { token } = testData.owner;
    const all = expectData(await gateway.rest.get(privileges(), { token })).privileges as string[];
    const some = expectData(await gateway.rest.get(privileges(), { token: testData.tokens.readOnly })).privileges;
    expect(some).toEqual(all.filter((privilege) => /^(READ|LIST)_/.test(privilege)));
    expect(all).toContain('TRANSFER_ORGANIZATION');
  });
});
