import { expect, test } from '@jest/globals';
import { sha256Of } from '../support/bytes.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { samples } from '../support/sample-files.js';
import { buildIncident } from '../support/test-data.js';
import { dataTwice } from '../support/twice.js';

const { gateway, testData } = await startSeededGateway();
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);

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
