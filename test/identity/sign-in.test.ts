import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { issueRecoveredToken } from '../../src/services/tokens/recovery.service.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { Browser, startLyingProvider, startProvider, type Lie } from '../support/identity-providers.js';
import { follow } from '../support/live.js';
import { mutation } from '../support/operations.js';
import { buildServiceAccount } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildOrganization, buildPerson, join } from '../support/test-data.js';
import { buildEndpointOf, disabledReasonsOf } from '../support/webhooks.js';

const records = new Map<string, string>();
const { gateway, testData } = await startSeededGateway({
  resolveTxt: async (name) => {
    const text = records.get(name);
    if (text === undefined) throw new Error('ENOTFOUND');
    return [[text]];
  },
});
const { url } = gateway;
const { database } = gateway.app;
const liar = await startLyingProvider();
const honest = await startProvider(`${url}/sign-in/callback`, {
  anna: {
    email: 'anna@valdoria.example',
    email_verified: true,
    given_name: 'Anna',
    family_name: 'Rossi',
    groups: ['sec'],
  },
  bruno: { email: 'bruno@valdoria.example' },
});
afterAll(async () => {
  await Promise.all([liar.close(), honest.close()]);
});

const PROVIDER = `id: databaseId name issuer client_id: clientId has_secret: hasSecret required default_role: defaultRole
  domains domain_proofs: domainProofs { domain status record_name: recordName record_text: recordText } groups_claim: groupsClaim
  group_roles: groupRoles { group role } redirect_uris: redirectUris`;
const PATH = '/api/v1/organizations/{organization_id}/identity-providers';
const OPERATIONS = {
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $first: Int) {
      organization(id: $organizationId) { identityProviders(first: $first) { totalCount nodes { ${PROVIDER} } } } }`,
    at: 'organization.identityProviders',
  },
  read: {
    rest: `GET ${PATH}/{id}`,
    graphql: `query ($organizationId: ID!, $id: ID!) { identityProvider(organizationId: $organizationId, id: $id) { ${PROVIDER} } }`,
    at: 'identityProvider',
  },
  create: mutation(`POST ${PATH}`, 'createIdentityProvider', `identityProvider { ${PROVIDER} }`),
  update: mutation(`PATCH ${PATH}/{id}`, 'updateIdentityProvider', `identityProvider { ${PROVIDER} }`, {
    id: 'providerId',
  }),
  delete: mutation(`DELETE ${PATH}/{id}`, 'deleteIdentityProvider', `identityProvider { ${PROVIDER} }`, {
    id: 'providerId',
  }),
  verify: mutation(`POST ${PATH}/{id}/verify-domain`, 'verifyIdentityDomain', `identityProvider { ${PROVIDER} }`, {
    id: 'providerId',
  }),
  exchange: {
    rest: 'POST /api/v1/token/exchange',
    graphql: `mutation ($input: ExchangeSignInCodeInput!) { exchangeSignInCode(input: $input) {
      token token_expires_at: tokenExpiresAt user_id: userId organization_id: organizationId } }`,
    at: 'exchangeSignInCode',
  },
} satisfies Record<string, Operation>;

const call = (api: (typeof APIS)[number], name: keyof typeof OPERATIONS, input: object, token?: string) =>
  callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
const rest = (name: keyof typeof OPERATIONS, input: object, token?: string) => call('REST', name, input, token);
const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  database.rows<Row & { [column: string]: unknown }>(text, values);
const status = async (path: string, token: string) => (await gateway.rest.get(path, { token })).status;

let numbers = 0;
/** An organization with an owner, and a provider for a proven domain. */
async function connected(issuer = liar.issuer, settings: object = {}) {
  const name = `org-${(numbers += 1)}`;
  const organizationId = await buildOrganization(database, name);
  const owner = await buildPerson(database, 'owner');
  await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
  const domain = issuer === honest.issuer ? 'valdoria.example' : `${name}.example`;
  await rows('delete from identity_domain where domain = $1', [domain]);
  const made = dataOf(
    await rest(
      'create',
      {
        ...{ organization_id: organizationId, name, issuer, client_id: 'gateway', domains: [domain] },
        ...{ client_secret: 'a secret of the client', default_role: 'VIEWER', ...settings },
      },
      owner.token,
    ),
  );
  const [proof] = made.domain_proofs;
  records.set(proof.record_name, proof.record_text);
  dataOf(await rest('verify', { organization_id: organizationId, id: made.id, domain }, owner.token));
  return { organizationId, owner, name, domain, id: made.id as number };
}
type Connected = Awaited<ReturnType<typeof connected>>;

/** Begins a sign-in at the gateway and comes back with a code, as the lying provider would send the browser. */
async function comeBack({ name }: Connected, lie: Lie, browser = new Browser(), further = '') {
  liar.lie = lie;
  const begun = await browser.request(`${url}/sign-in?organization=${name}${further}`);
  const at = new URL(begun.headers.get('location')!);
  liar.nonce = at.searchParams.get('nonce')!;
  const back = `${url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`;
  return { browser, back, at };
}
async function signInByLie(provider: Connected, lie: Lie, browser = new Browser()) {
  const { back } = await comeBack(provider, lie, browser);
  const response = await browser.request(back);
  return { browser, status: response.status, text: await response.text(), token: browser.cookie(url, 'session') };
}
const person = (provider: Connected, name: string) => ({
  sub: `${provider.name}-${name}`,
  email: `${name}@${provider.domain}`,
  email_verified: true,
});
const memberOf = async (email: string, organizationId: number) =>
  (
    await rows<{ role: string }>(
      'select m.role from membership m join app_user u on u.id = m.user_id where u.email = $1 and m.organization_id = $2',
      [email, organizationId],
    )
  )[0]?.role;
const trail = async (organizationId: number) =>
  (
    await rows<{ action: string }>(
      'select e.action from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position',
      [organizationId],
    )
  ).map(({ action }) => action);

beforeEach(() => {
  liar.lie = {};
});

describe.each(APIS)('identity providers through %s', (api) => {
  test('an owner connects, changes, proves and disconnects a provider, on record and without its secret', async () => {
    const { organizationId, owner, id, domain } = await connected();
    const key = { organization_id: organizationId, id };
    const shown = dataOf(await call(api, 'read', key, owner.token));
    expect(shown).toMatchObject({ issuer: liar.issuer, has_secret: true, required: false, default_role: 'VIEWER' });
    expect(shown.domains).toEqual([domain]);
    expect(shown.domain_proofs).toEqual([expect.objectContaining({ domain, status: 'VERIFIED' })]);
    expect(JSON.stringify(shown)).not.toContain('a secret of the client');
    const group_roles = [{ group: 'sec', role: 'SECURITY_OFFICER' }];
    const changed = dataOf(await call(api, 'update', { ...key, group_roles, groups_claim: 'groups' }, owner.token));
    expect(changed).toMatchObject({ group_roles, groups_claim: 'groups', default_role: 'VIEWER' });
    expect(dataOf(await call(api, 'list', { organization_id: organizationId }, owner.token))).toHaveLength(1);
    dataOf(await call(api, 'delete', key, owner.token));
    expectFailure(await call(api, 'read', key, owner.token), 'NOT_FOUND');
    expect(await trail(organizationId)).toEqual([
      'IDENTITY_PROVIDER_CREATED',
      'IDENTITY_DOMAIN_VERIFIED',
      'IDENTITY_PROVIDER_UPDATED',
      'IDENTITY_PROVIDER_DELETED',
    ]);
    const texts = await rows<{ entry: string }>('select entry from audit_entry');
    expect(texts.filter(({ entry }) => entry.includes('a secret of the client'))).toEqual([]);
  });

  test('only owners change providers, managers read them, and strangers find nothing', async () => {
    const { organizationId, id } = await connected();
    const manager = await buildPerson(database, 'manager');
    await join(database, manager, organizationId, 'ORGANIZATION_MANAGER');
    const key = { organization_id: organizationId, id };
    dataOf(await call(api, 'read', key, manager.token));
    for (const name of ['update', 'delete'] as const) {
      const input = name === 'update' ? { ...key, required: true } : key;
      expectFailure(await call(api, name, input, manager.token), 'FORBIDDEN');
      expectFailure(await call(api, name, input, testData.owner.token), 'NOT_FOUND');
      expectFailure(await call(api, name, input), 'UNAUTHENTICATED');
    }
  });

  test('a name is taken once, roles of owners are not given, and an issuer has no query', async () => {
    const { organizationId, owner, name, id } = await connected();
    const values = { organization_id: organizationId, issuer: liar.issuer, client_id: 'c' };
    expectConflict(await call(api, 'create', { ...values, name }, owner.token), 'NAME_TAKEN');
    for (const wrong of [
      { name: 'with spaces' },
      { issuer: 'https://login.example.com/?a=b' },
      // Without the secret of that one: the one that is stored is the first provider's.
      { issuer: 'https://login.example.com' },
      { default_role: 'ORGANIZATION_OWNER' },
      { group_roles: [{ group: 'g', role: 'ORGANIZATION_OWNER' }] },
    ]) {
      const { code } = await call(api, 'update', { organization_id: organizationId, id, ...wrong }, owner.token);
      expect(code).toBe('BAD_USER_INPUT');
    }
  });

  test('a domain is proven by its TXT record, and by one organization only', async () => {
    const { organizationId, owner, id, domain } = await connected();
    const key = { organization_id: organizationId, id };
    const other = await connected();
    const domains = [domain, 'unproven.example'];
    const otherKey = { organization_id: other.organizationId, id: other.id };
    const changed = dataOf(await call(api, 'update', { ...otherKey, domains }, other.owner.token));
    const unproven = { ...otherKey, domain: 'unproven.example' };
    expectConflict(await call(api, 'verify', unproven, other.owner.token), 'DOMAIN_NOT_PROVEN');
    for (const each of changed.domain_proofs) records.set(each.record_name, each.record_text);
    expectConflict(await call(api, 'verify', { ...otherKey, domain }, other.owner.token), 'DOMAIN_TAKEN');
    expectFailure(await call(api, 'verify', { ...key, domain: 'absent.example' }, owner.token), 'NOT_FOUND');
  });

  test('an application exchanges its code once, with its verifier and its redirect address', async () => {
    const redirect_uri = 'https://app.example.com/signed-in';
    const provider = await connected(liar.issuer, { redirect_uris: [redirect_uri] });
    const code_verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const codeOf = async (name: string) => {
      const further = `&redirect_uri=${encodeURIComponent(redirect_uri)}&code_challenge=${challenge}&code_challenge_method=S256&state=s`;
      const { browser, back } = await comeBack(provider, { claims: person(provider, name) }, new Browser(), further);
      const to = new URL((await browser.request(back)).headers.get('location')!);
      expect(`${to.origin}${to.pathname}`).toBe(redirect_uri);
      expect(to.searchParams.get('state')).toBe('s');
      return to.searchParams.get('code')!;
    };
    const code = await codeOf(`app-${api.toLowerCase()}`);
    const good = { code, code_verifier, redirect_uri };
    for (const wrong of [{ code_verifier: 'w' }, { redirect_uri: `${redirect_uri}/` }, { code: 'x' }])
      expectFailure(await call(api, 'exchange', { ...good, ...wrong }), 'NOT_FOUND');
    const { token, organization_id } = dataOf(await call(api, 'exchange', good));
    expect(organization_id).toBe(provider.organizationId);
    expect(await status(`/api/v1/organizations/${provider.organizationId}`, token)).toBe(200);
    expectFailure(await call(api, 'exchange', good), 'NOT_FOUND');
    const late = await codeOf(`late-${api.toLowerCase()}`);
    await rows(`update sign_in_code set expires_at = now() - interval '1 second'`);
    expectFailure(await call(api, 'exchange', { ...good, code: late }), 'NOT_FOUND');
  });
});

test('a person signs in through a real provider, joins by its group, sees its token, and signs out', async () => {
  const group_roles = [{ group: 'sec', role: 'SECURITY_OFFICER' }];
  const { organizationId, name, id } = await connected(honest.issuer, { groups_claim: 'groups', group_roles });
  const browser = new Browser();
  const asked = await browser.visit(`${url}/sign-in`, { who: 'anna@valdoria.example' });
  const onward = /href="([^"]+)">Go on/.exec(asked.text)![1]!.replaceAll('&#38;', '&');
  const login = await browser.visit(onward);
  const done = await browser.visit(login.url, { prompt: 'login', login: 'anna', password: 'any' });
  expect(done.text).toContain('You are signed in as <strong>anna</strong>');
  const token = browser.cookie(url, 'session')!;
  expect((await browser.visit(`${url}/sign-in/token`, {})).text).toContain(token);
  const current = await gateway.rest.get('/api/v1/token', { token });
  expect(current.body.data).toMatchObject({
    token: { name: `Sign-in through ${name}`, origin: 'SIGN_IN', scopes: ['READ', 'WRITE'] },
    user: { first_name: 'Anna', email: 'anna@valdoria.example' },
    organizations: [{ organization: { id: organizationId }, role: 'SECURITY_OFFICER' }],
  });
  expect(await trail(organizationId)).toEqual(
    expect.arrayContaining(['MEMBER_JOINED', 'IDENTITY_LINKED', 'SIGNED_IN']),
  );
  // The cookie alone is nothing to the APIs.
  const byCookie = await fetch(`${url}/api/v1/token`, { headers: { cookie: `session=${token}` } });
  expect(byCookie.status).toBe(401);
  expect((await browser.visit(`${url}/sign-in/out`, {})).text).toContain('Signed out');
  expect(await status('/api/v1/token', token)).toBe(401);
  expect(id).toBeGreaterThan(0);
});

test('a manager by a group of the provider whose next sign-in gives another role leaves no webhook endpoint enabled', async () => {
  const group_roles = [
    { group: 'adm', role: 'ORGANIZATION_MANAGER' },
    { group: 'sec', role: 'SECURITY_OFFICER' },
  ];
  const provider = await connected(undefined, { groups_claim: 'groups', group_roles });
  const signIn = (groups: string[]) => signInByLie(provider, { claims: { ...person(provider, 'demoted'), groups } });
  expect((await signIn(['adm'])).status).toBe(303);
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [`demoted@${provider.domain}`]);
  await buildEndpointOf(database, provider.organizationId, user!.id);
  expect((await signIn(['adm'])).status).toBe(303);
  expect(await disabledReasonsOf(database, user!.id)).toEqual([null]);
  expect((await signIn(['sec'])).status).toBe(303);
  expect(await disabledReasonsOf(database, user!.id)).toEqual(['MEMBER_LEFT']);
});

test('a token of a sign-in reaches the organization of its provider and nothing else of its user', async () => {
  const provider = await connected();
  const { status: code, token = '' } = await signInByLie(provider, { claims: person(provider, 'reach') });
  expect(code).toBe(303);
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [`reach@${provider.domain}`]);
  const other = await buildOrganization(database, 'elsewhere');
  await join(database, user!, other, 'ORGANIZATION_OWNER');
  expect(await status(`/api/v1/organizations/${provider.organizationId}`, token)).toBe(200);
  expect(await status(`/api/v1/organizations/${other}`, token)).toBe(404);
  const listed = await gateway.rest.get('/api/v1/organizations', { token });
  expect((listed.body.data as { id: number }[]).map(({ id }) => id)).toEqual([provider.organizationId]);
  const asked = await gateway.graphql.call(
    `{ node(id: "Organization:${other}") { id } portfolio { nodes { organization { id: databaseId } } }
       search(query: "elsewhere") { totalCount } }`,
    { token },
  );
  expect(JSON.stringify(asked.body.data)).not.toContain(String(other));
  for (const [method, path, body] of [
    ['POST', '/api/v1/tokens', { name: 'longer' }],
    ['GET', '/api/v1/tokens', undefined],
    ['POST', '/api/v1/organizations', { name: 'mine' }],
    ['GET', '/api/v1/profile/export', undefined],
  ] as const) {
    const answer = await gateway.rest.call(method, path, { token, ...(body && { body }) });
    expect([path, answer.status >= 400]).toEqual([path, true]);
  }
});

const WRONG: Record<string, Lie> = {
  'another issuer in its ID token': { claims: { iss: 'https://other.example' } },
  'another issuer in its description': { metadata: { issuer: 'https://other.example' } },
  'an unsigned ID token': { algorithm: 'none' },
  'an ID token signed with the client secret': { algorithm: 'HS256' },
  'an ID token signed with another key': { algorithm: 'other key' },
  'an ID token for another client': { claims: { aud: 'another' } },
  'an ID token with another nonce': { claims: { nonce: 'another' } },
  'an expired ID token': { claims: { exp: 1_000_000_000 } },
  'userinfo about another person': { userinfo: { sub: 'another' } },
};

describe('a sign-in is refused for', () => {
  test.each(Object.entries(WRONG))('a provider with %s', async (_what, { claims, ...lie }) => {
    const provider = await connected();
    liar.lie = lie;
    const browser = new Browser();
    const begun = await browser.visit(
      `${url}/sign-in?organization=${provider.name}`,
      undefined,
      (to) => to.origin !== url,
    );
    let outcome = { status: begun.status, text: begun.text };
    if (begun.url.origin !== url) {
      liar.lie = { ...lie, claims: { ...person(provider, 'victim'), ...claims } };
      liar.nonce = begun.url.searchParams.get('nonce')!;
      const response = await browser.request(
        `${url}/sign-in/callback?code=c&state=${begun.url.searchParams.get('state')}`,
      );
      outcome = { status: response.status, text: await response.text() };
    }
    expect(outcome.status).toBe(502);
    expect(outcome.text).toContain('cannot be trusted');
    expect(outcome.text).not.toMatch(/Error|\bat \w+ \(/);
    expect(browser.cookie(url, 'session')).toBeUndefined();
    expect(await memberOf(`victim@${provider.domain}`, provider.organizationId)).toBeUndefined();
  });

  test('a state that was used, or is of another browser', async () => {
    const provider = await connected();
    const { browser, back } = await comeBack(provider, { claims: person(provider, 'twice') });
    expect((await browser.request(back)).status).toBe(303);
    expect((await browser.request(back)).status).toBe(400);
    const { back: foreign } = await comeBack(provider, { claims: person(provider, 'twice') });
    expect((await new Browser().request(foreign)).status).toBe(400);
    const { browser: one } = await comeBack(provider, { claims: person(provider, 'twice') });
    expect((await one.request(`${url}/sign-in/callback?code=c&state=another`)).status).toBe(502);
  });

  test('a provider that is stopped: a page says so, without an error of ours', async () => {
    const stopped = await startLyingProvider();
    const provider = await connected(stopped.issuer);
    await stopped.close();
    const page = await new Browser().visit(`${url}/sign-in?organization=${provider.name}`);
    expect(page.status).toBe(502);
    expect(page.text).toContain('does not answer');
    expect(page.text).not.toMatch(/ECONN|Error|\bat \w+ \(/);
  });

  test('a redirect address that is not registered, and an application without PKCE', async () => {
    const redirect = 'https://app.example.com/signed-in';
    const provider = await connected(liar.issuer, { redirect_uris: [redirect] });
    const begin = (further: string) => new Browser().request(`${url}/sign-in?organization=${provider.name}&${further}`);
    const pkce = `code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`;
    expect((await begin(`redirect_uri=${redirect}&${pkce}`)).status).toBe(303);
    expect((await begin(`redirect_uri=${redirect}/&${pkce}`)).status).toBe(400);
    expect((await begin(`redirect_uri=https://evil.example/&${pkce}`)).status).toBe(400);
    expect((await begin(`redirect_uri=${redirect}`)).status).toBe(400);
    expect(
      (await begin(`redirect_uri=${redirect}&code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`)).status,
    ).toBe(400);
  });
});

describe('a user who exists', () => {
  test('is not given to a provider whose organization has not proven the domain of its address', async () => {
    const [attacker, victim] = [await connected(), await buildPerson(database, 'victim')];
    await join(database, victim, attacker.organizationId, 'VIEWER');
    const claims = { sub: 'v', email: `${victim.username}@example.com`, email_verified: true };
    const { status: code, text, token } = await signInByLie(attacker, { claims });
    expect([code, token]).toEqual([200, undefined]);
    expect(text).toContain('Is it you?');
  });

  test('is not given for an address that the provider has not verified', async () => {
    const provider = await connected();
    const trusted = person(provider, 'trusted');
    const userinfo = { email: `unverified@${provider.domain}`, email_verified: undefined };
    expect((await signInByLie(provider, { claims: trusted, userinfo })).text).toContain('Is it you?');
    for (const email_verified of [false, 'true', 1, undefined]) {
      const claims = { ...person(provider, 'unverified'), email_verified };
      expect((await signInByLie(provider, { claims })).token).toBeUndefined();
    }
    expect(await memberOf(`unverified@${provider.domain}`, provider.organizationId)).toBeUndefined();
  });

  test('is linked by a token of its own, once, and then signs in without one', async () => {
    const [provider, member] = [await connected(), await buildPerson(database, 'member')];
    await join(database, member, provider.organizationId, 'VIEWER');
    const claims = { sub: `${provider.name}-linked` };
    const { browser } = await signInByLie(provider, { claims });
    expect((await browser.visit(`${url}/sign-in/link`, { token: 'scp_wrong' })).status).toBe(403);
    const linked = await browser.visit(`${url}/sign-in/link`, { token: member.token });
    expect(linked.text).toContain(`You are signed in as <strong>${member.username}</strong>`);
    expect((await signInByLie(provider, { claims })).token).toBeDefined();
  });

  test('who is deactivated, or no member and not to join, is refused', async () => {
    const provider = await connected();
    expect((await signInByLie(provider, { claims: person(provider, 'gone') })).token).toBeDefined();
    await rows('update membership set deactivated_at = now() where organization_id = $1', [provider.organizationId]);
    expect(await signInByLie(provider, { claims: person(provider, 'gone') })).toMatchObject({ status: 403 });
    const closed = await connected(liar.issuer, { default_role: null });
    expect(await signInByLie(closed, { claims: person(closed, 'new') })).toMatchObject({ status: 403 });
  });
});

test('a required provider makes other tokens find nothing, silences a live subscription, and lets service accounts and the operator’s in', async () => {
  const provider = await connected();
  const { organizationId, owner, id } = provider;
  const { token = '' } = await signInByLie(provider, { claims: person(provider, 'required') });
  const path = `/api/v1/organizations/${organizationId}`;
  expect(await status(path, owner.token)).toBe(200);
  await gateway.settled();
  const elsewhere = await buildOrganization(database, 'elsewhere');
  await join(database, owner, elsewhere, 'VIEWER');
  const query = 'subscription { notificationAdded { organization { id: databaseId } } }';
  const stream = follow(gateway, 'WebSocket', { query, token: owner.token });
  const next = stream.next();
  await gateway.graphql.call('{ viewer { user { id } } }', { token: owner.token });
  dataOf(await rest('update', { organization_id: organizationId, id, required: true }, owner.token));
  expect(await status(path, owner.token)).toBe(404);
  expect(await status(path, token)).toBe(200);
  const account = await buildServiceAccount(database, organizationId, owner);
  expect(await status(path, account.token)).toBe(200);
  const listed = await gateway.rest.get('/api/v1/organizations', { token: owner.token });
  expect((listed.body.data as { id: number }[]).map((each) => each.id)).toEqual([elsewhere]);
  await buildNotifications(database, owner, organizationId, 1);
  await buildNotifications(database, owner, elsewhere, 1);
  expect((await next).value.data.notificationAdded.organization.id).toBe(elsewhere);
  await stream.return?.();
  const [{ email }] = (await rows<{ email: string }>('select email from app_user where id = $1', [owner.id])) as [
    { email: string },
  ];
  const recovered = await database.transaction((tx) =>
    issueRecoveredToken(tx, { kind: 'system', name: 'operator' }, { ...owner, email }, new Date()),
  );
  expect(await status(path, recovered.token)).toBe(200);
  expect(await trail(organizationId)).toContain('TOKEN_RECOVERED');
  // What it makes is an ordinary token again.
  const made = await gateway.rest.post('/api/v1/tokens', { token: recovered.token, body: { name: 'next' } });
  expect(await status(path, (made.body.data as { token: string }).token)).toBe(404);
});

test('another client of the provider ends the tokens of before, on record with their number', async () => {
  const provider = await connected();
  const { organizationId, owner, id } = provider;
  const { token = '' } = await signInByLie(provider, { claims: person(provider, 'before') });
  const path = `/api/v1/organizations/${organizationId}`;
  expect(await status(path, token)).toBe(200);
  dataOf(await rest('update', { organization_id: organizationId, id, client_id: 'another' }, owner.token));
  expect(await status(path, token)).toBe(401);
  const [entry] = await rows<{ entry: string }>(
    `select e.entry from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.action = 'IDENTITY_PROVIDER_UPDATED'`,
    [organizationId],
  );
  expect(JSON.parse(entry!.entry).changes).toMatchObject({ tokens: { before: 1 }, clientId: { after: 'another' } });
});

test('a logout token of the provider ends the session that it names, and a wrong one none', async () => {
  const provider = await connected();
  const [one, other] = [
    await signInByLie(provider, { claims: { ...person(provider, 'out'), sid: 'session-1' } }),
    await signInByLie(provider, { claims: { ...person(provider, 'out'), sid: 'session-2' } }),
  ];
  const send = async (logout_token: string) =>
    (await fetch(`${url}/sign-in/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) }))
      .status;
  liar.lie = {};
  for (const wrong of [
    { nonce: 'n', sid: 'session-1' },
    { events: {}, sid: 'session-1' },
    { iss: 'https://other.example' },
    {},
  ])
    expect(await send(await liar.logoutToken(wrong))).toBe(400);
  expect(await send('nothing')).toBe(400);
  expect(await status('/api/v1/token', one.token!)).toBe(200);
  expect(await send(await liar.logoutToken({ sid: 'session-1' }))).toBe(200);
  expect(await status('/api/v1/token', one.token!)).toBe(401);
  expect(await status('/api/v1/token', other.token!)).toBe(200);
  expect(await trail(provider.organizationId)).toContain('SIGNED_OUT');
  expect(await send(await liar.logoutToken({ sub: person(provider, 'out').sub }))).toBe(200);
  expect(await status('/api/v1/token', other.token!)).toBe(401);
});
