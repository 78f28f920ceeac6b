import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { HttpLink } from '@apollo/client/link/http';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cacheExchange, Client, fetchExchange, stringifyDocument } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { print } from 'graphql';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import relay from 'relay-runtime';
import { documents } from '../../src/app/documents-command.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildToken } from '../support/test-data.js';
import { until } from '../support/until.js';

const ROOT = resolve(import.meta.dirname, '../..');
const { gateway, testData } = await startSeededGateway();
const { owner } = testData;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const VIEWER = { viewer: { user: { username: owner.username } } };

let folder: string;
/** Only registered documents run: each successful response shows that its document was registered. */
let token: string;
beforeAll(async () => {
  // Ignored by Git, and inside the project, so that what is generated finds its packages.
  await mkdir(join(import.meta.dirname, 'generated'), { recursive: true });
  folder = await mkdtemp(join(import.meta.dirname, 'generated/documents-'));
  token = await buildToken(gateway.app.database, owner, { scopes: ['documents'] });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Publishes the manifest of a client's build. */
async function publish(application: string, manifest: string): Promise<void> {
  const file = join(folder, `${application}.json`);
  await writeFile(file, manifest);
  const env = { DATABASE_URL: gateway.database.url, DATA_DIR: folder, SECRET_KEY: gateway.config.secretKey };
  let written = '';
  const terminal = { write: (text: string) => (written += text) };
  const args = ['publish', file, '--app', application, '--app-version', '1'];
  expect([await documents(args, env, { stdout: terminal, stderr: terminal }), written]).toEqual([0, expect.anything()]);
  const [text = ''] = [manifest.match(/[0-9a-f]{64}/)?.[0]];
  const { registeredDocuments } = gateway.app.services;
  await until('it is registered', async () => (await registeredDocuments.find(text)) !== undefined);
}

/** The request of a client, beside its use of the response. */
class Wire {
  readonly sent: { method: string; hasText: boolean; status: number }[] = [];

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { method, url } = new Request(input, init);
    const hasText = /\bquery Viewer\b|query%20Viewer|query\+Viewer/.test(`${String(init.body)} ${url}`);
    const headers = { ...(init.headers as Record<string, string>), 'X-Service-Token': token };
    const response = await fetch(input, { ...init, headers });
    this.sent.push({ method, hasText, status: response.status });
    return response;
  };
}

describe('Apollo Client', () => {
  const cache = new InMemoryCache();
  const document = gql('query Viewer { viewer { user { username } } }');
  const body = print(cache.transformDocument(document));
  const operations = [{ id: sha256(body), name: 'Viewer', type: 'query', body }];
  const clientFor = (wire: Wire, useGETForHashedQueries: boolean) => {
    const link = createPersistedQueryLink({ sha256, useGETForHashedQueries });
    const http = new HttpLink({ uri: `${gateway.url}/graphql`, fetch: wire.fetch });
    return new ApolloClient({ cache, link: link.concat(http), queryDeduplication: false });
  };

  test.each(['GET', 'POST'])('runs by %s what the manifest of its documents has', async (method) => {
    await publish('apollo', JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    const wire = new Wire();
    const { data } = await clientFor(wire, method === 'GET').query({ query: document, fetchPolicy: 'network-only' });
    expect(data).toMatchObject(VIEWER);
    expect(wire.sent).toEqual([{ method, hasText: false, status: 200 }]);
  });

  test('sends the text of what is not registered, which a token of the scope DOCUMENTS may not', async () => {
    const wire = new Wire();
    const client = clientFor(wire, false);
    const query = gql('query Viewer { viewer { user { email } } }');
    await expect(client.query({ query, fetchPolicy: 'network-only' })).rejects.toThrow(/registered GraphQL documents/);
    expect(wire.sent).toMatchObject([
      { hasText: false, status: 200 },
      { hasText: true, status: 403 },
    ]);
    // After one unknown document the client still sends ids.
    await client.query({ query: document, fetchPolicy: 'network-only' });
    expect(wire.sent).toHaveLength(3);
  });
});

test('urql runs registered documents with its persisted exchange', async () => {
  const wire = new Wire();
  const client = new Client({
    url: `${gateway.url}/graphql`,
    exchanges: [
      cacheExchange,
      persistedExchange({ enforcePersistedQueries: true, enableForMutation: true }),
      fetchExchange,
    ],
    fetch: wire.fetch as typeof fetch,
  });
  const query = gql('query Viewer { viewer { user { username } } }');
  const text = stringifyDocument(gql('query Viewer { viewer { user { username __typename } __typename } }'));
  await publish('urql', JSON.stringify({ [sha256(text)]: text }));
  const { data, error } = await client.query(query, {});
  expect(error).toBeUndefined();
  expect(data).toMatchObject(VIEWER);
  expect(wire.sent).toEqual([{ method: 'GET', hasText: false, status: 200 }]);
});

/** As relay-compiler 21.0.1 writes it with `persistConfig: { file, algorithm: 'SHA256' }`. */
const RELAY = {
  d9b499f15087c1656029f662e4f680ed207d58ee54e59391668341fbd3877255:
    'query programViewerQuery {\n  viewer {\n    user {\n      username\n      ...programUser_user\n      id\n    }\n  }\n}\n\nfragment programUser_user on User {\n  email\n}\n',
};

test('Relay runs registered documents by the ids that its compiler has given them', async () => {
  await publish('relay', JSON.stringify(RELAY));
  const [id] = Object.keys(RELAY);
  const network = relay.Network.create(async (request, variables) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': token },
      body: JSON.stringify({ documentId: `sha256:${request.id}`, variables }),
    });
    return (await response.json()) as { data: object };
  });
  const params = {
    id: id!,
    cacheID: id!,
    text: null,
    name: 'programViewerQuery',
    operationKind: 'query',
    metadata: {},
  };
  const answer = await network.execute(params as never, {}, {}, null).toPromise();
  expect(answer).toMatchObject({ data: VIEWER });
});

test('what the client preset of GraphQL Code Generator writes is published, and run by the ids in its documents', async () => {
  const config = {
    schema: join(ROOT, 'schema.graphql'),
    documents: [join(folder, 'program.ts')],
    generates: {
      [`${folder}/gql/`]: {
        preset: 'client',
        presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' }, fragmentMasking: false },
        config: { documentMode: 'string' },
      },
    },
  };
  await writeFile(join(folder, 'codegen.json'), JSON.stringify(config));
  const tag = "import { graphql } from './gql/gql';\n";
  await writeFile(
    join(folder, 'program.ts'),
    `${tag}export const Viewer = graphql(\`query Viewer { viewer { user { username } } }\`);\n`,
  );
  const codegen = join(ROOT, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  await promisify(execFile)(process.execPath, [codegen, '--config', 'codegen.json'], { cwd: folder });
  const manifest = await readFile(join(folder, 'gql/persisted-documents.json'), 'utf8');
  await publish('codegen', manifest);
  const { ViewerDocument } = (await import(pathToFileURL(join(folder, 'gql/graphql.ts')).href)) as {
    ViewerDocument: { __meta__: { hash: string } };
  };
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Service-Token': token },
    body: JSON.stringify({ documentId: ViewerDocument.__meta__.hash }),
  });
  expect(await response.json()).toMatchObject({ data: VIEWER });
});
