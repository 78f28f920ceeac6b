import { describe, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assess, loadSignificance, offeredQuestions } from '../../src/services/incidents/significance.js';
import { REGIMES } from '../support/catalog.js';

const DAY = '2026-11-25';
const offered = (facts: Record<string, string[]>, day = DAY) => offeredQuestions(REGIMES.significance, facts, day);
const DIGITAL = { nis2_sector: ['Infrastrutture digitali'] };
const ids = (facts: Record<string, string[]>, day?: string) => {
  const { services, questions } = offered(facts, day);
  return {
    services: services.map(({ id }) => id),
    articles: [...new Set(questions.map(({ id }) => id.split('-')[0]))],
  };
};

describe('questions are those of the services that an organization may provide', () => {
  const INFRASTRUCTURE = ['dns', 'tld', 'cloud', 'data-centre', 'cdn', 'trust'];
  const PLATFORMS = ['marketplace', 'search-engine', 'social-network'];

  test.each<[string, Record<string, string[]>, string[], string[]]>([
    ['an energy company', { nis2_sector: ['Energia - Gas'] }, [], []],
    ['digital infrastructure', DIGITAL, INFRASTRUCTURE, ['3', '4', '5', '6', '7', '8', '9', '14']],
    ['an ICT service manager', { nis2_sector: ['Gestione servizi TIC (B2B)'] }, ['managed'], ['3', '4', '10']],
    ['a digital provider', { nis2_sector: ['Fornitori di servizi digitali'] }, PLATFORMS, ['3', '4', '11', '12', '13']],
    [
      'an energy company that provides trust services',
      { nis2_sector: ['Energia - Gas'], trust_service_provider: ['true'] },
      ['trust'],
      ['3', '4', '14'],
    ],
    [
      'an organization without a sector',
      { entity_type: ['important'] },
      [...INFRASTRUCTURE.slice(0, -1), 'managed', ...PLATFORMS, 'trust'],
      ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14'],
    ],
  ])('%s', (_who, facts, services, articles) => {
    expect(ids(facts)).toEqual({ services: ['other', ...services], articles: ['23', ...articles] });
  });

  test('from the day on from which their act is valid', () => {
    expect(ids(DIGITAL, '2024-11-06')).toEqual({ services: ['other'], articles: ['23'] });
    expect(ids(DIGITAL, '2024-11-07').services).toHaveLength(7);
  });
});

test('each criterion of Articles 3 to 14 of Regulation (EU) 2024/2690 is a question with its article', () => {
  const { questions } = offered({});
  const letters = (article: number) =>
    questions.filter(({ id }) => id.startsWith(`${article}-`)).map(({ id, article: cited }) => [id, cited]);
  const expected = (article: number, count: number) =>
    [...'abcde'].slice(0, count).map((letter) => [`${article}-${letter}`, `Article ${article}(${letter})`]);
  const counts = [3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5];
  for (const [index, count] of counts.entries()) expect(letters(index + 4)).toEqual(expected(index + 4, count));
  expect(letters(3)).toEqual([
    ...[...'abcde'].map((letter) => [`3-1-${letter}`, `Article 3(1)(${letter})`]),
    ['3-2', 'Article 3(2)'],
  ]);
  expect(questions.filter(({ malicious }) => malicious).map(({ id }) => id)).toEqual([
    '3-1-e',
    '7-c',
    '8-c',
    '9-c',
    '10-c',
    '11-c',
    '12-c',
    '13-c',
  ]);
});

describe('answers', () => {
  const about = offered(DIGITAL);
  const GENERAL = ['3-1-a', '3-1-b', '3-1-c', '3-1-d', '3-1-e'];
  const CLOUD = ['7-a', '7-b', '7-c', '7-d'];
  const NO = Object.fromEntries([...GENERAL, ...CLOUD, '4-a'].map((id) => [id, false]));
  const judge = (
    answers: Record<string, boolean>,
    services: string[] = ['cloud'],
    suspectedMalicious: boolean | null = null,
  ) => {
    const given = Object.entries(answers).map(([question, answer]) => ({ question, answer }));
    const result = assess(about, { services, answers: given }, { suspectedMalicious });
    return 'errors' in result
      ? result.errors.map(({ path, sentence }) => `${path.join('.')} ${sentence}`)
      : [result.significant, result.reason];
  };
  const REGULATION = 'Implementing Regulation (EU) 2024/2690';
  const DIRECTIVE = 'Directive (EU) 2022/2555';

  test.each<[string, Record<string, boolean>, string[], boolean, string]>([
    ['one yes is enough', { '7-a': true }, ['cloud'], true, `Significant by Article 7(a) of ${REGULATION}.`],
    [
      'several are all named',
      { ...NO, '7-c': true, '3-1-e': true },
      ['cloud'],
      true,
      `Significant by Article 3(1)(e), Article 7(c) of ${REGULATION}.`,
    ],
    ['no to all', NO, ['cloud'], false, `Not significant: no criterion is met, of ${REGULATION}.`],
    [
      'a repeated incident takes all three parts of its criterion',
      { '4-a': true, '4-b': true, '4-c': true },
      ['cloud'],
      true,
      `Significant by Article 4(a), Article 4(b), Article 4(c) of ${REGULATION}.`,
    ],
    [
      'one part that is not so is enough for none',
      { ...NO, '4-a': true, '4-b': false, '4-c': true },
      ['cloud'],
      false,
      `Not significant: no criterion is met, of ${REGULATION}.`,
    ],
    [
      'what was scheduled is exempt',
      { '3-2': true },
      ['cloud'],
      false,
      `Not significant by Article 3(2) of ${REGULATION}.`,
    ],
    [
      'an act that exempts says nothing of another one',
      { '3-2': true, '23-3-a-disruption': false, '23-3-a-loss': false, '23-3-b': false },
      ['cloud', 'other'],
      false,
      `Not significant by Article 3(2) of ${REGULATION}.`,
    ],
    [
      'criteria of two acts are named with each',
      { '23-3-b': true, '7-d': true },
      ['other', 'cloud'],
      true,
      `Significant by Article 23(3)(b) of ${DIRECTIVE} and Article 7(d) of ${REGULATION}.`,
    ],
    [
      'no to the general ones alone',
      { '23-3-a-disruption': false, '23-3-a-loss': false, '23-3-b': false },
      ['other'],
      false,
      `Not significant: no criterion is met, of ${DIRECTIVE}.`,
    ],
  ])('%s', (_what, answers, services, significant, reason) => {
    expect(judge(answers, services)).toEqual([significant, reason]);
  });

  const withoutOne = Object.fromEntries(Object.entries(NO).filter(([id]) => id !== '7-d'));
  test.each<[string, Record<string, boolean>, string[], boolean | null, string[]]>([
    [
      'a question that there is not',
      { '7-z': true, '7-a': true },
      ['cloud'],
      null,
      ['input.answers.0.question must be a question about cloud'],
    ],
    [
      'a question about another service',
      { '8-a': true, ...NO },
      ['cloud'],
      null,
      ['input.answers.0.question must be a question about cloud'],
    ],
    [
      'a service that the organization does not provide',
      { '11-a': true },
      ['cloud', 'marketplace'],
      null,
      ['input.services must be among other, dns, tld, cloud, data-centre, cdn, trust'],
    ],
    ['a criterion left open', withoutOne, ['cloud'], null, ['input.answers must answer 7-d as well while none is yes']],
    [
      'a part of a criterion left open',
      { ...withoutOne, '7-d': false, '4-a': true, '4-b': true },
      ['cloud'],
      null,
      ['input.answers must answer 4-c as well while none is yes'],
    ],
    [
      'what was scheduled, and yet met a criterion',
      { '3-2': true, '7-a': true },
      ['cloud'],
      null,
      ['input.answers.0.answer contradicts the answer to 7-a'],
    ],
    [
      'what was scheduled, and an open criterion of another act',
      { '3-2': true, '23-3-b': false },
      ['cloud', 'other'],
      null,
      ['input.answers must answer 23-3-a-disruption, 23-3-a-loss as well while none is yes'],
    ],
    [
      'a malicious act that the incident says is not suspected',
      { '7-c': true },
      ['cloud'],
      false,
      ['input.answers.0.answer contradicts {suspectedMalicious}, which is false'],
    ],
  ])('are refused for %s', (_what, answers, services, malicious, errors) => {
    expect(judge(answers, services, malicious)).toEqual(errors);
  });

  test('are refused twice for one question, whether or not they are the same', () => {
    const twice = (second: boolean) =>
      assess(
        about,
        { services: ['cloud'], answers: [true, second].map((answer) => ({ question: '7-a', answer })) },
        { suspectedMalicious: null },
      );
    for (const second of [true, false])
      expect(twice(second)).toMatchObject({
        errors: expect.arrayContaining([
          { path: ['input', 'answers', 1, 'question'], sentence: 'is answered twice' },
        ]) as unknown,
      });
  });
});

test.each([
  ['id: 7-b', 'id: 7-a', 'questions[16].id: is there twice'],
  ['services: [cloud]', 'services: [clouds]', 'questions[15].services[0]: is no service'],
  [
    'nis2_sector: [Gestione servizi TIC (B2B)]',
    'nis2_sector: [Gestione]',
    'services[5].nis2_sector[0]: is no NIS 2 sector',
  ],
  ['article: Article 3(2)', 'articles: Article 3(2)', 'questions[5]: unknown key articles'],
])('a file with %j as %j is refused at the start with file and line', (right, wrong, sentence) => {
  const directory = mkdtempSync(join(tmpdir(), 'significance-'));
  try {
    cpSync(resolve(import.meta.dirname, '../../catalog/regimes/significance'), directory, { recursive: true });
    const file = join(directory, 'regulation-2024-2690.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(right, wrong));
    expect(() => loadSignificance(directory)).toThrow(sentence);
    expect(() => loadSignificance(directory)).toThrow(/has errors:\n {2}regulation-2024-2690\.yaml:\d+ /);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
