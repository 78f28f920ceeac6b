import { beforeEach, expect, test } from '@jest/globals';
import { multipart } from '../support/rest.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData } from '../support/matchers.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';

/** Times of events are those of the gateway's clock, never of the database's. */
const clock = new TestClock();

let days = 0;
const { gateway, testData } = await startSeededGateway({ now: clock.now });
await buildWorkflow(gateway.app.database, testData.organizationId);
const incident = await buildIncident(gateway.app.database, testData.organizationId);
beforeEach(() => clock.set((days += 5) * 24, days));

const isNow = () => clock.now().toISOString();
const inGraphQL = (query: string, token: string, variables: object = {}) =>
  gateway.graphql.data(query, { token, variables });

test('an organization, and its owner in it, are as old as the clock says', async () => {
  const { token } = testData.userWithoutOrganization;
  const made = expectData(await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Of today' } }), 201);
  expect([made.created_at, made.updated_at]).toEqual([isNow(), isNow()]);
  const read = `query ($id: ID!) { organization(id: $id) { createdAt updatedAt users { nodes { joinedAt } } } }`;
  const { organization } = await inGraphQL(read, token, { id: made.id });
  expect(organization).toEqual({ createdAt: isNow(), updatedAt: isNow(), users: { nodes: [{ joinedAt: isNow() }] } });

  const create = `mutation { createOrganization(input: { name: "Of today, too" }) { organization { id: databaseId createdAt } } }`;
  const { organization: other } = (await inGraphQL(create, token)).createOrganization;
  expect(other.createdAt).toBe(isNow());
  expect(expectData(await gateway.rest.get(`/api/v1/organizations/${other.id}`, { token })).created_at).toBe(isNow());
});

test('a document and its notification are as old as the clock says', async () => {
  const { token } = testData.analyst;
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/documents/A.5.1/versions`;
  const body = { filename: 'a.txt', content: Buffer.from('today').toString('base64'), content_type: 'text/plain' };
  const version = expectData(await gateway.rest.post(path, { token, body }), 201);
  expect(version.created_at).toBe(isNow());
  const read = `query ($id: ID!) { documentVersion(id: $id) { createdAt } }`;
  expect((await inGraphQL(read, token, { id: version.id })).documentVersion.createdAt).toBe(isNow());
  await expectNotified('New document version');
});

test('a file of an incident and its notification are as old as the clock says', async () => {
  const { token } = testData.analyst;
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`;
  const form = multipart([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'today' }]);
  const file = expectData(await gateway.rest.post(path, { token, ...form }), 201);
  expect(file.created_at).toBe(isNow());
  const read = `query ($id: ID!) { incidentAttachment(id: $id) { createdAt } }`;
  expect((await inGraphQL(read, token, { id: file.id })).incidentAttachment.createdAt).toBe(isNow());
  await expectNotified('File attached');
});

/** The newest notification of a member, through both APIs. */
async function expectNotified(title: string): Promise<void> {
  const { token } = testData.viewer;
  const [shown] = expectData(await gateway.rest.get('/api/v1/notifications?limit=1', { token })) as object[];
  expect(shown).toMatchObject({ title, datetime: isNow() });
  const { notifications } = await inGraphQL(`{ notifications(first: 1) { nodes { title datetime } } }`, token);
  expect(notifications.nodes).toEqual([{ title, datetime: isNow() }]);
}
