import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildDelivery, buildImport, buildNote, buildReport } from '../support/seeded-organization.js';
import { buildInvitation } from '../support/people.js';
import { StatementWatch } from '../support/statements.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildPerson,
  buildThreatBlocker,
  buildWorkflow,
  join,
  type Person,
} from '../support/test-data.js';

let database: TestDatabase;
let watch: StatementWatch;
let gateway: TestGateway;
let small: Person;
let large: Person;

/** Every nested field, of every organization of the caller. */
const WHOLE = `{ viewer { organizations(first: 5) { totalCount nodes { role organization {
  id: databaseId name
  branding { palette }
  users(first: 4) { totalCount nodes { username alerts { atb } } }
  workflows(first: 3) { totalCount nodes { name progress { done } controls(first: 2) { nodes { status } } workflow { name } } }
  documentVersions(first: 3) { totalCount nodes { filename downloadUrl organization { name } } }
  incidents(first: 3) { totalCount nodes { title clock { stages { state } } organization { name }
    attachments(first: 3) { totalCount nodes { filename } } reports(first: 3) { totalCount nodes { stage recordedBy { username } } }
    notes(first: 3) { totalCount nodes { text createdBy { username } } } } }
  invitations(first: 3) { totalCount nodes { email status invitedBy { username } viewerCan { resend } } }
  apiTokens(first: 4) { totalCount nodes { name username blockedAt } }
  workflowImports(first: 3) { totalCount nodes { name controlCount } }
  weeklyReportDeliveries(first: 3) { totalCount nodes { email status } }
  viewerPrivileges viewerCan { update leave transferOwnership restore }
  cloudDefenders(first: 3) { totalCount nodes { fqdn check { stat { proxy } webStat { wafProtection } } } }
  threatBlockers(first: 3) { totalCount nodes { deviceId check { stat { vpn } webStat { wafProtection } chartStat { totalRequests } } } }
} } } } }`;

beforeAll(async () => {
  database = await createTestDatabase();
  watch = await StatementWatch.before(database.url);
  gateway = await startGateway({ database: { ...database, url: watch.url } });
  small = await buildPerson(gateway.app.database, 'small');
  large = await buildPerson(gateway.app.database, 'large');
  await seedOrganization(small, 1);
  await seedOrganization(large, 3);
  await seedOrganization(large, 3);
  await seedOrganization(large, 3);
  await seedOrganization(large, 3);
});

afterAll(async () => {
  await gateway?.close();
  await watch?.close();
  await database?.drop();
});

/** A separate organization with so many objects of each kind. */
async function seedOrganization(person: Person, count: number): Promise<number> {
  const { database: db } = gateway.app;
  const organization = await buildOrganization(db, `Of ${person.username}`);
  await join(db, person, organization, 'ORGANIZATION_OWNER');
  for (const workflow of ['iso-27001-2022', 'nis2-directive', 'incident-readiness'].slice(0, count)) {
    await buildWorkflow(db, organization, workflow);
  }
  for (let n = 0; n < count; n += 1) {
    await buildInvitation(db, { organizationId: organization, owner: person, email: `${n}@example.com` });
    await buildDelivery(db, organization, `${n}@example.com`);
    await buildImport(db, organization, `house-rules-${n}`);
    await join(db, await buildPerson(db, 'member'), organization, 'VIEWER');
    const incident = await buildIncident(db, organization);
    await db.rows(
      `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
       select (select organization_id from incident where id = $1), $1, 'a' || n, 'text/plain', 1, 'x', 'y' from generate_series(1, $2::int) n`,
      [incident, count],
    );
    await buildReport(db, incident);
    await buildNote(db, incident);
    await db.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
       values ($1, 'iso-27001-2022', 'A.5.1', 'd', 1, 'text/plain', 'attached', $2, 'y')`,
      [organization, `sha-${n}`],
    );
    const edge = await buildCloudDefender(db, organization);
    const blocker = await buildThreatBlocker(db, organization);
    await db.rows(
      `insert into cloud_defender_check (organization_id, device_id, datetime, fqdn, proxy, endpoint, waf_protection, total_managed_requests) values ($1, $2, now(), 1, 1, 1, 1, 1)`,
      [organization, edge],
    );
    await db.rows(
      `insert into threat_blocker_check (organization_id, device_id, datetime, vpn, dnsbl, iplist, waf_protection, total_managed_requests) values ($1, $2, now(), 1, 1, 1, 1, 1)`,
      [organization, blocker],
    );
    await db.rows(
      `insert into threat_blocker_traffic (organization_id, device_id, bucket_start, bucket_end, total_requests, malicious_requests) values ($1, $2, extract(epoch from now())::int, 0, 1, 1)`,
      [organization, blocker],
    );
  }
  return organization;
}

const send = (person: Person, query: string) => gateway.graphql.data(query, { token: person.token });

/**
 * Roles are cached: only statements for data are counted. The minimum of three runs, because the gateway also sends
 * background statements, such as the use of a token.
 */
async function statementsOf(person: Person, query: string): Promise<string[]> {
  await send(person, query);
  await send(person, query);
  const tries: string[][] = [];
  while (tries.length < 3) tries.push(await watch.during(() => send(person, query)));
  return tries.toSorted((one, other) => one.length - other.length)[0] as string[];
}

test('a node is read by one statement of what is selected of its type', async () => {
  const { viewer } = await send(
    large,
    '{ viewer { organizations(first: 1) { nodes { organization { id incidents(first: 1) { nodes { id } } } } } } }',
  );
  const { id, incidents } = viewer.organizations.nodes[0].organization;
  const ids = JSON.stringify([id, incidents.nodes[0].id]);
  const texts = await statementsOf(
    large,
    `{ nodes(ids: ${ids}) { id ... on Organization { name logo } ... on Incident { name: title } ... on User { email } } }`,
  );
  expect(texts).toHaveLength(2);
  const [ofIncident, ofOrganization] = texts.toSorted((one, other) => one.indexOf('logo') - other.indexOf('logo'));
  expect(ofOrganization).toContain('name');
  expect(ofOrganization).not.toContain('title');
  expect(ofIncident).toContain('title');
  expect(ofIncident).not.toContain('logo');
});

test('nested lists of four organizations take the same statements as those of one', async () => {
  const branding = (texts: string[]) => texts.filter((text) => !text.includes('custom_colors'));
  const one = branding(await statementsOf(small, WHOLE));
  const many = branding(await statementsOf(large, WHOLE));
  const data = await send(large, WHOLE);
  // No list may be empty: otherwise nothing was measured.
  expect(data.viewer.organizations.nodes).toHaveLength(4);
  for (const { organization } of data.viewer.organizations.nodes) {
    for (const lists of [
      'workflows',
      'documentVersions',
      'incidents',
      'cloudDefenders',
      'threatBlockers',
      'invitations',
      'workflowImports',
      'weeklyReportDeliveries',
    ]) {
      expect([lists, organization[lists].nodes.length]).toEqual([lists, 3]);
    }
    expect(organization.incidents.nodes[2].reports.nodes).toHaveLength(1);
    expect(organization.users.nodes).toHaveLength(4);
    expect(organization.apiTokens.nodes).toHaveLength(4);
    expect(organization.incidents.nodes[2].attachments.nodes).toHaveLength(3);
    expect(organization.threatBlockers.nodes[2].check.chartStat).toHaveLength(1);
  }
  expect(many.length).toBe(one.length);
});

test('the branding of many organizations takes one statement', async () => {
  const query = '{ viewer { organizations(first: 5) { nodes { organization { branding { palette } } } } } }';
  expect(await statementsOf(large, query)).toHaveLength((await statementsOf(small, query)).length);
});

test.each([
  ['users { nodes { id: databaseId } }', 1],
  ['workflows(first: 3) { nodes { progress { done } controls(first: 2) { nodes { status } } } }', 3],
  ['documentVersions { nodes { organization { name } } }', 1],
  ['incidents(first: 3) { nodes { attachments { nodes { id: databaseId } } } }', 2],
  ['cloudDefenders(first: 3) { nodes { check { stat { proxy } webStat { datetime } } } }', 2],
  ['cloudDefenders(first: 3) { nodes { check { status } } }', 1],
  ['invitations(first: 3) { nodes { email viewerCan { resend } } }', 1],
  ['apiTokens(first: 3) { nodes { name blockedAt } }', 1],
  ['workflowImports(first: 3) { nodes { name } }', 1],
  ['weeklyReportDeliveries(first: 3) { nodes { status } }', 1],
  ['incidents(first: 3) { nodes { reports { nodes { stage } } } }', 2],
  ['incidents(first: 3) { nodes { notes { nodes { text } } } }', 2],
  ['incidents(first: 3) { nodes { timeline { nodes { at kind actor { username } } } } }', 2],
  ['incidents(first: 3) { nodes { timeline { nodes { note { text } report { stage } attachment { size } } } } }', 5],
  [
    'incidents(first: 3) { nodes { viewerCan { close } organization { viewerPrivileges viewerCan { update restore } } } }',
    1,
  ],
  ['incidents(first: 3) { nodes { attachments { nodes { viewerCan { delete } } } } }', 2],
  ['cloudDefenders(first: 3) { nodes { viewerCan { update restore } } }', 1],
  ['documentVersions(first: 3) { nodes { viewerCan { update delete } } }', 1],
  [
    'workflows(first: 3) { nodes { viewerCan { dissociate } controls(first: 2) { nodes { viewerCan { update } } } } }',
    2,
  ],
  ['workflowImports(first: 3) { nodes { viewerCan { delete } } }', 1],
  ['apiTokens(first: 3) { nodes { viewerCan { block } } }', 1],
  ['viewerPrivileges', 0],
  ['viewerCan { update delete restore openIncidents }', 0],
  ['viewerCan { leave }', 1],
  ['viewerCan { leave transferOwnership }', 1],
])('{ %s } takes %i statements below the organizations', async (fields, count) => {
  const query = `{ viewer { organizations(first: 5) { nodes { organization { ${fields} } } } } }`;
  expect(await statementsOf(large, query)).toHaveLength(1 + count);
});

test('the organizations of what was found are read with it, however many there are', async () => {
  const query =
    '{ search(query: "Phishing", first: 20) { nodes { organization { name viewerCan { leave } branding { palette } } } } }';
  const one = await statementsOf(small, query);
  const { search } = await send(large, query);
  expect(search.nodes).toHaveLength(12);
  expect(await statementsOf(large, query)).toHaveLength(one.length);
});

test.each([
  ['that there is when its token is used first is read with it', false, '0,0'],
  ['that began later is read once for a request, and never again', true, '1,0'],
])('a role %s', async (_title, isLater, expected) => {
  const roles = (texts: string[]) =>
    texts.filter((text) => text.includes('select "m"."role", "o"."query_token_allowed"') && !text.includes('api_token'))
      .length;
  const readsOfMember = async () => {
    const person = await buildPerson(gateway.app.database, 'fresh');
    if (isLater) await send(person, '{ formOptions { revision } }');
    const id = await seedOrganization(person, 1);
    const query = `{ organization(id: ${id}) { users { nodes { id: databaseId } } incidents { nodes { id: databaseId } } documentVersions { nodes { id: databaseId } } } }`;
    const first = await watch.during(() => send(person, query));
    return [roles(first), roles(await watch.during(() => send(person, query)))].join();
  };
  // If the machine is too busy for a second, NOTIFY messages are late, and the cache is not used.
  let reads = await readsOfMember();
  for (let more = 4; more > 0 && reads !== expected; more -= 1) reads = await readsOfMember();
  expect(reads).toBe(expected);
});

test('which tokens may be rotated is decided by one statement, and by none when it is not selected', async () => {
  const ofTokens = (permission: string) => `{ apiTokens(first: 20) { nodes { viewerCan { ${permission} } } } }`;
  expect(await statementsOf(large, ofTokens('revoke'))).toHaveLength(1);
  expect(await statementsOf(large, ofTokens('revoke rotate'))).toHaveLength(2);
});

test('an organization is created with its owner and its entry by one statement', async () => {
  const texts = await statementsOf(
    small,
    'mutation { createOrganization(input: { name: "One statement" }) { organization { name sectors createdAt } } }',
  );
  expect(texts).toEqual([expect.stringContaining('insert into "audit_entry"')]);
});

test('what is not selected is not read', async () => {
  const [text] = await statementsOf(small, '{ notifications { nodes { title } } }');
  expect(text).toContain('"n"."title"');
  expect(text).not.toContain('"n"."message"');
  expect(text).not.toContain('"o"."name"');
});

test('a warm request costs no statement for its token, and a wrong token none at all', async () => {
  expect(await statementsOf(small, '{ formOptions { revision } }')).toEqual([]);
  const refused = ['nonsense', `scp_${'0'.repeat(36)}`, `${small.token.slice(0, -1)}?`];
  const texts = await watch.during(async () => {
    for (const token of refused) await gateway.graphql.call('{ formOptions { revision } }', { token });
  });
  expect(texts).toEqual([]);
});
