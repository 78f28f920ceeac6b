import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { buildPerson, join } from '../support/test-data.js';

const USER = 'id: databaseId username email first_name: firstName last_name: lastName language created_at: createdAt';
const ALERTS = 'alerts { atb cloud_defender: cloudDefender v_ciso: vCiso }';

const OPERATIONS = {
  read: { rest: 'GET /api/v1/profile', graphql: `{ viewer { user { ${USER} } } }`, at: 'viewer.user' },
  update: mutation('PATCH /api/v1/profile', 'updateProfile', `user { ${USER} }`),
  alerts: {
    rest: 'GET /api/v1/organizations/{organization_id}/alerts',
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { ${ALERTS} } }`,
    at: 'organization.alerts',
  },
  updateAlerts: mutation('PATCH /api/v1/organizations/{organization_id}/alerts', 'updateAlerts', ALERTS),
} satisfies Record<string, Operation>;

const { gateway, testData } = await startSeededGateway();

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, { token }: { token: string }, input: object = {}) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);

  describe('the profile', () => {
    test('shows every field of the caller', async () => {
      const { userWithoutOrganization: caller } = testData;
      await gateway.app.database.rows(`update app_user set created_at = '2026-01-02T03:04:05.006Z' where id = $1`, [
        caller.id,
      ]);
      expect(JSON.stringify(dataOf(await call('read', caller)))).toBe(
        JSON.stringify({
          id: caller.id,
          username: caller.username,
          email: `${caller.username}@example.com`,
          first_name: 'userWithoutOrganization',
          last_name: 'Person',
          language: null,
          created_at: '2026-01-02T03:04:05.006Z',
        }),
      );
    });

    test('is changed where a name is sent, without white space around it; null takes it away', async () => {
      const person = await buildPerson(gateway.app.database, 'named');
      const ada = { first_name: 'Ada', last_name: 'Person' };
      expect(dataOf(await call('update', person, { first_name: '  Ada ' }))).toMatchObject(ada);
      const without = { first_name: '', last_name: '' };
      expect(dataOf(await call('update', person, { last_name: '', first_name: null }))).toMatchObject(without);
      expect(dataOf(await call('read', person))).toMatchObject(without);
    });

    test('has names of 200 characters at most, and reports every error at once', async () => {
      const person = await buildPerson(gateway.app.database, 'long');
      const names = { first_name: '🙂'.repeat(200), last_name: 'n'.repeat(200) };
      expect(dataOf(await call('update', person, names))).toMatchObject(names);
      const refused = async (input: object, messages: string[]) =>
        expectFailure(await call('update', person, input), 'BAD_USER_INPUT', messages);
      await refused({ first_name: 'n'.repeat(201), last_name: 'a\nb' }, [
        'first_name must not be longer than 200 characters',
        'last_name must not contain control characters',
      ]);
      // REST accepts both fields only with the values that it returns, and GraphQL does not have them.
      const ofRecord = api === 'REST' ? 'cannot be changed' : 'is not a known field';
      await refused({ username: 'x', email: 'x@example.com' }, [`username ${ofRecord}`, `email ${ofRecord}`]);
    });
  });

  test('the profile has a language that the gateway has, or none: the trail has the change, and the version grows', async () => {
    const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    const versionOf = async () =>
      (await gateway.graphql.data('{ viewer { user { version } } }', { token: person.token })).viewer.user.version;
    expect(dataOf(await call('update', person, { language: 'it' }))).toMatchObject({ language: 'it' });
    expect(await versionOf()).toBe(2);
    expect(dataOf(await call('update', person, { first_name: 'Ada' })).language).toBe('it');
    for (const language of ['fr', 'IT', 'constructor'])
      expectFailure(await call('update', person, { language }), 'BAD_USER_INPUT', [
        'language must be one of the languages de, en, it',
      ]);
    expect(dataOf(await call('update', person, { language: '' })).language).toBeNull();
    await call('update', person, { language: 'de' });
    // As it was read.
    expect(dataOf(await call('update', person, { language: null })).language).toBeNull();
    const { viewer } = await gateway.graphql.data(
      '{ viewer { auditTrail(first: 9) { nodes { changes { field before after } } } } }',
      { token: person.token },
    );
    const trail: { changes: { field: string }[] }[] = viewer.auditTrail.nodes;
    expect(trail.flatMap(({ changes }) => changes).filter(({ field }) => field === 'language')).toEqual([
      { field: 'language', before: 'de', after: null },
      { field: 'language', before: null, after: 'de' },
      { field: 'language', before: 'it', after: null },
      { field: 'language', before: null, after: 'it' },
    ]);
  });

  describe('the alerts of a member', () => {
    const inOrganization = (organization_id: number, changes: object = {}) => ({ organization_id, ...changes });

    test('are not found for a caller who is no member any more, although its role is still remembered', async () => {
      const { database } = gateway.app;
      const person = await newMember(database, testData.organizationId, 'VIEWER');
      dataOf(await call('alerts', person, inOrganization(testData.organizationId)));
      await database.transaction(async (tx) => {
        // No NOTIFY message is sent for it.
        await tx.rows('set local session_replication_role = replica');
        await tx.rows('delete from membership where user_id = $1', [person.id]);
      });
      expectFailure(await call('alerts', person, inOrganization(testData.organizationId)), 'NOT_FOUND');
    });

    test('are its own in one organization, and are changed in no other', async () => {
      const { organizationId, otherOrganizationId } = testData;
      const person = await newMember(gateway.app.database, organizationId, 'VIEWER');
      await join(gateway.app.database, person, otherOrganizationId, 'VIEWER');
      const change = async (changes: object) =>
        JSON.stringify(dataOf(await call('updateAlerts', person, inOrganization(organizationId, changes))));
      const shown = async (id: number) => JSON.stringify(dataOf(await call('alerts', person, inOrganization(id))));
      const alerts = (atb: boolean, v_ciso: boolean) => JSON.stringify({ atb, cloud_defender: true, v_ciso });
      expect(await change({ v_ciso: false })).toBe(alerts(true, false));
      expect(await change({ atb: false, cloud_defender: null })).toBe(alerts(false, false));
      expect(await shown(organizationId)).toBe(alerts(false, false));
      expect(await shown(otherOrganizationId)).toBe(alerts(true, true));
    });
  });
});

test('an update of alerts answers their organization, so that a cache which has it is current at once', async () => {
  const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
  const { updateAlerts } = await gateway.graphql.data(
    `mutation ($id: ID!) { updateAlerts(input: { organizationId: $id, vCiso: false }) {
      alerts { vCiso } organization { id: databaseId name alerts { atb vCiso } } } }`,
    { token: person.token, variables: { id: testData.organizationId } },
  );
  expect(updateAlerts).toEqual({
    alerts: { vCiso: false },
    organization: { id: testData.organizationId, name: expect.any(String), alerts: { atb: true, vCiso: false } },
  });
});
