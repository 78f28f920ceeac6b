import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { seededAddresses } from '../support/seeded-addresses.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { until } from '../support/until.js';

interface Schema {
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  items?: Schema;
}

interface Described {
  paths: Record<string, { get?: { parameters?: { name: string; in: string; required?: true; schema: Schema }[] } }>;
}

type Query = Readonly<Record<string, string>>;

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Described;

const { gateway, testData } = await startSeededGateway();
const { database, services } = gateway.app;
const { organizationId, owner } = testData;
const seeded = await seedOrganization(database, organizationId, owner);
const addressOf = seededAddresses(organizationId, seeded);
// Work of none.
await database.rows(
  `insert into control_state (organization_id, workflow_id, control_id, status, due_date)
   values ($1, 'nis2-directive', '20.1', 'TO_DO', '2020-01-01')`,
  [organizationId],
);

/** One entry in the trail of the organization, and one in that of the owner. */
async function change(text: string): Promise<void> {
  const incident = `/api/v1/v-ciso/incidents/${organizationId}/${seeded.incidentId}`;
  expectStatus(await gateway.rest.patch(incident, { token: owner.token, body: { title: text } }), 200);
  expectStatus(await gateway.rest.patch('/api/v1/profile', { token: owner.token, body: { first_name: text } }), 200);
}

await change('Before');
await services.recordedStates.recordMissing();
const between = new Date().toISOString();
await until('it is later', async () => Date.now() > Date.parse(between));
await change('After');

/** Parameters that select a page or a form of a list, and do not filter its items. */
const NO_FILTERS = 'limit offset sort after wait include language as_of format bom'.split(' ');
/** Types of the subjects that the trails of users and of organizations have. */
const typeIn = (path: string) => (path.includes('/profile/') ? 'USER' : 'INCIDENT');
/** Values that exclude some items, for filters whose type or enumeration has none. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...{ assignee_id: [testData.viewer.id], week: ['1999-W01'], event_id: ['1/1'] },
  ...{ from: [between], to: ['0002-01-01T00:00:00Z', between] },
};
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  ...{ boolean: ['true', 'false'], integer: ['2147483647'], string: ['nothing'] },
  'date-time': ['0002-01-01T00:00:00Z', '9998-01-01T00:00:00Z'],
};

function valuesOf(name: string, { type = '', format = '', enum: values, items }: Schema): readonly string[] {
  if (items !== undefined) return valuesOf(name, items);
  return VALUES[name] ?? values?.map(String) ?? BY_TYPE[format] ?? BY_TYPE[type] ?? [];
}

const FILTERS = Object.entries(paths).flatMap(([path, { get: { parameters = [] } = {} }]) => {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (!names.includes('limit')) return [];
  const filters = parameters.filter((each) => each.in === 'query' && !each.required && !NO_FILTERS.includes(each.name));
  return filters.map(({ name, schema }) => ({ path, name, values: valuesOf(name, schema), names }));
});

async function answer(path: string, query: Query): Promise<{ status: number; items: string }> {
  const address = `${addressOf(path)}?${new URLSearchParams(query)}`;
  const { status, text } = await rawRequest(gateway.url, 'GET', address, {
    headers: { 'x-service-token': owner.token },
  });
  const { data = text } = query['format'] === undefined ? (JSON.parse(text) as { data?: unknown }) : {};
  return { status, items: JSON.stringify(data) };
}

test('lists that have filters are known', () => {
  expect(FILTERS.length).toBeGreaterThan(60);
});

/** GraphQL has the same filters, and REST reads its lists. */
test.each(FILTERS)(
  '$name filters $path: in JSON, in a file and as of a time',
  async ({ path, name, values, names }) => {
    const given: Query = {
      ...(path.endsWith('/search') && { q: 'owner' }),
      ...(name === 'subject_id' && { subject_type: typeIn(path) }),
    };
    const past = {
      ...given,
      as_of: between,
      ...(names.includes('organization_id') && { organization_id: `${organizationId}` }),
    };
    const ways = [
      given,
      ...(names.includes('format') ? [{ ...given, format: 'csv' }] : []),
      ...(names.includes('as_of') ? [past] : []),
    ];
    for (const way of ways) {
      const all = await answer(path, way);
      const isFilter = async (value: string) => {
        const { status, items } = await answer(path, { ...way, [name]: value });
        return status === 200 ? items !== all.items : status === 404 || (status === 400 && way === past);
      };
      let filters = false;
      for (const value of values) filters ||= await isFilter(value);
      expect([way, all.status, filters]).toEqual([way, 200, true]);
    }
  },
);
