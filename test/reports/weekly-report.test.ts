import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { pagingCases } from '../support/rest.js';

let now = new Date('2026-11-23T09:00:00.000Z');
let gateway: TestGateway;
let testData: TestData;
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/weekly-report`;
const deliveriesPath = (query = '') => `${path()}/deliveries${query}`;

beforeAll(async () => {
  gateway = await startGateway({ now: () => now });
  const { database, jobs } = gateway.app;
  testData = await seedTestData(database);
  const contacts = ['a@example.com', 'b@example.com', 'c@example.com'].map((email) => ({
    name: '',
    role: '',
    email,
    phone: '',
    emailReport: true,
  }));
  await database.rows(`update organization set contacts = $2, created_at = '2026-01-01' where id = $1`, [
    testData.organizationId,
    JSON.stringify(contacts),
  ]);
  await jobs.run('weeklyReports.postDue');
  await jobs.workDue();
  now = new Date('2026-11-30T09:00:00.000Z');
  await jobs.run('weeklyReports.postDue');
  await database.rows(`update outgoing_mail set state = 'FAILED', attempts = 1, last_error = 'It was refused.'
                        where recipient = 'b@example.com' and state = 'QUEUED'`);
});
afterAll(() => gateway?.close());

describe('GET /api/v1/organizations/{organizationid}/weekly-report', () => {
  test('answers the mail as it would go out now, the same through both APIs', async () => {
    const data = expectData(await gateway.rest.get(path(), { token: testData.manager.token }));
    expect(Object.keys(data)).toEqual(['week', 'subject', 'html', 'text']);
    expect(data).toMatchObject({
      week: '2026-W49',
      subject: '“First Organization”: weekly security report, week 49 of 2026',
      html: expect.stringMatching(/^<!doctype html>/),
      text: expect.stringMatching(/^Hello,\n/),
    });
    const document = `{ weeklyReportPreview(organizationId: ${testData.organizationId}) { week subject html text } }`;
    const { weeklyReportPreview } = await gateway.graphql.data(document, { token: testData.manager.token });
    expect(weeklyReportPreview).toEqual(data);
  });

  test('shows no link that would unsubscribe anybody', async () => {
    const data = expectData(await gateway.rest.get(path(), { token: testData.manager.token }));
    const [link] = /https?:\/\/[^"\s]*unsubscribe[^"\s]*/.exec(data.html)!;
    expect((await fetch(link, { method: 'POST' })).status).toBe(404);
    expect(data.html + data.text).not.toContain('signature=');
  });

  test('posts nothing', async () => {
    const count = async () =>
      (await gateway.app.database.rows<{ n: number }>('select count(*) as n from outgoing_mail'))[0]!.n;
    const before = await count();
    await gateway.rest.get(path(), { token: testData.manager.token });
    expect(await count()).toBe(before);
  });
});

describe('GET /api/v1/organizations/{organizationid}/weekly-report/deliveries', () => {
  pagingCases((query) => gateway.rest.get(deliveriesPath(`?${query}`), { token: testData.manager.token }));

  const list = async (query = '') => {
    const answer = await gateway.rest.get(deliveriesPath(query), { token: testData.manager.token });
    return { data: expectData(answer), total: answer.body.total };
  };
  const rows = async (query: string) =>
    (await list(query)).data.map(({ week, email, state }: Record<string, string>) => `${week} ${email} ${state}`);

  test('answers who got which report when, the newest first', async () => {
    const { data, total } = await list();
    expect(total).toBe(6);
    expect(Object.keys(data[0])).toEqual([
      ...['id', 'week', 'email', 'state', 'attempts', 'created_at', 'sent_at', 'last_error'],
    ]);
    expect(data[1]).toMatchObject({
      email: 'b@example.com',
      state: 'FAILED',
      attempts: 1,
      last_error: 'It was refused.',
    });
    expect(data.at(-1)).toEqual({
      id: expect.any(Number),
      week: '2026-W48',
      email: 'a@example.com',
      state: 'SENT',
      attempts: 1,
      created_at: '2026-11-23T09:00:00.000Z',
      sent_at: '2026-11-23T09:00:00.000Z',
      last_error: null,
    });
  });

  test('by week, by state and page by page', async () => {
    expect(await rows('?week=2026-W48&limit=2&offset=1')).toEqual([
      '2026-W48 b@example.com SENT',
      '2026-W48 a@example.com SENT',
    ]);
    expect(await rows('?state=FAILED')).toEqual(['2026-W49 b@example.com FAILED']);
    expect(await rows('?week=2026-W49&state=SENT')).toEqual([]);
    expect(await rows('?week=nonsense')).toEqual([]);
    expectError(await gateway.rest.get(deliveriesPath('?state=LOST'), { token: testData.manager.token }), 400, [
      'state must be one of QUEUED, SENT, FAILED',
    ]);
  });

  test('the same through GraphQL, by cursors', async () => {
    const page = async (after: string) => {
      const document = `{ organization(id: ${testData.organizationId}) {
        weeklyReportDeliveries(first: 4 ${after}, filter: { state: QUEUED }) { totalCount pageInfo { endCursor hasNextPage } nodes { id: databaseId } } } }`;
      const { organization } = await gateway.graphql.data(document, { token: testData.owner.token });
      return organization.weeklyReportDeliveries;
    };
    const first = await page('');
    const { data } = await list('?state=QUEUED');
    expect(first.nodes).toEqual(data.map(({ id }: { id: number }) => ({ id })));
    expect(first).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: false } });
    expect((await page(`after: "${first.pageInfo.endCursor}"`)).nodes).toEqual([]);
  });
});
