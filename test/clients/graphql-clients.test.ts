import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { HttpLink } from '@apollo/client/link/http';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { describe, expect, test } from '@jest/globals';
import { Client, fetchExchange } from '@urql/core';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { createHash } from 'node:crypto';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildWorkflow } from '../support/test-data.js';

const VIEWER = 'query Viewer { viewer { user { username } } }';
const UPLOAD = `mutation Upload($input: UploadDocumentVersionInput!) {
  uploadDocumentVersion(input: $input) { created documentVersion { filename size } } }`;

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

/** The request of a client, beside its use of the response. */
class Wire {
  readonly sent: { method: string; url: string; type: string; status: number }[] = [];

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input, init);
    const response = await fetch(input, init);
    const type = request.headers.get('content-type')?.split(';')[0] ?? '';
    this.sent.push({ method: request.method, url: request.url, type, status: response.status });
    return response;
  };
}

const upload = (artifactId: string) => ({
  input: {
    organizationId: testData.organizationId,
    workflowId: 'nis2-directive',
    artifactId,
    file: new File([`# Notes on ${artifactId}`], 'notes.md', { type: 'text/markdown' }),
  },
});

const token = () => ({ 'X-Service-Token': testData.owner.token });

describe('@urql/core with its defaults', () => {
  const clientFor = (wire: Wire, headers: Record<string, string> = {}, search = '') =>
    new Client({
      url: `${gateway.url}/graphql${search}`,
      exchanges: [fetchExchange],
      fetch: wire.fetch as typeof fetch,
      fetchOptions: { headers },
    });

  test('is answered when it sends a query by GET with the token as a header', async () => {
    const wire = new Wire();
    const { data, error } = await clientFor(wire, token()).query(VIEWER, {});
    expect(error).toBeUndefined();
    expect(data).toEqual({ viewer: { user: { username: testData.owner.username } } });
    expect(wire.sent).toMatchObject([{ method: 'GET', status: 200 }]);
  });

  test('uploads a file with the token as a header', async () => {
    const wire = new Wire();
    const { data, error } = await clientFor(wire, token()).mutation(UPLOAD, upload('21.2.a'));
    expect(error).toBeUndefined();
    expect(data.uploadDocumentVersion).toMatchObject({ created: true, documentVersion: { filename: 'notes.md' } });
    expect(wire.sent).toMatchObject([{ method: 'POST', type: 'multipart/form-data', status: 200 }]);
  });

  test('is refused by GET and by multipart with the token in the address, as a foreign page could send both', async () => {
    const wire = new Wire();
    const client = clientFor(wire, {}, `?X-Service-Token=${testData.owner.token}`);
    for (const result of [await client.query(VIEWER, {}), await client.mutation(UPLOAD, upload('21.2.b'))]) {
      expect(result.data).toBeUndefined();
      expect(result.error).toBeDefined();
    }
    expect(wire.sent).toMatchObject([
      { method: 'GET', status: 400 },
      { method: 'POST', type: 'multipart/form-data', status: 400 },
    ]);
  });

  test('is refused by GET without a token', async () => {
    const wire = new Wire();
    const { error } = await clientFor(wire).query('{ __typename }', {});
    expect(error).toBeDefined();
    expect(wire.sent).toMatchObject([{ method: 'GET', status: 400 }]);
  });
});

describe('Apollo Client with apollo-upload-client and its defaults', () => {
  const clientFor = (wire: Wire, headers: Record<string, string>, search = '') =>
    new ApolloClient({
      cache: new InMemoryCache(),
      link: new UploadHttpLink({ uri: `${gateway.url}/graphql${search}`, headers, fetch: wire.fetch }),
      clientAwareness: { name: 'tests', version: '1' },
    });

  test('is answered, and uploads a file, with the token as a header', async () => {
    const wire = new Wire();
    const client = clientFor(wire, token());
    const { data } = await client.query<{ viewer: object }>({ query: gql(VIEWER) });
    expect(data?.viewer).toMatchObject({ user: { username: testData.owner.username } });
    const uploaded = await client.mutate<Record<string, object>>({
      mutation: gql(UPLOAD),
      variables: upload('21.2.c'),
    });
    expect(uploaded.data?.['uploadDocumentVersion']).toMatchObject({ created: true });
    expect(wire.sent).toMatchObject([
      { method: 'POST', type: 'application/json', status: 200 },
      { method: 'POST', type: 'multipart/form-data', status: 200 },
    ]);
  });

  test('has the code of a refusal, whether it was refused for its token or for its document', async () => {
    const errorOf = (headers: Record<string, string>, query: string) =>
      clientFor(new Wire(), headers)
        .query({ query: gql(query) })
        .catch((error: unknown) => (CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['code'] : error));
    expect(await errorOf({}, VIEWER)).toBe('UNAUTHENTICATED');
    expect(await errorOf({ 'X-Service-Token': 'scp_wrong' }, VIEWER)).toBe('UNAUTHENTICATED');
    expect(await errorOf(token(), '{ nothing }')).toBe('BAD_USER_INPUT');
  });

  test('has no upload accepted with the token in the address', async () => {
    const wire = new Wire();
    const client = clientFor(wire, {}, `?X-Service-Token=${testData.owner.token}`);
    await expect(client.mutate({ mutation: gql(UPLOAD), variables: upload('21.2.d') })).rejects.toThrow();
    expect(wire.sent).toMatchObject([{ method: 'POST', type: 'multipart/form-data', status: 400 }]);
  });
});

describe('Apollo Client with persisted queries', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const send = (body: object, headers: Record<string, string>) =>
    gateway.rest.call('POST', '/graphql', { body, headers });

  test.each(['GET', 'POST'])('sends the whole query once its hash was refused, by %s', async (method) => {
    const wire = new Wire();
    const http = new HttpLink({ uri: `${gateway.url}/graphql`, headers: token(), fetch: wire.fetch });
    const useGETForHashedQueries = method === 'GET';
    const link = createPersistedQueryLink({ sha256, useGETForHashedQueries }).concat(http);
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const { data } = await client.query<{ viewer: object }>({ query: gql(VIEWER) });
    expect(data?.viewer).toMatchObject({ user: { username: testData.owner.username } });
    expect(wire.sent).toMatchObject([
      { method, status: 200 },
      { method: 'POST', status: 200 },
    ]);
  });

  test('has a hash refused alike for every sender, so that it sends the query', async () => {
    const body = { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(VIEWER) } } };
    const key = { 'idempotency-key': '"of-a-hash"' };
    for (const headers of [token(), {}, { 'X-Service-Token': 'scp_wrong' }, { ...token(), ...key }]) {
      const answer = await send(body, headers as Record<string, string>);
      expect(answer.body).toEqual({
        errors: [
          {
            message: 'PersistedQueryNotSupported',
            extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', messages: ['PersistedQueryNotSupported'] },
          },
        ],
      });
      expect(answer.status).toBe(200);
    }
  });
});
