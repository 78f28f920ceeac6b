import { afterAll, expect, test } from '@jest/globals';
import { directoryIdsOf } from '../../src/services/identity/provider-client.js';
import { Browser, startLyingProvider } from '../support/identity-providers.js';
import { person, provisionedOrganization, type Provisioned } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, buildToken, join } from '../support/test-data.js';

const { gateway } = await startSeededGateway();
const { url } = gateway;
const { database } = gateway.app;
const provider = await startLyingProvider();
afterAll(() => provider.close());

/** An organization whose directory and identity provider are the same service. */
async function connected(): Promise<Provisioned> {
  const of = await provisionedOrganization(gateway);
  await database.rows('update identity_provider set issuer = $2 where organization_id = $1', [
    of.organizationId,
    provider.issuer,
  ]);
  return of;
}

/** Signs in through the provider; the status of the response, and the user of the session. */
async function signIn({ domain }: Provisioned, claims: Record<string, unknown>) {
  const browser = new Browser();
  provider.lie = { claims };
  const { url: at } = await browser.begin(url, domain);
  provider.nonce = at.searchParams.get('nonce')!;
  const { status } = await browser.request(`${url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`);
  const token = browser.cookie(url, 'session');
  if (token === undefined) return { status };
  const { viewer } = await gateway.graphql.data('{ viewer { user { id: databaseId } } }', { token });
  return { status, userId: viewer.user.id as string, token };
}

async function provisioned(of: Provisioned, name: string, more: object = {}) {
  const { body } = await of.directory.post('Users', person(of.domain, name, more));
  const [{ userId }] = (await database.rows(
    'select m.user_id as "userId" from scim_user s join membership m on m.id = s.membership_id where s.id = $1',
    [body.id],
  )) as [{ userId: string }];
  return { id: body.id as string, userId };
}

test('who was provisioned is found by a verified address, and by the subject from then on', async () => {
  const of = await connected();
  const { userId, id } = await provisioned(of, 'anna');
  const verified = { sub: `sub-${of.domain}`, email: `anna@${of.domain}`, email_verified: true };
  expect(await signIn(of, verified)).toMatchObject({ userId });
  const { token } = await signIn(of, { sub: verified.sub });
  const status = async () =>
    (await gateway.rest.get(`/api/v1/organizations/${of.organizationId}`, { token: token! })).status;
  expect(await status()).toBe(200);
  await of.directory.patch(`Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect(await status()).toBe(401);
  expect(await signIn(of, verified)).toMatchObject({ status: 403 });
});

test('who was provisioned is found by an id that the directory and the provider share, without a verified address', async () => {
  const of = await connected();
  const { userId } = await provisioned(of, 'bruno', { externalId: `shared-${of.domain}` });
  const { userId: other } = await provisioned(of, 'other');
  expect(await signIn(of, { sub: `shared-${of.domain}`, email: `other@${of.domain}` })).toMatchObject({ userId });
  expect(other).not.toBe(userId);
  expect(await signIn(of, { sub: `another-${of.domain}`, oid: 'ext-other' })).toEqual({ status: 200 });
});

test.each<[string, (of: Provisioned, user: { id: string; userId: string }) => Promise<unknown>]>([
  ['that has a token already', (_of, { userId }) => buildToken(database, { id: userId }, {})],
  [
    'that a person has signed in to',
    (of) => signIn(of, { sub: `first-${of.domain}`, email: `carla@${of.domain}`, email_verified: true }),
  ],
  [
    'that another provider knows already',
    (_of, { userId }) =>
      database.rows(
        `insert into user_identity (issuer, subject, user_id) values ('https://other.example', $1, $1::text::uuid)`,
        [userId],
      ),
  ],
  [
    'that was deleted, and whose access was given back by hand',
    async (of, { id, userId }) => {
      await of.directory.delete(`Users/${id}`);
      const path = `/api/v1/organizations/${of.organizationId}/users/${userId}`;
      expect((await gateway.rest.patch(path, { token: of.owner.token, body: { active: true } })).status).toBe(200);
    },
  ],
  [
    'whose domain is proven no more',
    (of) =>
      database.rows('update identity_domain set verified_at = null where organization_id = $1', [of.organizationId]),
  ],
])('an account %s is not found by an id of the directory', async (_which, use) => {
  const of = await connected();
  const externalId = `carla-${of.domain}`;
  await use(of, await provisioned(of, 'carla', { externalId }));
  const { userId } = await signIn(of, { sub: externalId });
  expect(userId).toBeUndefined();
});

test('the object id counts at Entra ID, and no such claim of another provider', () => {
  const claims = { sub: 'pairwise', oid: 'object' };
  const ids = (issuer: string) => directoryIdsOf(claims, issuer);
  expect(ids('https://login.microsoftonline.com/8f14e45f/v2.0')).toEqual(['pairwise', 'object']);
  expect(ids('https://login.microsoftonline.com.example.com/v2.0')).toEqual(['pairwise']);
  expect(ids('https://login.example.com/login.microsoftonline.com/')).toEqual(['pairwise']);
  expect(directoryIdsOf({ sub: 'pairwise', oid: 7 }, 'https://login.microsoftonline.us/x/v2.0')).toEqual(['pairwise']);
});

test('an account that was made elsewhere is not found by an id of the directory', async () => {
  const of = await connected();
  const elsewhere = await buildPerson(database, 'elsewhere');
  await database.rows('delete from api_token where user_id = $1', [elsewhere.id]);
  await database.rows('update app_user set email = $1 where id = $2', [`dora@${of.domain}`, elsewhere.id]);
  const { userId } = await provisioned(of, 'dora', { externalId: `dora-${of.domain}` });
  expect(userId).toBe(elsewhere.id);
  expect((await signIn(of, { sub: `dora-${of.domain}` })).userId).toBeUndefined();
});

test('the directory of one organization names no one at the provider of another', async () => {
  const [of, other] = [await connected(), await connected()];
  const { userId } = await provisioned(of, 'eva', { externalId: `eva-${of.domain}` });
  await join(database, { id: userId }, other.organizationId, 'VIEWER');
  expect((await signIn(other, { sub: `eva-${of.domain}` })).userId).toBeUndefined();
});

test('once an account was used, the directory changes its name and not the address by which a sign-in finds it', async () => {
  const of = await connected();
  const { id, userId } = await provisioned(of, 'fabio');
  await signIn(of, { sub: `fabio-${of.domain}`, email: `fabio@${of.domain}`, email_verified: true });
  await of.directory.put(`Users/${id}`, person(of.domain, 'gino'));
  const [user] = await database.rows('select first_name, email from app_user where id = $1', [userId]);
  expect(user).toEqual({ first_name: 'gino', email: `fabio@${of.domain}` });
  const thief = await signIn(of, { sub: `thief-${of.domain}`, email: `gino@${of.domain}`, email_verified: true });
  expect(thief.userId).not.toBe(userId);
  // Also if the sign-in has no token left.
  await database.rows('delete from api_token where user_id = $1', [userId]);
  await of.directory.put(`Users/${id}`, person(of.domain, 'ugo'));
  expect(await database.rows('select first_name, email from app_user where id = $1', [userId])).toEqual([
    { first_name: 'ugo', email: `fabio@${of.domain}` },
  ]);
});
