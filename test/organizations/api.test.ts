import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildOrganization, buildPerson, join } from '../support/test-data.js';

const ORGANIZATION = `id: databaseId name description number_employees: numberEmployees website logo sectors industries
  nis2_sector: nis2Sector compliance_frameworks: complianceFrameworks { value fields } infrastructure
  contacts { name role email phone email_report: emailReport } domains ips created_at: createdAt updated_at: updatedAt`;

const OPERATIONS = {
  list: {
    rest: 'GET /api/v1/organizations',
    graphql: `query ($first: Int, $offset: Int, $orderBy: OrganizationOrder, $filter: OrganizationFilter) {
      organizations(first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) { totalCount nodes { ${ORGANIZATION} } } }`,
    at: 'organizations',
  },
  create: mutation('POST /api/v1/organizations', 'createOrganization', `organization { ${ORGANIZATION} }`),
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}',
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { ${ORGANIZATION} } }`,
    at: 'organization',
  },
  update: mutation(
    'PATCH /api/v1/organizations/{organization_id}',
    'updateOrganization',
    `organization { ${ORGANIZATION} }`,
  ),
} satisfies Record<string, Operation>;

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

/** The current time of the gateway. */
let now: Date;

const { gateway, testData } = await startSeededGateway({ now: () => now });
/** A member of five organizations. */
const member = await buildPerson(gateway.app.database, 'member');

beforeAll(async () => {
  const { database } = gateway.app;
  for (const [name, role] of [
    ['Other', 'ORGANIZATION_OWNER'],
    ['Beta', 'VIEWER'],
    ['alpha 100%', 'ORGANIZATION_OWNER'],
    ['Gamma_x', 'ORGANIZATION_MANAGER'],
    ['Beta', 'ORGANIZATION_OWNER'],
  ] as const) {
    await join(database, member, await buildOrganization(database, name), role);
  }
  const gone = await buildOrganization(database, 'Gone');
  await join(database, member, gone, 'ORGANIZATION_OWNER');
  await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
});
beforeEach(() => {
  now = new Date('2026-11-21T10:00:00.000Z');
});

async function versionOf(id: number): Promise<number> {
  const rows = await gateway.app.database.rows<{ version: number }>('select version from organization where id = $1', [
    id,
  ]);
  return rows[0]!.version;
}

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: { token: string }) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);

  describe('the list of organizations', () => {
    const list = (input: object = {}) => call('list', input, member);
    const names = async (input: object = {}) => dataOf(await list(input)).map(({ name }: { name: string }) => name);
    const byTime = { sort: 'created_at' };

    test('has those that the caller belongs to and that are not deleted, by name, each on one page', async () => {
      const all = await names();
      expect(all.toSorted()).toEqual(['Beta', 'Beta', 'Gamma_x', 'Other', 'alpha 100%']);
      expect((await list()).total).toBe(5);
      expect(await names({ sort: '-name' })).toEqual(all.toReversed());
      const pages: string[] = [];
      for (let offset = 0; offset < 5; offset += 2) pages.push(...(await names({ limit: 2, offset })));
      expect(pages).toEqual(all);
    });

    test('is ordered by the time of creation', async () => {
      expect(await names(byTime)).toEqual(['Other', 'Beta', 'alpha 100%', 'Gamma_x', 'Beta']);
    });

    test('is filtered by a part of the name in any case, and by the role of the caller', async () => {
      expect(await names({ search: 'ALPHA' })).toEqual(['alpha 100%']);
      expect(await names({ search: '%' })).toEqual(['alpha 100%']);
      expect(await names({ search: '_' })).toEqual(['Gamma_x']);
      expect(await names({ role: 'VIEWER' })).toEqual(['Beta']);
      expect((await list({ role: 'ORGANIZATION_OWNER', search: 'beta' })).total).toBe(1);
      expect(await names({ role: 'SECURITY_OFFICER' })).toEqual([]);
    });

    test('is searched as people read: case, accents and the Unicode form of a name make no difference', async () => {
      const user = await buildPerson(gateway.app.database, 'reader');
      const id = await buildOrganization(gateway.app.database, 'Città Métro Ελλάς');
      await join(gateway.app.database, user, id, 'VIEWER');
      const found = async (search: string) => (await call('list', { search }, user)).total;
      for (const search of [
        'citta',
        'CITTÀ',
        'città'.normalize('NFD'),
        'tà mét',
        'METRO',
        'ελλας',
        'ΕΛΛΆΣ'.slice(0, 4),
      ])
        expect([search, await found(search)]).toEqual([search, 1]);
      for (const search of ['cittb', '\u0301', 'metro citta'])
        expect([search, await found(search)]).toEqual([search, 0]);
    });

    test('is empty for a user without organization', async () => {
      const user = await buildPerson(gateway.app.database, 'alone');
      expect(await call('list', {}, user)).toMatchObject({ data: [], total: 0 });
    });
  });

  describe('an organization', () => {
    let id: number;
    const owner = () => testData.userWithoutOrganization;
    const read = () => call('read', { organization_id: id }, owner());
    const change = (changes: object, version?: number, by = owner()) =>
      call('update', { organization_id: id, ...changes, ...(version !== undefined && { if_match: version }) }, by);

    beforeEach(async () => {
      id = dataOf(await call('create', RECORD, owner())).id;
    });

    test('is read as creation answered it, in the order of the specification', async () => {
      const created = dataOf(await call('create', RECORD, owner()));
      const answer = dataOf(await call('read', { organization_id: created.id }, owner()));
      expect(answer).toEqual(created);
      expect(Object.keys(answer)).toEqual(['id', ...Object.keys(RECORD), 'created_at', 'updated_at']);
    });

    test('is not found once it is deleted, not even by its owner', async () => {
      await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [id]);
      // The cached role is dropped when the database sends a NOTIFY message for the change.
      let result = await read();
      while (result.code === 'OK') result = await read();
      expectFailure(result, 'NOT_FOUND');
      expectFailure(await call('read', { organization_id: 2147483647 }, owner()), 'NOT_FOUND');
    });

    test('is changed where a field is sent, not where one is absent, and is answered whole with its new version', async () => {
      now = new Date('2026-11-22T08:30:00.000Z');
      const changed = dataOf(await change({ number_employees: 250, domains: ['NEW.example.com', 'new.example.com'] }));
      expect(changed).toEqual({
        id,
        ...RECORD,
        number_employees: 250,
        domains: ['new.example.com'],
        created_at: expect.any(String),
        updated_at: '2026-11-22T08:30:00.000Z',
      });
      expect(dataOf(await read())).toEqual(changed);
      expect(await versionOf(id)).toBe(2);
    });

    test('is emptied where null is sent, but for its name', async () => {
      const nulls = Object.fromEntries(Object.keys(RECORD).map((field) => [field, null]));
      expect(dataOf(await change({ ...nulls, name: 'Kept' }))).toMatchObject({ ...EMPTY, name: 'Kept' });
    });

    test('stays as it is when nothing is sent', async () => {
      expect(dataOf(await change({}))).toMatchObject(RECORD);
      expect(await versionOf(id)).toBe(1);
    });

    test('is refused changes with every error at once, in the words of creation', async () => {
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
      const messages = [
        'name is required',
        'number_employees must be an integer of 0 or more',
        'website must be an absolute http or https URL without credentials',
        'sectors[0] must be one of the sectors of GET /api/v1/options',
        'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
        'infrastructure must be one of cloud, on-prem, hybrid',
        'contacts[0].email must be set when phone is empty',
        'contacts[0].email must be set when email_report is true',
        'ips[0] must be a dotted IPv4 address',
      ];
      expectFailure(await change(wrong), 'BAD_USER_INPUT', messages);
      expectFailure(await call('create', wrong, owner()), 'BAD_USER_INPUT', messages);
      expect(await versionOf(id)).toBe(1);
    });

    test('has a name of 1 to 200 characters', async () => {
      dataOf(await change({ name: 'é'.repeat(200) }));
      const refused = async (name: string, message: string) =>
        expectFailure(await change({ name }), 'BAD_USER_INPUT', [message]);
      await refused('é'.repeat(201), 'name must not be longer than 200 characters');
      await refused('  ', 'name is required');
    });

    test('is not changed when its version is another one by now', async () => {
      dataOf(await change({ name: 'First' }, 1));
      for (const version of [0, 1, 3]) expectConflict(await change({ name: 'Second' }, version), 'STALE_VERSION');
      expect(dataOf(await change({ name: 'Second' }, 2)).name).toBe('Second');
      expect(await versionOf(id)).toBe(3);
    });

    test('is not found by a non-member, whichever version is named', async () => {
      for (const version of [1, 9]) {
        expectFailure(await change({ name: 'A' }, version, testData.nonMember), 'NOT_FOUND');
      }
    });

    test('is changed by one of many requests for the same version at once', async () => {
      const results = await Promise.all([...Array(8).keys()].map((n) => change({ name: `Racer ${n}` }, 1)));
      expect(results.map(({ code }) => code).toSorted()).toEqual([...Array<string>(7).fill('CONFLICT'), 'OK']);
      expect(await versionOf(id)).toBe(2);
    });

    test('stores every change of requests at once that name no version', async () => {
      const changes = { description: 'one', number_employees: 1, website: 'https://one.example.com' };
      await Promise.all(Object.entries(changes).map(([field, value]) => change({ [field]: value })));
      expect(dataOf(await read())).toMatchObject(changes);
      expect(await versionOf(id)).toBe(4);
    });
  });
});
