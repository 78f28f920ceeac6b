import { describe, expect, test } from '@jest/globals';
import type { Role } from '../../src/values/enums.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, dataOf, expectConflict, expectFailure, type Api } from '../support/apis.js';
import { inTurnBehind } from '../support/lock-waits.js';
import { newMember, titlesOf } from '../support/people.js';
import { settled } from '../support/settled.js';
import { startSeededGateway, startSharedGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildToken } from '../support/test-data.js';
import { callWebhooks, type WebhookOperation } from '../support/webhooks.js';

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;
const guarded = await startSharedGateway({ database: gateway.database, config: { outgoingNetworks: [] } });

type Input = Record<string, unknown>;
type Name = WebhookOperation;
const run = (api: Api, name: Name, input: Input, token?: string, through = gateway) =>
  callWebhooks(api, through, name, input, token);

const NO_URL = 'url must be an absolute http or https URL without credentials';
const ADDRESS = 'https://siem.example.com/hooks/T0/secret-path';

async function organization() {
  const organizationId = await buildOrganization(database, 'With webhooks');
  const member = (role: Role) => newMember(database, organizationId, role);
  return { organizationId, manager: await member('ORGANIZATION_MANAGER'), officer: await member('SECURITY_OFFICER') };
}

/** An organization with one endpoint. */
async function withEndpoint(api: Api, values: Input = {}) {
  const made = await organization();
  const { organizationId: organization_id, manager } = made;
  const input = { organization_id, url: ADDRESS, ...values };
  const { secret, webhook_endpoint } = dataOf(await run(api, 'create', input, manager.token));
  return {
    ...made,
    secret,
    endpoint: webhook_endpoint,
    key: { organization_id, webhook_endpoint_id: webhook_endpoint.id },
  };
}

async function trail(organizationId: number) {
  const { organization } = await gateway.graphql.data(
    `{ organization(id: ${organizationId}) { auditTrail(first: 50) { nodes {
      action actor { type job } subject { type databaseId name } changes { field before after } } } } }`,
    { token: (await newMember(database, organizationId, 'SECURITY_OFFICER')).token },
  );
  return organization.auditTrail.nodes;
}

const actionsOf = async (organizationId: number) =>
  (await trail(organizationId)).map(({ action }: { action: string }) => action);

describe.each(APIS)('webhook endpoints through %s', (api) => {
  test.each(['removed', 'given another role'])('are changed while who enabled them is %s', async (how) => {
    const { organizationId, manager, key } = await withEndpoint(api);
    const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const path = `/api/v1/organizations/${organizationId}/users/${manager.id}`;
    const leave = () =>
      how === 'removed'
        ? gateway.rest.delete(path, { token: owner.token })
        : gateway.rest.patch(path, { token: owner.token, body: { role: 'VIEWER' } });
    // Both have locked the rows that they change when they reach the trail.
    const lock = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
    const change = () => run(api, 'update', { ...key, description: 'Ours' }, owner.token);
    const [left, changed] = await inTurnBehind<unknown>(database, lock, [leave, change]);
    expect(left).toMatchObject({ status: 200 });
    expect(changed).toMatchObject({ code: 'OK', data: { description: 'Ours', disabled_reason: 'MEMBER_LEFT' } });
  });

  test('are created, read, listed, changed and deleted by a manager, each on record', async () => {
    const { organizationId, manager, endpoint, key } = await withEndpoint(api, {
      ...{ description: ' Our SIEM ', event_types: ['incident.opened', 'incident.closed'], format: 'OCSF' },
    });
    expect(endpoint).toMatchObject({
      ...{ url: ADDRESS, description: 'Our SIEM', event_types: ['incident.opened', 'incident.closed'] },
      ...{ format: 'OCSF', status: 'ENABLED', disabled_reason: null, failing_since: null },
      ...{ previous_secret_until: null, enabled_by: manager.username },
    });
    expect(dataOf(await run(api, 'read', key, manager.token))).toEqual(endpoint);
    const list = await run(api, 'list', { organization_id: organizationId }, manager.token);
    expect([list.total, list.data]).toEqual([1, [endpoint]]);
    const changes = { url: 'https://other.example.com/x', description: '', event_types: [], format: 'EVENT' };
    const changed = dataOf(await run(api, 'update', { ...key, ...changes }, manager.token));
    expect(changed).toMatchObject({ url: changes.url, event_types: [], format: 'EVENT', status: 'ENABLED' });
    dataOf(await run(api, 'delete', key, manager.token));
    expectFailure(await run(api, 'read', key, manager.token), 'NOT_FOUND');
    const entries = await trail(organizationId);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      ...['WEBHOOK_ENDPOINT_DELETED', 'WEBHOOK_ENDPOINT_UPDATED', 'WEBHOOK_ENDPOINT_CREATED'],
    ]);
    expect(entries[1]).toMatchObject({
      subject: { type: 'WEBHOOK_ENDPOINT', databaseId: String(endpoint.id), name: 'other.example.com' },
      changes: [
        { field: 'description', before: 'Our SIEM', after: '' },
        { field: 'eventTypes', before: ['incident.opened', 'incident.closed'], after: [] },
        { field: 'format', before: 'OCSF', after: 'EVENT' },
        { field: 'host', before: 'siem.example.com', after: 'other.example.com' },
        { field: 'url', before: null, after: 'changed' },
      ],
    });
  });

  test('null empties the description, as it does in other changes; what is absent stays', async () => {
    const { manager, key } = await withEndpoint(api, { description: 'Our SIEM' });
    const change = async (values: Input) => dataOf(await run(api, 'update', { ...key, ...values }, manager.token));
    const none = (await change({ description: '' })).description;
    expect((await change({ description: 'Ours' })).description).toBe('Ours');
    expect((await change({ format: 'OCSF' })).description).toBe('Ours');
    expect((await change({ description: null })).description).toBe(none);
  });

  test('the secret is shown when it is made and when it is rotated, and in no other place, nor is a path of the address', async () => {
    const { organizationId, manager, secret, key } = await withEndpoint(api);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const rotated = dataOf(await run(api, 'rotate', key, manager.token));
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.secret).not.toBe(secret);
    const remaining = Date.parse(rotated.webhook_endpoint.previous_secret_until) - Date.now();
    expect(remaining).toBeGreaterThan((LIMITS.webhook.overlapHours - 1) * 3_600_000);
    const shown = JSON.stringify([dataOf(await run(api, 'read', key, manager.token)), await trail(organizationId)]);
    const stored = await database.rows<{ all: string }>(
      'select webhook_endpoint::text as all from webhook_endpoint where id = $1',
      [key.webhook_endpoint_id],
    );
    for (const each of [secret, rotated.secret]) {
      expect(shown).not.toContain(each.slice(6));
      expect(stored[0]!.all).not.toContain(Buffer.from(each).toString('hex'));
    }
    expect(JSON.stringify(await trail(organizationId))).not.toContain('secret-path');
    expect(await actionsOf(organizationId)).toContain('WEBHOOK_SECRET_ROTATED');
  });

  test(`an organization has ${LIMITS.webhook.perOrganization} at most, deleted ones not counted`, async () => {
    const { organizationId: organization_id, manager } = await organization();
    const input = { organization_id, url: ADDRESS };
    const made: Input[] = [];
    const create = () => run(api, 'create', input, manager.token);
    for (let n = 1; n < LIMITS.webhook.perOrganization; n += 1) made.push(dataOf(await create()).webhook_endpoint);
    const lock = ['select from audit_log where organization_id = $1 for update', [organization_id]] as const;
    const [last, beyond] = await inTurnBehind(database, lock, [create, create]);
    dataOf(last!);
    expectConflict(beyond!, 'WEBHOOK_ENDPOINT_LIMIT');
    const webhook_endpoint_id = made[0]!['id'];
    dataOf(await run(api, 'delete', { organization_id, webhook_endpoint_id }, manager.token));
    dataOf(await create());
    expectConflict(await create(), 'WEBHOOK_ENDPOINT_LIMIT');
  });

  test.each([
    ['http://siem.example.com/', 'url must begin with https://'],
    ['ftp://siem.example.com/', NO_URL],
    ['https://user:word@siem.example.com/', NO_URL],
    ['https://10.0.0.1/', 'url has a host whose addresses are not all public'],
    ['https://[::1]/', 'url has a host whose addresses are not all public'],
    ['http://127.0.0.1:9/', 'url has a host whose addresses are not all public'],
    ['https://0x7f.1/', 'url has a host whose addresses are not all public'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'url has a host whose addresses are not all public'],
  ])('the address %s is refused when it is given, and nothing is changed', async (url, sentence) => {
    const { manager, key, endpoint } = await withEndpoint(api);
    const { organization_id } = key;
    const created = await run(api, 'create', { organization_id, url }, manager.token, guarded);
    expectFailure(created, 'BAD_USER_INPUT', [sentence]);
    expectFailure(await run(api, 'update', { ...key, url }, manager.token, guarded), 'BAD_USER_INPUT', [sentence]);
    expect(dataOf(await run(api, 'list', { organization_id }, manager.token)).length).toBe(1);
    expect(dataOf(await run(api, 'read', key, manager.token))).toEqual(endpoint);
  });

  test.each([
    ['url', LIMITS.webhook.urlCharacters, (length: number) => `https://a.example/${'x'.repeat(length - 18)}`],
    ['description', LIMITS.webhook.descriptionCharacters, (length: number) => 'x'.repeat(length)],
  ])('%s has %i characters at most', async (field, most, valueOf) => {
    const { manager, key } = await withEndpoint(api);
    dataOf(await run(api, 'update', { ...key, [field]: valueOf(most) }, manager.token));
    const code = 'BAD_USER_INPUT';
    expect((await run(api, 'update', { ...key, [field]: valueOf(most + 1) }, manager.token)).code).toBe(code);
    expect((await run(api, 'update', { ...key, event_types: ['incident.eaten'] }, manager.token)).code).toBe(code);
  });

  test('an update that changes nothing is no entry', async () => {
    const { organizationId, manager, key } = await withEndpoint(api);
    dataOf(await run(api, 'update', { ...key, url: ADDRESS, status: 'ENABLED' }, manager.token));
    expect(await actionsOf(organizationId)).toEqual(['WEBHOOK_ENDPOINT_CREATED']);
  });

  test('a change names the version that it is made to, and a later one is refused', async () => {
    const { manager, key } = await withEndpoint(api);
    dataOf(await run(api, 'update', { ...key, description: 'One', if_match: 1 }, manager.token));
    const late = { ...key, if_match: 1 };
    for (const name of ['update', 'rotate', 'delete'] as const) {
      const { code } = await run(api, name, name === 'update' ? { ...late, description: 'Two' } : late, manager.token);
      expect(['CONFLICT', 'PRECONDITION_FAILED']).toContain(code);
    }
    dataOf(await run(api, 'delete', { ...key, if_match: 2 }, manager.token));
  });

  test('an endpoint of another organization is absent, also where its number is given', async () => {
    const { manager, key } = await withEndpoint(api);
    const other = await withEndpoint(api);
    const foreign = { ...key, webhook_endpoint_id: other.key.webhook_endpoint_id };
    const inputs: [Name, Input][] = [
      ...(['read', 'delete', 'rotate', 'test', 'deliveries'] as const).map((name): [Name, Input] => [name, {}]),
      ...[['update', { description: 'Mine' }] as [Name, Input]],
      ...[['recover', { since: new Date().toISOString() }] as [Name, Input]],
    ];
    for (const [name, more] of inputs)
      expectFailure(await run(api, name, { ...foreign, ...more }, manager.token), 'NOT_FOUND');
    for (const [name, more] of inputs) {
      const result = await run(api, name, { ...other.key, ...more }, manager.token);
      expectFailure(result, 'NOT_FOUND');
    }
    expect(await actionsOf(other.organizationId)).toEqual(['WEBHOOK_ENDPOINT_CREATED']);
  });

  test('an officer may not read or change them, a token that only reads may read them, and no caller without a token either', async () => {
    const { organizationId, manager, officer, key } = await withEndpoint(api);
    const list = { organization_id: organizationId };
    expectFailure(await run(api, 'list', list, officer.token), 'FORBIDDEN');
    expectFailure(await run(api, 'rotate', key, officer.token), 'FORBIDDEN');
    expectFailure(await run(api, 'test', key, officer.token), 'FORBIDDEN');
    expectFailure(await run(api, 'read', key, testData.nonMember.token), 'NOT_FOUND');
    expectFailure(await run(api, 'read', key), 'UNAUTHENTICATED');
    const reading = await buildToken(database, manager, { scopes: ['read'] });
    dataOf(await run(api, 'list', list, reading));
    dataOf(await run(api, 'deliveries', key, reading));
    expectFailure(await run(api, 'rotate', key, reading), 'FORBIDDEN');
  });

  test.each([{ active: false }, { role: 'SECURITY_OFFICER' }])(
    'what was enabled by a member who may not manage it any more (%j) is disabled, and by one who still may is not',
    async (change) => {
      const { organizationId, manager, key } = await withEndpoint(api);
      const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
      const member = `/api/v1/organizations/${organizationId}/users/${manager.id}`;
      const update = (body: object) => gateway.rest.call('PATCH', member, { token: owner.token, body });
      expect((await update({ role: 'ORGANIZATION_OWNER' })).status).toBe(200);
      expect(dataOf(await run(api, 'read', key, owner.token))).toMatchObject({ status: 'ENABLED' });
      expect((await update(change)).status).toBe(200);
      expect(dataOf(await run(api, 'read', key, owner.token))).toMatchObject({
        ...{ status: 'DISABLED', disabled_reason: 'MEMBER_LEFT' },
      });
      // The owner is notified of what its change has disabled, and not that a present member has left.
      await settled(database);
      const [notified] = await database.rows<{ message: string }>(
        `select message from notification where user_id = $1 and title = 'A webhook endpoint was disabled'`,
        [owner.id],
      );
      expect(notified!.message).toContain('the member who enabled it may no longer manage webhooks');
    },
  );

  test('what was enabled by a member who leaves is disabled, on record and with a notice to those who manage it, until another one enables it', async () => {
    const { organizationId, manager, key } = await withEndpoint(api);
    const second = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
    await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const left = await gateway.rest.call('POST', `/api/v1/organizations/${organizationId}/leave`, {
      token: manager.token,
    });
    expect(left.status).toBe(200);
    const disabled = dataOf(await run(api, 'read', key, second.token));
    expect(disabled).toMatchObject({ status: 'DISABLED', disabled_reason: 'MEMBER_LEFT' });
    expect((await actionsOf(organizationId)).slice(0, 2)).toEqual(['WEBHOOK_ENDPOINT_DISABLED', 'MEMBER_LEFT']);
    expect(await titlesOf(database, second)).toContain('A webhook endpoint was disabled');
    expectConflict(await run(api, 'test', key, second.token), 'WEBHOOK_ENDPOINT_DISABLED');
    const enabled = dataOf(await run(api, 'update', { ...key, status: 'ENABLED' }, second.token));
    expect(enabled).toMatchObject({ status: 'ENABLED', disabled_reason: null, enabled_by: second.username });
  });

  test('a recovery begins within the days that deliveries are stored', async () => {
    const { manager, key } = await withEndpoint(api);
    const sentence = [`since must be within the last ${LIMITS.webhook.keptDays} days`];
    for (const days of [LIMITS.webhook.keptDays + 1, -1]) {
      const since = new Date(Date.now() - days * 86_400_000).toISOString();
      expectFailure(await run(api, 'recover', { ...key, since }, manager.token), 'BAD_USER_INPUT', sentence);
    }
  });
});
