import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { Browser, startLyingProvider, type LyingProvider } from '../support/identity-providers.js';
import { someoneWaits } from '../support/lock-waits.js';
import { Directory, person, provisionedOrganization, type Provisioned } from '../support/scim.js';
import { until } from '../support/until.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';

let installation: Installation;
let database: Database;
let provider: LyingProvider;
let gateway: GatewayProcess;
let stopper: pg.Client;

/** The first writer of one of the tables waits there until it is killed; later ones do not wait. */
const TRIGGER = `
  create table kill_point (name text primary key);
  create function wait_to_be_killed() returns trigger language plpgsql as $$
  begin
    if exists (select from kill_point where name = tg_table_name) and pg_try_advisory_lock(9001, hashtext(tg_table_name)) then
      perform pg_advisory_xact_lock(9000, 1);
    end if;
    return coalesce(new, old);
  end $$;
  ${['app_user', 'membership', 'user_identity', 'api_token', 'sign_in_code', 'scim_user', 'audit_entry']
    .map(
      (name) => `create trigger wait_to_be_killed before insert or update or delete on ${name}
    for each row execute function wait_to_be_killed();`,
    )
    .join('\n')}`;

beforeAll(async () => {
  installation = await Installation.create('connecting');
  ({ database } = installation);
  provider = await startLyingProvider();
  stopper = new pg.Client({ connectionString: installation.databaseUrl });
  await stopper.connect();
  await stopper.query(TRIGGER);
  await start();
});

afterAll(async () => {
  await stopper?.end();
  await Promise.all([provider?.close(), installation?.clear()]);
});

async function start(): Promise<void> {
  gateway = await installation.start({ OUTGOING_NETWORKS: '127.0.0.0/8' });
}

/** Through the running gateway. */
const rest = () => new RestClient(gateway.url);
const directoryOf = ({ organizationId, directory }: Provisioned) =>
  new Directory(`${gateway.url}/scim/v2/organizations/${organizationId}`, directory.token);

/** An organization whose directory and identity provider are the same service. */
async function connected(): Promise<Provisioned> {
  const of = await provisionedOrganization({ app: { database }, url: gateway.url, rest: rest() } as never);
  await database.rows(
    `update identity_provider set issuer = $2, default_role = 'VIEWER', redirect_uris = array[$3] where organization_id = $1`,
    [of.organizationId, provider.issuer, APPLICATION],
  );
  return of;
}

const APPLICATION = 'https://app.example.com/signed-in';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Returns from the provider; the target of the redirect, or undefined when the gateway dies. */
async function signIn({ domain }: Provisioned, name: string, further = '') {
  const browser = new Browser();
  const claims = {
    sub: `${name}-${domain}`,
    sid: `session-${domain}`,
    email: `${name}@${domain}`,
    email_verified: true,
  };
  provider.lie = { claims };
  const sentOn = async () => {
    const begun = await browser.request(`${gateway.url}/sign-in?organization=${domain}${further}`);
    return new URL(begun.headers.get('location')!);
  };
  const at = further === '' ? (await browser.begin(gateway.url, domain)).url : await sentOn();
  provider.nonce = at.searchParams.get('nonce')!;
  const callback = `${gateway.url}/sign-in/callback?code=c&state=${at.searchParams.get('state')}`;
  const { url } = gateway;
  const answer = await browser.request(callback).catch(() => undefined);
  return { location: answer?.headers.get('location') ?? '', token: browser.cookie(url, 'session') };
}

const works = async (token: string) => (await rest().get('/api/v1/token', { token })).status === 200;
const count = async (text: string, values: unknown[]) => (await database.rows(text, values)).length;

/** One request for each table, which waits there; then the gateway is killed, and another one started. */
async function killAt<Item>(
  tables: readonly string[],
  items: readonly Item[],
  request: (item: Item) => Promise<unknown>,
) {
  await stopper.query('select pg_advisory_lock(9000, 1)');
  await stopper.query('insert into kill_point select unnest($1::text[])', [tables]);
  const lost: Promise<unknown>[] = [];
  for (const item of items) {
    lost.push(request(item).catch(() => undefined));
    await someoneWaits({ rows: async (text: string) => (await stopper.query(text)).rows }, lost.length);
  }
  await gateway.end('SIGKILL');
  await stopper.query('delete from kill_point');
  await stopper.query('select pg_advisory_unlock(9000, 1)');
  await Promise.all(lost);
  await until(async () => {
    const [row] = await database.rows<{ open: number }>(
      `select count(*) as open from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.open === 0;
  });
  await start();
}

const many = (tables: readonly string[]) => Promise.all(tables.map(() => connected()));

test('a gateway that is killed at any step of a first sign-in leaves nothing of the person, who signs in at the next one', async () => {
  const tables = ['app_user', 'membership', 'user_identity', 'api_token', 'audit_entry'];
  const organizations = await many(tables);
  await killAt(tables, organizations, (of) => signIn(of, 'anna'));
  for (const of of organizations) {
    const email = `anna@${of.domain}`;
    expect(await count('select 1 from app_user where email = $1', [email])).toBe(0);
    expect(await count('select 1 from user_identity where subject = $1', [`anna-${of.domain}`])).toBe(0);
    const { token = '' } = await signIn(of, 'anna');
    expect(await works(token)).toBe(true);
    const members = 'select 1 from membership m join app_user u on u.id = m.user_id where u.email = $1';
    expect(await count(members, [email])).toBe(1);
  }
});

test('a gateway that is killed at any step of an exchange has the code exchanged at the next one, once', async () => {
  const tables = ['sign_in_code', 'api_token', 'audit_entry'];
  const further = `&redirect_uri=${APPLICATION}&code_challenge=${CHALLENGE}&code_challenge_method=S256`;
  const codes: string[] = [];
  for (const of of await many(tables))
    codes.push(new URL((await signIn(of, 'bruno', further)).location).searchParams.get('code')!);
  const exchange = (code: string) =>
    rest().post('/api/v1/token/exchange', { body: { code, code_verifier: VERIFIER, redirect_uri: APPLICATION } });
  await killAt(tables, codes, exchange);
  for (const code of codes) {
    const { status, body } = await exchange(code);
    expect([status, await works((body.data as { token: string }).token)]).toEqual([201, true]);
    expect((await exchange(code)).status).toBe(404);
  }
});

test('a gateway that is killed at any step of the creation of a member leaves none, and the directory creates it at the next one', async () => {
  const tables = ['app_user', 'membership', 'scim_user', 'audit_entry'];
  const organizations = await many(tables);
  await killAt(tables, organizations, (of) => directoryOf(of).post('Users', person(of.domain, 'carla')));
  for (const of of organizations) {
    expect(await count('select 1 from app_user where email = $1', [`carla@${of.domain}`])).toBe(0);
    expect((await directoryOf(of).get('Users')).body.totalResults).toBe(0);
    expect((await directoryOf(of).post('Users', person(of.domain, 'carla'))).status).toBe(201);
  }
});

test('a gateway that is killed at any step of a deactivation or of a logout has ended nothing, and the next one ends all of it', async () => {
  const tables = ['membership', 'api_token', 'scim_user', 'audit_entry'];
  const organizations = await many([...tables, 'logout', 'logout']);
  const people: { of: Provisioned; id: string; token: string }[] = [];
  for (const of of organizations) {
    const { body } = await directoryOf(of).post('Users', person(of.domain, 'dario'));
    people.push({ of, id: body.id, token: (await signIn(of, 'dario')).token! });
  }
  const deactivate = ({ of, id }: (typeof people)[number]) =>
    directoryOf(of).patch(`Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  await killAt(tables, people.slice(0, tables.length), deactivate);
  for (const each of people.slice(0, tables.length)) {
    expect((await directoryOf(each.of).get(`Users/${each.id}`)).body.active).toBe(true);
    expect(await works(each.token)).toBe(true);
    expect((await deactivate(each)).body.active).toBe(false);
    expect(await works(each.token)).toBe(false);
  }
  const logout = async ({ of }: (typeof people)[number]) => {
    const logout_token = await provider.logoutToken({ sid: `session-${of.domain}` });
    return fetch(`${gateway.url}/sign-in/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token }),
    });
  };
  provider.lie = {};
  const sessions = people.slice(tables.length);
  await killAt(['api_token', 'audit_entry'], sessions, logout);
  for (const session of sessions) {
    expect(await works(session.token)).toBe(true);
    expect((await logout(session)).status).toBe(200);
    expect(await works(session.token)).toBe(false);
  }
});
