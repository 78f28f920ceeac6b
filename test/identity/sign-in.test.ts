import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { issueRecoveredToken } from '../../src/services/tokens/recovery.service.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
  NOT_BY_SIGN_IN,
} from '../support/apis.js';
import { Browser, startLyingProvider, startProvider } from '../support/identity-providers.js';
import { follow } from '../support/live.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { mutation } from '../support/operations.js';
import { buildServiceAccount } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { type Connected, person, SignIns } from '../support/sign-in.js';
import { buildNotifications, buildOrganization, buildPerson, buildToken, join } from '../support/test-data.js';
import { buildEndpointOf, disabledReasonsOf } from '../support/webhooks.js';

const liar = await startLyingProvider();
const signIns = new SignIns(liar);
const { gateway, testData } = await startSeededGateway({ resolveTxt: signIns.resolveTxt });
signIns.at(gateway);
const { records } = signIns;
const { url } = gateway;
const { database } = gateway.app;
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
    id: 'identityProviderId',
  }),
  delete: mutation(`DELETE ${PATH}/{id}`, 'deleteIdentityProvider', `identityProvider { ${PROVIDER} }`, {
    id: 'identityProviderId',
  }),
  verify: mutation(`POST ${PATH}/{id}/verify-domain`, 'verifyIdentityDomain', `identityProvider { ${PROVIDER} }`, {
    id: 'identityProviderId',
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

beforeEach(() => {
  liar.lie = {};
});

/** An application registered at a provider: the code from a person's sign-in, and the secret to exchange it with. */
function application(provider: Connected, redirect_uri: string) {
  const code_verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const further = `&redirect_uri=${encodeURIComponent(redirect_uri)}&code_challenge=${challenge}&code_challenge_method=S256&state=s`;
  const codeOf = async (name: string) => {
    const claims = person(provider, name);
    const { browser, back } = await signIns.comeBack(provider, { claims }, new Browser(), further);
    const to = new URL((await browser.request(back)).headers.get('location')!);
    expect(`${to.origin}${to.pathname}`).toBe(redirect_uri);
    expect(to.searchParams.get('state')).toBe('s');
    return to.searchParams.get('code')!;
  };
  return { code_verifier, codeOf };
}

describe.each(APIS)('identity providers through %s', (api) => {
  test('an owner connects, changes, proves and disconnects a provider, on record and without its secret', async () => {
    const { organizationId, owner, id, domain } = await signIns.connected();
    const key = { organization_id: organizationId, id };
    const shown = dataOf(await call(api, 'read', key, owner.token));
    expect(shown).toMatchObject({ issuer: liar.issuer, has_secret: true, required: false, default_role: 'VIEWER' });
    expect(shown.domains).toEqual([domain]);
    expect(shown.domain_proofs).toEqual([expect.objectContaining({ domain, status: 'VERIFIED' })]);
    expect(JSON.stringify(shown)).not.toContain('a secret of the client');
    const group_roles = [{ group: 'sec', role: 'SECURITY_OFFICER' }];
    // Claims and groups of providers have no surrounding white space.
    const pasted = {
      group_roles: [{ ...group_roles[0], group: ' sec ' }],
      groups_claim: ' groups ',
      client_id: ' other ',
      redirect_uris: Array(2).fill('https://app.example.com/back'),
    };
    const changed = dataOf(await call(api, 'update', { ...key, ...pasted }, owner.token));
    expect(changed).toMatchObject({ client_id: 'other', redirect_uris: ['https://app.example.com/back'] });
    expect(changed).toMatchObject({ group_roles, groups_claim: 'groups', default_role: 'VIEWER' });
    expect(dataOf(await call(api, 'list', { organization_id: organizationId }, owner.token))).toHaveLength(1);
    dataOf(await call(api, 'delete', key, owner.token));
    expectFailure(await call(api, 'read', key, owner.token), 'NOT_FOUND');
    expect(await signIns.trail(organizationId)).toEqual([
      'IDENTITY_PROVIDER_CREATED',
      'IDENTITY_DOMAIN_VERIFIED',
      'IDENTITY_PROVIDER_UPDATED',
      'IDENTITY_PROVIDER_DELETED',
    ]);
    const texts = await rows<{ entry: string }>('select entry from audit_entry');
    expect(texts.filter(({ entry }) => entry.includes('a secret of the client'))).toEqual([]);
  });

  test('a provider is no longer required once an owner says so, and has no secret any more once that is empty', async () => {
    const { organizationId, owner, id } = await signIns.connected();
    const key = { organization_id: organizationId, id };
    const { token } = await database.transaction((tx) =>
      issueRecoveredToken(tx, { kind: 'system', name: 'operator' }, { ...owner, email: '' }, new Date()),
    );
    const update = async (values: object) => dataOf(await call(api, 'update', { ...key, ...values }, token));
    expect(await update({ required: true })).toMatchObject({ required: true, has_secret: true });
    const path = `/api/v1/organizations/${organizationId}`;
    expect(await status(path, owner.token)).toBe(404);
    expect(await update({ required: false })).toMatchObject({ required: false, has_secret: true });
    expect(await status(path, owner.token)).toBe(200);
    expect(await update({ client_secret: '' })).toMatchObject({ has_secret: false });
    const stored = 'select client_secret as secret from identity_provider where id = $1';
    expect(await rows(stored, [id])).toEqual([{ secret: null }]);
  });

  test('only owners change providers, managers read them, and strangers find nothing', async () => {
    const { organizationId, id } = await signIns.connected();
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

  test('a name is taken once, and an issuer has no query', async () => {
    const { organizationId, owner, name, id } = await signIns.connected();
    const values = { organization_id: organizationId, issuer: liar.issuer, client_id: 'c' };
    expectConflict(await call(api, 'create', { ...values, name }, owner.token), 'NAME_TAKEN');
    for (const wrong of [
      { name: 'with spaces' },
      { issuer: 'https://login.example.com/?a=b' },
      // Without its secret: the stored one is the first provider's.
      { issuer: 'https://login.example.com' },
      ...[
        'https://10.0.0.1',
        'https://0x0a.1/',
        'https://[fd00::1]/',
        'http://192.168.1.1/',
        'https://a:b@login.example.com',
      ].map((issuer) => ({ issuer, client_secret: 'another' })),
    ]) {
      const { code } = await call(api, 'update', { organization_id: organizationId, id, ...wrong }, owner.token);
      expect(code).toBe('BAD_USER_INPUT');
    }
  });

  test.each(['ORGANIZATION_OWNER', 'AUDITOR'])('it gives no person the role %s', async (role) => {
    const { organizationId, owner, id } = await signIns.connected();
    for (const [field, wrong] of [
      ['default_role', { default_role: role }],
      ['group_roles[0].role', { group_roles: [{ group: 'g', role }] }],
    ] as const) {
      const answer = await call(api, 'update', { organization_id: organizationId, id, ...wrong }, owner.token);
      expectFailure(answer, 'BAD_USER_INPUT', [
        `${field} must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER`,
      ]);
    }
  });

  test('a name that another provider has or is given at the same moment is taken', async () => {
    const [provider, other] = [await signIns.connected(), await signIns.connected()];
    const { organizationId, owner, id } = provider;
    const rename = (name: string) => call(api, 'update', { organization_id: organizationId, id, name }, owner.token);
    expectConflict(await rename(other.name.toUpperCase()), 'NAME_TAKEN');
    const name = `given-${other.name}`;
    const given = ['update identity_provider set name = $1 where id = $2', [name, other.id]] as const;
    const [renamed] = await inTurnBehind(database, given, [() => rename(name)]);
    expectConflict(renamed!, 'NAME_TAKEN');
    expect(dataOf(await rename(provider.name)).name).toBe(provider.name);
  });

  test('an organization connects ten providers, and another one once it has disconnected one', async () => {
    const { organizationId, owner, id, name } = await signIns.connected();
    const values = { organization_id: organizationId, issuer: liar.issuer, client_id: 'c' };
    const connect = (number: number) => call(api, 'create', { ...values, name: `${name}-${number}` }, owner.token);
    for (let number = 2; number <= 10; number += 1) dataOf(await connect(number));
    expectConflict(await connect(11), 'IDENTITY_PROVIDER_LIMIT');
    dataOf(await call(api, 'delete', { organization_id: organizationId, id }, owner.token));
    dataOf(await connect(11));
  });

  test('a domain is proven by its TXT record, and by one organization only', async () => {
    const { organizationId, owner, id, domain } = await signIns.connected();
    const key = { organization_id: organizationId, id };
    const other = await signIns.connected();
    const missing = `unproven-${api.toLowerCase()}.example`;
    const domains = [domain, missing];
    const otherKey = { organization_id: other.organizationId, id: other.id };
    const changed = dataOf(await call(api, 'update', { ...otherKey, domains }, other.owner.token));
    const unproven = { ...otherKey, domain: missing };
    expectConflict(await call(api, 'verify', unproven, other.owner.token), 'DOMAIN_NOT_PROVEN');
    signIns.dnsError = 'ETIMEOUT';
    expectFailure(await call(api, 'verify', unproven, other.owner.token), 'UNAVAILABLE', []);
    signIns.dnsError = 'ENODATA';
    expectConflict(await call(api, 'verify', unproven, other.owner.token), 'DOMAIN_NOT_PROVEN');
    for (const each of changed.domain_proofs) records.set(each.record_name, each.record_text);
    expectConflict(await call(api, 'verify', { ...otherKey, domain }, other.owner.token), 'DOMAIN_TAKEN');
    expectFailure(await call(api, 'verify', { ...key, domain: 'absent.example' }, owner.token), 'NOT_FOUND');
  });

  test('a domain that another organization proves at the same moment is taken', async () => {
    const [provider, other] = [await signIns.connected(), await signIns.connected()];
    const { owner, ...key } = { organization_id: provider.organizationId, id: provider.id, owner: provider.owner };
    const domain = `${randomBytes(8).toString('hex')}.example`;
    const changed = dataOf(await call(api, 'update', { ...key, domains: [domain] }, owner.token));
    for (const each of changed.domain_proofs) records.set(each.record_name, each.record_text);
    const proven = 'update identity_domain set domain = $1 where provider_id = $2';
    const [answer] = await inTurnBehind(
      database,
      [proven, [domain, other.id]],
      [() => call(api, 'verify', { ...key, domain }, owner.token)],
    );
    expectConflict(answer!, 'DOMAIN_TAKEN');
  });

  test('a domain that two requests prove at once is proven, once on record', async () => {
    const { organizationId, owner, id } = await signIns.connected();
    const key = { organization_id: organizationId, id };
    const domain = `${randomBytes(8).toString('hex')}.example`;
    const changed = dataOf(await call(api, 'update', { ...key, domains: [domain] }, owner.token));
    for (const each of changed.domain_proofs) records.set(each.record_name, each.record_text);
    const verify = () => call(api, 'verify', { ...key, domain }, owner.token);
    const lock = ['select from identity_provider where id = $1 for update', [id]] as const;
    for (const answer of await inTurnBehind(gateway.app.database, lock, [verify, verify])) dataOf(answer);
    const entries = await gateway.app.database.rows(
      `select from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and e.action = 'IDENTITY_DOMAIN_VERIFIED' and e.entry like $2`,
      [organizationId, `%${domain}%`],
    );
    expect(entries).toHaveLength(1);
  });

  test('a domain that has another text by the time its record was found is not proven', async () => {
    const { organizationId, owner, id } = await signIns.connected();
    const key = { organization_id: organizationId, id };
    const domain = `${randomBytes(8).toString('hex')}.example`;
    const changed = dataOf(await call(api, 'update', { ...key, domains: [domain] }, owner.token));
    for (const each of changed.domain_proofs) records.set(each.record_name, each.record_text);
    const { verified } = await database.transaction(async (tx) => {
      await tx.rows('select from identity_provider where id = $1 for update', [id]);
      const verified = call(api, 'verify', { ...key, domain }, owner.token);
      await someoneWaits(tx);
      // Equivalent to removing it and adding it again.
      await tx.rows(`update identity_domain set challenge = 'another' where domain = $1`, [domain]);
      return { verified };
    });
    expectConflict(await verified, 'DOMAIN_NOT_PROVEN');
  });

  test('an application exchanges its code once, with its verifier and its redirect address', async () => {
    const redirect_uri = 'https://app.example.com/signed-in';
    const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
    const { code_verifier, codeOf } = application(provider, redirect_uri);
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

  test('an application exchanges no code of a member who was deactivated since', async () => {
    const redirect_uri = 'https://app.example.com/signed-in';
    const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
    const { organizationId, owner } = provider;
    const { code_verifier, codeOf } = application(provider, redirect_uri);
    const code = await codeOf('left');
    const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [
      person(provider, 'left').email,
    ]);
    const path = `/api/v1/organizations/${organizationId}/users/${user!.id}`;
    expect((await gateway.rest.patch(path, { token: owner.token, body: { active: false } })).status).toBe(200);
    expectFailure(await call(api, 'exchange', { code, code_verifier, redirect_uri }), 'NOT_FOUND');
  });
});

test('a person signs in through a real provider, joins by its group, sees its token, and signs out', async () => {
  const group_roles = [{ group: 'sec', role: 'SECURITY_OFFICER' }];
  const { organizationId, name, id } = await signIns.connected(
    { groups_claim: 'groups', group_roles },
    honest.issuer,
    'valdoria.example',
  );
  const browser = new Browser();
  const continuePage = await browser.visit(`${url}/sign-in`, { who: 'anna@valdoria.example' });
  const onward = /href="([^"]+)">Continue/.exec(continuePage.text)![1]!.replaceAll('&#38;', '&');
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
  expect(await signIns.trail(organizationId)).toEqual(
    expect.arrayContaining(['MEMBER_JOINED', 'IDENTITY_LINKED', 'SIGNED_IN']),
  );
  // She joins without an invitation.
  await gateway.settled();
  expect(
    await rows('select message from notification where organization_id = $1 and title = $2', [
      organizationId,
      'A member has joined',
    ]),
  ).toEqual([{ message: 'anna is now Security Officer of the organization.' }]);
  // The APIs do not accept the cookie alone.
  const byCookie = await fetch(`${url}/api/v1/token`, { headers: { cookie: `session=${token}` } });
  expect(byCookie.status).toBe(401);
  expect((await browser.visit(`${url}/sign-in/out`, {})).text).toContain('Signed out');
  expect(await status('/api/v1/token', token)).toBe(401);
  expect(id).toBeGreaterThan(0);
});

test('a link to the provider of an organization alone begins nothing, and leaves the session that there is', async () => {
  const mine = await signIns.connected();
  const { browser, token } = await signIns.signInByLie(mine, { claims: person(mine, 'kept') });
  const foreign = await signIns.connected();
  const followed = await browser.request(`${url}/sign-in?organization=${foreign.name}`);
  expect([followed.status, followed.headers.get('location'), followed.headers.getSetCookie()]).toEqual([200, null, []]);
  expect(browser.cookie(url, 'session')).toBe(token);
  // The person sees the destination, and decides whether to continue.
  expect(await followed.text()).toContain(
    `name="who" autocomplete="username" required maxlength="254" value="${foreign.name}"`,
  );
  expect((await browser.begin(url, foreign.name)).url.origin).toBe(liar.issuer);
});

test('a manager by a group of the provider whose next sign-in gives another role leaves no webhook endpoint enabled', async () => {
  const group_roles = [
    { group: 'adm', role: 'ORGANIZATION_MANAGER' },
    { group: 'sec', role: 'SECURITY_OFFICER' },
  ];
  const provider = await signIns.connected({ groups_claim: 'groups', group_roles });
  const signIn = (groups: string[]) =>
    signIns.signInByLie(provider, { claims: { ...person(provider, 'demoted'), groups } });
  expect((await signIn(['adm'])).status).toBe(303);
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [`demoted@${provider.domain}`]);
  await buildEndpointOf(database, provider.organizationId, user!.id);
  expect((await signIn(['adm'])).status).toBe(303);
  expect(await disabledReasonsOf(database, user!.id)).toEqual([null]);
  expect((await signIn(['sec'])).status).toBe(303);
  expect(await disabledReasonsOf(database, user!.id)).toEqual(['MEMBER_LEFT']);
});

test('the name of a group is compared in the form in which a role is given to it', async () => {
  const group_roles = [{ group: 'Qualite\u0301 ', role: 'SECURITY_OFFICER' }];
  const provider = await signIns.connected({ groups_claim: 'groups', group_roles });
  for (const [name, group] of Object.entries({
    composed: 'Qualit\u00e9',
    decomposed: 'Qualite\u0301',
    spaced: ' Qualit\u00e9',
  })) {
    const claims = { ...person(provider, name), groups: [group] };
    const { token } = await signIns.signInByLie(provider, { claims });
    const { body } = await gateway.rest.get('/api/v1/token', { token: token! });
    expect([name, body.data.organizations[0].role]).toEqual([name, 'SECURITY_OFFICER']);
  }
});

test('a member who becomes the owner while it signs in is not what its groups say', async () => {
  const group_roles = [
    { group: 'adm', role: 'ORGANIZATION_MANAGER' },
    { group: 'sec', role: 'SECURITY_OFFICER' },
  ];
  const provider = await signIns.connected({ groups_claim: 'groups', group_roles });
  const signIn = (groups: string[]) =>
    signIns.signInByLie(provider, { claims: { ...person(provider, 'heir'), groups } });
  expect((await signIn(['adm'])).status).toBe(303);
  const email = `heir@${provider.domain}`;
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [email]);
  const path = `/api/v1/organizations/${provider.organizationId}/transfer`;
  const transfer = () => gateway.rest.post(path, { token: provider.owner.token, body: { user_id: user!.id } });
  const lock = ['select from membership where user_id = $1 for update', [user!.id]] as const;
  const answers = await inTurnBehind<{ status: number }>(database, lock, [transfer, () => signIn(['sec'])]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 303]);
  expect(await signIns.memberOf(email, provider.organizationId)).toBe('ORGANIZATION_OWNER');
});

test('a provider that is deleted while a person signs in gives no token, neither on the page nor for a code', async () => {
  const redirect_uri = 'https://app.example.com/signed-in';
  const lost = async (prepared: (provider: Connected) => Promise<() => Promise<{ status: number }>>) => {
    const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
    const { id, organizationId, owner } = provider;
    const remove = () => rest('delete', { organization_id: organizationId, id }, owner.token);
    // Notifications of the organization, which are stored meanwhile, are not delayed by it.
    const lock = ['select from organization where id = $1 for no key update', [organizationId]] as const;
    const signIn = await prepared(provider);
    const [removed, answer] = await inTurnBehind<unknown>(database, lock, [remove, signIn]);
    dataOf(removed as Result);
    expect(await rows('select from api_token where provider_id = $1 and revoked_at is null', [id])).toEqual([]);
    return (answer as { status: number }).status;
  };
  const page = async (provider: Connected) => () => signIns.signInByLie(provider, { claims: person(provider, 'late') });
  expect(await lost(page)).toBe(404);
  const exchange = async (provider: Connected) => {
    const { code_verifier, codeOf } = application(provider, redirect_uri);
    const code = await codeOf('late');
    return () => gateway.rest.post('/api/v1/token/exchange', { body: { code, code_verifier, redirect_uri } });
  };
  expect(await lost(exchange)).toBe(404);
});

test('an application whose address is taken away while a person signs in gets no code', async () => {
  const redirect_uri = 'https://app.example.com/signed-in';
  const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
  const { id, organizationId, owner } = provider;
  const challenge = 'c'.repeat(43);
  const further = `&redirect_uri=${encodeURIComponent(redirect_uri)}&code_challenge=${challenge}&code_challenge_method=S256`;
  const { browser, back } = await signIns.comeBack(provider, { claims: person(provider, 'a') }, new Browser(), further);
  dataOf(await rest('update', { organization_id: organizationId, id, redirect_uris: [] }, owner.token));
  expect((await browser.request(back)).status).toBe(400);
  expect(await rows('select from sign_in_code where provider_id = $1', [id])).toEqual([]);
});

test('a token of a sign-in reaches the organization of its provider and nothing else of its user', async () => {
  const provider = await signIns.connected();
  const { status: code, token = '' } = await signIns.signInByLie(provider, { claims: person(provider, 'reach') });
  expect(code).toBe(303);
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [`reach@${provider.domain}`]);
  const other = await buildOrganization(database, 'elsewhere');
  await join(database, user!, other, 'ORGANIZATION_OWNER');
  expect(await status(`/api/v1/organizations/${provider.organizationId}`, token)).toBe(200);
  expect(await status(`/api/v1/organizations/${other}`, token)).toBe(404);
  const listed = await gateway.rest.get('/api/v1/organizations', { token });
  expect((listed.body.data as { id: number }[]).map(({ id }) => id)).toEqual([provider.organizationId]);
  const found = await gateway.graphql.call(
    `{ node(id: "Organization:${other}") { id } portfolio { nodes { organization { id: databaseId } } }
       search(query: "elsewhere") { totalCount } }`,
    { token },
  );
  expect(JSON.stringify(found.body.data)).not.toContain(String(other));
  for (const [method, path, body] of [
    ['POST', '/api/v1/tokens', { name: 'longer' }],
    ['GET', '/api/v1/tokens', undefined],
    ['POST', '/api/v1/organizations', { name: 'mine' }],
    ['GET', '/api/v1/profile/export', undefined],
  ] as const) {
    const answer = await gateway.rest.call(method, path, { token, ...(body && { body }) });
    expect([path, answer.status, answer.body.messages]).toEqual([path, 403, NOT_BY_SIGN_IN]);
  }
  const { viewer } = await gateway.graphql.data('{ viewer { token { viewerCan { revoke rotate } } } }', { token });
  expect(viewer.token.viewerCan).toEqual({ revoke: true, rotate: false });
  const { body } = await gateway.graphql.call('mutation { exportMe { downloadUrl } }', { token });
  expect(body.errors).toEqual([
    expect.objectContaining({ extensions: expect.objectContaining({ messages: NOT_BY_SIGN_IN }) }),
  ]);
});

describe('a user who exists', () => {
  test('is the one that was linked, whatever address the provider gives later, and the address of another member is not that one', async () => {
    const provider = await signIns.connected();
    const userOf = async (claims: Record<string, unknown>) => {
      const { token } = await signIns.signInByLie(provider, { claims });
      const { body } = await gateway.rest.get('/api/v1/profile', { token: token! });
      return body.data.username as string;
    };
    const [first, second] = [person(provider, 'first'), person(provider, 'second')];
    const [one, other] = [await userOf(first), await userOf(second)];
    expect(one).not.toBe(other);
    // Its address now belongs to another one or another organization, is unverified, or absent.
    const elsewhere = await buildPerson(database, 'elsewhere');
    for (const email of [second.email, `${elsewhere.username}@example.com`, undefined])
      expect(await userOf({ ...first, email })).toBe(one);
    expect(await userOf({ ...first, email: second.email, email_verified: false })).toBe(one);
    expect(await userOf({ ...second, email: first.email })).toBe(other);
    const [{ email }] = (await rows<{ email: string }>('select email from app_user where username = $1', [one])) as [
      { email: string },
    ];
    expect(email).toBe(first.email);
  });

  test('is not the person to whom the provider gives its address later, but by a token of its own', async () => {
    const provider = await signIns.connected();
    const member = await buildPerson(database, 'member');
    const claims = person(provider, 'member');
    await rows('update app_user set email = $1 where id = $2', [claims.email, member.id]);
    await join(database, member, provider.organizationId, 'ORGANIZATION_MANAGER');
    expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
    const later = { ...claims, sub: `${claims.sub}-later` };
    const offered = await signIns.signInByLie(provider, { claims: later });
    expect([offered.token, offered.text]).toEqual([undefined, expect.stringContaining('Is this you?')]);
    expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
    await offered.browser.visit(`${url}/sign-in/link`, { token: member.token });
    expect((await signIns.signInByLie(provider, { claims: later })).token).toBeDefined();
  });

  test('is one user at all organizations of an issuer, and a member of each only as its own provider says', async () => {
    const [one, other] = [await signIns.connected(), await signIns.connected()];
    const claims = person(one, 'shared');
    expect((await signIns.signInByLie(one, { claims })).token).toBeDefined();
    expect(await signIns.signInByLie(other, { claims })).toMatchObject({ status: 403, token: undefined });
    expect(await signIns.memberOf(claims.email, other.organizationId)).toBeUndefined();
    await join(
      database,
      (await rows<{ id: string }>('select id from app_user where email = $1', [claims.email]))[0]!,
      other.organizationId,
      'VIEWER',
    );
    const { token } = await signIns.signInByLie(other, { claims });
    expect(await status(`/api/v1/organizations/${other.organizationId}`, token!)).toBe(200);
    expect(await status(`/api/v1/organizations/${one.organizationId}`, token!)).toBe(404);
  });

  test('does not join with an account of another address, which another organization has linked to the person', async () => {
    const [one, other] = [await signIns.connected(), await signIns.connected()];
    const claims = person(other, 'elsewhere');
    const { sub } = claims;
    expect((await signIns.signInByLie(one, { claims: { ...person(one, 'taken'), sub } })).token).toBeDefined();
    expect(await signIns.signInByLie(other, { claims })).toMatchObject({ status: 403, token: undefined });
    expect(await rows('select 1 from membership where organization_id = $1', [other.organizationId])).toHaveLength(1);
  });

  test('is linked also when it is in hundreds of groups: what its browser stores fits into a cookie', async () => {
    const groups = Array.from(
      { length: 400 },
      (_, number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`,
    );
    const group_roles = [
      { group: groups[17], role: 'SECURITY_ANALYST' },
      { group: groups[23], role: 'SECURITY_OFFICER' },
    ];
    const provider = await signIns.connected({ groups_claim: 'groups', group_roles });
    const member = await buildPerson(database, 'grouped');
    await join(database, member, provider.organizationId, 'VIEWER');
    const claims = { sub: `${provider.name}-grouped`, given_name: 'g'.repeat(5_000), groups };
    const { browser } = await signIns.signInByLie(provider, { claims });
    expect(browser.cookie(url, 'link')!.length).toBeLessThan(3_900);
    await browser.visit(`${url}/sign-in/link`, { token: member.token });
    expect(
      await status(`/api/v1/organizations/${provider.organizationId}/users`, browser.cookie(url, 'session')!),
    ).toBe(200);
  });

  test('is not given to a provider whose organization has not proven the domain of its address', async () => {
    const [attacker, victim] = [await signIns.connected(), await buildPerson(database, 'victim')];
    await join(database, victim, attacker.organizationId, 'VIEWER');
    const claims = { sub: 'v', email: `${victim.username}@example.com`, email_verified: true };
    const { status: code, text, token } = await signIns.signInByLie(attacker, { claims });
    expect([code, token]).toEqual([200, undefined]);
    expect(text).toContain('Is this you?');
  });

  test('is not given for an address that the provider has not verified', async () => {
    const provider = await signIns.connected();
    const trusted = person(provider, 'trusted');
    const userinfo = { email: `unverified@${provider.domain}`, email_verified: undefined };
    expect((await signIns.signInByLie(provider, { claims: trusted, userinfo })).text).toContain('Is this you?');
    for (const email_verified of [false, 'true', 1, undefined]) {
      const claims = { ...person(provider, 'unverified'), email_verified };
      expect((await signIns.signInByLie(provider, { claims })).token).toBeUndefined();
    }
    expect(await signIns.memberOf(`unverified@${provider.domain}`, provider.organizationId)).toBeUndefined();
  });

  test('is linked by a token of its own, once, and then signs in without one', async () => {
    const [provider, member] = [await signIns.connected(), await buildPerson(database, 'member')];
    await join(database, member, provider.organizationId, 'VIEWER');
    const claims = { sub: `${provider.name}-linked` };
    const { browser } = await signIns.signInByLie(provider, { claims });
    const refused = await browser.visit(`${url}/sign-in/link`, { token: 'scp_wrong' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('<form method="post" action="../sign-in/link">');
    const linked = await browser.visit(`${url}/sign-in/link`, { token: member.token });
    expect(linked.text).toContain(`You are signed in as <strong>${member.username}</strong>`);
    expect(browser.cookie(url, 'link')).toBe(undefined);
    expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
  });

  test('is not linked to a person whom another user was linked to after the question', async () => {
    const provider = await signIns.connected();
    const claims = { sub: `${provider.name}-both` };
    const linkQuestion = async () => {
      const member = await buildPerson(database, 'member');
      await join(database, member, provider.organizationId, 'VIEWER');
      const { browser } = await signIns.signInByLie(provider, { claims });
      return { browser, confirm: () => browser.visit(`${url}/sign-in/link`, { token: member.token }) };
    };
    const [one, other] = [await linkQuestion(), await linkQuestion()];
    expect((await one.confirm()).status).toBe(200);
    const { status: code, text } = await other.confirm();
    expect([code, other.browser.cookie(url, 'session')]).toEqual([409, undefined]);
    expect(text).toContain('linked to another user');
  });

  test('is not linked by a token that the organization has blocked, by one of a service account, or by one that may not write', async () => {
    const [provider, member] = [await signIns.connected(), await buildPerson(database, 'member')];
    const { organizationId, owner } = provider;
    await join(database, member, organizationId, 'VIEWER');
    const { browser } = await signIns.signInByLie(provider, { claims: { sub: `${provider.name}-thief` } });
    const current = await gateway.rest.get('/api/v1/token', { token: member.token });
    const { id } = (current.body.data as { token: { id: number } }).token;
    const blocked = await gateway.rest.delete(`/api/v1/organizations/${organizationId}/tokens/${id}`, owner);
    expect(blocked.status).toBe(200);
    const account = await buildServiceAccount(database, organizationId, owner);
    const others = (['documents', 'read'] as const).map((scope) => buildToken(database, owner, { scopes: [scope] }));
    for (const token of [member.token, account.token, ...(await Promise.all(others))]) {
      const refused = await browser.visit(`${url}/sign-in/link`, { token });
      expect(refused.status).toBe(403);
      expect(refused.text).toMatch(/does not allow writing.*registered documents.*blocked.*service account/);
    }
    expect(await rows('select subject from user_identity where subject = $1', [`${provider.name}-thief`])).toEqual([]);
  });

  test.each<[string, (key: { organizationId: number; id: number }) => string]>([
    ['revoked', ({ id }) => `/api/v1/tokens/${id}`],
    ['blocked', ({ organizationId, id }) => `/api/v1/organizations/${organizationId}/tokens/${id}`],
  ])('is not linked by a token that is %s meanwhile', async (end, pathOf) => {
    const [provider, member] = [await signIns.connected(), await buildPerson(database, 'member')];
    const { organizationId, owner } = provider;
    await join(database, member, organizationId, 'VIEWER');
    const subject = `${provider.name}-${end}`;
    const { browser } = await signIns.signInByLie(provider, { claims: { sub: subject } });
    const current = await gateway.rest.get('/api/v1/token', { token: member.token });
    const { id } = (current.body.data as { token: { id: number } }).token;
    const { linked } = await database.transaction(async (tx) => {
      await tx.rows('select from organization where id = $1 for no key update', [organizationId]);
      const linked = browser.visit(`${url}/sign-in/link`, { token: member.token });
      await someoneWaits(tx);
      const { token } = end === 'revoked' ? member : owner;
      expect((await gateway.rest.delete(pathOf({ organizationId, id }), { token })).status).toBe(200);
      return { linked };
    });
    expect((await linked).status).toBe(403);
    expect(await rows('select subject from user_identity where subject = $1', [subject])).toEqual([]);
  });

  test('is not linked to a user who is erased meanwhile', async () => {
    const [provider, member] = [await signIns.connected(), await buildPerson(database, 'member')];
    await join(database, member, provider.organizationId, 'VIEWER');
    const { token, username } = member;
    const { browser } = await signIns.signInByLie(provider, { claims: { sub: `${provider.name}-erased` } });
    const lock = ['select from app_user where id = $1 for update', [member.id]] as const;
    const [erased, linked] = await inTurnBehind<{ status: number }>(database, lock, [
      () => gateway.rest.delete(`/api/v1/profile?username=${username}`, { token }),
      () => browser.visit(`${url}/sign-in/link`, { token }),
    ]);
    expect([erased!.status, linked!.status]).toEqual([200, 403]);
    expect(await rows('select subject from user_identity where user_id = $1', [member.id])).toEqual([]);
  });

  test('who is erased meanwhile does not join', async () => {
    const [provider, nonMember] = [await signIns.connected(), await buildPerson(database, 'stranger')];
    const { token, username, id } = nonMember;
    const claims = person(provider, 'erased');
    await rows('update app_user set email = $1 where id = $2', [claims.email, id]);
    const { browser, back } = await signIns.comeBack(provider, { claims });
    const lock = ['select from app_user where id = $1 for update', [id]] as const;
    const [erased, entered] = await inTurnBehind<{ status: number }>(database, lock, [
      () => gateway.rest.delete(`/api/v1/profile?username=${username}`, { token }),
      () => browser.visit(back),
    ]);
    expect([erased!.status, entered!.status]).toEqual([200, 403]);
    expect(await rows('select id from membership where user_id = $1', [id])).toEqual([]);
    expect(await rows('select id from user_identity where user_id = $1', [id])).toEqual([]);
  });

  test('who is deactivated, or no member and not to join, is refused', async () => {
    const provider = await signIns.connected();
    expect((await signIns.signInByLie(provider, { claims: person(provider, 'gone') })).token).toBeDefined();
    await rows('update membership set deactivated_at = now() where organization_id = $1', [provider.organizationId]);
    const gone = await signIns.signInByLie(provider, { claims: person(provider, 'gone') });
    expect([gone.status, gone.text.includes('has been deactivated')]).toEqual([403, true]);
    const closed = await signIns.connected({ default_role: null });
    expect(await signIns.signInByLie(closed, { claims: person(closed, 'new') })).toMatchObject({ status: 403 });
  });
});

test.each<[string, (path: string, token: string) => Promise<unknown>]>([
  ['removed', (path, token) => gateway.rest.delete(path, { token })],
  [
    'deactivated and reactivated',
    async (path, token) => {
      await gateway.rest.patch(path, { token, body: { active: false } });
      await gateway.rest.patch(path, { token, body: { active: true } });
    },
  ],
])('a session of a member who was %s does not come back with the member', async (how, change) => {
  const provider = await signIns.connected();
  const { organizationId, owner } = provider;
  const claims = person(provider, 'back');
  const { token } = await signIns.signInByLie(provider, { claims });
  const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [claims.email]);
  await change(`/api/v1/organizations/${organizationId}/users/${user!.id}`, owner.token);
  const again = await signIns.signInByLie(provider, { claims });
  const path = `/api/v1/organizations/${organizationId}`;
  expect([how, await status(path, token!), await status(path, again.token!)]).toEqual([how, 401, 200]);
});

test('a required provider makes other tokens find nothing, silences a live subscription, and lets service accounts and the operator’s in', async () => {
  const provider = await signIns.connected();
  const { organizationId, owner, id } = provider;
  const { token = '' } = await signIns.signInByLie(provider, { claims: person(provider, 'required') });
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
  const ofAnother = await buildToken(database, owner, {});
  await rows(
    `with another as (
       insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
       select organization_id, 'Another', issuer || '/another', client_id, group_roles, redirect_uris
         from identity_provider where id = $1 returning id)
     update api_token set origin = 'SIGN_IN', provider_id = another.id from another
      where api_token.id = (select max(id) from api_token)`,
    [id],
  );
  expect(await status(path, ofAnother)).toBe(404);
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
  expect(await signIns.trail(organizationId)).toContain('TOKEN_RECOVERED');
  // What it makes is an ordinary token again.
  const made = await gateway.rest.post('/api/v1/tokens', { token: recovered.token, body: { name: 'next' } });
  expect(await status(path, (made.body.data as { token: string }).token)).toBe(404);
});

test.each(APIS)(
  'that another provider takes the place of the required one is on record of both through %s',
  async (api) => {
    const provider = await signIns.connected();
    const { organizationId, owner, id, name } = provider;
    const { token } = await database.transaction((tx) =>
      issueRecoveredToken(tx, { kind: 'system', name: 'operator' }, { ...owner, email: '' }, new Date()),
    );
    const requireIt = async () =>
      dataOf(await call(api, 'update', { organization_id: organizationId, id, required: true }, token));
    await requireIt();
    const other = { name: `${name}-b`, issuer: liar.issuer, client_id: 'gateway', required: true };
    dataOf(await call(api, 'create', { organization_id: organizationId, ...other }, token));
    await requireIt();
    const { body } = await gateway.rest.get(`/api/v1/organizations/${organizationId}/audit-trail?sort=position`, {
      token,
    });
    const said = (body.data as { subject: { name: string }; changes: { field: string; after: unknown }[] }[]).flatMap(
      ({ subject, changes }) =>
        changes.filter(({ field }) => field === 'required').map(({ after }) => [subject.name, after]),
    );
    expect(said).toEqual([
      [name, true],
      [name, false],
      [`${name}-b`, true],
      [`${name}-b`, false],
      [name, true],
    ]);
  },
);

describe('what the provider of before has said', () => {
  const OTHERS = { issuer: honest.issuer, client_id: 'another' };
  const another = async ({ organizationId, id, owner }: Connected, what: keyof typeof OTHERS = 'issuer') => {
    const change = { organization_id: organizationId, id, [what]: OTHERS[what], client_secret: 's' };
    return dataOf(await rest('update', change, owner.token));
  };
  // Another client of an issuer may have another subject for the same person.
  test.each(['issuer', 'client_id'] as const)('links no user to its person once the %s is another', async (what) => {
    const linked = () => rows('select subject from user_identity where subject like $1', [`%-victim-${what}`]);
    const [later, member] = [await signIns.connected(), await buildPerson(database, 'member')];
    await join(database, member, later.organizationId, 'VIEWER');
    const { browser: browserOfVictim } = await signIns.signInByLie(later, {
      claims: { sub: `${later.name}-victim-${what}` },
    });
    await another(later, what);
    expect((await browserOfVictim.visit(`${url}/sign-in/link`, { token: member.token })).status).toBe(400);
    expect(await linked()).toEqual([]);

    const meanwhile = await signIns.connected();
    const { browser, back } = await signIns.comeBack(meanwhile, { claims: person(meanwhile, `victim-${what}`) });
    const lock = ['select from organization where id = $1 for update', [meanwhile.organizationId]] as const;
    const [, answer] = await inTurnBehind<unknown>(database, lock, [
      () => another(meanwhile, what),
      () => browser.request(back),
    ]);
    expect((answer as Response).status).toBe(400);
    expect(await linked()).toEqual([]);
  });

  test('is a code that is no longer exchanged', async () => {
    const redirect_uri = 'https://app.example.com/signed-in';
    const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
    const { code_verifier, codeOf } = application(provider, redirect_uri);
    const code = await codeOf('early');
    await another(provider);
    expectFailure(await rest('exchange', { code, code_verifier, redirect_uri }), 'NOT_FOUND');
  });
});

/** Years of sign-ins leave a million expired tokens. */
const expireTokens = (provider: number) =>
  rows(`update api_token set expires_at = now() - interval '1 second' where provider_id = $1`, [provider]);

test('another client of the provider ends the tokens of before, on record with the number of those that had not expired', async () => {
  const provider = await signIns.connected();
  const { organizationId, owner, id } = provider;
  await signIns.signInByLie(provider, { claims: person(provider, 'long-ago') });
  await expireTokens(id);
  const { token = '' } = await signIns.signInByLie(provider, { claims: person(provider, 'before') });
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
  const tokens = await rows(
    `select revoked_at is not null as revoked from api_token where provider_id = $1 order by id`,
    [id],
  );
  expect(tokens).toEqual([{ revoked: false }, { revoked: true }]);
});
