import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .toSorted();

test('the map of test/support has each file once', () => {
  const [, map = ''] = textOf('test/README.md').split('## `support/`');
  const listed = [...map.matchAll(/^\| `([\w/-]+\.ts)`/gm)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(filesIn('test/support', '.ts'));
});

describe('the documents', () => {
  test.each(filesIn('docs', '.md'))('say plainly who does something: %s', (file) => {
    // Code is no prose: PostgreSQL's own user is called `nobody` on many systems.
    const prose = textOf(`docs/${file}`).replaceAll(/```[^]*?```|`[^`]*`/g, '');
    expect(prose.match(/\b(?:nobody|whoever|somebody|told|lets? go)\b.*/gi)).toBe(null);
  });
});
