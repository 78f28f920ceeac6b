import { describe, expect, it } from '@jest/globals';
import { displayName, extensionOf } from '../../src/storage/file-names.js';

describe('the shown name of a file', () => {
  it.each([
    ['policy.pdf', 'policy.pdf'],
    ['Relazione "finale" — così; 50%.pdf', 'Relazione "finale" — così; 50%.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\scan.tiff', 'scan.tiff'],
    ['a/b\\c.txt', 'c.txt'],
    ['folder/report.pdf/', 'report.pdf'],
    ['..\u0000/..\u0000/x.txt', 'x.txt'],
    ['.\u200b.', 'file'],
    ['a\r\nSet-Cookie: b=c.txt', 'aSet-Cookie: b=c.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u200f\u061c.txt', 'a.txt'],
    ['zero\u200bwidth\ufeff\u2060.txt', 'zerowidth.txt'],
    ['line\u2028paragraph\u2029\u0085\u009f.txt', 'lineparagraph.txt'],
    ['lone\ud800surrogate\udc00.txt', 'lonesurrogate.txt'],
    ['pair\ud83d\ude00.txt', 'pair\ud83d\ude00.txt'],
    ['  spaced .txt  ', 'spaced .txt'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['.env', '.env'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['/', 'file'],
    ['\\..\\', 'file'],
    [' \t\u200b ', 'file'],
  ])('of %j is %j', (sent, shown) => {
    expect(displayName(sent)).toBe(shown);
  });

  it('leaves 255 characters as they are', () => {
    const name = `${'a'.repeat(251)}.pdf`;
    expect(displayName(name)).toBe(name);
  });

  it('cuts a longer name and retains its extension', () => {
    expect(displayName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`);
    expect(displayName('a'.repeat(1_000_000))).toBe('a'.repeat(255));
  });

  it('counts characters, and cuts none in half', () => {
    const shown = displayName(`${'\ud83d\ude00'.repeat(300)}.pdf`);
    expect(Array.from(shown)).toHaveLength(255);
    expect(shown).not.toMatch(/\p{Cs}/u);
    expect(shown.endsWith('\ud83d\ude00.pdf')).toBe(true);
  });
});

describe('the extension of a name', () => {
  it.each([
    ['a.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['a.pdf. .', 'pdf'],
    ['a.pdf\u0000.exe', 'exe'],
    ['a\u202efdp.exe', 'exe'],
    ['.html', 'html'],
    ['a.txt:b.exe', 'exe'],
    ['dir.html/a', ''],
    ['README', ''],
    ['Policy v1.2', ''],
    ['St. Mary', ''],
    ['', ''],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
