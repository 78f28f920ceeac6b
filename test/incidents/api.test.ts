import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { ROLES } from '../../src/values/enums.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { personOf } from '../support/rest.js';
import { buildIncident, buildOrganization, join, type Person } from '../support/test-data.js';

const STAGE = `regime_id: regimeId regime_name: regimeName source reason stage number state due_at: dueAt late
  sent_at: sentAt sent_by: sentBy { username } recipient reference attachment_id: attachmentId manner manner_reason: mannerReason
  extended_to: extendedTo portal_url: portalUrl judged_now: judgedNow { applies due_at: dueAt late }`;
const INCIDENT = `id: databaseId organization { id: databaseId name logo } title description severity status significant
  aware_at: awareAt occurred_at: occurredAt handled_at: handledAt suspected_malicious: suspectedMalicious cross_border: crossBorder
  affects_trust_service: affectsTrustService affects_qualified_trust_service: affectsQualifiedTrustService
  personal_data_concerned: personalDataConcerned
  exploited_vulnerability: exploitedVulnerability product_concerned: productConcerned
  classified_at: classifiedAt fix_available_at: fixAvailableAt
  intermediate_report_due_at: intermediateReportDueAt category indicators impact root_cause: rootCause mitigation
  clock { applies stages { ${STAGE} } facts_as_of: factsAsOf facts { fact values }
    out_of_scope: outOfScope { regime_id: regimeId regime_name: regimeName source reason } }
  opened_by: openedBy { username } created_at: createdAt updated_at: updatedAt closed_at: closedAt closed_by: closedBy { username }`;
const REPORT = `id: databaseId regime_id: regimeId stage number sent_at: sentAt sent_by: sentBy { username } recipient
  reference attachment_id: attachmentId reason recorded_by: recordedBy { username } recorded_at: recordedAt
  manner due_at: dueAt late source extended_to: extendedTo`;

const PATH = '/api/v1/v-ciso/incidents/{organization_id}';

/** The payload of a change of an incident. */
const CHANGED = `incident { ${INCIDENT} }`;

const OPERATIONS = {
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int, $orderBy: IncidentOrder, $filter: IncidentFilter) {
      organization(id: $organizationId) { incidents(first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) {
        totalCount nodes { ${INCIDENT} } } } }`,
    at: 'organization.incidents',
  },
  read: {
    rest: `GET ${PATH}/{incident_id}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { ${INCIDENT} } }`,
    at: 'incident',
  },
  open: mutation(`POST ${PATH}`, 'openIncident', CHANGED),
  update: mutation(`PATCH ${PATH}/{incident_id}`, 'updateIncident', CHANGED),
  close: mutation(`POST ${PATH}/{incident_id}/close`, 'closeIncident', CHANGED),
  reopen: mutation(`POST ${PATH}/{incident_id}/reopen`, 'reopenIncident', CHANGED),
  reports: {
    rest: `GET ${PATH}/{incident_id}/reports`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $first: Int) {
      incident(organizationId: $organizationId, id: $incidentId) { reports(first: $first) { totalCount nodes { ${REPORT} } } } }`,
    at: 'incident.reports',
  },
  record: mutation(`POST ${PATH}/{incident_id}/reports`, 'recordIncidentReport', CHANGED),
  correct: mutation(`PATCH ${PATH}/{incident_id}/reports/{regime_id}/{stage}`, 'correctIncidentReport', CHANGED),
} satisfies Record<string, Operation>;

const clock = new TestClock();
const at = (hours: number) => clock.at(hours).toISOString();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
beforeEach(() => clock.set(0));

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

/** Notifications of a person about an incident, newest first. */
async function notified({ id }: Person, incidentId: number): Promise<string[]> {
  await gateway.settled();
  const rows = await sql<{ title: string; message: string }>(
    `select title, message from notification where user_id = $1 and href like '/organizations/%/incidents/' || $2 order by id desc`,
    [id, String(incidentId)],
  );
  return rows.map(({ title, message }) => `${title}: ${message}`);
}

const NEEDS_REASON = 'reason is required where a report may then be sent later or not at all';

/** The newest entry about an incident in the audit trail. */
async function entry(incidentId: number): Promise<object> {
  const [row] = await sql<{ entry: string }>(
    'select entry from audit_entry where subject = $1 order by position desc limit 1',
    [`INCIDENT/${incidentId}`],
  );
  return JSON.parse(row!.entry);
}

interface Incident {
  id: number;
  title: string;
}

interface Stage {
  regime_id: string;
  stage: string;
  number: number;
  state: string;
  due_at: string | null;
  late: boolean;
}

/** A report of the clock of an incident. */
function stageOf({ clock: { stages } }: { clock: { stages: Stage[] } }, stage: string, regime = 'nis2', number = 1) {
  return stages.find((each) => each.regime_id === regime && each.stage === stage && each.number === number);
}

/** Deadlines calculated from it would have a year with more than four digits. */
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: { token: string } = testData.analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: testData.organizationId, ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input?: object, person?: Person) =>
    dataOf(await call(name, input, person));
  const open = async (fields: object = {}): Promise<number> =>
    (await data('open', { title: 'Phish', severity: 'LOW', ...fields })).id;
  const read = (id: number) => data('read', { incident_id: id }, testData.viewer);
  const change = (id: number, fields: object) => call('update', { incident_id: id, ...fields });
  const record = (id: number, stage: string, hours?: number) =>
    call('record', { incident_id: id, regime_id: 'nis2', stage, ...(hours !== undefined && { sent_at: at(hours) }) });
  const correct = (id: number, stage: string, fields: object) =>
    call('correct', { incident_id: id, regime_id: 'nis2', stage, ...fields }, testData.officer);
  const history = (id: number): Promise<Record<string, unknown>[]> =>
    data('reports', { incident_id: id }, testData.viewer);

  describe('opening an incident', () => {
    test('answers the whole record, whose clock runs from when the organization became aware', async () => {
      clock.set(1);
      const opened = await data('open', {
        title: '  Breach  ',
        description: 'Line one\nLine two',
        severity: 'CRITICAL',
        significant: true,
        aware_at: at(-2).replace('Z', '+00:00'),
        suspected_malicious: true,
        affects_trust_service: false,
        occurred_at: at(-5),
        indicators: '203.0.113.7\n203.0.113.8',
        impact: 'Mail is down.',
      });
      const nis2 = {
        regime_id: 'nis2',
        regime_name: 'NIS 2',
        source: 'Directive (EU) 2022/2555, Article 23; Member States may require more.',
        reason: 'The incident is significant in the sense of Article 23(3).',
      };
      const unsent = {
        ...{ late: false, sent_at: null, sent_by: null, recipient: 'CSIRT or competent authority', reference: '' },
        ...{
          attachment_id: null,
          manner: null,
          manner_reason: null,
          extended_to: null,
          portal_url: null,
          judged_now: null,
        },
      };
      const stage = (name: string, state: string, due_at: string | null = null) => ({
        ...nis2,
        ...{ stage: name, number: 1, state, due_at },
        ...unsent,
      });
      const toPeople = (name: string, where: string) => ({
        ...{ ...stage(name, 'TO_BE_DECIDED'), reason: expect.stringContaining(where) },
        recipient: expect.stringContaining('Recipients of the services'),
      });
      const incident = {
        id: opened.id,
        organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
        title: 'Breach',
        description: 'Line one\nLine two',
        severity: 'CRITICAL',
        status: 'OPEN',
        significant: true,
        aware_at: at(-2),
        occurred_at: at(-5),
        handled_at: null,
        suspected_malicious: true,
        cross_border: null,
        affects_trust_service: false,
        affects_qualified_trust_service: null,
        personal_data_concerned: null,
        exploited_vulnerability: null,
        product_concerned: null,
        classified_at: null,
        fix_available_at: null,
        intermediate_report_due_at: null,
        category: '',
        indicators: '203.0.113.7\n203.0.113.8',
        impact: 'Mail is down.',
        root_cause: '',
        mitigation: '',
        clock: {
          applies: true,
          stages: [
            stage('EARLY_WARNING', 'PENDING', at(22)),
            stage('NOTIFICATION', 'PENDING', at(70)),
            stage('INTERMEDIATE_REPORT', 'NOT_REQUIRED'),
            stage('PROGRESS_REPORT', 'NOT_REQUIRED'),
            stage('FINAL_REPORT', 'PENDING'),
            toPeople('COMMUNICATION', 'likely to adversely affect the provision of the services.'),
            toPeople('THREAT_COMMUNICATION', 'against which recipients can take measures.'),
          ],
          facts_as_of: at(-2),
          facts: [
            { fact: 'sector', values: [] },
            { fact: 'country', values: [] },
            { fact: 'time_zone', values: ['UTC'] },
            { fact: 'entity_type', values: [] },
            { fact: 'nis2_sector', values: ['Infrastrutture digitali'] },
            { fact: 'nis2_reporting_from', values: [] },
            { fact: 'trust_service_provider', values: ['false'] },
            { fact: 'qualified_trust_service_provider', values: ['false'] },
          ],
          out_of_scope: [],
        },
        opened_by: testData.analyst.username,
        created_at: at(1),
        updated_at: at(1),
        closed_at: null,
        closed_by: null,
      };
      expect(opened).toEqual(incident);
      expect(Object.keys(opened)).toEqual(Object.keys(incident));
      expect(JSON.stringify(await read(opened.id))).toBe(JSON.stringify(opened));
    });

    test('uses the current time when no time is given, and owes no reports', async () => {
      expect(await read(await open())).toMatchObject({
        description: '',
        significant: false,
        aware_at: clock.now().toISOString(),
        clock: { applies: false, stages: [] },
      });
    });

    const LATE = new Date(clock.at(0).getTime() + 1).toISOString();
    test.each([
      [{ description: 'x' }, ['title is required', 'severity is required']],
      [{ title: 'x', severity: 'LOW', aware_at: LATE }, ['aware_at must not be in the future']],
      [
        { title: 'x', severity: 'LOW', significant: true, aware_at: LAST_INSTANT },
        ['aware_at must not be in the future'],
      ],
      [
        { title: ' ', description: 'a\u0007', severity: 'LOW', aware_at: LATE },
        ['title is required', 'description must not contain control characters'],
      ],
      [
        { title: 1, severity: 'SEVERE', aware_at: 'soon', status: 'OPEN' },
        [
          'title must be a string',
          'severity must be one of LOW, MEDIUM, HIGH, CRITICAL',
          'aware_at must be a date-time such as 2026-11-20T08:15:30Z',
          'status is not a known field',
        ],
      ],
    ])('is refused with every error at once: %j', async (input, messages) => {
      expectFailure(await call('open', input), 'BAD_USER_INPUT', messages);
    });

    test.each([
      ['title', 200],
      ['description', 10_000],
    ])('accepts a %s of %i characters and no more, and so does changing', async (field, most) => {
      const id = await open({ [field]: '💥'.repeat(most) });
      expect((await read(id))[field]).toBe('💥'.repeat(most));
      const longer = { title: 'x', severity: 'LOW', [field]: 'a'.repeat(most + 1) };
      const messages = [`${field} must not be longer than ${most} characters`];
      expectFailure(await call('open', longer), 'BAD_USER_INPUT', messages);
      expectFailure(await change(id, { [field]: 'a'.repeat(most + 1) }), 'BAD_USER_INPUT', messages);
    });

    test('notifies the members who want alerts, but not the one who opened it', async () => {
      const organizationId = await buildOrganization(gateway.app.database, 'Notified');
      for (const role of ROLES) await join(gateway.app.database, personOf(testData, role), organizationId, role);
      await sql('update membership set alert_v_ciso = false where user_id = $1 and organization_id = $2', [
        testData.manager.id,
        organizationId,
      ]);
      const id = await open({ title: 'For all', organization_id: organizationId });
      const message = `Incident opened: ${testData.analyst.username} has opened “For all”.`;
      for (const role of ROLES) {
        const isNotified = !['SECURITY_ANALYST', 'ORGANIZATION_MANAGER'].includes(role);
        const found = await notified(personOf(testData, role), id);
        expect([role, found]).toEqual([role, isNotified ? [message] : []]);
      }
      await gateway.settled();
      const hrefs = await sql('select distinct href from notification where organization_id = $1', [organizationId]);
      expect(hrefs).toEqual([{ href: `/organizations/${organizationId}/incidents/${id}` }]);
    });
  });

  describe('reading an incident', () => {
    test('finds no incident of another organization', async () => {
      const foreign = await buildIncident(gateway.app.database, testData.otherOrganizationId);
      for (const id of [foreign, 2147483647])
        expectFailure(await call('read', { incident_id: id }, testData.owner), 'NOT_FOUND');
    });
  });

  describe('changing an incident', () => {
    test('leaves what is absent as it is, and empties a description that is null', async () => {
      const id = await open({ description: 'Long', significant: true });
      const before = await read(id);
      clock.set(2);
      const after = { ...before, severity: 'HIGH', status: 'CONTAINED', updated_at: at(2) };
      expect(dataOf(await change(id, { severity: 'HIGH', status: 'CONTAINED' }))).toEqual(after);
      expect(dataOf(await change(id, { description: null }))).toEqual({ ...after, description: '' });
    });

    test('changes nothing and notifies no one when nothing is new', async () => {
      const id = await open();
      const before = await read(id);
      clock.set(3);
      expect(dataOf(await change(id, {}))).toEqual(before);
      const same = { title: ' Phish ', severity: 'LOW', status: 'OPEN', aware_at: before.aware_at };
      expect(dataOf(await change(id, same))).toEqual(before);
      expect(await notified(testData.owner, id)).toHaveLength(1);
    });

    test.each([
      [
        { title: null, severity: null, status: null, significant: null, aware_at: null },
        ['title', 'severity', 'status', 'significant', 'aware_at'].map((field) => `${field} must not be null`),
      ],
      [{ status: 'CLOSED' }, ['status must be one of OPEN, CONTAINED, RESOLVED']],
      [{ aware_at: at(1) }, ['aware_at must not be in the future']],
      [{ significant: true, aware_at: LAST_INSTANT }, ['aware_at must not be in the future']],
      [
        { severity: '\u0007', description: '\u0007' },
        ['description must not contain control characters', 'severity must be one of LOW, MEDIUM, HIGH, CRITICAL'],
      ],
    ])('refuses %j', async (fields, messages) => {
      expectFailure(await change(await open(), fields), 'BAD_USER_INPUT', messages);
    });

    test('is refused of a closed incident as closed, also where it is sent back as it was read', async () => {
      const id = await open();
      dataOf(await call('close', { incident_id: id }));
      for (const fields of [{ title: 'Phish', status: 'CLOSED' }, { title: 'Phishing', status: 'CLOSED' }, {}])
        expectConflict(await change(id, fields), 'INCIDENT_CLOSED');
    });

    test('moves the clock with the time of becoming aware, never past a report that was sent', async () => {
      const id = await open({ significant: true, aware_at: at(-10) });
      const moved = dataOf(await change(id, { aware_at: at(-30) }));
      expect(stageOf(moved, 'EARLY_WARNING')).toMatchObject({ state: 'OVERDUE', due_at: at(-6) });
      dataOf(await record(id, 'EARLY_WARNING', -20));
      const later = (time: string) =>
        call('update', { incident_id: id, aware_at: time, reason: 'Found out later.' }, testData.officer);
      dataOf(await later(at(-20)));
      const late = new Date(clock.at(-20).getTime() + 1).toISOString();
      expectFailure(await later(late), 'BAD_USER_INPUT', ['aware_at must not be after the first report was sent']);
    });

    test('makes an incident that becomes significant owe its reports from when it was known', async () => {
      const id = await open({ aware_at: at(-25) });
      expect((await read(id)).clock).toMatchObject({ applies: false, stages: [] });
      const running = dataOf(await change(id, { significant: true }));
      expect(stageOf(running, 'EARLY_WARNING')).toMatchObject({ state: 'OVERDUE', due_at: at(-1) });
    });

    test('stores every change of requests that arrive at once', async () => {
      const id = await open();
      const changes = [{ title: 'New title' }, { severity: 'HIGH' }, { description: 'New' }, { status: 'RESOLVED' }];
      await Promise.all(changes.map((fields) => change(id, fields)));
      expect(await read(id)).toMatchObject(Object.assign({}, ...changes));
    });

    test('notifies of the names of what was changed', async () => {
      const id = await open({ title: 'Named' });
      dataOf(await change(id, { severity: 'HIGH', significant: true }));
      expect((await notified(testData.owner, id))[0]).toBe(
        `Incident updated: ${testData.analyst.username} has changed “Named”: severity, significance.`,
      );
    });
  });

  describe('closing and reopening an incident', () => {
    const close = (id: number) => call('close', { incident_id: id });
    const reopen = (id: number) => data('reopen', { incident_id: id }, testData.officer);

    test('records when and who closed it, changes nothing the second time, and refuses changes from then on', async () => {
      const id = await open();
      clock.set(4);
      const closed = dataOf(await close(id));
      expect(closed).toMatchObject({
        status: 'CLOSED',
        closed_at: at(4),
        closed_by: testData.analyst.username,
        updated_at: at(4),
      });
      clock.set(5);
      expect(dataOf(await close(id))).toEqual(closed);
      expect(await notified(testData.owner, id)).toHaveLength(2);
      expectConflict(await change(id, { title: 'x' }), 'INCIDENT_CLOSED');
      expectConflict(await record(id, 'EARLY_WARNING'), 'INCIDENT_CLOSED');
    });

    test('takes an officer and a reason until every report that a significant incident owes was sent', async () => {
      const id = await open({ significant: true });
      for (const stage of ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT']) {
        expectFailure(await call('close', { incident_id: id, reason: 'No.' }), 'FORBIDDEN');
        for (const reason of [undefined, null])
          expectFailure(await call('close', { incident_id: id, reason }, testData.officer), 'BAD_USER_INPUT', [
            NEEDS_REASON,
          ]);
        dataOf(await record(id, stage));
      }
      expect(dataOf(await close(id)).status).toBe('CLOSED');
    });

    test('by an officer with a reason records the reason in the audit trail', async () => {
      const id = await open({ significant: true });
      const closed = await data('close', { incident_id: id, reason: ' Reported by telephone. ' }, testData.officer);
      expect(closed).toMatchObject({ status: 'CLOSED' });
      expect(stageOf(closed, 'EARLY_WARNING')).toMatchObject({ state: 'PENDING' });
      expect(await entry(id)).toMatchObject({ action: 'INCIDENT_CLOSED', reason: 'Reported by telephone.' });
    });

    test('opens a closed incident again, and leaves an open one as it is', async () => {
      const id = await open();
      const untouched = await read(id);
      expect(await reopen(id)).toEqual(untouched);
      dataOf(await close(id));
      clock.set(6);
      expect(await reopen(id)).toEqual({ ...untouched, updated_at: at(6) });
      dataOf(await change(id, { title: 'Once more' }));
      expect((await notified(testData.owner, id)).map((text) => text.split(':')[0])).toEqual([
        'Incident updated',
        'Incident reopened',
        'Incident closed',
        'Incident opened',
      ]);
    });

    test('notifies once when many requests close it at once', async () => {
      const id = await open();
      for (const answer of await Promise.all(Array.from({ length: 6 }, () => close(id)))) dataOf(answer);
      expect(await notified(testData.owner, id)).toHaveLength(2);
    });
  });

  describe('a change that lets a report be sent later or not at all', () => {
    test.each([
      ['a later time of becoming aware', { aware_at: at(-1) }],
      ['that it is not significant', { significant: false }],
    ])('takes an officer and a reason: %s', async (_what, fields) => {
      const id = await open({ significant: true, aware_at: at(-30) });
      const before = await read(id);
      const change = { incident_id: id, ...fields };
      expectFailure(await call('update', { ...change, reason: 'Because.' }), 'FORBIDDEN');
      for (const reason of [undefined, null])
        expectFailure(await call('update', { ...change, reason }, testData.officer), 'BAD_USER_INPUT', [NEEDS_REASON]);
      expect(await read(id)).toEqual(before);
      expect(await data('update', { ...change, reason: 'Found out later.' }, testData.officer)).toMatchObject(fields);
      const [[field, after]] = Object.entries(fields) as [[string, unknown]];
      const changed =
        field === 'aware_at' ? { awareAt: { before: at(-30), after } } : { significant: { before: true, after } };
      expect(await entry(id)).toMatchObject({
        action: 'INCIDENT_UPDATED',
        reason: 'Found out later.',
        changes: changed,
      });
    });

    test.each([
      ['a later time of becoming aware', { aware_at: at(-1) }],
      ['that it is not significant', { significant: false }],
    ])('takes them in an organization that owes no report as well: %s', async (_what, fields) => {
      const { database } = gateway.app;
      const organization_id = await buildOrganization(database, 'Owes nothing');
      await sql(`update organization set nis2_sector = '' where id = $1`, [organization_id]);
      await join(database, testData.analyst, organization_id, 'SECURITY_ANALYST');
      await join(database, testData.officer, organization_id, 'SECURITY_OFFICER');
      const id = await open({ organization_id, significant: true, aware_at: at(-30) });
      const input = { organization_id, incident_id: id, ...fields };
      expectFailure(await call('update', { ...input, reason: 'Because.' }), 'FORBIDDEN');
      expectFailure(await call('update', input, testData.officer), 'BAD_USER_INPUT', [NEEDS_REASON]);
    });

    test.each([
      ['that no personal data are concerned', { personal_data_concerned: false }],
      ['that no trust service is affected', { affects_trust_service: false }],
      ['a later end of the handling', { handled_at: at(-1) }],
      ['no end of the handling', { handled_at: null }],
      ['a later deadline of the intermediate report', { intermediate_report_due_at: at(101) }],
      ['no request for an intermediate report', { intermediate_report_due_at: null }],
    ])('is whatever else moves a deadline forward: %s', async (_what, fields) => {
      await sql('update organization set trust_service_provider = true where id = $1', [testData.organizationId]);
      const id = await open({
        ...{ significant: true, aware_at: at(-30), personal_data_concerned: true, affects_trust_service: true },
        ...{ handled_at: at(-2), intermediate_report_due_at: at(100) },
      });
      // The final report is then counted from the end of the handling.
      await record(id, 'EARLY_WARNING', -29);
      await record(id, 'NOTIFICATION', -28);
      await sql(`update incident set aware_at = aware_at - interval '60 days', handled_at = handled_at where id = $1`, [
        id,
      ]);
      await sql(`update incident_report set sent_at = sent_at - interval '60 days' where incident_id = $1`, [id]);
      if ('affects_trust_service' in fields)
        await sql(`delete from incident_report where incident_id = $1 and stage = 'NOTIFICATION'`, [id]);
      try {
        expectFailure(await change(id, { ...fields, reason: 'Because.' }), 'FORBIDDEN');
        const input = { incident_id: id, ...fields };
        expectFailure(await call('update', input, testData.officer), 'BAD_USER_INPUT', [NEEDS_REASON]);
        dataOf(await call('update', { ...input, reason: 'It was known later.' }, testData.officer));
        expect(await entry(id)).toMatchObject({ reason: 'It was known later.' });
      } finally {
        await sql('update organization set trust_service_provider = false where id = $1', [testData.organizationId]);
      }
    });

    test('is none when the time of becoming aware is earlier: an analyst may set it', async () => {
      const id = await open({ significant: true, aware_at: at(-30) });
      expect(await data('update', { incident_id: id, aware_at: at(-31) })).toMatchObject({ aware_at: at(-31) });
      expect(await entry(id)).not.toHaveProperty('reason');
    });

    test('is not the only one whose reason is recorded', async () => {
      const id = await open();
      dataOf(await change(id, { severity: 'CRITICAL', reason: ' More systems than we thought. ' }));
      expect(await entry(id)).toMatchObject({ reason: 'More systems than we thought.' });
      await data('close', { incident_id: id, reason: ' A false alarm. ' });
      expect(await entry(id)).toMatchObject({ action: 'INCIDENT_CLOSED', reason: 'A false alarm.' });
    });

    test('takes no reason alone, which nothing would have; sent again with its change, it changes nothing', async () => {
      const id = await open();
      const alone = ['reason must be given together with a change'];
      expectFailure(await change(id, { reason: 'More systems.' }), 'BAD_USER_INPUT', alone);
      const sent = { severity: 'CRITICAL', reason: 'More systems.' };
      dataOf(await change(id, sent));
      const recorded = await entry(id);
      expect(recorded).toMatchObject({ reason: 'More systems.' });
      dataOf(await change(id, sent));
      expect(await entry(id)).toEqual(recorded);
    });

    test('takes a reason of at most 1,000 characters', async () => {
      const id = await open({ significant: true });
      const change = (reason: string) =>
        call('update', { incident_id: id, significant: false, reason }, testData.officer);
      expectFailure(await change('x'.repeat(1001)), 'BAD_USER_INPUT', [
        'reason must not be longer than 1000 characters',
      ]);
      dataOf(await change('x'.repeat(1000)));
    });
  });

  describe('the list of incidents', () => {
    let organizationId: number;

    beforeAll(async () => {
      organizationId = await buildOrganization(gateway.app.database, 'Listed');
      await join(gateway.app.database, testData.viewer, organizationId, 'VIEWER');
      await sql(
        `insert into incident (organization_id, title, severity, status, significant, aware_at, created_at, updated_at)
         select $1, n::text, (array['LOW','CRITICAL','MEDIUM','HIGH','LOW'])[n], (array['OPEN','CLOSED','OPEN','RESOLVED','CLOSED'])[n],
                n % 2 = 0, timestamptz '2026-01-01Z' - make_interval(days => n),
                timestamptz '2026-02-01Z' + make_interval(days => n / 2), timestamptz '2026-03-01Z' + make_interval(days => n * n % 5)
           from generate_series(1, 5) n`,
        [organizationId],
      );
    });

    const list = (query: object) => call('list', { organization_id: organizationId, ...query }, testData.viewer);
    const titles = async (query: object) =>
      (dataOf(await list(query)) as Incident[]).map(({ title }) => title).join('');

    test.each([
      [{}, '54321'],
      [{ sort: 'created_at' }, '12345'],
      [{ sort: 'aware_at' }, '54321'],
      [{ sort: '-aware_at' }, '12345'],
      [{ sort: 'severity' }, '15342'],
      [{ sort: '-severity' }, '24351'],
      [{ sort: 'updated_at' }, '51423'],
    ])('is ordered newest first or as it is said, the id breaking ties: %j', async (query, expected) => {
      expect(await titles(query)).toBe(expected);
      const pages = await Promise.all([0, 2, 4].map((offset) => titles({ ...query, limit: 2, offset })));
      expect(pages.join('')).toBe(expected);
    });

    test.each([
      [{ status: 'CLOSED' }, '52'],
      [{ severity: 'LOW' }, '51'],
      [{ significant: true }, '42'],
      [{ significant: false }, '531'],
      [{ status: 'CLOSED', severity: 'LOW', significant: false }, '5'],
      [{ status: 'CLOSED', severity: 'MEDIUM' }, ''],
    ])('has only incidents that meet every filter, and counts them: %j', async (query, expected) => {
      expect(await titles(query)).toBe(expected);
      expect((await list({ ...query, limit: 1 })).total).toBe(expected.length);
    });

    test('shows each incident as it is read by itself', async () => {
      for (const incident of dataOf(await list({})) as Incident[]) {
        const alone = { organization_id: organizationId, incident_id: incident.id };
        expect(JSON.stringify(await data('read', alone, testData.viewer))).toBe(JSON.stringify(incident));
      }
    });
  });

  test('dates of the handling and of requests are not before awareness, and reports are of known regimes', async () => {
    const id = await open({ significant: true, aware_at: at(-2) });
    expectFailure(
      await change(id, { classified_at: at(-3), handled_at: at(-3), intermediate_report_due_at: at(-3) }),
      'BAD_USER_INPUT',
      [
        'classified_at must not be before aware_at',
        'handled_at must not be before aware_at',
        'intermediate_report_due_at must not be before aware_at',
      ],
    );
    expectFailure(
      await change(id, { classified_at: at(1), handled_at: at(1), fix_available_at: at(1) }),
      'BAD_USER_INPUT',
      [
        'classified_at must not be in the future',
        'handled_at must not be in the future',
        'fix_available_at must not be in the future',
      ],
    );
    const instant = { classified_at: at(-2), handled_at: at(-2), intermediate_report_due_at: at(-2) };
    dataOf(await change(await open({ significant: true, aware_at: at(-2) }), instant));
    dataOf(await change(id, { classified_at: at(-1), handled_at: at(-1) }));
    expectFailure(
      await call('update', { incident_id: id, aware_at: at(0), reason: 'x' }, testData.officer),
      'BAD_USER_INPUT',
      ['aware_at must not be after classified_at', 'aware_at must not be after handled_at'],
    );
    const recordOf = (fields: object) => call('record', { incident_id: id, stage: 'EARLY_WARNING', ...fields });
    expectFailure(await recordOf({ regime_id: 'gdpr' }), 'BAD_USER_INPUT', [
      'stage must be one of NOTIFICATION, COMMUNICATION',
    ]);
    expectFailure(await recordOf({ regime_id: 'nis3' }), 'BAD_USER_INPUT', [
      'regime_id must be one of cra-incident, cra-vulnerability, dora, eidas, gdpr, nis2-it, nis2',
    ]);
    const foreign = { regime_id: 'nis2', attachment_id: 2147483647 };
    expectFailure(await recordOf(foreign), 'BAD_USER_INPUT', ['attachment_id must be a file of the incident']);
    expectFailure(await change(id, { category: 'IS-1' }), 'BAD_USER_INPUT', [
      'category must be empty: no regime that applies has any',
    ]);
  });

  test('on a day on which no regime was in force yet there is none to report under', async () => {
    const id = await open({ aware_at: '2018-05-24T12:00:00Z' });
    const recordOf = { incident_id: id, regime_id: 'gdpr', stage: 'NOTIFICATION' };
    expectFailure(await call('record', recordOf), 'BAD_USER_INPUT', [
      'regime_id must be of a regime in force on the day of awareness: there was none',
    ]);
  });

  describe('recording a report', () => {
    let id: number;
    beforeEach(async () => {
      id = await open({ title: 'Breach', significant: true, aware_at: at(0) });
      clock.set(30);
    });

    test('shows who sent what and when, and gives the final report its deadline', async () => {
      clock.set(30.5);
      const by = testData.analyst.username;
      const early = dataOf(await record(id, 'EARLY_WARNING', 20));
      expect(stageOf(early, 'EARLY_WARNING')).toMatchObject({
        state: 'SENT',
        due_at: at(24),
        sent_at: at(20),
        sent_by: by,
      });
      expect(early.updated_at).toBe(at(30.5));
      const particulars = { recipient: 'CSIRT Italia', reference: 'IT-7' };
      const input = { incident_id: id, regime_id: 'nis2', stage: 'NOTIFICATION', ...particulars };
      const after = await data('record', { ...input, recipient: ' CSIRT Italia ' });
      const notification = { ...particulars, state: 'SENT', due_at: at(72), sent_at: at(30.5), sent_by: by };
      expect(stageOf(after, 'NOTIFICATION')).toMatchObject(notification);
      dataOf(await change(id, { handled_at: at(30) }));
      const monthLater = DateTime.fromJSDate(clock.now(), { zone: 'utc' }).plus({ months: 1 }).toISO();
      expect(stageOf(await read(id), 'FINAL_REPORT')).toMatchObject({ state: 'PENDING', due_at: monthLater });
      const [newest, oldest] = await history(id);
      const record_ = { id: newest!['id'], regime_id: 'nis2', stage: 'NOTIFICATION', number: 1, sent_at: at(30.5) };
      const sent = { ...record_, sent_by: by, ...particulars, attachment_id: null, reason: '' };
      const judged = { manner: 'SENT', due_at: at(72), late: false };
      const source = 'Directive (EU) 2022/2555, Article 23; Member States may require more.';
      expect(JSON.stringify(newest)).toBe(
        JSON.stringify({ ...sent, recorded_by: by, recorded_at: at(30.5), ...judged, source, extended_to: null }),
      );
      expect(oldest).toMatchObject({ stage: 'EARLY_WARNING', sent_at: at(20), recorded_at: at(30.5) });
      expect((await notified(testData.owner, id)).slice(1, 3)).toEqual([
        `Report recorded: ${by} has recorded that the notification (NIS 2) on “Breach” was sent.`,
        `Report recorded: ${by} has recorded that the early warning (NIS 2) on “Breach” was sent.`,
      ]);
    });

    test('is overdue one millisecond after its deadline, and sent when it comes too late', async () => {
      const state = async () => stageOf(await read(id), 'EARLY_WARNING')?.state;
      clock.set(24);
      expect(await state()).toBe('DUE_SOON');
      clock.set(24, 1);
      expect(await state()).toBe('OVERDUE');
      clock.set(24 * 9);
      const after = dataOf(await record(id, 'EARLY_WARNING'));
      expect(stageOf(after, 'EARLY_WARNING')).toMatchObject({ state: 'SENT', sent_at: at(24 * 9), late: true });
    });

    test('retains the order of the stages, each once', async () => {
      expectConflict(await record(id, 'NOTIFICATION'), 'EARLIER_REPORT_MISSING');
      expectConflict(await record(id, 'FINAL_REPORT'), 'EARLIER_REPORT_MISSING');
      dataOf(await record(id, 'EARLY_WARNING', 5));
      expectConflict(await record(id, 'EARLY_WARNING', 6), 'REPORT_ALREADY_RECORDED');
      expectConflict(await record(id, 'FINAL_REPORT'), 'EARLIER_REPORT_MISSING');
      dataOf(await record(id, 'NOTIFICATION', 5));
      dataOf(await record(id, 'FINAL_REPORT', 5));
      expect(await history(id)).toHaveLength(3);
    });

    test('refuses times that are impossible, to the millisecond', async () => {
      const sentAt = (instant: number) =>
        call('record', {
          ...{ incident_id: id, regime_id: 'nis2', stage: 'EARLY_WARNING' },
          sent_at: new Date(instant).toISOString(),
        });
      const refused = async (answer: Awaited<ReturnType<typeof sentAt>>, ...messages: string[]) =>
        expectFailure(answer, 'BAD_USER_INPUT', messages);
      const [aware, now] = [clock.at(0).getTime(), clock.now().getTime()];
      await refused(await sentAt(now + 1), 'sent_at must not be in the future');
      await refused(await sentAt(aware - 1), 'sent_at must not be before aware_at');
      dataOf(await sentAt(aware));
      dataOf(await record(id, 'NOTIFICATION', 10));
      await refused(await record(id, 'FINAL_REPORT', 9), 'sent_at must not be before the preceding report was sent');
      await refused(
        await call('record', { incident_id: id, stage: 'LAST', sent_at: 1 }),
        'regime_id is required',
        'stage must be one of EARLY_WARNING, NOTIFICATION, INTERMEDIATE_REPORT, PROGRESS_REPORT, FINAL_REPORT, COMMUNICATION, THREAT_COMMUNICATION',
        'sent_at must be a date-time such as 2026-11-20T08:15:30Z',
      );
    });

    test('happens once when many requests record the same stage at once', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, (_, hours) => record(id, 'EARLY_WARNING', hours)));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array<string>(5).fill('CONFLICT'), 'OK']);
      expect(await history(id)).toHaveLength(1);
      expect(await notified(testData.owner, id)).toHaveLength(2);
    });
  });

  describe('correcting a report', () => {
    const reason = 'The receipt of the authority says so';
    let id: number;
    beforeEach(async () => {
      id = await open({ title: 'Breach', significant: true, aware_at: at(0) });
      clock.set(30);
    });

    test('moves its time and the deadline that follows from it, and retains the sender and the history', async () => {
      await record(id, 'EARLY_WARNING', 5);
      await record(id, 'NOTIFICATION', 20);
      const fields = { sent_at: at(19), reference: 'IT-8', reason: ` ${reason} ` };
      const after = dataOf(await correct(id, 'NOTIFICATION', fields));
      expect(stageOf(after, 'NOTIFICATION')).toMatchObject({
        ...{ sent_at: at(19), reference: 'IT-8', sent_by: testData.analyst.username },
      });
      const monthLater = DateTime.fromISO(at(19), { zone: 'utc' }).plus({ months: 1 }).toISO();
      expect(stageOf(after, 'PROGRESS_REPORT')!.due_at).toBe(monthLater);
      expect(
        (await history(id)).map(({ stage, sent_at, reason: why, recorded_by }) => [stage, sent_at, why, recorded_by]),
      ).toEqual([
        ['NOTIFICATION', at(19), reason, testData.officer.username],
        ['NOTIFICATION', at(20), '', testData.analyst.username],
        ['EARLY_WARNING', at(5), '', testData.analyst.username],
      ]);
      expect((await notified(testData.owner, id))[0]).toBe(
        `Report corrected: ${testData.officer.username} has corrected the record of the notification (NIS 2) on “Breach”.`,
      );
    });

    test('of another field leaves its time unchanged, and the trail has no change of it', async () => {
      await record(id, 'EARLY_WARNING', 5);
      dataOf(await correct(id, 'EARLY_WARNING', { sent_at: at(5), reference: 'IT-9', reason }));
      const path = `/api/v1/organizations/${testData.organizationId}/changes`;
      const query = `action=REPORT_CORRECTED&subject_type=INCIDENT&subject_id=${id}`;
      const { body } = await gateway.rest.get(`${path}?${query}`, testData.officer);
      const changed = (body.data as { field: string; before: unknown; after: unknown }[]).map((row) => [
        ...[row.field, row.before, row.after],
      ]);
      expect(changed).toEqual([
        ['number', null, 1],
        ['reference', '', 'IT-9'],
        ['regimeId', null, 'nis2'],
        ['regimeName', null, 'NIS 2'],
        ['stage', null, 'EARLY_WARNING'],
      ]);
    });

    test('takes back what was not sent, the last report first, which can then be recorded again', async () => {
      await record(id, 'EARLY_WARNING', 5);
      await record(id, 'NOTIFICATION', 20);
      expectConflict(await correct(id, 'EARLY_WARNING', { sent_at: null, reason }), 'REPORT_FOLLOWED');
      const after = dataOf(await correct(id, 'NOTIFICATION', { sent_at: null, reason }));
      const unsent = { state: 'PENDING', due_at: at(72), sent_at: null, sent_by: null };
      expect(stageOf(after, 'NOTIFICATION')).toMatchObject(unsent);
      expect(stageOf(after, 'PROGRESS_REPORT')).toMatchObject({ state: 'NOT_REQUIRED', due_at: null });
      dataOf(await record(id, 'NOTIFICATION', 25));
      expect((await history(id)).map(({ sent_at }) => sent_at)).toEqual([at(25), null, at(20), at(5)]);
    });

    test('requires a time between the reports beside it, and a reason', async () => {
      await record(id, 'EARLY_WARNING', 5);
      await record(id, 'NOTIFICATION', 10);
      await record(id, 'FINAL_REPORT', 15);
      for (const [stage, fields, messages] of [
        [
          'NOTIFICATION',
          { reason: ' ' },
          ['sent_at is required; null says that it was not sent', 'reason is required'],
        ],
        ['NOTIFICATION', { sent_at: at(4), reason }, ['sent_at must not be before the preceding report was sent']],
        ['NOTIFICATION', { sent_at: at(16), reason }, ['sent_at must not be after the following report was sent']],
        ['FINAL_REPORT', { sent_at: at(31), reason }, ['sent_at must not be in the future']],
        [
          'FINAL_REPORT',
          { sent_at: '\u0007', reason: '\u0007' },
          ['sent_at must be a date-time such as 2026-11-20T08:15:30Z', 'reason must not contain control characters'],
        ],
        [
          'FINAL_REPORT',
          { sent_at: at(14), reason: 'a'.repeat(1001) },
          ['reason must not be longer than 1000 characters'],
        ],
      ] as const)
        expectFailure(await correct(id, stage, fields), 'BAD_USER_INPUT', [...messages]);
      dataOf(await correct(id, 'FINAL_REPORT', { sent_at: at(14), reason: 'a'.repeat(1000) }));
    });

    test('is refused for a report that was not recorded', async () => {
      expectConflict(await correct(id, 'EARLY_WARNING', { sent_at: at(1), reason }), 'REPORT_NOT_RECORDED');
    });
  });
});
