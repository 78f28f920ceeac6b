import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { generateInvitationSecret } from '../../src/auth/token.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { buildInvitation } from '../support/people.js';
import { buildOrganization, buildPerson, seedTestData, join, type TestData } from '../support/test-data.js';

const PREVIEW = '/api/v1/invitations/preview';
const QUERY = `query ($input: InvitationPreviewInput!) {
  invitationPreview(input: $input) { organization inviter email role expiresAt }
}`;
const EXPIRES_AT = new Date('2099-11-27T08:15:30.500Z');

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const newEmail = () => `invited-${randomUUID()}@example.com`;
const rows = (text: string, values: unknown[]) => gateway.app.database.rows<Record<string, unknown>>(text, values);
const preview = (secret: string, token?: string) =>
  gateway.rest.post(PREVIEW, { ...(token === undefined ? {} : { token }), body: { secret } });
const ask = (secret: string) => gateway.graphql.call(QUERY, { variables: { input: { secret } } });

test('shows organization, inviter, address, role and expiry in both APIs, without a token and as often as wanted', async () => {
  const email = newEmail();
  const { id, secret } = await buildInvitation(gateway.app.database, {
    ...testData,
    email,
    role: 'SECURITY_OFFICER',
    expiresAt: EXPIRES_AT,
  });
  await rows(`update app_user set first_name = 'Ada', last_name = 'Lovelace' where id = $1`, [testData.owner.id]);
  const [organization] = await rows('select name from organization where id = $1', [testData.organizationId]);
  const before = await rows('select i::text from invitation i where id = $1', [id]);
  const facts = { organization: organization?.['name'], inviter: 'Ada Lovelace', email, role: 'SECURITY_OFFICER' };
  for (const token of [undefined, testData.nonMember.token, 'nonsense'])
    expect(expectData(await preview(secret, token))).toEqual({ ...facts, expires_at: EXPIRES_AT.toISOString() });
  const { body } = await ask(secret);
  expect(body.data).toEqual({ invitationPreview: { ...facts, expiresAt: EXPIRES_AT.toISOString() } });
  expect(await rows('select i::text from invitation i where id = $1', [id])).toEqual(before);
  expectData(await gateway.rest.post('/api/v1/invitations/accept', { body: { secret } }), 201);
});

test('names an inviter who has no name by the user name', async () => {
  const inviter = await buildPerson(gateway.app.database, 'nameless');
  await join(gateway.app.database, inviter, testData.organizationId, 'ORGANIZATION_OWNER');
  await rows(`update app_user set first_name = '', last_name = '' where id = $1`, [inviter.id]);
  const { secret } = await buildInvitation(gateway.app.database, { ...testData, owner: inviter, email: newEmail() });
  expect(expectData(await preview(secret)).inviter).toBe(inviter.username);
});

test('answers alike for every secret that cannot be accepted', async () => {
  const deleted = await buildOrganization(gateway.app.database, 'Deleted');
  const inviter = await buildPerson(gateway.app.database, 'former');
  await join(gateway.app.database, inviter, testData.organizationId, 'VIEWER');
  const built = async (facts: { owner?: { id: string }; organizationId?: number; expiresAt?: Date } = {}) =>
    (await buildInvitation(gateway.app.database, { ...testData, email: newEmail(), ...facts })).secret;
  const changed = async (change: string) => {
    const { id, secret } = await buildInvitation(gateway.app.database, { ...testData, email: newEmail() });
    await rows(`update invitation set ${change} where id = $1`, [id]);
    return secret;
  };
  await join(gateway.app.database, testData.owner, deleted, 'ORGANIZATION_OWNER');
  const secrets = {
    empty: '',
    malformed: 'inv_',
    unknown: generateInvitationSecret(),
    expired: await built({ expiresAt: new Date(Date.now() - 1000) }),
    used: await changed('accepted_at = now()'),
    cancelled: await changed('closed_at = now()'),
    'of an inviter without the right': await built({ owner: inviter }),
    'of a deleted organization': await built({ organizationId: deleted }),
  };
  await rows('update organization set deleted_at = now() where id = $1', [deleted]);
  for (const [kind, secret] of Object.entries(secrets)) {
    const { status, text } = await preview(secret);
    expect([kind, status, text]).toEqual([kind, 404, '{"error":1,"messages":[1004]}']);
  }
  const answers = await Promise.all(Object.values(secrets).map(ask));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.body.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', messages: [1004] });
});

test('refuses a body without a secret', async () => {
  const { status, text } = await gateway.rest.post(PREVIEW, { body: {} });
  expect([status, JSON.parse(text)]).toEqual([400, { error: 1, messages: [expect.stringMatching(/^secret /)] }]);
});

test('refuses a body of more than 4 KB, as every REST route that needs no token does', async () => {
  for (const path of [PREVIEW, '/api/v1/invitations/accept', '/api/v1/recovery', '/api/v1/recovery/accept']) {
    const response = await gateway.rest.post(path, { body: { secret: 's'.repeat(4 * 1024) } });
    expectError(response, 400, ['The body must not exceed 4096 bytes']);
  }
});
