import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { MikroORM, type EntityName } from '@mikro-orm/postgresql';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ormOptions } from '../../src/database/orm-options.js';
import { tables } from '../../src/entities/index.js';

const orm = await MikroORM.init(ormOptions({ url: 'postgres://nowhere/none' }));
const metadata = Object.entries(tables).map(
  ([name, entity]) => [name, orm.getMetadata().get<object>(entity as EntityName<object>)] as const,
);

describe('the tables that type the statements', () => {
  test.each(metadata)('%s is the table of its entity', (name, { tableName }) => expect(tableName).toBe(name));

  test.each(metadata)('%s has columns that are the snake_case of their properties', (_name, { props }) => {
    const columns = props.map(({ name, targetMeta }) => snakeCase(name) + (targetMeta === undefined ? '' : '_id'));
    // The column of an organization is part of the reference to its device as well.
    expect([...new Set(props.flatMap(({ fieldNames }) => fieldNames))]).toEqual(columns);
  });
});

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(join('src', file), 'utf8')] as const);
const columns = new Set(metadata.flatMap(([, { props }]) => props.flatMap(({ fieldNames }) => fieldNames)));
const names = Object.keys(tables).join('|');

describe('no source file names a table or one of its columns in a text of SQL', () => {
  test.each(sources)('%s', (_file, source) => {
    const templates = [...source.matchAll(/sql(?:<[^`]*?>)?`((?:[^`\\]|\\.|\$\{[^}]*`[^`]*`[^}]*\})*)`/g)];
    const texts = templates.map(([, text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '?').replaceAll(/'[^']*'/g, '?'));
    const found = texts.flatMap((text) => [
      ...(text.match(new RegExp(`\\b(?:from|join|into|update)\\s+(?:${names})\\b`, 'gi')) ?? []),
      ...[...text.matchAll(/\b[a-z]\.(\w+)/g)].filter(([, column = '']) => columns.has(column)).map(([text]) => text),
    ]);
    expect(found).toEqual([]);
  });
});

function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
