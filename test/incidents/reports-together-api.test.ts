import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const CHANGED = `incident { id: databaseId clock { stages {
  regime_id: regimeId stage number state reason manner manner_reason: mannerReason sent_at: sentAt due_at: dueAt late
  reference recipient } } }`;
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

  /** The sent reports, in one line each. */
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
    // A correction has its own reason.
    const correction = { incident_id, regime_id: 'cra-vulnerability', stage: 'NOTIFICATION' };
    const whyOf = async (name: 'record' | 'correct', input: object) =>
      dataOf(await call(name, { ...correction, ...input }, officer)).clock.stages.find(
        ({ stage }: { stage: string }) => stage === 'NOTIFICATION',
      ).manner_reason;
    const corrected = { sent_at: at(0), reference: 'N-1', reason: 'The reference was missing.' };
    expect([await whyOf('correct', corrected), await whyOf('correct', corrected)]).toEqual([reason, reason]);
    expect(await whyOf('correct', { sent_at: null, reason: 'It had not.' })).toBe(null);
    expect(await whyOf('record', { already_provided: true, reason: 'It had it after all.' })).toBe(
      'It had it after all.',
    );
  });

  test('a law that does not know what was already provided refuses it', async () => {
    const incident_id = await open({ significant: true });
    const report = { incident_id, regime_id: 'nis2', stage: 'EARLY_WARNING', reason: 'By telephone.' };
    expectFailure(await call('record', { ...report, already_provided: true, sent_at: at(0) }), 'BAD_USER_INPUT', [
      'already_provided is not provided for by the law of NIS 2 for EARLY_WARNING',
      'sent_at must be absent where it was already provided',
    ]);
    expectFailure(await call('record', report), 'BAD_USER_INPUT', [
      'reason is only for what was already provided or is not due',
    ]);
  });

  test('all that is due within a month is recorded at once, within 20 hours, or not at all', async () => {
    const incident_id = await open({ significant: true, handled_at: at(0) });
    clock.set(20);
    const all = { incident_id, regime_id: 'nis2', stage: 'FINAL_REPORT', includes: ['EARLY_WARNING', 'NOTIFICATION'] };
    expectFailure(await call('record', { ...all, attachment_id: 2147483647 }), 'BAD_USER_INPUT', [
      'attachment_id must be a file of the incident',
    ]);
    expect(await data('reports', { incident_id })).toEqual([]);
    expect(sent(await data('record', { ...all, reference: 'A-20' }))).toEqual([
      ['EARLY_WARNING', 'SENT', at(20), false],
      ['NOTIFICATION', 'SENT', at(20), false],
      ['FINAL_REPORT', 'SENT', at(20), false],
    ]);
    expect(await data('reports', { incident_id })).toHaveLength(3);
  });

  describe('a report that is not due', () => {
    const reason = 'The laptop was encrypted and the key is safe: a risk to people is unlikely.';
    const notDue = { regime_id: 'gdpr', stage: 'NOTIFICATION', not_due: true, reason };

    test('is recorded with the reasons by an officer, is owed no more, and can be sent after all', async () => {
      const incident_id = await open({ personal_data_concerned: true });
      clock.set(80);
      expectFailure(await call('record', { ...notDue, incident_id }), 'FORBIDDEN');
      const [decided] = dataOf(await call('record', { ...notDue, incident_id }, officer)).clock.stages;
      expect(decided).toMatchObject({ state: 'NOT_REQUIRED', manner: 'NOT_DUE', manner_reason: reason, late: false });
      expect((await data('reports', { incident_id }))[0]).toMatchObject({ manner: 'NOT_DUE', reason });
      const [row] = await gateway.app.database.rows<{ entry: string }>(
        'select entry from audit_entry where subject = $1 order by position desc limit 1',
        [`INCIDENT/${incident_id}`],
      );
      expect(JSON.parse(row!.entry)).toMatchObject({ action: 'REPORT_RECORDED', reason });
      expect(row!.entry).toContain('NOT_DUE');
      expectConflict(await call('record', { ...notDue, incident_id }, officer), 'REPORT_ALREADY_RECORDED');

      const correction = { incident_id, regime_id: 'gdpr', stage: 'NOTIFICATION', reason: 'The key was stolen too.' };
      expectFailure(await call('correct', { ...correction, sent_at: at(70) }, officer), 'BAD_USER_INPUT', [
        'sent_at must be null for a report that is not due',
      ]);
      dataOf(await call('correct', { ...correction, sent_at: null }, officer));
      expect(sent(await data('record', { incident_id, regime_id: 'gdpr', stage: 'NOTIFICATION' }))).toEqual([
        ['NOTIFICATION', 'SENT', at(80), true],
      ]);
    });

    test('is refused without reasons, with a time, beside another, and where the law does not know that', async () => {
      const incident_id = await open({ personal_data_concerned: true, significant: true });
      const refused = async (report: object, messages: string[]) =>
        expectFailure(await call('record', { ...notDue, incident_id, ...report }, officer), 'BAD_USER_INPUT', messages);
      await refused({ reason: null }, ['reason is required where it is not due']);
      await refused({ sent_at: at(0) }, ['sent_at must be absent where it is not due']);
      await refused({ includes: ['EARLY_WARNING'] }, ['includes must be empty where it is not due']);
      await refused({ already_provided: true }, [
        'already_provided is not provided for by the law of GDPR for NOTIFICATION',
        'not_due must be absent where it was already provided',
      ]);
      await refused({ regime_id: 'nis2', stage: 'EARLY_WARNING' }, [
        'not_due is not provided for by the law of NIS 2 for EARLY_WARNING',
      ]);
      expect(await data('reports', { incident_id })).toEqual([]);
    });

    test('does not start the deadline of the report after it', async () => {
      const incident_id = await open({ significant: true, intermediate_report_due_at: at(40) });
      const requested = { incident_id, regime_id: 'nis2', stage: 'INTERMEDIATE_REPORT', not_due: true };
      await data('record', { incident_id, regime_id: 'nis2', stage: 'NOTIFICATION', includes: ['EARLY_WARNING'] });
      const why = { reason: 'The request came under another law.' };
      const { stages } = dataOf(await call('record', { ...requested, ...why }, officer)).clock;
      expect(stages.filter(({ stage }: { stage: string }) => stage === 'INTERMEDIATE_REPORT')).toEqual([
        expect.objectContaining({ number: 1, state: 'NOT_REQUIRED', manner_reason: why.reason }),
      ]);
    });
  });

  describe('people who are concerned', () => {
    const toPeople = (incident: { clock: { stages: Record<string, unknown>[] } }) =>
      incident.clock.stages
        .filter(({ stage }) => stage === 'COMMUNICATION')
        .map(({ regime_id: regime, number, state, due_at: due }) => [regime, number, state, due]);

    test('are informed at any time and more than once, where a person decides that the law requires it', async () => {
      const incident_id = await open({ personal_data_concerned: true });
      const communication = { incident_id, regime_id: 'gdpr', stage: 'COMMUNICATION' };
      const first = await data('record', { ...communication, recipient: 'Customers in Italy' });
      expect(toPeople(first)).toEqual([['gdpr', 1, 'SENT', null]]);
      clock.set(1);
      expect(toPeople(await data('record', communication))).toEqual([
        ['gdpr', 1, 'SENT', null],
        ['gdpr', 2, 'SENT', null],
      ]);
      // The authority is notified before or after: neither depends on the other.
      expect(sent(await data('record', { incident_id, regime_id: 'gdpr', stage: 'NOTIFICATION' }))).toHaveLength(3);
    });

    test('are not owed anything until that is decided, and users of a product are', async () => {
      const incident_id = await open({ personal_data_concerned: true });
      await data('record', { incident_id, regime_id: 'gdpr', stage: 'NOTIFICATION' });
      expect(toPeople(await data('close', { incident_id }))).toEqual([['gdpr', 1, 'TO_BE_DECIDED', null]]);

      const product = await open({ product_concerned: true, handled_at: at(0) });
      const all = { regime_id: 'cra-incident', stage: 'FINAL_REPORT', includes: ['EARLY_WARNING', 'NOTIFICATION'] };
      expect(toPeople(await data('record', { incident_id: product, ...all }))).toEqual([
        ['cra-incident', 1, 'PENDING', null],
      ]);
      expectFailure(await call('close', { incident_id: product }), 'FORBIDDEN');
      await data('record', { incident_id: product, regime_id: 'cra-incident', stage: 'COMMUNICATION' });
      await data('close', { incident_id: product });
    });

    test('of a trust service are informed within 24 hours, as the supervisory body is', async () => {
      const { rows } = gateway.app.database;
      const provider = (is: boolean) =>
        rows.call(
          gateway.app.database,
          'update organization set trust_service_provider = $2, updated_at = $3 where id = $1',
          [...[organization_id, is, at(is ? -1 : 1)]],
        );
      await provider(true);
      const opened = await data('open', {
        title: 'Keys',
        severity: 'HIGH',
        significant: true,
        affects_trust_service: true,
      });
      await provider(false);
      const eidas = opened.clock.stages.filter(({ regime_id: regime }: { regime_id: string }) => regime === 'eidas');
      expect(eidas).toMatchObject([
        { stage: 'NOTIFICATION', due_at: at(24), recipient: expect.stringContaining('Supervisory body') },
        { stage: 'COMMUNICATION', due_at: at(24), recipient: expect.stringContaining('affected individuals') },
      ]);
    });
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
