import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { rename } from 'node:fs/promises';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus, withStory } from '../support/matchers.js';
import { buildOrganization, buildPerson, buildWorkflow, join } from '../support/test-data.js';
import { sha256Hex, storedBlobs } from '../resilience/support/evidence.js';
import { expectReason, expectReplay, newKey } from '../support/idempotency.js';

const { gateway, testData } = await startSeededGateway();
const files = `${gateway.dataDir}/files`;
await buildWorkflow(gateway.app.database, testData.organizationId);

afterEach(() => rename(`${files}.away`, files).catch(() => undefined));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const call = (query: string, headers: Record<string, string>, variables: object = {}, token = testData.owner.token) =>
  gateway.graphql.call(query, { token, headers, variables });
const count = async (text: string, values: unknown[]) =>
  (await gateway.app.database.rows<{ count: number }>(`select count(*) as count from ${text}`, values))[0]!.count;
const organizationsCalled = (name: string) => count('organization where name = $1', [name]);
const documentCalled = (filename: string, content = filename) => ({
  organizationId: testData.organizationId,
  workflowId: 'iso-27001-2022',
  artifactId: 'A.5.1',
  filename,
  contentType: 'text/plain',
  content: base64(content),
});

/** The second field needs the storage. */
const CREATE_AND_UPLOAD = `mutation ($name: String!, $document: UploadDocumentVersionInput!) {
  createOrganization(input: { name: $name }) { organization { id: databaseId name } }
  uploadDocumentVersion(input: $document) { created }
}`;

describe('a mutation of two fields', () => {
  test('whose second is refused retains what the first has done, and the whole answer', async () => {
    const key = newKey();
    const query = `mutation ($name: String!, $id: ID!) {
      createOrganization(input: { name: $name }) { organization { name } }
      updateOrganization(input: { organizationId: $id, name: "Not mine" }) { organization { name } } }`;
    const variables = { name: 'The first of two', id: testData.otherOrganizationId };
    const first = await call(query, key, variables);
    withStory(first, () => {
      expect(first.body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
        [['updateOrganization'], 'NOT_FOUND'],
      ]);
    });
    expectReplay(await call(query, key, variables), first);
    expectReason(await call(query, key, { ...variables, name: 'Another' }), 'IDEMPOTENCY_KEY_REUSED');
    expect(await organizationsCalled('The first of two')).toBe(1);
  });

  test('whose first is refused retains what the second has done, and replays it', async () => {
    const key = newKey();
    const query = `mutation ($id: ID!) {
      updateOrganization(input: { organizationId: $id, name: "Mine" }) { organization { name } }
      createOrganization(input: { name: "The second of two" }) { organization { name } } }`;
    const refused = await call(query, key, { id: testData.otherOrganizationId });
    withStory(refused, () => expect(refused.body.errors?.[0]?.extensions.code).toBe('NOT_FOUND'));
    withStory(refused, () =>
      expect(refused.body.data).toEqual({
        updateOrganization: null,
        createOrganization: { organization: { name: 'The second of two' } },
      }),
    );
    expectReplay(await call(query, key, { id: testData.otherOrganizationId }), refused);
    expect(await organizationsCalled('The second of two')).toBe(1);
  });

  test('whose second finds the storage away changes nothing, and succeeds with the same key later', async () => {
    const key = newKey();
    const variables = { name: 'Undone', document: documentCalled('undone.txt') };
    await rename(files, `${files}.away`);
    const failed = await call(CREATE_AND_UPLOAD, key, variables);
    withStory(failed, () => {
      expect(failed.status).toBe(503);
      expect(failed.body.data).toBe(null);
      expect(failed.headers.get('retry-after')).toMatch(/^\d+$/);
    });
    expect(await organizationsCalled('Undone')).toBe(0);
    await rename(`${files}.away`, files);
    const done = await call(CREATE_AND_UPLOAD, key, variables);
    withStory(done, () => expect(done.body.data?.uploadDocumentVersion).toEqual({ created: true }));
    expectReplay(await call(CREATE_AND_UPLOAD, key, variables), done);
    expect(await organizationsCalled('Undone')).toBe(1);
  });

  test('shows the second what the first has done, before it is committed', async () => {
    const query = `mutation ($id: ID!, $userId: ID!) {
      transferOwnership(input: { organizationId: $id, userId: $userId }) { organization { viewerRole } }
      deleteOrganization(input: { organizationId: $id }) { organization { id: databaseId } } }`;
    const id = await ownedBy(testData.owner);
    const answer = await call(query, newKey(), { id, userId: testData.manager.id });
    withStory(answer, () => {
      expect(answer.body.data?.transferOwnership.organization.viewerRole).toBe('ORGANIZATION_MANAGER');
      expect(answer.body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      expect(answer.body.errors?.[0]?.path).toEqual(['deleteOrganization']);
    });
    expectStatus(await tokensOf(id, testData.manager.token), 200);
    expectStatus(await tokensOf(id, testData.owner.token), 403);
  });
});

test('what waits for the end of a request whose COMMIT fails is done, and hears of no COMMIT', async () => {
  const { database } = gateway.app;
  const ends: boolean[] = [];
  const answer = database.request.share(
    async () => undefined,
    async (share) => {
      await database.request.afterwards((committed) => void ends.push(committed));
      await share.commit(async (tx) => {
        await tx.rows('create temporary table twice (a int unique deferrable initially deferred) on commit drop');
        await tx.rows('insert into twice values (1), (1)');
      });
    },
  );
  await expect(answer).rejects.toThrow();
  expect(ends).toEqual([false]);
});

/** An organization with an owner and a manager. */
async function ownedBy({ id }: { id: string }): Promise<number> {
  const organizationId = await buildOrganization(gateway.app.database, 'Handed over');
  await join(gateway.app.database, { id } as never, organizationId, 'ORGANIZATION_OWNER');
  await join(gateway.app.database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
  return organizationId;
}

/** Only owners may see these. */
const tokensOf = (id: number, token: string) => gateway.rest.get(`/api/v1/organizations/${id}/tokens`, { token });

test('what a caller may do is not remembered of a change that was undone with the request', async () => {
  const id = await ownedBy(testData.owner);
  const { token } = testData.owner;
  expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token }), 200);
  await rename(files, `${files}.away`);
  const query = `mutation ($id: ID!, $document: UploadDocumentVersionInput!) {
    restoreOrganization(input: { organizationId: $id }) { organization { viewerPrivileges incidents(first: 1) { nodes { id: databaseId } } } }
    uploadDocumentVersion(input: $document) { created } }`;
  const failed = await call(query, newKey(), { id, document: documentCalled('restored.txt') });
  withStory(failed, () => expect(failed.status).toBe(503));
  expectStatus(await tokensOf(id, token), 404);
});

/** Refusals of the database with an unexpected error, so that everything before is rolled back. */
const REFUSED = 'createOrganization(input: { name: "Refused by the database" }) { organization { id: databaseId } }';
beforeAll(() =>
  gateway.app.database.rows(
    `alter table organization add constraint refused_by_test check (name <> 'Refused by the database')`,
  ),
);

function expectInternal(answer: Awaited<ReturnType<typeof call>>): void {
  withStory(answer, () => {
    expect(answer.body.errors?.at(-1)?.extensions.code).toBe('INTERNAL');
    expect(answer.body.data).toBe(null);
  });
}

test('a request whose last field fails leaves neither rows nor bytes, and may be sent again', async () => {
  const key = newKey();
  const query = (second: string) => `mutation ($document: UploadDocumentVersionInput!) {
    uploadDocumentVersion(input: $document) { documentVersion { id: databaseId } } ${second} }`;
  const variables = { document: documentCalled('refused.txt') };
  expectInternal(await call(query(REFUSED), key, variables));
  expect(await count('document_version where original_name = $1', ['refused.txt'])).toBe(0);
  expect(await storedBlobs(files)).not.toContain(sha256Hex('refused.txt'));
  const done = await call(query(''), key, variables);
  withStory(done, () => expect(done.body.errors).toBe(undefined));
  expect(await storedBlobs(files)).toContain(sha256Hex('refused.txt'));
});

test('bytes go once the deletion of their last row is committed, and stay when it is undone', async () => {
  const upload = `mutation ($document: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $document) { documentVersion { id: databaseId } } }`;
  const made = await call(upload, newKey(), { document: documentCalled('deleted.txt') });
  const { id } = made.body.data.uploadDocumentVersion.documentVersion;
  const stored = async () => (await storedBlobs(files)).includes(sha256Hex('deleted.txt'));
  expect(await stored()).toBe(true);
  const remove = 'deleteDocumentVersion(input: $input) { documentVersion { id: databaseId } }';
  const input = { organizationId: testData.organizationId, documentVersionId: id };
  expectInternal(
    await call(`mutation ($input: DeleteDocumentVersionInput!) { ${remove} ${REFUSED} }`, newKey(), { input }),
  );
  expect(await stored()).toBe(true);
  const key = newKey();
  const query = `mutation ($input: DeleteDocumentVersionInput!) { ${remove} }`;
  const first = await call(query, key, { input });
  withStory(first, () => expect(first.body.errors).toBe(undefined));
  expect(await stored()).toBe(false);
  expectReplay(await call(query, key, { input }), first);
});

test('a member who was demoted with a key has the lower role in the next request', async () => {
  const person = await buildPerson(gateway.app.database, 'demoted');
  await join(gateway.app.database, person, testData.organizationId, 'ORGANIZATION_OWNER');
  expectStatus(await tokensOf(testData.organizationId, person.token), 200);
  const query = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role } } }`;
  const input = { organizationId: testData.organizationId, userId: person.id, role: 'VIEWER' };
  const changed = await call(query, newKey(), { input });
  withStory(changed, () => expect(changed.body.errors).toBe(undefined));
  expectStatus(await tokensOf(testData.organizationId, person.token), 403);
});
