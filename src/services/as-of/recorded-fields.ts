import { defaultsOf } from '../../database/columns.js';
import { recordedProperties, RECORDED_TABLES, type RecordedTable } from '../../database/recorded-tables.js';
import type { StoredEntry } from '../audit/entry-records.js';

/** A row by the properties of its entity; values about persons are sealed. */
export type RecordedRow = Record<string, unknown>;

/** The values of an entry's fields after it, with those of its `state`. */
export function after({ changes = {}, state = {} }: StoredEntry): RecordedRow {
  const changed = Object.entries(changes).flatMap(([field, { after }]) =>
    after === undefined ? [] : [[field, after]],
  );
  return { ...Object.fromEntries(changed), ...state };
}

/** The properties of a row that an entry has values of. */
export function named(table: RecordedTable, entry: StoredEntry): RecordedRow {
  const values = after(entry);
  return Object.fromEntries(Object.entries(values).filter(([name]) => PROPERTIES[table].has(name)));
}

export const PROPERTIES = Object.fromEntries(
  RECORDED_TABLES.map((table) => [table, new Set(recordedProperties(table))] as const),
) as unknown as Record<RecordedTable, ReadonlySet<string>>;

/** A new row as the database fills it in: properties that are not given have their defaults, or are null. */
export function newRow(table: RecordedTable): RecordedRow {
  const defaults: RecordedRow = { ...defaultsOf(table), version: 1 };
  return Object.fromEntries([...PROPERTIES[table]].map((property) => [property, defaults[property] ?? null]));
}

export const counted = (row: RecordedRow | undefined, property = 'version') => Number(row?.[property] ?? 1) + 1;

/** `nis2-directive/21.2.a`: ids of workflows have no slash. */
export function controlKey(id: string) {
  const slash = id.indexOf('/');
  return { workflowId: id.slice(0, slash), controlId: id.slice(slash + 1) };
}
