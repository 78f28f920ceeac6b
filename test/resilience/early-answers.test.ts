import { describe, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';

const MEBIBYTE = 1024 * 1024;
const BOUNDARY = 'the-line-between-the-parts';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const JSON_TYPE = 'application/json';
const URLENCODED = 'application/x-www-form-urlencoded';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);

interface Sent {
  method?: string;
  path: string;
  token?: string;
  type?: string;
  headers?: string[];
  beginning?: string;
}

const part = (name: string, content: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const filePart = part('0', 'begun', '; filename="notes.txt"').trimEnd();

function graphqlForm(organizationId: number, map: object = { 0: ['variables.input.file'] }): string {
  const query = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }`;
  const input = { organizationId, workflowId: 'nis2-directive', artifactId: '21.2.a', file: null };
  return (
    part('operations', JSON.stringify({ query, variables: { input } })) + part('map', JSON.stringify(map)) + filePart
  );
}

const { organizationId } = testData;
const owner = testData.owner.token;
const versions = `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/documents/21.2.c/versions`;
const attachments = `/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/attachments`;
const foreign = testData.userWithoutOrganization.token;

const requests: Record<string, Sent> = {
  'a GraphQL form into a foreign organization': {
    path: '/graphql',
    token: foreign,
    type: FORM,
    beginning: graphqlForm(organizationId),
  },
  'a GraphQL form whose operation is not valid': {
    path: '/graphql',
    token: owner,
    type: FORM,
    beginning: part('operations', '{"query":"{ nothing }"}') + part('map', '{}') + filePart,
  },
  'a GraphQL form whose operation needs no file': {
    path: '/graphql',
    token: owner,
    type: FORM,
    beginning: part('operations', '{"query":"{ __typename }"}') + part('map', '{}') + filePart,
  },
  'a GraphQL form without an operation': { path: '/graphql', token: owner, type: FORM, beginning: filePart },
  'a GraphQL form whose map is no JSON': {
    path: '/graphql',
    token: owner,
    type: FORM,
    beginning: part('operations', '{"query":"{ __typename }"}') + part('map', '{') + filePart,
  },
  'a GraphQL form without a token': {
    path: '/graphql',
    type: FORM,
    headers: ['Apollo-Require-Preflight: 1'],
    beginning: graphqlForm(organizationId),
  },
  'a GraphQL form that any page could send': {
    path: `/graphql?X-Service-Token=${owner}`,
    type: FORM,
    beginning: graphqlForm(organizationId),
  },
  'a GraphQL form with a wrong token': {
    path: '/graphql',
    token: 'scp_wrong',
    type: FORM,
    beginning: graphqlForm(organizationId),
  },
  'a large GraphQL operation without a token': { path: '/graphql', type: JSON_TYPE, beginning: '{"query":"' },
  'a GraphQL operation that is too large': { path: '/graphql', token: owner, type: JSON_TYPE, beginning: '{"query":"' },
  'a GraphQL operation of an unknown media type': {
    path: '/graphql',
    token: owner,
    type: 'text/plain',
    beginning: '{',
  },
  'an urlencoded GraphQL operation': { path: '/graphql', token: owner, type: URLENCODED, beginning: 'query=' },
  'another method of GraphQL': { method: 'PUT', path: '/graphql', token: owner, type: JSON_TYPE },
  'OPTIONS of GraphQL with a body': { method: 'OPTIONS', path: '/graphql', token: owner, type: JSON_TYPE },
  'a GraphQL query by GET with a body': {
    method: 'GET',
    path: '/graphql?query=%7B__typename%7D',
    token: owner,
    type: JSON_TYPE,
  },
  'a subscription as a form': {
    path: '/graphql/stream',
    token: owner,
    type: FORM,
    beginning: graphqlForm(organizationId),
  },
  'a subscription that is too large': {
    path: '/graphql/stream',
    token: owner,
    type: JSON_TYPE,
    beginning: '{"query":"',
  },
  'a subscription by another method': { method: 'DELETE', path: '/graphql/stream', token: owner, type: JSON_TYPE },
  'a document without a token': { path: versions, type: FORM, beginning: filePart },
  'a document with a wrong token': { path: versions, token: 'scp_wrong', type: FORM, beginning: filePart },
  'a document into a foreign organization': { path: versions, token: foreign, type: FORM, beginning: filePart },
  'a document of an unknown media type': { path: versions, token: owner, type: 'text/plain' },
  'a document with two contents': {
    path: versions,
    token: owner,
    type: FORM,
    beginning: part('content', 'YQ==') + part('content', 'YQ==') + filePart,
  },
  'a document whose urlencoded form is too large': {
    path: versions,
    token: owner,
    type: URLENCODED,
    beginning: `filename=${'a'.repeat(400_000)}&content=`,
  },
  'a document that is no JSON': { path: versions, token: owner, type: JSON_TYPE, beginning: 'nothing' },
  'an attachment of another name': {
    path: attachments,
    token: owner,
    type: FORM,
    beginning: part('image', 'x', '; filename="a.txt"') + filePart,
  },
  'an organization that is too large': {
    path: '/api/v1/organizations',
    token: owner,
    type: JSON_TYPE,
    beginning: '{"name":"',
  },
  'an organization of an unknown media type': { path: '/api/v1/organizations', token: owner, type: 'text/plain' },
  'a REST list with a body': { method: 'GET', path: '/api/v1/notifications', token: owner, type: JSON_TYPE },
  'a REST path that does not exist': { path: '/api/v1/nothing', token: owner, type: JSON_TYPE },
  'another method of a REST path': { method: 'PUT', path: '/api/v1/notifications', token: owner, type: JSON_TYPE },
  'OPTIONS of a REST path with a body': { method: 'OPTIONS', path: '/api/v1/notifications', type: JSON_TYPE },
  'HEAD of the OpenAPI document with a body': { method: 'HEAD', path: '/api/v1/openapi.json', type: JSON_TYPE },
  'a form for the start page': { path: '/', type: URLENCODED },
  'a form for the reference': { path: '/docs', type: FORM, beginning: filePart },
  'a form for a page that does not exist': { path: '/nothing', type: FORM, beginning: filePart },
  'a form for an invitation': { path: '/invitation', type: URLENCODED },
  'a form for an unsubscribe link without a signature': { path: '/unsubscribe?a=b', type: URLENCODED },
  'a form for the health check': { path: '/health/live', type: FORM, beginning: filePart },
};

/** Sends a whole body of four megabytes, however early the response arrives, and then a second request. */
async function exchange(
  { method = 'POST', path, token, type, headers = [], beginning = '' }: Sent,
  framing: 'length' | 'chunks',
) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const received = collect(socket);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: gateway',
    ...(token === undefined ? [] : [`X-Service-Token: ${token}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    framing === 'length' ? `Content-Length: ${4 * MEBIBYTE}` : 'Transfer-Encoding: chunked',
    ...headers,
  ];
  const body = Buffer.concat([Buffer.from(beginning), Buffer.alloc(4 * MEBIBYTE - Buffer.byteLength(beginning), 'x')]);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (framing === 'length') socket.write(body);
  else
    socket.write(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]));
  socket.write('GET /health/live HTTP/1.1\r\nHost: gateway\r\nX-Request-Id: second-request\r\n\r\n');
  await received.until((text, isOver) => isOver || text.includes('second-request'));
  socket.destroy();
  return received.text();
}

function collect(socket: Socket) {
  let text = '';
  let isOver = false;
  let look = () => undefined as void;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    look();
  });
  // A connection that is closed while the client sends may be reset, once the answer has been read.
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isOver = true;
      look();
    });
  return {
    text: () => text,
    until: (isDone: (text: string, isOver: boolean) => boolean) =>
      new Promise<void>((resolve) => {
        look = () => void (isDone(text, isOver) && resolve());
        look();
      }),
  };
}

describe('a request that is answered before its body was read leaves no connection on which the next one waits', () => {
  // Several at a time: most of them take as long as the gateway reads on.
  test.concurrent.each(Object.entries(requests))('%s', async (_what, sent) => {
    await Promise.all(
      (['length', 'chunks'] as const).map(async (framing) => {
        const text = await exchange(sent, framing);
        expect(text).toMatch(/^HTTP\/1\.1 \d{3} /);
        const [head = ''] = text.split('\r\n\r\n', 1);
        // Either the client knows that the connection ends, or its next request has a response.
        const isSafe = /^connection: close$/im.test(head) || text.includes('second-request');
        expect({ framing, head, isSafe }).toMatchObject({ isSafe: true });
      }),
    );
  });
});

test.each([
  ['POST', '/graphql'],
  ['POST', '/graphql/stream'],
  ['POST', '/mcp'],
  ['PATCH', '/api/v1/profile'],
])('a body that is declared too large is refused before any of it comes: %s %s', async (method, path) => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const received = collect(socket);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: gateway', `X-Service-Token: ${owner}`];
  socket.write([...head, `Content-Type: ${JSON_TYPE}`, 'Content-Length: 1000000000000', '', ''].join('\r\n'));
  await received.until((text, isOver) => isOver || text.includes('\r\n'));
  socket.destroy();
  expect(received.text()).toMatch(/^HTTP\/1\.1 400 /);
});
