import { expect, test } from '@jest/globals';
import { buildEngagement } from '../support/people.js';
import { settled } from '../support/settled.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { buildPerson, buildWorkflow, join, type Person } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const { gateway, testData, watch } = await startWatchedGateway();
const { database } = gateway.app;
const { organizationId, otherOrganizationId, owner, officer, viewer, nonMember } = testData;
const WORKFLOW = 'nis2-directive';
const seeded = await seedOrganization(database, organizationId, owner);
await seedOrganization(database, otherOrganizationId, nonMember);
await database.rows('update incident_report set attachment_id = $1 where incident_id = $2', [
  seeded.attachmentId,
  seeded.incidentId,
]);
await setOwner('21.2.a', officer);

async function setOwner(controlId: string, { id }: Pick<Person, 'id'>): Promise<void> {
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, updated_at)
     values ($1, $2, $3, 'IN_PROGRESS', $4, now())
     on conflict (organization_id, workflow_id, control_id) do update set owner_id = excluded.owner_id, status = excluded.status`,
    [organizationId, WORKFLOW, controlId, id],
  );
}

function addDocument(controlId: string, name: string, workflowId = WORKFLOW): Promise<unknown> {
  return database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, $2, $3, $4, 1, 'text/plain', 'attached', md5($4), 'owner')`,
    [organizationId, workflowId, controlId, name],
  );
}

const read = async (below: string, { token }: Pick<Person, 'token'> = owner) =>
  (await gateway.graphql.call(`{ organization(id: ${organizationId}) { ${below} } }`, { token })).body;
const control = (controlId: string) => `OrganizationControl:${organizationId}/${WORKFLOW}/${controlId}`;
const associated = `OrganizationWorkflow:${organizationId}/${WORKFLOW}`;

test('a report of an incident has the file that is its copy, in its history and in the clock', async () => {
  const copy = { id: `IncidentAttachment:${seeded.attachmentId}`, filename: 'a' };
  const { data } = await read(`incidents { nodes {
    reports { nodes { attachmentId attachment { id filename } } }
    clock { stages { state attachment { id filename } } } } }`);
  const [incident] = data.organization.incidents.nodes;
  expect(incident.reports.nodes).toEqual([{ attachmentId: seeded.attachmentId, attachment: copy }]);
  const stages: { state: string; attachment: unknown }[] = incident.clock.stages;
  expect(stages.map(({ state, attachment }) => [state === 'SENT', attachment])).toContainEqual([true, copy]);
  expect(stages.filter(({ state }) => state !== 'SENT').map(({ attachment }) => attachment)).toContain(null);
});

test('a document version has its workflow and its control, which are null while the workflow is not associated', async () => {
  await addDocument('A.5.1', 'kept', 'iso-27001-2022');
  const { data } = await read(
    'documentVersions { nodes { filename workflow { id name } control { id status owner { member { id } } } } }',
    officer,
  );
  expect(data.organization.documentVersions.nodes).toEqual([
    { filename: 'kept', workflow: null, control: null },
    {
      filename: 'd',
      workflow: { id: associated, name: expect.any(String) },
      control: {
        id: control('21.2.a'),
        status: 'IN_PROGRESS',
        owner: { member: { id: `OrganizationUser:${organizationId}/${officer.id}` } },
      },
    },
  ]);
});

test('a control has its workflow, the heading above and its own document versions, a page of them in any order', async () => {
  await addDocument('21.2.a', 'b');
  await addDocument('21.2.a', 'c');
  await addDocument('21.2.b', 'of another control');
  const below = `workflows(first: 1) { nodes { controls { nodes { controlId workflow { id } parentId parent { controlId }
    documentVersions(first: 2, orderBy: { field: FILENAME }) { totalCount pageInfo { hasNextPage endCursor } nodes { filename } } } } } }`;
  const { data } = await read(below, viewer);
  const controls = data.organization.workflows.nodes[0].controls.nodes;
  for (const { workflow, parentId, parent } of controls)
    expect([workflow.id, parent?.controlId ?? null]).toEqual([associated, parentId]);
  expect(controls.some(({ parentId }: { parentId: string | null }) => parentId !== null)).toBe(true);
  const documented = controls.filter(({ documentVersions }: Documented) => documentVersions.totalCount > 0);
  const names = documented.map(({ controlId, documentVersions: { totalCount, pageInfo, nodes } }: Documented) => [
    ...[controlId, totalCount, pageInfo.hasNextPage],
    ...nodes.map(({ filename }) => filename),
  ]);
  expect(names).toEqual([
    ['21.2.a', 3, true, 'b', 'c'],
    ['21.2.b', 1, false, 'of another control'],
  ]);
  const { endCursor } = documented[0].documentVersions.pageInfo;
  const rest = await gateway.graphql.data(
    `{ node(id: "${control('21.2.a')}") { ... on OrganizationControl {
      documentVersions(after: "${endCursor}", orderBy: { field: FILENAME }) { nodes { filename } } } } }`,
    viewer,
  );
  expect(rest.node.documentVersions.nodes).toEqual([{ filename: 'd' }]);
});

interface Documented {
  controlId: string;
  documentVersions: { totalCount: number; pageInfo: { hasNextPage: boolean }; nodes: { filename: string }[] };
}

test('a member is behind a token and behind the owner of a control, for those who may list members', async () => {
  const { data } = await read(
    'users { nodes { userId } } apiTokens(first: 100) { nodes { userId member { userId } } }',
  );
  const members: { userId: string }[] = data.organization.users.nodes;
  const tokens: { userId: string; member: { userId: string } | null }[] = data.organization.apiTokens.nodes;
  const ofMembers = tokens.filter(({ member }) => member !== null);
  expect(ofMembers.length).toBeGreaterThan(1);
  for (const { userId, member } of ofMembers) expect(member).toEqual({ userId });
  const ofServiceAccounts = tokens.filter(({ userId }) => members.every((each) => each.userId !== userId));
  expect(ofServiceAccounts).toEqual([{ userId: expect.any(String), member: null }]);
  const below = 'workflows(first: 1) { nodes { controls { nodes { owner { username member { id } } } } } }';
  const { data: seen, errors } = await read(below, viewer);
  const owners = seen.organization.workflows.nodes[0].controls.nodes.flatMap(
    ({ owner: one }: { owner: unknown }) => one ?? [],
  );
  expect(owners).toEqual([{ username: officer.username, member: null }]);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
});

test('a member has its user for itself, and for no other', async () => {
  const { data } = await read('users { nodes { userId user { id email } } }', officer);
  const members: { userId: string; user: { id: string } | null }[] = data.organization.users.nodes;
  expect(members.filter(({ user }) => user !== null)).toEqual([
    { userId: officer.id, user: { id: `User:${officer.id}`, email: expect.any(String) } },
  ]);
});

test('a token has the organizations that have blocked it, as far as its user may read them now', async () => {
  await join(database, owner, otherOrganizationId, 'VIEWER');
  await database.rows('insert into token_block (token_id, organization_id) values ($1, $2), ($1, $3)', [
    ...[seeded.tokenId, organizationId, otherOrganizationId],
  ]);
  const blocked = async () =>
    (
      await gateway.graphql.data(
        `{ apiToken(id: ${seeded.tokenId}) { blockedIn blockedInOrganizations { databaseId name } } }`,
        owner,
      )
    ).apiToken;
  const first = { databaseId: organizationId, name: 'First Organization' };
  expect(await blocked()).toEqual({
    blockedIn: [organizationId, otherOrganizationId],
    blockedInOrganizations: [first, { databaseId: otherOrganizationId, name: 'Other Organization' }],
  });
  await database.rows('delete from membership where user_id = $1 and organization_id = $2', [
    owner.id,
    otherOrganizationId,
  ]);
  expect((await blocked()).blockedInOrganizations).toEqual([first]);
});

const OBJECTS = 'workflow { id } control { id }';
const THESE = { workflow: { id: associated }, control: { id: control('21.2.a') } };
const attestation = async (fields: string) =>
  (
    await gateway.graphql.data(
      `{ node(id: "ControlAttestation:${seeded.attestationId}") { ... on ControlAttestation { ${fields} } } }`,
      viewer,
    )
  ).node;

test('an attestation has its control, and the objects that its evidence and its changes are about', async () => {
  await addDocument('21.2.a', 'later');
  const document = 'documentVersionId documentVersion { databaseId }';
  const before = await attestation(`${OBJECTS} evidence { ${document} ${OBJECTS} } changes { ${document} ${OBJECTS} }`);
  expect(before).toMatchObject(THESE);
  const [{ documentVersionId }] = before.evidence;
  expect(before.evidence).toEqual([
    { documentVersionId, documentVersion: { databaseId: documentVersionId }, ...THESE },
  ]);
  expect(before.changes.length).toBeGreaterThan(1);
  for (const { documentVersionId: id, documentVersion, ...rest } of before.changes) {
    expect(documentVersion).toEqual(id === null ? null : { databaseId: id });
    expect(rest).toEqual(THESE);
  }
  await database.rows('delete from document_version where id = $1', [documentVersionId]);
  const after = await attestation(`evidence { ${document} }`);
  expect(after.evidence).toEqual([{ documentVersionId, documentVersion: null }]);
});

test('an event has its organization, which is null once it is deleted', async () => {
  const { createOrganization } = await gateway.graphql.data(
    'mutation { createOrganization(input: { name: "Short-lived" }) { organization { databaseId } } }',
    owner,
  );
  const id: number = createOrganization.organization.databaseId;
  const events = async () => {
    await settled(database, 'events');
    return (
      await gateway.graphql.data(
        '{ events(first: 100) { nodes { organizationId organization { name } } edges { node { organization { name } } } } }',
        owner,
      )
    ).events;
  };
  const { nodes, edges } = await events();
  expect(nodes).toContainEqual({ organizationId: id, organization: { name: 'Short-lived' } });
  expect(edges).toContainEqual({ node: { organization: { name: 'Short-lived' } } });
  await gateway.graphql.data(
    `mutation { deleteOrganization(input: { organizationId: ${id} }) { organization { databaseId } } }`,
    owner,
  );
  expect((await events()).nodes).toContainEqual({ organizationId: id, organization: null });
});

test('an invitation has the engagement that it is to, and none where it is to membership', async () => {
  const [row] = await database.rows<{ id: number }>(
    `insert into invitation (organization_id, email, role, engagement_id, digest, sent_at, expires_at)
     select organization_id, 'auditor@example.org', 'AUDITOR', $2, digest || 'x', sent_at, expires_at from invitation where id = $1
     returning id`,
    [seeded.invitationId, seeded.engagementId],
  );
  const { data } = await read('invitations { nodes { databaseId engagement { id name workflowIds } } }');
  expect(data.organization.invitations.nodes).toEqual([
    {
      databaseId: row!.id,
      engagement: { id: `Engagement:${seeded.engagementId}`, name: 'Audit', workflowIds: [WORKFLOW] },
    },
    { databaseId: seeded.invitationId, engagement: null },
  ]);
});

test('an engagement has its workflows by name, for its auditors too', async () => {
  const auditor = await buildPerson(database, 'reader');
  const id = await buildEngagement(database, organizationId, { auditor });
  await database.rows("update engagement set workflows = '{nis2-directive,gone}' where id = $1", [id]);
  const scope = {
    workflows: [
      { workflowId: WORKFLOW, name: expect.any(String) },
      { workflowId: 'gone', name: null },
    ],
  };
  const { engagements } = await gateway.graphql.data(
    '{ engagements { nodes { workflowIds workflows { workflowId name } } } }',
    auditor,
  );
  expect(engagements.nodes).toEqual([{ workflowIds: [WORKFLOW, 'gone'], ...scope }]);
  await database.rows('delete from engagement where id = $1', [id]);
});

test('a row of a job has the invitation or the document version that was made of it', async () => {
  await database.rows('update import_row set record_id = $1 where import_job_id = $2', [
    seeded.invitationId,
    seeded.importJobId,
  ]);
  const rows = `importJobs { nodes { kind workflow { id } rows { nodes {
    recordId invitation { databaseId } documentVersion { filename } } } } }`;
  const row = { recordId: seeded.invitationId, invitation: null, documentVersion: null };
  const jobs = async () => (await read(rows)).data.organization.importJobs.nodes;
  const [{ id }] = (await database.rows<{ id: number }>(
    "update document_version set id = $1 where organization_id = $2 and original_name = 'b' returning id",
    [seeded.invitationId + 900, organizationId],
  )) as [{ id: number }];
  const workflow = { id: associated };
  expect(await jobs()).toEqual([{ kind: 'DOCUMENTS', workflow, rows: { nodes: [row] } }]);
  await database.rows('update import_row set record_id = $1', [id]);
  expect(await jobs()).toEqual([
    {
      ...{ kind: 'DOCUMENTS', workflow },
      rows: { nodes: [{ recordId: id, invitation: null, documentVersion: { filename: 'b' } }] },
    },
  ]);
  await database.rows("update import_job set kind = 'INVITATIONS', workflow_id = null");
  await database.rows('update import_row set record_id = $1', [seeded.invitationId]);
  expect(await jobs()).toEqual([
    {
      ...{ kind: 'INVITATIONS', workflow: null },
      rows: { nodes: [{ ...row, invitation: { databaseId: seeded.invitationId } }] },
    },
  ]);
});

test('objects behind ids take as many statements for many rows as for one', async () => {
  const query = `{ organization(id: ${organizationId}) {
    incidents(first: 3) { nodes { reports(first: 3) { nodes { attachment { filename } } } clock { stages { attachment { filename } } } } }
    documentVersions(first: 9) { nodes { workflow { name } control { status owner { member { email } } workflow { name } } } }
    workflows(first: 2) { nodes { controls(first: 9) { nodes { parent { label } documentVersions(first: 1) { totalCount nodes { filename } } } } } }
    invitations(first: 9) { nodes { engagement { name } } }
    engagements(first: 9) { nodes { workflows { name } } }
    importJobs(first: 9) { nodes { workflow { name } rows(first: 9) { nodes { invitation { email } } } } }
    apiTokens(first: 9) { nodes { member { email } } } } }`;
  // By text: the gateway also sends background statements, each of them once.
  const statements = async () => {
    const texts = await watch.during(() => gateway.graphql.data(query, owner));
    return new Map([...Map.groupBy(texts, (text) => text)].map(([text, same]) => [text, same.length]));
  };
  await statements();
  const before = await statements();
  await buildWorkflow(database, organizationId, 'iso-27001-2022');
  for (const [index, id] of ['21.2.c', '21.2.d', '21.2.e'].entries()) {
    await setOwner(id, viewer);
    await addDocument(id, `more ${index}`);
  }
  await database.rows(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_at, sent_by, recorded_by, recorded_at, attachment_id)
     select organization_id, incident_id, regime_id, 'NOTIFICATION', sent_at, sent_by, recorded_by, recorded_at, attachment_id from incident_report where incident_id = $1`,
    [seeded.incidentId],
  );
  await statements();
  const more = [...(await statements())].filter(([text, count]) => count > Math.max(1, before.get(text) ?? 0));
  expect(more).toEqual([]);
});

test('an equivalent control that has documents is an object with its workflow', async () => {
  const { data } = await read(
    `workflows(first: 2) { nodes { controls(first: 20) { nodes { evidence { sources {
      workflowId controlId workflow { id } control { id label } } } } } } }`,
    viewer,
  );
  const controls: { evidence: { sources: Source[] } }[] = data.organization.workflows.nodes.flatMap(
    ({ controls: { nodes } }: { controls: { nodes: unknown[] } }) => nodes,
  );
  const sources = controls.flatMap(({ evidence }) => evidence.sources);
  expect(sources.length).toBeGreaterThan(0);
  for (const { workflowId, controlId, ...objects } of sources)
    expect(objects).toEqual({
      workflow: { id: `OrganizationWorkflow:${organizationId}/${workflowId}` },
      control: { id: `OrganizationControl:${organizationId}/${workflowId}/${controlId}`, label: expect.any(String) },
    });
});

interface Source {
  workflowId: string;
  controlId: string;
  workflow: object;
  control: object;
}

test('the report of a rehearsal has its incident', async () => {
  await database.rows('update incident set rehearsal = true where id = $1', [seeded.incidentId]);
  const { rehearsalReport } = await gateway.graphql.data(
    `{ rehearsalReport(incidentId: "Incident:${seeded.incidentId}") { incidentId incident { databaseId } } }`,
    owner,
  );
  expect(rehearsalReport).toEqual({
    incidentId: seeded.incidentId,
    incident: { databaseId: seeded.incidentId },
  });
});
