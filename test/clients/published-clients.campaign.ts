import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mock } from 'node:test';
import { seedOrganization } from '../support/seeded-organization.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildNotifications, buildOrganization, buildPerson, join } from '../support/test-data.js';
import { compileClients, generateClients, loadClient } from './generated-clients.js';

let gateway: TestGateway;
/** Messages of a client that rejects a contract or a configuration. */
let warnings: unknown[][];
const { warn, error } = console;
const { setTimeout } = globalThis;

beforeAll(async () => {
  // Relay retains read data for five minutes, and its timer would delay the end of the process.
  mock.method(globalThis, 'setTimeout', (...given: Parameters<typeof setTimeout>) => setTimeout(...given).unref());
  [gateway] = await Promise.all([startGateway(), generateClients()]);
});

afterAll(() => {
  mock.restoreAll();
  return gateway?.close();
});

beforeEach(() => {
  warnings = [];
  console.warn = console.error = (...words) => warnings.push(words);
});

afterEach(() => {
  Object.assign(console, { warn, error });
  expect(warnings).toEqual([]);
});

/** The output of the program for the owner of an organization with four incidents more recent than `seed`. */
async function run(path: string, seed?: typeof seedOrganization, what: 'run' | 'parts' = 'run'): Promise<unknown> {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, 'Rossi Energia');
  const owner = await buildPerson(database, 'owner');
  await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
  await seed?.(database, organizationId, owner);
  await buildNotifications(database, owner, organizationId, 4);
  await database.rows(
    `update organization set compliance_frameworks = '[{"value": "NIS2", "fields": {"entity_type": "essential"}}]'
      where id = $1`,
    [organizationId],
  );
  await database.rows(
    `insert into incident (organization_id, title, severity, aware_at, significant)
     select $1, 'Incident ' || n, 'HIGH', now(), true from generate_series(4, 1, -1) n`,
    [organizationId],
  );
  const program = await loadClient(path);
  return program[what]?.({ url: gateway.url, token: owner.token, organizationId });
}

const TODAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

test('the programs of every client compile, and what is wrong in them does not', async () => {
  expect(await compileClients()).toBe('');
});

describe('documents that GraphQL Code Generator has typed', () => {
  test('run with the scalars of the documented configuration', async () => {
    expect(await run('graphql-codegen/src/program.ts')).toEqual({
      fields: [{ entity_type: 'essential' }],
      incidents: [1, 2, 3, 4].map((n) => ({ title: `Incident ${n}`, severity: 'HIGH', day: TODAY })),
    });
  });
});

describe('documents that gql.tada has typed', () => {
  test('run', async () => {
    const unread = { title: expect.stringContaining('Title'), type: expect.any(String), day: TODAY };
    expect(await run('gql-tada/src/program.ts')).toEqual([unread, unread]);
  });
});

describe('a REST client that openapi-typescript has typed', () => {
  test('reads the data of a success and the messages of a failure', async () => {
    expect(await run('openapi-typescript/src/program.ts')).toEqual({
      title: 'Lost laptop',
      total: 1,
      absent: [1004],
      refused: [expect.stringContaining('name')],
    });
  });
});

/** A list of two, with its second page, and after a mutation. */
const SHOWN = [
  ['Incident 1', 'Incident 2'],
  ['Incident 1', 'Incident 2', 'Incident 3', 'Incident 4'],
  ['Renamed', 'Incident 2', 'Incident 3', 'Incident 4'],
];

describe('urql with Graphcache', () => {
  test('appends a page to a list and renames an item of it when a mutation answers, without a warning', async () => {
    expect(await run('urql-graphcache/src/program.ts')).toEqual(SHOWN);
  });
});

describe('Apollo Client', () => {
  test('appends a page to a watched list and renames an item of it when a mutation answers', async () => {
    expect(await run('apollo-client/src/program.ts')).toEqual(SHOWN);
  });

  test('has what several queries read of an object without an id, of interfaces, and of a list in two orders', async () => {
    const [name, roles, count, work, oldest, newest] = (await run(
      'apollo-client/src/program.ts',
      undefined,
      'parts',
    )) as object[];
    expect(name).toMatchObject({ viewer: { user: { username: expect.any(String) } } });
    expect(roles).toMatchObject({ viewer: { organizations: { nodes: [{ role: 'ORGANIZATION_OWNER' }] } } });
    expect(count).toMatchObject({ viewer: { organizations: { totalCount: 1 } } });
    expect(work).toMatchObject({
      work: { nodes: expect.arrayContaining([expect.objectContaining({ kind: 'REPORT' })]) },
    });
    expect(oldest).toMatchObject({ oldest: { edges: [{ node: { title: 'Title 4' } }] } });
    expect(newest).toMatchObject({ newest: { edges: [{ node: { title: 'Title 1' } }] } });
  });
});

test.each(['apollo-client', 'urql-graphcache'])(
  '%s keeps the snippet of each search, also where another one finds the same record',
  async (client) => {
    const { database } = gateway.app;
    const organizationId = await buildOrganization(database, 'Rossi Energia');
    const owner = await buildPerson(database, 'owner');
    await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
    await database.rows(
      `insert into incident (organization_id, title, severity, aware_at, significant, description)
       values ($1, 'Incident', 'HIGH', now(), true, $2)`,
      [organizationId, `The alphabet was read. ${'Nothing was found. '.repeat(30)}The betatest was read.`],
    );
    const program = await loadClient(`${client}/src/program.ts`);
    const shown = await program.search?.({ url: gateway.url, token: owner.token }, ['alphabet', 'betatest']);
    expect(shown).toEqual([expect.stringContaining('alphabet')]);
  },
);

describe('Relay with its default runtime', () => {
  test('appends pages to lists, renames an item when a mutation answers, and refetches any node by its id', async () => {
    const { nodes, refetched, ...lists } = (await run('relay/src/built.ts', seedOrganization)) as {
      nodes: { id: string }[];
      refetched: string[];
    };
    expect(lists).toEqual({ shown: SHOWN, notifications: 4 });
    expect(nodes).toMatchObject([
      { __typename: 'Organization', name: 'Rossi Energia' },
      { __typename: 'Incident', title: 'Renamed' },
      { __typename: 'DocumentVersion', filename: 'd' },
      { __typename: 'CloudDefender', fqdn: 'www.example.com' },
      { __typename: 'Notification', title: 'Title 1' },
    ]);
    expect(refetched).toEqual(nodes.map(({ id }) => id));
  });
});
