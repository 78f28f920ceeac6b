import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const ISO = 'iso-27001-2022';
const DIRECTIVE = 'nis2-directive';
const BASELINE = 'nis2-it-baseline';

const SUGGESTIONS = {
  rest: 'GET /api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/reuse-suggestions',
  graphql: `query ($organizationId: ID!, $workflowId: ID!, $first: Int, $offset: Int) {
    reuseSuggestions(organizationId: $organizationId, workflowId: $workflowId, first: $first, offset: $offset) {
      totalCount nodes { id: controlId label status documents { via version: documentVersion {
        id: databaseId workflow_id: workflowId artifact_id: artifactId original_name: filename size content_type: contentType
        source sha256 created_by: createdBy { username } created_at: createdAt effective_at: effectiveAt valid_until: validUntil evidence_state: evidenceState note
        download_url: downloadUrl } } } } }`,
  at: 'reuseSuggestions',
} satisfies Operation;

let organizationId: number;

const { gateway, testData, watch } = await startWatchedGateway();

beforeEach(async () => {
  organizationId = await buildOrganization(gateway.app.database, 'Of one case');
  await join(gateway.app.database, testData.viewer, organizationId, 'VIEWER');
  await buildWorkflow(gateway.app.database, organizationId, ISO);
});

async function store(workflowId: string, controlId: string): Promise<number> {
  const [row] = await gateway.app.database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, $2, $3, 'd.txt', 1, 'text/plain', 'attached', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'y') returning id`,
    [organizationId, workflowId, controlId],
  );
  return row!.id;
}

const setStatus = (workflowId: string, controlId: string, status: string) =>
  gateway.app.database.rows(
    'insert into control_state (organization_id, workflow_id, control_id, status) values ($1, $2, $3, $4)',
    [organizationId, workflowId, controlId, status],
  );

describe.each(APIS)('through %s', (api) => {
  const call = (input: object, token = testData.viewer.token) =>
    callThrough(api, gateway, SUGGESTIONS, { organization_id: organizationId, ...input }, token);
  const covered = async (workflow_id: string) =>
    dataOf(await call({ workflow_id })).map(({ id }: { id: string }) => id) as string[];

  test('open controls are listed with the newest document of each mapped control', async () => {
    await store(ISO, 'A.8.13');
    const newest = await store(ISO, 'A.8.13');
    const [suggestion, ...others] = dataOf(await call({ workflow_id: DIRECTIVE }));
    expect(others).toEqual([]);
    expect(suggestion).toMatchObject({
      id: '21.2.c',
      status: 'TO_DO',
      documents: [{ via: null, version: { id: newest, workflow_id: ISO, artifact_id: 'A.8.13' } }],
    });
  });

  test('a requirement says via which measure', async () => {
    await store(ISO, 'A.8.13');
    const suggestions = dataOf(await call({ workflow_id: BASELINE }));
    expect(suggestions.map(({ id }: { id: string }) => id)).toEqual([1, 2, 3, 4, 5].map((n) => `PR.DS-11.${n}`));
    expect(suggestions[3].documents[0].via).toBe('PR.DS-11');
  });

  test('what is done or does not apply is not open, and what is under way is', async () => {
    await store(ISO, 'A.8.13');
    await buildWorkflow(gateway.app.database, organizationId, BASELINE);
    await setStatus(BASELINE, 'PR.DS-11.1', 'DONE');
    await setStatus(BASELINE, 'PR.DS-11.2', 'NOT_APPLICABLE');
    await setStatus(BASELINE, 'PR.DS-11.3', 'IN_PROGRESS');
    expect(await covered(BASELINE)).toEqual(['PR.DS-11.3', 'PR.DS-11.4', 'PR.DS-11.5']);
  });

  test('documents of the workflow itself, and of a dissociated one, are not suggested', async () => {
    await store(DIRECTIVE, '21.2.c');
    expect(await covered(DIRECTIVE)).toEqual([]);
    expect(await covered(ISO)).toEqual([]);
    await buildWorkflow(gateway.app.database, organizationId, DIRECTIVE);
    expect(await covered(ISO)).toContain('A.8.13');
  });

  test('a list is read in pages', async () => {
    await store(ISO, 'A.8.13');
    const page = (offset: number) => call({ workflow_id: BASELINE, limit: 2, offset });
    const [first, last] = [await page(0), await page(4)];
    expect([first.total, last.total]).toEqual([5, 5]);
    expect([dataOf(first).length, dataOf(last).length]).toEqual([2, 1]);
  });

  test('an unknown workflow is not found', async () => {
    expectFailure(await call({ workflow_id: 'nothing' }), 'NOT_FOUND');
  });
});

test('takes as many statements for many documents as for one', async () => {
  await store(ISO, 'A.8.13');
  const list = (limit: number) => () =>
    callThrough(
      'GraphQL',
      gateway,
      SUGGESTIONS,
      { organization_id: organizationId, workflow_id: BASELINE, limit },
      testData.viewer.token,
    );
  const ofDocuments = async (limit: number) =>
    (await watch.during(list(limit))).filter((text) => text.includes('document_version'));
  const one = await ofDocuments(1);
  for (const control of ['A.8.15', 'A.8.16', 'A.5.24']) await store(ISO, control);
  expect(one).not.toEqual([]);
  expect(await ofDocuments(50)).toHaveLength(one.length);
});
