import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, hash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { MINUTE } from '../../src/common/time.js';
import type { Queryable } from '../../src/database/sql.js';
import { LIMITS } from '../../src/values/limits.js';
import { Browser, startLyingProvider, type Lie } from '../support/identity-providers.js';
import { someoneWaits } from '../support/lock-waits.js';
import { startSeededGateway, startSharedGateway } from '../support/seeded-gateway.js';
import { person, SignIns, type Connected } from '../support/sign-in.js';
import { buildPerson } from '../support/test-data.js';
import { until } from '../support/until.js';

const liar = await startLyingProvider();
const signIns = new SignIns(liar);
/** Log lines about sign-ins. */
const logged: { level: number; msg: string; reasons: object[] }[] = [];
const write = (line: string) => {
  const parsed = JSON.parse(line);
  if (parsed.msg === 'a sign-in was not accepted') logged.push(parsed);
};
const log = pino({ level: 'info' }, { write });
/** Offset of the gateway's clock in milliseconds. */
let ahead = 0;
const { gateway, testData } = await startSeededGateway({
  ...{ resolveTxt: signIns.resolveTxt, log },
  now: () => new Date(Date.now() + ahead),
});
signIns.at(gateway);
const { url } = gateway;
const { database } = gateway.app;
/** Behind a proxy that serves it over HTTPS. */
const secure = await startSharedGateway({
  database: gateway.database,
  config: { publicUrl: 'https://gateway.example' },
});
afterAll(() => liar.close());

const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  database.rows<Row & { [column: string]: unknown }>(text, values);
const status = async (path: string, token: string) => (await gateway.rest.get(path, { token })).status;

beforeEach(() => {
  liar.lie = {};
  ahead = 0;
});

const now = () => Math.floor(Date.now() / 1000);
const PATHS = ['/.well-known/openid-configuration', '/jwks', '/token', '/me'];
const WRONG: Record<string, Lie> = {
  'another issuer in its ID token': { claims: { iss: 'https://other.example' } },
  'its issuer and a slash in its ID token': { claims: { iss: `${liar.issuer}/` } },
  'another issuer in its description': { metadata: { issuer: 'https://other.example' } },
  'its issuer and a slash in its description': { metadata: { issuer: `${liar.issuer}/` } },
  'its issuer and a slash in all that it says': {
    ...{ metadata: { issuer: `${liar.issuer}/` }, claims: { iss: `${liar.issuer}/` } },
  },
  'an unsigned ID token': { algorithm: 'none' },
  'an ID token signed with the client secret': { algorithm: 'HS256' },
  'an ID token signed with the client secret, which it says that it does': {
    ...{ algorithm: 'HS256', metadata: { id_token_signing_alg_values_supported: ['HS256', 'none'] } },
  },
  'an ID token signed with another key': { algorithm: 'other key' },
  'an ID token signed with a key that is not published': { kid: 'another' },
  'no ID token': { tokens: { id_token: undefined } },
  'an ID token for another client': { claims: { aud: 'another' } },
  'an ID token for others as well': { claims: { aud: ['gateway', 'another'] } },
  'an ID token that another client has asked for': { claims: { aud: ['gateway', 'another'], azp: 'another' } },
  'an ID token for this client that another one has asked for': { claims: { azp: 'another' } },
  'an ID token with another nonce': { claims: { nonce: 'another' } },
  'an ID token without a nonce': { claims: { nonce: undefined } },
  'an ID token about another access token': { claims: { at_hash: 'wNxuqF1mvAuP4gPz4nXdFA' } },
  'an expired ID token': { claims: { exp: 1_000_000_000 } },
  'an ID token without an end': { claims: { exp: undefined } },
  'an ID token of the future': { claims: { iat: now() + 3_600, exp: now() + 7_200 } },
  'an ID token that is not valid yet': { claims: { nbf: now() + 3_600 } },
  'an ID token about no person': { claims: { sub: '' } },
  'an ID token about a number': { claims: { sub: 7 } },
  'an ID token whose subject has a NUL character': { claims: { sub: 'a\0' } },
  'an ID token whose subject is too long': { claims: { sub: 'a'.repeat(256) } },
  'an ID token whose session has a NUL character': { claims: { sid: 'a\0' } },
  'userinfo about another person': { userinfo: { sub: 'another' } },
  'userinfo about no person': { userinfo: { sub: undefined } },
  'the promise to name itself on the way back, where it does not': {
    metadata: { authorization_response_iss_parameter_supported: true },
  },
  ...Object.fromEntries(PATHS.map((path) => [`10 MB at ${path}`, { floods: path }])),
  ...Object.fromEntries(PATHS.map((path) => [`another address for ${path}`, { redirects: path }])),
};

/** Begins a sign-in in the browser, and returns from the lying provider if it was redirected there. */
async function attempt({ name }: Connected, { claims, ...lie }: Lie, browser = new Browser(), answer = '') {
  liar.lie = lie;
  const begun = await browser.begin(url, name);
  if (begun.url.origin === url) return begun;
  liar.lie = { ...lie, claims: claims ?? {} };
  liar.nonce = begun.url.searchParams.get('nonce')!;
  return browser.visit(`${url}/sign-in/callback?code=c&state=${begun.url.searchParams.get('state')}${answer}`);
}

describe('a sign-in is refused for', () => {
  let provider: Connected;
  beforeAll(async () => {
    provider = await signIns.connected();
  });
  // Cached data of the provider is dropped when it is changed.
  beforeEach(() => rows('update identity_provider set updated_at = clock_timestamp() where id = $1', [provider.id]));

  test.each(Object.entries(WRONG).map(([what, lie], number) => [what, number, lie] as const))(
    'a provider with %s',
    async (_what, number, { claims, ...lie }) => {
      const browser = new Browser();
      const victim = person(provider, `victim-${number}`);
      const outcome = await attempt(provider, { ...lie, claims: { ...victim, ...claims } }, browser);
      expect(outcome.status).toBe(502);
      expect(outcome.text).toContain('cannot be trusted');
      expect(outcome.text).not.toMatch(/Error|\bat \w+ \(/);
      expect(browser.cookie(url, 'session')).toBeUndefined();
      expect(await signIns.memberOf(victim.email, provider.organizationId)).toBeUndefined();
      // The same person is accepted if the provider does not lie.
      await rows('update identity_provider set updated_at = clock_timestamp() where id = $1', [provider.id]);
      expect((await signIns.signInByLie(provider, { claims: victim })).token).toBeDefined();
    },
  );

  test.each([
    '&iss=https://other.example',
    '&iss=',
    '&iss=https://other.example&error=access_denied',
    '&error=server_error&code=c',
    '&code=d',
  ])('an answer of the provider with %s', async (answer) => {
    const browser = new Browser();
    const claims = person(provider, 'mixed-up');
    const metadata = { authorization_response_iss_parameter_supported: true };
    const lie = { claims, metadata: answer.includes('iss') ? metadata : {} };
    expect((await attempt(provider, lie, browser, answer)).status).toBe(502);
    expect(browser.cookie(url, 'session')).toBeUndefined();
    const own = `&iss=${encodeURIComponent(liar.issuer)}`;
    expect((await attempt(provider, lie, browser, own)).status).toBe(200);
    expect(browser.cookie(url, 'session')).toBeDefined();
  });

  test.each([
    ['access_denied', 403, 'was cancelled'],
    ['login_required', 403, 'first needs something from you'],
    ['interaction_required', 403, 'first needs something from you'],
    ['account_selection_required', 403, 'first needs something from you'],
    ['consent_required', 403, 'first needs something from you'],
    ['temporarily_unavailable', 502, 'cannot sign you in at the moment'],
    ['server_error', 502, 'cannot sign you in at the moment'],
    ['invalid_request', 502, 'rejects the way it is connected'],
    ['unauthorized_client', 502, 'rejects the way it is connected'],
    ['invalid_scope', 502, 'rejects the way it is connected'],
    ['unsupported_response_type', 502, 'rejects the way it is connected'],
    ['constructor', 502, 'rejects the way it is connected'],
  ])('a person whom the provider sends back with %s, and who may begin again', async (error, expected, sentence) => {
    logged.length = 0;
    const browser = new Browser();
    const claims = person(provider, 'sent-back');
    const said = `&error=${error}&error_description=${encodeURIComponent('<b>of the provider</b>')}`;
    const { status: code, text } = await attempt(provider, { claims }, browser, said);
    expect([code, text]).toEqual([expected, expect.stringContaining(sentence)]);
    expect(text).toContain('<a href="../sign-in">Start again</a>');
    expect(text).not.toContain('of the provider');
    expect(browser.cookie(url, 'session')).toBeUndefined();
    expect((await attempt(provider, { claims }, browser)).status).toBe(200);
    // A person's own decision needs no action of an operator.
    expect(logged).toEqual([
      expect.objectContaining({
        level: expected === 403 ? pino.levels.values['info'] : pino.levels.values['warn'],
        reasons: [expect.objectContaining({ error })],
      }),
    ]);
    expect(JSON.stringify(logged)).not.toContain('of the provider');
  });

  test.each(['jwks_uri', 'token_endpoint', 'userinfo_endpoint'])(
    'a provider whose %s leads into a private network, which is not called',
    async (endpoint) => {
      for (const host of ['169.254.169.254', '10.0.0.1', '[::ffff:10.0.0.1]', '0x0a.1']) {
        await rows('update identity_provider set updated_at = clock_timestamp() where id = $1', [provider.id]);
        const browser = new Browser();
        const lie = { claims: person(provider, 'inside'), metadata: { [endpoint]: `http://${host}/` } };
        const { status: code, text } = await attempt(provider, lie, browser);
        expect([code, text.includes('is not responding')]).toEqual([502, true]);
        expect(browser.cookie(url, 'session')).toBeUndefined();
      }
    },
  );

  test('a state that was used, or is of another browser', async () => {
    const { browser, back } = await signIns.comeBack(provider, { claims: person(provider, 'twice') });
    expect((await browser.request(back)).status).toBe(303);
    expect((await browser.request(back)).status).toBe(400);
    const { back: foreign } = await signIns.comeBack(provider, { claims: person(provider, 'twice') });
    expect((await new Browser().request(foreign)).status).toBe(400);
    const { browser: one } = await signIns.comeBack(provider, { claims: person(provider, 'twice') });
    expect((await one.request(`${url}/sign-in/callback?code=c&state=another`)).status).toBe(400);
    expect((await one.request(`${url}/sign-in/callback?code=c`)).status).toBe(400);
  });

  test('a flow that was sealed elsewhere, or for another purpose', async () => {
    const { browser, back } = await signIns.comeBack(provider, { claims: person(provider, 'forged') });
    const flow = browser.cookie(url, 'flow')!;
    for (const wrong of ['x', '%00', flow.slice(4), `${flow.slice(0, -4)}AAAA`]) {
      browser.setCookie(url, 'flow', wrong);
      expect((await browser.request(back)).status).toBe(400);
    }
    browser.setCookie(url, 'link', flow);
    expect((await browser.request(`${url}/sign-in/link`, { token: testData.owner.token })).status).toBe(400);
    browser.setCookie(url, 'flow', flow);
    expect((await browser.request(back)).status).toBe(303);
  });

  test('a form that is too large', async () => {
    const answer = await new Browser().request(`${url}/sign-in`, { who: 'a'.repeat(70_000) });
    expect([answer.status, (await answer.text()).includes('larger than 64 KB')]).toEqual([400, true]);
  });

  test('what is no name and no address of a person', async () => {
    for (const who of ['', '\0', 'a\0@b.example', '@', 'a'.repeat(1_000), '\ud800', "' or true --"])
      expect((await new Browser().request(`${url}/sign-in`, { who })).status).toBe(404);
  });

  test('a provider that is stopped: a page says so, without an error of ours', async () => {
    const stopped = await startLyingProvider();
    const provider = await signIns.connected({}, stopped.issuer);
    await stopped.close();
    const page = await new Browser().begin(url, provider.name);
    expect(page.status).toBe(502);
    expect(page.text).toContain('is not responding');
    expect(page.text).not.toMatch(/ECONN|Error|\bat \w+ \(/);
  });

  test('a name that is none, from an application: the form is there again with what was entered, and leads back to it', async () => {
    const redirect = 'https://app.example.com/back';
    const provider = await signIns.connected({ redirect_uris: [redirect] });
    const application = {
      redirect_uri: redirect,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 's',
    };
    const browser = new Browser();
    const refused = await browser.request(`${url}/sign-in`, { ...application, who: 'mistyped' });
    const text = await refused.text();
    expect([refused.status, text.match(/ name="(?!viewport|robots)\w+"[^>]* value="[^"]*"/g)]).toEqual([
      404,
      [
        ...Object.entries(application).map(([name, value]) => ` name="${name}" value="${value}"`),
        expect.stringMatching(/^ name="who".* value="mistyped"$/),
      ],
    ]);
    const found = await browser.request(`${url}/sign-in`, { ...application, who: provider.name });
    expect(found.status).toBe(200);
  });

  test('a person who cancels a sign-in of an application: to begin again leads back to it', async () => {
    const redirect = 'https://app.example.com/cancelled?a=1&b=2';
    const cancelled = await signIns.connected({ redirect_uris: [redirect] });
    const claims = person(cancelled, 'cancels');
    for (const state of ['s"&', undefined]) {
      const application = {
        ...{ redirect_uri: redirect, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
        ...(state !== undefined && { state }),
      };
      const further = `&${new URLSearchParams(application)}`;
      const { browser, back } = await signIns.comeBack(cancelled, { claims }, new Browser(), further);
      const text = await (await browser.request(`${back}&error=access_denied`)).text();
      const [, href = ''] = /<a href="([^"]+)">Start again/.exec(text) ?? [];
      const again = new URL(href.replaceAll('&#38;', '&'), `${url}/sign-in/callback`);
      expect([again.pathname, Object.fromEntries(again.searchParams)]).toEqual(['/sign-in', application]);
      const form = { ...Object.fromEntries(again.searchParams), who: cancelled.name };
      const begun = await (await browser.request(`${url}/sign-in`, form)).text();
      const [, to = ''] = /content="0; url=([^"]+)"/.exec(begun) ?? [];
      const at = new URL(to.replaceAll('&#38;', '&'));
      liar.nonce = at.searchParams.get('nonce')!;
      const entered = await browser.request(`${url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`);
      expect(entered.headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/cancelled\?a=1&b=2&code=/);
    }
  });

  test('a redirect address that is not registered, and an application without PKCE', async () => {
    const redirect = 'https://app.example.com/signed-in';
    const provider = await signIns.connected({ redirect_uris: [redirect] });
    const begin = (further: string) => new Browser().request(`${url}/sign-in?organization=${provider.name}&${further}`);
    const pkce = `code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`;
    expect((await begin(`redirect_uri=${redirect}&${pkce}`)).status).toBe(303);
    expect((await begin(`redirect_uri=${redirect}/&${pkce}`)).status).toBe(400);
    for (const wrong of [
      ...[
        'https://evil.example/',
        'https://app.example.com/signed-in?a',
        'https://app.example.com.evil.example/signed-in',
      ],
      ...[
        'https://app.example.com/signed-in%2f..',
        'https://app.example.com/./signed-in',
        '//app.example.com/signed-in',
      ],
      ...[
        'HTTPS://app.example.com/signed-in',
        'https://app.example.com:443/signed-in',
        'https://app.example.com@evil.example/signed-in',
      ],
      ...['javascript:alert(1)', '/signed-in', `${url}/signed-in/`, `${url}.evil.example/signed-in`, ''],
    ])
      expect([wrong, (await begin(`redirect_uri=${encodeURIComponent(wrong)}&${pkce}`)).status]).toEqual([wrong, 400]);
    expect((await begin(`redirect_uri=${redirect}&${pkce}&state=${'s'.repeat(1_000)}`)).status).toBe(303);
    expect((await begin(`redirect_uri=${redirect}&${pkce}&state=${'s'.repeat(1_001)}`)).status).toBe(400);
    expect((await begin(`redirect_uri=${redirect}`)).status).toBe(400);
    expect(
      (await begin(`redirect_uri=${redirect}&code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`)).status,
    ).toBe(400);
    const whole = `redirect_uri=${redirect}&${pkce}&state=s`;
    for (const again of [...whole.split('&'), 'state=other', `organization=${provider.name}`]) {
      const answer = await begin(`${whole}&${again}`);
      expect([again, answer.status, await answer.text()]).toEqual([
        ...[again, 400, expect.stringContaining('sent a parameter twice')],
      ]);
    }
  });
});

test('what the address of the page says stays text in it', async () => {
  const said = '"><img src=x onerror=alert(1)>';
  const names = ['organization', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'state'];
  for (const name of names) {
    const query: Record<string, string> =
      name === 'organization' ? { organization: said } : { redirect_uri: 'x', [name]: said };
    const page = await (await fetch(`${url}/sign-in?${new URLSearchParams(query)}`)).text();
    expect(page).toContain('value="&#34;&#62;&#60;img src=x onerror=alert(1)&#62;"');
    expect(page).not.toContain('<img');
  }
});

test('what a provider says of a person is stored as a line of text, and an address that is none counts as absent', async () => {
  const provider = await signIns.connected();
  const claims = { ...person(provider, 'odd'), given_name: 'O\0d\nd', family_name: 'x'.repeat(300) };
  expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
  const [user] = await rows('select first_name, last_name from app_user where email = $1', [claims.email]);
  expect(user).toEqual({ first_name: 'Odd', last_name: 'x'.repeat(LIMITS.user.nameCharacters) });
  // As in a profile: composed, without what is invisible or around it, and characters are counted.
  const others = { given_name: ' Jose\u0301\u202e ', family_name: '\u{10428}'.repeat(300) };
  const other = { ...person(provider, 'other'), ...others };
  expect((await signIns.signInByLie(provider, { claims: other })).token).toBeDefined();
  expect(await rows('select first_name, last_name from app_user where email = $1', [other.email])).toEqual([
    { first_name: 'Jos\u00e9', last_name: '\u{10428}'.repeat(LIMITS.user.nameCharacters) },
  ]);
  for (const email of [
    `a\0@${provider.domain}`,
    `"a@b"@${provider.domain}`,
    `@${provider.domain}`,
    provider.domain,
    7,
  ]) {
    const { text, token } = await signIns.signInByLie(provider, {
      claims: { sub: 'odd-address', email, email_verified: true },
    });
    expect([email, token, text.includes('Is this you?')]).toEqual([email, undefined, true]);
  }
});

test('a provider that signs with another key from one moment to the next is believed again at the next try', async () => {
  const provider = await signIns.connected();
  const claims = person(provider, 'rotated');
  expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
  await liar.rotateKey();
  expect(await signIns.signInByLie(provider, { claims })).toMatchObject({ status: 502, token: undefined });
  expect((await signIns.signInByLie(provider, { claims })).token).toBeDefined();
});

describe('after its time is over', () => {
  const { flowMinutes, codeSeconds } = LIMITS.signIn;
  const redirect_uri = 'https://app.example.com/signed-in';
  const code_verifier = 'v'.repeat(43);
  let provider: Connected;
  beforeAll(async () => {
    provider = await signIns.connected({ redirect_uris: [redirect_uri] });
  });
  const application = () => {
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
    return `&${new URLSearchParams({ redirect_uri, code_challenge, code_challenge_method: 'S256' })}`;
  };

  test('a sign-in that was begun is refused', async () => {
    const { browser, back } = await signIns.comeBack(provider, { claims: person(provider, 'late') });
    const flow = browser.cookie(url, 'flow')!;
    ahead = flowMinutes * MINUTE;
    expect((await browser.request(back)).status).toBe(400);
    browser.setCookie(url, 'flow', flow);
    ahead -= MINUTE;
    expect((await browser.request(back)).status).toBe(303);
  });

  test('a person is not linked by a token', async () => {
    const { browser } = await signIns.signInByLie(provider, { claims: { sub: 'late' } });
    const link = browser.cookie(url, 'link')!;
    const { token } = provider.owner;
    ahead = flowMinutes * MINUTE;
    expect((await browser.request(`${url}/sign-in/link`, { token })).status).toBe(400);
    expect(await rows('select id from user_identity where subject = $1', ['late'])).toEqual([]);
    browser.setCookie(url, 'link', link);
    ahead -= MINUTE;
    expect((await browser.request(`${url}/sign-in/link`, { token })).status).toBe(303);
  });

  test('a code of an application is not exchanged', async () => {
    const lie = { claims: person(provider, 'late') };
    const { browser, back } = await signIns.comeBack(provider, lie, new Browser(), application());
    const code = new URL((await browser.request(back)).headers.get('location')!).searchParams.get('code');
    const exchange = async () =>
      (await gateway.rest.post('/api/v1/token/exchange', { body: { code, code_verifier, redirect_uri } })).status;
    ahead = codeSeconds * 1_000;
    expect(await exchange()).toBe(404);
    ahead /= 2;
    expect(await exchange()).toBe(201);
  });
});

describe('cookies', () => {
  const attributes = async (at: string) => {
    liar.lie = {};
    const response = await fetch(`${at}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ who: provider.name }),
    });
    const flow = response.headers.getSetCookie();
    const [, address = ''] = /content="0; url=([^"]+)"/.exec(await response.text()) ?? [];
    const to = new URL(address.replaceAll('&#38;', '&'));
    liar.nonce = to.searchParams.get('nonce')!;
    liar.lie = { claims: person(provider, 'cookies') };
    const back = await fetch(`${at}/sign-in/callback?code=c&state=${to.searchParams.get('state')}`, {
      redirect: 'manual',
      headers: { cookie: flow.map((each) => each.split(';')[0]).join('; ') },
    });
    return [...flow, ...back.headers.getSetCookie()].map((each) => each.replace(/^([^=]+)=[^;]+/, '$1=…'));
  };
  let provider: Connected;
  beforeAll(async () => {
    provider = await signIns.connected();
  });

  test('are for the gateway alone, unseen by scripts, and end with what they are for', async () => {
    expect(await attributes(url)).toEqual([
      'flow=…; Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
      'flow=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      'session=…; Path=/; Max-Age=28800; HttpOnly; SameSite=Lax',
    ]);
  });

  test('are bound to the host and to https where the gateway is reached by that', async () => {
    expect(await attributes(secure.url)).toEqual([
      '__Host-flow=…; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
      '__Host-flow=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Host-session=…; Path=/; Max-Age=28800; HttpOnly; SameSite=Lax; Secure',
    ]);
    // A cookie without the prefix may have been set by another host of the domain.
    const token = (await signIns.signInByLie(provider, { claims: person(provider, 'cookies') })).token;
    const page = async (cookie: string) => (await fetch(`${secure.url}/sign-in`, { headers: { cookie } })).text();
    expect(await page(`session=${token}`)).not.toContain('cookies');
    expect(await page(`__Host-session=${token}`)).toContain('cookies');
  });

  test('that were set before a sign-in do not become its session, and one session does not end another', async () => {
    const planted = (await signIns.signInByLie(provider, { claims: person(provider, 'attacker') })).token!;
    const victim = new Browser();
    await victim.request(`${url}/sign-in`);
    victim.setCookie(url, 'session', planted);
    const { token } = await signIns.signInByLie(provider, { claims: person(provider, 'cookies') }, victim);
    expect(token).not.toBe(planted);
    const { body } = await gateway.rest.get('/api/v1/profile', { token: token! });
    expect(body.data.email).toBe(person(provider, 'cookies').email);
    await victim.visit(`${url}/sign-in/out`, {});
    expect([await status('/api/v1/token', token!), await status('/api/v1/token', planted)]).toEqual([401, 200]);
  });

  test('do nothing for a form of another site', async () => {
    const { token } = await signIns.signInByLie(provider, { claims: person(provider, 'cookies') });
    for (const path of ['token', 'out', 'link', ''])
      for (const site of ['cross-site', 'same-site']) {
        const headers = { cookie: `session=${token}`, 'sec-fetch-site': site };
        const body = new URLSearchParams({ who: provider.name, token: testData.owner.token });
        const answer = await fetch(`${url}/sign-in${path && `/${path}`}`, { method: 'POST', headers, body });
        expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 400, []]);
      }
    expect(await status('/api/v1/token', token!)).toBe(200);
  });

  test('of an ordinary token are no session: only a sign-in begins one', async () => {
    const browser = new Browser();
    await browser.request(`${url}/sign-in`);
    browser.setCookie(url, 'session', testData.owner.token);
    expect((await browser.visit(`${url}/sign-in`)).text).not.toContain('You are signed in');
    expect((await browser.visit(`${url}/sign-in/token`, {})).text).not.toContain(testData.owner.token);
    await browser.visit(`${url}/sign-in/out`, {});
    expect(await status('/api/v1/token', testData.owner.token)).toBe(200);
  });
});

test('a logout token of the provider ends the session that it names, and a wrong one none', async () => {
  const provider = await signIns.connected();
  const [one, other] = [
    // The session is that of the ID token, independently of userinfo.
    await signIns.signInByLie(provider, {
      ...{ claims: { ...person(provider, 'out'), sid: 'session-1' }, userinfo: { sid: 'session-2' } },
    }),
    await signIns.signInByLie(provider, { claims: { ...person(provider, 'out'), sid: 'session-2' } }),
  ];
  const send = async (logout_token: string) =>
    (await fetch(`${url}/sign-in/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) }))
      .status;
  liar.lie = {};
  for (const wrong of [
    { nonce: 'n', sid: 'session-1' },
    { events: {}, sid: 'session-1' },
    { events: 'http://schemas.openid.net/event/backchannel-logout', sid: 'session-1' },
    ...[{ iss: 'https://other.example' }, { iss: 7 }, { iss: 'a\0' }, { iss: undefined }].map((each) => ({
      ...each,
      sid: 'session-1',
    })),
    ...['another', ['another', 'third'], undefined, 7, {}, ['gateway\0']].map((aud) => ({ aud, sid: 'session-1' })),
    { iat: now() - 3_600, sid: 'session-1' },
    { iat: now() + 3_600, sid: 'session-1' },
    { exp: now() - 60, sid: 'session-1' },
    { jti: undefined, sid: 'session-1' },
    { sid: '' },
    { sid: 7 },
    { sid: 'session-1\0' },
    {},
  ])
    expect(await send(await liar.logoutToken(wrong))).toBe(400);
  for (const wrong of ['nothing', '', 'a.b.c', 'e30.e30.', `e30.${'e30'.repeat(30_000)}.e30`])
    expect(await send(wrong)).toBe(400);
  liar.lie = { kid: 'another' };
  expect(await send(await liar.logoutToken({ sid: 'session-1' }))).toBe(400);
  liar.lie = {};
  expect(await status('/api/v1/token', one.token!)).toBe(200);
  expect(await send(await liar.logoutToken({ sid: 'session-1' }))).toBe(200);
  expect(await status('/api/v1/token', one.token!)).toBe(401);
  expect(await status('/api/v1/token', other.token!)).toBe(200);
  const signedOut = async () =>
    (await signIns.trail(provider.organizationId)).filter((action) => action === 'SIGNED_OUT').length;
  expect(await signedOut()).toBe(1);
  // A session that has expired is not ended again.
  const expired = await signIns.signInByLie(provider, { claims: { ...person(provider, 'out'), sid: 'session-3' } });
  await rows(`update api_token set expires_at = now() - interval '1 second' where digest = $1`, [
    hash('sha256', expired.token!, 'hex'),
  ]);
  expect(await send(await liar.logoutToken({ sub: person(provider, 'out').sub }))).toBe(200);
  expect(await status('/api/v1/token', other.token!)).toBe(401);
  expect(await signedOut()).toBe(2);
});

test('a logout token ends the session of a sign-in that is being stored', async () => {
  const provider = await signIns.connected();
  const sid = `session-${Math.random()}`;
  const { signedIn, ended } = await database.transaction(async (tx) => {
    await tx.rows('select from audit_log where organization_id = $1 for update', [provider.organizationId]);
    const signedIn = signIns.signInByLie(provider, { claims: { ...person(provider, 'out'), sid } });
    await someoneWaits(tx);
    liar.lie = {};
    const body = new URLSearchParams({ logout_token: await liar.logoutToken({ sid }) });
    const ended = fetch(`${url}/sign-in/backchannel-logout`, { method: 'POST', body });
    await Promise.race([ended, someoneWaits(tx, 2)]);
    return { signedIn, ended };
  });
  const { token } = await signedIn;
  expect((await ended).status).toBe(200);
  expect(await status('/api/v1/token', token!)).toBe(401);
});

test('a logout token ends what goes on although an organization that is deleted had the same client, and codes that wait', async () => {
  const sid = `session-${Math.random()}`;
  const redirect_uri = 'https://app.example.com/signed-in';
  const client_id = `client-${Math.random()}`;
  const gone = await signIns.connected({ client_id });
  const { organizationId, owner } = gone;
  const path = `/api/v1/organizations/${organizationId}`;
  expect((await gateway.rest.delete(path, { token: owner.token })).status).toBe(200);
  const provider = await signIns.connected({ client_id, redirect_uris: [redirect_uri] });
  const claims = { ...person(provider, 'out'), aud: client_id, sid };
  const { token } = await signIns.signInByLie(provider, { claims });
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const further = `&redirect_uri=${redirect_uri}&code_challenge=${challenge}&code_challenge_method=S256`;
  const { browser, back } = await signIns.comeBack(provider, { claims }, new Browser(), further);
  const code = new URL((await browser.request(back)).headers.get('location')!).searchParams.get('code');
  liar.lie = {};
  const body = new URLSearchParams({ logout_token: await liar.logoutToken({ aud: client_id, sid }) });
  expect((await fetch(`${url}/sign-in/backchannel-logout`, { method: 'POST', body })).status).toBe(200);
  expect(await status('/api/v1/token', token!)).toBe(401);
  const exchanged = await gateway.rest.post('/api/v1/token/exchange', {
    body: { code, code_verifier: verifier, redirect_uri },
  });
  expect(exchanged.status).toBe(404);
});

/**
 * Signs a person in while their subject is being linked to a user, in a transaction that ends when the sign-in waits
 * for it.
 */
async function whileLinkedTo(userId: string, provider: Connected, claims: { sub: string }) {
  const linked = Promise.withResolvers<Queryable>();
  const committed = Promise.withResolvers<void>();
  const linking = database.transaction(async (tx) => {
    await tx.rows('insert into user_identity (issuer, subject, user_id, created_at) values ($1, $2, $3, now())', [
      ...[liar.issuer, claims.sub, userId],
    ]);
    linked.resolve(tx);
    await committed.promise;
  });
  const tx = await linked.promise;
  const signingIn = signIns.signInByLie(provider, { claims });
  await someoneWaits(tx);
  committed.resolve();
  await linking;
  return signingIn;
}

describe('a subject that is linked at the same moment', () => {
  let provider: Connected;
  beforeAll(async () => {
    provider = await signIns.connected();
  });
  const usersOf = (email: string) => rows('select id from app_user where email = $1', [email]);

  test('to another user is refused, and nothing of the sign-in stays', async () => {
    const claims = person(provider, 'second');
    const before = await signIns.trail(provider.organizationId);
    const { status: code, text, token } = await whileLinkedTo(testData.owner.id, provider, claims);
    expect([code, token]).toEqual([409, undefined]);
    expect(text).toContain('linked to another user');
    expect(await signIns.memberOf(claims.email, provider.organizationId)).toBeUndefined();
    expect(await usersOf(claims.email)).toEqual([]);
    expect(await signIns.trail(provider.organizationId)).toEqual(before);
  });

  test('to the same user is theirs', async () => {
    const claims = person(provider, 'same');
    const { id } = await buildPerson(database, 'same');
    await rows('update app_user set email = $1 where id = $2', [claims.email, id]);
    const { status: code, token } = await whileLinkedTo(id, provider, claims);
    expect([code, token !== undefined]).toEqual([303, true]);
    expect(await signIns.memberOf(claims.email, provider.organizationId)).toBe('VIEWER');
  });
});

describe('two instances', () => {
  const other = secure;

  test('end a sign-in that the other one has begun, exchange its code once, and end its session', async () => {
    const redirect_uri = 'https://app.example.com/signed-in';
    const provider = await signIns.connected({ redirect_uris: [redirect_uri] });
    liar.lie = { claims: { ...person(provider, 'both'), sid: 'session-of-both' } };
    const code_verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const requested = `redirect_uri=${redirect_uri}&code_challenge=${challenge}&code_challenge_method=S256`;
    const begun = await fetch(`${url}/sign-in?organization=${provider.name}&${requested}`, { redirect: 'manual' });
    const to = new URL(begun.headers.get('location')!);
    liar.nonce = to.searchParams.get('nonce')!;
    const [, flow] = /^flow=([^;]+)/.exec(begun.headers.getSetCookie()[0]!)!;
    const back = await fetch(`${other.url}/sign-in/callback?code=c&state=${to.searchParams.get('state')}`, {
      redirect: 'manual',
      headers: { cookie: `__Host-flow=${flow}` },
    });
    const code = new URL(back.headers.get('location')!).searchParams.get('code')!;
    const exchange = (from: typeof gateway) =>
      from.rest.call('POST', '/api/v1/token/exchange', { body: { code, code_verifier, redirect_uri } });
    const answers = await Promise.all([gateway, other, gateway, other].map(exchange));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 404, 404, 404]);
    const { token } = answers.find((answer) => answer.status === 201)!.body.data as { token: string };
    expect(await status('/api/v1/token', token)).toBe(200);
    const body = new URLSearchParams({ logout_token: await liar.logoutToken({ sid: 'session-of-both' }) });
    expect((await fetch(`${other.url}/sign-in/backchannel-logout`, { method: 'POST', body })).status).toBe(200);
    await until(async () => (await status('/api/v1/token', token)) === 401);
  });

  test('and one make one user and one member of a person who comes in several times at once', async () => {
    const provider = await signIns.connected();
    const claims = person(provider, 'at-once');
    const { browser, back } = await signIns.comeBack(provider, { claims });
    const answers = await Promise.all([1, 2, 3].map(() => browser.request(back)));
    expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303]);
    const found = await rows('select m.id from membership m join app_user u on u.id = m.user_id where u.email = $1', [
      claims.email,
    ]);
    expect(found).toHaveLength(1);
    expect(await rows('select id from user_identity where subject = $1', [claims.sub])).toHaveLength(1);
  });
});
