import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { expectStatus } from '../support/matchers.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildPerson, buildWorkflow, type Person } from '../support/test-data.js';

const PROGRESS = 'total to_do: toDo in_progress: inProgress done not_applicable: notApplicable';
const WORKFLOW = `id: workflowId name associated_at: associatedAt progress { ${PROGRESS} } stale_evidence: staleEvidence`;
const OF_ORGANIZATION = '/api/v1/v-ciso/organizations/{organization_id}/workflows';
const WORKFLOW_ARGS = 'organizationId: $organizationId, workflowId: $workflowId';

const OPERATIONS = {
  catalogue: {
    rest: 'GET /api/v1/v-ciso/available-workflows',
    graphql:
      'query ($first: Int, $offset: Int) { availableWorkflows(first: $first, offset: $offset) { totalCount nodes { id: databaseId name } } }',
    at: 'availableWorkflows',
  },
  ofCatalogue: {
    rest: 'GET /api/v1/v-ciso/available-workflows/{id}',
    graphql:
      'query ($id: ID!) { workflow(id: $id) { id: databaseId name version: edition kind source source_url: sourceUrl licence remarks } }',
    at: 'workflow',
  },
  controlsOfCatalogue: {
    rest: 'GET /api/v1/v-ciso/available-workflows/{id}/controls',
    graphql: `query ($id: ID!, $first: Int, $offset: Int) { workflow(id: $id) { controls(first: $first, offset: $offset) {
      totalCount nodes { id: controlId label parent_id: parentId kind position entities text } } } }`,
    at: 'workflow.controls',
  },
  list: {
    rest: `GET ${OF_ORGANIZATION}`,
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int) { organization(id: $organizationId) {
      workflows(first: $first, offset: $offset) { totalCount nodes { ${WORKFLOW} } } } }`,
    at: 'organization.workflows',
  },
  read: {
    rest: `GET ${OF_ORGANIZATION}/{workflow_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) { organizationWorkflow(${WORKFLOW_ARGS}) { ${WORKFLOW} } }`,
    at: 'organizationWorkflow',
  },
  progress: {
    rest: `GET ${OF_ORGANIZATION}/{workflow_id}/progress`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $from: Date, $to: Date) { organizationWorkflow(${WORKFLOW_ARGS}) {
      progressHistory(from: $from, to: $to) { days { day ${PROGRESS} } } } }`,
    at: 'organizationWorkflow.progressHistory.days',
  },
  associate: mutation(`POST ${OF_ORGANIZATION}`, 'associateWorkflow', `organizationWorkflow { ${WORKFLOW} }`, {
    id: 'workflowId',
  }),
  dissociate: mutation(
    `DELETE ${OF_ORGANIZATION}/{workflow_id}`,
    'dissociateWorkflow',
    `organizationWorkflow { ${WORKFLOW} }`,
  ),
} satisfies Record<string, Operation>;

const CATALOGUE = [
  { id: 'eu-ai-act', name: 'EU AI Act, obligations' },
  { id: 'incident-readiness', name: 'Incident readiness' },
  { id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022' },
  { id: 'iso-27017-2015', name: 'ISO/IEC 27017:2015' },
  { id: 'iso-27018-2019', name: 'ISO/IEC 27018:2019' },
  { id: 'iso-27701-2025', name: 'ISO/IEC 27701:2025' },
  { id: 'nis2-directive', name: 'NIS 2 Directive' },
  { id: 'nis2-it-baseline', name: 'NIS 2 baseline measures, Italy' },
  { id: 'nis2-regulation-2024-2690', name: 'NIS 2 Implementing Regulation, Annex' },
  { id: 'nist-csf-2-0', name: 'NIST Cybersecurity Framework 2.0' },
  { id: 'pci-dss-4-0-1', name: 'PCI DSS 4.0.1' },
  { id: 'soc-2-2017', name: 'SOC 2 trust services criteria' },
];

const clock = new TestClock();
/** An organization without any workflow, and its manager, created for each case. */
let organizationId: number;
let manager: Person;

const gateway = await startSharedGateway({ now: clock.now });
const userWithoutOrganization = await buildPerson(gateway.app.database, 'alone');
beforeEach(async () => {
  clock.set(0);
  organizationId = await buildOrganization(gateway.app.database, 'Bare');
  manager = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_MANAGER');
});

const day = (hours: number) => clock.at(hours).toISOString().slice(0, 10);
const pathOf = (rest: string) => `/api/v1/v-ciso/organizations/${organizationId}/workflows/${rest}`;
const get = (rest: string) => gateway.rest.get(pathOf(rest), manager);
const patch = async (rest: string, body: object) =>
  expectStatus(await gateway.rest.patch(pathOf(rest), { token: manager.token, body }), 200);

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: { token: string } = manager) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const inOrganization = (name: keyof typeof OPERATIONS, input: object = {}) =>
    call(name, { organization_id: organizationId, ...input });
  const onWorkflow = (name: 'read' | 'dissociate') => (workflow_id: string) => inOrganization(name, { workflow_id });
  const [read, dissociate] = [onWorkflow('read'), onWorkflow('dissociate')];
  const associate = (id: string) => inOrganization('associate', { id });

  describe('the catalogue', () => {
    test('is the same for every caller, whether member of an organization or not', async () => {
      for (const caller of [manager, userWithoutOrganization]) {
        const { data, total } = await call('catalogue', {}, caller);
        expect([JSON.stringify(data), total]).toEqual([JSON.stringify(CATALOGUE), CATALOGUE.length]);
      }
    });

    test('is counted whole on a page of one', async () => {
      const page = await call('catalogue', { limit: 1, offset: 1 }, userWithoutOrganization);
      expect(page).toMatchObject({ data: [CATALOGUE[1]], total: CATALOGUE.length });
    });

    test('shows a workflow with its source before any organization has associated it', async () => {
      const record = dataOf(await call('ofCatalogue', { id: 'incident-readiness' }, userWithoutOrganization));
      expect(JSON.stringify(record)).toBe(
        JSON.stringify({
          ...CATALOGUE[1],
          version: '1.0',
          kind: 'TASK_SET',
          source: 'Our own list of tasks for an organization that has to handle and report security incidents.',
          source_url: null,
          licence: 'The tasks are our own work and are under the terms of this project.',
          remarks: null,
        }),
      );
      for (const [id, version] of [
        ['iso-27001-2022', '2022'],
        ['nis2-directive', '2022/2555'],
      ]) {
        const framework = dataOf(await call('ofCatalogue', { id }, userWithoutOrganization));
        expect(framework).toMatchObject({ id, version, kind: 'FRAMEWORK' });
      }
    });

    test('shows the controls of a workflow in reading order', async () => {
      const { data, total } = await call('controlsOfCatalogue', { id: 'incident-readiness', limit: 2 });
      const control = (id: string, label: string, parent_id: string | null, position: number) =>
        ({ id, label, parent_id, kind: 'TASK', position, entities: null, text: null }) as const;
      const label = 'Write the incident response plan and have management approve it';
      const first = [
        control('IR-PREP', 'Prepare before anything happens', null, 1),
        control('IR-01', label, 'IR-PREP', 2),
      ];
      expect([JSON.stringify(data), total]).toEqual([JSON.stringify(first), 24]);
      const { data: all } = await call('controlsOfCatalogue', { id: 'incident-readiness', limit: 100 });
      expect(all.map(({ position }: { position: number }) => position)).toEqual(
        [...Array(24).keys()].map((n) => n + 1),
      );
    });

    test('has no workflow of another name', async () => {
      for (const id of ['nothing', 'ISO-27001-2022', 'iso-27001', '__proto__', 'constructor']) {
        expectFailure(await call('ofCatalogue', { id }), 'NOT_FOUND');
        expectFailure(await call('controlsOfCatalogue', { id }), 'NOT_FOUND');
      }
    });
  });

  describe('the workflows of an organization', () => {
    test('are listed by id with their progress, in which headings do not count', async () => {
      dataOf(await associate('nis2-directive'));
      dataOf(await associate('incident-readiness'));
      await patch('incident-readiness/controls/IR-01', { status: 'DONE' });
      await patch('incident-readiness/controls/IR-PREP', { status: 'DONE' });
      const associated_at = clock.now().toISOString();
      const records = [
        {
          ...CATALOGUE[1],
          associated_at,
          progress: { total: 19, to_do: 18, in_progress: 0, done: 1, not_applicable: 0 },
          stale_evidence: 0,
        },
        {
          ...CATALOGUE[6],
          associated_at,
          progress: { total: 25, to_do: 25, in_progress: 0, done: 0, not_applicable: 0 },
          stale_evidence: 0,
        },
      ];
      const { data, total } = await inOrganization('list');
      expect([JSON.stringify(data), total]).toEqual([JSON.stringify(records), 2]);
      expect(JSON.stringify(dataOf(await read('incident-readiness')))).toBe(JSON.stringify(records[0]));
    });

    test('are not found where they are not associated', async () => {
      await buildWorkflow(gateway.app.database, organizationId, 'nis2-directive');
      for (const id of ['iso-27001-2022', 'unknown', '__proto__', '../']) expectFailure(await read(id), 'NOT_FOUND');
    });
  });

  describe('associating a workflow', () => {
    test('answers it, and when it is repeated answers the same', async () => {
      const first = dataOf(await associate('iso-27018-2019'));
      expect(first).toMatchObject({ id: 'iso-27018-2019', associated_at: clock.now().toISOString() });
      clock.set(1);
      expect(dataOf(await associate('iso-27018-2019'))).toEqual(first);
    });

    test('finds no workflow that the catalogue does not have', async () => {
      for (const id of ['unknown', 'ISO-27001-2022', '__proto__', '', 'x'.repeat(300)]) {
        expectFailure(await associate(id), 'NOT_FOUND');
      }
    });

    test('makes one association of many requests at once, and notifies the other members once', async () => {
      const viewer = await newMember(gateway.app.database, organizationId, 'VIEWER');
      const results = await Promise.all(Array.from({ length: 8 }, () => associate('iso-27001-2022')));
      expect(new Set(results.map((result) => JSON.stringify(dataOf(result)))).size).toBe(1);
      expect((await inOrganization('list')).total).toBe(1);
      expect(await titlesOf(gateway.app.database, viewer)).toEqual(['Workflow associated']);
    });
  });

  describe('dissociating a workflow', () => {
    test('retains its documents and states, which are there again when it is associated', async () => {
      const workflow = 'iso-27001-2022';
      const versions = `${workflow}/documents/A.5.1/versions`;
      const content = Buffer.from('policy').toString('base64');
      const body = { filename: 'p.txt', content, content_type: 'text/plain' };
      const upload = async () => (await gateway.rest.post(pathOf(versions), { token: manager.token, body })).status;
      dataOf(await associate(workflow));
      expect(await upload()).toBe(201);
      await patch(`${workflow}/controls/A.5.1`, { status: 'DONE', note: 'Kept' });
      const before = dataOf(await read(workflow));

      expect(dataOf(await dissociate(workflow))).toEqual(before);
      for (const rest of ['', '/controls', '/controls/A.5.1', '/progress']) {
        expect([rest, (await get(workflow + rest)).status]).toEqual([rest, 404]);
      }
      expect(await upload()).toBe(404);
      expectFailure(await dissociate(workflow), 'NOT_FOUND');
      const { total } = (await get(versions)).body;
      expect((await get(`${versions}?offset=10`)).body).toMatchObject({ data: [], total });
      expect((await get(`${workflow}/documents/A.5.2/versions`)).status).toBe(404);

      expect(dataOf(await associate(workflow)).progress).toMatchObject({ done: 1 });
      expect((await get(`${workflow}/controls/A.5.1`)).body.data).toMatchObject({ note: 'Kept' });
      expect(await upload()).toBe(200);
    });
  });

  describe('the progress of a workflow', () => {
    const progress = (range: object = {}) =>
      inOrganization('progress', { workflow_id: 'incident-readiness', ...range });
    beforeEach(async () => {
      dataOf(await associate('incident-readiness'));
    });

    test('has one entry for each day with a change, as it was at the end of that day', async () => {
      const set = async (hours: number, id: string, status: string) => {
        clock.set(hours);
        await patch(`incident-readiness/controls/${id}`, { status });
      };
      await set(48, 'IR-01', 'IN_PROGRESS');
      await set(48, 'IR-02', 'DONE');
      // A heading groups controls and is not one.
      await set(48, 'IR-PREP', 'DONE');
      await set(96, 'IR-01', 'DONE');
      const entry = (hours: number, to_do: number, in_progress: number, done: number) => ({
        day: day(hours),
        total: 19,
        to_do,
        in_progress,
        done,
        not_applicable: 0,
      });
      const entries = [entry(0, 19, 0, 0), entry(48, 17, 1, 1), entry(96, 17, 0, 2)];
      expect(JSON.stringify(dataOf(await progress()))).toBe(JSON.stringify(entries));
      // A range that begins between two changes begins with the state at that time.
      const range = await progress({ from: day(72), to: day(96) });
      expect(dataOf(range)).toEqual([entry(72, 17, 1, 1), entry(96, 17, 0, 2)]);
      expect(dataOf(await progress({ from: day(-48), to: day(-48) }))).toEqual([]);
    });

    test('is refused for an end before its beginning and for more than 366 days', async () => {
      expectFailure(await progress({ from: '2026-03-02', to: '2026-03-01' }), 'BAD_USER_INPUT', [
        'from must not be after to',
      ]);
      dataOf(await progress({ from: '2025-01-01', to: '2026-01-01' }));
      expectFailure(await progress({ from: '2025-01-01', to: '2026-01-02' }), 'BAD_USER_INPUT', [
        'from and to must not be more than 366 days apart',
      ]);
    });

    test('reaches to the beginning of the calendar, and begins on no day that is still to come', async () => {
      expect(dataOf(await progress({ to: '0001-01-15' }))).toEqual([]);
      for (const range of [{ from: day(24) }, { from: day(24), to: day(48) }, { from: '9999-12-31' }])
        expectFailure(await progress(range), 'BAD_USER_INPUT', ['from must not be in the future']);
      expectFailure(await progress({ to: '9999-12-31' }), 'BAD_USER_INPUT', ['to must not be in the future']);
      expect(dataOf(await progress({ from: day(0), to: day(240) }))).toHaveLength(1);
    });
  });
});
