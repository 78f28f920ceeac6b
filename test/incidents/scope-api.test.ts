import { beforeEach, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join, type Person } from '../support/test-data.js';

const CLOCK = `clock { applies stages { regime_id: regimeId regime_name: regimeName stage number state due_at: dueAt late
    recipient portal_url: portalUrl }
  out_of_scope: outOfScope { regime_id: regimeId regime_name: regimeName source reason } }`;
const CHANGED = `incident { id: databaseId ${CLOCK} }`;
const INCIDENTS = '/api/v1/v-ciso/incidents/{organization_id}';
const INCIDENT = `${INCIDENTS}/{incident_id}`;
const OPERATIONS = {
  open: mutation(`POST ${INCIDENTS}`, 'openIncident', CHANGED),
  update: mutation(`PATCH ${INCIDENT}`, 'updateIncident', CHANGED),
  record: mutation(`POST ${INCIDENT}/reports`, 'recordIncidentReport', CHANGED),
  rejudge: mutation(`POST ${INCIDENT}/rejudge`, 'rejudgeIncident', CHANGED),
  draft: {
    rest: `GET ${INCIDENT}/reports/{regime_id}/{stage}/draft`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $regimeId: String!, $stage: IncidentReportStage!) {
      draftIncidentReport(organizationId: $organizationId, incidentId: $incidentId, regimeId: $regimeId, stage: $stage) {
        recipient portal_url: portalUrl source due_at: dueAt missing fields { key source value law } } }`,
    at: 'draftIncidentReport',
  },
  questions: {
    rest: `GET ${INCIDENT}/significance`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $language: String) {
      significanceQuestions(organizationId: $organizationId, incidentId: $incidentId, language: $language) {
        services { service label } questions { question text act article
          source_url: sourceUrl services together exempts } } }`,
    at: 'significanceQuestions',
  },
  assess: mutation(`POST ${INCIDENT}/significance`, 'assessIncident', `incident { significant version ${CLOCK} }`),
  close: mutation(`POST ${INCIDENT}/close`, 'closeIncident', CHANGED),
  clock: {
    rest: `GET ${INCIDENT}/clock`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $language: String) {
      incident(organizationId: $organizationId, id: $incidentId) { clock(language: $language) {
        applies stages { regime_id: regimeId regime_name: regimeName source reason recipient state reference }
        out_of_scope: outOfScope { regime_id: regimeId regime_name: regimeName source reason } } } }`,
    at: 'incident.clock',
  },
  timeline: {
    rest: `GET ${INCIDENT}/timeline`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) { incident(organizationId: $organizationId, id: $incidentId) {
      timeline(first: 50) { totalCount nodes { kind actor { username } entry { action reason changes { field before after } } } } } }`,
    at: 'incident.timeline',
  },
  regimes: {
    rest: 'GET /api/v1/v-ciso/reporting-regimes',
    graphql: `query ($first: Int, $offset: Int, $language: String) {
      reportingRegimes(first: $first, offset: $offset, language: $language) { totalCount nodes {
      regime_id: regimeId name national { country valid_from: validFrom name source source_url: sourceUrl recipient
        portal_url: portalUrl remarks checked_on: checkedOn checked } } } }`,
    at: 'reportingRegimes',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const at = (hours: number) => clock.at(hours).toISOString();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { officer, analyst } = testData;

interface Incident {
  id: number;
  clock: {
    applies: boolean;
    stages: {
      regime_id: string;
      regime_name: string;
      stage: string;
      number: number;
      state: string;
      due_at: string | null;
      late: boolean;
      recipient: string;
      portal_url: string | null;
    }[];
    out_of_scope: { regime_id: string; reason: string }[];
  };
}

describe.each(APIS)('through %s', (api) => {
  let organization: number;
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: Person = analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: organization, ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input: object, person?: Person): Promise<Incident> =>
    dataOf(await call(name, input, person));
  const open = (facts: object = {}) => data('open', { title: 'Outage', severity: 'HIGH', significant: true, ...facts });
  const { rows } = gateway.app.database;

  /** An organization with this profile at that hour. */
  async function profile(columns: Record<string, unknown>, hours = -1000): Promise<void> {
    const given = { ...columns, updated_at: at(hours) };
    const set = Object.keys(given).map((column, index) => `${column} = $${index + 2}`);
    await rows.call(gateway.app.database, `update organization set ${set.join(', ')} where id = $1`, [
      ...[organization, ...Object.values(given)],
    ]);
  }

  beforeEach(async () => {
    clock.set(0);
    organization = await buildOrganization(gateway.app.database, 'Scope');
    await rows.call(gateway.app.database, 'delete from organization_facts where organization_id = $1', [organization]);
    await join(gateway.app.database, officer, organization, 'SECURITY_OFFICER');
    await join(gateway.app.database, analyst, organization, 'SECURITY_ANALYST');
  });

  test('a retailer is expected to send no report, and learns why and what to change', async () => {
    await profile({ nis2_sector: '', country: 'IT' });
    const { id, clock: shown } = await open({ personal_data_concerned: false });
    expect(shown).toMatchObject({
      ...{ applies: false, stages: [] },
      out_of_scope: [{ regime_id: 'nis2-it', reason: expect.stringContaining('nor a nis2_sector. Set one of them') }],
    });
    const draft = { incident_id: id, regime_id: 'nis2-it', stage: 'EARLY_WARNING' };
    expectFailure(await call('draft', draft), 'BAD_USER_INPUT', [
      expect.stringMatching(/^regime_id does not apply\. Not in scope by the profile/),
    ] as unknown as string[]);
    // Voluntary reports may be recorded.
    const recorded = await data('record', { incident_id: id, regime_id: 'nis2-it', stage: 'EARLY_WARNING' });
    expect(recorded.clock.stages).toEqual([expect.objectContaining({ state: 'SENT', due_at: null, late: false })]);
    expect(recorded.clock.applies).toBe(false);
    const inGerman = dataOf(await call('clock', { incident_id: id, language: 'de' }));
    expect(inGerman.stages).toMatchObject([{ reason: 'Sie wurde gesendet, obwohl die Meldepflicht nicht galt.' }]);
  });

  test('a sector that is entered after the incident counts once it is judged anew', async () => {
    await profile({ nis2_sector: '' });
    const { id } = await open();
    await profile({ nis2_sector: 'Spazio' }, 1);
    clock.set(2);
    const anew = { incident_id: id, reason: 'The sector was entered late.' };
    const judged = await data('rejudge', anew, officer);
    expect([judged.clock.out_of_scope, judged.clock.stages[0]]).toEqual([
      [],
      expect.objectContaining({ regime_id: 'nis2', stage: 'EARLY_WARNING', due_at: at(24) }),
    ]);
  });

  test('an entity in Germany reports to the portal of the BSI under its act, and one in France learns that there is none', async () => {
    await profile({ nis2_sector: 'Spazio', country: 'DE' });
    const german = await open();
    const bsi = { recipient: expect.stringContaining('BSI'), portal_url: 'https://portal.bsi.bund.de' };
    expect(german.clock.stages[0]).toMatchObject({ regime_id: 'nis2', regime_name: 'NIS 2, Germany', ...bsi });
    const draft = { incident_id: german.id, regime_id: 'nis2', stage: 'EARLY_WARNING' };
    expect(dataOf(await call('draft', draft))).toMatchObject({
      ...{ ...bsi, source: expect.stringMatching(/^BSI-Gesetz .*§ 32/), due_at: at(24) },
      fields: expect.arrayContaining([expect.objectContaining({ law: '§ 32(1) no. 1 BSIG' })]),
    });

    await profile({ country: 'FR' }, 1);
    clock.set(2);
    // The incident retains the country of its time, and its report the recorded values.
    const recorded = await data('record', draft);
    expect(recorded.clock.stages[0]).toMatchObject({ regime_name: 'NIS 2, Germany', state: 'SENT', ...bsi });
    const french = await data('open', { title: 'Outage', severity: 'HIGH', significant: true, aware_at: at(2) });
    expect(french.clock.stages[0]).toMatchObject({
      ...{ regime_name: 'NIS 2, France (not transposed)', due_at: at(26) },
      portal_url: 'https://monespacenis2.cyber.gouv.fr/',
    });
    const moved = await data('rejudge', { incident_id: german.id, reason: 'It is a French company.' }, officer);
    expect(moved.clock.stages[0]).toMatchObject({ regime_name: 'NIS 2, Germany', recipient: bsi.recipient });
    expect(moved.clock.stages[1]).toMatchObject({ regime_name: 'NIS 2, France (not transposed)', state: 'PENDING' });
  });

  test('what each country says of a regime is listed, with what was checked and when', async () => {
    const regimes: { regime_id: string; national: Record<string, unknown>[] }[] = dataOf(
      await callThrough(api, gateway, OPERATIONS.regimes, {}, analyst.token),
    );
    const countries = (id: string) => {
      const { national } = regimes.find(({ regime_id: regime }) => regime === id)!;
      return national.map(({ country }) => country).toSorted();
    };
    expect(countries('nis2')).toEqual(['AT', 'BE', 'DE', 'ES', 'FR', 'IE', 'NL']);
    expect(countries('gdpr')).toEqual(['AT', 'BE', 'DE', 'ES', 'FR', 'IE', 'IT', 'NL']);
    expect([countries('dora'), countries('cra-incident')]).toEqual([countries('gdpr'), []]);
    const nis2 = regimes.find(({ regime_id: regime }) => regime === 'nis2')!;
    expect(nis2.national.find(({ country }) => country === 'NL')).toEqual({
      ...{ country: 'NL', valid_from: '2026-08-15', name: 'NIS 2, Netherlands', portal_url: 'https://mijn.ncsc.nl' },
      ...{ source: expect.stringContaining('Stb. 2026, 187'), source_url: expect.stringMatching(/^https:/) },
      ...{ recipient: expect.stringContaining('CSIRT'), remarks: expect.stringContaining('eHerkenning') },
      ...{ checked_on: '2026-11-27', checked: expect.stringContaining('Articles 25 to 36') },
    });

    const italian: typeof regimes = dataOf(
      await callThrough(api, gateway, OPERATIONS.regimes, { language: 'it' }, analyst.token),
    );
    const rules = italian.find(({ regime_id: regime }) => regime === 'nis2')!.national;
    expect(rules.find(({ country }) => country === 'NL')).toMatchObject({
      ...{ remarks: expect.stringMatching(/^L’accesso richiede eHerkenning/) },
      ...{ checked: expect.stringMatching(/^Articoli da 25 a 36 in copie/), portal_url: 'https://mijn.ncsc.nl' },
    });
  });

  test('a bank reports under DORA from the classification on, and not under NIS 2', async () => {
    await profile({ nis2_sector: 'Settore bancario', country: 'IT' });
    const { id, clock: unclassified } = await open({ personal_data_concerned: true });
    expect(new Set(unclassified.stages.map(({ regime_id: regime }) => regime))).toEqual(new Set(['gdpr']));
    expect(unclassified.out_of_scope).toMatchObject([
      { regime_id: 'nis2-it', reason: expect.stringMatching(/under DORA instead/) },
    ]);

    clock.set(3);
    const classified = await data('update', { incident_id: id, classified_at: at(2) });
    const dora = ({ clock: { stages } }: Incident) =>
      stages
        .filter(({ regime_id: regime, stage }) => regime === 'dora' && stage !== 'COMMUNICATION')
        .map(({ stage, number, state, due_at: due }) => [stage, number, state, due]);
    expect(dora(classified)).toEqual([
      ['NOTIFICATION', 1, 'DUE_SOON', at(6)],
      ['INTERMEDIATE_REPORT', 1, 'PENDING', null],
      ['FINAL_REPORT', 1, 'PENDING', null],
    ]);
    expect(dataOf(await call('draft', { incident_id: id, regime_id: 'dora', stage: 'NOTIFICATION' }))).toMatchObject({
      recipient: expect.stringMatching(/^Banca d’Italia, .* the authority under Article 46$/),
      due_at: at(6),
    });

    const record = (stage: string) => data('record', { incident_id: id, regime_id: 'dora', stage });
    clock.set(5);
    await record('NOTIFICATION');
    clock.set(70);
    const draft = { incident_id: id, regime_id: 'dora', stage: 'INTERMEDIATE_REPORT' };
    const field = { key: 'occurred_at', source: 'INCIDENT', law: 'Article 3(b)' };
    const unknown = dataOf(await call('draft', draft));
    expect(unknown.fields).toContainEqual(expect.objectContaining({ ...field, value: null }));
    expect(unknown.missing).toContain('occurred_at');
    await data('update', { incident_id: id, occurred_at: at(-30) });
    const known = dataOf(await call('draft', draft));
    expect(known.fields).toContainEqual(expect.objectContaining({ ...field, value: expect.stringMatching(/UTC/) }));
    expect(known.missing).not.toContain('occurred_at');
    await record('INTERMEDIATE_REPORT');
    clock.set(100);
    const updated = await record('INTERMEDIATE_REPORT');
    expect(dora(updated)).toEqual([
      ['NOTIFICATION', 1, 'SENT', at(6)],
      ['INTERMEDIATE_REPORT', 1, 'SENT', at(77)],
      ['INTERMEDIATE_REPORT', 2, 'SENT', null],
      ['FINAL_REPORT', 1, 'PENDING', DateTime.fromISO(at(100), { zone: 'utc' }).plus({ months: 1 }).toISO()],
    ]);
  });

  test('to take a classification back, or to move it to later, requires an officer and a reason', async () => {
    await profile({ nis2_sector: 'Infrastrutture mercati finanziari' });
    const { id } = await open({ aware_at: at(-10), classified_at: at(-5) });
    for (const classifiedAt of [null, at(-4)]) {
      const change = { incident_id: id, classified_at: classifiedAt };
      expectFailure(await call('update', change), 'FORBIDDEN');
      expectFailure(await call('update', change, officer), 'BAD_USER_INPUT', [
        'reason is required where a report may then be sent later or not at all',
      ]);
    }
    const change = { incident_id: id, classified_at: null, reason: 'Below the thresholds after all.' };
    expect((await data('update', change, officer)).clock.stages).toEqual([]);
    // An analyst may set an earlier time.
    await data('update', { incident_id: id, classified_at: at(-6) });
    expect((await data('update', { incident_id: id, classified_at: at(-7) })).clock.stages[0]).toMatchObject({
      due_at: at(-3),
    });
  });

  test('what a law says of a clock, a regime and a question is in the language that is chosen, and what people wrote as it is', async () => {
    await profile({ nis2_sector: 'Infrastrutture digitali', country: 'IT', nis2_reporting_from: '2030-03-04' });
    const { id } = await open({ personal_data_concerned: true });
    const of = { incident_id: id };
    const recipient = 'The clerk';
    await data('record', { ...of, regime_id: 'gdpr', stage: 'NOTIFICATION', recipient, reference: 'GDPR' });
    const english = (await data('clock', of)) as unknown as Incident['clock'];
    const italian = (await data('clock', { ...of, language: 'it' })) as unknown as Incident['clock'];
    expect(english).toEqual(await data('clock', { ...of, language: 'en' }));
    expect(english.out_of_scope).toMatchObject([
      { regime_id: 'nis2-it', reason: expect.stringMatching(/^Does not apply before 4 March 2030, because the duty/) },
    ]);
    expect(italian.out_of_scope).toMatchObject([
      {
        ...{ regime_id: 'nis2-it', regime_name: 'NIS 2, Italia' },
        reason: expect.stringMatching(/^Non si applica prima del 4 marzo 2030, perché l’obbligo/),
      },
    ]);
    expect(italian.stages).toMatchObject([
      {
        ...{ regime_id: 'gdpr', state: 'SENT', source: expect.stringContaining('articoli'), reference: 'GDPR' },
        recipient: 'The clerk',
      },
      // Its reason is that of the regime, and the cases in which the report is required.
      { regime_id: 'gdpr', state: 'TO_BE_DECIDED', reason: expect.not.stringMatching(/ the | is /) },
    ]);
    const questions = (language?: string) => data('questions', { ...of, ...(language && { language }) }) as unknown;
    expect(await questions('it')).toMatchObject({
      services: expect.arrayContaining([{ service: 'dns', label: 'Servizi DNS (articolo 5)' }]),
      questions: expect.arrayContaining([
        expect.objectContaining({ question: '3-1-c', article: 'articolo 3, paragrafo 1, lettera c)' }),
      ]),
    });
    expect(JSON.stringify(await questions('de'))).not.toMatch(/Article|Was |Has it/);
    const regimes = (language: string) => callThrough(api, gateway, OPERATIONS.regimes, { language }, analyst.token);
    expect(dataOf(await regimes('de'))).toContainEqual(
      expect.objectContaining({ regime_id: 'nis2-it', name: 'NIS 2, Italien' }),
    );
    const inFrench = { ...of, language: 'fr' };
    for (const answer of [await call('clock', inFrench), await call('questions', inFrench), await regimes('fr')])
      expectFailure(answer, 'BAD_USER_INPUT', ['language must be one of the languages de, en, it']);
  });

  describe('whether an incident is significant', () => {
    const NO = ['23-3-a-disruption', '23-3-a-loss', '23-3-b'].map((question) => ({ question, answer: false }));
    const yes = (question: string) => [{ question, answer: true }];
    const cloud = (id: number, answers: object[]) => ({ incident_id: id, services: ['cloud'], answers });

    test('has the questions for the services that the profile of the time may have, with the article of each criterion', async () => {
      await profile({ nis2_sector: 'Infrastrutture digitali', country: 'DE' });
      const { id } = await open({ significant: false });
      await profile({ nis2_sector: 'Spazio' }, 1);
      const { services, questions } = dataOf(await call('questions', { incident_id: id }));
      expect(services.map(({ service }: { service: string }) => service)).toEqual([
        ...['other', 'dns', 'tld', 'cloud', 'data-centre', 'cdn', 'trust'],
      ]);
      expect(questions).toContainEqual({
        ...{ question: '7-a', article: 'Article 7(a)', services: ['cloud'], together: null, exempts: false },
        act: 'Implementing Regulation (EU) 2024/2690',
        text: 'Was a cloud computing service completely unavailable for more than 30 minutes?',
        source_url: 'https://eur-lex.europa.eu/eli/reg_impl/2024/2690/oj',
      });
    });

    test('is set by the answers, which start the clock and are on record with the reason', async () => {
      await profile({ nis2_sector: 'Infrastrutture digitali', country: 'DE' });
      const { id } = await open({ significant: false });
      const assessed = dataOf(await call('assess', cloud(id, [...yes('7-a'), { question: '3-1-c', answer: false }])));
      expect(assessed).toMatchObject({
        significant: true,
        clock: { stages: { 0: { regime_id: 'nis2', due_at: at(24) } } },
      });
      const entries = dataOf(await call('timeline', { incident_id: id }, officer)) as { entry: object | null }[];
      expect(entries.at(-1)).toMatchObject({
        ...{ kind: 'ENTRY', actor: analyst.username },
        entry: {
          action: 'INCIDENT_ASSESSED',
          reason: 'Significant by Article 7(a) of Implementing Regulation (EU) 2024/2690.',
          changes: expect.arrayContaining([
            expect.objectContaining({ field: 'significant' }),
            expect.objectContaining({ field: 'services' }),
            expect.objectContaining({ field: 'answers' }),
          ]) as unknown,
        },
      });
    });

    test('is taken back by an officer alone, and confirmed by an analyst, each with an entry', async () => {
      await profile({ nis2_sector: 'Spazio' });
      const { id } = await open();
      const none = { incident_id: id, services: ['other'], answers: NO };
      expectFailure(await call('assess', none), 'FORBIDDEN');
      expect(dataOf(await call('assess', none, officer))).toMatchObject({ significant: false, clock: { stages: [] } });
      // The state is unchanged: an analyst may record the assessment.
      expect(dataOf(await call('assess', none))).toMatchObject({ significant: false });
      const entries: { entry: { action: string; reason: string; changes: { field: string }[] } }[] = dataOf(
        await call('timeline', { incident_id: id }, officer),
      );
      const assessed = entries.filter(({ entry }) => entry.action === 'INCIDENT_ASSESSED');
      expect(assessed.map(({ entry: { reason, changes } }) => [reason, changes.map(({ field }) => field)])).toEqual([
        ['Not significant: no criterion is met, of Directive (EU) 2022/2555.', ['answers', 'services', 'significant']],
        ['Not significant: no criterion is met, of Directive (EU) 2022/2555.', ['answers', 'services']],
      ]);
    });

    test('is refused and left as it is where the answers contradict the incident or each other, or leave it open', async () => {
      await profile({ nis2_sector: 'Infrastrutture digitali', country: 'DE' });
      const { id } = await open({ significant: false, suspected_malicious: false });
      expectFailure(await call('assess', cloud(id, [...yes('99-z'), ...yes('7-a')])), 'BAD_USER_INPUT', [
        'answers[0].question must be a question about cloud',
      ]);
      expectFailure(
        await call('assess', { incident_id: id, services: ['marketplace'], answers: yes('11-a') }),
        'BAD_USER_INPUT',
        ['services must be among other, dns, tld, cloud, data-centre, cdn, trust'],
      );
      expectFailure(await call('assess', cloud(id, yes('7-c'))), 'BAD_USER_INPUT', [
        'answers[0].answer contradicts suspected_malicious, which is false',
      ]);
      expectFailure(await call('assess', cloud(id, [...yes('3-2'), ...yes('7-a')])), 'BAD_USER_INPUT', [
        'answers[0].answer contradicts the answer to 7-a',
      ]);
      expectFailure(
        await call('assess', { incident_id: id, services: ['other'], answers: NO.slice(1) }),
        'BAD_USER_INPUT',
        ['answers must answer 23-3-a-disruption as well while none is yes'],
      );
      expectFailure(await call('assess', { incident_id: id, services: [], answers: NO }), 'BAD_USER_INPUT', [
        'services must not be empty',
      ]);
      expectFailure(await call('assess', { incident_id: id, services: ['other'], answers: [] }), 'BAD_USER_INPUT', [
        'answers must not be empty',
      ]);
      const old = await open({ significant: false, aware_at: '2024-10-17T12:00:00Z' });
      const other = { incident_id: old.id, services: ['other'], answers: NO };
      expectFailure(await call('assess', other), 'BAD_USER_INPUT', [
        'services must be of an act in force on the day of awareness: there was none',
      ]);
      const entries: unknown[] = dataOf(await call('timeline', { incident_id: id }, officer));
      expect(entries).toHaveLength(1);
    });

    test('of a closed incident is refused until it is opened again', async () => {
      await profile({ nis2_sector: 'Spazio' });
      const { id } = await open({ significant: false });
      await data('close', { incident_id: id });
      expectFailure(await call('assess', { incident_id: id, services: ['other'], answers: NO }), 'CONFLICT');
    });
  });
});
