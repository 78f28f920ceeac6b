import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { buildAuditEntry } from '../support/audit.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { withStory } from '../support/matchers.js';
import { buildCloudDefender, buildNotifications, join } from '../support/test-data.js';

/** Part of every text of the other organization, to detect leaks. */
const SECRET = 'Otherworld';

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  const { database } = gateway.app;
  const { organizationId, otherOrganizationId, owner, nonMember } = testData;
  await seedOrganization(database, organizationId, owner);
  await seedOrganization(database, otherOrganizationId, nonMember);
  await buildAuditEntry(database, organizationId);
  const subject = { type: 'INCIDENT', id: 1, name: `${SECRET} audit_entry` } as const;
  await buildAuditEntry(database, otherOrganizationId, { subject });
  for (const [table, column, key] of [
    ['organization', 'name', 'id'],
    ['incident', 'title', 'organization_id'],
    ['cloud_defender', 'fqdn', 'organization_id'],
    ['threat_blocker', 'device_id', 'organization_id'],
    ['document_version', 'original_name', 'organization_id'],
    ['notification', 'title', 'organization_id'],
    ['invitation', 'email', 'organization_id'],
    ['import_job', 'workflow_id', 'organization_id'],
    ['import_row', 'key', 'organization_id'],
    ['weekly_report', 'email', 'organization_id'],
    ['webhook_endpoint', 'description', 'organization_id'],
    ['webhook_delivery', 'error', 'organization_id'],
  ]) {
    await database.rows(`update ${table} set ${column} = '${SECRET} ${table}' where ${key} = $1`, [
      otherOrganizationId,
    ]);
  }
  await database.rows(
    `update workflow_import set content = content || '{"name": "${SECRET} workflow_import"}' where organization_id = $1`,
    [otherOrganizationId],
  );
  await database.rows(`update api_token set name = '${SECRET} api_token' where user_id = $1`, [nonMember.id]);
  for (const [table, column] of [
    ['incident_attachment', 'original_name'],
    ['incident_report', 'recorded_by'],
    ['incident_note', 'created_by'],
  ]) {
    await database.rows(
      `update ${table} set ${column} = '${SECRET} ${table}' where incident_id in (select id from incident where organization_id = $1)`,
      [otherOrganizationId],
    );
  }
});

/** For a list its items; for another object its fields. Otherwise, each text. */
const SELECTED: Readonly<Record<string, string>> = {
  users: 'username',
  workflows: 'id: databaseId controls(first: 1) { nodes { id: databaseId } }',
  documentVersions: 'filename organization { id: databaseId name }',
  incidents: `title organization { id: databaseId name } attachments(first: 2) { nodes { filename } }
    reports(first: 2) { nodes { recordedBy { username } } } notes(first: 2) { nodes { createdBy { username } } }`,
  cloudDefenders: 'fqdn organization { id: databaseId name }',
  threatBlockers: 'deviceId organization { id: databaseId name }',
  engagements: 'name controls(first: 1) { nodes { label } }',
  importJobs: 'workflowId rows(first: 1) { nodes { key } }',
  serviceAccounts: 'name tokens(first: 1) { nodes { name } }',
  webhookEndpoints: 'description deliveries(first: 2) { nodes { error } }',
  auditTrail: 'subject { name }',
  auditTrailVerification: 'checkpoints',
  changes: 'subject { name }',
  branding: 'palette',
  alerts: 'atb',
  mailPreferences: 'incident',
};
/** Filters of entries: only those of incidents. */
const FILTERS: Readonly<Record<string, string>> = {
  auditTrail: ', filter: { action: INCIDENT_OPENED }',
  changes: ', filter: { action: INCIDENT_OPENED }',
};

/** Every field of an organization that is not scalar. */
const OWN = ['asOf', 'complianceFrameworks', 'contacts', 'viewerCan'];
const PARTS = fieldsOf('Organization').filter(
  ({ name, type }) => isObjectType(getNamedType(type)) && !OWN.includes(name),
);
const isList = ({ type }: Part) => getNamedType(type).name.endsWith('Connection');
type Part = GraphQLField<unknown, unknown>;

function fieldsOf(type: string): Part[] {
  return Object.values((gateway.app.executor.schema.getType(type) as GraphQLObjectType).getFields());
}

function textsOf({ type }: Part): string {
  const texts = fieldsOf(getNamedType(type).name.replace(/Connection$/, '')).filter(
    ({ type: of, args }) => ['ID', 'String'].includes(getNamedType(of).name) && args.length === 0,
  );
  return texts.map(({ name }) => name).join(' ');
}

/** All of them, each with the path back to the organization. */
const BELOW = [
  'id: databaseId name',
  ...PARTS.map((part) => {
    const { name } = part;
    const selected = SELECTED[name] ?? textsOf(part);
    return isList(part)
      ? `${name}(first: 2${FILTERS[name] ?? ''}) { nodes { ${selected} } }`
      : `${name} { ${selected} }`;
  }),
].join(' ');

/** Each of them with a value, for readers without permission. */
const FIELDS = PARTS.map((part) =>
  isList(part) ? `${part.name}(first: 1) { totalCount }` : `${part.name} { ${SELECTED[part.name] ?? textsOf(part)} }`,
);

test('no list of an organization is empty, so that each shows what it would let through', async () => {
  const query = `query ($id: ID!) { organization(id: $id) { ${BELOW} } }`;
  const { owner, nonMember, organizationId, otherOrganizationId } = testData;
  for (const [id, { token }] of [
    [organizationId, owner],
    [otherOrganizationId, nonMember],
  ] as const) {
    const { body } = await gateway.graphql.call(query, { token, variables: { id } });
    const empty = PARTS.filter((part) => isList(part) && body.data.organization[part.name].nodes.length === 0);
    expect(empty.map(({ name }) => name)).toEqual([]);
  }
});

describe("no path from what is the caller's own", () => {
  test.each([
    ['viewer', `{ viewer { organizations(first: 2) { nodes { organization { ${BELOW} } } } } }`],
    ['notifications', `{ notifications(first: 2) { nodes { title organization { ${BELOW} } } } }`],
  ])('%s leads into another organization', async (_name, query) => {
    const own = await gateway.graphql.call(query, { token: testData.owner.token });
    withStory(own, () => {
      expect(own.body.errors).toBeUndefined();
      expect(own.text).toContain('First Organization');
      expect(own.text).toContain('Phishing wave');
      expect(own.text).not.toContain(SECRET);
    });
    const theirs = await gateway.graphql.call(query, { token: testData.nonMember.token });
    withStory(theirs, () => {
      expect(theirs.body.errors).toBeUndefined();
      expect(theirs.text).not.toContain('First Organization');
      // All values exist: an empty response would prove nothing.
      for (const what of [
        'organization',
        'incident',
        'incident_attachment',
        'incident_report',
        'incident_note',
        'invitation',
        'weekly_report',
        'workflow_import',
        'api_token',
        'cloud_defender',
        'threat_blocker',
        'document_version',
        'audit_entry',
      ])
        expect(theirs.text).toContain(`"${SECRET} ${what}"`);
    });
  });
});

describe('the way up from a record and down again', () => {
  test.each(['viewer', 'analyst', 'officer', 'manager'] as const)(
    'gives %s what asking the organization itself would give, and no more',
    async (role) => {
      const { database } = gateway.app;
      const { token } = testData[role];
      await buildNotifications(database, testData[role], testData.organizationId, 1);
      const ids = { organization: testData.organizationId };
      const straight = await gateway.graphql.call(
        `query ($organization: ID!) { organization(id: $organization) { ${BELOW} } }`,
        {
          token,
          variables: ids,
        },
      );
      const around = await gateway.graphql.call(`{ notifications(first: 1) { nodes { organization { ${BELOW} } } } }`, {
        token,
      });
      expect(around.body.data.notifications.nodes[0].organization).toEqual(straight.body.data.organization);
      const codes = (answer: typeof straight) =>
        answer.body.errors?.map(({ path, extensions }) => [path?.at(-1), extensions.code]).toSorted();
      expect(codes(around)).toEqual(codes(straight));
    },
  );
});

describe('a role in one organization', () => {
  test('counts in no other one', async () => {
    const { database } = gateway.app;
    // The non-member owns the other organization, and becomes a viewer of the first one.
    await join(database, testData.nonMember, testData.organizationId, 'VIEWER');
    const answer = await gateway.graphql.call(
      `{ viewer { organizations(first: 2) { nodes { role organization { id: databaseId users(first: 1) { totalCount } cloudDefenders(first: 1) { totalCount } } } } } }`,
      { token: testData.nonMember.token },
    );
    const { organizationId, otherOrganizationId } = testData;
    const shown = new Map(
      answer.body.data.viewer.organizations.nodes.map((node: { organization: { id: number } }) => [
        node.organization.id,
        node,
      ]),
    );
    withStory(answer, () => {
      expect(shown.get(organizationId)).toEqual({
        role: 'VIEWER',
        organization: { id: organizationId, users: null, cloudDefenders: null },
      });
      expect(shown.get(otherOrganizationId)).toMatchObject({
        role: 'ORGANIZATION_OWNER',
        organization: { users: { totalCount: 2 }, cloudDefenders: { totalCount: 1 } },
      });
      expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    });
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [
      testData.nonMember.id,
      organizationId,
    ]);
  });
});

describe('a token that may only write', () => {
  test.each(FIELDS)('reads nothing through the answer to a write: { %s }', async (field) => {
    const id = await buildCloudDefender(gateway.app.database, testData.organizationId);
    const answer = await gateway.graphql.call(
      `mutation ($id: ID!) { deleteCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { organization { ${field} } } } }`,
      { token: testData.tokens.writeOnly, variables: { id } },
    );
    withStory(answer, () =>
      expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] }),
    );
  });
});
