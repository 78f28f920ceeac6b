import { describe, expect, test } from '@jest/globals';
import { HOUR } from '../../src/common/time.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, buildToken, join } from '../support/test-data.js';

const CLOCK = `clock { stages { regime_id: regimeId stage number state due_at: dueAt extended_to: extendedTo late manner }
  out_of_scope: outOfScope { regime_id: regimeId reason } }`;
const CHANGED = `incident { id: databaseId ${CLOCK} }`;
const INCIDENTS = '/api/v1/v-ciso/incidents/{organization_id}';
const INCIDENT = `${INCIDENTS}/{incident_id}`;
const OPERATIONS = {
  open: mutation(`POST ${INCIDENTS}`, 'openIncident', CHANGED),
  update: mutation(`PATCH ${INCIDENT}`, 'updateIncident', CHANGED),
  record: mutation(`POST ${INCIDENT}/reports`, 'recordIncidentReport', CHANGED),
  correct: mutation(`PATCH ${INCIDENT}/reports/{regime_id}/{stage}`, 'correctIncidentReport', CHANGED),
  close: mutation(`POST ${INCIDENT}/close`, 'closeIncident', CHANGED),
  rejudge: mutation(`POST ${INCIDENT}/rejudge`, 'rejudgeIncident', CHANGED),
  settings: mutation(
    'PATCH /api/v1/organizations/{organization_id}/settings',
    'updateOrganizationSettings',
    'organization { settings { country } }',
  ),
  reports: {
    rest: `GET ${INCIDENT}/reports`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) { incident(organizationId: $organizationId, id: $incidentId) {
      reports { totalCount nodes { stage sent_at: sentAt due_at: dueAt extended_to: extendedTo late } } } }`,
    at: 'incident.reports',
  },
  draft: {
    rest: `GET ${INCIDENT}/reports/{regime_id}/{stage}/draft`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $regimeId: String!, $stage: IncidentReportStage!) {
      draftIncidentReport(organizationId: $organizationId, incidentId: $incidentId, regimeId: $regimeId, stage: $stage) {
        due_at: dueAt extended_to: extendedTo } }`,
    at: 'draftIncidentReport',
  },
  read: {
    rest: `GET ${INCIDENT}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { ${CLOCK} } }`,
    at: 'incident',
  },
} satisfies Record<string, Operation>;

let now = new Date('2027-01-01T00:00:00.000Z');
const gateway = await startSharedGateway({ now: () => now });
const { database } = gateway.app;
const owner = await buildPerson(database, 'owner');
const token = await buildToken(database, owner, { expiresAt: new Date('2030-01-01') });

interface Incident {
  id: number;
  clock: {
    stages: Record<'regime_id' | 'stage' | 'state', string>[];
    out_of_scope: { regime_id: string; reason: string }[];
  };
}

/** An organization of the owner with this profile, created long before the scenario. */
async function organizationOf(columns: Record<string, unknown>): Promise<number> {
  const id = await buildOrganization(database, 'Scenario');
  const given = { ...columns, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const set = Object.keys(given).map((column, index) => `${column} = $${index + 2}`);
  await database.rows('delete from organization_facts where organization_id = $1', [id]);
  await database.rows(`update organization set ${set.join(', ')} where id = $1`, [id, ...Object.values(given)]);
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  return id;
}

/** Audit entries of an incident, oldest first. */
async function actionsOf(incidentId: number): Promise<string[]> {
  const rows = await database.rows<{ entry: string }>(
    'select entry from audit_entry where subject = $1 order by position',
    [`INCIDENT/${incidentId}`],
  );
  return rows.map(({ entry }) => JSON.parse(entry).action);
}

const MILAN = { country: 'IT', time_zone: 'Europe/Rome' };

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: Record<string, unknown>) =>
    callThrough(api, gateway, OPERATIONS[name], input, token);
  const data = async (name: keyof typeof OPERATIONS, input: Record<string, unknown>): Promise<Incident> =>
    dataOf(await call(name, input));
  const open = (organization_id: number, facts: object) =>
    data('open', { organization_id, title: 'Breach', severity: 'HIGH', ...facts });
  /** Reports of a regime in one line each. */
  const lines = ({ clock }: Incident, regime: RegExp) =>
    clock.stages
      .filter(({ regime_id: id, state }) => regime.test(id) && state !== 'NOT_REQUIRED')
      .map((stage) => {
        const { stage: name, state, due_at: due, extended_to: extended, late } = stage as Record<string, unknown>;
        return [name, state, due, ...(extended === null ? [] : [extended]), ...(late ? ['late'] : [])].join(' ');
      });

  test('a bank in Milan reports a breach of personal data under DORA and GDPR, over the beginning of summer time and a holiday', async () => {
    const organization_id = await organizationOf({ ...MILAN, nis2_sector: 'Settore bancario' });
    now = new Date('2027-03-27T11:00:00.000Z');
    const opened = await open(organization_id, {
      ...{ significant: true, personal_data_concerned: true, aware_at: '2027-03-27T09:00:00Z' },
      classified_at: '2027-03-27T11:00:00Z',
    });
    const of = { organization_id, incident_id: opened.id };
    expect(new Set(opened.clock.stages.map(({ regime_id: id }) => id))).toEqual(new Set(['dora', 'gdpr']));
    expect(opened.clock.out_of_scope).toMatchObject([{ reason: expect.stringContaining('under DORA instead') }]);
    const record = (regime_id: string, stage: string, more: object = {}) =>
      data('record', { ...of, regime_id, stage, ...more });
    const notified = await record('dora', 'NOTIFICATION');
    expect(lines(notified, /dora/)).toEqual([
      'NOTIFICATION SENT 2027-03-27T15:00:00.000Z',
      // Hours are exact: at one in Rome, and not at noon as before.
      'INTERMEDIATE_REPORT PENDING 2027-03-30T11:00:00.000Z',
      'FINAL_REPORT PENDING ',
      'COMMUNICATION TO_BE_DECIDED ',
    ]);
    expect(lines(notified, /gdpr/)[0]).toBe('NOTIFICATION PENDING 2027-03-30T09:00:00.000Z');
    await record('gdpr', 'NOTIFICATION');
    await record('gdpr', 'COMMUNICATION', { recipient: 'Account holders' });
    await record('dora', 'COMMUNICATION', { recipient: 'Account holders' });
    now = new Date('2027-03-30T11:00:00.000Z');
    await record('dora', 'INTERMEDIATE_REPORT');
    now = new Date('2027-04-01T08:00:00.000Z');
    const updated = await record('dora', 'INTERMEDIATE_REPORT');
    // 1 May is a Saturday and a holiday: until Monday at noon in Rome.
    const final = 'FINAL_REPORT PENDING 2027-05-01T08:00:00.000Z 2027-05-03T10:00:00.000Z';
    expect(lines(updated, /dora/)).toContain(final);
    const remindedAt = async (instant: string) => {
      now = new Date(instant);
      await gateway.app.jobs.run('incidentReminders.remind');
      const { REPORT_DUE_SOON: soon, REPORT_OVERDUE: overdue } = Object.groupBy(
        await actionsOf(of.incident_id),
        String,
      );
      return [
        lines(await data('read', of), /dora/).find((line) => line.startsWith('FINAL')),
        soon?.length,
        overdue?.length,
      ];
    };
    const dueSoon = final.replace('PENDING', 'DUE_SOON');
    expect(await remindedAt('2027-05-01T08:00:00.001Z')).toEqual([dueSoon, 1, undefined]);
    expect(await remindedAt('2027-05-03T10:00:00.000Z')).toEqual([dueSoon, 1, 1]);
    await gateway.settled();
    const [reminded] = await database.rows<{ message: string }>(
      "select message from notification where organization_id = $1 and title like 'Final report%due soon' limit 1",
      [organization_id],
    );
    expect(reminded?.message).toContain('is due on 3 May 2027, 12:00 (Europe/Rome, UTC+2)');
    expect(await remindedAt('2027-05-03T10:00:00.001Z')).toEqual([final.replace('PENDING', 'OVERDUE'), 1, 1]);
    const drafted = await data('draft', { ...of, regime_id: 'dora', stage: 'FINAL_REPORT' });
    expect(drafted).toMatchObject({ due_at: '2027-05-01T08:00:00.000Z', extended_to: '2027-05-03T10:00:00.000Z' });
    const file = `/api/v1/v-ciso/incidents/${organization_id}/${opened.id}/reports/dora/FINAL_REPORT/draft.html`;
    const printed = await fetch(`${gateway.url}${file}`, { headers: { 'X-Service-Token': token } });
    expect(await printed.text()).toContain('it may be sent until: 3 May 2027, 12:00 (Europe/Rome, UTC+2)');
    const sent = await record('dora', 'FINAL_REPORT', { sent_at: '2027-05-03T10:00:00Z' });
    expect(lines(sent, /dora/)).toContain(final.replace('PENDING', 'SENT'));
    const reports = async () => dataOf(await call('reports', of)) as unknown as object[];
    const recorded = {
      stage: 'FINAL_REPORT',
      due_at: '2027-05-01T08:00:00.000Z',
      extended_to: '2027-05-03T10:00:00.000Z',
    };
    expect((await reports())[0]).toMatchObject({ ...recorded, late: false });
    const late = {
      ...of,
      regime_id: 'dora',
      stage: 'FINAL_REPORT',
      sent_at: '2027-05-03T10:00:00.001Z',
      reason: 'A typo.',
    };
    await data('correct', late);
    expect((await reports())[0]).toMatchObject({ ...recorded, late: true });
    await data('close', of);
  });

  test('an energy company files all that it owes within 20 hours in one go, over the end of summer time', async () => {
    const organization_id = await organizationOf({ ...MILAN, nis2_sector: 'Energia - Gas' });
    now = new Date('2027-10-30T20:00:00.000Z');
    const { id: incident_id } = await open(organization_id, { significant: true, personal_data_concerned: true });
    now = new Date(now.getTime() + 20 * HOUR);
    const of = { organization_id, incident_id };
    await data('update', { ...of, handled_at: now.toISOString() });
    const filed = await data('record', {
      ...{ ...of, regime_id: 'nis2-it', stage: 'FINAL_REPORT', includes: ['EARLY_WARNING', 'NOTIFICATION'] },
      reference: 'IT-2027-31',
    });
    expect(lines(filed, /nis2-it/).slice(0, 3)).toEqual([
      'EARLY_WARNING SENT 2027-10-31T20:00:00.000Z',
      'NOTIFICATION SENT 2027-11-02T20:00:00.000Z',
      // A calendar month in Rome after the time of the notification.
      'FINAL_REPORT SENT 2027-11-30T16:00:00.000Z',
    ]);
    const reason = 'Only encrypted backups were taken, and the keys are safe.';
    const decided = await data('record', { ...of, regime_id: 'gdpr', stage: 'NOTIFICATION', not_due: true, reason });
    expect(decided.clock.stages.find(({ regime_id: id }) => id === 'gdpr')).toMatchObject({
      ...{ state: 'NOT_REQUIRED', manner: 'NOT_DUE', late: false },
    });
    for (const hours of [30, 100, 1000]) {
      now = new Date(Date.parse('2027-10-30T20:00:00.000Z') + hours * HOUR);
      await gateway.app.jobs.run('incidentReminders.remind');
    }
    expect(await actionsOf(incident_id)).toEqual([
      ...['INCIDENT_OPENED', 'INCIDENT_UPDATED', 'REPORT_RECORDED', 'REPORT_RECORDED'],
    ]);
    await data('close', of);
  });

  test('a German software maker reports an exploited vulnerability under the CRA and NIS 2, until a leap day', async () => {
    const organization_id = await organizationOf({
      ...{ country: 'DE', time_zone: 'Europe/Berlin', nis2_sector: 'Infrastrutture digitali' },
    });
    now = new Date('2028-02-01T09:00:00.000Z');
    const opened = await open(organization_id, { significant: true, exploited_vulnerability: true });
    const of = { organization_id, incident_id: opened.id };
    const regimes = new Set(opened.clock.stages.map(({ regime_id: id }) => id.replace(/^nis2.*/, 'nis2')));
    expect(regimes).toEqual(new Set(['cra-vulnerability', 'nis2']));
    const cra = (stage: string, more: object = {}) =>
      data('record', { ...of, regime_id: 'cra-vulnerability', stage, ...more });
    await cra('EARLY_WARNING');
    await cra('NOTIFICATION', { already_provided: true, reason: 'The early warning named product and exploit.' });
    now = new Date('2028-02-15T09:00:00.000Z');
    const fixed = await data('update', { ...of, fix_available_at: now.toISOString() });
    expect(lines(fixed, /cra/)).toEqual([
      'EARLY_WARNING SENT 2028-02-02T09:00:00.000Z',
      'NOTIFICATION SENT 2028-02-04T09:00:00.000Z',
      'FINAL_REPORT PENDING 2028-02-29T09:00:00.000Z 2028-02-29T22:59:59.999Z',
      'COMMUNICATION PENDING ',
    ]);
    await cra('COMMUNICATION', { recipient: 'All users, by an advisory' });
    expect(lines(await cra('FINAL_REPORT'), /cra/).at(2)).toBe(
      'FINAL_REPORT SENT 2028-02-29T09:00:00.000Z 2028-02-29T22:59:59.999Z',
    );
  });

  test('a retailer that NIS 2 is not for owes it nothing, and is not reminded', async () => {
    const organization_id = await organizationOf({ ...MILAN, nis2_sector: '' });
    now = new Date('2027-12-24T10:00:00.000Z');
    const { id: incident_id, clock } = await open(organization_id, { significant: true });
    expect(clock.stages).toEqual([]);
    expect(clock.out_of_scope).toMatchObject([{ reason: expect.stringMatching(/^Not in scope by the profile/) }]);
    now = new Date('2027-12-29T10:00:00.000Z');
    await gateway.app.jobs.run('incidentReminders.remind');
    expect(await actionsOf(incident_id)).toEqual(['INCIDENT_OPENED']);
    await data('close', { organization_id, incident_id });
  });

  test('an entity that Italy has listed reports from its own day on', async () => {
    const organization_id = await organizationOf({ ...MILAN, nis2_sector: 'Spazio' });
    now = new Date('2027-01-01T10:00:00.000Z');
    const settled = await call('settings', { organization_id, nis2_reporting_from: '2027-01-31' });
    expect(dataOf(settled)).toBeTruthy();
    now = new Date('2027-01-30T22:59:59.999Z');
    const early = await open(organization_id, { significant: true });
    expect(early.clock).toMatchObject({
      stages: [],
      out_of_scope: [
        { regime_id: 'nis2-it', reason: expect.stringMatching(/^Does not apply before 31 January 2027, because/) },
      ],
    });
    now = new Date('2027-01-30T23:00:00.000Z');
    expect(lines(await open(organization_id, { significant: true }), /nis2-it/)[0]).toBe(
      'EARLY_WARNING PENDING 2027-01-31T23:00:00.000Z',
    );
  });

  test('a consultant who fills in the country of 50 organizations changes nothing of their incidents of before', async () => {
    now = new Date('2027-02-10T10:00:00.000Z');
    const organizations = await Promise.all(
      Array.from({ length: 50 }, () => organizationOf({ nis2_sector: 'Spazio' })),
    );
    const organization_id = organizations[0]!;
    const { id: incident_id, clock } = await open(organization_id, { significant: true });
    expect(clock.stages[0]).toMatchObject({ regime_id: 'nis2', stage: 'EARLY_WARNING' });
    const theirs = await database.rows<{ id: number; organizationId: number }>(
      `insert into incident (organization_id, title, severity, aware_at, significant)
       select id, 'Outage', 'HIGH', '2027-02-10T10:00Z', true from organization where id = any($1)
       returning id, organization_id as "organizationId"`,
      [organizations],
    );
    expect(theirs).toHaveLength(50);
    now = new Date('2027-02-10T12:00:00.000Z');
    for (const { organizationId } of theirs)
      dataOf(await call('settings', { organization_id: organizationId, country: 'IT', time_zone: 'Europe/Rome' }));
    now = new Date('2027-02-10T14:00:00.000Z');
    expect((await data('read', { organization_id, incident_id })).clock).toEqual(clock);
    for (const { id, organizationId } of theirs)
      expect((await data('read', { organization_id: organizationId, incident_id: id })).clock).toEqual(clock);
    expect((await open(organization_id, { significant: true })).clock.stages[0]).toMatchObject({
      regime_id: 'nis2-it',
    });
    const anew = { organization_id, incident_id, reason: 'The country was entered after the incident.' };
    expect((await data('rejudge', anew)).clock.stages[0]).toMatchObject({ regime_id: 'nis2-it' });
    expectFailure(await call('rejudge', { ...anew, reason: ' ' }), 'BAD_USER_INPUT', ['reason is required']);
  });
});
