import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildCloudDefender, buildThreatBlocker, buildToken, buildWorkflow } from '../support/test-data.js';

const TIMES = 8;

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

const atOnce = (query: string, variables: object) =>
  Promise.all(
    Array.from({ length: TIMES }, () => gateway.graphql.call(query, { token: testData.owner.token, variables })),
  );
const codes = (answers: Awaited<ReturnType<typeof atOnce>>) =>
  answers.map(({ body }) => body.errors?.[0]?.extensions.code ?? 'OK').toSorted();

test.each([
  ['cloudDefender', 'deleteCloudDefender', buildCloudDefender],
  ['threatBlocker', 'deleteThreatBlocker', buildThreatBlocker],
] as const)('a %s that many delete at once is deleted by one of them', async (field, remove, build) => {
  const id = await build(gateway.app.database, testData.organizationId);
  const answers = await atOnce(
    `mutation ($id: ID!) { ${remove}(input: { ${field}Id: $id }) { ${field} { id: databaseId } } }`,
    { id },
  );
  expect(codes(answers)).toEqual([...Array.from({ length: TIMES - 1 }, () => 'NOT_FOUND'), 'OK']);
});

test('a token that is revoked many times at once is revoked once', async () => {
  await buildToken(gateway.app.database, testData.owner, {});
  const [row] = await gateway.app.database.rows<{ id: number }>(
    'select max(id) as id from api_token where user_id = $1',
    [testData.owner.id],
  );
  const answers = await atOnce(
    'mutation ($id: ID!) { revokeApiToken(input: { tokenId: $id }) { apiToken { id: databaseId } } }',
    {
      id: row?.id,
    },
  );
  expect(codes(answers)).toEqual(Array.from({ length: TIMES }, () => 'OK'));
  const read = await gateway.app.database.rows<{ at: string }>('select revoked_at as at from api_token where id = $1', [
    row?.id,
  ]);
  const again = await atOnce(
    'mutation ($id: ID!) { revokeApiToken(input: { tokenId: $id }) { apiToken { revokedAt } } }',
    {
      id: row?.id,
    },
  );
  for (const { body } of again) expect(body.data.revokeApiToken.apiToken.revokedAt).toBe(read[0]?.at);
});

test('one content that is uploaded many times at once makes one version', async () => {
  const answers = await atOnce(
    'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created documentVersion { id: databaseId } } }',
    {
      input: {
        organizationId: testData.organizationId,
        workflowId: 'nis2-directive',
        artifactId: '21.2.a',
        filename: 'a.txt',
        content: 'dGV4dA==',
      },
    },
  );
  const payloads = answers.map(({ body }) => body.data.uploadDocumentVersion);
  expect(payloads.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(payloads.map(({ documentVersion }) => documentVersion.id)).size).toBe(1);
});
