import { beforeEach, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
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
async function store(workflowId: string, controlId: string, createdAt = clock.at(0)): Promise<number> {
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
    const id = await store(ISO, 'A.8.13');
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
    const id = await store(ISO, 'A.8.13');
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
    const id = await store(ISO, 'A.8.13');
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
    const id = await store(ISO, 'A.8.13', new Date('2026-01-31T12:00:00Z'));
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

  describe('a control whose evidence is to be renewed after 12 months', () => {
    const POLICY = [BASELINE, 'PR.DS-11.1'] as const;
    const TEST = [ISO, 'A.8.13'] as const;
    /** A document with the day on which it was true and its own last day, in days from today. */
    type Document = readonly [control: readonly [string, string], trueAt: number, lastDay?: number];

    test.each<[string, Document[], string, number | 'in a year' | 'any']>([
      ['is fresh by its own document', [[TEST, -200]], 'FRESH', 'in a year'],
      ['is fresh by a document that is not in force yet', [[TEST, 40]], 'FRESH', 'any'],
      [
        'goes by the document that was uploaded last, which was true earlier',
        [
          [TEST, 40, 90],
          [TEST, -9, -1],
        ],
        'STALE',
        -1,
      ],
      ['expires by its own document', [[TEST, -200, 20]], 'EXPIRING', 20],
      ['goes by the last day of its own document where that is beyond the interval', [[TEST, -900, 90]], 'FRESH', 90],
      ['is stale by its own document', [[TEST, -200, -1]], 'STALE', -1],
      [
        'stays stale when a newer document is mapped to it',
        [
          [TEST, -200, -1],
          [POLICY, 0],
        ],
        'STALE',
        -1,
      ],
      [
        'stays stale when the mapped document has a last day',
        [
          [TEST, -200, -1],
          [POLICY, 0, 300],
        ],
        'STALE',
        -1,
      ],
      [
        'expires although what is mapped to it is valid for longer',
        [
          [TEST, -9, 9],
          [POLICY, 0],
        ],
        'EXPIRING',
        9,
      ],
      [
        'is fresh again by a newer document of its own',
        [
          [TEST, -900],
          [POLICY, 0],
          [TEST, -200],
        ],
        'FRESH',
        'in a year',
      ],
      [
        'goes by its newest document, not by the one before',
        [
          [TEST, -9, 300],
          [TEST, -8, -1],
        ],
        'STALE',
        -1,
      ],
      ['without documents of its own is fresh by a mapped one', [[POLICY, -200]], 'FRESH', 'in a year'],
      ['counts a mapped document until its own last day', [[POLICY, -9, 20]], 'EXPIRING', 20],
      ['counts a mapped document for no longer than the interval', [[POLICY, -200, 999]], 'FRESH', 'in a year'],
      ['is stale where a mapped document is older than the interval', [[POLICY, -900, 999]], 'STALE', 'any'],
      [
        'goes by the mapped control that is valid for longest',
        [
          [POLICY, -9, 20],
          [[DIRECTIVE, '21.2.c'], -9, 40],
        ],
        'FRESH',
        40,
      ],
      [
        'goes by the mapped control that is valid for longest, whichever comes first',
        [
          [POLICY, -9, 40],
          [[DIRECTIVE, '21.2.c'], -9, 20],
        ],
        'FRESH',
        40,
      ],
      ['has no state without documents', [], 'null', 'any'],
    ])('%s', async (_title, documents, state, lastDay) => {
      await review(12);
      for (const [[workflowId, controlId], trueAt, validUntil] of documents) {
        const id = await store(workflowId, controlId, clock.at(trueAt * 24));
        if (validUntil !== undefined) await call('updateVersion', { id, valid_until: day(validUntil) });
      }
      const { evidence_state, evidence } = await control(...TEST);
      expect(String(evidence_state)).toBe(state);
      expect(evidence.total).toBe(documents.length);
      if (lastDay === 'in a year') expect(evidence.valid_until).toBe(aYearAfter(day(-200)));
      else if (lastDay !== 'any') expect(evidence.valid_until).toBe(day(lastDay));
    });

    /** As PostgreSQL and people count: a year after a leap day is the last of February. */
    const aYearAfter = (of: string) => DateTime.fromISO(of, { zone: 'utc' }).plus({ years: 1 }).toISODate();
  });

  test('a workflow counts what is done on an expired document of its own as stale, whatever is mapped to it', async () => {
    const id = await store(ISO, 'A.8.13');
    await store(BASELINE, 'PR.DS-11.1');
    dataOf(await call('updateControl', { workflow_id: ISO, control_id: 'A.8.13', status: 'DONE' }));
    const stale = async () => dataOf(await call('workflow', { workflow_id: ISO })).stale_evidence as number;
    expect(await stale()).toBe(0);
    await call('updateVersion', { id, valid_until: day(-1) });
    expect(await stale()).toBe(1);
  });
});

test('an upload says until when it is valid, and the trail records changes of it', async () => {
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
