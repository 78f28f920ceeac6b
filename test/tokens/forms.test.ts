import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import {
  buildNotifications,
  buildPerson,
  buildToken,
  seedTestData,
  join,
  type TestData,
} from '../support/test-data.js';

const NAME = 'X-Service-Token';

let gateway: TestGateway;
/** Trusts one proxy for the address of requests. */
let behindProxy: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  behindProxy = await startGateway({ database: gateway.database, config: { trustProxy: 1 } });
  testData = await seedTestData(gateway.app.database);
});

afterAll(async () => {
  await behindProxy?.close();
  await gateway?.close();
});

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);

/** The responses to one request with the token as a header, in the address, and in both. */
async function threeForms(path: string, token: string): Promise<number[]> {
  const query = `${path}${path.includes('?') ? '&' : '?'}${NAME}=${token}`;
  const answers = [
    await gateway.rest.get(path, { token }),
    await gateway.rest.get(query),
    await gateway.rest.get(query, { token }),
  ];
  return answers.map(({ status }) => status);
}

test('the name of the parameter may be escaped in an address, where it is the same parameter', async () => {
  const { owner, manager } = testData;
  for (const name of ['X%2DService%2DToken', '%58-Service-Token']) {
    const path = `/api/v1/notifications?${name}=${owner.token}`;
    expectStatus(await gateway.rest.get(path), 200);
    expectStatus(await gateway.rest.get(path, { token: owner.token }), 200);
    expectError(await gateway.rest.get(path, { token: manager.token }), 401, [1001]);
  }
});

describe('an organization that takes no tokens from addresses', () => {
  beforeAll(() =>
    sql('update organization set query_token_allowed = false where id = $1', [testData.organizationId]).then(
      async () => {
        await join(gateway.app.database, testData.owner, testData.otherOrganizationId, 'VIEWER');
        await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 3);
        await buildNotifications(gateway.app.database, testData.owner, testData.otherOrganizationId, 2);
      },
    ),
  );

  test('refuses one that came in an address, whether or not it came as a header, too', async () => {
    const paths = [
      `/api/v1/organizations/${testData.organizationId}/branding`,
      `/api/v1/organizations/${testData.organizationId}/users`,
    ];
    // Repeated, so that a cached response to one form is not used for the other.
    for (let time = 0; time < 3; time += 1) {
      for (const path of paths) expect(await threeForms(path, testData.owner.token)).toEqual([200, 403, 403]);
    }
  });

  test('is refused with the code of FORBIDDEN, and looks absent to non-members as before', async () => {
    const path = `/api/v1/organizations/${testData.organizationId}/branding?${NAME}=`;
    expectError(await gateway.rest.get(path + testData.viewer.token), 403, [1003]);
    expectError(await gateway.rest.get(path + testData.nonMember.token), 404, [1004]);
  });

  test('says nothing about other organizations, or about what is the caller’s own', async () => {
    const { token } = testData.owner;
    expect(await threeForms(`/api/v1/organizations/${testData.otherOrganizationId}/branding`, token)).toEqual([
      200, 200, 200,
    ]);
    expect(await threeForms('/api/v1/profile', token)).toEqual([200, 200, 200]);
  });

  test('is left out of lists across organizations', async () => {
    const { token } = testData.owner;
    const path = '/api/v1/notifications?limit=100';
    const [byHeader, byQuery] = [
      await gateway.rest.get(path, { token }),
      await gateway.rest.get(`${path}&${NAME}=${token}`),
    ];
    expect([byHeader.body.total, byQuery.body.total]).toEqual([5, 2]);
    const query = '{ viewer { organizations { nodes { organization { id: databaseId } } } } }';
    const answer = await fetch(`${gateway.url}/graphql?${NAME}=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await answer.json()).toEqual({
      data: { viewer: { organizations: { nodes: [{ organization: { id: testData.otherOrganizationId } }] } } },
    });
  });
});

describe('a token that is blocked in an organization', () => {
  test('is refused there and only there, and lists leave the organization out', async () => {
    const member = await buildPerson(gateway.app.database, 'member');
    await join(gateway.app.database, member, testData.organizationId, 'VIEWER');
    await join(gateway.app.database, member, testData.otherOrganizationId, 'VIEWER');
    await buildNotifications(gateway.app.database, member, testData.otherOrganizationId, 2);
    await buildNotifications(gateway.app.database, member, testData.organizationId, 1);
    const blocked = await buildToken(gateway.app.database, member, {});
    await sql(
      `insert into token_block (token_id, organization_id) select max(id), $2::bigint from api_token where user_id = $1`,
      [member.id, testData.otherOrganizationId],
    );
    const branding = (id: number, token: string) => gateway.rest.get(`/api/v1/organizations/${id}/branding`, { token });
    expectError(await branding(testData.otherOrganizationId, blocked), 403, [1003]);
    expectStatus(await branding(testData.organizationId, blocked), 200);
    expectStatus(await branding(testData.otherOrganizationId, member.token), 200);
    const list = (token: string) => gateway.rest.get('/api/v1/notifications', { token });
    expect([(await list(blocked)).body.total, (await list(member.token)).body.total]).toEqual([1, 3]);
    const [hidden] = await sql('select id from notification where organization_id = $1 and user_id = $2', [
      testData.otherOrganizationId,
      member.id,
    ]);
    expect(
      await gateway.graphql.error(`{ notification(id: ${String(hidden?.['id'])}) { id: databaseId } }`, {
        token: blocked,
      }),
    ).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });
});

describe('a token that may come from some addresses only', () => {
  const tokenFor = async (allowedIps: string[]) => {
    const token = await buildToken(gateway.app.database, testData.officer, {});
    await sql('update api_token set allowed_ips = $1 where id = (select max(id) from api_token)', [allowedIps]);
    return token;
  };
  const from = async (at: TestGateway, token: string, forwarded?: string) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    return (await at.rest.get('/api/v1/profile', { token, headers })).status;
  };

  test('is no token anywhere else', async () => {
    expect(await from(gateway, await tokenFor(['127.0.0.0/8']))).toBe(200);
    const elsewhere = await tokenFor(['192.0.2.0/24', '::1']);
    const answer = await gateway.rest.get('/api/v1/profile', { token: elsewhere });
    expectError(answer, 401, [1001]);
  });

  test('is decided by the connection where no proxy is trusted, whatever a header says', async () => {
    const token = await tokenFor(['192.0.2.0/24']);
    expect(await from(gateway, token, '192.0.2.7')).toBe(401);
    expect(await from(gateway, await tokenFor(['127.0.0.1']), '192.0.2.7')).toBe(200);
  });

  test('is decided by what the trusted proxy was called from, not by what the client wrote before it', async () => {
    const token = await tokenFor(['192.0.2.0/24', '2001:db8::/32']);
    expect(await from(behindProxy, token, '192.0.2.7')).toBe(200);
    expect(await from(behindProxy, token, '2001:db8::7')).toBe(200);
    expect(await from(behindProxy, token, '192.0.2.7, 203.0.113.9')).toBe(401);
    expect(await from(behindProxy, token, '203.0.113.9, 192.0.2.7')).toBe(200);
    expect(await from(behindProxy, token, 'nonsense')).toBe(401);
    expect(await from(behindProxy, token)).toBe(401);
  });

  test('is decided anew for each request, also when the token is cached', async () => {
    const token = await tokenFor(['192.0.2.7']);
    for (let time = 0; time < 3; time += 1) {
      expect(await from(behindProxy, token, '192.0.2.7')).toBe(200);
      expect(await from(behindProxy, token, '192.0.2.8')).toBe(401);
    }
  });

  test('does not count as used from where it is refused', async () => {
    const token = await tokenFor(['192.0.2.7']);
    await from(gateway, token);
    const [row] = await sql('select last_used_at from api_token order by id desc limit 1');
    expect(row).toEqual({ last_used_at: null });
  });
});
