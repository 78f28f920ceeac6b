import { unzipped } from './unzip.js';

/** Cells of a table; quotes are removed, and the prefix of a formula remains. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

/** Cells of the only worksheet, with decoded texts. */
export function sheetOf(bytes: Buffer): string[][] {
  const xml = unzipped(bytes).get('xl/worksheets/sheet1.xml')!.content.toString();
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
    [...row!.matchAll(/<c\/>|<c><v>(.*?)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t>/gs)].map(
      ([, number, text = '']) =>
        number ??
        text
          .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
          .replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    ),
  );
}

/** Cells as a spreadsheet writes them: quoted where necessary. */
export function csvOf(rows: readonly (readonly string[])[], delimiter = ','): string {
  const written = (cell: string) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(written).join(delimiter)}\r\n`).join('');
}

/** A row of the response to a table, through either API. */
export interface AnsweredRow {
  row: number;
  key: string | null;
  outcome: string;
  changes: { column: string; before: string | null; after: string | null }[];
  error: { code: string; field: string | null; message: string } | null;
}
