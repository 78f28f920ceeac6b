import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { KINDS } from '../support/device-kinds.js';
import { inHealthNames, inRestValues } from '../support/rest-values.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError, withStory } from '../support/matchers.js';
import { buildToken, seedTestData, type TestData } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

const clock = new TestClock();

let gateway: TestGateway;
let testData: TestData;
let telemetry: string;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
  telemetry = await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] });
});
afterAll(() => gateway?.close());

const SUMMARY = 'organization { id: databaseId name logo }';
const WEB = 'web_stat: webStat { datetime waf_protection: wafProtection total_managed_requests: totalManagedRequests }';
const RECORDS = {
  CloudDefender: `id: databaseId ${SUMMARY} email fqdn check { stat { fqdn proxy endpoint datetime } status ${WEB} } endpoint services`,
  ThreatBlocker: `id: databaseId ${SUMMARY} atb_key: atbKey type email check { stat { vpn dnsbl iplist datetime } status ${WEB}
    chart_stat: chartStat { bucket_start: bucketStart bucket_end: bucketEnd total_requests: totalRequests malicious_requests: maliciousRequests } }
    plugin { name config } endpoint privateIP services device_id: deviceId`,
};

/** One operation as each API has it; `id` is the device's, made anew for each call. */
interface Operation {
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: (id: number) => string;
  body?: object;
  query: string;
  input?: (id: number) => object;
  /** Of GraphQL's data, what REST has in `data`. */
  at: readonly string[];
}

describe.each(KINDS)('$one', ({ segment, type, one, many, build, least, stat }) => {
  const record = RECORDS[type];
  const make = () => build(gateway.app.database, testData.organizationId);
  const mutation = (verb: string, fields = `${one} { ${record} }`) =>
    `mutation ($input: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!) { ${verb}(input: $input) { ${fields} } }`;
  const report = () => ({ datetime: clock.at(-1).toISOString(), stat: stat(2) });
  const named = ({ datetime, stat: parts }: ReturnType<typeof report>) => ({ datetime, stat: inHealthNames(parts) });
  const created = () => ({ ...least, services: ['waf', ' waf '] });

  const operations: Operation[] = [
    {
      name: 'creating',
      method: 'POST',
      path: () => `/api/v1/${segment}`,
      query: mutation(`create${type}`),
      input: () => ({ organizationId: testData.organizationId, ...created() }),
      at: [`create${type}`, one],
    },
    {
      name: 'changing',
      method: 'PATCH',
      path: (id) => `/api/v1/${segment}/${id}`,
      body: { email: 'changed@example.com', services: null },
      query: mutation(`update${type}`),
      input: (id) => ({ [`${one}Id`]: id, email: 'changed@example.com', services: null }),
      at: [`update${type}`, one],
    },
    {
      name: 'restoring',
      method: 'POST',
      path: (id) => `/api/v1/${segment}/${id}/restore`,
      query: mutation(`restore${type}`),
      input: (id) => ({ [`${one}Id`]: id }),
      at: [`restore${type}`, one],
    },
    {
      name: 'reporting',
      method: 'POST',
      path: (id) => `/api/v1/${segment}/${id}/checks`,
      body: { reports: [report()] },
      query: mutation(`report${type}Check`, 'receipt { received newest }'),
      input: (id) => ({ [`${one}Id`]: id, reports: [named(report())] }),
      at: [`report${type}Check`, 'receipt'],
    },
    {
      name: 'listing',
      method: 'GET',
      path: () => `/api/v1/${segment}?organization_id=${testData.organizationId}&limit=3&sort=-last_seen`,
      query: `query { ${many}(organizationId: 1, first: 3, orderBy: { field: LAST_SEEN, direction: DESC }) { nodes { ${record} } } }`,
      at: [many, 'nodes'],
    },
  ];

  const bodyOf = ({ name, body }: Operation) =>
    name === 'creating' ? { organization_id: testData.organizationId, ...created() } : body;
  const rest = (operation: Operation, id: number, token?: string) => {
    const body = bodyOf(operation);
    return gateway.rest.call(operation.method, operation.path(id), {
      ...(token !== undefined && { token }),
      ...(body !== undefined && { body }),
    });
  };
  const graphql = ({ query, input }: Operation, id: number, token?: string) =>
    gateway.graphql.call(query, {
      ...(token !== undefined && { token }),
      ...(input && { variables: { input: input(id) } }),
    });

  test.each(operations)('$name answers every kind of caller alike', async (operation) => {
    const codes = new Set<string>();
    for (const [name, token] of [...callersOf(testData), ['telemetry of the manager', telemetry] as const]) {
      const notified = restOutcome(await rest(operation, await make(), token));
      const answer = await graphql(operation, await make(), token);
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, notified]));
      codes.add(notified.code);
    }
    expectBothEnds(codes);
  });

  test.each(operations)('$name answers the same record', async (operation) => {
    const token = operation.name === 'reporting' ? telemetry : testData.manager.token;
    const [id, other] = [await make(), await make()];
    const notified = (await rest(operation, id, token)).body.data;
    expect(notified).toEqual(expect.any(Object));
    const { body } = await graphql(operation, other, token);
    const same = operation.at.reduce((value, key) => value?.[key], body.data);
    // What differs by nature: whose number and key it is, and when it was made.
    const neutral = (value: unknown) =>
      JSON.stringify(value, (key, part: unknown) => (['id', 'atb_key', 'datetime'].includes(key) ? '-' : part));
    expect(neutral(inRestValues(same))).toBe(neutral(notified));
  });

  test.each([
    ['creating', { endpoint: 'x' }, { endpoint: 'x' }],
    ['creating', { services: ['', 'waf'] }, { services: ['', 'waf'] }],
    ['changing', { email: null }, { email: null }],
    ['reporting', { reports: [] }, { reports: [] }],
    [
      'reporting',
      { reports: [{ ...report(), web_stat: { waf_protection: -1, total_managed_requests: 0 } }] },
      { reports: [{ ...named(report()), webStat: { wafProtection: -1, totalManagedRequests: 0 } }] },
    ],
  ] as const)('%s tells an error in the same words: %j', async (name, wire, fields) => {
    const operation = operations.find((each) => each.name === name)!;
    const id = await make();
    const token = name === 'reporting' ? telemetry : testData.manager.token;
    const notified = restOutcome(
      await gateway.rest.call(operation.method, operation.path(id), { token, body: { ...bodyOf(operation), ...wire } }),
    );
    const input = { ...operation.input?.(id), ...fields };
    const answer = await gateway.graphql.call(operation.query, { token, variables: { input } });
    expect(notified.code).toBe('BAD_USER_INPUT');
    withStory(answer, () => expect(graphqlOutcome(answer)).toEqual(notified));
  });

  test('GraphQL shows when a device was last seen and when it was deleted', async () => {
    const id = await make();
    const read = (field: string) =>
      gateway.graphql.data(`query ($id: ID!) { ${field} { id: databaseId lastSeenAt deletedAt } }`, {
        token: testData.manager.token,
        variables: { id },
      });
    expect((await read(`${one}(id: $id)`))[one]).toEqual({ id, lastSeenAt: null, deletedAt: null });
    await graphql(operations[3]!, id, telemetry);
    expect((await read(`${one}(id: $id)`))[one]).toMatchObject({ lastSeenAt: clock.now().toISOString() });
    await gateway.rest.delete(`/api/v1/${segment}/${id}`, { token: testData.manager.token });
    const list = await gateway.graphql.data(
      `{ ${many}(filter: { deleted: true }) { nodes { id: databaseId deletedAt } } }`,
      {
        token: testData.manager.token,
      },
    );
    expect(list[many].nodes).toContainEqual({ id, deletedAt: clock.now().toISOString() });
  });

  test('GraphQL refuses a status that there is not, as REST does', async () => {
    const query = `query ($status: DeviceHealth) { ${many}(filter: { status: $status }) { totalCount } }`;
    const { code, messages } = await gateway.graphql.error(query, {
      token: testData.manager.token,
      variables: { status: 4 },
    });
    expect([code, messages]).toEqual(['BAD_USER_INPUT', ['status must be one of UNKNOWN, HEALTHY, DEGRADED, DOWN']]);
    const refused = await gateway.rest.get(`/api/v1/${segment}?status=4`, { token: testData.manager.token });
    expectError(refused, 400, ['status must be one of 0, 1, 2, 3']);
    const listed = await gateway.graphql.data(query, {
      token: testData.manager.token,
      variables: { status: 'UNKNOWN' },
    });
    const { body } = await gateway.rest.get(`/api/v1/${segment}?status=0`, { token: testData.manager.token });
    expect(body.total).toBe(listed[many].totalCount);
  });
});
