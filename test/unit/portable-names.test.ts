import { describe, expect, test } from '@jest/globals';
import { portableName, PortableNames } from '../../src/storage/file-names.js';

describe('a portable name', () => {
  test.each([
    ['policy.pdf', 'policy.pdf'],
    ['Über die Maßnahmen – 安全 безопасность.pdf', 'Über die Maßnahmen – 安全 безопасность.pdf'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\Windows\\x.txt', 'C__Windows_x.txt'],
    ['a<b>c:d"e|f?g*h.txt', 'a_b_c_d_e_f_g_h.txt'],
    ['new\nline\ttab\u00a0space.txt', 'new line tab space.txt'],
    ['bell\u0007\u202erlo\u200b.txt', 'bellrlo.txt'],
    ['half\ud800.txt', 'half.txt'],
    ['ends with dots...', 'ends with dots'],
    ['ends with spaces   ', 'ends with spaces'],
    ['  begins with spaces', 'begins with spaces'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    [' . . ', 'file'],
    ['.profile', '.profile'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['Lpt9.tar.gz', '_Lpt9.tar.gz'],
    ['COM¹', '_COM¹'],
    ['console.txt', 'console.txt'],
    ['com10.txt', 'com10.txt'],
    ['e\u0301.txt', '\u00e9.txt'],
  ])('of %j is %j', (name, expected) => {
    expect(portableName(name)).toBe(expected);
  });

  test('is 180 bytes at most, cut between characters, with its extension', () => {
    for (const [name, expected] of [
      [`${'a'.repeat(176)}.pdf`, `${'a'.repeat(176)}.pdf`],
      [`${'a'.repeat(177)}.pdf`, `${'a'.repeat(176)}.pdf`],
      [`${'安'.repeat(200)}.pdf`, `${'安'.repeat(58)}.pdf`],
      ['💥'.repeat(200), '💥'.repeat(45)],
      [`${'a'.repeat(170)}. . . . . . . . . b`, 'a'.repeat(170)],
    ] as const) {
      expect(portableName(name)).toBe(expected);
      expect(Buffer.byteLength(portableName(name))).toBeLessThanOrEqual(180);
    }
  });
});

describe('portable names', () => {
  test('differ where ids differ, also on case-insensitive systems, and stay the same for the same id', () => {
    const names = new PortableNames();
    expect(['A/1', 'A:1', 'a_1', 'A.1', 'A/1', 'A:1'].map((id) => names.of(id))).toEqual([
      'A_1',
      'A_1~2',
      'a_1~3',
      'A.1',
      'A_1',
      'A_1~2',
    ]);
  });

  test('do not meet a name that looks like their own way out', () => {
    const names = new PortableNames();
    expect(['A_1~2', 'A/1', 'A:1'].map((id) => names.of(id))).toEqual(['A_1~2', 'A_1', 'A_1~3']);
  });
});
