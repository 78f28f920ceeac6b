import { describe, expect, test } from '@jest/globals';
import { APIS, type Api } from '../support/apis.js';
import type { Answer } from '../support/clients.js';
import { expectReplay, newKey } from '../support/idempotency.js';
import { expectStatus, withStory } from '../support/matchers.js';
import { buildServiceAccount, newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, type Person } from '../support/test-data.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

interface Organization {
  id: number;
  /** Sends the requests. */
  owner: Person;
  colleague: Person;
  manager: Person;
  /** A service account with the role of managers. */
  account: Person;
}

interface Change {
  rest: readonly [method: string, path: string, body?: object];
  graphql: readonly [field: string, input: object, below: string];
}

async function newOrganization(): Promise<Organization> {
  const id = await buildOrganization(database, 'Owned twice');
  const [owner, colleague] = [
    await newMember(database, id, 'ORGANIZATION_OWNER'),
    await newMember(database, id, 'ORGANIZATION_OWNER'),
  ];
  const manager = await newMember(database, id, 'ORGANIZATION_MANAGER');
  const account = await buildServiceAccount(database, id, owner, 'ORGANIZATION_MANAGER');
  await database.rows(
    `insert into scim_settings (organization_id, enabled, default_role, group_roles, link_members)
     values ($1, true, 'ORGANIZATION_MANAGER', '[]', false)`,
    [id],
  );
  return { id, owner, colleague, manager, account };
}

/** Mutations for owners only, which managers may use for lower roles. */
const OF_OWNERS: Record<string, (organization: Organization) => Change> = {
  'a token of a service account that is a manager': ({ account }) => ({
    rest: ['POST', `/service-accounts/${account.id}/tokens`, { name: 'Build' }],
    graphql: ['createServiceAccountToken', { serviceAccountId: account.id, name: 'Build' }, 'token'],
  }),
  'a service account that is a manager': () => ({
    rest: ['POST', '/service-accounts', { name: 'Build', role: 'ORGANIZATION_MANAGER' }],
    graphql: ['createServiceAccount', { name: 'Build', role: 'ORGANIZATION_MANAGER' }, 'serviceAccount { name }'],
  }),
  'a token of a directory that makes managers': () => ({
    rest: ['POST', '/scim/tokens', { name: 'Directory' }],
    graphql: ['createScimToken', { name: 'Directory' }, 'token'],
  }),
  'settings of a directory that makes managers': () => ({
    rest: ['PATCH', '/scim', { default_role: 'VIEWER' }],
    graphql: ['updateScimSettings', { defaultRole: 'VIEWER' }, 'scimSettings { defaultRole }'],
  }),
  'an invitation of a manager': () => ({
    rest: ['POST', '/invitations', { email: 'new@example.com', role: 'ORGANIZATION_MANAGER' }],
    graphql: ['inviteMember', { email: 'new@example.com', role: 'ORGANIZATION_MANAGER' }, 'invitation { email }'],
  }),
  'a change of a manager': ({ manager }) => ({
    rest: ['PATCH', `/users/${manager.id}`, { role: 'VIEWER' }],
    graphql: ['updateMember', { userId: manager.id, role: 'VIEWER' }, 'member { email }'],
  }),
};

function send(
  api: Api,
  { id, owner }: Organization,
  { rest, graphql }: Change,
  headers: Readonly<Record<string, string>>,
) {
  const { token } = owner;
  const [method, path, body] = rest;
  if (api === 'REST')
    return gateway.rest.call(method, `/api/v1/organizations/${id}${path}`, { token, headers, ...(body && { body }) });
  const [field, input, below] = graphql;
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${field}(input: $input) { ${below} } }`;
  return gateway.graphql.call(document, { token, headers, variables: { input: { organizationId: id, ...input } } });
}

function expectSuccess(answer: Answer<unknown>): void {
  withStory(answer, () => {
    expect(answer.status).toBeLessThan(300);
    expect(answer.body).not.toHaveProperty('errors');
  });
}

/** The change was made, and its author has since lost the right to its response. */
function expectLost(answer: Answer<unknown>, status: 403 | 404): void {
  withStory(answer, () => {
    expect(answer.status).toBe(status);
    expect(answer.body).not.toHaveProperty('data');
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
  });
}

describe.each(APIS)('Over %s', (api) => {
  test.each(Object.entries(OF_OWNERS))('%s is shown again to an owner, and to no manager', async (_, changeIn) => {
    const organization = await newOrganization();
    const { id, owner, colleague } = organization;
    const key = newKey();
    const again = () => send(api, organization, changeIn(organization), key);
    const first = await again();
    expectSuccess(first);
    expectReplay(await again(), first);
    const member = `/api/v1/organizations/${id}/users/${owner.id}`;
    const change = (role: string) => gateway.rest.patch(member, { token: colleague.token, body: { role } });
    expectStatus(await change('ORGANIZATION_MANAGER'), 200);
    expectLost(await again(), 403);
    expectStatus(await change('ORGANIZATION_OWNER'), 200);
    expectReplay(await again(), first);
  });

  test('what a manager may do to lower roles is shown again to a manager', async () => {
    const organization = await newOrganization();
    const { id, owner, colleague } = organization;
    const key = newKey();
    const input = { email: 'new@example.com', role: 'SECURITY_OFFICER' };
    const change: Change = {
      rest: ['POST', '/invitations', input],
      graphql: ['inviteMember', input, 'invitation { email }'],
    };
    const first = await send(api, organization, change, key);
    const member = `/api/v1/organizations/${id}/users/${owner.id}`;
    const body = { role: 'ORGANIZATION_MANAGER' };
    expectStatus(await gateway.rest.patch(member, { token: colleague.token, body }), 200);
    expectReplay(await send(api, organization, change, key), first);
  });

  test('an owner who makes itself a manager is answered again', async () => {
    const organization = await newOrganization();
    const { id: userId } = organization.owner;
    const change: Change = {
      rest: ['PATCH', `/users/${userId}`, { role: 'ORGANIZATION_MANAGER' }],
      graphql: ['updateMember', { userId, role: 'ORGANIZATION_MANAGER' }, 'member { email }'],
    };
    const key = newKey();
    const first = await send(api, organization, change, key);
    expectSuccess(first);
    expectReplay(await send(api, organization, change, key), first);
  });

  test('an organization that was restored is shown again to its owner, and to no member who has left it', async () => {
    const organization = await newOrganization();
    const { id, owner, colleague } = organization;
    const { token } = colleague;
    expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token }), 200);
    const change: Change = {
      rest: ['POST', '/restore'],
      graphql: ['restoreOrganization', {}, 'organization { name }'],
    };
    const key = newKey();
    const first = await send(api, organization, change, key);
    expectSuccess(first);
    expectReplay(await send(api, organization, change, key), first);
    expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}/users/${owner.id}`, { token }), 200);
    expectLost(await send(api, organization, change, key), 404);
  });
});
