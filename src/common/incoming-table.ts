import { CsvError, parse, type InfoRecord } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { badUserInput, fileTooLarge } from '../errors.js';
import { LIMITS } from '../values/limits.js';
import { collected } from './collected.js';
import { shownName } from './shown-name.js';
import { escapedCell, unescapedCell } from './spreadsheets.js';

/** A row of a table that was sent. */
export interface TableRow {
  /** As a spreadsheet counts it: the names of the columns are row 1. */
  row: number;
  /** By the names of their columns; undefined where it has more or fewer cells than there are columns. */
  cells: ReadonlyMap<string, string> | undefined;
}

/** Names of columns: any may be missing but for those that are required. */
export interface TableColumns {
  known: ReadonlySet<string>;
  required: readonly string[];
  /** Known ones that are not looked at. */
  ignored: ReadonlySet<string>;
}

export interface ReadTable {
  rows: TableRow[];
  /** Its columns that are not looked at, in its order. */
  ignoredColumns: string[];
}

/** How much a table may have. */
export interface TableLimits {
  maxBytes: number;
  rows: number;
}

/** Characters of one row. */
const MAX_ROW = 100_000;
/** Separators of cells, by the language that spreadsheets are used in. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Reads a table as CSV (RFC 4180, or with semicolons or tabs) in UTF-8; empty rows are left out. Throws FILE_TOO_LARGE, and
 * BAD_USER_INPUT for what is no such table, an unknown column included.
 */
export async function readTable(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  columns: TableColumns,
  limits: TableLimits = LIMITS.table,
): Promise<ReadTable> {
  const text = await textOf(bytes, limits);
  let names: readonly string[] | undefined;
  const rows: TableRow[] = [];
  for await (const { record, row } of recordsOf(text)) {
    if (names === undefined) names = checkedNames(record, columns);
    else if (rows.length === limits.rows) throw badUserInput([`file must not have more than ${limits.rows} rows`]);
    else rows.push({ row, cells: cellsOf(names, record) });
  }
  if (names === undefined) throw badUserInput(['file must begin with the names of the columns']);
  return { rows, ignoredColumns: names.filter((name) => columns.ignored.has(name)) };
}

/**
 * The value of a cell that was exported as a text and may have been changed since; undefined where it was not. The mark
 * that the export puts before a text that a spreadsheet would take for a formula is taken away.
 */
export function changedCell(cell: string, exported: string): string | undefined {
  const sent = withPlainBreaks(cell);
  const isSame = [exported, escapedCell(exported)].some((each) => withPlainBreaks(each) === sent);
  return isSame ? undefined : unescapedCell(sent);
}

/** Spreadsheets write breaks within a cell in their own way. */
function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

async function textOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes }: TableLimits,
): Promise<string> {
  const whole = await collected(bytes, maxBytes, () => fileTooLarge(maxBytes));
  if (!isUtf8(whole)) throw badUserInput(['file must be text in UTF-8']);
  // Cells are looked for in the database before they are checked, and it takes no text with one.
  if (whole.includes(0)) throw badUserInput(['file must not contain a NUL character']);
  return whole.toString().replace(/^\ufeff/, '');
}

/** Rows that are not empty, with their numbers. */
async function* recordsOf(text: string): AsyncGenerator<{ record: string[]; row: number }> {
  const [header = ''] = text.slice(0, MAX_ROW).split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  const delimiter = DELIMITERS.toSorted((one, other) => count(other) - count(one))[0] as string;
  const breaks = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, skip_empty_lines: true };
  const rows: number[] = [];
  // Empty rows, of which a table may have millions, are left out here: each that is handed on takes a turn of its own.
  const filled = (record: string[], info: InfoRecord) => {
    if (record.length <= MAX_ROW && record.every((cell) => cell === '')) return undefined;
    rows.push(info.records + info.empty_lines);
    return record;
  };
  const records = parse({ delimiter, ...breaks, max_record_size: MAX_ROW, on_record: filled });
  const source = Readable.from(piecesOf(text));
  source.pipe(records);
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      // The parser counts the characters of cells, and not what is between them.
      if (record.length > MAX_ROW) throw rowTooLong();
      yield { record, row: rows.shift() as number };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw rowTooLong();
    throw badUserInput([`file is no CSV: line ${String(error['lines'])} has a quotation mark in the wrong place`]);
  } finally {
    source.destroy();
  }
}

const rowTooLong = () => badUserInput([`file must not have more than ${MAX_ROW} characters in a row`]);

/** A piece takes some milliseconds; other requests have their turn in between. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    yield text.slice(at, at + PIECE);
    await otherWork();
  }
}

const PIECE = 16_384;

function checkedNames(record: readonly string[], { known, required }: TableColumns): readonly string[] {
  const names = record.map((name) => name.trim());
  const errors = [
    ...names.filter((name) => !known.has(name)).map((name) => `${shownName(name)} is not a known column`),
    ...[...known]
      .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
      .map((name) => `${name} is named twice`),
    ...required.filter((name) => !names.includes(name)).map((name) => `${name} is required`),
  ];
  if (errors.length > 0) throw badUserInput(errors);
  return names;
}

function cellsOf(names: readonly string[], record: readonly string[]): TableRow['cells'] {
  if (record.length !== names.length) return undefined;
  return new Map(names.map((name, at) => [name, record[at] as string]));
}
