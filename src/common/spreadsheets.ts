import { Readable } from 'node:stream';
import { escapeHtml } from './escape-html.js';
import { zipStream, type ZipEntry } from './zip-stream.js';

export type Cells = readonly (string | number | null)[];
/** Rows of a table in batches; the first row has the column names. */
export type Batches = AsyncIterable<readonly Cells[]> | Iterable<readonly Cells[]>;

/** Without this mark, spreadsheets read UTF-8 as the code page of the machine. */
export const BOM = '\ufeff';

/** A table as a CSV file, which begins with the mark unless it is for a program. */
export async function* csvFile(batches: Batches, mark: typeof BOM | '' = BOM): AsyncGenerator<string> {
  let begin: string = mark;
  for await (const rows of batches) {
    yield `${begin}${csv(rows)}`;
    begin = '';
  }
}

/** A table in CSV (RFC 4180). An apostrophe precedes a cell that a spreadsheet would run as a formula. */
export function csv(rows: Iterable<Cells>): string {
  let text = '';
  for (const row of rows) text += `${row.map(csvCell).join(',')}\r\n`;
  return text;
}

/**
 * Beginnings that a spreadsheet reads as a formula: of a cell, and after characters that some take for the end of one
 * (a semicolon with a decimal comma; a tab or a line break where quotes are unknown). A cell with an apostrophe of
 * its own gets another one, so that only added ones are removed again.
 */
const FORMULA = /(^|[;\t\r\n])('*[\p{Cf}\p{Zs}]*[=+\-@＝＋－＠])/gu;
const ESCAPED = /(^|[;\t\r\n])'('*[\p{Cf}\p{Zs}]*[=+\-@＝＋－＠])/gu;
const LEADING_TAB = /^'*[\t\r]/;
const QUOTED = /[",\r\n]/;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = escapedCell(value);
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The text of a CSV cell, before it is quoted. */
export function escapedCell(text: string): string {
  return text.replace(FORMULA, "$1'$2").replace(LEADING_TAB, "'$&");
}

/** The original text of an escaped cell, or of one that a person has entered. */
export function unescapedCell(cell: string): string {
  return cell.replace(ESCAPED, '$1$2').replace(/^'(?='*[\t\r])/, '');
}

/** Limits of Excel: rows of a worksheet, and UTF-16 characters of a cell. */
export const WORKSHEET = { rows: 1_048_576, cellCharacters: 32_767 };

/** A workbook (docs/adr/0028) with one worksheet, streamed at the reader's pace. No cell is a formula. */
export function xlsxStream(name: string, batches: Batches, modifiedAt = new Date()): Readable {
  const part = (path: string, content: ZipEntry['content']) =>
    ({ path, modifiedAt, method: 'deflate', content }) as const;
  const open = async () => Readable.from(worksheet(batches), { objectMode: false });
  return zipStream([
    ...Object.entries(partsOf(name)).map(([path, xml]) => part(path, Buffer.from(`${XML}${xml}`))),
    part('xl/worksheets/sheet1.xml', { open }),
  ]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET_TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const partsOf = (name: string) => ({
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeHtml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
});

function relationship(type: string, target: string): string {
  return `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
}

/** The rows that fit into a worksheet; the last one then reports that there are more. */
export async function* withinWorksheet(batches: Batches): AsyncGenerator<readonly Cells[]> {
  let left = WORKSHEET.rows - 1;
  for await (const rows of batches) {
    if (rows.length > left)
      return yield [...rows.slice(0, left), ['The file of the same name that ends in .csv has more.']];
    left -= rows.length;
    yield rows;
  }
}

/** The first row stays visible. */
const PANE = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';

async function* worksheet(batches: Batches): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${PANE}</sheetView></sheetViews><sheetData>`;
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    if (count > WORKSHEET.rows) throw new Error(`A worksheet cannot have more than ${WORKSHEET.rows} rows`);
    yield rows.map((row) => `<row>${row.map(xlsxCell).join('')}</row>`).join('');
  }
  yield '</sheetData></worksheet>';
}

/** Characters that XML cannot represent or changes, and texts that look like their escaped form. */
const UNWRITABLE = /[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[\da-f]{4}_)/gi;

/** A high surrogate. */
const HALF = /[\ud800-\udbff]$/;

function xlsxCell(value: string | number | null): string {
  if (value === null) return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  const max = WORKSHEET.cellCharacters;
  const short = value.length > max ? `${value.slice(0, max - 1).replace(HALF, '')}…` : value;
  const coded = short.replace(
    UNWRITABLE,
    (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeHtml(coded)}</t></is></c>`;
}
