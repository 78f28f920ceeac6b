import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { publish, withdraw } from '../../src/services/trusted-documents/registry.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { follow, RawSocket, take, webSocketUrl } from '../support/live.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildToken } from '../support/test-data.js';
import { until } from '../support/until.js';

const VIEWER = 'query Viewer { viewer { user { username } } }';
const NAME = 'query Name($id: ID!) { organization(id: $id) { name } }';
const RENAME = `mutation Rename($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) { organization { name } } }`;
const TOKEN = `mutation Token($input: CreateApiTokenInput!) {
  createApiToken(input: $input) { token apiToken { id scopes } } }`;
const ROTATE = 'mutation Rotate($input: RotateApiTokenInput!) { rotateApiToken(input: $input) { token } }';
const SCIM = 'mutation Scim($input: CreateScimTokenInput!) { createScimToken(input: $input) { token } }';
const ADDED =
  'subscription Added($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { title } }';
const PREVIEW = 'query Preview($input: InvitationPreviewInput!) { invitationPreview(input: $input) { __typename } }';
const ALL = [VIEWER, NAME, RENAME, TOKEN, ROTATE, SCIM, ADDED, PREVIEW];
/** A document that is not registered. */
const UNKNOWN = 'query Unknown { viewer { user { email } } }';

const { gateway, testData } = await startSeededGateway({ config: { introspection: 'token' } });
const { owner, organizationId } = testData;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const idOf = (text: string) => `sha256:${digest(text)}`;
const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: digest(text) } });
const rows = (...texts: string[]) => texts.map((text) => ({ sha256: digest(text), text, tokens: 20 }));
const { database } = gateway.app;

type Headers = Record<string, string>;
const as = (token: string): Headers => ({ 'x-service-token': token });
const post = (body: object, headers = as(owner.token), url = gateway.url) =>
  send(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const get = (parameters: Record<string, string>, headers = as(owner.token)) =>
  send(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`, { headers });

async function send(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, ...((await response.json()) as { data?: never; errors?: { message: string }[] }) };
}

const codeOf = ({ errors }: { errors?: object[] }) =>
  (errors?.[0] as { extensions: { code: string } } | undefined)?.extensions.code;

const IS_VIEWER = { status: 200, data: { viewer: { user: { username: owner.username } } } };
const NOT_FOUND = {
  status: 200,
  errors: [
    {
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', messages: ['PersistedQueryNotFound'] },
    },
  ],
};

describe('before any document is registered', () => {
  test.each([
    ['documentId', { documentId: idOf(VIEWER) }],
    ['extensions', { extensions: persisted(VIEWER) }],
  ])('an id in %s is answered in a way that makes clients send texts alone', async (_form, body) => {
    for (const headers of [as(owner.token), {}, as('scp_wrong')]) {
      const answer = await post(body, headers);
      expect(answer.errors?.[0]?.message).toBe('PersistedQueryNotSupported');
      expect([answer.status, codeOf(answer)]).toEqual([200, 'PERSISTED_QUERY_NOT_SUPPORTED']);
    }
  });
});

describe('a registered document', () => {
  beforeAll(async () => {
    await publish(database, { application: 'web', label: '1' }, rows(...ALL));
    await until('it is registered', async () => (await post({ documentId: idOf(VIEWER) })).errors === undefined);
  });

  test('runs by its id in a body, in both forms, beside its text, and with an operation name', async () => {
    for (const body of [
      { documentId: idOf(VIEWER) },
      { extensions: persisted(VIEWER) },
      { documentId: idOf(VIEWER), extensions: persisted(VIEWER), query: VIEWER, operationName: 'Viewer' },
      { extensions: { ...persisted(VIEWER), clientLibrary: { name: '@apollo/client' } }, query: '' },
    ])
      expect(await post(body)).toEqual(IS_VIEWER);
  });

  test('runs by its id in an address, with variables', async () => {
    expect(await get({ documentId: idOf(VIEWER) })).toEqual(IS_VIEWER);
    expect(await get({ extensions: JSON.stringify(persisted(VIEWER)), operationName: 'Viewer' })).toEqual(IS_VIEWER);
    const variables = JSON.stringify({ id: String(organizationId) });
    const answer = await get({ documentId: idOf(NAME), variables });
    expect(answer.data).toMatchObject({ organization: { name: 'First Organization' } });
  });

  test('changes something by POST, and is refused by GET as every mutation is', async () => {
    const variables = { input: { organizationId: String(organizationId), name: 'Renamed' } };
    const refused = await get({ documentId: idOf(RENAME), variables: JSON.stringify(variables) });
    expect([refused.status, codeOf(refused)]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const headers = { ...as(owner.token), 'idempotency-key': '"rename"' };
    const renamed = await post({ documentId: idOf(RENAME), variables }, headers);
    expect(renamed.data).toEqual({ updateOrganization: { organization: { name: 'Renamed' } } });
    // The text is the same request as the id.
    expect(await post({ query: RENAME, variables }, headers)).toEqual(renamed);
  });

  test('is counted and authorized as its text is', async () => {
    const variables = { input: { organizationId: String(organizationId), name: 'No' } };
    const answer = await post({ documentId: idOf(RENAME), variables }, as(testData.viewer.token));
    expect(codeOf(answer)).toBe('FORBIDDEN');
    expect(codeOf(await post({ documentId: idOf(VIEWER) }, {}))).toBe('UNAUTHENTICATED');
    // Documents that need no token need none by id.
    expect(codeOf(await post({ documentId: idOf(PREVIEW), variables: { input: { secret: 'inv_none' } } }, {}))).toBe(
      'NOT_FOUND',
    );
  });

  test.each(['WebSocket', 'SSE'] as const)('subscribes by its id over %s', async (transport) => {
    const [added] = await database.rows<{ id: number }>(
      `insert into notification (user_id, organization_id, title, message, type, action)
       values ($1, $2, 'By its id', '', 'SYSTEM', 'NONE') returning id`,
      [owner.id, organizationId],
    );
    for (const named of [{ documentId: idOf(ADDED) }, { extensions: persisted(ADDED) }]) {
      const variables = { afterDatabaseId: added!.id - 1 };
      const results = follow(gateway, transport, { query: '', variables, token: owner.token, named });
      expect(await take(results, 1)).toEqual([{ data: { notificationAdded: { title: 'By its id' } } }]);
      await results.return?.();
    }
  });

  test('by GET over SSE, and with an unknown id over both transports', async () => {
    const address = `${gateway.url}/graphql/stream?${new URLSearchParams({ documentId: idOf(UNKNOWN) })}`;
    const events = await fetch(address, { headers: as(owner.token) });
    expect(await events.text()).toContain('PersistedQueryNotFound');
    const socket = await RawSocket.as(webSocketUrl(gateway.url), owner.token);
    socket.send({ type: 'subscribe', id: '1', payload: { query: '', extensions: persisted(UNKNOWN) } });
    expect(await socket.message('error')).toMatchObject({ payload: NOT_FOUND.errors });
    socket.socket.close();
  });

  test('of an unknown id is answered as Apollo Server does, to every sender alike', async () => {
    for (const body of [{ documentId: idOf(UNKNOWN) }, { extensions: persisted(UNKNOWN) }])
      for (const headers of [as(owner.token), {}, as('scp_wrong')])
        expect(await post(body, headers)).toEqual(NOT_FOUND);
    expect(await get({ documentId: idOf(UNKNOWN) })).toEqual(NOT_FOUND);
    // It runs by its text, which does not register it.
    expect((await post({ extensions: persisted(UNKNOWN), query: UNKNOWN })).status).toBe(200);
    expect(await post({ documentId: idOf(UNKNOWN) })).toEqual(NOT_FOUND);
  });

  test.each([
    [
      'a text that is not the one of its id',
      { documentId: idOf(VIEWER), query: `${VIEWER} ` },
      /not the one that its id/,
    ],
    ['a text that is no text', { documentId: idOf(VIEWER), query: 5 }, /query must be a string/],
    ['an id of another kind', { documentId: digest(VIEWER) }, /documentId must be ..sha256:/],
    ['an id in upper case', { documentId: idOf(VIEWER).toUpperCase() }, /documentId must be/],
    ['a list as an id', { documentId: [idOf(VIEWER)] }, /documentId must be/],
    ['two ids', { documentId: idOf(VIEWER), extensions: persisted(NAME) }, /must name the same document/],
    [
      'another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: digest(VIEWER) } } },
      /version must be 1/,
    ],
    ['no hash', { extensions: { persistedQuery: true } }, /sha256Hash must be/],
  ])('is refused with %s', async (_what, body, sentence) => {
    const answer = await post(body);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_USER_INPUT']);
    expect(JSON.stringify(answer.errors)).toMatch(sentence);
  });

  test('is refused by GET where a parameter stands twice', async () => {
    const search = `documentId=${idOf(VIEWER)}&documentId=${idOf(NAME)}`;
    const answer = await send(`${gateway.url}/graphql?${search}`, { headers: as(owner.token) });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('that another version or application has as well outlives the one that is withdrawn', async () => {
    await publish(database, { application: 'mobile', label: '7' }, rows(NAME, UNKNOWN));
    const variables = { id: String(organizationId) };
    await until('it is registered', async () => (await post({ documentId: idOf(UNKNOWN) })).errors === undefined);
    expect(await withdraw(database, { application: 'mobile', label: '7' })).toBe(1);
    await until('it is withdrawn', async () => codeOf(await post({ documentId: idOf(UNKNOWN) })) !== undefined);
    expect(await post({ documentId: idOf(UNKNOWN) })).toEqual(NOT_FOUND);
    expect((await post({ documentId: idOf(NAME), variables })).errors).toBeUndefined();
  });
});

describe('other instances', () => {
  let other: TestGateway;
  beforeAll(async () => void (other = await startGateway({ database: gateway.database })));
  afterAll(() => other.close());

  test('run what is published, and no more what is withdrawn, without a restart', async () => {
    const body = { documentId: idOf(UNKNOWN) };
    const version = { application: 'web', label: '2' };
    const both = [gateway.url, other.url];
    for (const url of both) expect(codeOf(await post(body, as(owner.token), url))).toBe('PERSISTED_QUERY_NOT_FOUND');
    await publish(database, version, rows(UNKNOWN));
    for (const url of both)
      await until('it is registered', async () => (await post(body, as(owner.token), url)).errors === undefined);
    await withdraw(database, version);
    for (const url of both)
      await until('it is withdrawn', async () => (await post(body, as(owner.token), url)).errors !== undefined);
  });
});

describe('a token of the scope DOCUMENTS', () => {
  let token: string;
  beforeAll(async () => void (token = await buildToken(database, owner, { scopes: ['documents'] })));

  const REFUSED = /This token runs registered GraphQL documents, and reaches nothing else/;
  const expectRefused = (answer: { status: number; errors?: object[] }) => {
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    expect(JSON.stringify(answer)).toMatch(REFUSED);
  };

  test('reads and changes by registered documents what its user may', async () => {
    expect(await post({ documentId: idOf(VIEWER) }, as(token))).toEqual(IS_VIEWER);
    expect(await get({ documentId: idOf(VIEWER) }, as(token))).toEqual(IS_VIEWER);
    const variables = { input: { organizationId: String(organizationId), name: 'Again' } };
    expect((await post({ documentId: idOf(RENAME), variables }, as(token))).errors).toBeUndefined();
  });

  test('is refused with every text that is not registered, by every way to GraphQL', async () => {
    for (const body of [
      { query: UNKNOWN },
      { query: UNKNOWN, extensions: persisted(UNKNOWN) },
      { query: '{ __schema { description } }' },
    ])
      expectRefused(await post(body, as(token)));
    expectRefused(await get({ query: UNKNOWN }, as(token)));
    expectRefused(await post({ query: UNKNOWN }, { ...as(token), 'idempotency-key': '"k"' }));
    const long = `${UNKNOWN} # ${'x'.repeat(300_000)}`;
    expectRefused(await post({ query: long }, as(token)));
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: UNKNOWN }));
    form.set('map', '{}');
    expectRefused(await send(`${gateway.url}/graphql`, { method: 'POST', headers: as(token), body: form }));
    const text = 'subscription { notificationAdded { id } }';
    for (const transport of ['WebSocket', 'SSE'] as const) {
      const results = take(follow(gateway, transport, { query: text, token }), 1);
      const outcome = await results.then(JSON.stringify, (error: unknown) => JSON.stringify(error));
      expect(outcome).toMatch(REFUSED);
    }
    expect(await post({ documentId: idOf(UNKNOWN) }, as(token))).toEqual(NOT_FOUND);
  });

  test('is refused at REST, MCP, SCIM and the schema', async () => {
    const read = await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token });
    expect([read.status, read.body.messages[0]]).toEqual([403, 1003]);
    expect(read.text).toMatch(REFUSED);
    const mcp = await gateway.rest.call('POST', '/mcp', {
      token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect([mcp.status, mcp.text]).toEqual([403, expect.stringMatching(REFUSED)]);
    const scim = await fetch(`${gateway.url}/scim/v2/organizations/${organizationId}/Users`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(scim.status).toBe(401);
    const withToken = (each: string) => fetch(`${gateway.url}/schema.graphql`, { headers: as(each) });
    expect([(await withToken(owner.token)).status, (await withToken(token)).status]).toEqual([200, 401]);
  });

  test('makes no token that may do more, and rotates none', async () => {
    const make = (scopes: string[], by = token) =>
      post({ documentId: idOf(TOKEN), variables: { input: { name: 'Made', scopes } } }, as(by));
    for (const scopes of [['READ'], ['READ', 'WRITE'], ['TELEMETRY']])
      expect(codeOf(await make(scopes))).toBe('FORBIDDEN');
    const directory = { documentId: idOf(SCIM), variables: { input: { organizationId, name: 'Directory' } } };
    expect(codeOf(await post(directory, as(token)))).toBe('FORBIDDEN');
    expect((await post(directory)).data).toMatchObject({ createScimToken: { token: expect.any(String) } });
    expect((await make(['DOCUMENTS'])).errors).toBeUndefined();
    const full = await make(['READ', 'WRITE'], owner.token);
    const { id } = (full.data as unknown as { createApiToken: { apiToken: { id: string } } }).createApiToken.apiToken;
    const rotated = await post({ documentId: idOf(ROTATE), variables: { input: { tokenId: id } } }, as(token));
    expect(codeOf(rotated)).toBe('FORBIDDEN');
  });

  test('is made with READ and WRITE, and goes alone', async () => {
    const make = (scopes: string[], by: string) =>
      post({ query: TOKEN, variables: { input: { name: 'Browser', scopes } } }, as(by));
    const made = await make(['DOCUMENTS'], owner.token);
    expect(made.data).toMatchObject({ createApiToken: { apiToken: { scopes: ['DOCUMENTS'] } } });
    const mixed = await make(['DOCUMENTS', 'READ'], owner.token);
    expect(JSON.stringify(mixed.errors)).toContain('scopes must not name DOCUMENTS beside another scope');
    expect(codeOf(await make(['DOCUMENTS'], testData.tokens.writeOnly))).toBe('FORBIDDEN');
  });

  test('runs nothing that was withdrawn, by its text either', async () => {
    const version = { application: 'web', label: '3' };
    await publish(database, version, rows(UNKNOWN));
    await until(
      'it is registered',
      async () => (await post({ documentId: idOf(UNKNOWN) }, as(token))).errors === undefined,
    );
    expect((await post({ query: UNKNOWN }, as(token))).errors).toBeUndefined();
    await withdraw(database, version);
    await until('it is withdrawn', async () => (await post({ query: UNKNOWN }, as(token))).errors !== undefined);
    expectRefused(await post({ query: UNKNOWN }, as(token)));
  });
});
