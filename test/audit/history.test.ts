import { beforeAll, expect, test } from '@jest/globals';
import type { AuditSubject } from '../../src/services/audit/record.js';
import type { AuditSubjectType } from '../../src/values/audit.js';
import { buildAuditEntry } from '../support/audit.js';
import { seedOrganization, type SeededOrganization } from '../support/seeded-organization.js';
import { buildIncident } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const WORKFLOW = 'nis2-directive';
const CONTROL = '21.2.a';
const HISTORY = 'history { totalCount nodes { position subject { type databaseId } } }';

let has: SeededOrganization;

const { gateway, testData, watch } = await startWatchedGateway();

beforeAll(async () => {
  has = await seedOrganization(gateway.app.database, testData.organizationId, testData.owner);
});

const note = (type: AuditSubjectType, id: number | string, parent?: AuditSubject['parent']) =>
  buildAuditEntry(gateway.app.database, testData.organizationId, {
    subject: { type, id, name: 'x', ...(parent && { parent }) },
  });

/** For each type with a history: the id of its node, and the subject of its entries. */
const OBJECTS: Record<string, () => [node: string | number, type: AuditSubjectType, id: string | number]> = {
  Incident: () => [has.incidentId, 'INCIDENT', has.incidentId],
  DocumentVersion: () => [has.documentVersionId, 'DOCUMENT_VERSION', has.documentVersionId],
  OrganizationControl: () => [
    ...([`${testData.organizationId}/${WORKFLOW}/${CONTROL}`, 'CONTROL', `${WORKFLOW}/${CONTROL}`] as const),
  ],
  OrganizationUser: () => [`${testData.organizationId}/${has.memberId}`, 'MEMBER', has.memberId],
  ServiceAccount: () => [has.serviceAccountId, 'SERVICE_ACCOUNT', has.serviceAccountId],
  OrganizationApiToken: () => [`${testData.organizationId}/${has.tokenId}`, 'TOKEN', has.tokenId],
  CloudDefender: () => [has.cloudDefenderId, 'CLOUD_DEFENDER', has.cloudDefenderId],
  ThreatBlocker: () => [has.threatBlockerId, 'THREAT_BLOCKER', has.threatBlockerId],
};

async function historyOf(type: string, token: string) {
  const [node] = OBJECTS[type]!();
  const query = `{ node(id: "${type}:${node}") { ... on ${type} { ${HISTORY} } } }`;
  return (await gateway.graphql.call(query, { token })).body;
}

test.each(Object.keys(OBJECTS))('the history of a %s has what is about it, newest first', async (type) => {
  const [, subject, id] = OBJECTS[type]!();
  await note(subject, 2_000_000_000);
  await note(subject, id);
  await note(subject, id);
  const { history } = (await historyOf(type, testData.owner.token)).data.node;
  const [newest, older] = history.nodes;
  expect(history.totalCount).toBe(2);
  expect(newest).toEqual({ position: older.position + 1, subject: { type: subject, databaseId: String(id) } });
});

test('the table has every type with a history, and no other', () => {
  const types = Object.values(gateway.app.executor.schema.getTypeMap());
  const withHistory = types.filter(
    (type) => 'getFields' in type && 'getInterfaces' in type && 'history' in type.getFields(),
  );
  const names = withHistory.map(({ name }) => name).filter((name) => name !== 'Device');
  expect(names.toSorted()).toEqual(Object.keys(OBJECTS).toSorted());
});

test('the history of an incident has what belongs to it as well', async () => {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  await note('INCIDENT', id);
  await note('INCIDENT_ATTACHMENT', 7, { type: 'INCIDENT', id });
  await note('INCIDENT_ATTACHMENT', 8, { type: 'INCIDENT', id: 2_000_000_000 });
  const query = `{ incident(organizationId: ${testData.organizationId}, id: ${id}) { ${HISTORY} } }`;
  const { history } = (await gateway.graphql.call(query, testData.officer)).body.data.incident;
  expect(history.nodes.map(({ subject }: { subject: object }) => subject)).toEqual([
    { type: 'INCIDENT_ATTACHMENT', databaseId: '7' },
    { type: 'INCIDENT', databaseId: String(id) },
  ]);
});

test('a history below SECURITY_OFFICER is null with an error, and the object is there', async () => {
  const query = `{ incident(organizationId: ${testData.organizationId}, id: ${has.incidentId}) { title ${HISTORY} } }`;
  const { body } = await gateway.graphql.call(query, testData.analyst);
  expect(body.data.incident).toEqual({ title: 'Phishing wave', history: null });
  expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
});

test('the trail of another organization adds nothing to a history', async () => {
  const { database } = gateway.app;
  const id = await buildIncident(database, testData.organizationId);
  const subject = { type: 'INCIDENT', id, name: 'x' } as const;
  await buildAuditEntry(database, testData.otherOrganizationId, { subject });
  const query = `{ incident(organizationId: ${testData.organizationId}, id: ${id}) { ${HISTORY} } }`;
  const { body } = await gateway.graphql.call(query, testData.officer);
  expect(body.data.incident.history).toEqual({ totalCount: 0, nodes: [] });
});

test('histories of a whole list are read with as many statements as one', async () => {
  const statements = async (first: number) => {
    const query = `{ organization(id: ${testData.organizationId}) { incidents(first: ${first}) { nodes {
      history(first: 2) { nodes { position subject { name } } } } } } }`;
    const texts = await watch.during(async () => {
      const { body } = await gateway.graphql.call(query, testData.officer);
      expect(body.errors).toBeUndefined();
    });
    return texts.filter((text) => text.startsWith('select') && text.includes('audit_entry')).length;
  };
  await note('INCIDENT', has.incidentId);
  expect(await statements(1)).toBe(1);
  expect(await statements(3)).toBe(1);
});

test('a history is paged by cursors', async () => {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  for (let number = 0; number < 3; number += 1) await note('INCIDENT', id);
  const page = async (args: string) => {
    const query = `{ incident(organizationId: ${testData.organizationId}, id: ${id}) {
      history(${args}) { nodes { position } pageInfo { endCursor hasNextPage } } } }`;
    return (await gateway.graphql.call(query, testData.officer)).body.data.incident.history;
  };
  const first = await page('first: 2');
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
  expect([first.nodes.length, second.nodes.length, second.pageInfo.hasNextPage]).toEqual([2, 1, false]);
  expect(second.nodes[0].position).toBeLessThan(first.nodes[1].position);
});
