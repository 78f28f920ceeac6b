import { describe, expect, test } from '@jest/globals';
import { folded, rankOf, readingOf } from '../../src/services/search/search-sources.js';
import { snippetOf } from '../../src/services/search/search.service.js';

describe('folding', () => {
  test.each([
    ['Città', 'citta'],
    ['CITTÀ', 'citta'],
    ['Citta\u0300', 'citta'],
    ['Ærø', 'ærø'],
    ['Großstadt', 'großstadt'],
    ['ﬁle №5', 'file no5'],
    ['Ｆｕｌｌ', 'full'],
    ['ΆΛΦΑ', 'αλφα'],
    ['Ёж', 'еж'],
    ['100%_\\', '100%_\\'],
    ['', ''],
  ])('makes %s %s', (text, expected) => expect(folded(text)).toBe(expected));
});

test('an index of trigrams has texts of three characters and more, however many units of UTF-16 they are', () => {
  expect(['ab', '💥💥', 'abc', '💥💥💥'].map(readingOf)).toEqual(['newest', 'newest', 'trigrams', 'trigrams']);
});

test('a title is it, begins with it, contains it, or does not', () => {
  expect(['abc', 'abcd', 'xabc', 'x', ''].map((title) => rankOf(title, 'abc'))).toEqual([
    0,
    1,
    2,
    undefined,
    undefined,
  ]);
});

describe('a snippet', () => {
  const long = `${'before '.repeat(30)}the Città  of\nlights ${'after '.repeat(60)}`;

  test('is the text itself where that is short, on one line', () => {
    expect(snippetOf(' one\n two\t three ', 'two')).toBe('one two three');
    expect(snippetOf('', 'x')).toBe('');
  });

  test('shows what was found, and that there is more', () => {
    const snippet = snippetOf(long, 'citta');
    expect([...snippet]).toHaveLength(160);
    expect(snippet).toMatch(/^….*the Città of lights after .*…$/);
  });

  test('begins at the beginning where nothing is found in it', () => {
    expect(snippetOf(long, 'nowhere')).toMatch(/^before before .*…$/);
  });

  test('finds its place though folding makes characters longer or shorter', () => {
    for (const [filler, times] of [
      ['ﬃ', 90],
      ['e\u0301', 90],
      ['💥', 90],
    ] as const) {
      expect(snippetOf(`${filler.repeat(times)}needle`, 'needle')).toMatch(/^….{38,80}needle$/su);
    }
  });

  test('never cuts a character in two', () => {
    expect(snippetOf('💥'.repeat(400), 'x').isWellFormed()).toBe(true);
  });
});
