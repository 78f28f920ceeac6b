import { beforeAll, expect, test } from '@jest/globals';
import { subscribe } from 'node:diagnostics_channel';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { until } from '../support/until.js';
import { uploadText } from '../resilience/support/evidence.js';
import { someoneWaits } from '../support/lock-waits.js';
import { RawSocket } from '../support/live.js';
import { expectStatus } from '../support/matchers.js';
import { openFilesBelow } from '../support/open-files.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';

const MEBIBYTE = 1024 * 1024;
const BOUNDARY = 'the-line-between-the-parts';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const JSON_TYPE = 'application/json';

interface Line {
  level: string;
  msg: string;
  requestId?: string;
}
const logged: Line[] = [];
const log = pino(
  { level: 'debug', formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => void logged.push(JSON.parse(line)) },
);
const { gateway, testData } = await startSeededGateway({ log });
const { organizationId } = testData;
await buildWorkflow(gateway.app.database, organizationId);
const incidentId = await buildIncident(gateway.app.database, organizationId);
const owner = testData.owner.token;
const base = '/api/v1/v-ciso';
const artifact = `${base}/organizations/${organizationId}/workflows/iso-27001-2022/documents/A.5.1`;

/** Requests that the server has begun to handle. */
const begun = new Set<unknown>();
subscribe('http.server.request.start', (message) =>
  begun.add((message as { request: IncomingMessage }).request.headers['x-request-id']),
);

interface Sent {
  method?: string;
  path: string;
  token?: string;
  type?: string;
  /** Part of the announced body; all of it is sent when absent. */
  announced?: number;
  body?: string;
}

const part = (name: string, content: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const fileBegun = (name: string) => part(name, 'x'.repeat(100_000), '; filename="notes.txt"').trimEnd();
const operations = (place = organizationId) => {
  const input = { organizationId: place, workflowId: 'iso-27001-2022', artifactId: 'A.5.1', file: null };
  const query = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }`;
  return part('operations', JSON.stringify({ query, variables: { input } }));
};
const map = part('map', JSON.stringify({ 0: ['variables.input.file'] }));
const content = 'QUJD'.repeat(20_000);
const jsonUpload = `{"query":"mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }","variables":{"input":{"organizationId":${organizationId},"workflowId":"iso-27001-2022","artifactId":"A.5.1","filename":"a.txt","content":"${content}`;
const many = '{ viewer { user { id name: firstName } } }';

const unfinished: Record<string, Sent> = {
  'a small JSON body of GraphQL': { path: '/graphql', type: JSON_TYPE, announced: 900, body: '{"query":"{ ' },
  'a JSON body of GraphQL without a token': {
    ...{ path: '/graphql', token: '', type: JSON_TYPE, announced: 900, body: '{"query":"{ ' },
  },
  'an upload in a JSON body of GraphQL': {
    ...{ path: '/graphql', type: JSON_TYPE, announced: 4 * MEBIBYTE, body: jsonUpload },
  },
  'a form of GraphQL in its operation': {
    ...{ path: '/graphql', type: FORM, announced: 4 * MEBIBYTE, body: operations().slice(0, -40) },
  },
  'a form of GraphQL before its file': {
    ...{ path: '/graphql', type: FORM, announced: 4 * MEBIBYTE, body: operations() + map },
  },
  'a form of GraphQL in its file': {
    ...{ path: '/graphql', type: FORM, announced: 4 * MEBIBYTE, body: operations() + map + fileBegun('0') },
  },
  'a form of GraphQL that is refused at once': {
    ...{ path: '/graphql', type: FORM, announced: 4 * MEBIBYTE, body: operations(999) + map + fileBegun('0') },
  },
  'a JSON body of REST': {
    ...{ path: `${base}/incidents/${organizationId}`, type: JSON_TYPE, announced: 900, body: '{"title":"' },
  },
  'a document as JSON': {
    ...{ path: `${artifact}/versions`, type: JSON_TYPE, announced: 4 * MEBIBYTE },
    body: `{"filename":"a.txt","content":"${content}`,
  },
  'a document as a form': {
    ...{ path: `${artifact}/versions`, type: FORM, announced: 4 * MEBIBYTE, body: fileBegun('file') },
  },
  'a document as a form of texts': {
    ...{ path: `${artifact}/versions`, type: 'application/x-www-form-urlencoded', announced: 4 * MEBIBYTE },
    body: `filename=a.txt&content=${content}`,
  },
  'an attachment': {
    ...{ path: `${base}/incidents/${organizationId}/${incidentId}/attachments`, type: FORM, announced: 4 * MEBIBYTE },
    body: fileBegun('file'),
  },
  'an organization with a logo': {
    ...{ path: '/api/v1/organizations', type: FORM, announced: MEBIBYTE, body: part('name', 'X') + fileBegun('logo') },
  },
  'a refused path with a body': { path: '/api/v1/nothing', type: JSON_TYPE, announced: MEBIBYTE, body: '{"a":' },
  'a form of a page': {
    ...{ path: '/unsubscribe?a=b', type: 'application/x-www-form-urlencoded', announced: 900, body: 'a=' },
  },
  'the body of an event stream': { path: '/graphql/stream', type: JSON_TYPE, announced: 900, body: '{"query":"' },
};

const get = (path: string): Sent => ({ method: 'GET', path });
const graphql = (query: string): Sent => ({ path: '/graphql', type: JSON_TYPE, body: JSON.stringify({ query }) });

const underWay: Record<string, Sent> = {
  'a list of REST': get('/api/v1/notifications'),
  'the OpenAPI document': get('/api/v1/openapi.json'),
  'a list as CSV': get(`${base}/incidents/${organizationId}?format=csv`),
  'a list as a workbook': get(`${base}/incidents/${organizationId}?format=xlsx`),
  'an audit trail': get(`/api/v1/organizations/${organizationId}/audit-trail.ndjson`),
  'an evidence pack': get(`${base}/organizations/${organizationId}/workflows/iso-27001-2022/evidence-pack`),
  'a page': get('/docs'),
  'a query': graphql(many),
  'a change': graphql(
    `mutation { openIncident(input: { organizationId: ${organizationId}, title: "Left", severity: LOW }) { incident { id } } }`,
  ),
  'an event stream': {
    path: '/graphql/stream',
    type: JSON_TYPE,
    body: JSON.stringify({ query: 'subscription { notificationAdded { id: databaseId title } }' }),
  },
  'a stored document': get(''),
  'a logo that is shown': get(''),
};

beforeAll(async () => {
  const uploaded = await uploadText(
    gateway.rest,
    { organizationId, artifactId: 'A.5.1', token: owner },
    'x'.repeat(MEBIBYTE),
  );
  expectStatus(uploaded, 201);
  const url = new URL((uploaded.body as { data: { download_url: string } }).data.download_url);
  underWay['a stored document'] = get(url.pathname + url.search);
  const made = await gateway.graphql.upload(
    'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { logo } } }',
    { input: { name: 'With logo', logoFile: null } },
    'variables.input.logoFile',
    { name: samples.WEBP.filename, type: samples.WEBP.contentType, bytes: samples.WEBP.bytes },
    owner,
  );
  underWay['a logo that is shown'] = get(new URL(made.body.data.createOrganization.organization.logo).pathname);
});

let number = 0;

/**
 * Sends the given part, and disconnects some milliseconds after the server has begun. Resolves when the request has
 * ended.
 */
async function leave({ method = 'POST', path, token = owner, type, body = '', announced }: Sent, after: number) {
  const id = `leaves-${(number += 1)}`;
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: gateway',
    `X-Request-Id: ${id}`,
    ...(token === '' ? [] : [`X-Service-Token: ${token}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${announced ?? Buffer.byteLength(body)}`]),
  ];
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await until(`the server begins with ${path}`, async () => begun.has(id));
  if (after > 0) await sleep(after);
  if (number % 2 === 0) socket.destroy();
  else socket.resetAndDestroy();
  await until(`the end of ${path}`, async () =>
    logged.some(({ msg, requestId }) => msg === 'request' && requestId === id),
  );
}

const errors = () => logged.filter(({ level }) => level === 'error' || level === 'fatal');

test.each(Object.entries({ ...unfinished, ...underWay }))(
  'a client that leaves during %s is no error of ours',
  async (what) => {
    const sent = { ...unfinished, ...underWay }[what] as Sent;
    for (const after of [0, 0, 0, 1, 2, 5, 10, 20, 50]) await leave(sent, after);
    await gateway.settled();
    expect(errors()).toEqual([]);
  },
);

test('clients that leave while the database is waited for are no errors of ours', async () => {
  const title = `{ "title": "Left", "severity": "LOW" }`;
  const incidents = `${base}/incidents/${organizationId}`;
  const waiting: Sent[] = [
    ...['a change', 'a list as CSV', 'a list as a workbook'].map((what) => underWay[what] as Sent),
    get(incidents),
    { path: incidents, type: JSON_TYPE, body: title },
    { path: `${incidents}/${incidentId}/attachments`, type: FORM, body: `${fileBegun('file')}\r\n--${BOUNDARY}--\r\n` },
    { path: '/graphql', type: FORM, body: `${operations()}${map}${fileBegun('0')}\r\n--${BOUNDARY}--\r\n` },
    { path: `${artifact}/versions`, type: FORM, body: `${fileBegun('file')}\r\n--${BOUNDARY}--\r\n` },
    graphql(`{ organization(id: ${organizationId}) { incidents(first: 10) { nodes { id title } } } }`),
  ];
  const client = new Client({ connectionString: gateway.database.url });
  await client.connect();
  try {
    await client.query('begin; lock table incident, document_version in access exclusive mode');
    const left = waiting.map((sent) => leave(sent, 100));
    await sleep(200);
    await client.query('commit');
    await Promise.all(left);
  } finally {
    await client.end();
  }
  await gateway.settled();
  expect(errors()).toEqual([]);
});

test('clients that leave in the middle of a long file are no errors of ours', async () => {
  await gateway.app.database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, created_at, icon, href)
     select $1, $2, 'Title', repeat('long ', 1000), 'SYSTEM', 'OPEN', now(), '', '' from generate_series(1, 2500) n`,
    [testData.owner.id, organizationId],
  );
  for (const format of ['csv', 'xlsx'])
    for (const after of [20, 100, 300]) await leave(get(`/api/v1/notifications?format=${format}`), after);
  expect(errors()).toEqual([]);
});

test('a client that leaves a WebSocket is no error of ours', async () => {
  const socketUrl = `${gateway.url.replace('http', 'ws')}/graphql`;
  const query = 'subscription { notificationAdded { id: databaseId title } }';
  const opened = await RawSocket.open(socketUrl);
  opened.send({ type: 'connection_init', payload: { 'X-Service-Token': owner } });
  opened.socket.terminate();
  const subscribed = await RawSocket.as(socketUrl, owner);
  for (let id = 0; id < 10; id += 1) subscribed.send({ type: 'subscribe', id: `s${id}`, payload: { query } });
  subscribed.socket.terminate();
  const requesting = await RawSocket.as(socketUrl, owner);
  for (let id = 0; id < 10; id += 1) requesting.send({ type: 'subscribe', id: `q${id}`, payload: { query: many } });
  await sleep(2);
  requesting.socket.terminate();
  for (const { closed } of [opened, subscribed, requesting]) await closed;
  await gateway.settled();
  expect(errors()).toEqual([]);
});

test.each(['a stored document', 'a logo that is shown'])(
  'a client that leaves before %s begins leaves no file open',
  async (what) => {
    const sent = underWay[what] as Sent;
    await gateway.app.database.transaction(async (tx) => {
      await tx.rows('lock table document_version, organization in access exclusive mode');
      const left = leave(sent, 0);
      await someoneWaits(tx);
      await left;
    });
    expectStatus(await gateway.rest.get(sent.path), 200);
    await until(
      `every file of ${gateway.dataDir} is closed`,
      async () => (await openFilesBelow(join(gateway.dataDir, 'files', 'blobs'))).length === 0,
    );
    // Node closes a leaked file at some time, with a warning.
    expect(warnings).toEqual([]);
  },
);

const warnings: string[] = [];
process.on('warning', ({ message }) => warnings.push(message));

test('a client that leaves before its archive begins leaves nothing open that could fail later', async () => {
  const { database } = gateway.app;
  // With a separate period: the same one again within a minute is not recorded, and waits for nothing.
  const pack = get(`${underWay['an evidence pack']?.path}?from=2026-01-01T00:00:00Z`);
  let left: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    await tx.rows('select from audit_log where organization_id = $1 for update', [organizationId]);
    left = leave(pack, 0);
    await someoneWaits(tx);
    await left;
    await rm(join(gateway.dataDir, 'files', 'blobs'), { recursive: true });
  });
  const id = `leaves-${number}`;
  await until('the archive is given up', async () =>
    logged.some(({ msg, requestId }) => msg === 'a file broke off' && requestId === id),
  );
  // For the same file: by then, the archive would have reached the missing file.
  expectStatus(await gateway.rest.get(pack.path, { token: owner }), 500);
  expect(errors().map(({ msg }) => msg)).toEqual(['unexpected error']);
});
