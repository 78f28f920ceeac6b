import { describe, expect, test } from '@jest/globals';
import { visibleText } from '../../src/common/visible-text.js';

describe('a text is shown without', () => {
  test.each([
    ['overrides and embeddings of direction', 'invoice\u202a\u202b\u202c\u202d\u202efdp', 'invoicefdp'],
    ['isolates', 'a\u2066b\u2067c\u2068d\u2069e', 'abcde'],
    ['marks of direction', '\u200ea\u200fb\u061c', 'ab'],
    ['characters of no width', 'zero\u200bwidth\u2060\ufeff', 'zerowidth'],
    ['joiners between Latin letters', 'a\u200cb\u200dc', 'abc'],
    ['a joiner at the end of a word', 'علی\u200c', 'علی'],
    ['tags', `Acme${[...'evil'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`, 'Acme'],
    ['a row of variation selectors', 'Acme\ufe0f\ufe01\ufe02\u{e0101}', 'Acme\ufe0f'],
    ['fillers', 'Acme\u3164\uffa0\u115f', 'Acme'],
    ['separators of lines and paragraphs', 'one\u2028two\u2029three\u0085four', 'onetwothreefour'],
    ['annotations and soft hyphens', 'a\ufff9b\ufffbc\u00add', 'abcd'],
    ['joiners that hide behind others', '👩\u200d\u200d💻 \u202d\u200d', '👩💻 '],
  ])('%s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('a text retains', () => {
  test.each([
    ['Latin letters with marks', 'Società Elettrica “Perché” – S.p.A.'],
    ['Hebrew and Arabic', 'שלום חברה العربية'],
    ['the non-joiner of Persian', 'می‌خواهم شرکت‌ها'],
    ['the joiners of Indic scripts', 'ශ්‍රී ලංකා क्‍ष नी'],
    ['emoji of several parts', '👩‍💻 👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 🧑🏽‍🤝‍🧑🏻 1️⃣'],
    ['flags of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['variants of ideographs', '葛\u{e0100}城市'],
    ['tabs, line breaks and spaces', 'one\ttwo\nthree\u00a0four'],
  ])('%s', (_, text) => {
    expect(visibleText(text)).toBe(text);
  });
});
