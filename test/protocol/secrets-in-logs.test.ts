import { expect, test } from '@jest/globals';
import pino from 'pino';
import { createLogger } from '../../src/logger.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';
import { buildWorkflow } from '../support/test-data.js';

/** A whole token: its prefix and its 36 characters. */
const TOKEN = /scp_[0-9A-Za-z]{36}/;

const lines: string[] = [];
const log = createLogger('trace');
// The very logger of the gateway; only its lines go here instead of to the standard output.
Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) } });
const { gateway, testData } = await startSeededGateway({ log });

const logged = () => lines.join('');

test('no token is ever in a log: header, query, path, variables, document, errors', async () => {
  const { token } = testData.owner;
  const { graphql, app, url } = gateway;
  const path = (text: string) =>
    fetch(url + text, { headers: { 'apollo-require-preflight': '1', accept: 'application/json' } });
  await graphql.call('{ viewer { user { id: databaseId } } }', { token });
  await graphql.call('{ viewer { user { id: databaseId } } }', { token: `${token}x` });
  await path(`/graphql?X-Service-Token=${token}&query={__typename}`);
  await path(`/api/v1/notifications?X-Service-Token=${token}`);
  await path(`/api/v1/nothing?X-Service-Token=${token}`);
  await path(`/nothing?X-Service-Token=${token}`);
  await path(`/docs?X-Service-Token=${token}`);
  await path(`/api/v1/organizations/${token}/users`);
  await graphql.call(`query { workflow(id: "${token}") { name } }`, { token });
  await graphql.call('query ($id: ID!) { workflow(id: $id) { name } }', { token, variables: { id: token } });
  await graphql.call('query ($id: ID!) { organization(id: $id) { name } }', { token, variables: { id: token } });
  await graphql.call('mutation ($name: String!) { createApiToken(input: { name: $name }) { token } }', {
    token,
    variables: { name: token },
  });
  await graphql.call('{ viewer { user { id: databaseId', { token, variables: { token } });
  await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': token },
    body: '{',
  });
  // An error of our own, met with tokens at hand.
  await app.database.rows('alter table notification rename column title to titel');
  await path(`/graphql?X-Service-Token=${token}&query={notifications{nodes{title}}}`);
  await path(`/api/v1/notifications?X-Service-Token=${token}`);
  await graphql.call('query ($after: String) { notifications(after: $after) { nodes { title } } }', {
    token,
    variables: { after: null, more: token },
  });
  await app.database.rows('alter table notification rename column titel to title');
  await app.database.rows('alter table api_token add constraint refused check (name <> $$refused$$)');
  await graphql.call('mutation { createApiToken(input: { name: "refused" }) { token } }', { token });
  expect(lines.length).toBeGreaterThan(15);
  expect(logged()).toContain('unexpected error');
  expect(logged()).not.toMatch(TOKEN);
});

test('no digest of a token is in a log either', async () => {
  const [row] = await gateway.app.database.rows<{ digest: string }>('select digest from api_token where user_id = $1', [
    testData.owner.id,
  ]);
  expect(logged()).not.toContain(row?.digest);
  // Nor that of the token whose row the database refused.
  expect(logged()).not.toMatch(/\b[0-9a-f]{64}\b/);
});

test('a path is named in a log by its pattern and without its query', async () => {
  await gateway.rest.get('/api/v1/cloud-defender/123?X-Service-Token=abc', { token: testData.owner.token });
  const line = JSON.parse(lines.findLast((each) => each.includes('/cloud-defender/')) ?? '{}');
  expect(line).toMatchObject({
    route: 'GET /api/v1/cloud-defender/{id}',
    path: '/api/v1/cloud-defender/123',
    status: expect.any(Number),
  });
});

test('no token, signature or network address is in an audit trail: downloads and refusals', async () => {
  const { database } = gateway.app;
  const { organizationId, owner, viewer } = testData;
  await buildWorkflow(database, organizationId);
  const workflow = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022`;
  const body = { filename: 'notes.txt', content: btoa('notes'), content_type: 'text/plain' };
  const uploaded = await gateway.rest.post(`${workflow}/documents/A.5.1/versions`, { token: owner.token, body });
  const address = new URL(uploaded.body.data.download_url);
  const signature = address.searchParams.get('signature') as string;
  await fetch(`${address.href}&X-Service-Token=${viewer.token}`, { headers: { 'x-request-id': viewer.token } });
  await fetch(`${gateway.url}${workflow}/evidence-pack?X-Service-Token=${owner.token}`);
  await fetch(`${gateway.url}/api/v1/organizations/${organizationId}/audit-trail?X-Service-Token=${viewer.token}`);
  const actions = ['DOCUMENT_DOWNLOADED', 'EVIDENCE_PACK_DOWNLOADED', 'ACCESS_REFUSED'];
  const recorded = () =>
    database.rows<{ entry: string }>('select entry from audit_entry where action = any($1)', [actions]);
  await until(async () => (await recorded()).length === actions.length);
  const text = JSON.stringify(await recorded());
  expect(text).not.toMatch(TOKEN);
  expect(text).not.toContain(signature);
  expect(text).not.toContain('127.0.0.1');
});
