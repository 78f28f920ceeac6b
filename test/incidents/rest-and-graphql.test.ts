import { beforeAll, describe, expect, test } from '@jest/globals';
import { sha256Of } from '../support/bytes.js';
import type { Answer, Envelope } from '../support/clients.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { expectExactly, multipart, pagingCases, type Part } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { buildReport } from '../support/seeded-organization.js';
import { buildIncident } from '../support/test-data.js';
import { dataTwice } from '../support/twice.js';

let incident: number;

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  const { database } = gateway.app;
  incident = await buildIncident(database, testData.organizationId);
  await buildReport(database, incident);
  for (let count = 0; count < 2; count += 1) {
    await buildIncident(database, testData.organizationId);
    expectData(await send(file()), 201);
  }
});

const root = () => `/api/v1/v-ciso/incidents/${testData.organizationId}`;
const by = (body?: object) => ({ token: testData.analyst.token, ...(body && { body }) });
const file = (content = 'x'): Part => ({ name: 'file', filename: 'a.txt', type: 'text/plain', content });
const attachments = () => `${root()}/${incident}/attachments`;
const send = (...parts: Part[]) => gateway.rest.post(attachments(), { ...by(), ...multipart(parts) });

describe.each(['', '/reports', '/attachments'])('GET /api/v1/v-ciso/incidents/… %s', (tail) => {
  pagingCases((query) => gateway.rest.get(`${root()}${tail && `/${incident}${tail}`}?${query}`, by()));
});

test('the list of incidents refuses unknown filters and orders with every error at once', async () => {
  expectError(await gateway.rest.get(`${root()}?status=GONE&severity=low&significant=1&sort=title`, by()), 400, [
    'sort must be one of aware_at, -aware_at, created_at, -created_at, severity, -severity, updated_at, -updated_at',
    'status must be one of OPEN, CONTAINED, RESOLVED, CLOSED',
    'severity must be one of LOW, MEDIUM, HIGH, CRITICAL',
    'significant must be true or false',
  ]);
});

test('an unknown status is answered with those that a change may send', async () => {
  expectError(await gateway.rest.patch(`${root()}/${incident}`, by({ status: 'GONE' })), 400, [
    'status must be one of OPEN, CONTAINED, RESOLVED',
  ]);
});

test('a new incident has its address in Location', async () => {
  const answer = await gateway.rest.post(root(), by({ title: 'x', severity: 'LOW' }));
  const data = expectData(answer, 201);
  expectExactly(answer, 201, { error: 0, messages: [], data });
  expect(answer.headers.get('location')).toBe(`${root()}/${data.id}`);
});

test('a body with an id of the path is refused', async () => {
  for (const [answer, field] of [
    [await gateway.rest.post(root(), by({ title: 'x', severity: 'LOW', organization_id: 1 })), 'organization_id'],
    [await gateway.rest.patch(`${root()}/${incident}`, by({ incident_id: 1 })), 'incident_id'],
    [
      await gateway.rest.post(
        `${root()}/${incident}/reports`,
        by({ regime_id: 'nis2', stage: 'NOTIFICATION', incident_id: 1 }),
      ),
      'incident_id',
    ],
  ] as const)
    expectError(answer, 400, [`${field} is not a known field`]);
});

test('PATCH without a body changes nothing', async () => {
  const before = expectData(await gateway.rest.get(`${root()}/${incident}`, by()));
  expect(expectData(await gateway.rest.patch(`${root()}/${incident}`, by()))).toEqual(before);
});

test('a report is not found by an unknown stage', async () => {
  for (const stage of ['early_warning', 'LAST']) {
    const body = { sent_at: null, reason: 'Wrong' };
    const answer = await gateway.rest.patch(`${root()}/${incident}/reports/nis2/${stage}`, {
      token: testData.officer.token,
      body,
    });
    expectError(answer, 404, [1004]);
  }
});

describe('POST …/attachments answers “Invalid data provided”', () => {
  const body = (type: string, content: string) =>
    gateway.rest.post(attachments(), { ...by(), headers: { 'content-type': type }, body: content });
  const count = async () => (await gateway.rest.get(attachments(), by())).body.total;

  test.each<[string, () => Promise<Answer<Envelope>>]>([
    ['no parts', () => send()],
    ['no part of that name', () => send({ ...file(), name: 'content' })],
    ['a text instead of a file', () => send({ name: 'file', content: 'x' })],
    ['two files', () => send(file('x'), file('y'))],
    ['a field beside the file', () => send(file(), { name: 'note', content: 'x' })],
    ['a field before the file', () => send({ name: 'note', content: 'x' }, file())],
    ['JSON', () => body('application/json', JSON.stringify({ filename: 'a.txt', content: 'QQ==' }))],
    ['a form of text', () => body('application/x-www-form-urlencoded', 'file=x')],
    ['a form without a boundary', () => body('multipart/form-data', 'x')],
    [
      'a form that breaks off',
      () =>
        body(
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx',
        ),
    ],
    ['no body', () => gateway.rest.post(attachments(), by())],
  ])('to %s', async (_, attempt) => {
    const before = await count();
    expectError(await attempt(), 400, ['Invalid data provided']);
    expect(await count()).toBe(before);
  });
});

describe('in GraphQL', () => {
  let incidentId: number;

  beforeAll(async () => {
    incidentId = await buildIncident(gateway.app.database, testData.organizationId);
  });

  test('the types of an incident are named, and a page without files has no cursor', async () => {
    const query = `query ($organizationId: ID!, $id: ID!) { incident(organizationId: $organizationId, id: $id) {
      __typename clock { __typename } attachments { totalCount nodes { filename } pageInfo { endCursor } } } }`;
    const variables = { organizationId: testData.organizationId, id: incidentId };
    expect(await dataTwice(gateway.graphql, query, { token: testData.viewer.token, variables })).toEqual({
      incident: {
        __typename: 'Incident',
        clock: { __typename: 'IncidentClock' },
        attachments: { totalCount: 0, nodes: [], pageInfo: { endCursor: null } },
      },
    });
  });

  test('an attached file shows its hash and who attached it', async () => {
    const FIELDS = '__typename id: databaseId sha256 createdBy { username }';
    const { filename: name, contentType: type, bytes } = samples.PNG;
    const { body } = await gateway.graphql.upload(
      `mutation ($input: UploadIncidentAttachmentInput!) { uploadIncidentAttachment(input: $input) { attachment { ${FIELDS} } } }`,
      { input: { organizationId: testData.organizationId, incidentId, file: null } },
      'variables.input.file',
      { name, type, bytes },
      testData.analyst.token,
    );
    const { attachment } = body.data.uploadIncidentAttachment;
    expect(attachment).toEqual({
      __typename: 'IncidentAttachment',
      id: expect.any(Number),
      sha256: sha256Of(bytes),
      createdBy: { username: testData.analyst.username },
    });
    const read = await dataTwice(gateway.graphql, `query ($id: ID!) { incidentAttachment(id: $id) { ${FIELDS} } }`, {
      token: testData.viewer.token,
      variables: { id: attachment.id },
    });
    expect(read).toEqual({ incidentAttachment: attachment });
  });
});
