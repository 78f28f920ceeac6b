import { PersonalValue, seal } from './personal-values.js';

/** Keys of persons, by user id; null after a person was erased. */
export type PersonalKeys = ReadonlyMap<string, Buffer | null>;

const NO_KEYS: PersonalKeys = new Map();

/**
 * Canonical JSON (RFC 8785): keys in the order of their UTF-16 code units, instants as text, personal values sealed. Strings
 * are made well-formed, because PostgreSQL refuses others. Parts that need none of it are left to `JSON.stringify`.
 */
export function canonicalJson(value: NonNullable<unknown>, keys: PersonalKeys = NO_KEYS): string {
  return textOf(value, keys) as string;
}

/** Undefined for what JSON has not, as `JSON.stringify` does. */
function textOf(value: unknown, keys: PersonalKeys): string | undefined {
  if (isCanonical(value)) return JSON.stringify(value);
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value instanceof PersonalValue) return textOf(seal(value, keys.get(value.userId)), keys);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, keys) ?? 'null').join()}]`;
  const record = value as Readonly<Record<string, unknown>>;
  let members = '';
  for (const name of Object.keys(record).sort()) {
    const below = record[name];
    const member = below === undefined ? undefined : textOf(below, keys);
    if (member !== undefined) members += `${members && ','}${JSON.stringify(name.toWellFormed())}:${member}`;
  }
  return `{${members}}`;
}

function isCanonical(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (value === null || typeof value !== 'object' || value instanceof Date) return true;
  if (value instanceof PersonalValue) return false;
  if (Array.isArray(value)) return value.every(isCanonical);
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record);
  return names.every(
    (name, at) => (at === 0 || names[at - 1]! < name) && name.isWellFormed() && isCanonical(record[name]),
  );
}
