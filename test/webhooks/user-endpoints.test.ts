import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/values/enums.js';
import { LIMITS } from '../../src/values/limits.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Api,
  type Result,
  NOT_BY_SIGN_IN,
  FOR_PERSONS,
} from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { buildServiceAccount, newMember, titlesOf } from '../support/people.js';
import { buildIdentityProvider } from '../support/seeded-organization.js';
import { startSharedReceiver, verified } from '../support/receivers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';
import { callOwnWebhooks, callWebhooks, type WebhookOperation } from '../support/webhooks.js';

const { gateway } = await startSeededGateway();
const { database, webhooks } = gateway.app;
const receiver = await startSharedReceiver();

type Values = Record<string, unknown>;

let user: Person;

beforeEach(async () => {
  await database.rows('delete from webhook_endpoint');
  user = await buildPerson(database, 'consultant');
  receiver.received = [];
  receiver.answer = (response) => void response.writeHead(204).end();
});

const run = (api: Api, name: WebhookOperation, input: Values = {}, token: string | undefined = user.token) =>
  callOwnWebhooks(api, gateway, name, input, token);

async function managed(role: Role = 'ORGANIZATION_MANAGER', person = user): Promise<number> {
  const organizationId = await buildOrganization(database, `Of a consultant ${randomUUID()}`);
  await join(database, person, organizationId, role);
  return organizationId;
}

async function endpoint(api: Api = 'REST', values: Values = {}) {
  const made = dataOf(await run(api, 'create', { url: receiver.url, event_types: ['incident.opened'], ...values }));
  const id = made.webhook_endpoint.id as number;
  return { id, key: { webhook_endpoint_id: id }, secret: made.secret as string, made: made.webhook_endpoint };
}

/** Creates an event in each, and sends the due ones. */
async function send(...organizationIds: number[]) {
  for (const id of organizationIds) await buildAuditEntry(database, id);
  await settled(database, 'events');
  await webhooks.sendDue();
}

const organizationsOf = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { organization_id: number }).organization_id);

async function ownTrail(token = user.token) {
  const { viewer } = await gateway.graphql.data(
    `{ viewer { auditTrail(first: 50) { nodes { action subject { type databaseId name } changes { field before after } } } } }`,
    { token },
  );
  return viewer.auditTrail.nodes as { action: string }[];
}

const USERS = {
  rest: 'GET /api/v1/organizations/{organization_id}/user-webhooks',
  graphql: `query ($organizationId: ID!, $first: Int, $offset: Int) { organization(id: $organizationId) {
    userWebhookEndpoints(first: $first, offset: $offset) { totalCount nodes { id: webhookEndpointId host user { username } format status
      event_types: eventTypes disabled_reason: disabledReason created_at: createdAt } } } }`,
  at: 'organization.userWebhookEndpoints',
};
const seenBy = (api: Api, organization_id: number, token: string): Promise<Result> =>
  callThrough(api, gateway, USERS, { organization_id }, token);

describe.each(APIS)('a webhook endpoint of a user through %s', (api) => {
  test('is created, read, listed, changed, rotated and deleted, on record in the own trail without its address', async () => {
    const { made, key, secret } = await endpoint(api, { description: 'Ours', url: 'https://siem.example.com/path' });
    expect(made).toMatchObject({
      ...{ scope: 'MANAGED_ORGANIZATIONS', url: 'https://siem.example.com/path', description: 'Ours' },
      ...{ status: 'ENABLED', enabled_by: user.username, event_types: ['incident.opened'] },
    });
    expect(dataOf(await run(api, 'read', key))).toEqual(made);
    const list = await run(api, 'list');
    expect([list.total, list.data]).toEqual([1, [made]]);
    const changed = dataOf(await run(api, 'update', { ...key, description: '', format: 'OCSF', if_match: 1 }));
    expect(changed).toMatchObject({ format: 'OCSF', description: '' });
    expect(dataOf(await run(api, 'rotate', key)).secret).not.toBe(secret);
    dataOf(await run(api, 'delete', key));
    expectFailure(await run(api, 'read', key), 'NOT_FOUND');
    const entries = await ownTrail();
    expect(entries.map(({ action }) => action)).toEqual([
      ...['WEBHOOK_ENDPOINT_DELETED', 'WEBHOOK_SECRET_ROTATED', 'WEBHOOK_ENDPOINT_UPDATED', 'WEBHOOK_ENDPOINT_CREATED'],
    ]);
    expect(entries[0]).toMatchObject({
      subject: { type: 'USER_WEBHOOK_ENDPOINT', databaseId: String(made.id), name: 'siem.example.com' },
      changes: [{ field: 'host', before: 'siem.example.com', after: null }],
    });
    expect(JSON.stringify(entries)).not.toContain('/path');
  });

  test(`a user has ${LIMITS.webhook.perUser} at most`, async () => {
    await database.rows(
      `insert into webhook_endpoint (user_id, url, actions, format) select $1, 'https://a.example/', '{}', 'EVENT' from generate_series(2, $2)`,
      [user.id, LIMITS.webhook.perUser],
    );
    const { key } = await endpoint(api);
    expectConflict(await run(api, 'create', { url: receiver.url }), 'USER_WEBHOOK_ENDPOINT_LIMIT');
    dataOf(await run(api, 'delete', key));
    dataOf(await run(api, 'create', { url: receiver.url }));
  });

  test('is absent for every other caller, and one of an organization is none of the user', async () => {
    const organization_id = await managed('ORGANIZATION_OWNER');
    const { key } = await endpoint(api);
    const created = { organization_id, url: receiver.url };
    const ofOrganization = dataOf(await callWebhooks(api, gateway, 'create', created, user.token)).webhook_endpoint;
    const other = await newMember(database, organization_id, 'ORGANIZATION_OWNER');
    const since = new Date().toISOString();
    const names: [WebhookOperation, Values][] = [
      ...(['read', 'update', 'deliveries', 'rotate', 'test', 'delete'] as const).map(
        (name): [WebhookOperation, Values] => [name, name === 'update' ? { description: 'Mine' } : {}],
      ),
      ['recover', { since }],
    ];
    for (const [name, more] of names) {
      expectFailure(await run(api, name, { ...key, ...more }, other.token), 'NOT_FOUND');
      const foreign = { ...key, organization_id, ...more };
      expectFailure(await callWebhooks(api, gateway, name, foreign, user.token), 'NOT_FOUND');
      const own = { webhook_endpoint_id: ofOrganization.id, ...more };
      expectFailure(await run(api, name, own), 'NOT_FOUND');
    }
    expect(await ownTrail()).toHaveLength(1);
  });

  test('is of no organization: it is absent beside one in GraphQL, and REST knows no such field', async () => {
    const organization_id = await managed('ORGANIZATION_OWNER');
    const { key } = await endpoint(api);
    const failure: [code: string, messages?: string[]] =
      api === 'GraphQL' ? ['NOT_FOUND'] : ['BAD_USER_INPUT', ['organization_id is not a known field']];
    for (const [name, more] of [
      ['update', { description: 'Mine' }],
      ['rotate', {}],
      ['test', {}],
      ['recover', { since: new Date().toISOString() }],
      ['delete', {}],
    ] as const) {
      for (const other of [organization_id, 2_147_483_647])
        expectFailure(await run(api, name, { ...key, ...more, organization_id: other }), ...failure);
    }
    expect(await ownTrail()).toHaveLength(1);
    dataOf(await run(api, 'delete', key));
  });

  test('is managed by a token that is the person’s everywhere: not by a service account, a sign-in or one that only reads', async () => {
    const organizationId = await managed('ORGANIZATION_OWNER');
    const { key } = await endpoint(api);
    const reading = await buildToken(database, user, { scopes: ['read'] });
    dataOf(await run(api, 'list', {}, reading));
    dataOf(await run(api, 'deliveries', key, reading));
    expectFailure(await run(api, 'rotate', key, reading), 'FORBIDDEN');
    expectFailure(await run(api, 'create', { url: receiver.url }, reading), 'FORBIDDEN');
    const signedIn = await buildToken(database, user, {});
    await database.rows(
      `update api_token set origin = 'SIGN_IN', provider_id = $1 where id = (select max(id) from api_token where user_id = $2)`,
      [await buildIdentityProvider(database, organizationId), user.id],
    );
    for (const [name, input] of [
      ['list', {}],
      ['create', { url: receiver.url }],
      ['test', key],
    ] as const)
      expectFailure(await run(api, name, input, signedIn), 'FORBIDDEN', NOT_BY_SIGN_IN);
    const machine = (await buildServiceAccount(database, organizationId, user)).token;
    expectFailure(await run(api, 'create', { url: receiver.url }, machine), 'FORBIDDEN', FOR_PERSONS);
    expectFailure(await run(api, 'read', key, machine), 'NOT_FOUND');
    expectFailure(await callOwnWebhooks(api, gateway, 'create', { url: receiver.url }), 'UNAUTHENTICATED');
  });

  test('is seen by each organization whose events it gets, by its host and its user alone, until that one forbids it or the user is deactivated', async () => {
    const [one, low] = [await managed('ORGANIZATION_OWNER'), await managed('SECURITY_OFFICER')];
    const { id, secret } = await endpoint(api);
    const seen = await seenBy(api, one, user.token);
    expect(seen.total).toBe(1);
    expect(seen.data).toEqual([
      expect.objectContaining({ id, host: new URL(receiver.url).host, user: user.username, status: 'ENABLED' }),
    ]);
    expect(JSON.stringify(seen.data)).not.toContain('secret-path');
    expect(JSON.stringify(seen.data)).not.toContain(secret.slice(6));
    const owner = await newMember(database, low, 'ORGANIZATION_OWNER');
    expect((await seenBy(api, low, owner.token)).data).toEqual([]);
    expectFailure(await seenBy(api, low, user.token), 'FORBIDDEN');
    expectFailure(await seenBy(api, one, owner.token), 'NOT_FOUND');
    const settings = { token: user.token, body: { user_webhooks_allowed: false } };
    expect((await gateway.rest.call('PATCH', `/api/v1/organizations/${one}/settings`, settings)).status).toBe(200);
    expect((await seenBy(api, one, user.token)).data).toEqual([]);
    await send(one);
    expect(receiver.received).toEqual([]);
    const colleague = await newMember(database, one, 'ORGANIZATION_OWNER');
    await database.rows('update organization set user_webhooks_allowed = true where id = $1', [one]);
    expect((await seenBy(api, one, colleague.token)).total).toBe(1);
    await database.rows('update app_user set deactivated_at = now() where id = $1', [user.id]);
    expect((await seenBy(api, one, colleague.token)).total).toBe(0);
  });

  test('is tested by an event of an organization that it gets, which is recorded there; there has to be one', async () => {
    const { key, secret, id } = await endpoint(api);
    expectConflict(await run(api, 'test', key), 'WEBHOOK_ENDPOINT_UNUSED');
    const organizationId = await managed();
    const other = await endpoint(api);
    const { event_id } = dataOf(await run(api, 'test', key));
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(verified(secret, receiver.received[0]!)).toMatchObject({
      ...{ id: event_id, type: 'webhook_endpoint.tested', organization_id: organizationId },
      subject: { type: 'USER_WEBHOOK_ENDPOINT', id: String(id) },
      url: expect.stringMatching(`/api/v1/profile/webhook-endpoints/${id}$`),
    });
    expect(dataOf(await run(api, 'deliveries', other.key))).toEqual([]);
  });

  test('sends again and recovers as others do, what its user may have now', async () => {
    const [one, other] = [await managed(), await managed()];
    const { key } = await endpoint(api);
    await send(one, other);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(dataOf(await run(api, 'recover', { ...key, since }))).toEqual({ recovered: 0, complete: true });
    await database.rows('delete from webhook_delivery');
    expect(dataOf(await run(api, 'recover', { ...key, since }))).toEqual({ recovered: 2, complete: true });
    await send();
    expect(organizationsOf()).toEqual([one, other, one, other]);
    const deliveries = dataOf(await run(api, 'deliveries', key)) as { id: number; event_id: string }[];
    const [ofOther, ofOne] = deliveries.map(({ id }) => ({ ...key, webhook_delivery_id: id }));
    dataOf(await run(api, 'redeliver', ofOne!));
    await send();
    expect(organizationsOf().slice(4)).toEqual([one]);
    await newMember(database, other, 'ORGANIZATION_OWNER');
    const left = await gateway.rest.call('POST', `/api/v1/organizations/${other}/leave`, { token: user.token });
    expect(left.status).toBe(200);
    expectFailure(await run(api, 'redeliver', ofOther!), 'NOT_FOUND');
    expectFailure(await run(api, 'delivery', ofOther!), 'NOT_FOUND');
    expect(dataOf(await run(api, 'deliveries', key))).toHaveLength(1);
    expect(dataOf(await run(api, 'delivery', ofOne!))).toMatchObject({ status: 'DELIVERED' });
    expect((await ownTrail())[0]).toMatchObject({ action: 'WEBHOOK_REDELIVERED' });
  });
});

describe('events go to a user', () => {
  test('from every organization that the user manages when they happen, in order for a subject of each, and from no other', async () => {
    const [one, low] = [await managed(), await managed('SECURITY_OFFICER')];
    await endpoint();
    await send(one, low);
    const later = await managed('ORGANIZATION_OWNER');
    await send(later, low);
    expect(organizationsOf()).toEqual([one, later]);
    const subjects = await database.rows<{ subject: string }>('select subject from webhook_delivery order by seq');
    expect(subjects.map(({ subject }) => subject.split('/')[0])).toEqual([String(one), String(later)]);
  });

  test('in deliveries that are found by their ids alone by that user, and by no other who manages the organization', async () => {
    const organizationId = await managed();
    const other = await buildPerson(database, 'owner');
    await join(database, other, organizationId, 'ORGANIZATION_OWNER');
    const { key } = await endpoint();
    await send(organizationId);
    const [{ id }] = (await database.rows('select id from webhook_delivery')) as [{ id: number }];
    const found = (token: string) =>
      gateway.graphql.call('query ($id: ID!) { node(id: $id) { id } }', {
        token,
        variables: { id: `WebhookDelivery:${id}` },
      });
    expect((await found(user.token)).body.data).toEqual({ node: { id: `WebhookDelivery:${id}` } });
    const { data, errors } = (await found(other.token)).body;
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([{ node: null }, ['NOT_FOUND']]);
    const named = { ...key, organization_id: organizationId, webhook_delivery_id: id };
    for (const api of APIS)
      expectFailure(await callWebhooks(api, gateway, 'delivery', named, other.token), 'NOT_FOUND');
  });

  test('not from one that requires a sign-in, has blocked the token, or is deleted but for its deletion', async () => {
    const [requires, blocks, deleted, open] = [
      await managed(),
      await managed('ORGANIZATION_OWNER'),
      await managed(),
      await managed(),
    ];
    await endpoint('REST', { event_types: [] });
    await send();
    receiver.received = [];
    await database.rows('update organization set required_provider_id = 1 where id = $1', [requires]);
    const owner = await newMember(database, blocks, 'ORGANIZATION_OWNER');
    const [token] = await database.rows<{ id: number }>('select id from api_token where user_id = $1', [user.id]);
    const path = `/api/v1/organizations/${blocks}/tokens/${token!.id}`;
    expect((await gateway.rest.call('DELETE', path, { token: owner.token })).status).toBe(200);
    await database.rows('update organization set deleted_at = now() where id = $1', [deleted]);
    await send(requires, blocks, deleted, open);
    await buildAuditEntry(database, deleted, { action: 'ORGANIZATION_DELETED' });
    await send();
    expect(organizationsOf().toSorted()).toEqual([deleted, open].toSorted());
    // Changes of the endpoint by another token apply from then on.
    receiver.received = [];
    const [{ id }] = dataOf(await run('REST', 'list'));
    const second = await buildToken(database, user, { scopes: ['read', 'write'] });
    dataOf(await run('REST', 'update', { webhook_endpoint_id: id, description: 'By another token' }, second));
    await send(blocks);
    expect(organizationsOf()).toContain(blocks);
  });

  test('not from one that has blocked the token that replaced the one of the endpoint', async () => {
    const organizationId = await managed('ORGANIZATION_OWNER');
    const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    await endpoint('REST', { event_types: [] });
    const [token] = await database.rows<{ id: number }>('select id from api_token where user_id = $1', [user.id]);
    const body = { grace_hours: 0 };
    const rotated = await gateway.rest.post(`/api/v1/tokens/${token!.id}/rotate`, { token: user.token, body });
    user = { ...user, token: rotated.body.data.token };
    await send(organizationId);
    expect(organizationsOf()).toContain(organizationId);
    receiver.received = [];
    const path = `/api/v1/organizations/${organizationId}/tokens/${rotated.body.data.api_token.id}`;
    expect((await gateway.rest.call('DELETE', path, { token: owner.token })).status).toBe(200);
    await send(organizationId);
    expect(organizationsOf()).toEqual([]);
  });

  test.each<[string, (organizationId: number) => Promise<unknown>]>([
    ['is lowered', (id) => database.rows(`update membership set role = 'VIEWER' where organization_id = $1`, [id])],
    ['leaves', (id) => database.rows('delete from membership where organization_id = $1', [id])],
    [
      'is deactivated',
      (id) => database.rows('update membership set deactivated_at = now() where organization_id = $1', [id]),
    ],
    [
      'is deactivated everywhere',
      () => database.rows('update app_user set deactivated_at = now() where id = $1', [user.id]),
    ],
    [
      'is forbidden it',
      (id) => database.rows('update organization set user_webhooks_allowed = false where id = $1', [id]),
    ],
    ['has to sign in', (id) => database.rows('update organization set required_provider_id = 1 where id = $1', [id])],
  ])('that were put in are not sent once the user %s, and no more are put in', async (_what, change) => {
    const id = await managed();
    await endpoint();
    const deliveries = () => database.rows('select from webhook_delivery where organization_id = $1', [id]);
    await buildAuditEntry(database, id);
    await settled(database, 'events');
    expect(await deliveries()).toHaveLength(1);
    await change(id);
    await buildAuditEntry(database, id);
    await settled(database, 'events');
    expect(await deliveries()).toHaveLength(1);
    await webhooks.sendDue();
    expect(receiver.received).toEqual([]);
  });

  test('no more once the user is deactivated everywhere or erased, which ends the endpoint', async () => {
    await managed('VIEWER');
    const { id } = await endpoint();
    await database.rows('update app_user set deactivated_at = now() where id = $1', [user.id]);
    await gateway.app.jobs.run('webhookEndpoints.disableWithoutRight');
    const row = async () =>
      (
        await database.rows(
          'select status, disabled_reason as reason, secret, deleted_at is not null as gone from webhook_endpoint where id = $1',
          [id],
        )
      )[0];
    expect(await row()).toMatchObject({ status: 'DISABLED', reason: 'MEMBER_LEFT', gone: false });
    await database.rows('update app_user set deactivated_at = null where id = $1', [user.id]);
    await until(async () => (await gateway.rest.call('GET', '/api/v1/profile', { token: user.token })).status === 200);
    dataOf(await run('REST', 'update', { webhook_endpoint_id: id, status: 'ENABLED' }));
    const erased = await gateway.rest.call('DELETE', `/api/v1/profile?username=${user.username}`, {
      token: user.token,
    });
    expect(erased.status).toBe(200);
    expect(await row()).toMatchObject({ gone: true, secret: null });
  });

  test('a receiver that wants nothing disables it, on record and with a notice to its user alone', async () => {
    const id = await managed();
    const other = await newMember(database, id, 'ORGANIZATION_MANAGER');
    const { key } = await endpoint();
    receiver.answer = (response) => void response.writeHead(410).end();
    await send(id);
    expect(dataOf(await run('REST', 'read', key))).toMatchObject({ status: 'DISABLED', disabled_reason: 'GONE' });
    expect((await ownTrail())[0]).toMatchObject({ action: 'WEBHOOK_ENDPOINT_DISABLED' });
    expect(await titlesOf(database, user)).toContain('A webhook endpoint was disabled');
    expect(await titlesOf(database, other)).not.toContain('A webhook endpoint was disabled');
    expectConflict(await run('REST', 'test', key), 'WEBHOOK_ENDPOINT_DISABLED');
  });
});
