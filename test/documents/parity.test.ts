import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inRestValues } from '../support/rest-values.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
  for (let count = 0; count < 5; count += 1) await make();
});
afterAll(() => gateway.close());

const DOCUMENT = `id: databaseId workflow_id: workflowId artifact_id: artifactId original_name: filename size content_type: contentType
  source sha256 created_by: createdBy { username } created_at: createdAt effective_at: effectiveAt note`;

let made = 0;
async function make(): Promise<number> {
  made += 1;
  const [row] = await gateway.app.database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256,
                                   created_by, created_at)
     values ($1, 'nis2-directive', '21.2.' || $2, 'd' || $2 || '.txt', 1, 'text/plain', 'attached', encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 'ann',
             '2026-01-01T00:00:00Z') returning id`,
    [testData.organizationId, 'abcdefghij'[made % 10]],
  );
  return row!.id;
}

const root = () => `/api/v1/v-ciso/organizations/${testData.organizationId}`;
/** Addresses are signed anew each time. */
const unsigned = (data: object | object[]) =>
  JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'download_url' ? undefined : value))) as unknown;

/** Each call through REST, and the same through GraphQL with the place of its answer. */
const CALLS: Record<
  string,
  { method: string; path: string; body?: object; query: string; variables?: object; at: string[] }
> = {
  'reading a version': {
    method: 'GET',
    path: '/documents/{id}',
    query: `query ($organizationId: ID!, $id: ID!) { documentVersion(organizationId: $organizationId, id: $id) { ${DOCUMENT} } }`,
    at: ['documentVersion'],
  },
  'listing the versions of an artifact': {
    method: 'GET',
    path: '/workflows/nis2-directive/documents/21.2.b/versions?limit=2',
    query: `query ($organizationId: ID!) { artifactVersions(organizationId: $organizationId, workflowId: "nis2-directive",
      artifactId: "21.2.b", first: 2) { nodes { ${DOCUMENT} } } }`,
    at: ['artifactVersions', 'nodes'],
  },
  'listing documents': {
    method: 'GET',
    path: '/documents?sort=original_name&created_by=ann&created_before=2026-06-01T00:00:00Z&offset=1&limit=3',
    query: `query ($organizationId: ID!) { organization(id: $organizationId) { documentVersions(orderBy: { field: FILENAME },
      filter: { createdBy: "ann", createdBefore: "2026-06-01T00:00:00Z" }, offset: 1, first: 3) { nodes { ${DOCUMENT} } } } }`,
    at: ['organization', 'documentVersions', 'nodes'],
  },
  'changing a version': {
    method: 'PATCH',
    path: '/documents/{id}',
    body: { note: 'n', effective_at: null },
    query: `mutation ($organizationId: ID!, $id: ID!) { updateDocumentVersion(input: { organizationId: $organizationId, documentVersionId: $id,
      note: "n", effectiveAt: null }) { version { ${DOCUMENT} } } }`,
    at: ['updateDocumentVersion', 'version'],
  },
  'deleting a version': {
    method: 'DELETE',
    path: '/documents/{id}',
    query: `mutation ($organizationId: ID!, $id: ID!) { deleteDocumentVersion(input: { organizationId: $organizationId, documentVersionId: $id }) {
      version { ${DOCUMENT} } } }`,
    at: ['deleteDocumentVersion', 'version'],
  },
};

describe.each(Object.entries(CALLS))('%s', (_name, { method, path, body, query, at }) => {
  const isNew = query.startsWith('mutation');
  const usesId = query.includes('$id');

  test('is answered alike to every kind of caller', async () => {
    let id = await make();
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      if (isNew) id = await make();
      const options = token === undefined ? {} : { token };
      const rest = await gateway.rest.call(method, root() + path.replace('{id}', String(id)), {
        ...options,
        ...(body && { body }),
      });
      if (isNew) id = await make();
      const variables = { organizationId: testData.organizationId, ...(usesId && { id }) };
      const answer = await gateway.graphql.call(query, { ...options, variables });
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, restOutcome(rest)]));
      codes.add(restOutcome(rest).code);
      if (rest.status !== 200) continue;
      const same = at.reduce((value, key) => value[key], answer.body.data);
      const record = unsigned(rest.body.data);
      const anew = { id: expect.any(Number), sha256: expect.any(String), artifact_id: expect.any(String) };
      const expected = isNew ? { ...(record as object), ...anew, original_name: expect.any(String) } : record;
      withStory(answer, () => expect(inRestValues(same)).toEqual(expected));
    }
    expectBothEnds(codes);
  });
});
