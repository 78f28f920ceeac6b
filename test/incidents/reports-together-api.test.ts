import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const CHANGED = `incident { id: databaseId clock { stages {
  regime_id: regimeId stage state manner sent_at: sentAt late reference } } }`;
const INCIDENTS = '/api/v1/v-ciso/incidents/{organization_id}';
const INCIDENT = `${INCIDENTS}/{incident_id}`;

const OPERATIONS = {
  open: mutation(`POST ${INCIDENTS}`, 'openIncident', CHANGED),
  close: mutation(`POST ${INCIDENT}/close`, 'closeIncident', CHANGED),
  record: mutation(`POST ${INCIDENT}/reports`, 'recordIncidentReport', CHANGED),
  correct: mutation(`PATCH ${INCIDENT}/reports/{regime_id}/{stage}`, 'correctIncidentReport', CHANGED),
  reports: {
    rest: `GET ${INCIDENT}/reports`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { reports { totalCount nodes { stage manner reason } } } }`,
    at: 'incident.reports',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const at = (hours: number) => clock.at(hours).toISOString();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { organizationId: organization_id, officer, analyst } = testData;
beforeEach(() => clock.set(0));

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token } = analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id, ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input: object) => dataOf(await call(name, input));
  const open = async (fields: object): Promise<number> =>
    (await data('open', { title: 'Breach', severity: 'HIGH', ...fields })).id;

  /** What was sent, in one line each. */
  const sent = (incident: { clock: { stages: Record<string, unknown>[] } }) =>
    incident.clock.stages
      .filter(({ state }) => state === 'SENT')
      .map(({ stage, manner, sent_at, late }) => [stage, manner, sent_at, late]);

  test('an early warning and a notification that were sent in one are recorded at once', async () => {
    const incident_id = await open({ significant: true });
    const both = {
      incident_id,
      regime_id: 'nis2',
      stage: 'NOTIFICATION',
      includes: ['EARLY_WARNING'],
      reference: 'A-7',
    };
    clock.set(25);
    const recorded = await data('record', both);
    expect(sent(recorded)).toEqual([
      ['EARLY_WARNING', 'SENT', at(25), true],
      ['NOTIFICATION', 'SENT', at(25), false],
    ]);
    expect(recorded.clock.stages.slice(0, 2).map(({ reference }: { reference: string }) => reference)).toEqual([
      ...['A-7', 'A-7'],
    ]);
    expectConflict(await call('record', both), 'REPORT_ALREADY_RECORDED');
  });

  test('a final report may be sent at once, with all that comes before it', async () => {
    const incident_id = await open({ significant: true, handled_at: at(0) });
    const includes = ['NOTIFICATION', 'EARLY_WARNING'];
    const recorded = await data('record', { incident_id, regime_id: 'nis2', stage: 'FINAL_REPORT', includes });
    expect(sent(recorded).map(([stage]) => stage)).toEqual(['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT']);
  });

  test('a report that may not include another is refused with those that it may', async () => {
    const incident_id = await open({ significant: true });
    const report = { incident_id, regime_id: 'nis2', stage: 'NOTIFICATION' };
    expectFailure(await call('record', { ...report, includes: ['FINAL_REPORT'] }), 'BAD_USER_INPUT', [
      'includes must be among EARLY_WARNING',
    ]);
    const first = { ...report, stage: 'EARLY_WARNING', includes: ['NOTIFICATION'] };
    expectFailure(await call('record', first), 'BAD_USER_INPUT', ['includes must be empty for EARLY_WARNING']);
  });

  test('a report of the CRA whose information was already provided is recorded with the reason, at that time', async () => {
    const incident_id = await open({ exploited_vulnerability: true });
    const report = { incident_id, regime_id: 'cra-vulnerability', stage: 'NOTIFICATION', already_provided: true };
    const reason = 'The early warning named the product and the exploit.';
    expectFailure(await call('record', report), 'BAD_USER_INPUT', ['reason is required where it was already provided']);
    expectConflict(await call('record', { ...report, reason }), 'EARLIER_REPORT_MISSING');
    await data('record', { ...report, stage: 'EARLY_WARNING', already_provided: false });
    clock.set(100);
    expect(sent(await data('record', { ...report, reason }))).toEqual([
      ['EARLY_WARNING', 'SENT', at(0), false],
      ['NOTIFICATION', 'ALREADY_PROVIDED', at(0), false],
    ]);
    expect((await data('reports', { incident_id }))[0]).toMatchObject({ manner: 'ALREADY_PROVIDED', reason });
  });

  test('a law that does not know what was already provided refuses it', async () => {
    const incident_id = await open({ significant: true });
    const report = { incident_id, regime_id: 'nis2', stage: 'EARLY_WARNING', reason: 'By telephone.' };
    expectFailure(await call('record', { ...report, already_provided: true, sent_at: at(0) }), 'BAD_USER_INPUT', [
      'already_provided is not provided for by the law of NIS 2 for EARLY_WARNING',
      'sent_at must be absent where it was already provided',
    ]);
    expectFailure(await call('record', report), 'BAD_USER_INPUT', ['reason is only for what was already provided']);
  });

  test('a conflict says why', async () => {
    const incident_id = await open({ significant: true });
    const report = { incident_id, regime_id: 'nis2' };
    const reason = 'Wrong.';
    expectConflict(await call('record', { ...report, stage: 'NOTIFICATION' }), 'EARLIER_REPORT_MISSING');
    const takenBack = { ...report, stage: 'EARLY_WARNING', sent_at: null, reason };
    expectConflict(await call('correct', takenBack, officer), 'REPORT_NOT_RECORDED');
    await data('record', { ...report, stage: 'NOTIFICATION', includes: ['EARLY_WARNING'] });
    expectConflict(await call('correct', takenBack, officer), 'REPORT_FOLLOWED');
    dataOf(await call('close', { incident_id, reason: 'A duplicate.' }, officer));
    expectConflict(await call('record', { ...report, stage: 'FINAL_REPORT' }), 'INCIDENT_CLOSED');
  });
});
