import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { canonicalJson } from '../../src/services/audit/personal-values.js';

describe('canonical JSON is written as a published implementation of RFC 8785 writes it', () => {
  test.each<[string, object]>([
    ['keys in another order', { b: 1, a: { d: 2, c: 3 }, '': 0 }],
    ['keys that are numbers', { 10: 'ten', 9: 'nine', 1: 'one', '01': 'text' }],
    ['keys beyond ASCII', { '\u{1F600}': 1, '\uFB33': 2, ö: 3, '\u0080': 4, '\r': 5, '€': 6 }],
    ['strings with what JSON escapes', ['"\\/\b\f\n\r\t\u0000\u001F\u007F\u2028\u2029é\u{1F512}']],
    ['numbers', [0, -0, 1e21, 1e-7, 333333333.3333333, 5e-324, Number.MAX_SAFE_INTEGER, 0.1 + 0.2]],
    ['literals and empty values', [true, false, null, '', [], {}, [[]], [{}]]],
    ['values that JSON has not', { absent: undefined, list: [undefined, 1], first: undefined, last: 'here' }],
    ['instants', { at: new Date('2026-11-22T10:11:12.013Z') }],
  ])('%s', (_name, value) => expect(canonicalJson(value)).toBe(canonicalize(value)));
});

test('texts that are not well-formed are made so, as keys and as values', () => {
  expect(canonicalJson({ '\uD800': ['a\uDC00'] })).toBe('{"\uFFFD":["a\uFFFD"]}');
});
