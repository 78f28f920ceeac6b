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

test('each file that the sequencer spreads exists', () => {
  const spread = [...textOf('test/setup/sequencer.mjs').matchAll(/'([a-z-]+\/[a-z-]+)'/g)].map(
    ([, name]) => `${name}.test.ts`,
  );
  expect(spread).not.toEqual([]);
  expect(spread.filter((file) => !filesIn('test', '.test.ts').includes(file))).toEqual([]);
});

test('a service is named as its file, which may leave out the domain of its folder', () => {
  const wordsOf = (name: string) => name.split(/-|(?<=[a-z])(?=[A-Z])/).map(singular);
  const named = filesIn('src/services', '.service.ts').map((path) => {
    const [file = '', folder = ''] = path.replace('.service.ts', '').split('/').toReversed();
    const services = [...textOf(`src/services/${path}`).matchAll(/^export class (\w+)Service\b/gm)];
    const names = services.map(([, name = '']) => wordsOf(name).join('-'));
    const own = wordsOf(file).join('-');
    return { path, fits: names.length === 1 && [own, `${singular(folder)}-${own}`].includes(names[0] ?? '') };
  });
  expect(named.filter(({ fits }) => !fits).map(({ path }) => path)).toEqual([]);
});

function singular(word: string): string {
  return word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[xh])es$|(?<!s)s$/, '');
}

test('a comment on code names its subject, so that it stands alone in an editor', () => {
  const folders = ['src', 'web', 'packages/client/src', 'packages/cli/src', 'test/support'];
  const written = (folder: string) =>
    [...filesIn(folder, '.ts'), ...filesIn(folder, '.tsx')].map((file) => `${folder}/${file}`);
  const files = folders.flatMap(written).filter((file) => !/^web\/gql\/|\/openapi\.ts$/.test(file));
  expect(files.filter((file) => /\/\*\*(?:\s|\*)*What\b/.test(textOf(file)))).toEqual([]);
});

describe('the documents', () => {
  test.each(filesIn('docs', '.md'))(
    'say plainly who does something, and cite no paper that readers lack: %s',
    (file) => {
      // Code is excluded: PostgreSQL's own user has one of these names on many systems.
      const prose = textOf(`docs/${file}`).replaceAll(/```[^]*?```|`[^`]*`/g, '');
      expect(prose.match(/\(specification \d[^)]*\)/g)).toBe(null);
      expect(prose.match(/\b(?:nobody|whoever|somebody|told|lets? go)\b.*/gi)).toBe(null);
    },
  );
});

test.each(['schema.graphql', 'openapi.json', ...filesIn('catalog', '.yaml').map((file) => `catalog/${file}`)])(
  'texts for readers are in plain terms: %s',
  (file) => {
    const unusual = /.*\b(?:nobody|whoever|somebody|told|lets? go|asked for|kept nowhere|was so at)\b.*/gi;
    expect(textOf(file).match(unusual)).toBe(null);
    // The enumeration of roles says the rank of each.
    expect(textOf(file).match(/.*\brank \d(?!:).*/gi)).toBe(null);
  },
);
