import { RECORDED_TABLES, type RecordedTable } from '../../database/recorded-tables.js';
import { PROPERTIES, type RecordedRow } from './recorded-fields.js';

/** The rows of an organization according to its trail, as JSON that does not depend on the machine. */
export type RecordedRows = Record<RecordedTable, RecordedRow[]>;

/** Stored rows; undefined where an earlier version, which may run beside this one, stored them without every table. */
export function recordedRows(text: string): RecordedRows | undefined {
  const rows = JSON.parse(text) as Partial<RecordedRows>;
  return RECORDED_TABLES.every((table) => rows[table] !== undefined) ? (rows as RecordedRows) : undefined;
}

/** The state of an organization after an entry: entries are applied one after the other (recorded-changes.ts). */
export class RecordedState {
  private readonly tables: ReadonlyMap<RecordedTable, Map<string, RecordedRow>>;

  constructor(
    readonly organizationId: number,
    rows?: RecordedRows,
  ) {
    this.tables = new Map(
      RECORDED_TABLES.map((table) => [table, new Map(rows?.[table].map((row) => [keyOf(table, row), row]))]),
    );
  }

  /** The rows of each table, in the order of their keys. */
  recorded(): RecordedRows {
    const sorted = [...this.tables].map(([table, rows]) => [
      table,
      [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row),
    ]);
    return Object.fromEntries(sorted) as RecordedRows;
  }

  /** The number of rows. */
  get size(): number {
    return [...this.tables.values()].reduce((sum, rows) => sum + rows.size, 0);
  }

  all(table: RecordedTable): Iterable<RecordedRow> {
    return this.of(table).values();
  }

  find(table: RecordedTable, key: RecordedRow): RecordedRow | undefined {
    return this.of(table).get(keyOf(table, key));
  }

  /** Inserts a row, or replaces the one with its key. */
  put(table: RecordedTable, row: RecordedRow): void {
    const owner = table === 'organization' ? 'id' : 'organizationId';
    const owned = PROPERTIES[table].has(owner) ? { [owner]: this.organizationId } : {};
    this.of(table).set(keyOf(table, row), { ...row, ...owned });
  }

  /** Changes a row, if it is known. */
  set(table: RecordedTable, key: RecordedRow, values: RecordedRow): void {
    const row = this.find(table, key);
    if (row !== undefined) this.put(table, { ...row, ...values });
  }

  remove(table: RecordedTable, key: RecordedRow): void {
    this.of(table).delete(keyOf(table, key));
  }

  /** Removes all rows except that of the organization and those of its owners. */
  clear(): void {
    for (const [table, rows] of this.tables)
      for (const [key, row] of rows)
        if (table !== 'organization' && row['role'] !== 'ORGANIZATION_OWNER') rows.delete(key);
  }

  private of(table: RecordedTable): Map<string, RecordedRow> {
    return this.tables.get(table) as Map<string, RecordedRow>;
  }
}

/** The properties by which entries identify rows. */
const KEYS: Partial<Record<RecordedTable, readonly string[]>> = {
  organization: [],
  membership: ['userId'],
  organization_workflow: ['workflowId'],
  control_state: ['workflowId', 'controlId'],
  engagement_auditor: ['engagementId', 'userId'],
};

function keyOf(table: RecordedTable, row: RecordedRow): string {
  const parts = (KEYS[table] ?? ['id']).map((property) => row[property]);
  // Numbers in numeric order.
  return parts.map((part) => (typeof part === 'number' ? String(part).padStart(16, '0') : part)).join('/');
}
