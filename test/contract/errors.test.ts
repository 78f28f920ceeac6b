import { expect, test } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONFLICT_REASONS, ERROR_CODES } from '../../src/errors.js';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

const schema = buildSchema(read('schema.graphql'));
const openapi = JSON.parse(read('openapi.json'));

/** The values of an enumeration of the schema, with their descriptions. */
function valuesOf(name: string): Record<string, unknown> {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enumeration`);
  return Object.fromEntries(type.getValues().map((value) => [value.name, value.description]));
}

/** The first names in the rows of a table of docs/errors.md, each with a sentence beside it. */
function documented(heading: string): string[] {
  const [, table] = new RegExp(`^\\| ${heading} .*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, 'm').exec(read('docs/errors.md'))!;
  return table!
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, names, ...meaning] = row.split('|');
      expect(meaning.join('').trim()).not.toBe('');
      return [...names!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!);
    });
}

test('every code of an error is a value of the schema with its meaning, and is documented', () => {
  expect(valuesOf('ErrorCode')).toEqual(ERROR_CODES);
  expect(documented('Code').toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
});

test('every reason of a conflict is a value of the schema with the sentence that people read, and is documented', () => {
  expect(valuesOf('ConflictReason')).toEqual(CONFLICT_REASONS);
  expect(documented('Reason').toSorted()).toEqual(Object.keys(CONFLICT_REASONS).toSorted());
});

test('REST has every reason but that of a version, for which If-Match has a status of its own', () => {
  const { required, schema: values } = openapi.components.headers['Conflict-Reason'];
  const reasons = Object.keys(CONFLICT_REASONS).filter((reason) => reason !== 'STALE_VERSION');
  expect({ required, values: values.enum.toSorted() }).toEqual({ required: true, values: reasons.toSorted() });
});
