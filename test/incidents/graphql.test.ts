import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { sample, samples, type SampleFile } from '../support/sample-files.js';
import { buildIncident, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const READ = (fields: string) =>
  `query ($organizationId: ID!, $id: ID!) { incident(organizationId: $organizationId, id: $id) { ${fields} } }`;
const UPLOAD = `mutation ($input: UploadIncidentAttachmentInput!) { uploadIncidentAttachment(input: $input) {
  attachment { __typename id: databaseId filename contentType size sha256 createdBy { username } createdAt downloadUrl } } }`;

let gateway: TestGateway;
let testData: TestData;
let incidentId: number;
let foreignIncidentId: number;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  incidentId = await buildIncident(database, testData.organizationId);
  foreignIncidentId = await buildIncident(database, testData.otherOrganizationId);
});

afterAll(() => gateway?.close());

const read = async (fields: string, id = incidentId) => {
  const variables = { organizationId: testData.organizationId, id };
  return (await dataTwice(gateway.graphql, READ(fields), { token: testData.viewer.token, variables })).incident;
};

const list = async (args: string, fields: string) => {
  const query = `query ($id: ID!) { organization(id: $id) { incidents${args} { ${fields} } } }`;
  const variables = { id: testData.organizationId };
  return (await dataTwice(gateway.graphql, query, { token: testData.viewer.token, variables })).organization.incidents;
};

const attach = (file: SampleFile, where: object = {}) =>
  gateway.graphql.upload(
    UPLOAD,
    { input: { organizationId: testData.organizationId, incidentId, file: null, ...where } },
    'variables.input.file',
    { name: file.filename, type: file.contentType, bytes: file.bytes },
    testData.analyst.token,
  );

describe('an incident', () => {
  test('shows every field, and its clock exact to the second', async () => {
    await gateway.app.database.rows(
      `update incident set title = 'Breach', description = 'At length', severity = 'CRITICAL', status = 'CONTAINED',
              aware_at = '2026-01-31T10:20:30.400Z', created_at = '2026-01-31T11:00:00Z', updated_at = '2026-02-01T00:00:00Z',
              early_warning_sent_at = '2026-02-01T09:00:00Z', early_warning_sent_by = 'ann',
              notification_sent_at = '2026-01-31T12:00:00Z', notification_sent_by = 'bob'
        where id = $1`,
      [incidentId],
    );
    const stage = '{ state dueAt sentAt sentBy { username } }';
    const incident = await read(
      `__typename id: databaseId organization { id: databaseId name logo } title description severity status awareAt significant createdAt updatedAt
       clock { __typename earlyWarning ${stage} notification ${stage} finalReport ${stage} }`,
    );
    expect(incident).toEqual({
      __typename: 'Incident',
      id: incidentId,
      organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
      title: 'Breach',
      description: 'At length',
      severity: 'CRITICAL',
      status: 'CONTAINED',
      awareAt: '2026-01-31T10:20:30.400Z',
      significant: true,
      createdAt: '2026-01-31T11:00:00.000Z',
      updatedAt: '2026-02-01T00:00:00.000Z',
      clock: {
        __typename: 'IncidentClock',
        earlyWarning: {
          state: 'SENT',
          dueAt: '2026-02-01T10:20:30.400Z',
          sentAt: '2026-02-01T09:00:00.000Z',
          sentBy: { username: 'ann' },
        },
        notification: {
          state: 'SENT',
          dueAt: '2026-02-03T10:20:30.400Z',
          sentAt: '2026-01-31T12:00:00.000Z',
          sentBy: { username: 'bob' },
        },
        // One month after 31 January is the last day of February.
        finalReport: { state: 'OVERDUE', dueAt: '2026-02-28T12:00:00.000Z', sentAt: null, sentBy: null },
      },
    });
  });

  test('whose notification was not sent has no date for its final report', async () => {
    const { database } = gateway.app;
    const id = await buildIncident(database, testData.organizationId);
    await database.rows(`update incident set aware_at = '2020-01-01T00:00:00Z' where id = $1`, [id]);
    const { clock } = await read('clock { notification { state sentAt } finalReport { state dueAt } }', id);
    expect(clock).toEqual({
      notification: { state: 'OVERDUE', sentAt: null },
      finalReport: { state: 'PENDING', dueAt: null },
    });
  });

  test('of another organization is absent like one that never was', async () => {
    const ask = (id: number) =>
      errorsTwice(gateway.graphql, READ('title'), {
        token: testData.owner.token,
        variables: { organizationId: testData.organizationId, id },
      });
    const never = await ask(2147483647);
    expect(never[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
    expect(await ask(foreignIncidentId)).toEqual(never);
  });
});

describe('the list', () => {
  test('has the incidents of the organization newest first, filtered by status and severity at once', async () => {
    const { database } = gateway.app;
    const id = await buildIncident(database, testData.organizationId);
    await database.rows(`update incident set severity = 'LOW', status = 'CLOSED' where id = $1`, [id]);
    const all = await list('', 'totalCount nodes { id: databaseId }');
    const ids = all.nodes.map((node: { id: number }) => node.id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    expect(ids).toEqual(expect.arrayContaining([id, incidentId]));
    expect(ids).not.toContain(foreignIncidentId);
    expect(all.totalCount).toBe(ids.length);
    const fields = 'totalCount nodes { id: databaseId severity status }';
    expect(await list('(filter: { severity: LOW, status: CLOSED })', fields)).toEqual({
      totalCount: 1,
      nodes: [{ id, severity: 'LOW', status: 'CLOSED' }],
    });
    expect(await list('(filter: { severity: LOW, status: OPEN })', fields)).toEqual({ totalCount: 0, nodes: [] });
    expect((await list('(filter: { status: CLOSED })', fields)).totalCount).toBe(1);
  });
});

describe('an attachment', () => {
  test('is stored with every field, and can be downloaded', async () => {
    const answer = await attach(samples.PNG);
    const { attachment } = answer.body.data.uploadIncidentAttachment;
    withStory(answer, () =>
      expect(attachment).toEqual({
        __typename: 'IncidentAttachment',
        id: expect.any(Number),
        filename: 'diagram.png',
        contentType: 'image/png',
        size: samples.PNG.bytes.length,
        sha256: createHash('sha256').update(samples.PNG.bytes).digest('hex'),
        createdBy: { username: testData.analyst.username },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        downloadUrl: expect.stringContaining(`${gateway.url}/api/v1/downloads/attachments/`),
      }),
    );
    const download = await fetch(attachment.downloadUrl);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(samples.PNG.bytes);
    const { incidentAttachment } = await dataTwice(
      gateway.graphql,
      'query ($id: ID!) { incidentAttachment(id: $id) { id: databaseId filename contentType size sha256 createdBy { username } createdAt } }',
      { token: testData.viewer.token, variables: { id: attachment.id } },
    );
    expect(attachment).toMatchObject(incidentAttachment);
  });

  test('is listed below its incident, newest first; the same file twice is there twice', async () => {
    const { database } = gateway.app;
    const id = await buildIncident(database, testData.organizationId);
    const before = await read('attachments { totalCount nodes { id: databaseId } pageInfo { endCursor } }', id);
    expect(before.attachments).toEqual({ totalCount: 0, nodes: [], pageInfo: { endCursor: null } });
    const ids: number[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { body } = await attach(samples.TXT, { incidentId: id });
      ids.push(body.data.uploadIncidentAttachment.attachment.id);
    }
    const { attachments } = await read('attachments { totalCount nodes { id: databaseId } }', id);
    expect(attachments).toEqual({ totalCount: 2, nodes: ids.toReversed().map((each) => ({ id: each })) });
  });

  test.each([
    ['an empty file', sample('empty.txt', 'text/plain', '')],
    ['a page', sample('page.html', 'text/html', '<html><script>1</script></html>')],
    ['a file that is not what it says', sample('a.png', 'image/png', 'text')],
  ])('refuses %s', async (_what, file) => {
    const answer = await attach(file);
    withStory(answer, () =>
      expect(answer.body.errors?.[0]?.extensions).toEqual({
        code: 'INVALID_DATA',
        messages: ['Invalid data provided'],
      }),
    );
  });

  test('goes to no incident of another organization', async () => {
    const { body } = await attach(samples.TXT, { incidentId: foreignIncidentId });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });
});
