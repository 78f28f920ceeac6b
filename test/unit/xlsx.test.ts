import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { WORKSHEET, xlsxStream } from '../../src/common/spreadsheets.js';
import { unzipped } from '../support/unzip.js';

async function sheetOf(...batches: (string | number | null)[][][]): Promise<string> {
  const files = unzipped(
    await buffer(
      xlsxStream(
        'incidents',
        (async function* () {
          yield* batches;
        })(),
      ),
    ),
  );
  expect([...files.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  return files.get('xl/worksheets/sheet1.xml')!.content.toString();
}

const text = (escaped: string) => `<c t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;

test('a worksheet has rows of texts and numbers', async () => {
  const sheet = await sheetOf([['a', 'b', 'c']], [['x', -1.5, null]], []);
  expect(sheet).toContain(
    `<row>${text('a')}${text('b')}${text('c')}</row><row>${text('x')}<c><v>-1.5</v></c><c/></row>`,
  );
  expect(sheet).toMatch(/<\/sheetData><\/worksheet>$/);
});

const longest = 'x'.repeat(WORKSHEET.cellCharacters);

test.each([
  ['=1+1', '=1+1'],
  ['<b>&"\'', '&#60;b&#62;&#38;&#34;&#39;'],
  [' two\n\tlines ', ' two\n\tlines '],
  ['\u0001\r\n\uffff', '_x0001__x000D_\n_xFFFF_'],
  ['_x0001_ _x01_', '_x005F_x0001_ _x01_'],
  [longest, longest],
  [`${longest}x`, `${longest.slice(1)}…`],
])('%j is the text that a reader shows', async (value, escaped) => {
  expect((await sheetOf([[value]])).includes(`<row>${text(escaped)}</row>`)).toBe(true);
});

test('a worksheet has as many rows as spreadsheets open, and breaks off at one more', async () => {
  const rows = Array.from({ length: WORKSHEET.rows }, () => []);
  expect((await sheetOf(rows)).match(/<row>/g)).toHaveLength(WORKSHEET.rows);
  await expect(sheetOf(rows, [[]])).rejects.toThrow('could not be completed');
});
