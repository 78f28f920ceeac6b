import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { buildPerson, seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const PATH = '/api/v1/profile';
const patch = (path: string, body: object, token: string) => gateway.rest.call('PATCH', path, { token, body });

describe('reading the profile', () => {
  test('shows who calls, field for field', async () => {
    const { userWithoutOrganization } = testData;
    const answer = await gateway.rest.get(PATH, userWithoutOrganization);
    expectExactly(answer, 200, {
      error: 0,
      messages: [],
      data: {
        id: userWithoutOrganization.id,
        username: userWithoutOrganization.username,
        email: `${userWithoutOrganization.username}@example.com`,
        first_name: 'userWithoutOrganization',
        last_name: 'Person',
        created_at: answer.body.data.created_at,
      },
    });
  });
});

describe('changing the profile', () => {
  test('changes what is sent and keeps what is not, without white space around it', async () => {
    const person = await buildPerson(gateway.app.database, 'named');
    expect(expectData(await patch(PATH, { first_name: '  Ada ' }, person.token))).toMatchObject({
      first_name: 'Ada',
      last_name: 'Person',
    });
    expect(expectData(await patch(PATH, { last_name: '', first_name: null }, person.token))).toMatchObject({
      first_name: 'Ada',
      last_name: '',
    });
    expect(expectData(await gateway.rest.get(PATH, person))).toMatchObject({ first_name: 'Ada', last_name: '' });
  });

  test('takes names of 200 characters, and tells every error of longer ones', async () => {
    const person = await buildPerson(gateway.app.database, 'long');
    const names = { first_name: '🙂'.repeat(200), last_name: 'n'.repeat(200) };
    expect(expectData(await patch(PATH, names, person.token))).toMatchObject(names);
    expectError(await patch(PATH, { first_name: 'n'.repeat(201), last_name: 'a\nb' }, person.token), 400, [
      'first_name must not be longer than 200 characters',
      'last_name must not contain control characters',
    ]);
    expectError(await patch(PATH, { username: 'x', email: 'x@example.com' }, person.token), 400, [
      'username is not a known field',
      'email is not a known field',
    ]);
  });

  test('tells an error in the same words through both APIs', async () => {
    const notified = await gateway.graphql.error(
      'mutation { updateProfile(input: { firstName: "a\\u0000" }) { user { id: databaseId } } }',
      {
        token: testData.viewer.token,
      },
    );
    expect(notified.code).toBe('BAD_USER_INPUT');
  });
});

describe('alert preferences', () => {
  const path = () => `/api/v1/organizations/${testData.organizationId}/alerts`;

  test('are absent where the caller is remembered as a member that it is no more', async () => {
    const { database } = gateway.app;
    const person = await buildPerson(database, 'remembered');
    await join(database, person, testData.organizationId, 'VIEWER');
    expectData(await gateway.rest.get(path(), person));
    await database.transaction(async (tx) => {
      // Nobody announces it.
      await tx.rows('set local session_replication_role = replica');
      await tx.rows('delete from membership where user_id = $1', [person.id]);
    });
    expectError(await gateway.rest.get(path(), person), 404, [1004]);
  });

  test('come with their organization, so that a cache which holds it has them at once', async () => {
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

  test('are the caller’s own in this organization, and in no other', async () => {
    const person = await buildPerson(gateway.app.database, 'alerted');
    for (const id of [testData.organizationId, testData.otherOrganizationId]) {
      await join(gateway.app.database, person, id, 'VIEWER');
    }
    expectExactly(await patch(path(), { v_ciso: false }, person.token), 200, {
      error: 0,
      messages: [],
      data: { atb: true, cloud_defender: true, v_ciso: false },
    });
    await patch(path(), { atb: false, cloud_defender: null }, person.token);
    expect(expectData(await gateway.rest.get(path(), person))).toEqual({
      atb: false,
      cloud_defender: true,
      v_ciso: false,
    });
    const { organizations } = (
      await gateway.graphql.data(
        '{ viewer { organizations { nodes { organization { id: databaseId alerts { atb cloudDefender vCiso } } } } } }',
        person,
      )
    ).viewer;
    const others = organizations.nodes.filter(
      ({ organization }: { organization: { id: number } }) => organization.id === testData.otherOrganizationId,
    );
    expect(others[0].organization.alerts).toEqual({ atb: true, cloudDefender: true, vCiso: true });
  });
});
