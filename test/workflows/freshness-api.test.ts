import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';

const ISO = 'iso-27001-2022';
const DIRECTIVE = 'nis2-directive';
const BASELINE = 'nis2-it-baseline';

const VERSION = `id: databaseId workflow_id: workflowId artifact_id: artifactId original_name: filename size content_type: contentType
  source sha256 created_by: createdBy { username } created_at: createdAt effective_at: effectiveAt valid_until: validUntil
  evidence_state: evidenceState note download_url: downloadUrl`;
const CONTROL = `id: controlId status review_interval_months: reviewIntervalMonths evidence_state: evidenceState
  evidence { total valid_until: validUntil }`;
const PATH = '/api/v1/v-ciso/organizations/{organization_id}';

const OPERATIONS = {
  version: {
    rest: `GET ${PATH}/documents/{id}`,
    graphql: `query ($organizationId: ID!, $id: ID!) { documentVersion(organizationId: $organizationId, id: $id) { ${VERSION} } }`,
    at: 'documentVersion',
  },
  updateVersion: mutation(`PATCH ${PATH}/documents/{id}`, 'updateDocumentVersion', `documentVersion { ${VERSION} }`, {
    id: 'documentVersionId',
  }),
  control: {
    rest: `GET ${PATH}/workflows/{workflow_id}/controls/{control_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $controlId: ID!) {
      organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId) { ${CONTROL} } }`,
    at: 'organizationControl',
  },
  updateControl: mutation(
    `PATCH ${PATH}/workflows/{workflow_id}/controls/{control_id}`,
    'updateControl',
    `control { ${CONTROL} }`,
  ),
  workflow: {
    rest: `GET ${PATH}/workflows/{workflow_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) {
      organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) { progress { done } stale_evidence: staleEvidence } }`,
    at: 'organizationWorkflow',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
let organizationId: number;

const { gateway, testData } = await startSeededGateway({ now: clock.now });
beforeEach(async () => {
  clock.set(0);
  const { database } = gateway.app;
  organizationId = await buildOrganization(database, 'Of one case');
  await join(database, testData.analyst, organizationId, 'SECURITY_ANALYST');
  await join(database, testData.officer, organizationId, 'SECURITY_OFFICER');
  for (const id of [ISO, DIRECTIVE, BASELINE]) await buildWorkflow(database, organizationId, id);
});

const day = (days: number) =>
  clock
    .at(days * 24)
    .toISOString()
    .slice(0, 10);

/** A version that was uploaded on this day. */
async function keep(workflowId: string, controlId: string, createdAt = clock.at(0)): Promise<number> {
  const [row] = await gateway.app.database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
     values ($1, $2, $3, 'd.txt', 1, 'text/plain', 'attached', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'y', $4) returning id`,
    [organizationId, workflowId, controlId, createdAt],
  );
  return row!.id;
}

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: organizationId, ...input }, testData.analyst.token);
  const control = async (workflow_id: string, control_id: string) =>
    dataOf(await call('control', { workflow_id, control_id }));
  const stateOf = async (workflow: string, id: string) => (await control(workflow, id)).evidence_state as string | null;
  const review = (months: number | null) =>
    call('updateControl', { workflow_id: ISO, control_id: 'A.8.13', review_interval_months: months });

  test('a version is fresh, expires within 30 days, and is stale after its last day', async () => {
    const id = await keep(ISO, 'A.8.13');
    expect(dataOf(await call('version', { id }))).toMatchObject({ valid_until: null, evidence_state: 'FRESH' });
    const states: string[] = [];
    for (const days of [31, 30, 0, -1]) {
      const changed = dataOf(await call('updateVersion', { id, valid_until: day(days) }));
      expect(changed.valid_until).toBe(day(days));
      states.push(changed.evidence_state);
    }
    expect(states).toEqual(['FRESH', 'EXPIRING', 'EXPIRING', 'STALE']);
    expect(dataOf(await call('updateVersion', { id, note: 'Kept.' })).valid_until).toBe(day(-1));
    expect(dataOf(await call('updateVersion', { id, valid_until: null })).evidence_state).toBe('FRESH');
    expectFailure(await call('updateVersion', { id, valid_until: '2027-02-30' }), 'BAD_USER_INPUT', [
      'valid_until must be a date such as 2026-11-20',
    ]);
  });

  test('one document turns stale with its date for every control that it counts for', async () => {
    const id = await keep(ISO, 'A.8.13');
    await call('updateVersion', { id, valid_until: day(40) });
    const states = async () => [
      await stateOf(ISO, 'A.8.13'),
      await stateOf(BASELINE, 'PR.DS-11.4'),
      await stateOf(DIRECTIVE, '21.2.c'),
    ];
    expect(await states()).toEqual(['FRESH', 'FRESH', 'FRESH']);
    clock.set(40 * 24);
    expect(await states()).toEqual(['EXPIRING', 'EXPIRING', 'EXPIRING']);
    clock.set(41 * 24);
    expect(await states()).toEqual(['STALE', 'STALE', 'STALE']);
    expect((await control(DIRECTIVE, '21.2.c')).evidence.valid_until).toBe(day(40));
    expect(await stateOf(ISO, 'A.5.1')).toBe(null);
  });

  test('a control that is done on stale evidence says so, and is counted', async () => {
    const id = await keep(ISO, 'A.8.13');
    for (const [workflow_id, control_id, status] of [
      [BASELINE, 'PR.DS-11.4', 'DONE'],
      [BASELINE, 'PR.DS-11.1', 'IN_PROGRESS'],
      [BASELINE, 'GV.RM-03.1', 'DONE'],
    ])
      dataOf(await call('updateControl', { workflow_id, control_id, status }));
    const workflow = async () => dataOf(await call('workflow', { workflow_id: BASELINE }));
    expect(await workflow()).toMatchObject({ progress: { done: 2 }, stale_evidence: 0 });
    await call('updateVersion', { id, valid_until: day(-1) });
    expect(await workflow()).toMatchObject({ progress: { done: 2 }, stale_evidence: 1 });
    expect(await control(BASELINE, 'PR.DS-11.4')).toMatchObject({ status: 'DONE', evidence_state: 'STALE' });
  });

  test('the review interval of a control dates what has no last day of its own', async () => {
    const id = await keep(ISO, 'A.8.13', new Date('2026-01-31T12:00:00Z'));
    const changed = dataOf(await review(1));
    expect(changed).toMatchObject({ review_interval_months: 1, evidence: { valid_until: '2026-02-28' } });
    expect(changed.evidence_state).toBe('STALE');
    expect(dataOf(await call('version', { id })).evidence_state).toBe('STALE');
    // The document counts for another control by that control's own interval.
    expect(await stateOf(DIRECTIVE, '21.2.c')).toBe('FRESH');
    await call('updateVersion', { id, effective_at: '2026-01-01T00:00:00Z' });
    expect((await control(ISO, 'A.8.13')).evidence.valid_until).toBe('2026-02-01');
    await call('updateVersion', { id, valid_until: day(90) });
    expect(await stateOf(ISO, 'A.8.13')).toBe('FRESH');
    dataOf(await call('updateControl', { workflow_id: ISO, control_id: 'A.8.13', note: 'Quarterly.' }));
    expect((await control(ISO, 'A.8.13')).review_interval_months).toBe(1);
    expect(dataOf(await review(null)).review_interval_months).toBe(null);
  });

  test('a review interval has from 1 to 120 months', async () => {
    for (const months of [1, 120]) expect(dataOf(await review(months)).review_interval_months).toBe(months);
    for (const months of [0, 121, 1.5]) expect((await review(months)).code).toBe('BAD_USER_INPUT');
    expect((await control(ISO, 'A.8.13')).review_interval_months).toBe(120);
  });

  test('the newest version counts, and of several controls the one that is valid for longest', async () => {
    await keep(ISO, 'A.8.13');
    const newer = await keep(ISO, 'A.8.13');
    await call('updateVersion', { id: newer, valid_until: day(-1) });
    expect(await stateOf(ISO, 'A.8.13')).toBe('STALE');
    const other = await keep(BASELINE, 'PR.DS-11.4');
    await call('updateVersion', { id: other, valid_until: day(10) });
    expect(await control(ISO, 'A.8.13')).toMatchObject({ evidence_state: 'EXPIRING', evidence: { total: 3 } });
  });
});

test('an upload says until when it is valid, and the trail keeps changes of it', async () => {
  const { token } = testData.analyst;
  const input = { organizationId, workflowId: ISO, artifactId: 'A.8.13', validUntil: day(5), filename: 'notes.txt' };
  const content = Buffer.from('Restored.').toString('base64');
  const { uploadDocumentVersion } = await gateway.graphql.data(
    'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { documentVersion { id: databaseId validUntil evidenceState } } }',
    { token, variables: { input: { ...input, content, contentType: 'text/plain' } } },
  );
  const { id, ...version } = uploadDocumentVersion.documentVersion;
  expect(version).toEqual({ validUntil: day(5), evidenceState: 'EXPIRING' });
  await callThrough(
    'REST',
    gateway,
    OPERATIONS.updateVersion,
    { organization_id: organizationId, id, valid_until: day(9) },
    token,
  );
  const { organization } = await gateway.graphql.data(
    'query ($id: ID!) { organization(id: $id) { auditTrail(first: 5) { nodes { action changes { field before after } } } } }',
    { token: testData.officer.token, variables: { id: organizationId } },
  );
  expect(organization.auditTrail.nodes).toContainEqual({
    action: 'DOCUMENT_UPDATED',
    changes: [{ field: 'validUntil', before: day(5), after: day(9) }],
  });
});
