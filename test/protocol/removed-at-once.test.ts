import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { multipart } from '../support/rest.js';
import type { Answer, Envelope, GraphQLResult, RestRequest } from '../support/clients.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { withStory } from '../support/matchers.js';
import { buildCloudDefender, buildPerson, buildWorkflow, join } from '../support/test-data.js';
import { sha256Hex, versionsPath } from '../resilience/support/evidence.js';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId);

const rows = (text: string, values?: unknown[]) => gateway.app.database.rows<{ id: number }>(text, values);
const jsonFile = (filename: string, text: string) => ({ filename, content: base64(text), content_type: 'text/plain' });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const UPLOAD = `mutation ($input: UploadDocumentVersionInput!) {
  uploadDocumentVersion(input: $input) { documentVersion { filename sha256 organization { id: databaseId } } } }`;

interface Outcome {
  ok: boolean;
  answer: Answer<unknown>;
  filename?: string;
  sha256?: string;
}

const ofRest = (answer: Answer<Envelope>): Outcome => ({
  ok: answer.status === 201,
  answer,
  filename: answer.body.data?.original_name,
});
const ofGraphQL = (answer: Answer<GraphQLResult>): Outcome => ({
  ok: answer.body.errors === undefined,
  answer,
  ...answer.body.data?.uploadDocumentVersion?.documentVersion,
});

type Send = (artifactId: string, filename: string, text: string) => Promise<Outcome>;

const restUpload = async (artifactId: string, request: RestRequest) => {
  const path = versionsPath({ organizationId: testData.organizationId, artifactId });
  return ofRest(await gateway.rest.post(path, { token: testData.analyst.token, ...request }));
};

const input = (artifactId: string) => ({
  organizationId: testData.organizationId,
  workflowId: 'iso-27001-2022',
  artifactId,
});

const FORMS: Send[] = [
  (artifactId, filename, text) => restUpload(artifactId, { body: jsonFile(filename, text) }),
  (artifactId, filename, text) =>
    restUpload(artifactId, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(jsonFile(filename, text)).toString(),
    }),
  (artifactId, filename, text) =>
    restUpload(artifactId, multipart([{ name: 'file', filename, type: 'text/plain', content: text }])),
  (artifactId, filename, text) =>
    gateway.graphql
      .call(UPLOAD, {
        token: testData.analyst.token,
        variables: {
          input: { ...input(artifactId), filename, content: base64(text), contentType: 'text/plain' },
        },
      })
      .then(ofGraphQL),
  (artifactId, filename, text) =>
    gateway.graphql
      .upload(
        UPLOAD,
        { input: { ...input(artifactId), file: null } },
        'variables.input.file',
        { name: filename, type: 'text/plain', bytes: Buffer.from(text) },
        testData.analyst.token,
      )
      .then(ofGraphQL),
];

test('24 clients of every form that upload to one artifact at once get their own version each', async () => {
  const clients = Array.from({ length: 24 }, (_, at) => ({
    send: FORMS[at % FORMS.length] as Send,
    name: `client-${at}.txt`,
    text: `the evidence of client ${at}`,
  }));
  const outcomes = await Promise.all(clients.map(({ send, name, text }) => send('A.5.1', name, text)));
  for (const [at, { ok, answer, filename, sha256 }] of outcomes.entries()) {
    const { name, text } = clients[at]!;
    withStory(answer, () => {
      expect([ok, filename]).toEqual([true, name]);
      if (sha256 !== undefined) expect(sha256).toBe(sha256Hex(text));
    });
  }
  const stored = await rows('select id from document_version where artifact_id = $1', ['A.5.1']);
  expect(stored).toHaveLength(10);
});

/**
 * Deletes the row at the very end of the change's transaction, like a colleague right after it: earlier statements
 * still see the row, later ones do not.
 */
async function rightAfter(table: string, event: string, action: string): Promise<() => Promise<unknown>> {
  const name = `colleague_${randomUUID().slice(0, 8)}`;
  await rows(`create function ${name}() returns trigger language plpgsql as $$ begin ${action}; return null; end $$`);
  await rows(
    `create constraint trigger ${name} after ${event} on "${table}" deferrable initially deferred
     for each row execute function ${name}()`,
  );
  return async () => {
    await rows(`drop trigger ${name} on "${table}"`);
    await rows(`drop function ${name}()`);
  };
}

const removed = (table: string) => `delete from "${table}" where id = new.id`;
const organizations = '/api/v1/organizations';
const workflows = () => `/api/v1/v-ciso/organizations/${testData.organizationId}`;

async function newVersion(): Promise<number> {
  const [row] = await rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, sha256, original_name, size, content_type, source, created_by)
     values ($1, 'iso-27001-2022', 'A.5.2', $2, 'a.txt', 1, 'text/plain', 'attached', 'x') returning id`,
    [testData.organizationId, sha256Hex(randomUUID())],
  );
  return row!.id;
}

async function newMember(): Promise<string> {
  const person = await buildPerson(gateway.app.database, 'colleague');
  await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
  return person.id;
}

async function newNotification(): Promise<number> {
  const [row] = await rows(
    `insert into notification (user_id, organization_id, title, message, type, action)
     values ($1, $2, 'Title', '', 'SYSTEM', 'NONE') returning id`,
    [testData.owner.id, testData.organizationId],
  );
  return row!.id;
}

const newOrganization = async () => {
  const { data } = (await gateway.rest.post(organizations, { token: testData.owner.token, body: { name: 'Gone' } }))
    .body;
  return data.id as number;
};

const importOf = (id: string) => ({
  id,
  name: id,
  version: '1',
  source: { text: 'Own' },
  licence: 'Own',
  controls: [{ id: 'H1', label: 'Desk', kind: 'control' }],
});

interface Change {
  table: string;
  event: string;
  action: string;
  rest: () => Promise<[method: string, path: string, body?: object]>;
  graphql: () => Promise<[mutation: string, input: string, value: object]>;
}

const CHANGES: Record<string, Change> = {
  'a document that is annotated': {
    table: 'document_version',
    event: 'update',
    action: removed('document_version'),
    rest: async () => ['PATCH', `${workflows()}/documents/${await newVersion()}`, { note: 'n' }],
    graphql: async () => [
      'updateDocumentVersion(input: $input) { documentVersion { id: databaseId note } }',
      'UpdateDocumentVersionInput',
      { organizationId: testData.organizationId, documentVersionId: await newVersion(), note: 'n' },
    ],
  },
  'a member whose role is changed': {
    table: 'membership',
    event: 'update',
    action: removed('membership'),
    rest: async () => [
      'PATCH',
      `${organizations}/${testData.organizationId}/users/${await newMember()}`,
      { role: 'SECURITY_ANALYST' },
    ],
    graphql: async () => [
      'updateMember(input: $input) { member { id: databaseId role } }',
      'UpdateMemberInput',
      { organizationId: testData.organizationId, userId: await newMember(), role: 'SECURITY_ANALYST' },
    ],
  },
  'a workflow that is associated': {
    table: 'organization_workflow',
    event: 'insert',
    action: removed('organization_workflow'),
    rest: async () => ['POST', `${workflows()}/workflows`, { id: 'nis2-directive' }],
    graphql: async () => [
      'associateWorkflow(input: $input) { created organizationWorkflow { workflowId progress { total } } }',
      'AssociateWorkflowInput',
      { organizationId: testData.organizationId, workflowId: 'nis2-directive' },
    ],
  },
  'a workflow that is imported': {
    table: 'workflow_import',
    event: 'insert or update',
    action: removed('workflow_import'),
    rest: async () => ['POST', `${workflows()}/available-workflows`, importOf('own-one')],
    graphql: async () => [
      'importWorkflow(input: $input) { created workflowImport { workflowId name } }',
      'ImportWorkflowInput',
      { organizationId: testData.organizationId, text: JSON.stringify(importOf('own-two')) },
    ],
  },
  'a notification that is marked': {
    table: 'notification',
    event: 'update',
    action: removed('notification'),
    rest: async () => ['PATCH', `/api/v1/notifications/${await newNotification()}`, { read: true }],
    graphql: async () => [
      'updateNotification(input: $input) { notification { id: databaseId read } }',
      'UpdateNotificationInput',
      { notificationId: await newNotification(), read: true },
    ],
  },
  'a device that is changed': {
    table: 'cloud_defender',
    event: 'update',
    action: 'update cloud_defender set deleted_at = now() where id = new.id and deleted_at is null',
    rest: async () => [
      'PATCH',
      `/api/v1/cloud-defender/${await buildCloudDefender(gateway.app.database, testData.organizationId)}`,
      { email: 'new@example.com' },
    ],
    graphql: async () => [
      'updateCloudDefender(input: $input) { cloudDefender { id: databaseId email check { status } } }',
      'UpdateCloudDefenderInput',
      {
        cloudDefenderId: await buildCloudDefender(gateway.app.database, testData.organizationId),
        email: 'new@example.com',
      },
    ],
  },
  'an organization whose settings are changed': {
    table: 'organization',
    event: 'update',
    action: 'update organization set deleted_at = now() where id = new.id and deleted_at is null',
    rest: async () => ['PATCH', `${organizations}/${await newOrganization()}/settings`, { report_weekday: 3 }],
    graphql: async () => [
      'updateOrganizationSettings(input: $input) { organization { id: databaseId settings { reportWeekday } } }',
      'UpdateOrganizationSettingsInput',
      { organizationId: await newOrganization(), reportWeekday: 3 },
    ],
  },
  'an organization whose branding is changed': {
    table: 'organization',
    event: 'update',
    action: 'update organization set deleted_at = now() where id = new.id and deleted_at is null',
    rest: async () => ['PUT', `${organizations}/${await newOrganization()}/branding`, { palette: 'custom' }],
    graphql: async () => [
      'updateBranding(input: $input) { organization { id: databaseId branding { palette } } }',
      'UpdateBrandingInput',
      { organizationId: await newOrganization(), palette: 'custom' },
    ],
  },
};

describe('who changes a record that a colleague removes right after is answered with the record', () => {
  test.each(Object.entries(CHANGES))('%s', async (_, { table, event, action, rest, graphql }) => {
    const [method, path, body] = await rest();
    const [mutation, inputType, value] = await graphql();
    const undo = await rightAfter(table, event, action);
    try {
      const answer = await gateway.rest.call(method, path, { token: testData.owner.token, ...(body && { body }) });
      withStory(answer, () => expect([200, 201]).toContain(answer.status));
      const document = `mutation ($input: ${inputType}!) { ${mutation} }`;
      const result = await gateway.graphql.call(document, { token: testData.owner.token, variables: { input: value } });
      withStory(result, () => expect(result.body.errors).toBeUndefined());
    } finally {
      await undo();
    }
  });
});
