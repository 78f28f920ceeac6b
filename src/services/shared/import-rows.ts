import {
  readTable,
  type ReadTable,
  type TableColumns,
  type TableLimits,
  type TableRow,
} from '../../common/incoming-table.js';
import { shownName } from '../../common/shown-name.js';
import type { Database } from '../../database/database.js';
import {
  badUserInput,
  DomainError,
  invalidInput,
  preconditionFailed,
  reading,
  wholeError,
  type FieldError,
} from '../../errors.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { ImportedRowOutcome } from '../../values/enums.js';
import { refusalOf, type RowRefusal } from './rows.js';

/** A table sent as a text or as a file. */
export interface IncomingTable {
  text?: string | null;
  file?: IncomingFile | null;
  /** Returns the changes without making them. */
  dryRun?: boolean | null;
}

/** Validates the values of a row as the input of a single change; texts are normalized. */
export type RowCheck = (fields: Readonly<Record<string, unknown>>) => {
  fields: Record<string, unknown>;
  errors: readonly FieldError[];
};

/** A changed value, as cells. */
export interface CellChange {
  column: string;
  before: string | null;
  after: string | null;
}

export interface ImportedRow {
  row: number;
  key: string | null;
  outcome: ImportedRowOutcome;
  changes: CellChange[];
  error: RowRefusal | null;
}

export interface ImportedTable extends Pick<ReadTable, 'ignoredColumns'> {
  rows: ImportedRow[];
}

export type Cells = ReadonlyMap<string, string>;

/** The column that identifies the object of a row. */
export const KEY = 'id';
/** The column with the exported version. */
export const VERSION = 'version';

/** The key of a row as in its result: empty if missing, null if unreadable. */
export const shownKey = (key: string | null) => key && shownName(key);

/** Reads the table. Throws BAD_USER_INPUT, FILE_TOO_LARGE. */
export async function sentTable(
  { text, file }: Pick<IncomingTable, 'text' | 'file'>,
  columns: TableColumns,
  limits?: TableLimits,
): Promise<ReadTable> {
  if ((text == null) === (file == null)) throw invalidInput([wholeError([], 'either text or file must be given')]);
  return reading(file == null ? 'text' : 'file', () => readTable(file?.bytes ?? piecesOf(text ?? ''), columns, limits));
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Application of a table. */
interface Application {
  dryRun?: boolean | null | undefined;
  /** The extent that a dry run rolls back at once: independent rows one by one, so that each releases its locks. */
  undone: 'each row' | 'the table';
  mayGoOn: () => boolean;
  keyOf?: KeyOf;
  apply: RowChange;
}

/** Changes the object of a row; returns the changed cells. */
export type RowChange = (cells: Cells, key: string) => Promise<CellChange[]>;

/** The canonical key of a cell with several spellings. */
type KeyOf = (cell: string) => string;

/** The error of a row by itself and among the others. */
export function rowErrors(
  rows: readonly TableRow[],
  keyOf: KeyOf = (cell) => cell,
): (row: TableRow) => DomainError | undefined {
  const named = ({ cells }: TableRow) => cells && keyOf(cells.get(KEY) ?? '');
  const byKey = Map.groupBy(rows, named);
  return (row) => {
    const key = named(row);
    if (key === undefined) return badUserInput(['The row must have as many cells as there are columns']);
    if (key === '') return columnError(KEY, 'is required');
    return byKey.get(key)?.length === 1 ? undefined : columnError(KEY, 'is in more than one row');
  };
}

/** Applies each row independently, in order. */
export async function importRows(
  database: Database,
  { rows, ignoredColumns }: ReadTable,
  { dryRun, undone, mayGoOn, keyOf, apply }: Application,
): Promise<ImportedTable> {
  const errorOf = rowErrors(rows, keyOf);
  const isUndone = (what: Application['undone']) => dryRun === true && undone === what;
  const applyOne = async (row: TableRow) => {
    const error = errorOf(row);
    if (error !== undefined) throw error;
    const cells = row.cells as Cells;
    const key = cells.get(KEY) as string;
    return isUndone('each row') ? database.request.rehearse(() => apply(cells, key)) : apply(cells, key);
  };
  const applyAll = async () => {
    const results: ImportedRow[] = [];
    for (const each of rows) {
      const key = each.cells?.get(KEY) ?? null;
      const shown = { row: each.row, key: shownKey(key), changes: [], error: null };
      if (!mayGoOn()) {
        results.push({ ...shown, outcome: 'NOT_DONE' });
        continue;
      }
      try {
        const changes = await applyOne(each);
        results.push({ ...shown, outcome: changes.length === 0 ? 'UNCHANGED' : 'CHANGED', changes });
      } catch (error) {
        results.push({ ...shown, outcome: 'REFUSED', error: refusalOf(error) });
      }
    }
    return results;
  };
  const results = await (isUndone('the table') ? database.request.rehearse(applyAll) : applyAll());
  return { rows: results, ignoredColumns };
}

/** Whether a request may continue with its next row: a longer one would be cut off as a silent connection. */
export function timeFor(stallSeconds: number): () => boolean {
  const end = performance.now() + stallSeconds * 500;
  return () => performance.now() < end;
}

/** Throws if the exported version differs from the present one; a table without the column is not checked. */
export function requireExported(cells: Cells, { version }: { version: number }): void {
  const exported = cells.get(VERSION);
  if (exported === undefined) return;
  if (!/^\d{1,9}$/.test(exported)) throw columnError(VERSION, 'must be an integer');
  if (Number(exported) !== version) throw preconditionFailed();
}

/** BAD_USER_INPUT for a cell. */
export function columnError(column: string, sentence: string): DomainError {
  return invalidInput([{ path: ['row', column], sentence }]);
}

/** Runs checks of fields; their errors name columns. */
export async function inColumns<Result>(
  columnOf: (field: string) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.fields === undefined) throw error;
    throw invalidInput(error.fields.map((each) => ({ ...each, path: ['row', columnOf(String(each.path.at(-1)))] })));
  }
}
