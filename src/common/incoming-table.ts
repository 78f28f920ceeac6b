import { CsvError, parse, type InfoRecord } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { badUserInput, fileTooLarge } from '../errors.js';
import { LIMITS } from '../values/limits.js';
import { collected } from './collected.js';
import { shownName } from './shown-name.js';
import { escapedCell, unescapedCell } from './spreadsheets.js';

/** A row of an uploaded table. */
export interface TableRow {
  /** Numbered as in a spreadsheet: the column names are row 1. */
  row: number;
  /** By column name; undefined where the row has more or fewer cells than there are columns. */
  cells: ReadonlyMap<string, string> | undefined;
}

/** Column names: all are optional except required ones. */
export interface TableColumns {
  known: ReadonlySet<string>;
  required: readonly string[];
  /** Known columns that are ignored. */
  ignored: ReadonlySet<string>;
}

export interface ReadTable {
  rows: TableRow[];
  /** Its ignored columns, in order. */
  ignoredColumns: string[];
}

/** Limits of a table. */
export interface TableLimits {
  maxBytes: number;
  rows: number;
}

/** Characters of one row. */
const MAX_ROW = 100_000;
/** Cell separators, which depend on the spreadsheet's language. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Reads a table as CSV (RFC 4180, or with semicolons or tabs) in UTF-8; empty rows are skipped. Throws
 * FILE_TOO_LARGE, and BAD_USER_INPUT for invalid tables, including unknown columns.
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
 * The value of a cell that was exported as a text, if it has changed; undefined otherwise. The mark that the export
 * adds before texts that look like formulas is removed.
 */
export function changedCell(cell: string, exported: string): string | undefined {
  const sent = withPlainBreaks(cell);
  const isSame = [exported, escapedCell(exported)].some((each) => withPlainBreaks(each) === sent);
  return isSame ? undefined : unescapedCell(sent);
}

/** Spreadsheets write line breaks within a cell in different ways. */
function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

async function textOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes }: TableLimits,
): Promise<string> {
  const whole = await collected(bytes, maxBytes, () => fileTooLarge(maxBytes));
  if (!isUtf8(whole)) throw badUserInput(['file must be text in UTF-8']);
  // Cells are looked up in the database before they are validated, and PostgreSQL refuses NUL.
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
  // Empty rows, of which a table may have millions, are skipped here: each emitted row takes an iteration.
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
      // The parser limits the characters of cells, but not those between them.
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

/** A chunk takes some milliseconds; other requests run in between. */
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
