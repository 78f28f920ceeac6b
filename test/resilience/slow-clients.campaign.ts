import { afterEach, describe, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import pino from 'pino';
import { createLogger } from '../../src/logger.js';
import { testConfig } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import { until } from '../support/until.js';

const MEBIBYTE = 1024 * 1024;
const BOUNDARY = 'the-line-between-the-parts';

const lines: string[] = [];
const sockets: Socket[] = [];
const log = createLogger('info');
Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) } });
// Slow bodies are not refused here, so that only the number of slots counts.
const connections = { ...testConfig('', '').connections, bodyGraceSeconds: 600 };
const { gateway, testData } = await startSeededGateway({ log, config: { connections } });
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Begins a request with a body of two megabytes, and sends only the given part of it. */
function begin(path: string, token: string, type: string, beginning: string): Socket {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: gateway',
    `X-Service-Token: ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${2 * MEBIBYTE}`,
  ];
  socket.on('error', () => undefined).write(`${head.join('\r\n')}\r\n\r\n${beginning}`);
  return socket;
}

const part = (name: string, content: string, file = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}`;

/** A multipart upload of GraphQL, up to the middle of its file. */
function graphqlForm(): string {
  const query = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }`;
  const place = { organizationId: testData.organizationId, workflowId: 'nis2-directive', artifactId: '21.2.a' };
  const operations = JSON.stringify({ query, variables: { input: { ...place, file: null } } });
  const map = JSON.stringify({ 0: ['variables.input.file'] });
  return [part('operations', operations), part('map', map), part('0', 'begun', '; filename="notes.txt"')].join('\r\n');
}

/** An operation whose body exceeds the limit of every caller. */
const largeQuery = () =>
  gateway.graphql.call('query ($name: String!) { __type(name: $name) { name } }', {
    token: testData.owner.token,
    variables: { name: 'x'.repeat(MEBIBYTE) },
  });

describe('one user with sixteen slow connections', () => {
  test.each([
    ['large operations', 'application/json', () => '{"query":"'],
    ['multipart uploads', `multipart/form-data; boundary=${BOUNDARY}`, graphqlForm],
  ])('does not keep others from %s', async (_what, type, body) => {
    for (let count = 0; count < 16; count += 1) begin('/graphql', testData.userWithoutOrganization.token, type, body());
    // A connection is not enough: their callers must be authenticated, and the slots occupied.
    await new Promise((done) => setTimeout(done, 1_000));
    const answers = await Promise.all([largeQuery(), largeQuery(), largeQuery()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const file = { name: 'notes.md', type: 'text/markdown', bytes: Buffer.from('# Notes') };
    const uploaded = await gateway.graphql.upload(
      `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }`,
      {
        input: {
          organizationId: testData.organizationId,
          workflowId: 'nis2-directive',
          artifactId: '21.2.b',
          file: null,
        },
      },
      'variables.input.file',
      file,
      testData.owner.token,
    );
    expect(uploaded.body.errors).toBeUndefined();
  });

  test('takes no place when it leaves while it waits for one', async () => {
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 6; count += 1)
        begin('/graphql', testData.owner.token, 'application/json', '{"query":"');
      await new Promise((done) => setTimeout(done, 300));
      for (const socket of sockets.splice(0)) socket.destroy();
      await new Promise((done) => setTimeout(done, 300));
    }
    expect((await largeQuery()).status).toBe(200);
  });
});

describe('a client that leaves in the middle of its request', () => {
  const versions = () =>
    `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-directive/documents/21.2.c/versions`;
  const attachments = () => `/api/v1/v-ciso/incidents/${testData.organizationId}/${incidentId}/attachments`;
  const form = `multipart/form-data; boundary=${BOUNDARY}`;
  const file = part('file', 'begun', '; filename="notes.txt"');

  test.each<[what: string, path: () => string, type: string, beginning: () => string]>([
    ['a GraphQL operation', () => '/graphql', 'application/json', () => '{"query":"'],
    ['a GraphQL upload, before its operation is known', () => '/graphql', form, () => part('operations', '{"query"')],
    ['a GraphQL upload, in the middle of its file', () => '/graphql', form, graphqlForm],
    ['a subscription', () => '/graphql/stream', 'application/json', () => '{"query":"'],
    ['a REST body', () => '/api/v1/organizations', 'application/json', () => '{"name":"'],
    ['a document as base64', versions, 'application/json', () => '{"filename":"a.txt","content":"aGVs'],
    ['a document as multipart', versions, form, () => file],
    ['an attachment', attachments, form, () => file],
  ])('is no error in the log: %s', async (_what, path, type, beginning) => {
    lines.length = 0;
    const socket = begin(path(), testData.owner.token, type, beginning());
    // The gateway has read the sent part, and waits for more.
    await new Promise((done) => setTimeout(done, 500));
    socket.resetAndDestroy();
    await until('its request is over', () => lines.some((line) => line.includes('"aborted":true')));
    await new Promise((done) => setTimeout(done, 200));
    const levels = lines.map((line) => JSON.parse(line) as { level: string });
    expect(levels.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});
