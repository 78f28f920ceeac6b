import { beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, expectConflict, type Api, type Operation } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { readEvents } from '../support/events.js';
import { callTool, connectMcp } from '../support/mcp.js';
import { oscalErrors } from '../support/oscal-rules.js';
import { postedMails, postWeeklyReports } from '../support/jobs.js';
import { expectData } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { multipart, rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildPerson, buildWorkflow, type Person } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const OPERATIONS = {
  create: {
    rest: 'POST /api/v1/organizations',
    graphql: `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id: databaseId sandbox } } }`,
    at: 'createOrganization.organization',
  },
  portfolio: {
    rest: 'GET /api/v1/v-ciso/overview',
    graphql: `query ($orderBy: PortfolioOrder) { portfolio(orderBy: $orderBy) { totalCount nodes { organization { name } } } }`,
    at: 'portfolio',
  },
  work: {
    rest: 'GET /api/v1/v-ciso/work',
    graphql: `query ($assignee: WorkAssignee) { work(assignee: $assignee) { nodes { organization { name } } } }`,
    at: 'work',
  },
} satisfies Record<string, Operation>;

const { gateway } = await startSeededGateway({ now: () => new Date('2026-11-23T09:00:00.000Z') });
const { database } = gateway.app;

let owner: Person;
beforeEach(async () => void (owner = await buildPerson(database, 'owner')));

const call = (api: Api, name: keyof typeof OPERATIONS, input: Record<string, unknown> = {}) =>
  callThrough(api, gateway, OPERATIONS[name], input, owner.token);
const create = async (sandbox: boolean, values: object = {}): Promise<number> => {
  const body = { name: sandbox ? 'Trial' : 'Real', sandbox, ...values };
  return expectData(await gateway.rest.post('/api/v1/organizations', { token: owner.token, body }), 201).id;
};
const read = async (id: number) => expectData(await gateway.rest.get(`/api/v1/organizations/${id}`, owner));

describe.each(APIS)('through %s', (api) => {
  test('an organization is made as a sandbox, and stays one', async () => {
    const { id, sandbox } = dataOf(await call(api, 'create', { name: 'Trial', sandbox: true }));
    expect(sandbox).toBe(true);
    const stored = await read(id);
    expect(stored.sandbox).toBe(true);
    const change = (body: object) =>
      gateway.rest.patch(`/api/v1/organizations/${id}`, { token: owner.token, body: { ...stored, ...body } });
    expect((await change({ sandbox: false })).body.messages).toEqual(['sandbox cannot be changed']);
    expect(expectData(await change({ name: 'Renamed' }))).toMatchObject({ name: 'Renamed', sandbox: true });
  });

  test('a user owns so many sandboxes and not one more, beside other organizations', async () => {
    await create(false);
    const make = () => call(api, 'create', { name: 'Trial', sandbox: true });
    for (let made = 0; made < LIMITS.sandbox.perUser; made += 1) dataOf(await make());
    expectConflict(await make(), 'SANDBOX_LIMIT');
    dataOf(await call(api, 'create', { name: 'Real' }));
  });

  test.each(['NAME', 'OVERDUE_CONTROLS'])('a portfolio ordered by %s has no sandbox', async (field) => {
    await create(false);
    await create(true);
    const order = api === 'REST' ? { sort: field.toLowerCase() } : { orderBy: { field, direction: 'ASC' } };
    const { data, total } = await call(api, 'portfolio', order);
    expect(data.map(({ organization }: { organization: { name: string } }) => organization.name)).toEqual(['Real']);
    expect(total).toBe(1);
  });

  test('the work of a user has nothing of a sandbox', async () => {
    for (const sandbox of [false, true]) {
      const id = await create(sandbox, { nis2_sector: 'Infrastrutture digitali' });
      const body = { title: 'Outage', severity: 'HIGH', significant: true, aware_at: '2026-11-23T08:00:00Z' };
      expectData(await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}`, { token: owner.token, body }), 201);
    }
    const items = dataOf(await call(api, 'work', { assignee: 'ANYONE' }));
    expect(items.length).toBeGreaterThan(0);
    for (const { organization } of items) expect(organization.name).toBe('Real');
  });

  test('an event says of a sandbox that it is one', async () => {
    const ids = [await create(false), await create(true)];
    await settled(database, 'events');
    if (api === 'REST') {
      const { events } = await readEvents(api, gateway, {}, owner.token);
      expect(events.map((event) => [event.organization_id, 'sandbox' in event])).toEqual([
        [ids[0], false],
        [ids[1], true],
      ]);
    } else {
      const { events } = await gateway.graphql.data('{ events { nodes { sandbox } } }', owner);
      expect(events.nodes).toEqual([{ sandbox: false }, { sandbox: true }]);
    }
  });
});

test('an answer about an organization that is no sandbox has no such field', async () => {
  expect(await read(await create(false))).not.toHaveProperty('sandbox');
});

test('a form makes a sandbox as well', async () => {
  const parts = { 'data[name]': 'Trial', 'data[sandbox]': 'true' };
  const form = multipart(Object.entries(parts).map(([name, content]) => ({ name, content })));
  const made = expectData(
    await gateway.rest.call('POST', '/api/v1/organizations', { token: owner.token, ...form }),
    201,
  );
  expect(made.sandbox).toBe(true);
});

test.each([
  ['en', 'This e-mail is about a sandbox'],
  ['it', 'Questo messaggio riguarda una sandbox'],
  ['de', 'Diese E-Mail betrifft eine Sandbox'],
])(
  'notifications and mails of a sandbox are marked in %s, once, and those of others are not',
  async (language, note) => {
    for (const sandbox of [true, false]) {
      const id = await create(sandbox);
      const manager = await newMember(database, id, 'ORGANIZATION_MANAGER');
      await database.rows('update app_user set language = $2, email_verified_at = now() where id = $1', [
        manager.id,
        language,
      ]);
      await database.rows(`update membership set mail_preferences = '{"incident": "IMMEDIATELY"}' where user_id = $1`, [
        manager.id,
      ]);
      await buildAuditEntry(database, id);
      await settled(database);
      await settled(database, 'mails');
      const [notice] = expectData(await gateway.rest.get('/api/v1/notifications', manager));
      expect(notice.title.startsWith('[Sandbox] ')).toBe(sandbox);
      const [mail] = (await postedMails(database)).filter(({ recipient }) => recipient.startsWith(manager.username));
      expect(mail!.content!.subject.split('[Sandbox]')).toHaveLength(sandbox ? 2 : 1);
      expect(mail!.content!.text.startsWith(note)).toBe(sandbox);
      expect(mail!.content!.html.includes(note)).toBe(sandbox);
    }
  },
);

test('an invitation to a sandbox says so', async () => {
  const id = await create(true);
  const body = { email: 'guest@example.com', role: 'VIEWER' };
  expectData(await gateway.rest.post(`/api/v1/organizations/${id}/invitations`, { token: owner.token, body }), 201);
  const [mail] = (await postedMails(database)).filter(({ recipient }) => recipient === body.email);
  expect(mail!.content!.subject).toMatch(/^\[Sandbox\] Invitation/);
  expect(mail!.content!.text).toMatch(/^This e-mail is about a sandbox/);
});

test('no weekly report of a sandbox goes out', async () => {
  for (const sandbox of [false, true]) {
    const email = `${sandbox ? 'trial' : 'real'}@example.com`;
    const id = await create(sandbox, { contacts: [{ name: '', role: '', email, phone: '', email_report: true }] });
    await database.rows(`update organization set created_at = '2026-01-01', report_due_at = null where id = $1`, [id]);
  }
  await postWeeklyReports(gateway.app);
  const recipients = (await postedMails(database)).map(({ recipient }) => recipient);
  expect(recipients).toContain('real@example.com');
  expect(recipients).not.toContain('trial@example.com');
});

test.each([true, false])('what leaves the gateway says whether it is about a sandbox: %s', async (sandbox) => {
  const id = await create(sandbox, { nis2_sector: 'Infrastrutture digitali' });
  await buildWorkflow(database, id, 'iso-27001-2022');
  const workflow = `/api/v1/v-ciso/organizations/${id}/workflows/iso-27001-2022`;
  const read = (path: string) => rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': owner.token } });

  const pack = unzipped((await read(`${workflow}/evidence-pack`)).bytes);
  const manifest = JSON.parse(pack.get('manifest.json')!.content.toString());
  expect(manifest.organization).toEqual({ id, name: sandbox ? 'Trial' : 'Real', ...(sandbox && { sandbox }) });
  expect(/^Sandbox: /m.test(pack.get('README.txt')!.content.toString())).toBe(sandbox);

  for (const model of ['assessment-results', 'component-definition'] as const) {
    const document = JSON.parse((await read(`${workflow}/oscal/${model}`)).text);
    const { title, props = [] } = document[model].metadata;
    expect([title.startsWith('[Sandbox] '), props.length]).toEqual([sandbox, sandbox ? 1 : 0]);
    expect(oscalErrors(model, document)).toEqual([]);
  }

  const preview = expectData(await gateway.rest.get(`/api/v1/organizations/${id}/weekly-report`, owner));
  const note = 'This e-mail is about a sandbox';
  expect([
    preview.subject.startsWith('[Sandbox] '),
    preview.text.startsWith(note),
    preview.html.includes(note),
  ]).toEqual([sandbox, sandbox, sandbox]);

  const body = { title: 'Outage', severity: 'HIGH', significant: true, aware_at: '2026-11-23T08:00:00Z' };
  const opened = await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}`, { token: owner.token, body });
  const incident = { organizationId: String(id), incidentId: String(expectData(opened, 201).id) };
  const client = await connectMcp(gateway, owner.token);
  const draft = await callTool(client, 'draft_report', { ...incident, regimeId: 'nis2', stage: 'EARLY_WARNING' });
  expect(draft.data).toMatchObject({ draftIncidentReport: { sandbox, extendedTo: null } });
  const listed = await callTool(client, 'list_incidents', { organizationId: String(id) });
  expect(listed.data).toMatchObject({ organization: { sandbox } });
});
