import { describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../web/archive/verify.js';
import { readTable } from '../../src/common/incoming-table.js';
import { csv, escapedCell, unescapedCell, xlsxStream } from '../../src/common/spreadsheets.js';
import { sheetOf } from '../support/spreadsheets.js';

const cell = (value: string | number | null) => csv([[value]]).replace(/\r\n$/, '');

describe('a table', () => {
  test('has commas between cells and CRLF after every row', () => {
    expect(
      csv([
        ['a', 'b', 'c'],
        ['x', 1, null],
      ]),
    ).toBe('a,b,c\r\nx,1,\r\n');
  });

  test.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['two\rlines', '"two\rlines"'],
    [' spaces ', ' spaces '],
    ['Ärger – 安', 'Ärger – 安'],
    [-1, '-1'],
  ])('has %j as %j', (value, expected) => {
    expect(cell(value)).toBe(expected);
  });
});

test('a text that is too long for a cell of a workbook is cut between two characters', async () => {
  const cut = async (text: string) => {
    const pieces: Buffer[] = [];
    for await (const piece of xlsxStream('list', [[[text]]])) pieces.push(piece as Buffer);
    return sheetOf(Buffer.concat(pieces))[0]![0];
  };
  const emoji = '\u{1f600}'.repeat(20_000);
  expect(await cut(emoji)).toBe(`${emoji.slice(0, 32_766)}…`);
  expect(await cut(`a${emoji}`)).toBe(`a${emoji.slice(0, 32_764)}…`);
});

describe('what could be a formula', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['  =1', "'  =1"],
    ['\u200b=1', "'\u200b=1"],
    ['\t=1', "'\t'=1"],
    ['\tplain', "'\tplain"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    // If the semicolon is the separator, a second cell would begin here.
    ['x;=cmd|1', "x;'=cmd|1"],
    ['line\n=1', '"line\n\'=1"'],
    ['line\r\n @x', '"line\r\n\' @x"'],
  ])('%j is text: %j', (value, expected) => {
    expect(cell(value)).toBe(expected);
  });

  test.each(['a=b', '1-2', 'mail@example.com', 'a;b', "it's"])('%j is left alone', (value) => {
    expect(cell(value)).toBe(value);
  });
});

describe('the apostrophe before what could be a formula', () => {
  test.each(["'=1", "''+1", "' -1", "'\tplain", "Marks:\n'+' is met\n'-' is not", "x;'@y"])(
    'is no other text as %j is',
    (value) => {
      expect(unescapedCell(escapedCell(value))).toBe(value);
      expect(escapedCell(value)).not.toBe(escapedCell(unescapedCell(value)));
    },
  );

  test.each(['- one\n- two', 'x;=y', '＝1', '\tplain', "'+' is met", '  -1', '"=1", \'=2'])(
    'is taken away by the page of an archive: %j',
    (text) => {
      expect(
        rowsOf(
          Buffer.from(
            csv([
              ['id', 'text'],
              [1, text],
            ]),
          ),
        ),
      ).toEqual([{ id: '1', text }]);
    },
  );

  test('is taken away from every text again', () => {
    const signs = ["'", '=', '-', '\t', '\r', '\n', ';', ' ', '\u200b', 'x'];
    let texts = [''];
    for (let length = 1; length <= 5; length += 1) {
      texts = texts.flatMap((text) => signs.map((sign) => text + sign));
      expect(texts.filter((text) => unescapedCell(escapedCell(text)) !== text)).toEqual([]);
    }
  });
});

test.each([
  ['lines', '\n', 5_000_000],
  ['lines of Windows', '\r\n', 2_500_000],
  ['rows, as spreadsheets write them', ';\n', 2_500_000],
])('empty %s of a table that was sent are passed over, and counted', async (_kind, empty, count) => {
  const columns = { known: new Set(['id', 'note']), required: ['id'], ignored: new Set<string>() };
  const text = `id;note\n1;"a\nb"\n${empty.repeat(count)}"";\n2;c\n`;
  const { rows } = await readTable([Buffer.from(text)], columns);
  expect(rows).toEqual([
    { row: 2, cells: new Map(Object.entries({ id: '1', note: 'a\nb' })) },
    { row: count + 4, cells: new Map(Object.entries({ id: '2', note: 'c' })) },
  ]);
});
