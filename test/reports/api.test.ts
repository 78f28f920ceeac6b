import { beforeAll, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { postWeeklyReports, workDue } from '../support/jobs.js';
import { expectError } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { buildCloudDefender, buildOrganization, join } from '../support/test-data.js';

const OPERATIONS = {
  preview: {
    rest: 'GET /api/v1/organizations/{organization_id}/weekly-report',
    graphql:
      'query ($organizationId: ID!) { weeklyReportPreview(organizationId: $organizationId) { week subject html text } }',
    at: 'weeklyReportPreview',
  },
  deliveries: {
    rest: 'GET /api/v1/organizations/{organization_id}/weekly-report/deliveries',
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int, $filter: WeeklyReportDeliveryFilter) {
      organization(id: $organizationId) { weeklyReportDeliveries(first: $first, offset: $offset, filter: $filter) {
        totalCount nodes { id: databaseId week email status attempt_count: attemptCount created_at: createdAt sent_at: sentAt last_error: lastError } } } }`,
    at: 'organization.weeklyReportDeliveries',
  },
} satisfies Record<string, Operation>;

let now = new Date('2026-11-23T09:00:00.000Z');

const { gateway, testData } = await startSeededGateway({ now: () => now });

beforeAll(async () => {
  const { database } = gateway.app;
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  const contacts = emails.map((email) => ({ name: '', role: '', email, phone: '', emailReport: true }));
  await database.rows(`update organization set contacts = $2, created_at = '2026-01-01' where id = $1`, [
    testData.organizationId,
    JSON.stringify(contacts),
  ]);
  await postWeeklyReports(gateway.app);
  await workDue(gateway.app);
  now = new Date('2026-11-30T09:00:00.000Z');
  await postWeeklyReports(gateway.app);
  await database.rows(`update outgoing_mail set state = 'FAILED', attempts = 1, last_error = 'It was refused.'
                        where recipient = 'b@example.com' and state = 'QUEUED'`);
});

test('a report of many devices that are down says how many it does not name', async () => {
  const { database } = gateway.app;
  const id = await buildOrganization(database, 'Many devices');
  await join(database, testData.manager, id, 'ORGANIZATION_MANAGER');
  for (let made = 0; made < 12; made += 1) await buildCloudDefender(database, id);
  await database.rows('update cloud_defender set status = 3 where organization_id = $1', [id]);
  const preview = async () => {
    const { body } = await gateway.rest.get(`/api/v1/organizations/${id}/weekly-report`, testData.manager);
    return body.data as Record<'text' | 'html', string>;
  };
  const { text, html } = await preview();
  expect([text.match(/needs attention:/g)!.length, /^ {2}and 2 more$/m.test(text)]).toEqual([10, true]);
  expect(html).toContain('</a> and 2 more</span>');
  await database.rows(
    `update cloud_defender set status = 1 where id in
    (select id from cloud_defender where organization_id = $1 order by id limit 2)`,
    [id],
  );
  const named = await preview();
  expect(named.text + named.html).not.toContain(' more');
});

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object = {}) => {
    const { organizationId: organization_id, manager } = testData;
    return callThrough(api, gateway, OPERATIONS[name], { organization_id, ...input }, manager.token);
  };

  describe('the preview of the weekly report', () => {
    test('is the mail as it would be sent now', async () => {
      const data = dataOf(await call('preview'));
      expect(Object.keys(data)).toEqual(['week', 'subject', 'html', 'text']);
      expect(data).toMatchObject({
        week: '2026-W49',
        subject: '“First Organization”: weekly security report, week 49 of 2026',
        html: expect.stringMatching(/^<!doctype html>/),
        text: expect.stringMatching(/^Hello,\n/),
      });
    });

    test('has no link that would unsubscribe a recipient', async () => {
      const { html, text } = dataOf(await call('preview'));
      const [link] = /https?:\/\/[^"\s]*unsubscribe[^"\s]*/.exec(html)!;
      expect((await fetch(link, { method: 'POST' })).status).toBe(404);
      expect(html + text).not.toContain('signature=');
    });

    test('sends no mail', async () => {
      const count = () => gateway.app.database.rows('select count(*) as n from outgoing_mail');
      const before = await count();
      await call('preview');
      expect(await count()).toEqual(before);
    });
  });

  describe('the deliveries of weekly reports', () => {
    const rows = async (filter: object) =>
      dataOf(await call('deliveries', filter)).map(
        ({ week, email, status }: Record<string, string>) => `${week} ${email} ${status}`,
      );

    test('show which report was sent to whom and when, newest first', async () => {
      const { data, total } = await call('deliveries');
      expect(total).toBe(6);
      const failed = { email: 'b@example.com', status: 'FAILED', attempt_count: 1, last_error: 'It was refused.' };
      expect(data[1]).toMatchObject(failed);
      expect(JSON.stringify(data.at(-1))).toBe(
        JSON.stringify({
          id: data.at(-1).id,
          week: '2026-W48',
          email: 'a@example.com',
          status: 'SENT',
          attempt_count: 1,
          created_at: '2026-11-23T09:00:00.000Z',
          sent_at: '2026-11-23T09:00:00.000Z',
          last_error: null,
        }),
      );
    });

    test('are filtered by week and by status, page by page', async () => {
      expect(await rows({ week: '2026-W48', limit: 2, offset: 1 })).toEqual([
        '2026-W48 b@example.com SENT',
        '2026-W48 a@example.com SENT',
      ]);
      expect(await rows({ status: 'FAILED' })).toEqual(['2026-W49 b@example.com FAILED']);
      expect((await call('deliveries', { status: 'QUEUED' })).total).toBe(2);
      expect(await rows({ week: '2026-W49', status: 'SENT' })).toEqual([]);
    });
  });
});

describe('the parameters of the list of deliveries', () => {
  const list = (query: string) => {
    const path = `/api/v1/organizations/${testData.organizationId}/weekly-report/deliveries`;
    return gateway.rest.get(`${path}?${query}`, testData.manager);
  };
  pagingCases(list);

  test('are refused when they name a status that does not exist', async () => {
    expectError(await list('status=LOST'), 400, ['status must be one of QUEUED, SENT, FAILED']);
  });

  test.each(['nonsense', '2026-47', '2025-W53', '2026-W00'])('are refused when %s is no week', async (week) => {
    expectError(await list(`week=${week}`), 400, ['week must be an ISO 8601 week such as 2026-W47']);
  });
});

test('the deliveries are paged by cursor', async () => {
  const page = async (after: string) => {
    const document = `{ organization(id: ${testData.organizationId}) {
      weeklyReportDeliveries(first: 1 ${after}, filter: { status: QUEUED }) { pageInfo { endCursor hasNextPage } nodes { email } } } }`;
    return (await gateway.graphql.data(document, testData.owner)).organization.weeklyReportDeliveries;
  };
  const first = await page('');
  const second = await page(`after: "${first.pageInfo.endCursor}"`);
  const emails = [first, second].map(({ nodes }) => nodes.map(({ email }: { email: string }) => email));
  expect(emails).toEqual([['c@example.com'], ['a@example.com']]);
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
});
