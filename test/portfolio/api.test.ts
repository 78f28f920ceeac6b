import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { HOUR } from '../../src/common/time.js';
import { TestClock } from '../support/clock.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { buildReport } from '../support/seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildPerson,
  buildThreatBlocker,
  buildWorkflow,
  join,
  type Person,
} from '../support/test-data.js';

const OPERATIONS = {
  overview: {
    rest: 'GET /api/v1/v-ciso/overview',
    graphql: `query ($first: Int, $offset: Int, $orderBy: PortfolioOrder, $language: String) {
      portfolio(first: $first, offset: $offset, orderBy: $orderBy, language: $language) { totalCount nodes {
        organization { id: databaseId name logo } role
        progress { total to_do: toDo in_progress: inProgress done not_applicable: notApplicable }
        overdue_controls: overdueControls attestations { attested countersigned stale }
        incidents { open contained resolved closed overdue }
        next_deadline: nextDeadline { incident { id: databaseId title }
          regime_id: regimeId regime_name: regimeName stage number due_at: dueAt extended_to: extendedTo state }
        devices_down: devicesDown } } }`,
    at: 'portfolio',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
let consultant: Person;
/** Organizations in which the consultant is a manager, a viewer, and not a member. */
let managed: number;
let viewed: number;
let foreign: number;

const gateway = await startSharedGateway({ now: clock.now });

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows<{ id: number }>(text, values);

beforeEach(async () => {
  clock.set(0);
  const { database } = gateway.app;
  consultant = await buildPerson(database, 'consultant');
  managed = await buildOrganization(database, 'Alpha');
  viewed = await buildOrganization(database, 'Beta');
  foreign = await buildOrganization(database, 'Gamma');
  await join(database, consultant, managed, 'ORGANIZATION_MANAGER');
  await join(database, consultant, viewed, 'VIEWER');
});

/** An incident that the organization became aware of at an hour of the clock. */
async function incident(organizationId: number, awareAt: number, status = 'OPEN'): Promise<number> {
  const id = await buildIncident(gateway.app.database, organizationId);
  await sql('update incident set aware_at = $2, status = $3, title = $4, next_deadline_at = $5 where id = $1', [
    id,
    clock.at(awareAt),
    status,
    `Of hour ${awareAt}`,
    status === 'CLOSED' ? null : clock.at(awareAt + 24),
  ]);
  return id;
}

const control = (organizationId: number, id: string, status: string, dueDate: string | null = null) =>
  sql(
    `insert into control_state (organization_id, workflow_id, control_id, status, due_date)
     values ($1, 'nis2-directive', $2, $3, $4)`,
    [organizationId, id, status, dueDate],
  );

const dayAt = (hours: number) => clock.at(hours).toISOString().slice(0, 10);

describe.each(APIS)('through %s', (api) => {
  const call = (input: object = {}, person = consultant) =>
    callThrough(api, gateway, OPERATIONS.overview, { ...input }, person.token);
  const overview = async (input: object = {}) => dataOf(await call(input));

  test('the overview has each organization of the caller by name, with figures of nothing', async () => {
    const { data, total } = await call();
    expect(total).toBe(2);
    expect(data[1]).toEqual({
      organization: { id: viewed, name: 'Beta', logo: '' },
      role: 'VIEWER',
      progress: { total: 0, to_do: 0, in_progress: 0, done: 0, not_applicable: 0 },
      overdue_controls: 0,
      attestations: { attested: 0, countersigned: 0, stale: 0 },
      incidents: { open: 0, contained: 0, resolved: 0, closed: 0, overdue: 0 },
      next_deadline: null,
      devices_down: null,
    });
    expect(data[0]).toMatchObject({ organization: { name: 'Alpha' }, role: 'ORGANIZATION_MANAGER', devices_down: 0 });
  });

  test('progress is that of all workflows together, and controls are overdue once their day has passed', async () => {
    const { database } = gateway.app;
    for (const workflow of ['nis2-directive', 'incident-readiness']) await buildWorkflow(database, managed, workflow);
    await control(managed, '21.2.a', 'DONE', dayAt(-48));
    await control(managed, '21.2.b', 'IN_PROGRESS', dayAt(-24));
    await control(managed, '21.2.c', 'NOT_APPLICABLE', dayAt(-24));
    await control(managed, '21.2.d', 'TO_DO', dayAt(0));
    await control(managed, 'no such control', 'TO_DO', dayAt(-24));
    // Belongs to a workflow that is not associated.
    await control(viewed, '21.2.a', 'IN_PROGRESS', dayAt(-24));
    const [first, second] = await overview();
    const { workflows } = (
      await gateway.graphql.data(
        `{ organization(id: ${managed}) { workflows { nodes { progress { total toDo inProgress done notApplicable } } } } }`,
        consultant,
      )
    ).organization;
    const sum = (name: string) =>
      workflows.nodes.reduce(
        (all: number, { progress }: { progress: Record<string, number> }) => all + progress[name]!,
        0,
      );
    expect(first.progress).toEqual({
      ...{ total: sum('total'), to_do: sum('toDo'), in_progress: 1, done: 1, not_applicable: 1 },
    });
    expect([first.overdue_controls, second.overdue_controls, second.progress.total]).toEqual([1, 0, 0]);
    clock.set(24);
    expect((await overview())[0].overdue_controls).toBe(2);
  });

  test('the next deadline is the earliest that is owed in the clock of any open incident', async () => {
    await incident(managed, -2);
    const earlier = await incident(managed, -10);
    await incident(managed, -20, 'CLOSED');
    const next = async () => (await overview())[0].next_deadline;
    expect(await next()).toEqual({
      incident: { id: earlier, title: 'Of hour -10' },
      ...{ regime_id: 'nis2', regime_name: expect.any(String), stage: 'EARLY_WARNING', number: 1 },
      ...{ due_at: clock.at(14).toISOString(), extended_to: null, state: 'PENDING' },
    });
    clock.set(8);
    expect((await next()).state).toBe('DUE_SOON');
    clock.set(14, 1);
    expect((await next()).state).toBe('OVERDUE');
    const clockOf = async (id: number) =>
      (
        await gateway.graphql.data(
          `{ incident(organizationId: ${managed}, id: ${id}) { clock { stages { stage dueAt state } } } }`,
          consultant,
        )
      ).incident.clock.stages;
    expect(await clockOf(earlier)).toContainEqual({
      ...{ stage: 'EARLY_WARNING', dueAt: clock.at(14).toISOString(), state: 'OVERDUE' },
    });
    await buildReport(gateway.app.database, earlier);
    expect(await next()).toMatchObject({ incident: { title: 'Of hour -2' }, due_at: clock.at(22).toISOString() });
  });

  test('the next deadline says until when it may pass by law, and is not overdue until then', async () => {
    const id = await incident(managed, -24 * 20);
    await sql(
      'update incident set significant = false, exploited_vulnerability = true, fix_available_at = $2 where id = $1',
      [id, clock.at(-24 * 14)],
    );
    for (const stage of ['EARLY_WARNING', 'NOTIFICATION']) await buildReport(gateway.app.database, id, stage);
    await sql("update incident_report set regime_id = 'cra-vulnerability' where incident_id = $1", [id]);
    const end = `${dayAt(0)}T23:59:59.999Z`;
    await sql('update incident set next_deadline_at = $2 where id = $1', [id, end]);
    const [due, hours] = [clock.at(0).toISOString(), (Date.parse(end) - clock.at(0).getTime()) / HOUR];
    for (const [after, state, overdue] of [
      [0, 'DUE_SOON', 0],
      [1, 'OVERDUE', 1],
    ] as const) {
      clock.set(hours, after);
      const [{ next_deadline, incidents }] = await overview();
      expect(next_deadline).toMatchObject({ stage: 'FINAL_REPORT', due_at: due, extended_to: end, state });
      expect(incidents.overdue).toBe(overdue);
    }
    clock.set(0);
    // Its deadline is today as well, at any hour.
    const sooner = await incident(managed, hours / 2 - 24);
    expect((await overview())[0].next_deadline).toMatchObject({ incident: { id: sooner }, extended_to: null });
  });

  test('the next deadline names its law in the language that is chosen', async () => {
    const id = await incident(managed, 0);
    await sql('update incident set significant = false, exploited_vulnerability = true where id = $1', [id]);
    const named = async (input: object) => (await overview(input))[0].next_deadline.regime_name;
    expect([await named({}), await named({ language: 'it' }), await named({ language: 'de' })]).toEqual([
      ...['CRA, exploited vulnerability', 'CRA, vulnerabilità sfruttata', 'CRA, ausgenutzte Schwachstelle'],
    ]);
    expectFailure(await call({ language: 'fr' }), 'BAD_USER_INPUT', [
      'language must be one of the languages de, en, it',
    ]);
  });

  test('incidents are counted by status, and those with an overdue report once', async () => {
    await incident(managed, -100);
    await incident(managed, -30, 'CONTAINED');
    await incident(managed, -1, 'RESOLVED');
    await incident(managed, -200, 'CLOSED');
    await incident(foreign, -200);
    const counts = { open: 1, contained: 1, resolved: 1, closed: 1 };
    expect((await overview())[0].incidents).toEqual({ ...counts, overdue: 2 });
    // As after an upgrade, until the first deadlines are stored.
    await sql('update incident set next_deadline_at = null where organization_id = $1', [managed]);
    expect((await overview())[0].incidents).toEqual({ ...counts, overdue: 2 });
    clock.set(23);
    expect((await overview())[0].incidents.overdue).toBe(2);
    clock.set(23, 1);
    expect((await overview())[0].incidents.overdue).toBe(3);
  });

  test('incidents with an overdue report are counted however many there are', async () => {
    const path = `/api/v1/v-ciso/incidents/${managed}`;
    for (let index = 0; index < 51; index += 1) {
      const body = { severity: 'HIGH', title: 'Late', aware_at: clock.at(-25).toISOString(), significant: true };
      expect((await gateway.rest.post(path, { token: consultant.token, body })).status).toBe(201);
    }
    const both = async () => (await overview())[0].incidents;
    expect(await both()).toMatchObject({ open: 51, overdue: 51 });
    await sql(`update incident set status = 'CONTAINED' where organization_id = $1`, [managed]);
    expect(await both()).toMatchObject({ contained: 51, overdue: 51 });
    clock.set(-2);
    expect(await both()).toMatchObject({ contained: 51, overdue: 0 });
  });

  test('devices that are down are counted where the caller may read devices', async () => {
    const { database } = gateway.app;
    for (const organizationId of [managed, viewed]) {
      const edge = await buildCloudDefender(database, organizationId);
      const deleted = await buildCloudDefender(database, organizationId);
      const degraded = await buildThreatBlocker(database, organizationId);
      const blocker = await buildThreatBlocker(database, organizationId);
      await sql('update cloud_defender set status = 3 where id = any($1)', [[edge, deleted]]);
      await sql('update cloud_defender set deleted_at = now() where id = $1', [deleted]);
      await sql('update threat_blocker set status = 3 where id = $1', [blocker]);
      await sql('update threat_blocker set status = 2 where id = $1', [degraded]);
    }
    const devices = async () => (await overview()).map((row: Record<string, unknown>) => row['devices_down']);
    expect(await devices()).toEqual([2, null]);
    for (const [role, shown] of [
      ['SECURITY_OFFICER', null],
      ['ORGANIZATION_OWNER', 2],
    ] as const) {
      await sql('update membership set role = $3 where user_id = $1 and organization_id = $2', [
        ...[consultant.id, managed, role],
      ]);
      expect((await devices())[0]).toBe(shown);
    }
  });

  test('organizations that the caller left, was deactivated in or that were deleted do not count', async () => {
    const names = async () =>
      (await overview()).map(({ organization }: { organization: { name: string } }) => organization.name);
    const membership = [viewed, consultant.id];
    await sql('update membership set deactivated_at = now() where organization_id = $1 and user_id = $2', membership);
    expect(await names()).toEqual(['Alpha']);
    await sql('delete from membership where organization_id = $1 and user_id = $2', membership);
    expect(await names()).toEqual(['Alpha']);
    await sql('update organization set deleted_at = now() where id = $1', [managed]);
    expect(await names()).toEqual([]);
  });

  test('pages are counted, in either order of the names', async () => {
    const names = async (input: object) =>
      (await overview(input)).map(({ organization }: { organization: { name: string } }) => organization.name);
    expect(await names({ sort: '-name' })).toEqual(['Beta', 'Alpha']);
    expect(await names({ limit: 1, offset: 1 })).toEqual(['Beta']);
    expect(await names({ limit: 200 })).toEqual(['Alpha', 'Beta']);
  });

  test('organizations are sorted by next deadline, those without one last, and by overdue controls', async () => {
    const { database } = gateway.app;
    const others = { Delta: -5, Epsilon: -30 };
    for (const [name, awareAt] of Object.entries(others)) {
      const id = await buildOrganization(database, name);
      await join(database, consultant, id, 'VIEWER');
      await incident(id, awareAt);
      await buildWorkflow(database, id, 'nis2-directive');
      await control(id, '21.2.a', 'TO_DO', dayAt(-48));
      if (name === 'Delta') await control(id, '21.2.b', 'TO_DO', dayAt(-48));
    }
    const names = async (input: object) =>
      (await overview(input)).map(({ organization }: { organization: { name: string } }) => organization.name);
    expect(await names({ sort: 'next_deadline' })).toEqual(['Epsilon', 'Delta', 'Alpha', 'Beta']);
    expect(await names({ sort: '-next_deadline' })).toEqual(['Delta', 'Epsilon', 'Alpha', 'Beta']);
    expect(await names({ sort: 'overdue_controls' })).toEqual(['Alpha', 'Beta', 'Epsilon', 'Delta']);
    expect(await names({ sort: '-overdue_controls', limit: 2, offset: 1 })).toEqual(['Epsilon', 'Alpha']);
    expect((await call({ sort: '-overdue_controls', limit: 1 })).total).toBe(4);
    expect(await names({ sort: '-overdue_controls', limit: 200 })).toHaveLength(4);
    expectFailure(await call({ sort: '-overdue_controls', limit: 201 }), 'BAD_USER_INPUT', [
      `${api === 'REST' ? 'limit' : 'first'} must be from 1 to 200`,
    ]);
  });

  test('a page has from 1 to 200 organizations', async () => {
    for (const limit of [0, 201])
      expectFailure(await call({ limit }), 'BAD_USER_INPUT', [
        `${api === 'REST' ? 'limit' : 'first'} must be from 1 to 200`,
      ]);
  });
});

test('the incident of a deadline is read as far as it is selected', async () => {
  await incident(managed, 0);
  const [{ nextDeadline }] = (
    await gateway.graphql.data(
      '{ portfolio { nodes { nextDeadline { incident { id severity organization { name } openedBy { username } clock { applies } notes { totalCount } } } } } }',
      consultant,
    )
  ).portfolio.nodes;
  expect(nextDeadline.incident).toEqual({
    ...{ id: expect.stringMatching(/^Incident:\d+$/), severity: 'HIGH', organization: { name: 'Alpha' } },
    ...{ openedBy: null, clock: { applies: true }, notes: { totalCount: 0 } },
  });
});

test.each(['{ field: NEXT_DEADLINE }', '{ field: OVERDUE_CONTROLS, direction: DESC }'])(
  'the portfolio is paged by cursor in the order %s, which is no cursor of another',
  async (order) => {
    await incident(viewed, 0);
    await buildWorkflow(gateway.app.database, viewed, 'nis2-directive');
    await control(viewed, '21.2.a', 'TO_DO', dayAt(-48));
    const send = (orderBy: string, range: string) =>
      `{ portfolio(${range}, orderBy: ${orderBy}) { pageInfo { endCursor startCursor hasNextPage } nodes { organization { name } } } }`;
    const page = async (range: string) => (await gateway.graphql.data(send(order, range), consultant)).portfolio;
    const first = await page('first: 1');
    const second = await page(`first: 1, after: "${first.pageInfo.endCursor}"`);
    expect([first, second].map(({ nodes }) => nodes[0].organization.name)).toEqual(['Beta', 'Alpha']);
    expect([first, second].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false]);
    expect((await page(`last: 1, before: "${second.pageInfo.startCursor}"`)).nodes).toEqual(first.nodes);
    const refused = send('{ field: OVERDUE_CONTROLS }', `first: 1, after: "${first.pageInfo.endCursor}"`);
    expect((await gateway.graphql.call(refused, consultant)).body.errors?.[0]?.extensions['code']).toBe(
      'BAD_USER_INPUT',
    );
  },
);

test('the portfolio is paged by cursor', async () => {
  const page = async (after: string) =>
    (
      await gateway.graphql.data(
        `{ portfolio(first: 1 ${after}) { pageInfo { endCursor hasNextPage } nodes { organization { name } } } }`,
        consultant,
      )
    ).portfolio;
  const first = await page('');
  const second = await page(`after: "${first.pageInfo.endCursor}"`);
  expect([first, second].map(({ nodes }) => nodes[0].organization.name)).toEqual(['Alpha', 'Beta']);
  expect([first, second].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false]);
});
