import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { titlesOf } from '../support/people.js';
import { buildOrganization, buildWorkflow, seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, pagingCases } from '../support/rest.js';

const clock = new TestClock();
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
});
afterAll(() => gateway.close());

const pathOf = (organizationId: number, rest = '') => `/api/v1/v-ciso/organizations/${organizationId}/workflows${rest}`;
const path = (rest = '') => pathOf(testData.organizationId, rest);
const day = (instant: Date) => instant.toISOString().slice(0, 10);

/** An organization of the manager's, without any workflow. */
async function bare(): Promise<number> {
  const id = await buildOrganization(gateway.app.database, 'Bare');
  await join(gateway.app.database, testData.manager, id, 'ORGANIZATION_MANAGER');
  return id;
}

function associate(id: string, organizationId = testData.organizationId, token = testData.manager.token) {
  return gateway.rest.post(pathOf(organizationId), { token, body: { id } });
}

describe('GET …/workflows', () => {
  pagingCases((query) => gateway.rest.get(`${path()}?${query}`, { token: testData.viewer.token }));

  test('lists what the organization has taken up, by id, with how far it is', async () => {
    const organizationId = await bare();
    await associate('nis2-directive', organizationId);
    await associate('incident-readiness', organizationId);
    const control = pathOf(organizationId, '/incident-readiness/controls/IR-01');
    await gateway.rest.call('PATCH', control, { token: testData.manager.token, body: { status: 'DONE' } });
    const since = clock.now().toISOString();
    expectExactly(await gateway.rest.get(pathOf(organizationId), { token: testData.manager.token }), 200, {
      error: 0,
      messages: [],
      data: [
        {
          id: 'incident-readiness',
          name: 'Incident readiness',
          associated_at: since,
          progress: { total: 19, to_do: 18, in_progress: 0, done: 1, not_applicable: 0 },
        },
        {
          id: 'nis2-directive',
          name: 'NIS 2 Directive',
          associated_at: since,
          progress: { total: 25, to_do: 25, in_progress: 0, done: 0, not_applicable: 0 },
        },
      ],
      total: 2,
    });
  });
});

describe('GET …/workflows/{workflowid}', () => {
  test('has nothing that is not associated', async () => {
    for (const id of ['iso-27001-2022', 'nobody', '__proto__', '..%2f', '%00']) {
      expectError(await gateway.rest.get(path(`/${id}`), { token: testData.owner.token }), 404, [1004]);
    }
  });
});

describe('POST …/workflows', () => {
  test('answers 201 with the place of the workflow, and 200 when it was there', async () => {
    const organizationId = await bare();
    const first = await associate('iso-27018-2019', organizationId);
    expectStatus(first, 201);
    expect(first.headers.get('location')).toBe(pathOf(organizationId, '/iso-27018-2019'));
    const again = await associate('iso-27018-2019', organizationId);
    expectStatus(again, 200);
    expect(again.headers.get('location')).toBeNull();
    expect(again.body).toEqual(first.body);
  });

  test('knows nothing of a workflow that no catalogue has', async () => {
    for (const id of ['nobody', 'ISO-27001-2022', '__proto__', '', 'x'.repeat(300)]) {
      expectError(await associate(id), 404, [1004]);
    }
  });

  test('tells all errors of a body at once', async () => {
    const answer = await gateway.rest.post(path(), {
      token: testData.manager.token,
      body: { hue: 1, organization_id: 2 },
    });
    expectError(answer, 400, ['id is required', 'hue is not a known field', 'organization_id is not a known field']);
  });

  test('makes one association of many calls at once, and tells the others of it once', async () => {
    const organizationId = await bare();
    await join(gateway.app.database, testData.viewer, organizationId, 'VIEWER');
    const before = await titlesOf(gateway.app.database, testData.viewer);
    const answers = await Promise.all(Array.from({ length: 8 }, () => associate('iso-27001-2022', organizationId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    const { body } = await gateway.rest.get(pathOf(organizationId), { token: testData.manager.token });
    expect(body.total).toBe(1);
    expect((await titlesOf(gateway.app.database, testData.viewer)).slice(before.length)).toEqual(['Workflow taken up']);
  });
});

describe('DELETE …/workflows/{workflowid}', () => {
  test('keeps documents and states, which are there again afterwards', async () => {
    const organizationId = await bare();
    const token = testData.manager.token;
    await associate('iso-27001-2022', organizationId);
    const one = pathOf(organizationId, '/iso-27001-2022');
    const upload = { filename: 'p.txt', content: Buffer.from('policy').toString('base64'), content_type: 'text/plain' };
    expectStatus(await gateway.rest.post(`${one}/documents/A.5.1/versions`, { token, body: upload }), 201);
    await gateway.rest.call('PATCH', `${one}/controls/A.5.1`, { token, body: { status: 'DONE', note: 'Kept' } });
    const was = await gateway.rest.get(one, { token });

    const gone = await gateway.rest.call('DELETE', one, { token });
    expectStatus(gone, 200);
    expect(gone.body).toEqual(was.body);
    for (const rest of ['', '/controls', '/controls/A.5.1', '/progress']) {
      expectError(await gateway.rest.get(one + rest, { token }), 404, [1004]);
    }
    expectError(await gateway.rest.post(`${one}/documents/A.5.1/versions`, { token, body: upload }), 404, [1004]);
    expectError(await gateway.rest.call('DELETE', one, { token }), 404, [1004]);
    const versions = await gateway.rest.get(`${one}/documents/A.5.1/versions`, { token });
    expectExactly(await gateway.rest.get(`${one}/documents/A.5.1/versions?offset=10`, { token }), 200, {
      ...versions.body,
      data: [],
    });
    expectError(await gateway.rest.get(`${one}/documents/A.5.2/versions`, { token }), 404, [1004]);

    expectStatus(await associate('iso-27001-2022', organizationId), 201);
    expect((await gateway.rest.get(one, { token })).body.data.progress).toMatchObject({ done: 1 });
    expect((await gateway.rest.get(`${one}/controls/A.5.1`, { token })).body.data).toMatchObject({ note: 'Kept' });
    expectStatus(await gateway.rest.post(`${one}/documents/A.5.1/versions`, { token, body: upload }), 200);
  });
});

describe('GET …/workflows/{workflowid}/progress', () => {
  const history = (organizationId: number, query = '') =>
    gateway.rest.get(pathOf(organizationId, `/incident-readiness/progress${query}`), { token: testData.manager.token });

  test('has one entry for each day on which something changed, the last word of that day', async () => {
    const organizationId = await bare();
    const set = async (hours: number, id: string, status: string) => {
      clock.set(hours);
      const control = pathOf(organizationId, `/incident-readiness/controls/${id}`);
      expectStatus(await gateway.rest.call('PATCH', control, { token: testData.manager.token, body: { status } }), 200);
    };
    clock.set(0);
    await associate('incident-readiness', organizationId);
    const [first, third, fifth] = [0, 48, 96].map((hours) => day(clock.at(hours)));
    await set(48, 'IR-01', 'IN_PROGRESS');
    await set(48, 'IR-02', 'DONE');
    // A heading groups work and is none.
    await set(48, 'IR-PREP', 'DONE');
    await set(96, 'IR-01', 'DONE');
    const counts = { total: 19, to_do: 17, not_applicable: 0 };
    expectExactly(await history(organizationId), 200, {
      error: 0,
      messages: [],
      data: [
        { day: first, total: 19, to_do: 19, in_progress: 0, done: 0, not_applicable: 0 },
        { day: third, total: 19, to_do: 17, in_progress: 1, done: 1, not_applicable: 0 },
        { day: fifth, total: 19, to_do: 17, in_progress: 0, done: 2, not_applicable: 0 },
      ],
      total: 3,
    });
    // A range that begins between two changes begins with how it stood.
    const fourth = day(clock.at(72));
    expect((await history(organizationId, `?from=${fourth}&to=${fifth}`)).body.data).toMatchObject([
      { day: fourth, ...counts, in_progress: 1, done: 1 },
      { day: fifth, ...counts, in_progress: 0, done: 2 },
    ]);
    const before = day(clock.at(-48));
    expect((await history(organizationId, `?from=${before}&to=${before}`)).body.data).toEqual([]);
    clock.set(0);
  });

  test('refuses what is no day, an end before its beginning, and more than 366 days', async () => {
    const organizationId = await bare();
    await associate('incident-readiness', organizationId);
    expectError(await history(organizationId, '?from=2026-02-29&to=tomorrow'), 400, [
      'from must be a day of the calendar, such as 2026-01-31',
      'to must be a day of the calendar, such as 2026-01-31',
    ]);
    expectError(await history(organizationId, '?from=2026-03-02&to=2026-03-01'), 400, ['from must not be after to']);
    expectStatus(await history(organizationId, '?from=2025-01-01&to=2026-01-01'), 200);
    expectError(await history(organizationId, '?from=2025-01-01&to=2026-01-02'), 400, [
      'from and to must not be more than 366 days apart',
    ]);
  });

  test('reaches to both ends of the calendar', async () => {
    const organizationId = await bare();
    await associate('incident-readiness', organizationId);
    expect((await history(organizationId, '?to=0001-01-15')).body.data).toEqual([]);
    expectStatus(await history(organizationId, '?from=9999-12-31'), 200);
    const data = await gateway.graphql.data(
      `{ organizationWorkflow(organizationId: ${organizationId}, workflowId: "incident-readiness") { progressHistory(to: "0001-01-15") { days { day } } } }`,
      { token: testData.manager.token },
    );
    expect(data.organizationWorkflow).toEqual({ progressHistory: { days: [] } });
  });
});
