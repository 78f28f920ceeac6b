import { describe, expect, test } from '@jest/globals';
import { RECORDS, SUMMARY } from '../support/device-kinds.js';
import { inRestValues } from '../support/rest-values.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, withStory } from '../support/matchers.js';
import { buildCloudDefender, buildNotifications, buildThreatBlocker } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

const { gateway, testData } = await startSeededGateway();
const edge = await buildCloudDefender(gateway.app.database, testData.organizationId);
const blocker = await buildThreatBlocker(gateway.app.database, testData.organizationId);
await gateway.app.database.rows(`update organization set logo = '/logos/own.png', palette = 'sea' where id = $1`, [
  testData.organizationId,
]);
await gateway.app.database.rows(
  `update cloud_defender set stat = '{"datetime": "2026-03-04T10:00:00.000Z", "fqdn": 1, "proxy": 2, "endpoint": 3}' where id = $1`,
  [edge],
);
await gateway.app.database.rows(
  `insert into cloud_defender_check (organization_id, device_id, datetime, fqdn, proxy, endpoint, waf_protection, total_managed_requests)
   select $1, $2, now() - make_interval(hours => n), n, 2, 3, 4, 5 from generate_series(1, 3) n`,
  [testData.organizationId, edge],
);
await gateway.app.database.rows(
  `insert into threat_blocker_check (organization_id, device_id, datetime, vpn, dnsbl, iplist, waf_protection, total_managed_requests)
   select $1, $2, now() - make_interval(hours => n), n, 2, 3, 4, 5 from generate_series(1, 3) n`,
  [testData.organizationId, blocker],
);
await gateway.app.database.rows(
  `insert into threat_blocker_traffic (organization_id, device_id, bucket_start, bucket_end, total_requests, malicious_requests)
   select $1, $2, extract(epoch from now())::int - n * 60, extract(epoch from now())::int - n * 60 + 60, n, 1 from generate_series(1, 3) n`,
  [testData.organizationId, blocker],
);
await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 5);

const BRANDING =
  'palette custom_colors: customColors { primary primary_hover: primaryHover primary_dark: primaryDark }';
const USER =
  'id: userId username email first_name: firstName last_name: lastName role alerts { atb cloud_defender: cloudDefender v_ciso: vCiso }';
const NOTIFICATION = `id: databaseId ${SUMMARY} title message type action read datetime icon extra { href }`;

interface Read {
  path: string;
  query: string;
  /** The path to the record in GraphQL's data. */
  at: string[];
}

/** Each REST record with the GraphQL query for the same. */
const reads = (): Record<string, Read> => ({
  'cloud-defender': {
    path: `/api/v1/cloud-defender/${edge}`,
    query: `{ cloudDefender(id: ${edge}) { ${RECORDS.CloudDefender} } }`,
    at: ['cloudDefender'],
  },
  atb: {
    path: `/api/v1/atb/${blocker}`,
    query: `{ threatBlocker(id: ${blocker}) { ${RECORDS.ThreatBlocker} } }`,
    at: ['threatBlocker'],
  },
  branding: {
    path: `/api/v1/organizations/${testData.organizationId}/branding`,
    query: `{ organization(id: ${testData.organizationId}) { branding { ${BRANDING} } } }`,
    at: ['organization', 'branding'],
  },
  users: {
    path: `/api/v1/organizations/${testData.organizationId}/users`,
    query: `{ organization(id: ${testData.organizationId}) { users { nodes { ${USER} } } } }`,
    at: ['organization', 'users', 'nodes'],
  },
  notifications: {
    path: '/api/v1/notifications',
    query: `{ notifications { nodes { ${NOTIFICATION} } } }`,
    at: ['notifications', 'nodes'],
  },
  'available-workflows': {
    path: '/api/v1/v-ciso/available-workflows',
    query: '{ availableWorkflows { nodes { id: databaseId name } } }',
    at: ['availableWorkflows', 'nodes'],
  },
});

const KINDS = ['cloud-defender', 'atb', 'branding', 'users', 'notifications', 'available-workflows'];

describe.each(KINDS)('%s', (kind) => {
  test('has one value for each field in both APIs', async () => {
    const { path, query, at } = reads()[kind]!;
    const { token } = testData.owner;
    const record = expectData(await gateway.rest.get(path, { token }));
    const data = await gateway.graphql.data(query, { token });
    const same = at.reduce((value, key) => value[key], inRestValues(query, data));
    expect(JSON.stringify(same)).toBe(JSON.stringify(record));
  });

  test('is answered alike to every kind of caller, the first time and again', async () => {
    const { path, query } = reads()[kind]!;
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      const options = token === undefined ? {} : { token };
      const notified = restOutcome(await gateway.rest.get(path, options));
      codes.add(notified.code);
      for (const answer of [
        await gateway.graphql.call(`${query}# ${name}`, options),
        await gateway.graphql.call(query, options),
      ]) {
        withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, notified]));
      }
    }
    expectBothEnds(codes);
  });
});

describe.each([
  ['cloud-defender', 'deleteCloudDefender', 'cloudDefender', RECORDS.CloudDefender, buildCloudDefender],
  ['atb', 'deleteThreatBlocker', 'threatBlocker', RECORDS.ThreatBlocker, buildThreatBlocker],
] as const)('deleting: %s', (segment, root, field, fields, build) => {
  const mutation = `mutation ($id: ID!) { ${root}(input: { ${field}Id: $id }) { ${field} { ${fields} } } }`;
  const make = () => build(gateway.app.database, testData.organizationId);
  const rest = (id: number, token?: string) =>
    gateway.rest.delete(`/api/v1/${segment}/${id}`, token === undefined ? {} : { token });
  const graphql = (id: number, token?: string) =>
    gateway.graphql.call(mutation, { ...(token === undefined ? {} : { token }), variables: { id } });

  test('answers the record, and then it is absent through both APIs', async () => {
    const { token } = testData.manager;
    const [one, other] = [await make(), await make()];
    const record = expectData(await gateway.rest.get(`/api/v1/${segment}/${other}`, { token }));
    expectData(await rest(one, token));
    const { body } = await graphql(other, token);
    expect(inRestValues(mutation, body.data)[root][field]).toEqual(record);
    for (const id of [one, other]) {
      expect(graphqlOutcome(await graphql(id, token))).toEqual({ code: 'NOT_FOUND', messages: [1004] });
      expect(restOutcome(await rest(id, token))).toEqual({ code: 'NOT_FOUND', messages: [1004] });
      expect(
        graphqlOutcome(await gateway.graphql.call(`{ ${field}(id: ${id}) { id: databaseId } }`, { token })).code,
      ).toBe('NOT_FOUND');
    }
  });

  test('is answered alike to every kind of caller', async () => {
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      const notified = restOutcome(await rest(await make(), token));
      const answer = await graphql(await make(), token);
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, notified]));
      codes.add(notified.code);
    }
    expectBothEnds(codes);
  });
});
