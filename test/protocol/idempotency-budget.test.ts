import { afterAll, describe, expect, test } from '@jest/globals';
import { APIS, type Api } from '../support/apis.js';
import type { Answer } from '../support/clients.js';
import { TestClock } from '../support/clock.js';
import { HIGH_QUOTAS } from '../support/gateway.js';
import { expectReplay, newKey } from '../support/idempotency.js';
import { expectStatus, withStory } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';

const KILOBYTE = 1024;
const clock = new TestClock();
const quotas = {
  ...HIGH_QUOTAS,
  idempotencyBytesPerUser: 40 * KILOBYTE,
  idempotencyBytesPerOrganization: 60 * KILOBYTE,
};
const { gateway, testData } = await startSeededGateway({ now: clock.now, config: { quotas } });
const { database } = gateway.app;

type Key = Record<string, string>;

const CREATE = `mutation ($input: CreateOrganizationInput!) {
  createOrganization(input: $input) { organization { id databaseId name domains } } }`;
const OPEN = `mutation ($input: OpenIncidentInput!) {
  openIncident(input: $input) { incident { id title description } } }`;

function create(api: Api, input: object, { token }: Person, headers: Key): Promise<Answer<unknown>> {
  return api === 'REST'
    ? gateway.rest.post('/api/v1/organizations', { token, headers, body: input })
    : gateway.graphql.call(CREATE, { token, headers, variables: { input } });
}

function open(api: Api, organizationId: number, input: object, { token }: Person, headers: Key) {
  return api === 'REST'
    ? gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}`, { token, headers, body: input })
    : gateway.graphql.call(OPEN, { token, headers, variables: { input: { organizationId, ...input } } });
}

const count = async (table: string, column: string, value: string) =>
  (await database.rows<{ n: number }>(`select count(*) as n from ${table} where ${column} = $1`, [value]))[0]!.n;

const withDomains = (name: string, length: number) => ({
  name,
  domains: Array.from({ length }, (_, n) => `${['a', 'b', 'c'].map((x) => x.repeat(60)).join('.')}.n${n}.example`),
});
const incident = (title: string) => ({ title, severity: 'LOW', description: 'd'.repeat(10_000) });

/** The failure in both APIs, with REST's statuses. */
function expectRefusal(answer: Answer<unknown>, status: number, code: string): void {
  withStory(answer, () => {
    expect(answer.status).toBe(status);
    const { errors } = answer.body as { errors?: { extensions: { code: string } }[] };
    if (errors !== undefined) expect(errors.map(({ extensions }) => extensions.code)).toEqual([code]);
  });
}

function expectUsedUp(answer: Answer<unknown>): number {
  expectRefusal(answer, 429, 'RATE_LIMITED');
  const seconds = Number(answer.headers.get('retry-after'));
  withStory(answer, () => expect(seconds).toBeGreaterThan(0));
  return seconds;
}

afterAll(() => clock.set(0));

describe.each(APIS)('over %s', (api) => {
  test('an answer of more than 64 KB is sent, and its repetition says what was made without making it again', async () => {
    const owner = await buildPerson(database, `long-${api}`);
    const key = newKey();
    const input = withDomains(`Long over ${api}`, 1_000);
    const first = await create(api, input, owner, key);
    withStory(first, () => expect(first.text.length).toBeGreaterThan(64 * KILOBYTE));
    const again = await create(api, input, owner, key);
    expectRefusal(again, 409, 'CONFLICT');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    if (api === 'REST') {
      expect(again.text).toBe(JSON.stringify({ error: 1, messages: [1009] }));
      expect(again.headers.get('conflict-reason')).toBe('IDEMPOTENCY_ANSWER_NOT_KEPT');
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      const made = await gateway.rest.get(again.headers.get('location')!, { token: owner.token });
      withStory(made, () => expect(made.body.data).toMatchObject(input));
    } else {
      const { organization } = (first.body as { data: any }).data.createOrganization; // eslint-disable-line @typescript-eslint/no-explicit-any
      const { id, databaseId } = organization;
      const [{ extensions }] = (again.body as { errors: [{ extensions: object }] }).errors;
      const objects = [{ path: ['createOrganization', 'organization'], id, databaseId }];
      expect(extensions).toEqual({
        code: 'CONFLICT',
        messages: [1009],
        reason: 'IDEMPOTENCY_ANSWER_NOT_KEPT',
        objects,
      });
    }
    expect(await count('organization', 'name', input.name)).toBe(1);
    expect(await longestAnswer()).toBeLessThan(65 * KILOBYTE);
  });

  test('a user whose stored answers have used the budget up is refused before anything is changed, until they are old', async () => {
    const [user, other] = [await buildPerson(database, `full-${api}`), await buildPerson(database, `free-${api}`)];
    const keys = [newKey(), newKey(), newKey(), newKey()] as const;
    const answers = [];
    for (const [at, key] of keys.entries())
      answers.push(await create(api, withDomains(`Budget ${at} over ${api}`, 80), user, key));
    for (const answer of answers.slice(0, 3)) withStory(answer, () => expect(answer.status).toBeLessThan(300));
    const seconds = expectUsedUp(answers[3]!);
    expect(seconds).toBeGreaterThan(24 * 3600);
    expect(await count('organization', 'name', `Budget 3 over ${api}`)).toBe(0);
    // Stored responses are still replayed, and without a key nothing is stored.
    expectReplay(await create(api, withDomains(`Budget 0 over ${api}`, 80), user, keys[0]), answers[0]!);
    for (const [person, key] of [
      [other, newKey()],
      [user, {}],
    ] as const)
      // prettier-ignore
      expect((await create(api, { name: `Beside over ${api}` }, person, key)).status).toBeLessThan(300);
    clock.set(seconds / 3600);
    const later = await create(api, withDomains(`Budget 3 over ${api}`, 80), user, keys[3]);
    withStory(later, () => expect(later.status).toBeLessThan(300));
    expect(await count('organization', 'name', `Budget 3 over ${api}`)).toBe(1);
    clock.set(0);
  });

  test('an organization whose budget is used up refuses its members, who may still change others', async () => {
    const [full, other] = [await buildOrganization(database, `Full ${api}`), await buildOrganization(database, 'Free')];
    const people = [await buildPerson(database, `one-${api}`), await buildPerson(database, `two-${api}`)] as const;
    for (const person of people) for (const id of [full, other]) await join(database, person, id, 'SECURITY_ANALYST');
    for (let at = 0; at < 6; at += 1) {
      const answer = await open(api, full, incident(`Number ${at}`), people[at % 2]!, newKey());
      withStory(answer, () => expect(answer.status).toBeLessThan(300));
    }
    for (const person of people) {
      expectUsedUp(await open(api, full, incident(`Refused over ${api}`), person, newKey()));
      expect(await count('incident', 'title', `Refused over ${api}`)).toBe(0);
    }
    const elsewhere = await open(api, other, { title: 'Elsewhere', severity: 'LOW' }, people[0], newKey());
    withStory(elsewhere, () => expect(elsewhere.text).toContain('Elsewhere'));
  });

  test('a stored answer is given only to a caller who still has the rights that the request needed', async () => {
    const organizationId = await buildOrganization(database, `Rights ${api}`);
    const [analyst, owner] = [await buildPerson(database, `once-${api}`), await buildPerson(database, `boss-${api}`)];
    await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
    await join(database, analyst, organizationId, 'SECURITY_ANALYST');
    const key = newKey();
    const send = () => open(api, organizationId, { title: `Once over ${api}`, severity: 'LOW' }, analyst, key);
    const first = await send();
    const member = `/api/v1/organizations/${organizationId}/users/${analyst.id}`;
    const change = (role: string) => gateway.rest.patch(member, { token: owner.token, body: { role } });
    expectReplay(await send(), first);
    expectStatus(await change('VIEWER'), 200);
    const demoted = await send();
    expectRefusal(demoted, 403, 'FORBIDDEN');
    expect(demoted.headers.get('idempotency-replayed')).toBe('true');
    expectStatus(await change('SECURITY_ANALYST'), 200);
    expectReplay(await send(), first);
    expectStatus(await gateway.rest.delete(member, { token: owner.token }), 200);
    const removed = await send();
    expectRefusal(removed, 404, 'NOT_FOUND');
    withStory(removed, () => expect(removed.text).not.toContain('Once over'));
    expect(await count('incident', 'title', `Once over ${api}`)).toBe(1);
  });
});

test.each(APIS)(
  'a notification that was marked over %s is shown again to a member of its organization alone',
  async (api) => {
    const organizationId = await buildOrganization(database, `Notified ${api}`);
    const person = await buildPerson(database, `notified-${api}`);
    await join(database, person, organizationId, 'VIEWER');
    await buildNotifications(database, person, organizationId, 1);
    const list = await gateway.rest.get('/api/v1/notifications', { token: person.token });
    const notificationId = list.body.data[0].id as number;
    const request = { token: person.token, headers: newKey() };
    const document = `mutation { updateNotification(input: { notificationId: ${notificationId}, read: true }) { notification { title } } }`;
    const mark = () =>
      api === 'REST'
        ? gateway.rest.patch(`/api/v1/notifications/${notificationId}`, { ...request, body: { read: true } })
        : gateway.graphql.call(document, request);
    const first = await mark();
    expectReplay(await mark(), first);
    await database.rows('delete from membership where user_id = $1', [person.id]);
    await until(async () => (await mark()).status === 404);
    expectRefusal(await mark(), 404, 'NOT_FOUND');
  },
);

test('a request that takes away its own right is repeated', async () => {
  const key = newKey();
  const path = `/api/v1/organizations/${testData.organizationId}/leave`;
  const leave = () => gateway.rest.post(path, { token: testData.viewer.token, headers: key });
  const first = await leave();
  expectStatus(first, 200);
  expectReplay(await leave(), first);
});

test('the bytes of stored answers are a metric', async () => {
  const figure = async () =>
    Number(/^gateway_idempotency_stored_bytes (\d+)$/m.exec(await gateway.app.metrics.text())?.[1]);
  const before = await figure();
  await create('REST', { name: 'Counted' }, testData.owner, newKey());
  expect(await figure()).toBeGreaterThan(before);
  clock.set(60);
  expect(await figure()).toBe(0);
  clock.set(0);
});

async function longestAnswer(): Promise<number> {
  const [row] = await database.rows<{ n: number }>('select max(octet_length(sealed)) as n from idempotent_answer');
  return row!.n;
}
