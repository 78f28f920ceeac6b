import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { buildReport } from '../support/seeded-organization.js';
import {
  buildIncident,
  buildOrganization,
  buildPerson,
  buildWorkflow,
  join,
  type Person,
} from '../support/test-data.js';

const WORK: Operation = {
  rest: 'GET /api/v1/v-ciso/work',
  graphql: `query ($first: Int, $offset: Int, $assignee: WorkAssignee, $assigneeId: ID, $dueBefore: DateTime,
      $organizationId: ID, $kind: WorkKind, $language: String) {
    work(first: $first, offset: $offset, assignee: $assignee, assigneeId: $assigneeId, dueBefore: $dueBefore,
      organizationId: $organizationId, kind: $kind, language: $language) { totalCount nodes {
      kind title due_at: dueAt overdue organization { id: databaseId name logo }
      control { workflow_id: workflowId id: databaseId label status due_date: dueDate }
      report { incident { id: databaseId title }
        regime_id: regimeId regime_name: regimeName stage number due_at: dueAt extended_to: extendedTo state } } } }`,
  at: 'work',
};

const clock = new TestClock();
let me: Person;
let other: Person;
/** Organizations in which the caller is an analyst and a viewer. */
let handled: number;
let viewed: number;

const gateway = await startSharedGateway({ now: clock.now });

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const dayAt = (hours: number) => clock.at(hours).toISOString().slice(0, 10);
const endOf = (day: string) => `${day}T23:59:59.999Z`;

beforeEach(async () => {
  clock.set(0);
  const { database } = gateway.app;
  me = await buildPerson(database, 'me');
  other = await buildPerson(database, 'other');
  handled = await buildOrganization(database, 'Alpha');
  viewed = await buildOrganization(database, 'Beta');
  await join(database, me, handled, 'SECURITY_ANALYST');
  await join(database, me, viewed, 'VIEWER');
  await join(database, other, handled, 'SECURITY_ANALYST');
  for (const id of [handled, viewed]) await buildWorkflow(database, id, 'nis2-directive');
});

async function control(organizationId: number, id: string, dueDate: string | null, fields: object = {}) {
  const { owner, status, months } = { owner: me as Person | null, status: 'TO_DO', months: null, ...fields };
  await sql(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date, review_interval_months)
     values ($1, 'nis2-directive', $2, $3, $4, $5, $6)`,
    [organizationId, id, status, owner?.id ?? null, dueDate, months],
  );
}

/** A document of a control, newer than those before it. */
async function document(organizationId: number, controlId: string, dates: { until?: string; effective?: string }) {
  await sql(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256,
       created_by, created_at, valid_until, effective_at)
     values ($1, 'nis2-directive', $2, 'd.txt', 1, 'text/plain', 'attached', encode(sha256(gen_random_uuid()::text::bytea), 'hex'),
       'me', $3, $4, $5)`,
    [organizationId, controlId, clock.at(0), dates.until ?? null, dates.effective ?? null],
  );
}

async function incident(organizationId: number, awareAt: number): Promise<number> {
  const id = await buildIncident(gateway.app.database, organizationId);
  await sql('update incident set aware_at = $2 where id = $1', [id, clock.at(awareAt)]);
  return id;
}

describe.each(APIS)('through %s', (api) => {
  const call = (input: object = {}) => callThrough(api, gateway, WORK, { ...input }, me.token);
  /** Organization, and control or report. */
  const work = async (input: object = {}) =>
    dataOf(await call(input)).map(
      ({ organization, control: done, report }: Record<string, Record<string, string>>) =>
        `${organization!['name']} ${done?.['id'] ?? report?.['stage']}`,
    );

  test('my work is the controls that I answer for and the reports that I may record, the earliest first', async () => {
    await control(viewed, '21.2.a', dayAt(-24));
    await control(handled, '21.2.b', dayAt(240), { status: 'IN_PROGRESS' });
    const id = await incident(handled, 0);
    await incident(viewed, 0);
    const { data, total } = await call();
    expect(total).toBe(data.length);
    expect(data[0]).toEqual({
      ...{ kind: 'CONTROL', title: expect.any(String), due_at: endOf(dayAt(-24)), overdue: true },
      organization: { id: viewed, name: 'Beta', logo: '' },
      control: {
        ...{ workflow_id: 'nis2-directive', id: '21.2.a', label: data[0].title, status: 'TO_DO' },
        due_date: dayAt(-24),
      },
      report: null,
    });
    expect(data[1]).toEqual({
      ...{ kind: 'REPORT', title: 'Phishing wave', due_at: clock.at(24).toISOString(), overdue: false },
      organization: { id: handled, name: 'Alpha', logo: '' },
      control: null,
      report: {
        incident: { id, title: 'Phishing wave' },
        ...{ regime_id: 'nis2', regime_name: expect.any(String), stage: 'EARLY_WARNING', number: 1 },
        ...{ due_at: clock.at(24).toISOString(), extended_to: null, state: 'PENDING' },
      },
    });
    expect(await work()).toEqual(['Beta 21.2.a', 'Alpha EARLY_WARNING', 'Alpha NOTIFICATION', 'Alpha 21.2.b']);
    await buildReport(gateway.app.database, id);
    expect((await work()).slice(0, 2)).toEqual(['Beta 21.2.a', 'Alpha NOTIFICATION']);
  });

  test('labels of controls and names of laws are in the language that is chosen, titles of incidents as they were written', async () => {
    await buildWorkflow(gateway.app.database, handled, 'nis2-it-baseline');
    await sql(
      `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
       values ($1, 'nis2-it-baseline', 'GV.OC-04', 'TO_DO', $2, $3)`,
      [handled, me.id, dayAt(-24)],
    );
    const id = await incident(handled, 0);
    await sql('update incident set significant = false, exploited_vulnerability = true where id = $1', [id]);
    const [control, report] = dataOf(await call({ language: 'it' }));
    const label = 'Conoscere i servizi da cui dipendono altri';
    expect(control).toMatchObject({ title: label, control: { label } });
    expect(report).toMatchObject({ title: 'Phishing wave', report: { regime_name: 'CRA, vulnerabilità sfruttata' } });
    expect(dataOf(await call())[0].title).toBe('Know the services that others depend on');
  });

  test('the work of anyone is that of all members and of none, and reports of every organization', async () => {
    await control(handled, '21.2.a', dayAt(-72), { owner: other });
    await control(viewed, '21.2.b', dayAt(-48), { owner: null });
    await incident(viewed, -24);
    expect(await work()).toEqual([]);
    expect(await work({ assignee: 'ME' })).toEqual([]);
    expect(await work({ assignee: 'ANYONE' })).toEqual([
      ...['Alpha 21.2.a', 'Beta 21.2.b', 'Beta EARLY_WARNING', 'Beta NOTIFICATION'],
    ]);
  });

  test('the work of a user is what it answers for in my organizations, and reports where I may list members', async () => {
    const { database } = gateway.app;
    const hidden = await buildOrganization(database, 'Hidden');
    await buildWorkflow(database, hidden, 'nis2-directive');
    const outsider = await buildPerson(database, 'outsider');
    await join(database, outsider, hidden, 'ORGANIZATION_OWNER');
    await join(database, other, hidden, 'ORGANIZATION_OWNER');
    await control(handled, '21.2.a', dayAt(-72), { owner: other });
    await control(handled, '21.2.b', dayAt(-72));
    await control(hidden, '21.2.a', dayAt(-72), { owner: other });
    await control(hidden, '21.2.b', dayAt(-72), { owner: outsider });
    await document(handled, '21.2.a', { until: dayAt(-48) });
    for (const id of [handled, viewed, hidden]) await incident(id, -24);
    const of = ({ id }: Person) => work({ assignee_id: id });
    const role = (person: Person, name: string) =>
      sql('update membership set role = $3 where organization_id = $1 and user_id = $2', [handled, person.id, name]);
    const [controls, reports] = [
      ['Alpha 21.2.a', 'Alpha 21.2.a'],
      ['Alpha EARLY_WARNING', 'Alpha NOTIFICATION'],
    ];
    expect(await of(other)).toEqual(controls);
    for (const id of [me.id, me.id.toUpperCase()]) expect(await work({ assignee_id: id })).toEqual(await work());
    await role(me, 'SECURITY_OFFICER');
    expect(await of(other)).toEqual([...controls, ...reports]);
    expect(await work({ assignee: 'ANYONE', assignee_id: other.id })).toEqual([...controls, ...reports]);
    await role(other, 'VIEWER');
    expect(await of(other)).toEqual(controls);
    await role(other, 'SECURITY_ANALYST');
    await sql('update membership set deactivated_at = now() where user_id = $1', [other.id]);
    expect(await of(other)).toEqual(controls);
    expect(await work({ assignee_id: other.id.toUpperCase() })).toEqual(controls);
    if (api === 'GraphQL') expect(await work({ assignee_id: `User:${other.id}` })).toEqual(controls);
    for (const id of [outsider.id, crypto.randomUUID()]) expect(await work({ assignee_id: id })).toEqual([]);
    expectFailure(await call({ assignee_id: 'other' }), 'NOT_FOUND');
  });

  test('what is done, has no due date, is dissociated or is unknown is no work', async () => {
    await control(handled, '21.2.a', dayAt(-24), { status: 'DONE' });
    await control(handled, '21.2.b', dayAt(-24), { status: 'NOT_APPLICABLE' });
    await control(handled, '21.2.c', null);
    await control(handled, 'no such control', dayAt(-24));
    await control(viewed, '21.2.a', dayAt(-24));
    await sql('delete from organization_workflow where organization_id = $1', [viewed]);
    await sql(`update incident set status = 'CLOSED' where id = $1`, [await incident(handled, 0)]);
    expect(await work()).toEqual([]);
  });

  test('a control whose newest document expires within 30 days, or has, is to be reviewed until its last day ends', async () => {
    const DAY = 24;
    await control(handled, '21.2.a', null, { status: 'DONE' });
    await control(handled, '21.2.b', null);
    await control(viewed, '21.2.c', null, { status: 'DONE', months: 12 });
    await control(viewed, '21.2.d', null, { months: 1 });
    await document(handled, '21.2.a', { until: dayAt(30 * DAY) });
    await document(handled, '21.2.b', { until: dayAt(31 * DAY) });
    await document(viewed, '21.2.c', { effective: clock.at(-2 * 365 * DAY).toISOString() });
    const year = new Date(clock.at(-2 * 365 * DAY));
    year.setUTCFullYear(year.getUTCFullYear() + 1);
    const { data } = await call();
    expect(data.map((item: { kind: string }) => item.kind)).toEqual(['REVIEW', 'REVIEW']);
    expect(data[0]).toMatchObject({ due_at: endOf(year.toISOString().slice(0, 10)), overdue: true });
    expect(data[1]).toEqual({
      ...{ kind: 'REVIEW', title: data[1].control.label, due_at: endOf(dayAt(30 * DAY)), overdue: false },
      organization: { id: handled, name: 'Alpha', logo: '' },
      control: { workflow_id: 'nis2-directive', id: '21.2.a', label: data[1].title, status: 'DONE', due_date: null },
      report: null,
    });
    expect(await work()).toEqual(['Beta 21.2.c', 'Alpha 21.2.a']);
    expect(await work({ due_before: endOf(dayAt(30 * DAY)) })).toEqual(['Beta 21.2.c']);
    clock.set(30 * DAY);
    expect((await call()).data.map((item: { overdue: boolean }) => item.overdue)).toEqual([true, false, false]);
    clock.set(31 * DAY);
    expect((await call()).data.map((item: { overdue: boolean }) => item.overdue)).toEqual([true, true, false]);
    await document(handled, '21.2.a', { until: dayAt(500 * DAY) });
    await document(viewed, '21.2.c', {});
    expect(await work()).toEqual(['Alpha 21.2.b']);
  });

  test('reviews of controls that are left out, of others, without an assignee, or dissociated are no work of mine', async () => {
    await control(handled, '21.2.a', null, { status: 'NOT_APPLICABLE' });
    await control(handled, '21.2.b', null, { owner: other });
    for (const id of ['21.2.a', '21.2.b', '21.2.c', 'no such control'])
      await document(handled, id, { until: dayAt(-72) });
    await control(viewed, '21.2.d', dayAt(-48), { months: 1 });
    await document(viewed, '21.2.d', { until: dayAt(-24) });
    expect(await work()).toEqual(['Beta 21.2.d', 'Beta 21.2.d']);
    expect(await work({ assignee: 'ANYONE' })).toEqual([
      ...['Alpha 21.2.b', 'Alpha 21.2.c', 'Beta 21.2.d', 'Beta 21.2.d'],
    ]);
    await sql('delete from organization_workflow where organization_id = $1', [viewed]);
    expect(await work()).toEqual([]);
  });

  test('organizations that I left or that were deleted are no work of mine', async () => {
    for (const id of [handled, viewed]) await control(id, '21.2.a', dayAt(-24));
    await incident(handled, 0);
    await sql('update organization set deleted_at = now() where id = $1', [handled]);
    expect(await work()).toEqual(['Beta 21.2.a']);
    await sql('delete from membership where organization_id = $1 and user_id = $2', [viewed, me.id]);
    expect(await work()).toEqual([]);
  });

  test('only what is due before an instant is listed', async () => {
    const day = dayAt(0);
    await control(handled, '21.2.a', day);
    await incident(viewed, -24 * 30);
    await incident(handled, 100);
    const before = (instant: Date | string) => work({ due_before: new Date(instant).toISOString() });
    expect(await before(endOf(day))).toEqual([]);
    expect(await before(new Date(Date.parse(endOf(day)) + 1))).toEqual(['Alpha 21.2.a']);
    expect(await before(clock.at(124))).toEqual(['Alpha 21.2.a']);
    expect(await before(new Date(clock.at(124).getTime() + 1))).toEqual(['Alpha 21.2.a', 'Alpha EARLY_WARNING']);
  });

  test('work is that of one organization and of one kind where they are named, of a sandbox only then', async () => {
    const { database } = gateway.app;
    const sandbox = await buildOrganization(database, 'Trial');
    await sql('update organization set sandbox = true where id = $1', [sandbox]);
    await join(database, me, sandbox, 'SECURITY_ANALYST');
    const foreign = await buildOrganization(database, 'Gamma');
    for (const id of [handled, viewed]) await control(id, '21.2.a', dayAt(-24));
    await document(handled, '21.2.a', { until: dayAt(0) });
    for (const id of [handled, sandbox, foreign]) await incident(id, 0);
    const [controls, reviews] = [['Alpha 21.2.a', 'Beta 21.2.a'], ['Alpha 21.2.a']];
    const reports = ['EARLY_WARNING', 'NOTIFICATION'];
    const ofAlpha = reports.map((stage) => `Alpha ${stage}`);
    expect(await work()).toEqual([...controls, ...reviews, ...ofAlpha]);
    expect(await work({ organization_id: handled })).toEqual(['Alpha 21.2.a', ...reviews, ...ofAlpha]);
    expect(await work({ organization_id: viewed })).toEqual(['Beta 21.2.a']);
    expect(await work({ organization_id: sandbox })).toEqual(reports.map((stage) => `Trial ${stage}`));
    expect(await work({ kind: 'CONTROL' })).toEqual(controls);
    expect(await work({ kind: 'REVIEW' })).toEqual(reviews);
    expect(await work({ kind: 'REPORT' })).toEqual(ofAlpha);
    expect((await call({ organization_id: handled, kind: 'REPORT', limit: 1 })).total).toBe(2);
    expectFailure(await call({ organization_id: foreign }), 'NOT_FOUND');
    expectFailure(await call({ kind: 'TASK' }), 'BAD_USER_INPUT', ['kind must be one of CONTROL, REVIEW, REPORT']);
  });

  test('reviews are the 1,000 earliest of their kind, however many controls are due before them', async () => {
    await document(handled, '21.2.a', { until: dayAt(0) });
    await control(handled, '21.2.a', null);
    await sql(
      `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
       select $1, 'nis2-directive', 'due-' || n, 'TO_DO', $2, $3 from generate_series(1, 1000) n`,
      [handled, me.id, dayAt(-24)],
    );
    expect(await work({ kind: 'REVIEW' })).toEqual(['Alpha 21.2.a']);
  });

  test('states of controls that the catalogue has no more take no place of work', async () => {
    for (const [organizationId, workflow] of [
      [handled, 'nis2-directive'],
      [viewed, 'nis2-directive'],
      [viewed, 'no such workflow'],
    ])
      await sql(
        `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
         select $1, $3, 'gone-' || n, 'TO_DO', $2, $4 from generate_series(1, 1000) n`,
        [organizationId, me.id, workflow, dayAt(-24)],
      );
    await buildWorkflow(gateway.app.database, viewed, 'no such workflow');
    await control(handled, '21.2.b', dayAt(24));
    await control(viewed, '21.2.a', dayAt(0));
    expect(await work()).toEqual(['Beta 21.2.a', 'Alpha 21.2.b']);
  });

  test('the reports of the 50 open incidents whose deadlines are first are among it, however old they are', async () => {
    const aware = { severity: 'HIGH', title: 'The oldest', aware_at: clock.at(-2).toISOString(), significant: true };
    const path = `/api/v1/v-ciso/incidents/${handled}`;
    expect((await gateway.rest.post(path, { token: me.token, body: aware })).status).toBe(201);
    for (let index = 0; index < 50; index += 1) {
      const body = { ...aware, title: 'Newer', aware_at: clock.at(-1).toISOString() };
      expect((await gateway.rest.post(path, { token: me.token, body })).status).toBe(201);
    }
    const { data, total } = await call({ kind: 'REPORT', limit: 1 });
    expect(data[0]).toMatchObject({ title: 'The oldest', due_at: clock.at(22).toISOString() });
    expect(total).toBe(100);
    const { portfolio } = await gateway.graphql.data(
      `{ portfolio(orderBy: { field: NEXT_DEADLINE }, first: 1) { nodes { nextDeadline { dueAt incident { title } } } } }`,
      me,
    );
    expect(portfolio.nodes[0].nextDeadline).toEqual({ dueAt: data[0].due_at, incident: { title: 'The oldest' } });
  });

  test('work is overdue once its instant has passed', async () => {
    await incident(handled, 0);
    const overdue = async () => dataOf(await call()).map((item: { overdue: boolean }) => item.overdue);
    clock.set(24);
    expect(await overdue()).toEqual([false, false]);
    clock.set(24, 1);
    expect(await overdue()).toEqual([true, false]);
  });

  test('pages are counted, and a page has 100 items at most', async () => {
    for (const id of ['21.2.a', '21.2.b', '21.2.c']) await control(handled, id, dayAt(-24));
    expect(await work({ limit: 1, offset: 1 })).toEqual(['Alpha 21.2.b']);
    expect((await call({ limit: 1 })).total).toBe(3);
    expect(await work({ limit: 100 })).toHaveLength(3);
    for (const limit of [0, 101])
      expectFailure(await call({ limit }), 'BAD_USER_INPUT', [
        `${api === 'REST' ? 'limit' : 'first'} must be from 1 to 100`,
      ]);
  });
});

test('what a control and the incident of a report have is read below them, and pages by cursor', async () => {
  await control(handled, '21.2.a', dayAt(-24));
  await incident(handled, 0);
  const page = async (range: string) =>
    (
      await gateway.graphql.data(
        `{ work(${range}) { pageInfo { endCursor startCursor hasNextPage } nodes {
           control { id owner { username } evidence { total } viewerCan { update } }
           report { incident { severity viewerCan { recordReports } clock { applies } } } } } }`,
        me,
      )
    ).work;
  const first = await page('first: 1');
  expect(first.nodes[0].control).toEqual({
    ...{ id: `OrganizationControl:${handled}/nis2-directive/21.2.a`, owner: { username: me.username } },
    ...{ evidence: { total: 0 }, viewerCan: { update: true } },
  });
  const second = await page(`first: 1, after: "${first.pageInfo.endCursor}"`);
  expect(second.nodes[0].report.incident).toEqual({
    ...{ severity: 'HIGH', viewerCan: { recordReports: true }, clock: { applies: true } },
  });
  expect(await page(`last: 1, before: "${second.pageInfo.startCursor}"`)).toMatchObject({ nodes: first.nodes });
});

test('an item has the type of what it is, with the control or the report itself', async () => {
  const day = dayAt(24 * 3);
  await control(handled, '20.1', day);
  await control(handled, '20.2', null, { status: 'DONE' });
  await document(handled, '20.2', { until: day });
  const incident = await buildIncident(gateway.app.database, handled);
  const { work } = await gateway.graphql.data(
    `{ work(assignee: ANYONE) { nodes { __typename kind
      ... on ControlWorkItem { control { id } }
      ... on ReviewWorkItem { review: control { id } }
      ... on ReportWorkItem { report { stage incident { databaseId } } } } } }`,
    me,
  );
  const idOf = (controlId: string) => ({ id: `OrganizationControl:${handled}/nis2-directive/${controlId}` });
  expect(work.nodes).toContainEqual({ __typename: 'ControlWorkItem', kind: 'CONTROL', control: idOf('20.1') });
  expect(work.nodes).toContainEqual({ __typename: 'ReviewWorkItem', kind: 'REVIEW', review: idOf('20.2') });
  const report = { stage: 'EARLY_WARNING', incident: { databaseId: incident } };
  expect(work.nodes).toContainEqual({ __typename: 'ReportWorkItem', kind: 'REPORT', report });
});
