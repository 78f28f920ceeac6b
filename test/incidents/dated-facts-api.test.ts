import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { REGIMES } from '../support/catalog.js';
import { TestClock } from '../support/clock.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join, type Person } from '../support/test-data.js';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';

const CLOCK = `clock { facts_as_of: factsAsOf facts { fact values } stages {
  regime_id: regimeId stage state reason source due_at: dueAt late judged_now: judgedNow { applies due_at: dueAt late } } }`;
const CHANGED = `incident { id: databaseId ${CLOCK} }`;
const INCIDENTS = '/api/v1/v-ciso/incidents/{organization_id}';
const INCIDENT = `${INCIDENTS}/{incident_id}`;

const OPERATIONS = {
  settings: mutation(
    'PATCH /api/v1/organizations/{organization_id}/settings',
    'updateOrganizationSettings',
    'organization { id: databaseId }',
  ),
  open: mutation(`POST ${INCIDENTS}`, 'openIncident', CHANGED),
  update: mutation(`PATCH ${INCIDENT}`, 'updateIncident', CHANGED),
  close: mutation(`POST ${INCIDENT}/close`, 'closeIncident', CHANGED),
  record: mutation(`POST ${INCIDENT}/reports`, 'recordIncidentReport', CHANGED),
  correct: mutation(`PATCH ${INCIDENT}/reports/{regime_id}/{stage}`, 'correctIncidentReport', CHANGED),
  rejudge: mutation(`POST ${INCIDENT}/rejudge`, 'rejudgeIncident', CHANGED),
  read: {
    rest: `GET ${INCIDENT}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { id: databaseId ${CLOCK} } }`,
    at: 'incident',
  },
  reports: {
    rest: `GET ${INCIDENT}/reports`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { reports { totalCount nodes {
        stage due_at: dueAt late source } } } }`,
    at: 'incident.reports',
  },
  timeline: {
    rest: `GET ${INCIDENT}/timeline`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { timeline { totalCount nodes {
        kind entry { action reason changes { field before after } } } } } }`,
    at: 'incident.timeline',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const at = (hours: number) => clock.at(hours).toISOString();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { owner, officer, analyst } = testData;
beforeEach(() => clock.set(0));

const NEEDS_REASON = 'reason is required where a report may then be sent later or not at all';

interface Stage {
  regime_id: string;
  stage: string;
  due_at: string | null;
  late: boolean;
  judged_now: object | null;
}

interface Incident {
  id: number;
  clock: { facts_as_of: string; facts: { fact: string; values: string[] }[]; stages: Stage[] };
}

const stageOf = ({ clock: { stages } }: Incident, stage: string) => stages.find((each) => each.stage === stage);
const regimesOf = ({ clock: { stages } }: Incident) => [...new Set(stages.map(({ regime_id }) => regime_id))];

describe.each(APIS)('through %s', (api) => {
  let organization: number;
  const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: Person = analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: organization, ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input?: object, person?: Person) =>
    dataOf(await call(name, input, person));
  const read = (id: number): Promise<Incident> => data('read', { incident_id: id });
  const open = async (fields: object = {}): Promise<Incident> =>
    data('open', { title: 'Breach', severity: 'HIGH', ...fields });

  beforeEach(async () => {
    const { database } = gateway.app;
    organization = await buildOrganization(database, 'Dated');
    await database.rows('update organization set created_at = $2, updated_at = $2 where id = $1', [
      ...[organization, clock.at(-1000)],
    ]);
    await database.rows('update organization_facts set since = $2 where organization_id = $1', [
      ...[organization, clock.at(-1000)],
    ]);
    for (const [person, role] of [
      [owner, 'ORGANIZATION_OWNER'],
      [officer, 'SECURITY_OFFICER'],
      [analyst, 'SECURITY_ANALYST'],
    ] as const)
      await join(database, person, organization, role);
  });

  /** Changes the settings at that hour. */
  async function settle(hours: number, settings: object): Promise<void> {
    clock.set(hours);
    await data('settings', settings, owner);
  }

  test('a report stays late when its regime ceases to apply, which takes an officer and a reason and shows both evaluations', async () => {
    const { id } = await open({ personal_data_concerned: true, aware_at: at(-100) });
    await data('record', { incident_id: id, regime_id: 'gdpr', stage: 'NOTIFICATION' });
    const late = { regime_id: 'gdpr', state: 'SENT', due_at: at(-28), late: true };
    expect(stageOf(await read(id), 'NOTIFICATION')).toMatchObject({ ...late, judged_now: null });

    const without = { incident_id: id, personal_data_concerned: false };
    expectFailure(await call('update', without), 'FORBIDDEN');
    expectFailure(await call('update', without, officer), 'BAD_USER_INPUT', [NEEDS_REASON]);
    expect(stageOf(await read(id), 'NOTIFICATION')).toMatchObject({ ...late, judged_now: null });

    const changed = await data('update', { ...without, reason: 'Only test data were read.' }, officer);
    const shown = { ...late, judged_now: { applies: false, due_at: null, late: false } };
    expect(stageOf(changed, 'NOTIFICATION')).toMatchObject(shown);
    expect(stageOf(await read(id), 'NOTIFICATION')).toMatchObject(shown);
    const source = 'Regulation (EU) 2016/679, Articles 33 and 34.';
    expect(await data('reports', { incident_id: id })).toEqual([
      expect.objectContaining({ stage: 'NOTIFICATION', due_at: at(-28), late: true, source }),
    ]);
  });

  test('a later time of awareness leaves the lateness of what was sent, and shows what would be', async () => {
    const { id } = await open({ significant: true, aware_at: at(-30) });
    await data('record', { incident_id: id, regime_id: 'nis2', stage: 'EARLY_WARNING' });
    const later = { incident_id: id, aware_at: at(-20), reason: 'The alarm was read then.' };
    const changed = await data('update', later, officer);
    expect(stageOf(changed, 'EARLY_WARNING')).toMatchObject({
      ...{ due_at: at(-6), late: true, judged_now: { applies: true, due_at: at(4), late: false } },
    });
    expect(stageOf(changed, 'NOTIFICATION')).toMatchObject({ due_at: at(52), judged_now: null });
  });

  test('a correction of when a report was sent is judged by the deadline that was fixed', async () => {
    const { id } = await open({ significant: true, aware_at: at(-30) });
    await data('record', { incident_id: id, regime_id: 'nis2', stage: 'EARLY_WARNING' });
    const report = { incident_id: id, regime_id: 'nis2', stage: 'EARLY_WARNING' };
    const corrected = await data('correct', { ...report, sent_at: at(-10), reason: 'The receipt says so.' }, officer);
    expect(stageOf(corrected, 'EARLY_WARNING')).toMatchObject({ due_at: at(-6), late: false });
    const records = await data('reports', { incident_id: id });
    expect(records.map(({ late }: Stage) => late)).toEqual([false, true]);
  });

  test('another country changes neither what was filed nor what is owed, and sends no reminder', async () => {
    await settle(-900, { country: 'IT' });
    clock.set(-500);
    const { id } = await open({ significant: true });
    clock.set(-470);
    const before = await data('record', { incident_id: id, regime_id: 'nis2-it', stage: 'EARLY_WARNING' });
    expect(stageOf(before, 'EARLY_WARNING')).toMatchObject({ due_at: at(-476), late: true });
    const reminders = new IncidentReminderService(gateway.app.database, REGIMES, clock.now);
    clock.set(0);
    await reminders.remind();
    const reminded = await read(id);
    await settle(0, { country: 'DE' });
    expect(await reminders.remind()).toBe(0);
    expect(await read(id)).toEqual(reminded);
    expect(regimesOf(await open({ significant: true }))).toEqual(['nis2']);
    // Facts are those of awareness, also of an incident that is opened later.
    expect(regimesOf(await open({ significant: true, aware_at: at(-1) }))).toEqual(['nis2-it']);
  });

  test('a trust service provider that is none any more still owes what it owed, until the incident is judged anew', async () => {
    await settle(-900, { trust_service_provider: true });
    clock.set(0);
    const { id } = await open({ significant: true, affects_trust_service: true });
    const notification = async () => stageOf(await read(id), 'NOTIFICATION')?.due_at;
    expect(await notification()).toBe(at(24));
    await settle(1, { trust_service_provider: false });
    expect(await notification()).toBe(at(24));

    const anew = { incident_id: id, reason: 'The service was sold in spring.' };
    expectFailure(await call('rejudge', anew), 'FORBIDDEN');
    clock.set(2);
    const judged: Incident = await data('rejudge', anew, officer);
    expect(judged.clock.facts_as_of).toBe(at(2));
    expect(judged.clock.facts).toContainEqual({ fact: 'trust_service_provider', values: ['false'] });
    expect(stageOf(judged, 'NOTIFICATION')).toMatchObject({ due_at: at(72) });

    const timeline = await data('timeline', { incident_id: id }, officer);
    const { entry } = timeline.at(-1);
    expect(entry).toMatchObject({ action: 'INCIDENT_REJUDGED', reason: anew.reason });
    const changed = Object.fromEntries(
      entry.changes.map(({ field, before, after }: Record<string, string>) => [field, [before, after]]),
    );
    expect(changed['trustServiceProvider']).toEqual([['true'], ['false']]);

    // A correction of the awareness does not restore earlier facts.
    expect(regimesOf(await data('update', { incident_id: id, aware_at: at(-1) }))).toEqual(['nis2']);
    expect(await notification()).toBe(at(71));
  });

  describe('24 hours of a qualified trust service', () => {
    const QUALIFIED = { significant: true, affects_trust_service: true, affects_qualified_trust_service: true };
    const eidas = ({ clock: { stages } }: Incident) => stages.filter(({ regime_id: regime }) => regime === 'eidas');
    const FROM_AWARENESS = expect.stringContaining('counted from awareness, since it is not said when it occurred');
    beforeEach(async () => {
      await settle(-900, { trust_service_provider: true });
      clock.set(0);
    });

    test('count from the occurrence although awareness was later, and from awareness where it is not said', async () => {
      const dueAt = async (facts: object) => eidas(await open(facts)).map(({ due_at: due }) => due);
      expect(await dueAt({ ...QUALIFIED, occurred_at: at(-24), aware_at: at(-1) })).toEqual([at(0), at(0)]);
      expect(await dueAt({ ...QUALIFIED, aware_at: at(-1) })).toEqual([at(23), at(23)]);
      const none = { affects_qualified_trust_service: false, occurred_at: at(-24), aware_at: at(-1) };
      expect(await dueAt({ ...QUALIFIED, ...none })).toEqual([at(23), at(23)]);

      const { id, clock: unknown } = await open({ ...QUALIFIED, aware_at: at(-1) });
      expect(unknown.stages).toContainEqual(expect.objectContaining({ regime_id: 'eidas', reason: FROM_AWARENESS }));
      const known: Incident = await data('update', { incident_id: id, occurred_at: at(-24) });
      for (const stage of eidas(known))
        expect(stage).toMatchObject({
          ...{ state: 'DUE_SOON', due_at: at(0) },
          reason: expect.stringMatching(/24 hours from the incident itself \(Article 24\(2\)\(fb\)\)\.$/),
        });
      clock.set(0.001);
      expect(eidas(await read(id))).toMatchObject([{ state: 'OVERDUE' }, { state: 'OVERDUE' }]);
      // No other deadline is counted from it.
      expect(stageOf(known, 'EARLY_WARNING')).toMatchObject({ regime_id: 'nis2', due_at: at(23) });
    });

    test('are those of a qualified provider while the incident does not say which service it is, and of no other', async () => {
      const affected = { significant: true, affects_trust_service: true, occurred_at: at(-24), aware_at: at(-1) };
      const dueAt = async (facts: object) => eidas(await open(facts)).map(({ due_at: due }) => due);
      const unsaid = { ...affected, occurred_at: null };
      const otherwise = { ...affected, affects_qualified_trust_service: false };
      expect(await dueAt(affected)).toEqual([at(23), at(23)]);

      await settle(-800, { qualified_trust_service_provider: true });
      clock.set(0);
      expect(await dueAt(affected)).toEqual([at(0), at(0)]);
      expect(await dueAt({ ...affected, affects_qualified_trust_service: true })).toEqual([at(0), at(0)]);
      expect(await dueAt(otherwise)).toEqual([at(23), at(23)]);
      const { id, clock: unknown } = await open(unsaid);
      for (const stage of eidas({ id, clock: unknown }))
        expect(stage).toMatchObject({
          ...{
            due_at: at(23),
            reason: expect.stringMatching(/it is not said whether the trust service .* counted from/),
          },
        });
      // To say that it is no qualified one makes the report due later.
      const { id: known } = await open(affected);
      const change = { incident_id: known, affects_qualified_trust_service: false };
      expectFailure(await call('update', change), 'FORBIDDEN');
      expect(eidas(await data('update', { ...change, reason: 'Our timestamps.' }, officer))[0]!.due_at).toBe(at(23));

      await settle(-700, { trust_service_provider: false, qualified_trust_service_provider: false });
      clock.set(0);
      for (const facts of [affected, unsaid, otherwise]) expect(await dueAt(facts)).toEqual([]);
    });

    test('leave a report as it was recorded, and take an officer and a reason to end later', async () => {
      const { id } = await open({ ...QUALIFIED, aware_at: at(-20) });
      await data('record', { incident_id: id, regime_id: 'eidas', stage: 'NOTIFICATION' });
      await data('record', { incident_id: id, regime_id: 'eidas', stage: 'COMMUNICATION' });
      await data('record', { incident_id: id, regime_id: 'eidas', stage: 'COMMUNICATION' });
      const [sent, ...others] = eidas(await data('update', { incident_id: id, occurred_at: at(-30) }));
      expect(sent).toMatchObject({
        ...{ state: 'SENT', due_at: at(4), late: false, reason: FROM_AWARENESS },
        judged_now: { applies: true, due_at: at(-6), late: true },
      });
      // An update of the communication has no deadline.
      expect(others).toMatchObject([{ judged_now: { late: true } }, { due_at: null, judged_now: null }]);

      for (const fields of [
        { occurred_at: null },
        { occurred_at: at(-29) },
        { affects_qualified_trust_service: false },
      ]) {
        expectFailure(await call('update', { incident_id: id, ...fields }), 'FORBIDDEN');
        expectFailure(await call('update', { incident_id: id, ...fields }, officer), 'BAD_USER_INPUT', [NEEDS_REASON]);
      }
      const change = { incident_id: id, occurred_at: at(-21), reason: 'The log was in another zone.' };
      expect(eidas(await data('update', change, officer))[0]).toMatchObject({
        ...{ due_at: at(4), judged_now: { applies: true, due_at: at(3), late: false } },
      });
      const entries: { entry: { reason: string } | null }[] = await data('timeline', { incident_id: id }, officer);
      expect(entries.find(({ entry }) => entry?.reason === change.reason)?.entry).toMatchObject({
        action: 'INCIDENT_UPDATED',
        changes: [{ field: 'occurredAt', before: at(-30), after: at(-21) }],
      });
    });

    test('are of facts that do not contradict each other', async () => {
      const { id } = await open({ ...QUALIFIED, occurred_at: at(-3), aware_at: at(-2) });
      const refused = async (fields: object, ...sentences: string[]) =>
        expectFailure(await call('update', { incident_id: id, ...fields }, officer), 'BAD_USER_INPUT', sentences);
      await refused({ occurred_at: at(1), reason: 'x' }, 'occurred_at must not be in the future');
      await refused({ occurred_at: at(-1), reason: 'x' }, 'occurred_at must not be after aware_at');
      await refused({ aware_at: at(-4) }, 'aware_at must not be before occurred_at');
      const requested = await open({ aware_at: at(-2), intermediate_report_due_at: at(-1) });
      await refused(
        { incident_id: requested.id, aware_at: at(-0.5), reason: 'x' },
        'aware_at must not be after intermediate_report_due_at',
      );
      await refused(
        { affects_trust_service: false, reason: 'x' },
        'affects_trust_service must be true where affects_qualified_trust_service is',
      );
      const neither = { title: 'Breach', severity: 'HIGH', affects_qualified_trust_service: true };
      expectFailure(await call('open', { ...neither, occurred_at: at(0), aware_at: at(-1) }), 'BAD_USER_INPUT', [
        'occurred_at must not be after aware_at',
        'affects_qualified_trust_service must not be true unless affects_trust_service is',
      ]);
      // The same instant is allowed.
      await data('update', { incident_id: id, occurred_at: at(-4), aware_at: at(-4) });
    });
  });

  test('a new evaluation retains what was recorded, shows both, and is refused for a closed incident', async () => {
    await settle(-900, { country: 'IT' });
    clock.set(0);
    const { id } = await open({ significant: true, aware_at: at(-30) });
    await data('record', { incident_id: id, regime_id: 'nis2-it', stage: 'EARLY_WARNING' });
    await settle(1, { country: 'DE' });
    const anew = { incident_id: id, reason: 'It was German all the time.' };
    const judged: Incident = await data('rejudge', anew, officer);
    expect(judged.clock.stages.find(({ regime_id }) => regime_id === 'nis2-it')).toMatchObject({
      ...{ stage: 'EARLY_WARNING', due_at: at(-6), late: true },
      judged_now: { applies: false, due_at: null, late: false },
    });
    expect(regimesOf(judged)).toContain('nis2');
    await data('close', { incident_id: id, reason: 'A duplicate.' }, officer);
    expectConflict(await call('rejudge', anew, officer), 'INCIDENT_CLOSED');
  });

  test('another time of awareness takes the facts of that time, and an entry says so', async () => {
    await settle(-900, { country: 'IT' });
    await settle(-50, { country: 'DE' });
    clock.set(0);
    const { id } = await open({ significant: true, aware_at: at(-40) });
    // Reports of a replaced regime are not due any more.
    expectFailure(await call('update', { incident_id: id, aware_at: at(-60) }), 'FORBIDDEN');
    const change = { incident_id: id, aware_at: at(-60), reason: 'The first alarm was overlooked.' };
    const earlier: Incident = await data('update', change, officer);
    expect(earlier.clock.facts_as_of).toBe(at(-60));
    expect(regimesOf(earlier)).toEqual(['nis2-it']);
    const timeline = await data('timeline', { incident_id: id }, officer);
    const { changes } = timeline.at(-1).entry;
    expect(changes).toContainEqual({ field: 'regimes', before: ['nis2'], after: ['nis2-it'] });
  });
});
