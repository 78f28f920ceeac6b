import { beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { fingerprint } from '../fuzz/answers.js';
import { samples } from '../support/sample-files.js';
import { provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildIncident, buildPerson, buildToken, buildWorkflow, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;
const { organizationId, owner } = testData;
let incidentId: number;

beforeAll(async () => {
  await buildWorkflow(database, organizationId, 'nis2-directive');
  incidentId = await buildIncident(database, organizationId);
});

interface Sent {
  method?: string;
  path: string;
  type: string;
  body: Buffer;
}

const json = (path: string, body: object, type = 'application/json'): Sent => ({
  ...{ path, type, body: Buffer.from(JSON.stringify(body)) },
});

async function form(path: string, parts: Record<string, string | File>, method = 'POST'): Promise<Sent> {
  const data = new FormData();
  for (const [name, part] of Object.entries(parts)) data.set(name, part);
  const made = new Response(data);
  return { method, path, type: made.headers.get('content-type')!, body: Buffer.from(await made.arrayBuffer()) };
}

const fileOf = ({ filename, contentType, bytes }: (typeof samples)['TXT']) =>
  new File([Buffer.from(bytes)], filename, { type: contentType });

/** Sends all but the last bytes, which follow when `finish` is called. Resolves when the gateway has the head. */
async function begin({ method = 'POST', path, type, body }: Sent, headers: Record<string, string>) {
  const { hostname, port } = new URL(gateway.url);
  const head = {
    ...{ 'content-type': type, 'content-length': String(body.length), expect: '100-continue' },
    ...{ 'apollo-require-preflight': '1', accept: 'application/json, text/event-stream' },
    ...headers,
  };
  const request = httpRequest({ hostname, port, method, path, headers: head, agent: false });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.subarray(0, -8));
  return async () => {
    request.on('error', () => undefined).end(body.subarray(-8));
    const [response] = await answered;
    return { status: response.statusCode, text: await textOf(response) };
  };
}

const ARCHIVE = zip([
  { name: 'manifest.json', content: JSON.stringify({ documents: [{ path: 'a.txt', control_id: '21.2.a' }] }) },
  { name: 'a.txt', content: 'Sent slowly' },
]);
const incident = { title: 'Sent slowly', severity: 'LOW', description: 'x'.repeat(2_000) };
const OPEN = 'mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident { id } } }';
const NAME = '{ viewer { user { username } } }';
const UPLOAD =
  'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } openIncident(input: { organizationId: ORGANIZATION, title: "Behind it", severity: LOW }) { incident { id } } }';
const upload = { workflowId: 'nis2-directive', artifactId: '21.2.a' };
const versions = (id: number) =>
  `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/documents/21.2.a/versions`;
const withOrganization = (document: string, id: number) => document.replace('ORGANIZATION', String(id));

/** One request for each way of reading a body. */
const REQUESTS: Readonly<Record<string, () => Sent | Promise<Sent>>> = {
  'JSON of REST': () => json(`/api/v1/v-ciso/incidents/${organizationId}`, incident),
  'JSON of REST that is one statement': () =>
    json('/api/v1/organizations', { name: 'Sent slowly', description: 'x'.repeat(2_000) }),
  'a body of a path that takes none': () => json(`/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/reopen`, {}),
  'a document as JSON': () =>
    json(versions(organizationId), { filename: 'a.txt', content: Buffer.alloc(200_000, 'text ').toString('base64') }),
  'a document in a form': () => form(versions(organizationId), { file: fileOf(samples.TXT) }),
  'a document that is URL-encoded': () => ({
    ...{ path: versions(organizationId), type: 'application/x-www-form-urlencoded' },
    body: Buffer.from('filename=a.txt&content=dGV4dCB0ZXh0IHRleHQ'),
  }),
  'an attachment': () =>
    form(`/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/attachments`, { file: fileOf(samples.TXT) }),
  'a logo': () => form(`/api/v1/organizations/${organizationId}/logo`, { logo: fileOf(samples.PNG) }, 'PUT'),
  'an organization with its logo': () =>
    form('/api/v1/organizations', { 'data[name]': 'Sent slowly', logo: fileOf(samples.PNG) }),
  'a table': () => ({
    ...{ path: `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/controls/import` },
    ...{ type: 'text/csv', body: Buffer.from('id,note\n20.1,Sent slowly\n') },
  }),
  'an archive': () => ({
    ...{ path: `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/documents/import` },
    ...{ type: 'application/zip', body: ARCHIVE },
  }),
  'an archive of GraphQL': () =>
    form('/graphql', {
      operations: JSON.stringify({
        query: 'mutation ($input: ImportDocumentsInput!) { importDocuments(input: $input) { rows { outcome } } }',
        variables: { input: { organizationId, workflowId: 'nis2-directive', file: null } },
      }),
      map: JSON.stringify({ file: ['variables.input.file'] }),
      file: new File([Buffer.from(ARCHIVE)], 'documents.zip', { type: 'application/zip' }),
    }),
  'JSON of GraphQL': () => json('/graphql', { query: OPEN, variables: { input: { organizationId, ...incident } } }),
  'large JSON of GraphQL': () =>
    json('/graphql', {
      query: withOrganization(UPLOAD, organizationId),
      variables: {
        input: {
          organizationId,
          ...upload,
          filename: 'a.txt',
          content: Buffer.alloc(1_000_000, 'text ').toString('base64'),
        },
      },
    }),
  'a form of GraphQL': () =>
    form('/graphql', {
      operations: JSON.stringify({
        query: withOrganization(UPLOAD, organizationId),
        variables: { input: { organizationId, ...upload, file: null } },
      }),
      map: JSON.stringify({ file: ['variables.input.file'] }),
      file: fileOf(samples.TXT),
    }),
  'a query of GraphQL': () => json('/graphql', { query: NAME }),
  'a query of GraphQL in a form': () => form('/graphql', { operations: JSON.stringify({ query: NAME }), map: '{}' }),
  'a message of MCP': () =>
    json('/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'open_incident', arguments: { organizationId, ...incident } },
    }),
};

async function revoked({ id, token }: Pick<Person, 'id' | 'token'>): Promise<void> {
  const [row] = await database.rows<{ id: number }>('select id from api_token where user_id = $1 order by id desc', [
    id,
  ]);
  await gateway.rest.delete(`/api/v1/tokens/${row!.id}`, { token });
  await until(async () => (await gateway.rest.get('/api/v1/token', { token })).status === 401);
}

describe('a request whose token is revoked while its body is sent is refused, and changes nothing:', () => {
  test.each(Object.keys(REQUESTS))('%s', async (name) => {
    const token = await buildToken(database, owner, {});
    // It is cached from here on, so that it is accepted as soon as the head arrives.
    await gateway.rest.get('/api/v1/token', { token });
    const finish = await begin(await REQUESTS[name]!(), { 'x-service-token': token });
    await revoked({ id: owner.id, token });
    const before = await fingerprint(database);
    const { status, text } = await finish();
    expect([status, text]).toEqual([401, expect.anything()]);
    expect(await fingerprint(database)).toBe(before);
  });

  test('JSON of SCIM', async () => {
    const { directory, domain } = await provisionedOrganization(gateway);
    const path = `${new URL(directory.url).pathname}/Users`;
    const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: `slow@${domain}` };
    const finish = await begin(json(path, user, 'application/scim+json'), {
      authorization: `Bearer ${directory.token}`,
    });
    await database.rows('update scim_token set revoked_at = now()');
    const before = await fingerprint(database);
    expect((await finish()).status).toBe(401);
    expect(await fingerprint(database)).toBe(before);
  });
});

describe('a file whose sender loses the right to it while it is sent is refused, and nothing is stored:', () => {
  const DOCUMENTS = ['a document as JSON', 'a document in a form', 'an attachment', 'a form of GraphQL'];
  const OF_ROWS = ['a table', 'an archive', 'an archive of GraphQL'];
  test.each([...DOCUMENTS, ...OF_ROWS])('%s', async (name) => {
    const person = await buildPerson(database, 'leaving');
    await join(database, person, organizationId, 'SECURITY_ANALYST');
    const header = { 'x-service-token': person.token };
    await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token: person.token });
    const finish = await begin(await REQUESTS[name]!(), header);
    const member = `/api/v1/organizations/${organizationId}/users/${person.id}`;
    await gateway.rest.delete(member, { token: owner.token });
    // Members are notified of it.
    await Promise.all((['events', 'notifications', 'mails'] as const).map((each) => settled(database, each)));
    const before = await fingerprint(database);
    const { status, text } = await finish();
    expect([status, text]).toEqual([
      name.endsWith('GraphQL') ? 200 : 404,
      expect.not.stringMatching(/"(?:created|outcome)"/),
    ]);
    expect(await fingerprint(database)).toBe(before);
  });
});
