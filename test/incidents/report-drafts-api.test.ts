import { beforeAll, describe, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { draftPdf } from '../../src/services/incidents/report-print.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { rawRequest } from '../support/rest.js';
import { buildIncident } from '../support/test-data.js';

const CONDITIONS = 'conditions { fact values }';
const FIELD = 'key label source law optional';
const OPERATIONS = {
  regimes: {
    rest: 'GET /api/v1/v-ciso/reporting-regimes',
    graphql: `query ($first: Int, $offset: Int, $asOf: Date) { reportingRegimes(first: $first, offset: $offset, asOf: $asOf) { totalCount nodes {
      regime_id: regimeId name source source_url: sourceUrl valid_from: validFrom valid_until: validUntil replaces reason
      scope { outside alternatives { ${CONDITIONS} } exceptions { reason ${CONDITIONS} } } ${CONDITIONS}
      categories { category label entity } stages { stage trigger after period latest_aware_hours: latestAwareHours
      at_most: atMost updates recipient addressee only_where: onlyWhere fields { ${FIELD} } derogations { trigger after period reason ${CONDITIONS} } } } } }`,
    at: 'reportingRegimes',
  },
  draft: {
    rest: 'GET /api/v1/v-ciso/incidents/{organization_id}/{incident_id}/reports/{regime_id}/{stage}/draft',
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $regimeId: String!, $stage: IncidentReportStage!, $number: Int) {
      draftIncidentReport(organizationId: $organizationId, incidentId: $incidentId, regimeId: $regimeId, stage: $stage, number: $number) {
        regime_id: regimeId regime_name: regimeName source reason stage number state due_at: dueAt recipient
        fields { ${FIELD} value missing } missing language drafted_at: draftedAt } }`,
    at: 'draftIncidentReport',
  },
} satisfies Record<string, Operation>;

interface Field {
  key: string;
  value: string | null;
  missing: boolean;
}

const now = new Date('2026-11-22T12:00:00.000Z');

const { gateway, testData } = await startSeededGateway({ now: () => now });

beforeAll(async () => {
  await sql(`update organization set time_zone = 'Europe/Rome', country = 'IT', contacts = $2 where id = $1`, [
    testData.organizationId,
    JSON.stringify([{ name: 'Anna Rossi', role: 'CISO', email: 'anna@example.com', phone: '', emailReport: false }]),
  ]);
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);
const valuesOf = (fields: Field[]) => Object.fromEntries(fields.map(({ key, value }) => [key, value]));

async function newIncident(facts: Record<string, unknown> = {}, organizationId = testData.organizationId) {
  const id = await buildIncident(gateway.app.database, organizationId);
  const given = { aware_at: '2026-11-22T08:15:30Z', ...facts };
  const columns = Object.keys(given).map((column, index) => `${column} = $${index + 2}`);
  await sql(`update incident set ${columns.join(', ')} where id = $1`, [id, ...Object.values(given)]);
  return id;
}

const addReport = (incident: number, stage: string, sentAt: string, reference = '', regime = 'nis2-it') =>
  sql(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_at, reference, reason, sent_by, recorded_by)
     values ($1, $2, $6, $3, $4, $5, '', 'x', 'x')`,
    [testData.organizationId, incident, stage, sentAt, reference, regime],
  );

const addNote = (incident: number, text: string, at: string) =>
  sql(
    `insert into incident_note (organization_id, incident_id, text, created_by, created_at) values ($1, $2, $3, 'x', $4)`,
    [testData.organizationId, incident, text, at],
  );

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: Record<string, unknown>, { token } = testData.viewer) =>
    callThrough(api, gateway, OPERATIONS[name], input, token);
  const draft = (incident: number, regime: string, stage: string, more: object = {}, person = testData.viewer) => {
    const key = { organization_id: testData.organizationId, incident_id: incident, regime_id: regime, stage };
    return call('draft', { ...key, ...more }, person);
  };

  test('the list of regimes says when each applies, by when, to whom, and what each report says', async () => {
    const { data, total } = await call('regimes', {});
    expect([total, data.map((regime: { regime_id: string }) => regime.regime_id)]).toEqual([
      8,
      ['cra-incident', 'cra-vulnerability', 'dora', 'eidas', 'gdpr', 'nis2', 'nis2-it', 'nis2-it'],
    ]);
    const [, , dora, , , nis2, before, italian] = data;
    expect(dora).toMatchObject({
      scope: {
        alternatives: [
          { conditions: [{ fact: 'nis2_sector', values: ['Settore bancario', 'Infrastrutture mercati finanziari'] }] },
        ],
        outside: expect.stringContaining('not a financial one'),
        exceptions: [],
      },
      stages: [
        { trigger: 'CLASSIFIED', period: 'PT4H', latest_aware_hours: 24, updates: false },
        { trigger: 'NOTIFIED', after: 'NOTIFICATION', period: 'PT72H', latest_aware_hours: null, updates: true },
        { trigger: 'NOTIFIED', after: 'INTERMEDIATE_REPORT', period: 'P1M', updates: false, addressee: 'AUTHORITY' },
        { trigger: 'WITHOUT_DELAY', period: null, addressee: 'PEOPLE', only_where: expect.stringContaining('clients') },
      ],
    });
    expect(nis2.scope).toMatchObject({
      alternatives: [
        { conditions: [{ fact: 'entity_type', values: ['*'] }] },
        { conditions: [{ fact: 'nis2_sector', values: ['*'] }] },
      ],
      exceptions: [{ reason: expect.stringContaining('DORA') }],
    });
    expect(before).toMatchObject({ valid_from: '2026-01-01', valid_until: '2026-01-14' });
    expect(before.source).toContain('164179');
    expect(italian.source).toContain('379907/2025');
    expect(italian).toMatchObject({
      name: 'NIS 2, Italy',
      source: expect.stringContaining('Legislative Decree 138/2024, Article 25'),
      source_url: expect.stringMatching(/^https:/),
      valid_from: '2026-01-15',
      valid_until: null,
      replaces: 'nis2',
      conditions: [
        { fact: 'country', values: ['IT'] },
        { fact: 'significant', values: ['true'] },
      ],
    });
    expect(italian.categories).toHaveLength(4);
    const deadlines = nis2.stages.map(
      ({ stage, trigger, after, period, at_most: atMost, recipient }: Record<string, unknown>) => [
        ...[stage, trigger, after, period, atMost],
        recipient === 'CSIRT or competent authority',
      ],
    );
    expect(deadlines).toEqual([
      ['EARLY_WARNING', 'AWARE', null, 'PT24H', null, true],
      ['NOTIFICATION', 'AWARE', null, 'PT72H', null, true],
      ['INTERMEDIATE_REPORT', 'REQUEST', null, null, null, true],
      ['PROGRESS_REPORT', 'MONTHLY_WHILE_OPEN', 'NOTIFICATION', null, 1, true],
      ['FINAL_REPORT', 'NOTIFIED', 'NOTIFICATION', 'P1M', null, true],
      ['COMMUNICATION', 'WITHOUT_DELAY', null, null, null, false],
      ['THREAT_COMMUNICATION', 'WITHOUT_DELAY', null, null, null, false],
    ]);
    expect(nis2.stages[1].derogations).toEqual([
      expect.objectContaining({
        trigger: 'AWARE',
        period: 'PT24H',
        conditions: [
          { fact: 'trust_service_provider', values: ['true'] },
          { fact: 'affects_trust_service', values: ['true'] },
        ],
      }),
    ]);
    expect(nis2.stages[0].fields.map(({ key, law }: { key: string; law: string }) => [key, law])).toEqual([
      ['suspected_malicious', 'Article 23(4)(a)'],
      ['cross_border', 'Article 23(4)(a)'],
    ]);
    expect(dataOf(await call('regimes', { limit: 1, offset: 2 }, testData.userWithoutOrganization))).toEqual([data[2]]);
  });

  test('the list of regimes has what was in force on a day, its first and its last one', async () => {
    const inForce = async (as_of: string) =>
      dataOf(await call('regimes', { as_of })).map(
        ({ regime_id: id, valid_from: from }: Record<string, string>) => `${id} ${from}`,
      );
    const before = ['dora 2025-01-17', 'eidas 2024-05-20', 'gdpr 2018-05-25', 'nis2 2024-10-18'];
    expect(await inForce('2025-12-31')).toEqual(before);
    expect(await inForce('2026-01-01')).toEqual([...before, 'nis2-it 2026-01-01']);
    expect(await inForce('2026-01-14')).toEqual([...before, 'nis2-it 2026-01-01']);
    expect(await inForce('2026-01-15')).toEqual([...before, 'nis2-it 2026-01-15']);
    expect(await inForce('2018-05-24')).toEqual([]);
    expect((await call('regimes', { as_of: '2026-02-30' })).code).toBe('BAD_USER_INPUT');
  });

  test('a draft is filled from the incident and the organization, and names what is missing', async () => {
    const incident = await newIncident({ title: 'Perché così', suspected_malicious: true, cross_border: null });
    const before = await sql('select count(*) from audit_entry');
    const data = dataOf(await draft(incident, 'nis2-it', 'EARLY_WARNING'));
    expect(data).toMatchObject({
      regime_id: 'nis2-it',
      regime_name: 'NIS 2, Italy',
      stage: 'EARLY_WARNING',
      number: 1,
      state: 'PENDING',
      due_at: '2026-11-23T08:15:30.000Z',
      recipient: 'CSIRT Italia',
      missing: ['cross_border'],
      drafted_at: '2026-11-22T12:00:00.000Z',
    });
    expect(valuesOf(data.fields)).toEqual({
      organization: expect.any(String),
      contacts: 'Anna Rossi, CISO, anna@example.com',
      title: 'Perché così',
      aware_at: '22 November 2026, 09:15:30 (Europe/Rome, UTC+1)',
      reference: null,
      suspected_malicious: 'Yes',
      cross_border: null,
    });
    expect(data.fields.filter(({ missing }: Field) => missing).map(({ key }: Field) => key)).toEqual(['cross_border']);
    expect(await sql('select count(*) from audit_entry')).toEqual(before);
  });

  test('what was sent to people, and what was recorded without being sent, is no report before a draft', async () => {
    const incident = await newIncident();
    await addReport(incident, 'EARLY_WARNING', '2026-11-22T08:30:00Z', 'EW-1');
    await addNote(incident, 'Two servers were rebuilt.', '2026-11-22T09:00:00Z');
    await addReport(incident, 'NOTIFICATION', '2026-11-22T08:30:00Z');
    await addReport(incident, 'INTERMEDIATE_REPORT', '2026-11-22T09:30:00Z');
    for (const [stage, manner] of [
      ['NOTIFICATION', 'ALREADY_PROVIDED'],
      ['INTERMEDIATE_REPORT', 'NOT_DUE'],
    ])
      await sql('update incident_report set manner = $3 where incident_id = $1 and stage = $2', [
        ...[incident, stage, manner],
      ]);
    await addReport(incident, 'COMMUNICATION', '2026-11-22T10:00:00Z');
    const { fields } = dataOf(await draft(incident, 'nis2-it', 'PROGRESS_REPORT'));
    expect(valuesOf(fields)).toMatchObject({
      reference: 'EW-1',
      updates: expect.stringContaining('Two servers were rebuilt.'),
    });
  });

  test('a draft says how many notes are before the newest 50', async () => {
    const incident = await newIncident();
    await addReport(incident, 'EARLY_WARNING', '2026-11-22T08:30:00Z');
    const updates = async () => valuesOf(dataOf(await draft(incident, 'nis2-it', 'PROGRESS_REPORT')).fields).updates;
    for (let note = 1; note <= 50; note += 1) await addNote(incident, `Note ${note}.`, '2026-11-22T09:00:00Z');
    expect(await updates()).toMatch(/^22 November 2026, .*\nNote 1\.\n/);
    await addNote(incident, 'Note 51.', '2026-11-22T09:00:00Z');
    expect(await updates()).toMatch(/^1 earlier note is not included here\.\n\n22 November 2026, .*\nNote 2\.\n/);
  });

  test('a later draft has the notes since the preceding report, its reference, and no field that is optional as missing', async () => {
    const incident = await newIncident({ aware_at: '2026-10-01T08:00:00Z', category: 'IS-2', description: 'Mail' });
    await addReport(incident, 'EARLY_WARNING', '2026-10-01T10:00:00Z', 'IT-1');
    await addReport(incident, 'NOTIFICATION', '2026-10-03T10:00:00Z', 'IT-2');
    await addNote(incident, 'Before', '2026-10-02T10:00:00Z');
    await addNote(incident, 'First\n- line', '2026-10-05T10:00:00Z');
    await addNote(incident, '<b>Second</b>', '2026-10-30T10:00:00Z');
    const progress = dataOf(await draft(incident, 'nis2-it', 'PROGRESS_REPORT', { number: 1 }));
    expect(valuesOf(progress.fields)).toMatchObject({
      reference: 'IT-2',
      updates:
        '5 October 2026, 12:00 (Europe/Rome, UTC+2)\nFirst\n- line\n\n30 October 2026, 11:00 (Europe/Rome, UTC+1)\n<b>Second</b>',
    });
    expect([progress.number, progress.state]).toEqual([1, 'OVERDUE']);
    expect(dataOf(await draft(incident, 'nis2-it', 'PROGRESS_REPORT')).number).toBe(2);
    // Reports that were sent later are no previous ones.
    const warning = dataOf(await draft(incident, 'nis2-it', 'EARLY_WARNING'));
    expect(valuesOf(warning.fields)).toMatchObject({ reference: null });
    const notification = dataOf(await draft(incident, 'nis2-it', 'NOTIFICATION'));
    expect(valuesOf(notification.fields)).toMatchObject({
      reference: 'IT-1',
      category: 'IS-2: Loss of integrity of data with external impact',
      indicators: null,
    });
    expect([notification.state, notification.missing]).toEqual([
      'SENT',
      ['suspected_malicious', 'cross_border', 'impact'],
    ]);
  });

  test('a draft is that of its regime, also where the same report was sent under another one', async () => {
    const incident = await newIncident({ significant: true, personal_data_concerned: true });
    await addReport(incident, 'EARLY_WARNING', '2026-11-22T09:00:00Z');
    await addReport(incident, 'NOTIFICATION', '2026-11-22T10:00:00Z', 'IT-1');
    const own = {
      ...{ regime_id: 'gdpr', regime_name: 'GDPR', number: 1, state: 'PENDING' },
      recipient: 'Garante per la protezione dei dati personali',
    };
    expect(dataOf(await draft(incident, 'gdpr', 'NOTIFICATION', { number: 1 }))).toMatchObject(own);
    expect(dataOf(await draft(incident, 'gdpr', 'NOTIFICATION'))).toMatchObject(own);
    const other = await draft(incident, 'gdpr', 'NOTIFICATION', { number: 2 });
    expectFailure(other, 'BAD_USER_INPUT', ['number must be one of 1']);
  });

  test('a notification of a data breach after its deadline needs the reasons for the delay', async () => {
    const reasons = async (aware: string) => {
      const incident = await newIncident({ personal_data_concerned: true, aware_at: aware });
      const { state, fields, missing } = dataOf(await draft(incident, 'gdpr', 'NOTIFICATION'));
      const { optional } = fields.find(({ key }: Field) => key === 'delay_reasons');
      return [state, optional, missing.includes('delay_reasons')];
    };
    expect(await reasons('2026-11-19T12:00:01Z')).toEqual(['DUE_SOON', true, false]);
    expect(await reasons('2026-11-19T11:59:59Z')).toEqual(['OVERDUE', false, true]);
    const late = await newIncident({ personal_data_concerned: true, aware_at: '2026-11-01T12:00:00Z' });
    await addReport(late, 'NOTIFICATION', '2026-11-05T12:00:00Z', '', 'gdpr');
    expect(dataOf(await draft(late, 'gdpr', 'NOTIFICATION')).missing).toContain('delay_reasons');
  });

  test('a draft is in the language of the organization, also where the reader has another', async () => {
    await sql(`update organization set language = 'it' where id = $1`, [testData.organizationId]);
    await sql(`update app_user set language = 'de' where id = $1`, [testData.viewer.id]);
    const incident = await newIncident({
      significant: true,
      cross_border: true,
      severity: 'CRITICAL',
      category: 'IS-1',
    });
    const warning = dataOf(await draft(incident, 'nis2-it', 'EARLY_WARNING'));
    const notification = dataOf(await draft(incident, 'nis2-it', 'NOTIFICATION'));
    const communication = dataOf(await draft(incident, 'nis2-it', 'COMMUNICATION'));
    await sql(`update organization set language = 'en' where id = $1`, [testData.organizationId]);
    await sql(`update app_user set language = null where id = $1`, [testData.viewer.id]);
    expect(warning).toMatchObject({
      ...{ language: 'it', regime_name: 'NIS 2, Italia', recipient: 'CSIRT Italia', stage: 'EARLY_WARNING' },
      reason: 'L’incidente è significativo e l’organizzazione è soggetta al diritto italiano.',
    });
    expect(warning.source).toContain('Decreto legislativo 4 settembre 2024, n. 138, articolo 25');
    expect(warning.fields).toContainEqual({
      ...{ key: 'cross_border', label: 'Se l’incidente può avere un impatto transfrontaliero', source: 'INCIDENT' },
      ...{ law: 'articolo 25, comma 5, lettera a)', optional: false, value: 'Sì', missing: false },
    });
    expect(valuesOf(warning.fields)).toMatchObject({
      aware_at: '22 novembre 2026, 09:15:30 (Europe/Rome, UTC+1)',
    });
    expect(valuesOf(notification.fields)).toMatchObject({
      severity: 'Critica',
      category: 'IS-1: Perdita di riservatezza di dati digitali',
    });
    expect(communication).toMatchObject({
      recipient: 'Destinatari dei servizi',
      reason:
        'L’incidente è significativo e l’organizzazione è soggetta al diritto italiano. Richiesta, se opportuno e se possibile, sentito il CSIRT Italia, per un incidente che può ripercuotersi negativamente sulla fornitura dei servizi.',
    });
  });

  test('what a country says of a regime is in the language of the organization as well', async () => {
    await sql(`update organization set language = 'de', country = 'DE' where id = $1`, [testData.organizationId]);
    const incident = await newIncident({ significant: true });
    const warning = dataOf(await draft(incident, 'nis2', 'EARLY_WARNING'));
    await sql(`update organization set language = 'en', country = 'IT' where id = $1`, [testData.organizationId]);
    expect(warning).toMatchObject({
      ...{ regime_name: 'NIS 2, Deutschland', recipient: 'Gemeinsame Meldestelle von BSI und BBK' },
      source: expect.stringContaining('der Artikel 23 der Richtlinie (EU) 2022/2555 umsetzt'),
    });
    expect(warning.fields).toContainEqual(
      expect.objectContaining({ key: 'suspected_malicious', law: '§ 32 Absatz 1 Nummer 1 BSIG' }),
    );
  });

  test('each report of each regime has a draft', async () => {
    const concerned = { personal_data_concerned: true, exploited_vulnerability: true, product_concerned: true };
    const incident = await newIncident(concerned);
    for (const { regime_id: regime, stages } of dataOf(await call('regimes', {})))
      for (const { stage, fields } of ['nis2', 'dora', 'eidas'].includes(regime) ? [] : stages) {
        const drafted = dataOf(await draft(incident, regime, stage));
        expect(drafted.fields.map(({ key }: Field) => key)).toEqual(
          expect.arrayContaining(fields.map(({ key }: Field) => key)),
        );
        expect(drafted.missing).not.toContain('severity');
      }
  });

  test('a regime that does not apply is refused with the reason', async () => {
    const incident = await newIncident();
    for (const [regime, stage, why] of [
      ['gdpr', 'NOTIFICATION', 'personal_data_concerned has to be true'],
      ['cra-incident', 'EARLY_WARNING', 'product_concerned has to be true'],
      ['nis2', 'EARLY_WARNING', 'nis2-it replaces it'],
    ] as const)
      expectFailure(await draft(incident, regime, stage), 'BAD_USER_INPUT', [`regime_id does not apply: ${why}`]);
    const unlisted = await newIncident();
    const begins = `jsonb_set(organization_facts, '{values,nis2_reporting_from}', '["2027-01-01"]')`;
    await sql(`update incident set organization_facts = ${begins} where id = $1`, [unlisted]);
    expectFailure(await draft(unlisted, 'nis2', 'EARLY_WARNING'), 'BAD_USER_INPUT', [
      'regime_id does not apply: nis2-it replaces it',
    ]);
    const earlier = await newIncident({ affects_trust_service: true });
    const stored = `jsonb_set(jsonb_set(organization_facts, '{version}', '2'), '{values,trust_service_provider}', '["true"]')`;
    await sql(`update incident set organization_facts = ${stored} where id = $1`, [earlier]);
    expectFailure(await draft(earlier, 'eidas', 'NOTIFICATION'), 'BAD_USER_INPUT', [
      'regime_id is judged by facts that were not recorded yet when the incident was opened',
    ]);
    const old = await newIncident({ aware_at: '2026-09-01T00:00:00Z', product_concerned: true });
    expectFailure(await draft(old, 'cra-incident', 'EARLY_WARNING'), 'BAD_USER_INPUT', [
      'regime_id must be one of dora, eidas, gdpr, nis2-it, nis2',
    ]);
    expectFailure(await draft(old, 'unknown', 'EARLY_WARNING'), 'NOT_FOUND');
  });

  test('a stage that the regime does not have, and a number that the stage does not have, are refused', async () => {
    const incident = await newIncident({ personal_data_concerned: true });
    expectFailure(await draft(incident, 'gdpr', 'FINAL_REPORT'), 'BAD_USER_INPUT', [
      'stage must be one of NOTIFICATION, COMMUNICATION',
    ]);
    for (const number of [0, 2])
      expectFailure(await draft(incident, 'gdpr', 'NOTIFICATION', { number }), 'BAD_USER_INPUT', [
        'number must be one of 1',
      ]);
    expect(dataOf(await draft(incident, 'gdpr', 'NOTIFICATION', { number: 1 })).number).toBe(1);
    const facts = `jsonb_set(organization_facts, '{version}', '2')`;
    await sql(`update incident set organization_facts = ${facts} where id = $1`, [incident]);
    expectFailure(await draft(incident, 'gdpr', 'COMMUNICATION'), 'BAD_USER_INPUT', [
      'stage is judged by facts that were not recorded yet when the incident was opened',
    ]);
  });

  test('an incident of another organization, or none, has no draft', async () => {
    const { otherOrganizationId, nonMember } = testData;
    const theirs = await newIncident({}, otherOrganizationId);
    const own = await newIncident();
    for (const [incident, person] of [
      [theirs, testData.owner],
      [2_000_000_000, testData.owner],
      [own, nonMember],
    ] as const)
      expectFailure(await draft(incident, 'nis2-it', 'EARLY_WARNING', {}, person), 'NOT_FOUND');
  });
});

describe('the draft for printing', () => {
  const file = (incident: number, name = 'nis2-it/EARLY_WARNING/draft.html', { token } = testData.viewer) => {
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/reports/${name}`;
    return rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': token } });
  };
  const downloads = (incident: number) =>
    sql<{ entry: string }>(
      `select entry from audit_entry where subject = $1 and action = 'REPORT_DRAFT_DOWNLOADED' order by position`,
      [`INCIDENT/${incident}`],
    );
  const FORMATS = [
    ['html', 'text/html; charset=utf-8'],
    ['pdf', 'application/pdf'],
  ] as const;

  test.each(FORMATS)('as %s is a file, and its download is recorded', async (format, mediaType) => {
    const incident = await newIncident({ title: 'Perché così', cross_border: null });
    const { status, headers, bytes, text } = await file(incident, `nis2-it/EARLY_WARNING/draft.${format}`);
    expect([status, headers['content-type'], headers['cache-control'], headers['content-disposition']]).toEqual([
      ...[200, mediaType, 'no-store'],
      `attachment; filename="incident-${incident}-nis2-it-early_warning-1.${format}"`,
    ]);
    const shown = format === 'pdf' ? (await pagesOf(bytes)).join('\n') : text;
    const times = [
      'Draft of 22 November 2026, 13:00 (Europe/Rome, UTC+1)',
      'Due: 23 November 2026, 09:15:30 (Europe/Rome, UTC+1)',
    ];
    for (const part of [...times, 'Early warning: NIS 2, Italy', 'CSIRT Italia', 'Perché così', 'Missing: to be'])
      expect(shown).toContain(part);
    const changes = {
      regimeId: { after: 'nis2-it' },
      stage: { after: 'EARLY_WARNING' },
      number: { after: 1 },
      format: { after: format },
    };
    expect((await downloads(incident)).map(({ entry }) => JSON.parse(entry))).toEqual([
      expect.objectContaining({ actor: expect.objectContaining({ id: testData.viewer.id }), changes }),
    ]);
  });

  test.each(FORMATS)('as %s is in Italian where the organization is', async (format, _mediaType) => {
    await sql(`update organization set language = 'it' where id = $1`, [testData.organizationId]);
    const incident = await newIncident({ title: '<b>Perché {così}</b>', significant: true });
    const { bytes, text } = await file(incident, `nis2-it/EARLY_WARNING/draft.${format}`);
    await sql(`update organization set language = 'en' where id = $1`, [testData.organizationId]);
    const shown = format === 'pdf' ? (await pagesOf(bytes)).join('\n') : text;
    for (const part of [
      'Preallarme (pre-notifica): NIS 2, Italia',
      'Bozza del 22 novembre 2026, 13:00 (Europe/Rome, UTC+1)',
      'Destinatario: CSIRT Italia',
      'Mancante: da completare prima dell’invio.',
    ])
      expect(shown).toContain(part);
    expect(shown).toContain(format === 'pdf' ? '<b>Perché {così}</b>' : '&#60;b&#62;Perché {così}&#60;/b&#62;');
    if (format === 'html') expect(text).toContain('<html lang="it">');
    else expect(bytes.toString('latin1')).toContain('/Lang (it)');
  });

  test('says why there is no deadline, as the page of the incident does', async () => {
    const incident = await newIncident({ title: 'Wave' });
    const dueOf = async (name: string) => /^.*Due: (.*)$/m.exec((await file(incident, name)).text)?.[1];
    expect(await dueOf('nis2-it/FINAL_REPORT/draft.html')).toBe(
      'The deadline depends on a fact that is not known yet.',
    );
    expect(await dueOf('nis2-it/COMMUNICATION/draft.html')).toBe(
      'To be sent without undue delay: the law sets no day or hour.',
    );
    expect(await dueOf('nis2-it/INTERMEDIATE_REPORT/draft.html')).toBe('no deadline');
  });

  test('as HTML shows texts as texts, however long, and nothing that turns their direction', async () => {
    const evil = `</p><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202egnp.exe\u2066${'x'.repeat(19_000)} end`;
    const incident = await newIncident({ title: 'Wave', description: evil });
    await addReport(incident, 'EARLY_WARNING', '2026-11-22T09:00:00Z', '<b>1</b>');
    const { text } = await file(incident, 'nis2-it/NOTIFICATION/draft.html');
    expect(text).not.toMatch(/<script|<img|<b>|[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(text).toContain(`gnp.exe${'x'.repeat(19_000)} end`);
  });

  test('as PDF has what HTML has, in the letters of Europe, on numbered pages, and is the same each time', async () => {
    const name = 'Αθήνα Ασφάλεια, Zażółć gęślą jaźń, Україна, Łódź, Åre, Ő';
    await sql('update organization set name = $2 where id = $1', [testData.organizationId, name]);
    const long = `${'a word '.repeat(700)}\n${'x'.repeat(2000)}\n${'€ “fi” <b>&\n'.repeat(90)}`;
    const incident = await newIncident({ title: 'Wave', description: `  - first\r\n\tsecond\n\n\nthird\n${long}` });
    const html = await file(incident, 'nis2-it/NOTIFICATION/draft.html');
    const pdf = await file(incident, 'nis2-it/NOTIFICATION/draft.pdf');
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await file(incident, 'nis2-it/NOTIFICATION/draft.pdf')).bytes.equals(pdf.bytes)).toBe(true);
    const pages = await pagesOf(pdf.bytes);
    expect(pages.length).toBeGreaterThan(3);
    const unnumbered = pages.map((page, index) => {
      const number = `${index + 1} / ${pages.length}`;
      expect(page.endsWith(number)).toBe(true);
      return page.slice(0, -number.length);
    });
    const body = html.text.slice(html.text.indexOf('<h1>')).replaceAll(/<[^>]*>/g, '');
    const shown = body.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(squeezed(unnumbered.join(''))).toBe(squeezed(shown));
    expect(squeezed(shown)).toContain(squeezed(name));
    const document = await getDocumentProxy(new Uint8Array(pdf.bytes));
    expect((await getMeta(document)).info).toMatchObject({
      ...{ Title: 'Notification: NIS 2, Italy', Language: 'en', CreationDate: 'D:20261122120000Z' },
    });
    const roles = JSON.stringify(await (await document.getPage(1)).getStructTree()).match(/"role":"\w+"/g);
    expect(roles?.slice(0, 7).join()).toMatch(/Document.*H1.*P.*H2.*P.*H2.*P/);
  });

  test('as PDF has all of its words within its margins, sums and addresses in long paragraphs as well', async () => {
    const sums = ['a', 'b', 'c'].map((letter) => hash('sha512', letter));
    const description = `${'The files that were found. '.repeat(12)}${sums.join(' ')} ${'𝔸'.repeat(90)}`;
    const { bytes } = await file(await newIncident({ title: 'Wave', description }), 'nis2-it/NOTIFICATION/draft.pdf');
    const document = await getDocumentProxy(new Uint8Array(bytes));
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const right = page.view[2]! - 56;
      const { items } = await page.getTextContent();
      const words = items.filter((item) => 'str' in item && item.str.trim() !== '') as PrintedWords[];
      expect(words.filter(({ transform, width }) => transform[4]! + width > right + 0.1)).toEqual([]);
    }
    expect(squeezed((await pagesOf(bytes)).join(''))).toContain(squeezed(description));
  });

  test('as PDF says in its head and on its page which characters are boxes, and what is not in order', async () => {
    const incident = await newIncident({ title: 'Wave', description: '資産台帳 asset सुरक्षा 🔒 שלום 資' });
    const pdf = await file(incident, 'nis2-it/NOTIFICATION/draft.pdf');
    const missing = String(pdf.headers['missing-characters']).split(' ');
    expect(missing).toEqual(expect.arrayContaining(['U+8CC7', 'U+7523', 'U+53F0', 'U+5E33', 'U+0938', 'U+1F512']));
    expect(new Set(missing).size).toBe(missing.length);
    expect(missing).not.toContain('U+05E9');
    expect(pdf.headers['unordered-scripts']).toBe('Hebrew');
    const shown = (await pagesOf(pdf.bytes)).join('\n').replaceAll(/\s+/g, ' ');
    expect(shown).toContain(`lacks ${missing.length} of the characters (Han, Devanagari)`);
    for (const each of missing) expect(shown).toContain(each);
    expect(shown).toContain('Wrong order: Hebrew is written from right to left');
    const html = await file(incident, 'nis2-it/NOTIFICATION/draft.html');
    expect([html.headers['missing-characters'], html.text.includes('資産台帳 asset सुरक्षा')]).toEqual([undefined, true]);
  });

  test('as PDF says nothing of the sort where every character is shown', async () => {
    const incident = await newIncident({ title: 'Wave', description: 'Αθήνα, Zażółć, Україна – “fi” €\u200b' });
    const { headers, bytes } = await file(incident, 'nis2-it/NOTIFICATION/draft.pdf');
    expect([headers['missing-characters'], headers['unordered-scripts']]).toEqual([undefined, undefined]);
    expect((await pagesOf(bytes)).join('')).not.toMatch(/Incomplete|Wrong order/);
  });

  test('as PDF names the first fifty of many characters that it lacks', async () => {
    const many = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    const incident = await newIncident({ title: 'Wave', description: many });
    const { headers } = await file(incident, 'nis2-it/NOTIFICATION/draft.pdf');
    expect(headers['missing-characters']).toMatch(/^(U\+4E\w\w ){50}and 150 more$/);
  });

  test('as PDF has at most 500 pages, as HTML more', async () => {
    const linesOf = (count: number) => ({
      ...{ title: 'Title', lines: ['Line'], draftedAt: now.toISOString(), language: 'en' },
      fields: [{ heading: 'Heading', text: Array(count).fill('a').join('\n'), known: true }],
    });
    const refusal = 'The draft has more than 500 pages: read it as JSON or HTML';
    // 62 lines on each page but the first, which has 57.
    expect(await pagesOf(await draftPdf(linesOf(57 + 499 * 62)))).toHaveLength(500);
    await expect(draftPdf(linesOf(57 + 499 * 62 + 1))).rejects.toMatchObject({ messages: [refusal] });
    const incident = await newIncident({ aware_at: '2026-10-01T08:00:00Z' });
    for (let note = 0; note < 7; note += 1) await addNote(incident, 'a\n'.repeat(5000), '2026-10-30T10:00:00Z');
    const { status, text } = await file(incident, 'nis2-it/PROGRESS_REPORT/draft.pdf');
    expect([status, JSON.parse(text)]).toEqual([400, { error: 1, messages: [refusal] }]);
    expect(await downloads(incident)).toEqual([]);
    expect(await file(incident, 'nis2-it/PROGRESS_REPORT/draft.html')).toMatchObject({ status: 200 });
  });

  test.each(['html', 'pdf'])('a refused draft as %s answers the envelope, and records no download', async (format) => {
    const incident = await newIncident();
    for (const [report, query, status, messages] of [
      ['gdpr/NOTIFICATION', '', 400, ['regime_id does not apply: personal_data_concerned has to be true']],
      ['nis2-it/EARLY_WARNING', '?number=2', 400, ['number must be one of 1']],
      ['nis2-it/LETTER', '', 404, [1004]],
    ] as const) {
      const answer = await file(incident, `${report}/draft.${format}${query}`);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { error: 1, messages }]);
    }
    const foreign = await file(incident, `nis2-it/EARLY_WARNING/draft.${format}`, testData.nonMember);
    expect(foreign.status).toBe(404);
    expect(await downloads(incident)).toEqual([]);
  });
});

interface PrintedWords {
  str: string;
  /** The fifth number is their distance from the left edge. */
  transform: number[];
  width: number;
}

const squeezed = (text: string) => text.replaceAll(/\s/g, '');

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  return (await extractText(new Uint8Array(pdf))).text;
}
