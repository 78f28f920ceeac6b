import { afterAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { createLogger } from '../../src/logger.js';
import { Browser, startLyingProvider } from '../support/identity-providers.js';
import { startSharedReceiver } from '../support/receivers.js';
import { person, provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { until } from '../support/until.js';
import { buildWorkflow } from '../support/test-data.js';

/** A whole token: its prefix and its 36 characters. */
const TOKEN = /scp_[0-9A-Za-z]{36}/;

const lines: string[] = [];
const log = createLogger('trace');
// The logger of the gateway, with its lines collected here instead of on standard output.
Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) } });
const { gateway, testData } = await startSeededGateway({ log });
const provider = await startLyingProvider();
const receiver = await startSharedReceiver();
afterAll(() => provider.close());

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
  // An error of the gateway with tokens in its context.
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
  // Nor that of the token whose row the database rejected.
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

test('no secret of a sign-in, a directory or a webhook is in a log, a row, an event or a figure', async () => {
  const { app, rest, url } = gateway;
  const { database } = app;
  const { owner, directory, domain, organizationId } = await provisionedOrganization(gateway);
  const path = `/api/v1/organizations/${organizationId}`;
  const clientSecret = 'the secret of the client';
  await rest.post(`${path}/identity-providers`, {
    token: owner.token,
    body: { name: 'other', issuer: provider.issuer, client_id: 'gateway', client_secret: clientSecret, domains: [] },
  });
  await database.rows(
    `update identity_provider set issuer = $2, default_role = 'VIEWER' where organization_id = $1 and name <> 'other'`,
    [organizationId, provider.issuer],
  );
  // Sign-in in every way, with failures.
  const secrets = [clientSecret, directory.token, 'the-code', 'the-access-token', 'the-password', 'secret-path'];
  const browser = new Browser();
  for (const lie of [{ claims: { nonce: 'another' } }, { tokens: { id_token: 'no-token' } }, {}]) {
    const { url: at } = await browser.begin(url, domain);
    provider.nonce = at.searchParams.get('nonce')!;
    const state = at.searchParams.get('state')!;
    const claims = { sub: 's', email: `a@${domain}`, email_verified: true, ...lie.claims };
    provider.lie = { tokens: { access_token: 'the-access-token', ...lie.tokens }, claims };
    secrets.push(provider.nonce, state, browser.cookie(url, 'flow')!);
    await browser.request(`${url}/sign-in/callback?code=the-code&state=${state}`);
  }
  const session = browser.cookie(url, 'session')!;
  provider.lie = {};
  const logout = await provider.logoutToken({ sub: 's' });
  await browser.request(`${url}/sign-in/link`, { token: testData.owner.token });
  await browser.visit(`${url}/sign-in/token`, {});
  for (const logout_token of [`${logout}x`, logout])
    await fetch(`${url}/sign-in/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) });
  secrets.push(session, logout.split('.')[2]!);
  // A directory.
  const body = { ...person(domain, 'with-password'), password: 'the-password' };
  const { body: made } = await directory.post('Users', body);
  await directory.put(`Users/${made.id}`, { ...body, isAdmin: true });
  await directory.patch(`Users/${made.id}`, [{ op: 'replace', path: 'password', value: 'the-password' }]);
  await directory.get(`Users/${made.id}`, { token: `${directory.token}x` });
  // A webhook whose receiver fails, and a new secret of it.
  receiver.answer = (response) => void response.writeHead(500).end();
  const endpoint = await rest.post(`${path}/webhooks`, { token: owner.token, body: { url: receiver.url } });
  const { secret, webhook_endpoint } = endpoint.body.data as { secret: string; webhook_endpoint: { id: number } };
  const own = `${path}/webhooks/${webhook_endpoint.id}`;
  const rotated = await rest.post(`${own}/rotate`, { token: owner.token });
  await rest.post(`${own}/test`, { token: owner.token });
  await settled(database, 'events');
  await app.webhooks.sendDue();
  secrets.push(secret.slice(6), (rotated.body.data as { secret: string }).secret.slice(6));
  expect(receiver.received.length).toBeGreaterThan(0);

  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const stored = await Promise.all(
    tables
      // Managers see the whole address of an endpoint.
      .filter(({ name }) => name !== 'webhook_endpoint')
      .map(({ name }) => database.rows<{ text: string }>(`select t::text as text from "${name}" t`)),
  );
  const events = await rest.get('/api/v1/events?limit=100', { token: owner.token });
  const deliveries = await rest.get(`${own}/deliveries`, { token: owner.token });
  const places = {
    log: logged(),
    rows: stored
      .flat()
      .map(({ text }) => text)
      .join('\n'),
    events: events.text,
    deliveries: deliveries.text,
    figures: await app.metrics.text(),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(100);
    expect([place, secrets.filter((each) => text.includes(each))]).toEqual([place, []]);
  }
});
