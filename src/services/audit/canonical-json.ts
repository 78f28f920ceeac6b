import { PersonalValue, seal } from './personal-values.js';

/** Keys of persons, by user id; null after a person was erased. */
export type PersonalKeys = ReadonlyMap<string, Buffer | null>;

const NO_KEYS: PersonalKeys = new Map();

/**
 * Canonical JSON (RFC 8785) in one pass: keys in the order of their UTF-16 code units, instants as text, personal values
 * sealed. Strings are made well-formed, because PostgreSQL refuses others.
 */
export function canonicalJson(value: NonNullable<unknown>, keys: PersonalKeys = NO_KEYS): string {
  return textOf(value, keys) as string;
}

/** Undefined for what JSON has not, as `JSON.stringify` does. */
function textOf(value: unknown, keys: PersonalKeys): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value === null || typeof value !== 'object' || value instanceof Date) return JSON.stringify(value);
  if (value instanceof PersonalValue) return textOf(seal(value, keys.get(value.userId)), keys);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, keys) ?? 'null').join()}]`;
  let members = '';
  for (const name of sortedNames(value)) {
    const below = (value as Record<string, unknown>)[name];
    const member = below === undefined ? undefined : textOf(below, keys);
    if (member !== undefined) members += `${members && ','}${JSON.stringify(name.toWellFormed())}:${member}`;
  }
  return `{${members}}`;
}

/** Most objects are made with two names or in order: sorting costs more than looking. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  return names.every((name, at) => at === 0 || names[at - 1]! < name) ? names : names.sort();
}
