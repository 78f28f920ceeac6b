import { describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType, isScalarType, type GraphQLObjectType } from 'graphql';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { selectsSecrets } from '../../src/http/compression.js';
import { rawRequest, type RawAnswer } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildNotifications, buildThreatBlocker } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { organizationId, owner } = testData;
const { database } = gateway.app;
for (let n = 0; n < 30; n += 1) await buildIncident(database, organizationId);
await buildNotifications(database, owner, organizationId, 30);
for (let n = 0; n < 30; n += 1) await buildThreatBlocker(database, organizationId);
await database.rows(`update organization set description = repeat('Words. ', 500) where id = $1`, [organizationId]);

const INCIDENTS = `/api/v1/v-ciso/incidents/${organizationId}`;
const ORGANIZATION = `/api/v1/organizations/${organizationId}`;
const NOTIFICATIONS = '/api/v1/notifications';

type Headers = Record<string, string>;
const send = (method: string, path: string, headers: Headers = {}, body?: string) =>
  rawRequest(gateway.url, method, path, {
    headers: { 'X-Service-Token': owner.token, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
const get = (path: string, encoding?: string, headers: Headers = {}) =>
  send('GET', path, { ...(encoding !== undefined && { 'accept-encoding': encoding }), ...headers });
const graphql = (query: string, encoding = 'gzip, br', variables = {}) =>
  send('POST', '/graphql', { 'accept-encoding': encoding }, JSON.stringify({ query, variables }));

function textOf({ headers, bytes }: RawAnswer): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

const PLACES: [name: string, read: (encoding?: string) => Promise<RawAnswer>][] = [
  ['a list through REST', (encoding) => get(INCIDENTS, encoding)],
  ['a list that has a tag', (encoding) => get(NOTIFICATIONS, encoding)],
  ['a record with a version', (encoding) => get(ORGANIZATION, encoding)],
  [
    'an answer through GraphQL',
    (encoding = '') =>
      graphql(`{ organization(id: ${organizationId}) { incidents { nodes { id title createdAt } } } }`, encoding),
  ],
  [
    'a query in an address',
    (encoding) => get(`/graphql?query={organization(id:${organizationId}){description}}`, encoding, CROSS),
  ],
  ['the interface description', (encoding) => get('/api/v1/openapi.json', encoding)],
];
const CROSS = { 'apollo-require-preflight': 'true' };

describe.each(PLACES)('%s', (_name, read) => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
  ])('to a client that takes %j comes as %j, with the same content', async (taken, encoding) => {
    const plain = await read();
    const answer = await read(taken);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(textOf(answer)).toBe(plain.text);
    if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });
});

describe.each([
  ['a list as a table', `${INCIDENTS}?format=csv`],
  ['an audit trail', `/api/v1/organizations/${organizationId}/audit-trail.csv`],
])('%s, which is made while it is sent', (_name, path) => {
  test.each([
    [undefined, undefined],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0', undefined],
  ])('to a client that takes %j comes as %j, with the same content', async (taken, encoding) => {
    const [first] = (await get(path)).text.split('\r\n');
    const answer = await get(path, taken);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect([answer.headers.etag, answer.headers['content-length']]).toEqual([undefined, undefined]);
    const text = textOf(answer);
    expect(text.split('\r\n').length).toBeGreaterThan(2);
    expect(text.startsWith(first!)).toBe(true);
    if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(text.length);
    const head = await send('HEAD', path, { 'accept-encoding': taken ?? '' });
    expect([head.bytes.length, head.headers['content-encoding']]).toEqual([0, encoding]);
  });
});

test('an answer to HEAD has the headers of the one to GET, and no body', async () => {
  for (const path of [INCIDENTS, NOTIFICATIONS, ORGANIZATION]) {
    const [whole, head] = [await get(path, 'gzip'), await send('HEAD', path, { 'accept-encoding': 'gzip' })];
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'content-type'])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
  }
});

test('a short answer is sent as it is, and does not vary', async () => {
  const answer = await get('/api/v1/tokens?limit=1', 'gzip');
  expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).toEqual([200, undefined, 'Accept']);
});

describe('a tag', () => {
  test.each([NOTIFICATIONS, ORGANIZATION, '/api/v1/options'])(
    'of %s is another one in each encoding, and each of them is current',
    async (path) => {
      const tags = [];
      for (const encoding of ['identity', 'gzip', 'br']) tags.push((await get(path, encoding)).headers.etag ?? '');
      expect(new Set(tags).size).toBe(3);
      for (const tag of tags)
        for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
          const answer = await get(path, 'gzip', { 'if-none-match': sent });
          expect([sent, answer.status, answer.headers.etag, answer.text]).toEqual([sent, 304, tag, '']);
        }
      for (const other of ['"other"', '"other-gzip"', `${tags[0]?.slice(0, -1)}-zip"`])
        expect((await get(path, 'gzip', { 'if-none-match': other })).status).toBe(200);
    },
  );

  test('of a compressed answer is taken as If-Match, until the record has changed', async () => {
    let employees = 1;
    const change = (tag: string) =>
      send('PATCH', ORGANIZATION, { 'if-match': tag }, JSON.stringify({ number_employees: (employees += 1) }));
    for (const encoding of ['gzip', 'br']) {
      const { etag = '' } = (await get(ORGANIZATION, encoding)).headers;
      expect(etag).toMatch(new RegExp(`^"\\d+-${encoding}"$`));
      expect((await change(etag)).status).toBe(200);
      for (const stale of [etag, etag.replace(encoding, 'zip')]) expect((await change(stale)).status).toBe(412);
    }
  });
});

/**
 * Excluded: published signatures of checkpoints, keys of report fields, and addresses of texts, portals and objects.
 */
const NO_SECRETS = [
  ...['chainSignature', 'hasSecret', 'key', 'portalUrl', 'previousSecretUntil', 'signature', 'sourceUrl'],
  'url',
];

describe('not compressed', () => {
  const padding = 'x'.repeat(3_000);
  const expectPlain = (answer: RawAnswer, status = 200) => {
    expect([answer.status, answer.headers['content-encoding']]).toEqual([status, undefined]);
    expect(answer.bytes.length).toBeGreaterThan(2_048);
  };

  test('is a response with a new token, also under an alias', async () => {
    const query = `mutation ($input: CreateApiTokenInput!) { ${'a'.repeat(2_100)}: createApiToken(input: $input) { x: token } }`;
    const answer = await graphql(query, 'gzip, br', { input: { name: 'n', scopes: ['READ'] } });
    expect(answer.text).toContain('"scp_');
    expectPlain(answer);
  });

  test('are keys of devices and signed addresses, through both APIs', async () => {
    expectPlain(await get('/api/v1/atb', 'gzip'));
    expectPlain(await graphql('{ threatBlockers { nodes { id key: atbKey } } }'));
    expectPlain(await graphql(`{ ${'d'.repeat(2_100)}: documentVersion(id: 1) { downloadUrl } }`));
  });

  test('is any field with the name of a secret, but for those that are none', () => {
    const fields = Object.values(gateway.app.executor.schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap((type) => Object.values((type as GraphQLObjectType).getFields()))
      .filter(
        ({ name, type }) => isScalarType(getNamedType(type)) && /token$|secret|key$|url$|signature|config/i.test(name),
      );
    const names = new Set(fields.map(({ name }) => name));
    expect([...names].filter((name) => !selectsSecrets(`{ ${name} }`)).toSorted()).toEqual(NO_SECRETS);
  });

  test('are errors, which name what was sent', async () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`${padding.slice(0, 60)}${n}`, 1])),
    );
    const answer = await send('POST', '/api/v1/organizations', { 'accept-encoding': 'gzip' }, body);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([400, undefined]);
  });

  test('are workbooks, tables with keys of devices, and all data of a person', async () => {
    for (const path of [`${INCIDENTS}?format=xlsx`, '/api/v1/atb?format=csv', '/api/v1/profile/export'])
      expectPlain(await get(path, 'gzip'));
  });
});

test('a client that disconnects while its response is compressed affects no other', async () => {
  const { hostname, port } = new URL(gateway.url);
  const request = `GET ${INCIDENTS} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Service-Token: ${owner.token}\r\nAccept-Encoding: br\r\n\r\n`;
  for (let n = 0; n < 20; n += 1)
    await new Promise<void>((gone) => {
      const socket = connect(Number(port), hostname, () => socket.write(request, () => socket.destroy()));
      socket.once('close', () => gone());
    });
  expect(textOf(await get(INCIDENTS, 'br'))).toContain('"error":0');
});
