import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** No room: it puts them together, as app.ts beside it does. */
const ABOVE = 'app';

/** One import that each room may not make, as a file in it would write it. */
const FORBIDDEN: Record<string, string> = {
  access: '../database/database.js',
  database: '../resolvers/notification.resolver.js',
  engine: '../services/notifications.js',
  entities: '../services/notifications.js',
  graphql: '../database/database.js',
  http: '../services/notifications.js',
  jobs: '../rest/routes.js',
  mail: '../services/notifications.js',
  portal: '../database/database.js',
  resolvers: '../storage/blob-store.js',
  rest: '../services/notifications.js',
  schema: '../database/database.js',
  services: '../rest/routes.js',
  storage: '../access/access.js',
  vocabulary: '../errors.js',
};

/** Lints one line in each room by the law alone, in a process of its own: the linter is no module of Jest's. */
const LINT = `
  import { ESLint } from 'eslint';
  import tseslint from 'typescript-eslint';
  import { importLaw } from './eslint.import-law.js';
  const parser = { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, plugins: { '@typescript-eslint': tseslint.plugin } };
  const linter = new ESLint({ overrideConfigFile: true, overrideConfig: [parser, ...importLaw] });
  const found = {};
  for (const [room, lines] of Object.entries(JSON.parse(process.argv[1]))) {
    found[room] = [];
    for (const line of lines) {
      const [{ messages }] = await linter.lintText(line + '\\n', { filePath: 'src/' + room + '/new-file.ts' });
      found[room].push(messages.map(({ message }) => message));
    }
  }
  console.log(JSON.stringify(found));
`;

const lines = (path: string) => [
  `import { a } from '${path}';`,
  `import { createApp } from '../app.js';`,
  `import { createServices } from '../app/services.js';`,
  `import { a } from './neighbour.js';`,
];

let rooms: string[];
let found: Record<string, [forbidden: string[], above: string[], partOfAbove: string[], neighbour: string[]]>;

beforeAll(async () => {
  const entries = await readdir('src', { withFileTypes: true });
  rooms = entries.filter((entry) => entry.isDirectory() && entry.name !== ABOVE).map(({ name }) => name);
  const asked = Object.fromEntries(Object.entries(FORBIDDEN).map(([room, path]) => [room, lines(path)]));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    LINT,
    JSON.stringify(asked),
  ]);
  found = JSON.parse(stdout);
});

test('every room is told here what it may not import', () => {
  expect(Object.keys(FORBIDDEN).toSorted()).toEqual(rooms.toSorted());
});

describe.each(Object.keys(FORBIDDEN))('the room %s', (room) => {
  test('is refused what it may not import, with the reason', () => {
    expect(found[room]?.[0]).toEqual([expect.stringMatching(/restricted.*[.:] /s)]);
  });

  test('is refused what puts the gateway together', () => {
    expect(found[room]?.[1]).toHaveLength(1);
    expect(found[room]?.[2]).toHaveLength(1);
  });

  test('may import its neighbours', () => {
    expect(found[room]?.[3]).toEqual([]);
  });
});
