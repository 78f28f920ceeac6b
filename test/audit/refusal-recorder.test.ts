import { afterEach, describe, expect, test } from '@jest/globals';
import type { Refusal } from '../../src/auth/access.js';
import type { UserCaller } from '../../src/auth/caller.js';
import { Database } from '../../src/database/database.js';
import { REQUEST_LIMITS } from '../../src/database/time-limits.js';
import { createLogger } from '../../src/logger.js';
import { RefusalRecorder } from '../../src/services/audit/refusal-recorder.js';
import { APIS, callThrough, expectFailure, FOR_PERSONS, type Operation } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { buildServiceAccount } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { until } from '../support/until.js';
import { buildOrganization, join } from '../support/test-data.js';

const READ: Operation = {
  rest: 'GET /api/v1/organizations/{id}/audit-trail',
  graphql: `query ($id: ID!) { organization(id: $id) { auditTrail(first: 1) { nodes { position } } } }`,
  at: 'organization.auditTrail',
};
const LEAVE = mutation(
  'POST /api/v1/organizations/{organization_id}/leave',
  'leaveOrganization',
  'organization { id }',
);
const FLOOD = 1_000;
const SECOND = 1_000;

const clock = new TestClock();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
afterEach(() => clock.set(0));

async function newOrganization(): Promise<number> {
  const id = await buildOrganization(gateway.app.database, 'With refusals');
  await join(gateway.app.database, testData.viewer, id, 'VIEWER');
  await join(gateway.app.database, testData.manager, id, 'ORGANIZATION_MANAGER');
  return id;
}

interface Entry {
  at: string;
  actor: { id: string; address: object };
  request: string;
  changes: Record<string, { after: unknown }>;
}

async function refusalsIn(organizationId: number): Promise<Entry[]> {
  const rows = await gateway.app.database.rows<{ entry: string }>(
    `select entry from audit_entry where action = 'ACCESS_REFUSED'
        and log_id = (select id from audit_log where organization_id = $1) order by position`,
    [organizationId],
  );
  return rows.map(({ entry }) => JSON.parse(entry));
}

async function awaitedRefusals(organizationId: number, count: number): Promise<Entry[]> {
  await until(async () => (await refusalsIn(organizationId)).length === count);
  return refusalsIn(organizationId);
}

const refused = (organizationId: number, token = testData.viewer.token, requestId = 'refused-request') =>
  gateway.rest.get(`/api/v1/organizations/${organizationId}/audit-trail`, {
    token,
    headers: { 'x-request-id': requestId },
  });

describe.each(APIS)('through %s', (api) => {
  test('what a role does not allow is recorded with the member, its token, address and request', async () => {
    const id = await newOrganization();
    expectFailure(await callThrough(api, gateway, READ, { id }, testData.viewer.token), 'FORBIDDEN');
    const [entry] = await awaitedRefusals(id, 1);
    expect(entry).toEqual({
      action: 'ACCESS_REFUSED',
      actor: {
        type: 'USER',
        id: testData.viewer.id,
        token: expect.any(Number),
        address: { person: testData.viewer.id, sealed: expect.any(String) },
      },
      at: clock.now().toISOString(),
      changes: { privilege: { after: 'READ_AUDIT_TRAIL' }, refusedBy: { after: 'ROLE' } },
      request: expect.any(String),
      subject: {
        type: 'MEMBER',
        id: testData.viewer.id,
        name: { person: testData.viewer.id, sealed: expect.any(String) },
      },
    });
  });

  test('a refusal by the scopes of a token is recorded apart from one by the role', async () => {
    const id = await newOrganization();
    await join(gateway.app.database, testData.owner, id, 'ORGANIZATION_OWNER');
    expectFailure(await callThrough(api, gateway, READ, { id }, testData.tokens.writeOnly), 'FORBIDDEN');
    const [entry] = await awaitedRefusals(id, 1);
    expect(entry?.changes).toMatchObject({ refusedBy: { after: 'TOKEN' } });
  });

  test('what is for persons is refused to a service account by its role, whatever that is', async () => {
    const id = await newOrganization();
    const { token } = await buildServiceAccount(gateway.app.database, id, testData.manager, 'ORGANIZATION_MANAGER');
    expectFailure(await callThrough(api, gateway, LEAVE, { organization_id: id }, token), 'FORBIDDEN', FOR_PERSONS);
    const [entry] = await awaitedRefusals(id, 1);
    expect(entry?.changes).toEqual({ privilege: { after: 'LEAVE_ORGANIZATION' }, refusedBy: { after: 'ROLE' } });
  });

  test('callers without a token and users of other organizations leave nothing', async () => {
    const id = await newOrganization();
    expectFailure(await callThrough(api, gateway, READ, { id }), 'UNAUTHENTICATED');
    expectFailure(await callThrough(api, gateway, READ, { id }, testData.nonMember.token), 'NOT_FOUND');
    // Later refusals are recorded, so these would have been.
    await refused(id);
    await awaitedRefusals(id, 1);
  });
});

describe('what a token may not do in the affairs of its user', () => {
  const RENAME = mutation('PATCH /api/v1/profile', 'updateProfile', 'user { id }');
  const ownRefusals = async () => {
    const rows = await gateway.app.database.rows<{ entry: string }>(
      `select entry from audit_entry e join audit_log l on l.id = e.log_id
        where e.action = 'ACCESS_REFUSED' and l.user_id = $1 order by e.position`,
      [testData.owner.id],
    );
    return rows.map(({ entry }) => (JSON.parse(entry) as Entry).changes);
  };

  test('is recorded in the trail of the user, through both APIs', async () => {
    for (const api of APIS)
      expectFailure(
        await callThrough(api, gateway, RENAME, { first_name: 'Eve' }, testData.tokens.readOnly),
        'FORBIDDEN',
      );
    await until(async () => (await ownRefusals()).length === 1);
    clock.set(0, 60 * SECOND);
    await until(async () => (await ownRefusals()).length === 2);
    const refusal = { scope: { after: 'write' }, refusedBy: { after: 'TOKEN' } };
    expect(await ownRefusals()).toEqual([refusal, { ...refusal, times: { after: 1 } }]);
  });

  test('names the scope that a token may not pass on to another', async () => {
    await gateway.rest.post('/api/v1/tokens', {
      token: testData.tokens.writeOnly,
      body: { name: 'Reads', scopes: ['READ'] },
    });
    await until(async () => (await ownRefusals()).some(({ scope }) => scope?.after === 'read'));
  });
});

test('a refusal in a transaction is recorded though the transaction is undone', async () => {
  const id = await newOrganization();
  const answer = await gateway.rest.post(`/api/v1/organizations/${id}/invitations`, {
    token: testData.manager.token,
    headers: { 'idempotency-key': 'an-owner-by-a-manager' },
    body: { email: 'new-owner@example.com', role: 'ORGANIZATION_OWNER' },
  });
  expectStatus(answer, 403);
  const [entry] = await awaitedRefusals(id, 1);
  expect(entry).toMatchObject({
    actor: { id: testData.manager.id },
    changes: { privilege: { after: 'MANAGE_OWNERS' } },
  });
});

test('a thousand refusals in a minute make two entries, the second with their number', async () => {
  const id = await newOrganization();
  for (let sent = 0; sent < FLOOD; sent += 50)
    await Promise.all(Array.from({ length: 50 }, (_, number) => refused(id, undefined, `request-${sent + number}`)));
  await awaitedRefusals(id, 1);
  clock.set(0, 60 * SECOND);
  const [first, second] = await awaitedRefusals(id, 2);
  expect(first?.changes).not.toHaveProperty('times');
  expect(second?.changes).toMatchObject({ times: { after: FLOOD - 1 } });
  clock.set(0, 61 * SECOND);
  await refused(id);
  expect(await awaitedRefusals(id, 3)).toHaveLength(3);
});

test('refusals that come while the number of others is recorded are not lost', async () => {
  const { database } = gateway.app;
  const id = await newOrganization();
  await refused(id);
  await awaitedRefusals(id, 1);
  await refused(id);
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from audit_log where organization_id = $1 for update', [id]);
    clock.set(0, 60 * SECOND);
    await someoneWaits(tx);
    for (let times = 0; times < 3; times += 1) await refused(id);
  });
  const [, second, third] = await awaitedRefusals(id, 3);
  expect([second, third].map((entry) => entry?.changes['times']?.after)).toEqual([1, 3]);
});

test('another privilege, user or organization is counted on its own', async () => {
  const [one, other] = [await newOrganization(), await newOrganization()];
  await join(gateway.app.database, testData.analyst, one, 'SECURITY_ANALYST');
  await refused(one);
  await refused(one, testData.analyst.token);
  await gateway.rest.get(`/api/v1/organizations/${one}/users`, { token: testData.viewer.token });
  await refused(other);
  await awaitedRefusals(one, 3);
  await awaitedRefusals(other, 1);
});

test('a trail that cannot be written to changes no answer, and has the entry later', async () => {
  const { database } = gateway.app;
  const id = await newOrganization();
  await database.rows('alter table audit_entry add constraint refused check (false) not valid');
  try {
    expectStatus(await refused(id), 403);
    await new Promise((done) => setTimeout(done, 1.5 * SECOND));
    expectStatus(await refused(id), 403);
  } finally {
    await database.rows('alter table audit_entry drop constraint refused');
  }
  await awaitedRefusals(id, 1);
});

describe('the recorder', () => {
  const caller = (): UserCaller => {
    const { id: userId, username } = testData.viewer;
    const kinds = { kind: 'user', form: 'header', personalKey: null, blockedIn: new Set<number>() } as const;
    return { ...kinds, scopes: new Set(), userId, username, tokenId: 1 };
  };
  const recorder = (max?: number) => new RefusalRecorder(gateway.app.database, createLogger('silent'), clock.now, max);

  test('records what it has counted when the gateway stops', async () => {
    const organizationId = await newOrganization();
    const refusal: Refusal = { caller: caller(), organizationId, privilege: 'READ_DEVICES', by: 'ROLE' };
    const stopping = recorder();
    for (let times = 0; times < 3; times += 1) stopping.refused(refusal);
    await stopping.close();
    const entries = await refusalsIn(organizationId);
    expect(entries.map(({ changes }) => changes['times']?.after)).toEqual([undefined, 2]);
  });

  test('goes on with other trails where one is locked, also when the gateway stops', async () => {
    const { app, database: server } = gateway;
    const [locked, other] = [await newOrganization(), await newOrganization()];
    await buildAuditEntry(app.database, locked);
    const impatient = await Database.open(server.url, 2, { ...REQUEST_LIMITS, lock: 50 });
    const stopping = new RefusalRecorder(impatient, createLogger('silent'), clock.now);
    for (const organizationId of [locked, other])
      stopping.refused({ caller: caller(), organizationId, privilege: 'READ_DEVICES', by: 'ROLE' });
    await app.database.transaction(async (tx) => {
      await tx.rows('select 1 from audit_log where organization_id = $1 for update', [locked]);
      await stopping.close();
    });
    await impatient.close();
    expect(await refusalsIn(other)).toHaveLength(1);
  });

  test('counts no more than its maximum at a time', async () => {
    const organizationId = await newOrganization();
    const small = recorder(2);
    for (const privilege of ['READ_DEVICES', 'READ_REPORTS', 'LIST_TOKENS'] as const)
      small.refused({ caller: caller(), organizationId, privilege, by: 'ROLE' });
    await small.close();
    const entries = await refusalsIn(organizationId);
    expect(entries.map(({ changes }) => changes['privilege']?.after)).toEqual(['READ_DEVICES', 'READ_REPORTS']);
  });
});
