import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Quotas } from '../../src/config.js';
import type { ConflictReason } from '../../src/errors.js';
import type { Role } from '../../src/values/enums.js';
import type { Answer, Envelope } from '../support/clients.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HIGH_QUOTAS, startGateway, type TestGateway } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildInvitation } from '../support/people.js';
import { samples } from '../support/sample-files.js';
import { buildIncident, buildPerson, buildWorkflow, seedTestData, join, type TestData } from '../support/test-data.js';

let database: TestDatabase;
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => void (database = await createTestDatabase()));
afterEach(() => gateway?.close());
afterAll(() => database?.drop());

async function start(quotas: Partial<Quotas>) {
  gateway = await startGateway({ database, config: { quotas: { ...HIGH_QUOTAS, ...quotas } } });
  testData = await seedTestData(gateway.app.database);
}

const conflictOf = (reason: ConflictReason) => ({ code: 'CONFLICT', messages: [1009], reason });
const expectReason = (answer: Answer<Envelope>, reason: ConflictReason) => {
  expectError(answer, 409, [1009]);
  expect(answer.headers.get('conflict-reason')).toBe(reason);
};
/** Members of the first organization of the test data. */
const MEMBERS = 5;
const NAME = { name: 'One more' };
const CREATE = 'mutation { createOrganization(input: { name: "One more" }) { organization { id: databaseId } } }';

const count = async (text: string, values: unknown[] = []) =>
  (await gateway.app.database.rows<{ n: number }>(`select count(*) as n from ${text}`, values))[0]?.n;
const create = (token: string) => gateway.rest.post('/api/v1/organizations', { token, body: NAME });
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

test('a user owns as many organizations as the quota says and not one more, through both APIs and after deleting', async () => {
  await start({ organizationsPerUser: 2 });
  const { token } = testData.userWithoutOrganization;
  const { id } = expectData(await create(token), 201);
  await gateway.graphql.data(CREATE, { token });
  expectError(await create(token), 409, [1009]);
  expect(await gateway.graphql.error(CREATE, { token })).toEqual(conflictOf('ORGANIZATION_LIMIT'));
  expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token }), 200);
  expectReason(await create(token), 'ORGANIZATION_LIMIT');
  expectStatus(await create(testData.viewer.token), 201);
});

test('organizations that a user makes at the same time do not pass the quota together', async () => {
  await start({ organizationsPerUser: 1 });
  const { id, token } = testData.userWithoutOrganization;
  const { database } = gateway.app;
  // Blocked, so that all of them have begun before the first can end.
  const { answers } = await database.transaction(async (tx) => {
    await tx.rows('select 1 from app_user where id = $1 for no key update', [id]);
    const selection = Promise.all([create(token), create(token), create(token)]);
    await someoneWaits(tx, 3);
    return { answers: selection };
  });
  expect(statuses(await answers)).toEqual([201, 409, 409]);
  expect(await count('membership where user_id = $1', [id])).toBe(1);
});

test('no user becomes the owner of more organizations than the quota says by transfer, role or invitation', async () => {
  await start({ organizationsPerUser: 1 });
  const { owner, nonMember, organizationId } = testData;
  await join(gateway.app.database, nonMember, organizationId, 'ORGANIZATION_MANAGER');
  const transfer =
    'mutation ($id: ID!, $user: ID!) { transferOwnership(input: { organizationId: $id, userId: $user }) { organization { id: databaseId } } }';
  const variables = { id: organizationId, user: nonMember.id };
  expect(await gateway.graphql.error(transfer, { token: owner.token, variables })).toEqual(
    conflictOf('ORGANIZATION_LIMIT'),
  );
  const path = `/api/v1/organizations/${organizationId}/users/${nonMember.id}`;
  expectError(
    await gateway.rest.patch(path, { token: owner.token, body: { role: 'ORGANIZATION_OWNER' } }),
    409,
    [1009],
  );
  const accepted = await accept('ORGANIZATION_OWNER', nonMember.username);
  expect(accepted).toBeDefined();
});

/** Invites the owner of an organization as owner of another one, and accepts. */
async function accept(role: Role, name: string) {
  const person = await buildPerson(gateway.app.database, name);
  expectStatus(await create(person.token), 201);
  const [row] = await gateway.app.database.rows<{ email: string }>('select email from app_user where id = $1', [
    person.id,
  ]);
  const { secret } = await invited(row?.email ?? '', role);
  const answer = await gateway.rest.post('/api/v1/invitations/accept', { token: person.token, body: { secret } });
  expectReason(answer, 'ORGANIZATION_LIMIT');
  return answer;
}

async function invited(email: string, role: Role) {
  const { organizationId, owner } = testData;
  return buildInvitation(gateway.app.database, { organizationId, owner, email, role });
}

test('an organization has as many members as the quota says, also when invitations are accepted at the same time', async () => {
  await start({ membersPerOrganization: MEMBERS + 2 });
  expect(await count('membership where organization_id = $1', [testData.organizationId])).toBe(MEMBERS);
  // A service account is not a member.
  const accounts = `/api/v1/organizations/${testData.organizationId}/service-accounts`;
  const account = { name: 'Nightly', role: 'VIEWER' };
  expectData(await gateway.rest.post(accounts, { token: testData.owner.token, body: account }), 201);
  const secrets = await Promise.all([1, 2, 3, 4, 5].map((n) => invited(`member-${n}@example.com`, 'VIEWER')));
  const answers = await Promise.all(
    secrets.map(({ secret }) => gateway.rest.post('/api/v1/invitations/accept', { body: { secret } })),
  );
  expect(statuses(answers)).toEqual(
    [200, 200, 409, 409, 409].map((status) => (status === 200 ? answers.find((a) => a.status < 300)!.status : status)),
  );
  const invite = await gateway.rest.post(`/api/v1/organizations/${testData.organizationId}/invitations`, {
    token: testData.owner.token,
    body: { email: 'late@example.com', role: 'VIEWER' },
  });
  expectReason(invite, 'MEMBER_LIMIT');
});

test('a user sends as many mails in a day as the quota says, from all of its organizations together', async () => {
  await start({ mailsPerSender: 3 });
  const { token } = testData.owner;
  const { id } = expectData(await create(token), 201);
  const invite = (organization: number, n: number) =>
    gateway.rest.post(`/api/v1/organizations/${organization}/invitations`, {
      token,
      body: { email: `guest-${n}@example.com`, role: 'VIEWER' },
    });
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => invite(n % 2 === 0 ? id : testData.organizationId, n)),
  );
  expect(statuses(answers)).toEqual([201, 201, 201, 429, 429, 429]);
  const refused = await invite(id, 7);
  expectError(refused, 429, [1029]);
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(86_000);
  expect(retryAfter).toBeLessThanOrEqual(86_400);
  const mutation = `mutation { inviteMember(input: { organizationId: ${id}, email: "x@example.com", role: VIEWER }) { invitation { id: databaseId } } }`;
  expect(await gateway.graphql.error(mutation, { token })).toEqual({ code: 'RATE_LIMITED', messages: [1029] });
  await gateway.app.database.rows(`update invitation set sent_at = array[now() - interval '25 hours']`);
  expectStatus(await invite(id, 8), 201);
});

test('an organization stores as many bytes as the quota says, counted over documents, attachments and logo', async () => {
  const size = samples.TXT.bytes.length;
  const logo = samples.PNG;
  await start({ storedBytesPerOrganization: 2 * size + logo.bytes.length });
  const { owner, organizationId } = testData;
  const { token } = owner;
  await buildWorkflow(gateway.app.database, organizationId, 'iso-27001-2022');
  const incident = await buildIncident(gateway.app.database, organizationId);
  const file = (name: string, type: string, bytes: Uint8Array) => new File([Buffer.from(bytes)], name, { type });
  const text = (n: number) => Buffer.from(samples.TXT.bytes).fill(String(n), 0, 1);
  const form = (part: string, content: File) => {
    const body = new FormData();
    body.set(part, content);
    return body;
  };
  const document = (n: number, artifact = 'A.5.1') =>
    gateway.rest.post(
      `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/${artifact}/versions`,
      { token, body: form('file', file('a.txt', 'text/plain', text(n))) },
    );
  const attachment = (n: number) =>
    gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}/${incident}/attachments`, {
      token,
      body: form('file', file('a.txt', 'text/plain', text(n))),
    });
  const bytes = async () =>
    (
      await gateway.app.database.rows<{ bytes: number }>(
        'select bytes from organization_storage where organization_id = $1',
        [organizationId],
      )
    )[0]?.bytes;

  const putLogo = (content: Uint8Array) =>
    gateway.rest.call('PUT', `/api/v1/organizations/${organizationId}/logo`, {
      token,
      body: form('logo', file('logo.png', 'image/png', content)),
    });
  expectStatus(await putLogo(logo.bytes), 200);
  expect(await bytes()).toBe(logo.bytes.length);
  const { id } = expectData(await attachment(1), 201);
  const answers = await Promise.all([1, 2, 3, 4].map((n) => document(n, `A.5.${n}`)));
  expect(statuses(answers)).toEqual([201, 409, 409, 409]);
  expect(await bytes()).toBe(2 * size + logo.bytes.length);
  // The same content creates no new version.
  const accepted = answers.findIndex(({ status }) => status === 201) + 1;
  expectStatus(await document(accepted, `A.5.${accepted}`), 200);
  expectReason(await attachment(9), 'STORAGE_LIMIT');
  const upload = `mutation ($file: Upload!) { uploadIncidentAttachment(input: { organizationId: ${organizationId}, incidentId: ${incident}, file: $file }) { attachment { id: databaseId } } }`;
  const graphql = await gateway.graphql.upload(
    upload,
    { file: null },
    'variables.file',
    { name: 'a.txt', type: 'text/plain', bytes: text(8) },
    token,
  );
  expect(graphql.body.errors?.[0]?.extensions).toEqual(conflictOf('STORAGE_LIMIT'));

  expectStatus(
    await gateway.rest.delete(`/api/v1/v-ciso/incidents/${organizationId}/${incident}/attachments/${id}`, { token }),
    200,
  );
  expect(await bytes()).toBe(size + logo.bytes.length);
  expectStatus(await gateway.rest.delete(`/api/v1/organizations/${organizationId}/logo`, { token }), 200);
  expect(await bytes()).toBe(size);
  expectStatus(await attachment(5), 201);
  expectReason(await putLogo(Buffer.concat([logo.bytes, Buffer.from('x')])), 'STORAGE_LIMIT');
  expect(await bytes()).toBe(2 * size);
});

test('no organization is made with a logo of more bytes than it may store', async () => {
  const { bytes } = samples.PNG;
  await start({ storedBytesPerOrganization: bytes.length - 1 });
  const body = new FormData();
  body.set('data', JSON.stringify({ name: 'With a large logo' }));
  body.set('logo', new File([Buffer.from(bytes)], 'logo.png', { type: 'image/png' }));
  expectError(await gateway.rest.post('/api/v1/organizations', { token: testData.owner.token, body }), 409, [1009]);
  expect(await count('organization where name = $1', ['With a large logo'])).toBe(0);
});

test('form options name the quotas', async () => {
  await start({ organizationsPerUser: 7, mailsPerSender: Infinity });
  const { limits } = expectData(await gateway.rest.get('/api/v1/options', { token: testData.owner.token }));
  const quotas = limits.filter(({ name }: { name: string }) => name.startsWith('quota.'));
  expect(quotas).toContainEqual({ name: 'quota.organizations_per_user', value: 7 });
  expect(quotas.map(({ name }: { name: string }) => name)).not.toContain('quota.mails_per_sender');
});
