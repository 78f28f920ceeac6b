import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { StatementWatch } from '../support/statements.js';
import {
  buildOrganization,
  buildPerson,
  buildToken,
  seedTestData,
  join,
  type Person,
  type TestData,
} from '../support/test-data.js';

/** Milliseconds after which no instance may use outdated access (docs/adr/0004). */
const WITHIN = 1000;

let database: TestDatabase;
let watch: StatementWatch;
/** Two instances on one database: changes through the first are observed at the second. */
let first: TestGateway;
let second: TestGateway;
let testData: TestData;
let person: Person;
let organizationId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  watch = await StatementWatch.before(database.url);
  first = await startGateway({ database });
  second = await startGateway({ database: { ...database, url: watch.url } });
  testData = await seedTestData(first.app.database);
});

afterAll(async () => {
  await second?.close();
  await first?.close();
  await watch?.close();
  await database?.drop();
});

beforeEach(async () => {
  person = await buildPerson(first.app.database, 'member');
  organizationId = await buildOrganization(first.app.database, 'Somewhere');
  await join(first.app.database, person, organizationId, 'ORGANIZATION_MANAGER');
  await warm();
});

const READ = 'query ($id: ID!) { organization(id: $id) { cloudDefenders(first: 1) { totalCount } } }';
const send = (token = person.token) => second.graphql.call(READ, { token, variables: { id: organizationId } });
const sql = (text: string, values: unknown[] = []) => first.app.database.rows(text, values);

/** Waits until the second instance responds without reading caller and role from the database. */
async function warm(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const texts = await watch.during(() => send());
    if (!texts.some((text) => text.includes('api_token') || text.includes('select m.role'))) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('Access is not remembered');
}

/**
 * A request a second after the change must get `code`; an earlier one may get it, or another one: the role of a deleted
 * user ends before its tokens.
 */
async function endsIn(code: string, change: () => Promise<unknown>): Promise<void> {
  expect((await send()).body.errors).toBeUndefined();
  await change();
  const changedAt = performance.now();
  for (;;) {
    const requestedAt = performance.now();
    const answer = await send();
    const seen = answer.body.errors?.[0]?.extensions.code;
    if (seen === code) return;
    if (requestedAt - changedAt > WITHIN) throw new Error(`No ${code} after ${WITHIN} ms.\n${answer.story}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('within a second, the other instance sees', () => {
  test('a token that was revoked through this one', () =>
    endsIn('UNAUTHENTICATED', async () => {
      const { viewer } = await first.graphql.data('{ viewer { token { id: databaseId } } }', { token: person.token });
      await first.graphql.data(
        `mutation { revokeApiToken(input: { tokenId: ${viewer.token.id} }) { apiToken { id: databaseId } } }`,
        {
          token: person.token,
        },
      );
    }));

  test.each([
    ['a token that was revoked', 'UNAUTHENTICATED', 'update api_token set revoked_at = now() where user_id = $1'],
    ['a token that was deleted', 'UNAUTHENTICATED', 'delete from api_token where user_id = $1'],
    [
      'a token whose time was cut short',
      'UNAUTHENTICATED',
      'update api_token set expires_at = now() where user_id = $1',
    ],
    [
      'a token whose secret was replaced',
      'UNAUTHENTICATED',
      `update api_token set digest = 'x' || id where user_id = $1`,
    ],
    ['a token that lost a scope', 'FORBIDDEN', `update api_token set scopes = '{write}' where user_id = $1`],
    ['a user who was deactivated', 'UNAUTHENTICATED', 'update app_user set deactivated_at = now() where id = $1'],
    ['a user who was deleted', 'UNAUTHENTICATED', 'delete from app_user where id = $1'],
    [
      'a token that may come from elsewhere only',
      'UNAUTHENTICATED',
      `update api_token set allowed_ips = '{192.0.2.0/24}' where user_id = $1`,
    ],
    [
      'a token that was blocked in the organization',
      'FORBIDDEN',
      `insert into token_block (token_id, organization_id)
       select t.id, m.organization_id from api_token t join membership m on m.user_id = t.user_id where t.user_id = $1`,
    ],
    ['a member who was deactivated', 'NOT_FOUND', 'update membership set deactivated_at = now() where user_id = $1'],
    ['a member who was removed', 'NOT_FOUND', 'delete from membership where user_id = $1'],
    ['a role that was lowered', 'FORBIDDEN', `update membership set role = 'SECURITY_OFFICER' where user_id = $1`],
  ])('%s, by whatever means', (_what, code, statement) => endsIn(code, () => sql(statement, [person.id])));

  test('an organization that was deleted', () =>
    endsIn('NOT_FOUND', () => sql('update organization set deleted_at = now() where id = $1', [organizationId])));

  test('a rule against tokens in addresses', async () => {
    const query = `/api/v1/organizations/${organizationId}/branding?X-Service-Token=${person.token}`;
    const status = async () => (await second.rest.get(query)).status;
    expect(await status()).toBe(200);
    await endsIn('FORBIDDEN', async () => {
      await sql('update organization set query_token_allowed = false where id = $1', [organizationId]);
      for (const until = performance.now() + WITHIN; performance.now() < until;) {
        if ((await status()) === 403) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(await status()).toBe(403);
      // The token is still valid as a header; the following change of role ends its rights.
      expect((await send()).body.errors).toBeUndefined();
      await sql(`update membership set role = 'VIEWER' where user_id = $1`, [person.id]);
    });
  });

  test('a membership that was given to another person', () =>
    endsIn('NOT_FOUND', () =>
      sql('update membership set user_id = $2 where user_id = $1', [person.id, testData.userWithoutOrganization.id]),
    ));

  test('a membership that was moved to another organization', () =>
    endsIn('NOT_FOUND', async () => {
      const other = await buildOrganization(first.app.database, 'Elsewhere');
      await sql('update membership set organization_id = $2 where user_id = $1', [person.id, other]);
    }));

  test('memberships that were all removed at one go', () =>
    endsIn('NOT_FOUND', async () => {
      await sql('truncate membership cascade');
      await join(first.app.database, testData.owner, testData.organizationId, 'ORGANIZATION_OWNER');
    }));
});

describe('what is given', () => {
  test('is seen as well: a new member, a raised role, a restored organization', async () => {
    const becomes = async (code: string | undefined) => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const answer = await send();
        if (answer.body.errors?.[0]?.extensions.code === code) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Expected ${code ?? 'success'}`);
    };
    await sql('delete from membership where user_id = $1', [person.id]);
    await becomes('NOT_FOUND');
    await join(first.app.database, person, organizationId, 'VIEWER');
    await becomes('FORBIDDEN');
    await sql(`update membership set role = 'ORGANIZATION_OWNER' where user_id = $1`, [person.id]);
    await becomes(undefined);
    await sql('update organization set deleted_at = now() where id = $1', [organizationId]);
    await becomes('NOT_FOUND');
    await sql('update organization set deleted_at = null where id = $1', [organizationId]);
    await becomes(undefined);
  });
});

describe('when the connection that hears of changes is lost', () => {
  const terminate = () =>
    sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'compliance-gateway access'`,
    );

  test('access stays right, and is remembered again later', async () => {
    await endsIn('UNAUTHENTICATED', async () => {
      await terminate();
      await sql('update api_token set revoked_at = now() where user_id = $1', [person.id]);
    });
    person = { ...person, token: await buildToken(first.app.database, person, {}) };
    await warm();
  });

  test('what changed while announcements were not received is not remembered', async () => {
    const other = await buildToken(first.app.database, person, {});
    await terminate();
    await sql('update membership set role = $2 where user_id = $1', [person.id, 'VIEWER']);
    person = { ...person, token: other };
    await warm();
    expect((await send()).body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
