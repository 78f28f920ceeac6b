import { describe, expect, test } from '@jest/globals';
import { digestToken } from '../../src/auth/token.js';
import { eraseUser } from '../../src/services/members/erasure.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { CATALOG } from '../support/catalog.js';
import { follow } from '../support/live.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { buildInvitation, newMember } from '../support/people.js';
import { Directory, person, provisionedOrganization, type Provisioned } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildPerson, buildToken, join } from '../support/test-data.js';
import { buildEndpointOf, disabledReasonsOf } from '../support/webhooks.js';

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;
const one = await provisionedOrganization(gateway);
const { directory, domain, organizationId, owner } = one;

const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  database.rows<Row & { [column: string]: unknown }>(text, values);
const memberOf = async (email: string, id = organizationId) =>
  (
    await rows<{ id: string; role: string; active: boolean; firstName: string }>(
      `select u.id, m.role, m.deactivated_at is null as active, u.first_name as "firstName"
         from membership m join app_user u on u.id = m.user_id where u.email = $1 and m.organization_id = $2`,
      [email, id],
    )
  )[0];
const address = (name: string, of = one) => `${name}@${of.domain}`;
const provisioned = async (name: string, of: Provisioned = one) => {
  const { status, body } = await of.directory.post('Users', person(of.domain, name));
  expect(status).toBe(201);
  return body as { id: string; meta: { version: string } };
};
async function trail(id: number) {
  const { organization } = await gateway.graphql.data(
    `{ organization(id: ${id}) { auditTrail(first: 50) { nodes {
      action actor { type job tokenId user { username } } subject { type databaseId name } changes { field before after } } } } }`,
    { token: (await newMember(database, id, 'SECURITY_OFFICER')).token },
  );
  return organization.auditTrail.nodes;
}
const OWN_TRAIL = {
  rest: 'GET /api/v1/profile/audit-trail',
  graphql: '{ viewer { auditTrail { nodes { action actor { type job } changes { field before after } } } } }',
  at: 'viewer.auditTrail',
};
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

test('members who come, go and come back by a directory are no notifications: there may be hundreds at once', async () => {
  const of = await provisionedOrganization(gateway);
  await newMember(database, of.organizationId, 'ORGANIZATION_MANAGER');
  const { id } = await provisioned('quiet', of);
  for (const active of [false, true])
    expect((await of.directory.patch(`Users/${id}`, replace('active', active))).status).toBe(200);
  await gateway.settled();
  expect(await rows('select title from notification where organization_id = $1', [of.organizationId])).toEqual([]);
});

describe('a user that a directory creates', () => {
  test('is a member with the default role, shown as it was sent, and on record with the directory as actor', async () => {
    const of = await provisionedOrganization(gateway, { default_role: 'SECURITY_ANALYST' });
    const made = await of.directory.post('Users', person(of.domain, 'anna'));
    expect(made.status).toBe(201);
    expect(made.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    const { id, meta } = made.body;
    expect(made.headers.get('location')).toBe(`${of.directory.url}/Users/${id}`);
    expect(made.headers.get('etag')).toBe(meta.version);
    expect(made.body).toMatchObject({
      ...person(of.domain, 'anna'),
      name: { givenName: 'anna', familyName: 'Rossi', formatted: 'anna Rossi' },
      groups: [],
      meta: { resourceType: 'User', location: `${of.directory.url}/Users/${id}` },
    });
    expect((await of.directory.get(`Users/${id}`)).body).toEqual(made.body);
    const member = await memberOf(address('anna', of), of.organizationId);
    expect(member).toMatchObject({ role: 'SECURITY_ANALYST', active: true, firstName: 'anna' });
    const [joined] = await trail(of.organizationId);
    expect(joined).toMatchObject({
      action: 'MEMBER_JOINED',
      actor: { type: 'SCIM', job: 'scim:Entra ID', tokenId: of.tokenId, user: null },
      subject: { type: 'MEMBER', databaseId: member!.id, name: 'anna' },
    });
    expect(joined.changes).toContainEqual({ field: 'role', before: null, after: 'SECURITY_ANALYST' });
    expect(joined.changes).toContainEqual({ field: 'userName', before: null, after: address('anna', of) });
    const [{ entry }] = (await rows<{ entry: string }>(
      'select e.entry from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position desc limit 1',
      [of.organizationId],
    )) as [{ entry: string }];
    expect(entry).not.toContain(of.domain);
  });

  test('must have an address of a domain that the organization has proven, and the answer is the same for a known address', async () => {
    const nonMember = await buildPerson(database, 'elsewhere');
    const known = await directory.post('Users', {
      ...person(domain, 'x'),
      userName: `${nonMember.username}@example.com`,
      emails: [],
    });
    const unknown = await directory.post('Users', {
      ...person(domain, 'x'),
      userName: 'unknown@example.com',
      emails: [],
    });
    expect(known).toMatchObject({ status: 400, body: { scimType: 'invalidValue', status: '400' } });
    expect(unknown.body).toEqual(known.body);
    const { domain: ofAnother } = await provisionedOrganization(gateway);
    expect((await directory.post('Users', person(ofAnother, 'x'))).body).toEqual(known.body);
    const none = await directory.post('Users', { ...person(domain, 'x'), userName: 'no-address', emails: [] });
    expect(none).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect(await memberOf(`${nonMember.username}@example.com`)).toBeUndefined();
  });

  test('who is a user elsewhere already joins as that user, whose account stays as it is', async () => {
    const elsewhere = await buildPerson(database, 'known');
    await join(database, elsewhere, testData.otherOrganizationId, 'SECURITY_OFFICER');
    await rows('update app_user set email = $1 where id = $2', [address('known'), elsewhere.id]);
    const { id } = await provisioned('known');
    expect(await memberOf(address('known'))).toMatchObject({ id: elsewhere.id, role: 'VIEWER', firstName: 'known' });
    const changed = await directory.patch(`Users/${id}`, [
      ...replace('name.givenName', 'Other'),
      ...replace('emails[type eq "work"].value', address('other')),
    ]);
    expect(changed).toMatchObject({ status: 200, body: { name: { givenName: 'Other' } } });
    const [user] = await rows('select first_name, email from app_user where id = $1', [elsewhere.id]);
    expect(user).toEqual({ first_name: 'known', email: address('known') });
    await directory.patch(`Users/${id}`, replace('active', false));
    await directory.delete(`Users/${id}`);
    expect(await memberOf(address('known'), testData.otherOrganizationId)).toMatchObject({
      role: 'SECURITY_OFFICER',
      active: true,
    });
  });

  test('whose account was deactivated is refused, and does not become a member', async () => {
    const { id } = await buildPerson(database, 'deactivated');
    await rows('update app_user set email = $1, deactivated_at = now() where id = $2', [address('deactivated'), id]);
    expect(await directory.post('Users', person(domain, 'deactivated'))).toMatchObject({
      status: 403,
      body: { detail: 'The person cannot be provisioned' },
    });
    expect(await rows('select 1 from membership where user_id = $1', [id])).toEqual([]);
  });

  test('twice at the same time is made once: one answer is 201 and one is 409', async () => {
    const answers = await Promise.all(
      ['first', 'second'].map((external) => directory.post('Users', person(domain, 'twice', { externalId: external }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ...{ status: '409', scimType: 'uniqueness' },
    });
  });

  test.each([
    ['userName in another case', { userName: 'TAKEN' }],
    ['externalId', { externalId: 'ext-taken' }],
    ['address', { emails: [{ value: 'TAKEN', primary: true }] }],
  ])('with the %s of another one is a conflict', async (_what, more) => {
    await directory.post('Users', person(domain, 'taken'));
    const text = JSON.stringify({ ...person(domain, 'free'), ...more }).replaceAll('TAKEN', `Taken@${domain}`);
    expect(await directory.post('Users', JSON.parse(text))).toMatchObject({
      ...{ status: 409, body: { scimType: 'uniqueness' } },
    });
  });

  test('who is a member that was invited is a conflict, and nothing of the member changes', async () => {
    const invited = await newMember(database, organizationId, 'SECURITY_OFFICER');
    await rows('update app_user set email = $1 where id = $2', [address('invited'), invited.id]);
    expect(await directory.post('Users', person(domain, 'invited', { active: false }))).toMatchObject({ status: 409 });
    expect(await memberOf(address('invited'))).toMatchObject({ role: 'SECURITY_OFFICER', active: true });
  });

  test('who is a member that was invited is linked where an owner lets the directory do that; owners and managers are not', async () => {
    const of = await provisionedOrganization(gateway, { link_members: true });
    const invited = async (name: string, role: 'VIEWER' | 'ORGANIZATION_MANAGER' | 'ORGANIZATION_OWNER') => {
      const member = await newMember(database, of.organizationId, role);
      await rows('update app_user set email = $1 where id = $2', [address(name, of), member.id]);
      return of.directory.post('Users', person(of.domain, name));
    };
    expect(await invited('viewer', 'VIEWER')).toMatchObject({ status: 201 });
    expect(await invited('manager', 'ORGANIZATION_MANAGER')).toMatchObject({ status: 409 });
    expect(await invited('owner', 'ORGANIZATION_OWNER')).toMatchObject({ status: 409 });
    const list = await of.directory.get('Users');
    expect(list.body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual([address('viewer', of)]);
  });

  test('is refused beyond the quota of members', async () => {
    const { config } = gateway;
    const { quotas } = config;
    const before = quotas.membersPerOrganization;
    Object.assign(quotas, { membersPerOrganization: 1 });
    try {
      expect(await directory.post('Users', person(domain, 'beyond'))).toMatchObject({ status: 403 });
    } finally {
      Object.assign(quotas, { membersPerOrganization: before });
    }
    expect(await memberOf(address('beyond'))).toBeUndefined();
  });
});

describe('deactivation', () => {
  test('ends the webhook endpoints that the member had enabled', async () => {
    const { id } = await provisioned('sends-elsewhere');
    const { id: userId } = (await memberOf(address('sends-elsewhere')))!;
    await buildEndpointOf(database, organizationId, userId);
    await directory.patch(`Users/${id}`, replace('active', false));
    expect(await disabledReasonsOf(database, userId)).toEqual(['MEMBER_LEFT']);
  });

  test('ends a sign-in whose token is blocked at the same time', async () => {
    const { id } = await provisioned('waits');
    const { id: userId } = (await memberOf(address('waits')))!;
    await buildEndpointOf(database, organizationId, userId);
    await buildToken(database, { id: userId }, {});
    const [token] = await rows<{ id: number; version: number }>(
      `update api_token set origin = 'SIGN_IN', provider_id = (select id from identity_provider where organization_id = $1)
        where user_id = $2 returning id, version`,
      [organizationId, userId],
    );
    const head = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
    const path = `/api/v1/organizations/${organizationId}/tokens/${token!.id}`;
    const headers = { 'If-Match': `"${token!.version}"` };
    const [ended, blocked] = await inTurnBehind<object>(database, head, [
      () => directory.patch(`Users/${id}`, replace('active', false)),
      () => gateway.rest.call('DELETE', path, { token: owner.token, headers }),
    ]);
    expect({ ended, blocked }).toMatchObject({ ended: { status: 200 }, blocked: { status: 404 } });
  });

  const FORMS: [string, (directory: Directory, id: string, name: string) => Promise<unknown>][] = [
    ['Entra ID', (of, id) => of.patch(`Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])],
    ['Okta', (of, id) => of.patch(`Users/${id}`, [{ op: 'replace', value: { active: false } }])],
    ['Keycloak', (of, id, name) => of.put(`Users/${id}`, person(domain, name, { id, active: false, roles: [] }))],
    ['authentik', (of, id, name) => of.put(`Users/${id}`, person(domain, name, { id, active: false, photos: [] }))],
    ['a deletion', (of, id) => of.delete(`Users/${id}`)],
  ];
  test.each(FORMS)(
    'in the form of %s ends token and live stream at once, and leaves other organizations',
    async (form, end) => {
      const name = form.toLowerCase().replaceAll(' ', '-');
      const { id } = await provisioned(name);
      const { id: userId } = (await memberOf(address(name)))!;
      await join(database, { id: userId }, testData.otherOrganizationId, 'VIEWER');
      const token = await buildToken(database, { id: userId }, {});
      const query = 'subscription { notificationAdded { organization { id: databaseId } } }';
      const stream = follow(gateway, 'WebSocket', { query, token });
      const next = stream.next();
      await gateway.settled();
      const path = (of: number) => `/api/v1/organizations/${of}`;
      expect((await gateway.rest.get(path(organizationId), { token })).status).toBe(200);
      await end(directory, id, name);
      expect((await gateway.rest.get(path(organizationId), { token })).status).toBe(404);
      expect((await gateway.rest.get(path(testData.otherOrganizationId), { token })).status).toBe(200);
      await gateway.settled();
      await buildNotifications(database, { id: userId }, organizationId, 1);
      await buildNotifications(database, { id: userId }, testData.otherOrganizationId, 1);
      expect((await next).value.data.notificationAdded.organization.id).toBe(testData.otherOrganizationId);
      await stream.return?.();
    },
  );

  test('ends the sessions of sign-ins, which do not come back with the member', async () => {
    const { id } = await provisioned('signed-in');
    const { id: userId } = (await memberOf(address('signed-in')))!;
    const token = await buildToken(database, { id: userId }, {});
    await rows(
      `update api_token set origin = 'SIGN_IN', provider_id = (select id from identity_provider where organization_id = $1)
        where user_id = $2`,
      [organizationId, userId],
    );
    const status = async () => (await gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token })).status;
    expect(await status()).toBe(200);
    await directory.patch(`Users/${id}`, replace('active', false));
    expect(await status()).toBe(401);
    expect(await directory.patch(`Users/${id}`, replace('active', true))).toMatchObject({ body: { active: true } });
    expect(await status()).toBe(401);
  });

  test('of a member whom the directory links ends sessions and webhook endpoints as well', async () => {
    const of = await provisionedOrganization(gateway, { link_members: true, default_role: 'ORGANIZATION_MANAGER' });
    const member = await newMember(database, of.organizationId, 'ORGANIZATION_MANAGER');
    await rows('update app_user set email = $1 where id = $2', [address('linked', of), member.id]);
    await buildEndpointOf(database, of.organizationId, member.id);
    const token = await buildToken(database, member, {});
    await rows(
      `update api_token set origin = 'SIGN_IN', provider_id = (select id from identity_provider where organization_id = $1)
        where digest = $2`,
      [of.organizationId, digestToken(token)],
    );
    const status = async () => (await gateway.rest.get(`/api/v1/organizations/${of.organizationId}`, { token })).status;
    expect(await status()).toBe(200);
    const linked = await of.directory.post('Users', person(of.domain, 'linked', { active: false }));
    expect(linked).toMatchObject({ status: 201, body: { active: false } });
    expect(await status()).toBe(401);
    expect(await disabledReasonsOf(database, member.id)).toEqual(['MEMBER_LEFT']);
    await of.directory.patch(`Users/${linked.body.id}`, replace('active', true));
    expect(await status()).toBe(401);
  });

  test('and back retains the role, and is on record', async () => {
    const of = await provisionedOrganization(gateway);
    const { id } = await provisioned('back', of);
    const { id: userId } = (await memberOf(address('back', of), of.organizationId))!;
    await rows(`update membership set role = 'SECURITY_OFFICER' where user_id = $1`, [userId]);
    await of.directory.patch(`Users/${id}`, replace('active', false));
    await of.directory.patch(`Users/${id}`, replace('active', true));
    expect(await memberOf(address('back', of), of.organizationId)).toMatchObject({
      ...{ role: 'SECURITY_OFFICER', active: true },
    });
    const entries = await trail(of.organizationId);
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'MEMBER_UPDATED', changes: [{ field: 'active', before: false, after: true }] },
      { action: 'MEMBER_UPDATED', changes: [{ field: 'active', before: true, after: false }] },
    ]);
  });

  test('and every other change of a member who became an owner is refused', async () => {
    const { id } = await provisioned('raised');
    await rows(`update membership set role = 'ORGANIZATION_OWNER' where organization_id = $1 and user_id = $2`, [
      organizationId,
      (await memberOf(address('raised')))!.id,
    ]);
    expect(await directory.patch(`Users/${id}`, replace('active', false))).toMatchObject({ status: 403 });
    expect(await directory.put(`Users/${id}`, person(domain, 'raised', { externalId: 'other' }))).toMatchObject({
      status: 403,
    });
    expect(await directory.delete(`Users/${id}`)).toMatchObject({ status: 403 });
    expect(await memberOf(address('raised'))).toMatchObject({ role: 'ORGANIZATION_OWNER', active: true });
  });

  test('by hand in the gateway is not undone by the directory, and other changes go on', async () => {
    const { id } = await provisioned('by-hand');
    const { id: userId } = (await memberOf(address('by-hand')))!;
    const path = `/api/v1/organizations/${organizationId}/users/${userId}`;
    expect((await gateway.rest.patch(path, { token: owner.token, body: { active: false } })).status).toBe(200);
    expect(await directory.patch(`Users/${id}`, replace('active', true))).toMatchObject({ status: 403 });
    expect(await directory.patch(`Users/${id}`, replace('displayName', 'By hand'))).toMatchObject({
      ...{ status: 200, body: { active: false, displayName: 'By hand' } },
    });
    expect(await directory.patch(`Users/${id}`, replace('active', true))).toMatchObject({ status: 403 });
    expect((await gateway.rest.patch(path, { token: owner.token, body: { active: true } })).status).toBe(200);
    expect((await directory.get(`Users/${id}`)).body.active).toBe(true);
  });

  test('by the directory stays its own to undo where another member is given access by hand', async () => {
    const [one, other] = [await provisioned('given-back'), await provisioned('still-away')];
    for (const { id } of [one, other]) await directory.patch(`Users/${id}`, replace('active', false));
    const { id: userId } = (await memberOf(address('given-back')))!;
    const path = `/api/v1/organizations/${organizationId}/users/${userId}`;
    expect((await gateway.rest.patch(path, { token: owner.token, body: { active: true } })).status).toBe(200);
    expect(await directory.patch(`Users/${other.id}`, replace('active', true))).toMatchObject({ status: 200 });
  });

  test('by hand is not undone either by deleting and creating anew, or after a reactivation by hand', async () => {
    const { id } = await provisioned('by-hand-again');
    const { id: userId } = (await memberOf(address('by-hand-again')))!;
    const path = `/api/v1/organizations/${organizationId}/users/${userId}`;
    const byHand = async (active: boolean) =>
      expect((await gateway.rest.patch(path, { token: owner.token, body: { active } })).status).toBe(200);
    await directory.patch(`Users/${id}`, replace('active', false));
    await byHand(true);
    await byHand(false);
    expect(await directory.patch(`Users/${id}`, replace('active', true))).toMatchObject({ status: 403 });
    expect(await directory.delete(`Users/${id}`)).toMatchObject({ status: 204 });
    const anew = (more: object) => directory.post('Users', person(domain, 'by-hand-again', more));
    expect(await anew({})).toMatchObject({ status: 403 });
    const { status, body } = await anew({ active: false });
    expect([status, body.active]).toEqual([201, false]);
    expect(await directory.patch(`Users/${body.id}`, replace('active', true))).toMatchObject({ status: 403 });
    expect(await memberOf(address('by-hand-again'))).toMatchObject({ active: false });
    await byHand(true);
    expect((await directory.get(`Users/${body.id}`)).body.active).toBe(true);
    await directory.delete(`Users/${body.id}`);
    expect(await provisioned('by-hand-again')).toMatchObject({ active: true });
  });

  test('by DELETE hides the user, and creating it again brings the member back under a new id with the default role', async () => {
    const { id } = await provisioned('again');
    const { id: userId } = (await memberOf(address('again')))!;
    await rows(`update membership set role = 'SECURITY_OFFICER' where organization_id = $1 and user_id = $2`, [
      ...[organizationId, userId],
    ]);
    expect(await directory.delete(`Users/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const method of ['GET', 'DELETE'])
      expect(await directory.call(method, `Users/${id}`)).toMatchObject({ status: 404 });
    const member = (await memberOf(address('again')))!;
    expect(member).toMatchObject({ id: userId, role: 'SECURITY_OFFICER', active: false });
    const again = await provisioned('again');
    expect(again.id).not.toBe(id);
    expect(await memberOf(address('again'))).toEqual({ ...member, role: 'VIEWER', active: true });
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['is deactivated', (id) => directory.patch(`Users/${id}`, replace('active', 'False'))],
    ['is deleted', (id) => directory.delete(`Users/${id}`)],
  ])('leaves no way in by an invitation that waits: the person who %s accepts none', async (how, end) => {
    const name = `invited-${how.replaceAll(' ', '-')}`;
    const facts = { organizationId, owner, email: address(name), role: 'SECURITY_OFFICER' } as const;
    const { secret } = await buildInvitation(database, facts);
    const { id } = await provisioned(name);
    await end(id);
    const accepted = await gateway.rest.post('/api/v1/invitations/accept', { body: { secret } });
    expect([accepted.status, accepted.headers.get('conflict-reason')]).toEqual([409, 'ALREADY_MEMBER']);
    expect(await memberOf(address(name))).toMatchObject({ role: 'VIEWER', active: false });
    const { id: userId } = (await memberOf(address(name)))!;
    expect(await rows('select 1 from api_token where user_id = $1', [userId])).toEqual([]);
  });

  test('a member who was removed in the gateway is gone for the directory, too', async () => {
    const { id } = await provisioned('removed');
    const { id: userId } = (await memberOf(address('removed')))!;
    await gateway.rest.delete(`/api/v1/organizations/${organizationId}/users/${userId}`, { token: owner.token });
    expect(await directory.get(`Users/${id}`)).toMatchObject({ status: 404 });
  });
});

test('who is erased is gone for the directory, and what it has said of the person is readable no more', async () => {
  const of = await provisionedOrganization(gateway);
  const { id } = await provisioned('erased', of);
  const { id: userId } = (await memberOf(address('erased', of), of.organizationId))!;
  const by = { kind: 'system', name: 'operator' } as const;
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
  await database.transaction((tx) => eraseUser(tx, catalogs, by, { userId, at: new Date() }));
  expect(await of.directory.get(`Users/${id}`)).toMatchObject({ status: 404 });
  expect(await rows('select 1 from scim_user where organization_id = $1', [of.organizationId])).toEqual([]);
  const joined = (await trail(of.organizationId)).find(({ action }: { action: string }) => action === 'MEMBER_JOINED');
  expect(joined.changes).toContainEqual({ field: 'userName', before: null, after: null });
  expect(JSON.stringify(joined)).not.toContain('Rossi');
  const again = await provisioned('erased', of);
  expect(again.id).not.toBe(id);
  expect((await memberOf(address('erased', of), of.organizationId))!.id).not.toBe(userId);
});

describe('changing a user', () => {
  test('PUT replaces what it names and empties the rest, but for `active`', async () => {
    const { id } = await provisioned('put');
    await directory.patch(`Users/${id}`, replace('active', false));
    const { status, body } = await directory.put(`Users/${id}`, { userName: address('put') });
    expect(status).toBe(200);
    expect(body).toMatchObject({ userName: address('put'), active: false, emails: [] });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['name', 'externalId']));
  });

  test('changes name and address of an account that the directory has made and that belongs here alone', async () => {
    const { id } = await provisioned('maiden');
    const { id: userId } = (await memberOf(address('maiden')))!;
    await rows('update app_user set email_verified_at = now() where id = $1', [userId]);
    const name = { givenName: 'mar\u202eried', familyName: 'Rossi' };
    await directory.put(`Users/${id}`, person(domain, 'married', { name }));
    const [user] = await rows('select first_name, last_name, email, email_verified_at from app_user where id = $1', [
      userId,
    ]);
    expect(user).toEqual({
      ...{ first_name: 'married', last_name: 'Rossi', email: address('married'), email_verified_at: null },
    });
    await buildPerson(database, 'holder');
    const existing = await buildPerson(database, 'holder');
    await rows('update app_user set email = $1 where id = $2', [address('held'), existing.id]);
    expect(await directory.put(`Users/${id}`, person(domain, 'held'))).toMatchObject({ status: 200 });
    expect((await rows('select email from app_user where id = $1', [userId]))[0]).toEqual({
      email: address('married'),
    });
  });

  test.each(APIS)('and its account is in the trail of the user as well, through %s', async (api) => {
    const name = `own-${api.toLowerCase()}`;
    const { id } = await provisioned(name);
    const { id: userId } = (await memberOf(address(name)))!;
    await directory.patch(`Users/${id}`, replace('displayName', 'Shown by the directory alone'));
    expect((await directory.patch(`Users/${id}`, replace('name.givenName', ' Married '))).status).toBe(200);
    const token = await buildToken(database, { id: userId }, {});
    const entries = dataOf(await callThrough(api, gateway, OWN_TRAIL, {}, token));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      ...{ action: 'PROFILE_UPDATED', actor: { type: 'SCIM', job: 'scim:Entra ID' } },
      changes: [{ field: 'firstName', before: name, after: 'Married' }],
    });
    const profile = await gateway.rest.get('/api/v1/profile', { token });
    expect(profile.body.data).toMatchObject({ first_name: 'Married', last_name: 'Rossi' });
  });

  test('leaves an account that it has made alone once that belongs to another organization as well', async () => {
    const { id } = await provisioned('shared');
    const { id: userId } = (await memberOf(address('shared')))!;
    await join(database, { id: userId }, testData.otherOrganizationId, 'VIEWER');
    expect(await directory.put(`Users/${id}`, person(domain, 'unshared'))).toMatchObject({ status: 200 });
    const [user] = await rows('select first_name, email from app_user where id = $1', [userId]);
    expect(user).toEqual({ first_name: 'shared', email: address('shared') });
  });

  test('leaves it alone where it comes to belong to another organization while the change waits', async () => {
    const { id } = await provisioned('joining');
    const { id: userId } = (await memberOf(address('joining')))!;
    const { changed } = await database.transaction(async (tx) => {
      await tx.rows('select from app_user where id = $1 for no key update', [userId]);
      const changed = directory.put(`Users/${id}`, person(domain, 'renamed'));
      await someoneWaits(tx);
      await join(database, { id: userId }, testData.otherOrganizationId, 'VIEWER');
      return { changed };
    });
    expect(await changed).toMatchObject({ status: 200 });
    const [user] = await rows('select first_name, email from app_user where id = $1', [userId]);
    expect(user).toEqual({ first_name: 'joining', email: address('joining') });
  });

  test('leaves it the address that another account takes meanwhile', async () => {
    const { id } = await provisioned('slower');
    const { id: userId } = (await memberOf(address('slower')))!;
    const other = await buildPerson(database, 'other');
    const { changed } = await database.transaction(async (tx) => {
      await tx.rows('update app_user set email = $1 where id = $2', [address('faster'), other.id]);
      const changed = directory.put(`Users/${id}`, person(domain, 'faster'));
      await someoneWaits(tx);
      return { changed };
    });
    expect(await changed).toMatchObject({ status: 200, body: { userName: address('faster') } });
    const [user] = await rows('select first_name, email from app_user where id = $1', [userId]);
    expect(user).toEqual({ first_name: 'faster', email: address('slower') });
  });

  test('to an address of another domain or of another member is refused and changes nothing', async () => {
    const { id } = await provisioned('moving');
    await provisioned('settled');
    const invited = await newMember(database, organizationId, 'VIEWER');
    await rows('update app_user set email = $2 where id = $1', [invited.id, address('invited-here')]);
    const { body: before } = await directory.get(`Users/${id}`);
    const emails = (value: string) => [...replace('displayName', 'Changed'), ...replace('emails', [{ value }])];
    expect(await directory.patch(`Users/${id}`, emails('moving@example.com'))).toMatchObject({ status: 400 });
    for (const taken of ['settled', 'invited-here'])
      expect(await directory.patch(`Users/${id}`, emails(address(taken)))).toMatchObject({ status: 409 });
    expect((await directory.get(`Users/${id}`)).body).toEqual(before);
  });

  test('to another primary address moves the account, whether the other one is added or is there', async () => {
    const { id } = await provisioned('primary');
    const [user] = await rows<{ id: string }>('select id from app_user where email = $1', [address('primary')]);
    const emailNow = async () => (await rows('select email from app_user where id = $1', [user!.id]))[0]!['email'];
    const added = { op: 'add', path: 'emails', value: [{ value: address('second'), type: 'home', primary: true }] };
    expect((await directory.patch(`Users/${id}`, [added])).body.emails).toEqual([
      { value: address('primary'), type: 'work', primary: false },
      { value: address('second'), type: 'home', primary: true },
    ]);
    expect(await emailNow()).toBe(address('second'));
    const back = await directory.patch(`Users/${id}`, replace('emails[type eq "work"].primary', true));
    expect(back.body.emails).toEqual([
      { value: address('second'), type: 'home', primary: false },
      { value: address('primary'), type: 'work', primary: true },
    ]);
    expect(await emailNow()).toBe(address('primary'));
    const swapped = await directory.patch(
      `Users/${id}`,
      replace('emails', [
        { value: address('second'), type: 'home', primary: true },
        { value: address('primary'), type: 'work' },
      ]),
    );
    expect([swapped.status, await emailNow()]).toEqual([200, address('second')]);
  });

  test('of an address leaves the others as they are, and one that is not there stays so', async () => {
    const { id } = await provisioned('addresses');
    const work = { value: address('addresses'), type: 'work', primary: true };
    const home = { value: address('home'), type: 'home' };
    const emails = async (operation: object) => (await directory.patch(`Users/${id}`, [operation])).body.emails;
    expect(await emails({ op: 'add', path: 'emails', value: [home] })).toEqual([work, home]);
    const none = `emails[value eq "${address('none')}"].type`;
    expect(await emails({ op: 'remove', path: none })).toEqual([work, home]);
    expect(await emails({ op: 'remove', path: 'emails' })).toEqual([]);
  });

  test('to as many addresses as there may be is made, and to one more is refused', async () => {
    const { id } = await provisioned('many');
    const others = Array.from({ length: LIMITS.scim.emails }, (_, at) => ({ value: address(`many${at}`) }));
    const emails = (count: number) => replace('emails', [{ value: address('many') }, ...others.slice(0, count - 1)]);
    expect((await directory.patch(`Users/${id}`, emails(LIMITS.scim.emails))).status).toBe(200);
    expect((await directory.patch(`Users/${id}`, emails(LIMITS.scim.emails + 1))).status).toBe(400);
  });

  test('to a first name alone has no space behind it in the formatted one', async () => {
    const { id } = await provisioned('single');
    const { body } = await directory.patch(`Users/${id}`, [{ op: 'remove', path: 'name.familyName' }]);
    expect(body.name).toEqual({ givenName: 'single', formatted: 'single' });
  });

  test('to two primary addresses is refused and changes nothing, and so is a new user with two', async () => {
    const { id } = await provisioned('only-one');
    const { body: before } = await directory.get(`Users/${id}`);
    const emails = ['only-one', 'another'].map((name) => ({ value: address(name), primary: true }));
    const refused = { status: 400, body: { scimType: 'invalidValue' } };
    expect(await directory.patch(`Users/${id}`, replace('emails', emails))).toMatchObject(refused);
    expect(await directory.put(`Users/${id}`, { ...person(domain, 'only-one'), emails })).toMatchObject(refused);
    expect(await directory.post('Users', { ...person(domain, 'two-primary'), emails })).toMatchObject(refused);
    expect((await directory.get(`Users/${id}`)).body).toEqual(before);
  });

  test('of a name to null empties it', async () => {
    const { id } = await provisioned('nameless');
    const { status, body } = await directory.patch(`Users/${id}`, replace('name', null));
    expect([status, body.name]).toEqual([200, undefined]);
  });

  test('what changes nothing is no entry and no new version', async () => {
    const of = await provisionedOrganization(gateway);
    const { id, meta } = await provisioned('same', of);
    const same = await of.directory.put(`Users/${id}`, person(of.domain, 'same'));
    expect(same.body.meta.version).toBe(meta.version);
    expect((await trail(of.organizationId))[0].action).toBe('MEMBER_JOINED');
  });

  test('is read again only in another state than `If-None-Match` names', async () => {
    const { id, meta } = await provisioned('known-state');
    const read = (tag: string) => directory.get(`Users/${id}`, { headers: { 'if-none-match': tag } });
    const known = await read(`"x", ${meta.version}`);
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, undefined, meta.version]);
    expect((await read('*')).status).toBe(304);
    await directory.patch(`Users/${id}`, replace('displayName', 'Changed'));
    expect(await read(meta.version)).toMatchObject({ status: 200, body: { displayName: 'Changed' } });
  });

  test('in another state than `If-Match` names is refused', async () => {
    const { id, meta } = await provisioned('stated');
    const change = (tag: string, name: string) =>
      directory.patch(`Users/${id}`, replace('displayName', name), { headers: { 'if-match': tag } });
    expect(await change('W/"0.0"', 'Never')).toMatchObject({ status: 412 });
    for (const text of ['never', '', ', ,', '"', `${meta.version} W/"0.0"`, `*, ${meta.version}`, `x${meta.version}`])
      expect([text, (await change(text, 'Never')).status]).toEqual([text, 412]);
    expect(await change(meta.version, 'Once')).toMatchObject({ status: 200, body: { displayName: 'Once' } });
    expect(await change(meta.version, 'Twice')).toMatchObject({ status: 412 });
    expect(await change('*', 'Any')).toMatchObject({ status: 200 });
  });

  test('is refused where its condition cannot be judged', async () => {
    const { id, meta } = await provisioned('unjudged');
    const { body: before } = await directory.get(`Users/${id}`);
    const someone = person(domain, 'conditional');
    const answers = [
      await directory.post('Users', someone, { headers: { 'if-match': meta.version } }),
      await directory.post('Users', someone, { headers: { 'if-none-match': '*' } }),
      await directory.put(`Users/${id}`, someone, { headers: { 'if-none-match': '"x"' } }),
      await directory.delete(`Users/${id}`, { headers: { 'if-none-match': meta.version } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412, 412]);
    expect((await directory.get(`Users/${id}`)).body).toEqual(before);
    expect((await directory.post('Users', someone, { headers: { 'if-match': '*' } })).status).toBe(201);
  });

  test('in one of several states that `If-Match` names is made', async () => {
    const { id, meta } = await provisioned('listed');
    const sent = (tags: string) => ({ headers: { 'if-match': tags } });
    const listed = async (replaced: string) =>
      `W/"0.0",${(await directory.get(`Users/${id}`)).body.meta.version}, "${replaced}"`;
    const changed = await directory.patch(`Users/${id}`, replace('displayName', 'Listed'), sent(await listed('x')));
    expect(changed).toMatchObject({ status: 200, body: { displayName: 'Listed' } });
    const stale = await directory.put(`Users/${id}`, person(domain, 'listed'), sent(`"0.0", ${meta.version}`));
    expect(stale.status).toBe(412);
    const strong = changed.headers.get('etag')!.replace('W/', '');
    expect((await directory.put(`Users/${id}`, person(domain, 'listed'), sent(strong))).status).toBe(200);
    expect((await directory.delete(`Users/${id}`, sent('"0.0", "x"'))).status).toBe(412);
    expect((await directory.delete(`Users/${id}`, sent(await listed('y')))).status).toBe(204);
  });
});

describe('listing users', () => {
  test('is in pages from 1 on, of 100 at most, and filtered by userName in any case and externalId exactly', async () => {
    const of = await provisionedOrganization(gateway);
    for (const name of ['a', 'b', 'c']) await provisioned(name, of);
    const list = async (query: string) => (await of.directory.get(`Users?${query}`)).body;
    const names = ({ Resources }: { Resources: { userName: string }[] }) =>
      Resources.map(({ userName }) => userName.split('@')[0]);
    const all = await list('');
    expect(all).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 3, startIndex: 1, itemsPerPage: 3 },
    });
    const ordered = names(all);
    expect([names(await list('startIndex=1&count=2')), names(await list('startIndex=3&count=2'))]).toEqual([
      ordered.slice(0, 2),
      ordered.slice(2),
    ]);
    expect(await list('startIndex=9')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await list('count=0')).toMatchObject({ totalResults: 3, Resources: [] });
    expect(await list('count=2147483647')).toMatchObject({ totalResults: 3, itemsPerPage: 3 });
    expect(await list('startIndex=2147483647')).toMatchObject({
      totalResults: 3,
      startIndex: 2147483647,
      Resources: [],
    });
    expect(await list('startIndex=-4&count=-1')).toMatchObject({ totalResults: 3, startIndex: 1, Resources: [] });
    const filter = (text: string) => list(`filter=${encodeURIComponent(text)}`);
    expect(names(await filter(`userName eq "${address('B', of).toUpperCase()}"`))).toEqual(['b']);
    expect(names(await filter(`urn:ietf:params:scim:schemas:core:2.0:User:userName Eq "${address('b', of)}"`))).toEqual(
      ['b'],
    );
    expect(names(await filter('externalId eq "ext-c"'))).toEqual(['c']);
    expect(names(await filter('externalId eq "EXT-C"'))).toEqual([]);
    expect(names(await filter(`userName eq "' or true --"`))).toEqual([]);
    const narrow = await list('attributes=userName&count=1');
    expect(Object.keys(narrow.Resources[0]).sort()).toEqual(['id', 'meta', 'schemas', 'userName']);
    expect(Object.keys((await list('excludedAttributes=emails,name.givenName')).Resources[0])).not.toContain('emails');
  });

  test.each([
    ...['userName co "a"', 'userName eq a', 'userName eq "a" or userName eq "b"', 'title eq "x"', 'userName eq "a', ''],
    ...[
      'displayName eq "a"',
      'emails[type eq "work"].value eq "x"',
      'userName eq "\\u0000"',
      'userName eq "\\ud800"',
      '__proto__ eq "a"',
    ],
    `userName eq "${'\\"'.repeat(500)}" and`,
  ])('with the filter %s is refused as invalidFilter', async (filter) => {
    const answer = await directory.get(`Users?filter=${encodeURIComponent(filter)}`);
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  });

  test.each(['count=x', 'startIndex=1.5', 'sortBy=userName', 'limit=3', 'count=99999999999', 'count=1&count=2'])(
    'with the parameter %s is refused',
    async (query) => {
      expect(await directory.get(`Users?${query}`)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    },
  );
});
