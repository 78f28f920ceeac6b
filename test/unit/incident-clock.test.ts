import { describe, expect, test } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ClockFacts, SentReport } from '../../src/services/incidents/applying-regimes.js';
import { judge, relaxes, reportingClock } from '../../src/services/incidents/reporting-clock.js';
import { neighboursOf } from '../../src/services/incidents/report-order.js';
import { ReportingRegimes } from '../../src/services/incidents/reporting-regimes.js';
import { REGIMES } from '../support/catalog.js';

const AWARE_AT = '2026-10-10T08:15:30.250Z';

const ENERGY = { nis2_sector: ['Energia - Gas'] };

/** Facts of the organization under their names in regimes. */
type Facts = Partial<ClockFacts> & { profile?: Record<string, string[]> };

function factsOf({ profile, ...facts }: Facts): ClockFacts {
  return {
    ...{
      awareAt: AWARE_AT,
      occurredAt: null,
      classifiedAt: null,
      handledAt: null,
      fixAvailableAt: null,
      intermediateReportDueAt: null,
      significant: true,
    },
    ...{ personalDataConcerned: null, affectsTrustService: null, affectsQualifiedTrustService: null },
    ...{ exploitedVulnerability: null, productConcerned: null },
    ...{ sent: [], factsAsOf: AWARE_AT, rehearsal: false, ...facts },
    organizationFacts: { version: 3, values: { time_zone: ['UTC'], country: [], ...ENERGY, ...profile } },
  };
}

const clock = (facts: Facts, now: string) => reportingClock(REGIMES.all, factsOf(facts), new Date(now));

function sent(stage: SentReport['stage'], sentAt: string, more: Partial<SentReport> = {}): SentReport {
  const particulars = { recipient: '', reference: '', attachmentId: null, dueAt: null, judgement: null, reason: '' };
  const manner = 'SENT';
  return { regimeId: 'nis2', stage, number: 1, sentAt, sentBy: 'ada', manner, ...particulars, ...more };
}

/** Each report to an authority in one line: `nis2 EARLY_WARNING 1 PENDING 2026-10-11T08:15:30.250Z`. */
function lines(facts: Facts, now: string): string[] {
  const stages = clock(facts, now).stages.filter(({ stage }) => !stage.endsWith('COMMUNICATION'));
  return stages.map(({ regimeId, stage, number, state, dueAt, late }) =>
    [regimeId, stage, number, state, dueAt, ...(late ? ['late'] : [])].join(' '),
  );
}

const only = (stage: string, facts: Facts, now: string) =>
  lines(facts, now).filter((line) => line.includes(` ${stage} `));

const WARNED = sent('EARLY_WARNING', '2026-10-10T12:00:00.000Z');
const NOTIFIED = sent('NOTIFICATION', '2026-10-12T16:00:01.000Z');

describe('a law is for organizations by their profile', () => {
  const NOW = '2026-10-10T09:00:00.000Z';
  const shown = (facts: Facts) => {
    const { stages, outOfScope } = clock(facts, NOW);
    return {
      regimes: [...new Set(stages.map(({ regimeId }) => regimeId))],
      outOfScope: outOfScope.map(({ regimeId, reason }) => [regimeId, reason]),
    };
  };
  const BANK = { nis2_sector: ['Settore bancario'] };
  const NEITHER = expect.stringMatching(/neither the framework NIS2 with an entity type .* nor a nis2_sector/);
  const FINANCIAL = expect.stringMatching(/nis2_sector is financial.*under DORA instead.*classified_at/);
  const CLASSIFIED = { classifiedAt: '2026-10-10T09:00:00.000Z' };

  test.each<[string, Facts, string[], unknown[]]>([
    ['an energy company by its NIS 2 sector', {}, ['nis2'], []],
    ['an entity by its framework alone', { profile: { nis2_sector: [], entity_type: ['important'] } }, ['nis2'], []],
    ['an Italian one', { profile: { country: ['IT'] } }, ['nis2-it'], []],
    ['a retailer, with the reason', { profile: { nis2_sector: [] } }, [], [['nis2', NEITHER]]],
    ['an Italian retailer', { profile: { nis2_sector: [], country: ['IT'] } }, [], [['nis2-it', NEITHER]]],
    [
      'a retailer with personal data',
      { profile: { nis2_sector: [] }, personalDataConcerned: true },
      ['gdpr'],
      [['nis2', NEITHER]],
    ],
    ['a bank before classification', { profile: BANK }, [], [['nis2', FINANCIAL]]],
    ['a bank after it', { profile: BANK, ...CLASSIFIED }, ['dora'], [['nis2', FINANCIAL]]],
    ['a bank that has an entity type', { profile: { ...BANK, entity_type: ['essential'] } }, [], [['nis2', FINANCIAL]]],
    [
      'a trading venue',
      { profile: { nis2_sector: ['Infrastrutture mercati finanziari'] }, ...CLASSIFIED },
      ['dora'],
      [['nis2', FINANCIAL]],
    ],
    [
      'an energy company that has classified',
      CLASSIFIED,
      ['nis2'],
      [['dora', expect.stringMatching(/not a financial one\. Set it to Settore bancario or /)]],
    ],
    ['no one while it is not significant', { significant: false, profile: { nis2_sector: [] } }, [], []],
  ])('%s', (_who, facts, regimes, outOfScope) => {
    expect(shown(facts)).toEqual({ regimes, outOfScope });
  });

  test('not where the facts were stored before there were scopes', () => {
    const facts = factsOf({ profile: { nis2_sector: [] } });
    const before = { ...facts, organizationFacts: { ...facts.organizationFacts, version: 1 as const } };
    const { stages, outOfScope } = reportingClock(REGIMES.all, before, new Date(NOW));
    expect([stages[0]?.regimeId, outOfScope]).toEqual(['nis2', []]);
  });
});

describe('the calendar of public holidays', () => {
  test.each([
    ['AT:', 'XX:', 'XX: must be an ISO 3166-1 alpha-2 code such as IT'],
    ['01-06 04-21', '01-06 02-30', 'AT.2025: must be days such as 12-25, with a space between'],
    ["  '2025': 01-01", "  '2025': [01-01", ' is no valid YAML'],
  ])('is refused at the start with file and line for %j as %j', (right, wrong, sentence) => {
    const directory = mkdtempSync(join(tmpdir(), 'regimes-'));
    try {
      cpSync(resolve(import.meta.dirname, '../../catalog/regimes'), directory, { recursive: true });
      const file = join(directory, 'holidays/holidays.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(right, wrong));
      expect(() => ReportingRegimes.load(directory)).toThrow(
        /^Public holidays .* has errors:\n {2}holidays\.yaml:\d+ /,
      );
      expect(() => ReportingRegimes.load(directory)).toThrow(sentence);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a country', () => {
  const shown = (country: string[], awareAt: string, profile: Record<string, string[]> = {}) =>
    clock({ awareAt, profile: { country, time_zone: ['Europe/Berlin'], ...profile } }, awareAt).stages.map(
      ({ regimeId, regimeName, recipient, portalUrl, dueAt }) => ({
        regimeId,
        regimeName,
        recipient,
        portalUrl,
        dueAt,
      }),
    )[0];
  const DIRECTIVE = { regimeName: 'NIS 2', recipient: 'CSIRT or competent authority', portalUrl: null };
  const NOW = '2026-11-25T12:00:00.000Z';

  test.each([
    ['DE', 'NIS 2, Germany', /BSI und BBK|BSI and BBK/, 'https://portal.bsi.bund.de'],
    ['AT', 'NIS 2, Austria', /CSIRT of the sector/, 'https://nis.cert.at/'],
    ['BE', 'NIS 2, Belgium', /Centre for Cybersecurity Belgium/, 'https://notif.safeonweb.be'],
    ['NL', 'NIS 2, Netherlands', /CSIRT and competent authority/, 'https://mijn.ncsc.nl'],
    ['FR', 'NIS 2, France (not transposed)', /ANSSI/, 'https://monespacenis2.cyber.gouv.fr/'],
    ['ES', 'NIS 2, Spain (not transposed)', /Not designated yet/, null],
    ['IE', 'NIS 2, Ireland (not transposed)', /National Cyber Security Centre/, null],
    ['IT', 'NIS 2, Italy', /^CSIRT Italia$/, 'https://segnalazioni.acn.gov.it/'],
  ])(
    '%s has its recipient, portal and act, and the deadlines of the directive',
    (country, regimeName, recipient, portalUrl) => {
      expect(shown([country], NOW)).toEqual({
        ...{ regimeId: country === 'IT' ? 'nis2-it' : 'nis2', regimeName, portalUrl },
        ...{ recipient: expect.stringMatching(recipient), dueAt: '2026-11-26T12:00:00.000Z' },
      });
    },
  );

  test('that has not transposed the directive is shown with a sentence that says so', () => {
    for (const country of ['FR', 'ES', 'IE'])
      expect(clock({ awareAt: NOW, profile: { country: [country] } }, NOW).stages[0]!.source).toMatch(
        /^Not transposed: .*The deadlines shown are those of Directive \(EU\) 2022\/2555/,
      );
  });

  test.each([
    ['DE', '2025-12-05T22:59:59.999Z', '2025-12-05T23:00:00.000Z'],
    ['AT', '2026-09-30T21:59:59.999Z', '2026-09-30T22:00:00.000Z'],
    ['NL', '2026-08-14T21:59:59.999Z', '2026-08-14T22:00:00.000Z'],
  ])('%s counts from the first day of its act on, by the calendar of the organization', (country, before, from) => {
    expect(shown([country], before)).toMatchObject(DIRECTIVE);
    expect(shown([country], from)!.regimeName).toMatch(/^NIS 2, /);
  });

  test.each([[[]], [['SE']], [['XX']]])('%j without a file leaves the directive', (country) => {
    expect(shown(country, NOW)).toMatchObject(DIRECTIVE);
  });

  test('names the supervisory authority of the GDPR, and that of banks under DORA', () => {
    const facts = {
      ...{ awareAt: NOW, classifiedAt: NOW, personalDataConcerned: true, significant: false },
      profile: { country: ['FR'], nis2_sector: ['Settore bancario'] },
    };
    expect(clock(facts, NOW).stages.map(({ regimeId, recipient }) => [regimeId, recipient])).toEqual([
      ...Array<unknown>(3).fill(['dora', expect.stringMatching(/\(ACPR\), for credit institutions; for others/)]),
      ['dora', 'Clients'],
      ['gdpr', expect.stringMatching(/\(CNIL\)/)],
      ['gdpr', 'Data subjects'],
    ]);
  });

  test('replaces the provisions of the directive by its own', () => {
    const [dutch] = REGIMES.find('nis2')!.national.filter(({ country }) => country === 'NL');
    const laws = dutch!.regime.stages
      .filter(({ addressee }) => addressee === 'AUTHORITY')
      .map(({ fields }) => fields[0]!.law);
    expect(laws).toEqual([26, 27, 28, '29(2)', 29].map((article) => `Article ${article} Cbw`));
    expect(REGIMES.find('nis2')!.stages[0]!.fields[0]!.law).toBe('Article 23(4)(a)');
  });

  test.each<[string, string, string]>([
    ['country: NL', 'country: XX', 'country: must be an ISO 3166-1 alpha-2 code such as IT'],
    ['id: nl', 'id: be', 'id: must be the country in small letters'],
    ['regime: gdpr', 'regime: gdrp', 'rules[1].regime: is no regime'],
    ['EARLY_WARNING:', 'EARLY:', 'rules[0].laws.EARLY: is no stage of nis2'],
    [
      "regime: gdpr\n    valid_from: '2018-05-25'",
      "regime: nis2\n    valid_from: '2026-08-15'",
      'rules[1].valid_from: is there twice for nis2',
    ],
    ['    recipient: Autoriteit Persoonsgegevens\n', '', "rules[1]: must have required property 'recipient'"],
    ['portal: https:', 'portal: http:', 'rules[0].portal: must match pattern'],
    ['remarks:', 'remark:', 'rules[0]: unknown key remark'],
  ])('is refused at the start with file and line for %j as %j', (right, wrong, sentence) => {
    const directory = mkdtempSync(join(tmpdir(), 'regimes-'));
    try {
      cpSync(resolve(import.meta.dirname, '../../catalog/regimes'), directory, { recursive: true });
      const file = join(directory, 'national/nl.yaml');
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(right);
      writeFileSync(file, text.replace(right, wrong));
      expect(() => ReportingRegimes.load(directory)).toThrow(/^Rules of countries .* has errors:\n {2}nl\.yaml:\d+ /);
      expect(() => ReportingRegimes.load(directory)).toThrow(sentence);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a law that was added, or a report of one,', () => {
  const TRUST = {
    affectsTrustService: true,
    personalDataConcerned: true,
    profile: { trust_service_provider: ['true'] },
  };
  const named = (version: 2 | 3) => {
    const facts = factsOf(TRUST);
    const before = { ...facts, organizationFacts: { ...facts.organizationFacts, version } };
    return reportingClock(REGIMES.all, before, new Date(AWARE_AT)).stages.map(
      ({ regimeId, stage }) => `${regimeId} ${stage}`,
    );
  };

  test('is not applied to incidents whose facts were stored before it was there', () => {
    const added = ['eidas NOTIFICATION', 'eidas COMMUNICATION', 'gdpr COMMUNICATION'];
    expect(named(3)).toEqual(expect.arrayContaining([...added, 'nis2 THREAT_COMMUNICATION']));
    expect(named(2).filter((name) => /eidas|COMMUNICATION/.test(name))).toEqual([]);
    expect(named(2)).toEqual(expect.arrayContaining(['gdpr NOTIFICATION', 'nis2 FINAL_REPORT']));
  });

  test('of an entity has its first day, in its own calendar, with the reason', () => {
    const facts = (awareAt: string) => ({
      awareAt,
      profile: { country: ['IT'], nis2_reporting_from: ['2026-10-11'], time_zone: ['Europe/Rome'] },
    });
    const { stages, outOfScope } = clock(facts('2026-10-10T21:59:59.999Z'), AWARE_AT);
    expect([stages, outOfScope.map(({ regimeId, reason }) => [regimeId, reason])]).toEqual([
      [],
      [
        [
          'nis2-it',
          expect.stringMatching(/^Does not apply before 11 October 2026, because the duty .* nine months after/),
        ],
      ],
    ]);
    expect(clock(facts('2026-10-10T22:00:00.000Z'), AWARE_AT).stages[0]).toMatchObject({ regimeId: 'nis2-it' });
  });
});

describe('DORA', () => {
  const bank = (facts: Facts) => ({ profile: { nis2_sector: ['Settore bancario'] }, ...facts });
  const dora = (stage: SentReport['stage'], sentAt: string, number = 1) =>
    sent(stage, sentAt, { regimeId: 'dora', number });
  const due = (facts: Facts) =>
    lines(bank(facts), '2026-10-10T09:00:00.000Z').map((line) => line.split(' ').slice(1, 5));

  test.each([
    ['four hours after classification', '2026-10-10T10:00:00.000Z', '2026-10-10T14:00:00.000Z'],
    ['a day after awareness, to the millisecond', '2026-10-11T04:15:30.250Z', '2026-10-11T08:15:30.250Z'],
    ['a day after awareness although four hours are not over', '2026-10-11T08:15:30.250Z', '2026-10-11T08:15:30.250Z'],
    [
      'four hours after a classification that came later than that',
      '2026-10-11T08:15:30.251Z',
      '2026-10-11T12:15:30.251Z',
    ],
  ])('asks for the notification %s', (_when, classifiedAt, dueAt) => {
    expect(due({ classifiedAt })).toEqual([
      ['NOTIFICATION', '1', expect.any(String), dueAt],
      ['INTERMEDIATE_REPORT', '1', 'PENDING', ''],
      ['FINAL_REPORT', '1', 'PENDING', ''],
    ]);
  });

  test('requires what the delegated act does, each by its point, and marks as optional only what it does', () => {
    const points = (name: string, optional: boolean) => {
      const { fields } = REGIMES.find('dora')!.stages.find(({ stage }) => stage === name)!;
      return fields.filter((field) => field.optional === optional).map(({ law }) => law.replace('Article ', ''));
    };
    expect(points('NOTIFICATION', false)).toEqual([
      ...['1(b)', '1(e)', '2(b)', '2(b)', '2(c)', '2(d)', '2(e)', '2(f)', '2(h)'],
    ]);
    expect(points('NOTIFICATION', true)).toEqual(['2(g)']);
    expect(points('INTERMEDIATE_REPORT', false)).toEqual([
      ...['1(b)', '5(1)(b)', '5(1)(b)', '3(b)', '3(d)', '3(g), (h) and (i)', '3(e) and (f)', '3(j)', '3(k)'],
    ]);
    expect(points('INTERMEDIATE_REPORT', true)).toEqual(['3(l)', '3(c)']);
  });

  test('requires the intermediate report 72 hours after the notification, and the final one a month after the last update', () => {
    const classifiedAt = '2026-10-10T09:00:00.000Z';
    const notified = [dora('NOTIFICATION', '2026-10-10T11:00:00.000Z')];
    expect(due({ classifiedAt, sent: notified })[1]).toEqual([
      'INTERMEDIATE_REPORT',
      '1',
      'PENDING',
      '2026-10-13T11:00:00.000Z',
    ]);
    const reported = [...notified, dora('INTERMEDIATE_REPORT', '2026-10-13T10:00:00.000Z')];
    expect(due({ classifiedAt, sent: reported }).at(-1)).toEqual([
      'FINAL_REPORT',
      '1',
      'PENDING',
      '2026-11-13T10:00:00.000Z',
    ]);
    const updated = [...reported, dora('INTERMEDIATE_REPORT', '2027-01-31T10:00:00.000Z', 2)];
    expect(due({ classifiedAt, sent: updated }).slice(1)).toEqual([
      ['INTERMEDIATE_REPORT', '1', 'SENT', '2026-10-13T11:00:00.000Z'],
      ['INTERMEDIATE_REPORT', '2', 'SENT', ''],
      ['FINAL_REPORT', '1', 'PENDING', '2027-02-28T10:00:00.000Z'],
    ]);
  });
});

describe('a deadline that is not on a working day', () => {
  const MILAN = { nis2_sector: ['Settore bancario'], country: ['IT'], time_zone: ['Europe/Rome'] };
  /** The final report of a bank whose intermediate one was sent a month before. */
  const final = (intermediate: string, { profile = MILAN, at = intermediate, sentAt = '' } = {}) => {
    const dora = (stage: SentReport['stage'], when: string) => sent(stage, when, { regimeId: 'dora' });
    const reports = [dora('NOTIFICATION', intermediate), dora('INTERMEDIATE_REPORT', intermediate)];
    if (sentAt !== '') reports.push(dora('FINAL_REPORT', sentAt));
    const facts = { awareAt: intermediate, classifiedAt: intermediate, sent: reports, profile };
    return clock(facts, at).stages.find(({ stage }) => stage === 'FINAL_REPORT')!;
  };

  test.each([
    ['a Saturday, into Monday', '2026-10-14T08:00:00.000Z', '2026-11-14T09:00:00.000Z', '2026-11-16T11:00:00.000Z'],
    [
      'a Sunday night at home, a day earlier in UTC',
      '2026-11-05T23:30:00.000Z',
      '2026-12-05T23:30:00.000Z',
      '2026-12-07T11:00:00.000Z',
    ],
    [
      'a Friday that is Christmas, over the weekend',
      '2026-11-25T10:00:00.000Z',
      '2026-12-25T10:00:00.000Z',
      '2026-12-28T11:00:00.000Z',
    ],
    [
      'Easter Sunday, over Easter Monday and the beginning of summer time',
      '2027-02-28T01:30:00.000Z',
      '2027-03-28T01:30:00.000Z',
      '2027-03-30T10:00:00.000Z',
    ],
    ['the day of the Republic', '2027-05-02T10:00:00.000Z', '2027-06-02T10:00:00.000Z', '2027-06-03T10:00:00.000Z'],
    [
      'the last day of February for a 31st',
      '2027-01-31T10:00:00.000Z',
      '2027-02-28T10:00:00.000Z',
      '2027-03-01T11:00:00.000Z',
    ],
    ['a leap day that is a Tuesday', '2028-01-29T10:00:00.000Z', '2028-02-29T10:00:00.000Z', null],
    ['a Friday', '2026-10-13T08:00:00.000Z', '2026-11-13T09:00:00.000Z', null],
  ])('may pass until noon of the next one: %s', (_which, intermediate, dueAt, extendedTo) => {
    expect(final(intermediate)).toMatchObject({ dueAt, extendedTo });
  });

  test('is that of the calendar of the country, and none where that is not known', () => {
    const inCountry = (country: string[], zone = 'Europe/Rome') =>
      final('2027-05-02T10:00:00.000Z', { profile: { ...MILAN, country, time_zone: [zone] } }).extendedTo;
    expect(inCountry(['IT'])).toBe('2027-06-03T10:00:00.000Z');
    expect(inCountry(['DE'], 'Europe/Berlin')).toBeNull();
    const saturday = (country: string[]) =>
      final('2026-10-14T08:00:00.000Z', { profile: { ...MILAN, country } }).extendedTo;
    expect([saturday([]), saturday(['US']), saturday(['FR'])]).toEqual([null, null, '2026-11-16T11:00:00.000Z']);
    expect(final('2099-10-14T08:00:00.000Z').extendedTo).toBeNull();
  });

  test.each([
    ['Liechtenstein on Ascension', 'LI', '2027-04-06T10:00:00.000Z', '2027-05-07T10:00:00.000Z'],
    ['Liechtenstein on the Friday after it, which is none', 'LI', '2027-04-07T10:00:00.000Z', null],
    ['Liechtenstein on All Saints', 'LI', '2027-10-01T10:00:00.000Z', '2027-11-02T11:00:00.000Z'],
    ['Bulgaria on the second day of Christmas', 'BG', '2028-11-26T10:00:00.000Z', '2028-12-27T11:00:00.000Z'],
    ['Cyprus on Whit Monday', 'CY', '2027-05-21T10:00:00.000Z', '2027-06-22T10:00:00.000Z'],
    ['Spain on the Monday after a Christmas on a Sunday', 'ES', '2033-11-26T10:00:00.000Z', null],
  ])('is that of holidays of the whole country by its law: %s', (_which, country, intermediate, extendedTo) => {
    expect(final(intermediate, { profile: { ...MILAN, country: [country] } }).extendedTo).toBe(extendedTo);
  });

  test('is overdue, and a report late, after the extension only; the strict deadline stays beside it', () => {
    const [intermediate, end] = ['2026-10-14T08:00:00.000Z', '2026-11-16T11:00:00.000Z'];
    const after = '2026-11-16T11:00:00.001Z';
    expect(final(intermediate, { at: end }).state).toBe('DUE_SOON');
    expect(final(intermediate, { at: after }).state).toBe('OVERDUE');
    for (const [sentAt, late] of [
      [end, false],
      [after, true],
    ] as const)
      expect(final(intermediate, { sentAt, at: after })).toMatchObject({
        late,
        dueAt: '2026-11-14T09:00:00.000Z',
        extendedTo: end,
      });
  });

  test('is not extended for the initial notification and the intermediate report of a bank', () => {
    const facts = { awareAt: '2026-11-14T08:00:00.000Z', classifiedAt: '2026-11-14T08:00:00.000Z', profile: MILAN };
    expect(clock(facts, facts.awareAt).stages[0]).toMatchObject({
      dueAt: '2026-11-14T12:00:00.000Z',
      extendedTo: null,
    });
  });
});

describe('a report that is due hours after awareness', () => {
  test.each([
    ['one millisecond before it is due soon', '2026-10-11T02:15:30.249Z', 'PENDING'],
    ['six hours before it is due', '2026-10-11T02:15:30.250Z', 'DUE_SOON'],
    ['at the very instant it is due', '2026-10-11T08:15:30.250Z', 'DUE_SOON'],
    ['one millisecond after it was due', '2026-10-11T08:15:30.251Z', 'OVERDUE'],
  ])('%s', (_when, now, state) => {
    expect(only('EARLY_WARNING', {}, now)).toEqual([`nis2 EARLY_WARNING 1 ${state} 2026-10-11T08:15:30.250Z`]);
  });

  test('counts real hours where the local clock changes', () => {
    const facts = { awareAt: '2026-10-24T12:00:00.000Z', profile: { time_zone: ['Europe/Rome'] } };
    expect(only('NOTIFICATION', facts, AWARE_AT)).toEqual(['nis2 NOTIFICATION 1 PENDING 2026-10-27T12:00:00.000Z']);
  });

  test.each([
    ['2026-10-11T08:15:30.250Z', ''],
    ['2026-10-11T08:15:30.251Z', ' late'],
  ])('is late when it was sent after its deadline, at %s', (sentAt, late) => {
    const facts = { sent: [sent('EARLY_WARNING', sentAt)] };
    expect(only('EARLY_WARNING', facts, '2026-12-01T00:00:00Z')).toEqual([
      `nis2 EARLY_WARNING 1 SENT 2026-10-11T08:15:30.250Z${late}`,
    ]);
  });
});

describe('a calendar month', () => {
  test.each([
    ['UTC', '2027-01-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
    ['UTC', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
    ['UTC', '2028-02-29T23:59:59.999Z', '2028-03-29T23:59:59.999Z'],
    ['UTC', '2027-03-31T23:30:00.000Z', '2027-04-30T23:30:00.000Z'],
    ['UTC', '2026-12-31T10:00:00.000Z', '2027-01-31T10:00:00.000Z'],
    // 1 March in Rome, where it is 1 April a month later, and summer time.
    ['Europe/Rome', '2027-02-28T23:30:00.000Z', '2027-03-31T22:30:00.000Z'],
    ['Europe/Rome', '2026-10-12T10:00:00.000Z', '2026-11-12T11:00:00.000Z'],
    ['America/New_York', '2027-01-31T04:59:59.000Z', '2027-03-01T04:59:59.000Z'],
  ])('in %s goes from %s to %s', (timeZone, sentAt, dueAt) => {
    const facts = {
      sent: [WARNED, sent('NOTIFICATION', sentAt)],
      handledAt: sentAt,
      profile: { time_zone: [timeZone] },
    };
    expect(only('FINAL_REPORT', facts, sentAt)).toEqual([`nis2 FINAL_REPORT 1 PENDING ${dueAt}`]);
  });
});

describe('NIS 2', () => {
  test('waits with the final report for the notification, however late it is', () => {
    expect(lines({}, '2031-01-01T00:00:00Z').slice(2)).toEqual([
      'nis2 INTERMEDIATE_REPORT 1 NOT_REQUIRED ',
      'nis2 PROGRESS_REPORT 1 NOT_REQUIRED ',
      'nis2 FINAL_REPORT 1 PENDING ',
    ]);
  });

  const NOW = '2026-12-01T00:00:00Z';
  test.each([
    [null, ['PROGRESS_REPORT 1 OVERDUE 2026-11-12T16:00:01.000Z', 'FINAL_REPORT 1 PENDING ']],
    [
      '2026-11-12T16:00:01.000Z',
      ['PROGRESS_REPORT 1 NOT_REQUIRED ', 'FINAL_REPORT 1 OVERDUE 2026-11-12T16:00:01.000Z'],
    ],
    [
      '2026-11-12T16:00:01.001Z',
      ['PROGRESS_REPORT 1 OVERDUE 2026-11-12T16:00:01.000Z', 'FINAL_REPORT 1 DUE_SOON 2026-12-12T16:00:01.001Z'],
    ],
  ])('asks for progress once while the handling goes on; it ended at %s', (handledAt, expected) => {
    const now = handledAt?.endsWith('1.001Z') ? '2026-12-10T00:00:00Z' : NOW;
    expect(lines({ sent: [WARNED, NOTIFIED], handledAt }, now).slice(3)).toEqual(
      expected.map((line) => `nis2 ${line}`),
    );
  });

  test('says under which condition the final report follows the handling, before a month has passed as well', () => {
    const { stages } = clock({ sent: [WARNED, NOTIFIED] }, '2026-10-13T00:00:00Z');
    const final = stages.find(({ stage }) => stage === 'FINAL_REPORT');
    expect(final?.reason).toContain('Where its handling has not ended a month after the notification');
  });

  test('requires each intermediate report that the authority requests', () => {
    const first = { intermediateReportDueAt: '2026-10-20T12:00:00.000Z', sent: [WARNED] };
    expect(only('INTERMEDIATE_REPORT', first, '2026-10-19T12:00:00Z')).toEqual([
      'nis2 INTERMEDIATE_REPORT 1 DUE_SOON 2026-10-20T12:00:00.000Z',
    ]);
    const dueAt = first.intermediateReportDueAt;
    const answered = [WARNED, sent('INTERMEDIATE_REPORT', '2026-10-21T00:00:00.000Z', { dueAt })];
    expect(only('INTERMEDIATE_REPORT', { ...first, sent: answered }, NOW)).toEqual([
      `nis2 INTERMEDIATE_REPORT 1 SENT ${dueAt} late`,
    ]);
    const again = { intermediateReportDueAt: '2026-12-24T00:00:00.000Z', sent: answered };
    expect(only('INTERMEDIATE_REPORT', again, NOW)).toEqual([
      `nis2 INTERMEDIATE_REPORT 1 SENT ${dueAt} late`,
      'nis2 INTERMEDIATE_REPORT 2 PENDING 2026-12-24T00:00:00.000Z',
    ]);
  });

  test('requires the notification within 24 hours of trust service providers, where a trust service is affected', () => {
    for (const [trustServiceProvider, affectsTrustService, day] of [
      [true, true, '11'],
      [true, null, '13'],
      [false, true, '13'],
    ] as const) {
      const facts = { affectsTrustService, profile: { trust_service_provider: [String(trustServiceProvider)] } };
      expect(only('NOTIFICATION', facts, AWARE_AT).filter((line) => line.startsWith('nis2'))).toEqual([
        `nis2 NOTIFICATION 1 PENDING 2026-10-${day}T08:15:30.250Z`,
      ]);
    }
  });
});

describe('Italy', () => {
  const profile = { country: ['IT'], time_zone: ['Europe/Rome'] };

  test.each([
    ['2026-01-14T22:59:59.999Z', '164179'],
    ['2026-01-14T23:00:00.000Z', '379907/2025'],
  ])('has the version of the day of awareness, in its own calendar: %s', (awareAt, determination) => {
    const { stages } = clock({ awareAt, profile }, AWARE_AT);
    expect(new Set(stages.map(({ regimeId }) => regimeId))).toEqual(new Set(['nis2-it']));
    for (const { source } of stages) expect(source).toContain(determination);
  });

  const it = (stage: SentReport['stage'], sentAt: string, number = 1) =>
    sent(stage, sentAt, { regimeId: 'nis2-it', number });
  const SENT = [it('EARLY_WARNING', '2026-10-10T12:00:00.000Z'), it('NOTIFICATION', '2026-10-12T10:00:00.000Z')];

  test('replaces the general regime, from the day on which it is in force there', () => {
    const regimes = (awareAt: string) =>
      new Set(clock({ awareAt, profile }, AWARE_AT).stages.map((each) => each.regimeId));
    expect(regimes('2025-12-31T22:59:59.999Z')).toEqual(new Set(['nis2']));
    expect(regimes('2025-12-31T23:00:00.000Z')).toEqual(new Set(['nis2-it']));
  });

  test('requires progress each month while the handling goes on, and the next one only', () => {
    expect(only('PROGRESS_REPORT', { sent: SENT, profile }, '2026-12-12T11:00:00.000Z')).toEqual(
      ['nis2-it PROGRESS_REPORT 1 OVERDUE 2026-11-12T11:00:00.000Z'].concat(
        'nis2-it PROGRESS_REPORT 2 DUE_SOON 2026-12-12T11:00:00.000Z',
        'nis2-it PROGRESS_REPORT 3 PENDING 2027-01-12T11:00:00.000Z',
      ),
    );
    const early = [...SENT, it('PROGRESS_REPORT', '2026-10-20T00:00:00.000Z')];
    expect(only('PROGRESS_REPORT', { sent: early, profile }, '2026-10-21T00:00:00.000Z')).toEqual([
      'nis2-it PROGRESS_REPORT 1 SENT 2026-11-12T11:00:00.000Z',
      'nis2-it PROGRESS_REPORT 2 PENDING 2026-12-12T11:00:00.000Z',
    ]);
  });

  test('requires none after the final report or the end of the handling', () => {
    const now = '2027-03-01T00:00:00.000Z';
    const ended = { sent: SENT, profile, handledAt: '2026-12-01T00:00:00.000Z' };
    expect(only('PROGRESS_REPORT', ended, now)).toEqual(['nis2-it PROGRESS_REPORT 1 OVERDUE 2026-11-12T11:00:00.000Z']);
    const final = [...SENT, it('FINAL_REPORT', '2026-11-01T00:00:00.000Z')];
    expect(only('PROGRESS_REPORT', { sent: final, profile }, now)).toEqual(['nis2-it PROGRESS_REPORT 1 NOT_REQUIRED ']);
    // A report sent before its month was over remains one of the regime.
    const early = [...SENT, it('PROGRESS_REPORT', '2026-10-20T00:00:00.000Z')];
    const { stages } = clock({ sent: early, profile, handledAt: '2026-10-25T00:00:00.000Z' }, now);
    const progress = stages.find(({ stage }) => stage === 'PROGRESS_REPORT');
    expect(progress).toMatchObject({ state: 'SENT', derivedDueAt: '2026-11-12T11:00:00.000Z' });
  });

  test('counts the first of two times in the night in which clocks are set back', () => {
    const notified = (sentAt: string) => [
      it('EARLY_WARNING', '2026-03-24T12:00:00.000Z'),
      it('NOTIFICATION', sentAt),
      ...[1, 2, 3, 4, 5, 6].map((number) => it('PROGRESS_REPORT', '2026-09-26T00:00:00.000Z', number)),
    ];
    const seventh = (sentAt: string) =>
      clock({ awareAt: '2026-03-24T11:00:00.000Z', sent: notified(sentAt), profile }, '2026-10-20T00:00:00.000Z')
        .stages.filter(({ stage }) => stage === 'PROGRESS_REPORT')
        .at(-1)!.dueAt;
    // At 01:30, 02:30 and 03:30 of the winter, seven months before: 02:30 is there in summer time first.
    expect(seventh('2026-03-25T00:30:00.000Z')).toBe('2026-10-24T23:30:00.000Z');
    expect(seventh('2026-03-25T01:30:00.000Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(seventh('2026-03-25T02:30:00.000Z')).toBe('2026-10-25T02:30:00.000Z');
  });
});

/** What a person records, by the clock at that time. */
function recorded(facts: Facts, report: SentReport): Facts {
  const judged = judge(REGIMES.all, factsOf(facts), report, new Date(report.sentAt));
  return { ...facts, sent: [...(facts.sent ?? []), { ...report, ...judged }] };
}

describe('a report that is not required is judged as when it was recorded, while no fact has changed', () => {
  const judgements = (facts: Facts) =>
    clock(facts, '2027-01-01T00:00:00.000Z').stages.map(({ stage, number, judgedNow }) => [stage, number, judgedNow]);
  const progress = (sentAt: string, number = 1) => sent('PROGRESS_REPORT', sentAt, { number });

  test('of progress after the end of the handling', () => {
    const handled = { sent: [WARNED, NOTIFIED], handledAt: '2026-10-20T00:00:00.000Z' };
    const facts = recorded(handled, progress('2026-11-20T00:00:00.000Z'));
    expect(judgements(facts)).toContainEqual(['PROGRESS_REPORT', 1, null]);
    // It was required after all.
    expect(judgements({ ...facts, handledAt: null })).toContainEqual([
      ...['PROGRESS_REPORT', 1],
      { applies: true, dueAt: '2026-11-12T16:00:01.000Z', late: true },
    ]);
  });

  test('of more progress than the law requires', () => {
    const first = recorded({ sent: [WARNED, NOTIFIED] }, progress('2026-11-10T00:00:00.000Z'));
    const second = recorded(first, progress('2026-12-10T00:00:00.000Z', 2));
    expect(judgements(second)).toContainEqual(['PROGRESS_REPORT', 2, null]);
    expect(judgements({ ...second, significant: false })).toContainEqual([
      ...['PROGRESS_REPORT', 2],
      { applies: false, dueAt: null, late: false },
    ]);
  });
});

describe('other regimes', () => {
  test('run beside each other, each by its own facts and from its own day', () => {
    const facts = {
      significant: false,
      personalDataConcerned: true,
      exploitedVulnerability: true,
      productConcerned: true,
    };
    expect(lines(facts, AWARE_AT)).toEqual([
      'cra-incident EARLY_WARNING 1 PENDING 2026-10-11T08:15:30.250Z',
      'cra-incident NOTIFICATION 1 PENDING 2026-10-13T08:15:30.250Z',
      'cra-incident INTERMEDIATE_REPORT 1 NOT_REQUIRED ',
      'cra-incident FINAL_REPORT 1 PENDING ',
      'cra-vulnerability EARLY_WARNING 1 PENDING 2026-10-11T08:15:30.250Z',
      'cra-vulnerability NOTIFICATION 1 PENDING 2026-10-13T08:15:30.250Z',
      'cra-vulnerability INTERMEDIATE_REPORT 1 NOT_REQUIRED ',
      'cra-vulnerability FINAL_REPORT 1 PENDING ',
      'gdpr NOTIFICATION 1 PENDING 2026-10-13T08:15:30.250Z',
    ]);
    expect(lines({ ...facts, awareAt: '2026-09-10T23:59:59.999Z' }, AWARE_AT)).toHaveLength(1);
  });

  test('say of eIDAS that the time of a qualified provider counts from the incident itself', () => {
    const facts = { affectsTrustService: true, profile: { trust_service_provider: ['true'] } };
    const reports = clock(facts, AWARE_AT).stages.filter(({ regimeId }) => regimeId === 'eidas');
    expect(reports.map(({ stage, dueAt }) => [stage, dueAt])).toEqual([
      ['NOTIFICATION', '2026-10-11T08:15:30.250Z'],
      ['COMMUNICATION', '2026-10-11T08:15:30.250Z'],
    ]);
    for (const { reason } of reports)
      expect(reason).toMatch(/24 hours from the incident itself \(Article 24\(2\)\(fb\)\)/);
  });

  test('count fourteen days of the calendar from the fix', () => {
    const facts = {
      ...{ significant: false, exploitedVulnerability: true, fixAvailableAt: '2026-10-20T10:00:00.000Z' },
      profile: { time_zone: ['Europe/Rome'] },
    };
    expect(only('FINAL_REPORT', facts, AWARE_AT)).toEqual([
      'cra-vulnerability FINAL_REPORT 1 PENDING 2026-11-03T11:00:00.000Z',
    ]);
  });

  describe('end final reports of the CRA with their last day', () => {
    const ITALY = { time_zone: ['Europe/Rome'], country: ['IT'] };
    const final = (fixAvailableAt: string, profile: Record<string, string[]> = ITALY, more: Facts = {}) => {
      const facts = { significant: false, exploitedVulnerability: true, fixAvailableAt, profile, ...more };
      return clock(facts, more.awareAt ?? AWARE_AT).stages.find(({ stage }) => stage === 'FINAL_REPORT')!;
    };

    test.each([
      ['a working day', '2026-10-20T10:00:00.000Z', '2026-11-03T11:00:00.000Z', '2026-11-03T22:59:59.999Z'],
      ['a Saturday, with Monday', '2026-10-24T10:00:00.000Z', '2026-11-07T11:00:00.000Z', '2026-11-09T22:59:59.999Z'],
      [
        'a Friday that is Christmas, with Monday, since Saturday is a holiday as well',
        '2026-12-11T10:00:00.000Z',
        '2026-12-25T10:00:00.000Z',
        '2026-12-28T22:59:59.999Z',
      ],
      [
        'the day on which clocks go forward, a Sunday before Easter Monday',
        '2027-03-14T00:30:00.000Z',
        '2027-03-28T00:30:00.000Z',
        '2027-03-30T21:59:59.999Z',
      ],
    ])('%s', (_which, fix, dueAt, extendedTo) => {
      expect(final(fix)).toMatchObject({ dueAt, extendedTo });
    });

    test('which is the one day only where no calendar says more, and none in a rehearsal', () => {
      const saturday = '2026-10-24T10:00:00.000Z';
      expect(final(saturday, {}).extendedTo).toBe('2026-11-07T23:59:59.999Z');
      expect(final(saturday, { ...ITALY, country: ['US'] }).extendedTo).toBe('2026-11-07T22:59:59.999Z');
      expect(final(saturday, ITALY, { rehearsal: true }).extendedTo).toBeNull();
      // Clocks are set back at one o'clock there, so that the day after begins twice.
      const azores = { time_zone: ['Atlantic/Azores'] };
      expect(final('2026-10-10T10:00:00.000Z', azores).extendedTo).toBe('2026-10-24T23:59:59.999Z');
    });

    test('and are late after it only; where other facts say otherwise, the clock says so', () => {
      const reported = (sentAt: string, extendedTo: string | null) =>
        sent('FINAL_REPORT', sentAt, {
          ...{ regimeId: 'cra-vulnerability', dueAt: '2026-11-07T11:00:00.000Z' },
          judgement: { applies: true, regimeName: 'CRA', source: '', reason: '', recipient: '', extendedTo },
        });
      const [saturday, monday] = ['2026-10-24T10:00:00.000Z', '2026-11-09T22:59:59.999Z'];
      expect(final(saturday, ITALY, { sent: [reported(monday, monday)] })).toMatchObject({
        ...{ late: false, judgedNow: null },
      });
      expect(final(saturday, ITALY, { sent: [reported('2026-11-09T23:00:00.000Z', monday)] }).late).toBe(true);
      // Recorded as late while the organization had no country, or before this rule existed.
      expect(final(saturday, ITALY, { sent: [reported(monday, null)] })).toMatchObject({
        late: true,
        judgedNow: { applies: true, dueAt: '2026-11-07T11:00:00.000Z', late: false },
      });
    });
  });

  test('of none that applies there is only what was sent, without a deadline', () => {
    expect(clock({ significant: false }, AWARE_AT)).toMatchObject({ applies: false, stages: [] });
    expect(lines({ significant: false, sent: [WARNED] }, AWARE_AT)).toEqual(['nis2 EARLY_WARNING 1 SENT ']);
  });
});

test('a report stands between those that were sent before and after it', () => {
  const nis2 = REGIMES.find('nis2')!;
  const progress = sent('PROGRESS_REPORT', '2026-11-01T00:00:00.000Z');
  const between = neighboursOf(nis2, [WARNED, NOTIFIED, progress], NOTIFIED);
  expect(between).toEqual({ waits: false, isFollowed: true, before: WARNED.sentAt, after: progress.sentAt });
  expect(neighboursOf(nis2, [WARNED, progress], sent('FINAL_REPORT', ''))).toMatchObject({ waits: true });
  // Two optional reports are independent.
  const intermediate = sent('INTERMEDIATE_REPORT', '');
  expect(neighboursOf(nis2, [WARNED, NOTIFIED, progress], intermediate)).toMatchObject({
    isFollowed: false,
    after: null,
  });
});

test('a deadline that moves forward or is taken away is relaxed, and progress that the end of the handling spares is not', () => {
  const now = '2026-11-20T00:00:00Z';
  const isRelaxed = (before: Facts, after: Facts) => relaxes(clock(before, now), clock(after, now), new Date(now));
  const open = { sent: [WARNED, NOTIFIED] };
  expect(isRelaxed({}, { awareAt: '2026-10-10T08:15:30.251Z' })).toBe(true);
  expect(isRelaxed({}, { awareAt: '2026-10-10T08:15:30.249Z' })).toBe(false);
  expect(isRelaxed({ personalDataConcerned: true }, {})).toBe(true);
  expect(isRelaxed({ ...open, handledAt: '2026-11-15T00:00:00.000Z' }, open)).toBe(true);
  // Its progress report was overdue.
  expect(isRelaxed(open, { ...open, handledAt: '2026-11-01T00:00:00.000Z' })).toBe(true);
  expect(isRelaxed(open, { ...open, handledAt: '2026-11-15T00:00:00.000Z' })).toBe(false);
});

describe('a regime file that is wrong ends the start with its name and the place', () => {
  const SHIPPED = resolve(import.meta.dirname, '../../catalog/regimes');

  test.each<[string, string, (text: string) => string, RegExp]>([
    [
      'a cycle of triggers',
      'nis2.yaml',
      (text) => text.replace('after: NOTIFICATION', 'after: FINAL_REPORT'),
      /nis2\.yaml:\d+ stages\[\d\]\.after: must be a stage before this one/,
    ],
    [
      'a gap in the triggers',
      'nis2.yaml',
      (text) => text.replace(/ {2}- stage: NOTIFICATION[^]*?(?= {2}- stage: INTER)/, ''),
      /nis2\.yaml:\d+ stages\[\d\]\.after: must be a stage before this one/,
    ],
    [
      'an unknown country',
      'nis2-it.yaml',
      (text) => text.replace('country: [IT]', 'country: [IT, XX]'),
      /nis2-it\.yaml:\d+ when\.country\[1\]: must be an ISO 3166-1 alpha-2 code/,
    ],
    [
      'two versions that overlap',
      'nis2-it.yaml',
      (text) => text.replace("valid_until: '2026-01-14'", "valid_until: '2026-01-15'"),
      /nis2-it@2026-01-15\.yaml valid_from: two versions of nis2-it are valid on 2026-01-15$/,
    ],
    [
      'days between two versions',
      'nis2-it.yaml',
      (text) => text.replace("valid_until: '2026-01-14'", "valid_until: '2026-01-12'"),
      /nis2-it@2026-01-15\.yaml valid_from: no version of nis2-it is valid from 2026-01-13 until then$/,
    ],
    [
      'a version that is named otherwise',
      'nis2@2027-01-01.yaml',
      () => readFileSync(join(SHIPPED, 'nis2.yaml'), 'utf8'),
      /nis2@2027-01-01\.yaml:\d+ id: is not what/,
    ],
    [
      'a working day for what has no deadline of its own',
      'gdpr.yaml',
      (text) =>
        text.replace(
          '    trigger: WITHOUT_DELAY',
          "    trigger: WITHOUT_DELAY\n    next_working_day: { until: '12:00', law: x }",
        ),
      /gdpr\.yaml:\d+ stages\[1\]\.next_working_day/,
    ],
    [
      'a fact that no organization has',
      'nis2-it.yaml',
      (text) => text.replace('fact: nis2_reporting_from', 'fact: listed_on'),
      /nis2-it\.yaml:\d+ begins\.fact: must be one of nis2_reporting_from/,
    ],
  ])('%s', (_what, name, change, message) => {
    const directory = mkdtempSync(join(tmpdir(), 'regimes-'));
    try {
      cpSync(SHIPPED, directory, { recursive: true });
      const file = join(directory, name);
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const after = change(before);
      expect(after).not.toBe(before);
      writeFileSync(file, after);
      expect(() => ReportingRegimes.load(directory)).toThrow(message);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
