import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Result } from '../support/apis.js';
import { HIGH_QUOTAS } from '../support/gateway.js';
import { newKey } from '../support/idempotency.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { person, provisionedOrganization, type Provisioned } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildOrganization, buildToken, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';

const UPDATE = mutation(
  'PATCH /api/v1/v-ciso/incidents/{organization_id}/{incident_id}',
  'updateIncident',
  'incident { id: databaseId title }',
);

const { gateway } = await startSeededGateway({ config: { quotas: HIGH_QUOTAS } });
const { database } = gateway.app;

let organizationId: number;
let incidentId: number;
let owner: Person;
let officer: Person;
beforeEach(async () => {
  organizationId = await buildOrganization(database, 'Waiting');
  incidentId = await buildIncident(database, organizationId);
  owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  officer = await newMember(database, organizationId, 'SECURITY_OFFICER');
});

const members = () => `/api/v1/organizations/${organizationId}/users`;
const change = () => ({ organization_id: organizationId, incident_id: incidentId, title: 'Changed' });

/** Runs `work` while a change of the incident waits for its row, until the gateway has seen the revoked right. */
async function whileWaiting<Answered>(
  begin: () => Promise<Answered>,
  work: () => Promise<unknown>,
  isKnown: () => Promise<boolean> | boolean,
  [table, id]: [table: 'incident' | 'organization', id: number] = ['incident', incidentId],
): Promise<Answered> {
  let begun: Promise<Answered> | undefined;
  await database.transaction(async (tx) => {
    await tx.rows(`select 1 from ${table} where id = $1 for update`, [id]);
    begun = begin();
    await someoneWaits(tx);
    await work();
    await until(isKnown);
  });
  return begun!;
}

const MAY = `query ($organizationId: ID!, $id: ID!) {
  incident(organizationId: $organizationId, id: $id) { viewerCan { update } } }`;

/** Whether the gateway knows that the token must not change the incident. */
async function isRefused(token: string): Promise<boolean> {
  const { body } = await gateway.graphql.call(MAY, { token, variables: { organizationId, id: incidentId } });
  return (body.data?.['incident'] as { viewerCan: { update: boolean } } | null)?.viewerCan.update !== true;
}

async function expectUnchanged(): Promise<void> {
  const [row] = await database.rows<{ title: string; entries: number }>(
    `select (select title from incident where id = $2) as title,
            (select count(*)::int from audit_entry e join audit_log l on l.id = e.log_id
             where l.organization_id = $1 and e.action = 'INCIDENT_UPDATED') as entries`,
    [organizationId, incidentId],
  );
  expect(row!.entries).toBe(0);
  expect(row!.title).not.toBe('Changed');
}

/** Changes that revoke a right of the officer, with the resulting response. */
const ENDS: Readonly<
  Record<string, [end: (token: number) => Promise<unknown>, code: 'NOT_FOUND' | 'FORBIDDEN' | 'UNAUTHENTICATED']>
> = {
  'the member is removed': [
    async () => expectData(await gateway.rest.delete(`${members()}/${officer.id}`, { token: owner.token })),
    'NOT_FOUND',
  ],
  'its role is lowered': [
    async () =>
      expectData(
        await gateway.rest.patch(`${members()}/${officer.id}`, { token: owner.token, body: { role: 'VIEWER' } }),
      ),
    'FORBIDDEN',
  ],
  'its token is blocked': [
    async (token) =>
      expectData(
        await gateway.rest.delete(`/api/v1/organizations/${organizationId}/tokens/${token}`, { token: owner.token }),
      ),
    'FORBIDDEN',
  ],
  'its token is revoked': [
    async (token) => expectData(await gateway.rest.delete(`/api/v1/tokens/${token}`, { token: officer.token })),
    'UNAUTHENTICATED',
  ],
};

describe.each(APIS)('Over %s', (api) => {
  test.each(Object.entries(ENDS))(
    'a change that waits for a lock is refused when %s meanwhile.',
    async (_, [end, code]) => {
      const token = await buildToken(database, officer, {});
      const { id } = expectData(await gateway.rest.get('/api/v1/token', { token })).token;
      const answer: Result = await whileWaiting(
        () => callThrough(api, gateway, UPDATE, change(), token),
        () => end(id),
        () => isRefused(token),
      );
      expectFailure(answer, code);
      await expectUnchanged();
    },
  );

  test('a change that waits for a lock is made when its author still has what it needs.', async () => {
    const answer = await whileWaiting(
      () => callThrough(api, gateway, UPDATE, change(), officer.token),
      async () =>
        expectData(
          await gateway.rest.patch(`${members()}/${officer.id}`, {
            token: owner.token,
            body: { role: 'ORGANIZATION_MANAGER' },
          }),
        ),
      () => true,
    );
    expect(dataOf(answer)).toMatchObject({ title: 'Changed' });
  });
});

test('The same applies to a change with a key, which may be sent again.', async () => {
  const path = `/api/v1/v-ciso/incidents/${organizationId}/${incidentId}`;
  const request = { token: officer.token, headers: newKey(), body: { title: 'Changed' } };
  const answer = await whileWaiting(
    () => gateway.rest.patch(path, request),
    () => ENDS['the member is removed']![0](0),
    () => isRefused(officer.token),
  );
  expectError(answer, 404, [1004]);
  await expectUnchanged();
});

test.each([
  ['Without', () => ({})],
  ['With', newKey],
])('%s a key, a sandbox is not reset by a token that is revoked while it waits.', async (_, headers) => {
  await database.rows('update organization set sandbox = true where id = $1', [organizationId]);
  const token = await buildToken(database, owner, {});
  const { id } = expectData(await gateway.rest.get('/api/v1/token', { token })).token;
  const answer = await whileWaiting(
    () => gateway.rest.post(`/api/v1/organizations/${organizationId}/reset`, { token, headers: headers() }),
    async () => expectData(await gateway.rest.delete(`/api/v1/tokens/${id}`, { token: owner.token })),
    () => isRefused(token),
    ['organization', organizationId],
  );
  expectError(answer, 401, [1001]);
  expect(await database.rows('select id from incident where id = $1', [incidentId])).toHaveLength(1);
});

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Changes of a directory, which wait for the organization. */
const OF_DIRECTORY: Readonly<Record<string, (provisioned: Provisioned) => Promise<{ status: number }>>> = {
  'a user': ({ directory, domain }) => directory.post('Users', person(domain, 'late')),
  'a group': ({ directory }) => directory.post('Groups', { schemas: [GROUP], displayName: 'Late' }),
};

describe.each(Object.entries(OF_DIRECTORY))('A change of a directory to %s', (_, change) => {
  const expectNothing = async (organizationId: number) => {
    const made = await database.rows(
      `select id from scim_user where organization_id = $1 union all select id from scim_group where organization_id = $1`,
      [organizationId],
    );
    expect(made).toEqual([]);
  };

  test('is refused when its token is revoked while it waits for a lock.', async () => {
    const provisioned = await provisionedOrganization(gateway);
    const { organizationId, owner, path, tokenId } = provisioned;
    const answer = await whileWaiting(
      () => change(provisioned),
      async () => expectData(await gateway.rest.delete(`${path}/tokens/${tokenId}`, { token: owner.token })),
      () => true,
      ['organization', organizationId],
    );
    expect(answer.status).toBe(401);
    await expectNothing(organizationId);
  });

  test('is refused when its token expires while it waits for a lock.', async () => {
    const provisioned = await provisionedOrganization(gateway);
    const { organizationId, tokenId } = provisioned;
    const answer = await whileWaiting(
      () => change(provisioned),
      () =>
        database.rows(`update scim_token set expires_at = date_trunc('milliseconds', now()) where id = $1`, [tokenId]),
      () => true,
      ['organization', organizationId],
    );
    expect(answer.status).toBe(401);
    await expectNothing(organizationId);
  });

  test('is refused when SCIM is switched off while it waits for a lock.', async () => {
    const provisioned = await provisionedOrganization(gateway);
    const { organizationId, owner, path } = provisioned;
    const [, answer] = await inTurnBehind<{ status: number }>(
      database,
      ['select 1 from organization where id = $1 for update', [organizationId]],
      [() => gateway.rest.patch(path, { token: owner.token, body: { enabled: false } }), () => change(provisioned)],
    );
    expect(answer!.status).toBe(401);
    await expectNothing(organizationId);
  });
});

test('A document with a key reads the organization that it creates, and leaves another one.', async () => {
  const document = `mutation ($name: String!, $left: ID!) {
    createOrganization(input: { name: $name }) { organization { users { totalCount } } }
    leaveOrganization(input: { organizationId: $left }) { organization { id } }
  }`;
  const variables = { name: `Made for ${organizationId}`, left: organizationId };
  const { body } = await gateway.graphql.call(document, { token: officer.token, headers: newKey(), variables });
  expect(body).toEqual({
    data: {
      createOrganization: { organization: { users: { totalCount: 1 } } },
      leaveOrganization: { organization: { id: expect.any(String) } },
    },
  });
});

test('A document leaves an organization, hands over another one, and changes a third one.', async () => {
  const author = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const [handedOver, changed] = [
    await buildOrganization(database, 'Second'),
    await buildOrganization(database, 'Third'),
  ];
  const heir = await newMember(database, handedOver, 'VIEWER');
  for (const id of [handedOver, changed]) await join(database, author, id, 'ORGANIZATION_OWNER');
  const document = `mutation ($left: ID!, $handedOver: ID!, $heir: ID!, $changed: ID!) {
    leaveOrganization(input: { organizationId: $left }) { organization { id } }
    transferOwnership(input: { organizationId: $handedOver, userId: $heir }) { organization { id } }
    openIncident(input: { organizationId: $changed, title: "Third", severity: LOW }) { incident { title } }
  }`;
  const variables = { left: organizationId, handedOver, heir: heir.id, changed };
  const { body } = await gateway.graphql.call(document, { token: author.token, variables });
  expect(body).toEqual({
    data: {
      leaveOrganization: { organization: { id: expect.any(String) } },
      transferOwnership: { organization: { id: expect.any(String) } },
      openIncident: { incident: { title: 'Third' } },
    },
  });
});
