import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import {
  buildCloudDefender,
  buildIncident,
  buildNotifications,
  buildThreatBlocker,
  buildWorkflow,
  buildWorld,
  join,
  type World,
} from '../support/world.js';

/** Stands in every text of the other organization: who sees it has seen too much. */
const SECRET = 'Otherworld';

let gateway: TestGateway;
let world: World;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  world = await buildWorld(database);
  const { organizationId, otherOrganizationId, owner, stranger } = world;
  for (const id of [organizationId, otherOrganizationId]) {
    await buildWorkflow(database, id, 'nis2-directive');
    await buildIncident(database, id);
    await buildCloudDefender(database, id);
    await buildThreatBlocker(database, id);
    await database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
       values ($1, 'nis2-directive', '21.2.a', 'd', 1, 'text/plain', 'attached', 'none', 'owner')`,
      [id],
    );
    await database.rows(
      `insert into incident_attachment (incident_id, original_name, content_type, size, sha256, created_by)
       select id, 'a', 'text/plain', 1, 'none', 'owner' from incident where organization_id = $1`,
      [id],
    );
  }
  await buildNotifications(database, owner, organizationId, 2);
  await buildNotifications(database, stranger, otherOrganizationId, 2);
  for (const [table, column, key] of [
    ['organization', 'name', 'id'],
    ['incident', 'title', 'organization_id'],
    ['cloud_defender', 'fqdn', 'organization_id'],
    ['threat_blocker', 'device_id', 'organization_id'],
    ['document_version', 'original_name', 'organization_id'],
    ['notification', 'title', 'organization_id'],
  ]) {
    await database.rows(`update ${table} set ${column} = '${SECRET} ${table}' where ${key} = $1`, [
      otherOrganizationId,
    ]);
  }
  await database.rows(
    `update incident_attachment set original_name = '${SECRET} attachment' where incident_id in (select id from incident where organization_id = $1)`,
    [otherOrganizationId],
  );
});

afterAll(() => gateway?.close());

/** All lists below an organization, each with the way back up. */
const BELOW = `id name
  users(first: 2) { nodes { username } }
  workflows(first: 2) { nodes { id controls(first: 1) { nodes { id } } } }
  documentVersions(first: 2) { nodes { originalName organization { id name } } }
  incidents(first: 2) { nodes { title organization { id name } attachments(first: 2) { nodes { originalName } } } }
  cloudDefenders(first: 2) { nodes { fqdn organization { id name } } }
  threatBlockers(first: 2) { nodes { deviceId organization { id name } } }`;

describe("no path from what is the caller's own", () => {
  test.each([
    ['viewer', `{ viewer { organizations(first: 2) { nodes { organization { ${BELOW} } } } } }`],
    ['notifications', `{ notifications(first: 2) { nodes { title organization { ${BELOW} } } } }`],
  ])('%s leads into another organization', async (_name, query) => {
    const own = await gateway.graphql.call(query, { token: world.owner.token });
    withStory(own, () => {
      expect(own.body.errors).toBeUndefined();
      expect(own.text).toContain('First Organization');
      expect(own.text).toContain('Phishing wave');
      expect(own.text).not.toContain(SECRET);
    });
    const theirs = await gateway.graphql.call(query, { token: world.stranger.token });
    withStory(theirs, () => {
      expect(theirs.body.errors).toBeUndefined();
      expect(theirs.text).not.toContain('First Organization');
      // The whole of it is there: an empty answer would prove nothing.
      for (const what of [
        'organization',
        'incident',
        'attachment',
        'cloud_defender',
        'threat_blocker',
        'document_version',
      ])
        expect(theirs.text).toContain(`${SECRET} ${what}`);
    });
  });
});

describe('the way up from a record and down again', () => {
  test.each(['viewer', 'analyst', 'officer', 'manager'] as const)(
    'gives %s what asking the organization itself would give, and no more',
    async (role) => {
      const { database } = gateway.app;
      const { token } = world[role];
      await buildNotifications(database, world[role], world.organizationId, 1);
      const ids = { organization: world.organizationId };
      const straight = await gateway.graphql.call(
        `query ($organization: Int!) { organization(id: $organization) { ${BELOW} } }`,
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
    // The stranger owns the other organization and merely looks into the first one.
    await join(database, world.stranger, world.organizationId, 'VIEWER');
    const answer = await gateway.graphql.call(
      `{ viewer { organizations(first: 2) { nodes { role organization { id users(first: 1) { totalCount } cloudDefenders(first: 1) { totalCount } } } } } }`,
      { token: world.stranger.token },
    );
    const { organizationId, otherOrganizationId } = world;
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
        organization: { users: { totalCount: 1 }, cloudDefenders: { totalCount: 1 } },
      });
      expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    });
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [
      world.stranger.id,
      organizationId,
    ]);
  });
});

describe('a token that may only write', () => {
  test.each([
    ['users(first: 1) { totalCount }'],
    ['incidents(first: 1) { totalCount }'],
    ['documentVersions(first: 1) { totalCount }'],
    ['cloudDefenders(first: 1) { totalCount }'],
    ['threatBlockers(first: 1) { totalCount }'],
    ['workflows(first: 1) { totalCount }'],
    ['branding { palette }'],
  ])('reads nothing through the answer to a write: { %s }', async (field) => {
    const id = await buildCloudDefender(gateway.app.database, world.organizationId);
    const answer = await gateway.graphql.call(
      `mutation ($id: Int!) { deleteCloudDefender(input: { id: $id }) { cloudDefender { organization { ${field} } } } }`,
      { token: world.tokens.writeOnly, variables: { id } },
    );
    withStory(answer, () =>
      expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] }),
    );
  });
});
