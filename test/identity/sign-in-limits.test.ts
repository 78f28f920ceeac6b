import { afterAll, describe, expect, test } from '@jest/globals';
import { Browser, startLyingProvider } from '../support/identity-providers.js';
import { HIGH_QUOTAS, HIGH_RATE_LIMITS } from '../support/gateway.js';
import { startSeededGateway, startSharedGateway } from '../support/seeded-gateway.js';

const perToken = { ...HIGH_RATE_LIMITS.perToken, writes: 6 };
const { gateway, testData } = await startSeededGateway({
  config: {
    trustProxy: 1,
    rateLimits: { ...HIGH_RATE_LIMITS, perToken, failedAuthentication: 2 },
    quotas: { ...HIGH_QUOTAS, membersPerOrganization: 1 },
  },
});
const { database } = gateway;
const impatient = await startSharedGateway({
  database,
  outgoing: { milliseconds: 100 },
});
const guarded = await startSharedGateway({ database, config: { outgoingNetworks: [] } });
const provider = await startLyingProvider();
afterAll(() => provider.close());

await gateway.app.database.rows(
  `with provider as (insert into identity_provider (organization_id, name, issuer, client_id, default_role, group_roles, redirect_uris)
     values ($1, 'limited', $2, 'gateway', 'VIEWER', '[]', '{}') returning id)
   insert into identity_domain (organization_id, provider_id, domain, challenge, verified_at)
   select $1, id, 'limited.example', 'c', now() from provider`,
  [testData.organizationId, provider.issuer],
);

/** From a separate address: the limits count by address. */
const send = (from: string, path: string, form?: Record<string, string>, cookie = '') =>
  fetch(`${gateway.url}${path}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': from, cookie },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });

describe('the sign-in pages', () => {
  test('answer as many requests of one address as it may write, then 429 with the time to wait', async () => {
    for (let sent = 0; sent < 6; sent += 1) expect((await send('192.0.2.1', '/sign-in')).status).toBe(200);
    for (const [path, form] of [
      ['/sign-in', undefined],
      ['/sign-in?organization=limited', undefined],
      ['/sign-in', { who: 'limited' }],
      ['/sign-in/callback?code=c&state=s', undefined],
      ['/sign-in/link', { token: 't' }],
      ['/sign-in/backchannel-logout', { logout_token: 't' }],
    ] as const) {
      const refused = await send('192.0.2.1', path, form);
      expect([path, refused.status]).toEqual([path, 429]);
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
    expect((await send('192.0.2.2', '/sign-in')).status).toBe(200);
  });

  test('take no more wrong tokens of one address than both APIs do', async () => {
    const guess = async (path: string, session: string) =>
      (await send('192.0.2.3', path, undefined, `session=${session}`)).status;
    expect(await guess('/sign-in', 'scp_wrong')).toBe(200);
    expect(await guess('/sign-in', 'scp_wrong')).toBe(200);
    expect(await guess('/sign-in', 'scp_wrong')).toBe(429);
    expect((await gateway.rest.get('/api/v1/token', { token: testData.owner.token })).status).toBe(200);
  });

  test('say so when the organization has as many members as it may have', async () => {
    const browser = new Browser();
    const { url: at } = await browser.begin(gateway.url, 'limited');
    provider.nonce = at.searchParams.get('nonce')!;
    provider.lie = { claims: { sub: 'full', email: 'full@limited.example', email_verified: true } };
    const page = await browser.visit(`${gateway.url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`);
    expect([page.status, browser.cookie(gateway.url, 'session')]).toEqual([409, undefined]);
    expect(page.text).toContain('already has the maximum number of members');
  });
});

describe('a page says that the provider does not answer', () => {
  test.each(['at once', 'in its answer'] as const)('when it hangs %s', async (hangs) => {
    provider.lie = { hangs };
    const page = await new Browser().begin(impatient.url, 'limited');
    expect(page.status).toBe(502);
    expect(page.text).toContain('is not responding');
  });

  test('when it is in a network that the operator has not allowed, which is not called', async () => {
    provider.lie = {};
    const page = await new Browser().begin(guarded.url, 'limited');
    expect([page.status, page.url.origin]).toEqual([502, guarded.url]);
  });
});
