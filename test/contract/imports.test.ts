import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A forbidden import for each folder. */
const FORBIDDEN: Record<string, string> = {
  auth: '../database/database.js',
  backup: '../rest/routes.js',
  common: '../services/notifications/notifier.js',
  database: '../resolvers/notifications.resolver.js',
  entities: '../services/notifications/notifier.js',
  graphql: '../database/database.js',
  http: '../services/notifications/notifier.js',
  mail: '../services/notifications/notifier.js',
  messages: '../services/notifications/notifier.js',
  portal: '../database/database.js',
  resolvers: '../storage/blob-store.js',
  rest: '../services/notifications/notifier.js',
  schema: '../database/database.js',
  scim: '../database/database.js',
  mcp: '../database/database.js',
  services: '../rest/routes.js',
  'services/incidents': '../members/members.service.js',
  storage: '../auth/access.js',
  values: '../errors.js',
};

/** Imports every layer, and is imported by none. */
const WITHOUT_RULES = ['app', 'demo'];

/** Lints one line in each folder by the import rules only, in a separate process: ESLint does not run inside Jest. */
const LINT = `
  import { ESLint } from 'eslint';
  import tseslint from 'typescript-eslint';
  import { importRules } from './eslint.imports.js';
  const parser = { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, plugins: { '@typescript-eslint': tseslint.plugin } };
  const linter = new ESLint({ overrideConfigFile: true, overrideConfig: [parser, ...importRules] });
  const found = {};
  for (const [folder, lines] of Object.entries(JSON.parse(process.argv[1]))) {
    found[folder] = [];
    for (const line of lines) {
      const [{ messages }] = await linter.lintText(line + '\\n', { filePath: 'src/' + folder + '/new-file.ts' });
      found[folder].push(messages.map(({ message }) => message));
    }
  }
  console.log(JSON.stringify(found));
`;

const lines = (path: string) => [
  `import { a } from '${path}';`,
  `import { createApp } from '../app/app.js';`,
  `import { seedDemo } from '../demo/demo.js';`,
  `import { a } from './neighbour.js';`,
];

let found: Record<string, [forbidden: string[], app: string[], demo: string[], neighbour: string[]]>;

beforeAll(async () => {
  const imports = Object.fromEntries(Object.entries(FORBIDDEN).map(([folder, path]) => [folder, lines(path)]));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    LINT,
    JSON.stringify(imports),
  ]);
  found = JSON.parse(stdout);
});

test('every folder of src has an example of an import that it may not make', async () => {
  const entries = await readdir('src', { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const examples = Object.keys(FORBIDDEN).filter((folder) => !folder.includes('/'));
  expect([...examples, ...WITHOUT_RULES].toSorted()).toEqual(folders.toSorted());
});

describe.each(Object.keys(FORBIDDEN))('a file in src/%s', (folder) => {
  test('may not import from a layer that it must not know, and the message says why', () => {
    expect(found[folder]?.[0]).toEqual([expect.stringMatching(/restricted.*[.:] /s)]);
  });

  test('may not import the files that put the gateway together', () => {
    expect(found[folder]?.[1]).toHaveLength(1);
    expect(found[folder]?.[2]).toHaveLength(1);
  });

  test('may import its neighbours', () => {
    expect(found[folder]?.[3]).toEqual([]);
  });
});

test('no file of src imports itself through others, whether values or types', async () => {
  expect(await importCycles()).toEqual([]);
});

/** Cycles of files that import each other, directly or indirectly. */
async function importCycles(): Promise<string[][]> {
  const graph = await importGraph();
  const reachable = new Map([...graph.keys()].map((file) => [file, reachableFrom(graph, file)]));
  const cycles = [...reachable].flatMap(([file, found]) =>
    found.has(file)
      ? [
          [...found]
            .filter((other) => reachable.get(other)?.has(file))
            .toSorted()
            .join(' '),
        ]
      : [],
  );
  return [...new Set(cycles)].map((cycle) => cycle.split(' '));
}

async function importGraph(): Promise<Map<string, string[]>> {
  const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts'));
  const imports = files.map(async (file) => {
    const text = await readFile(join('src', file), 'utf8');
    const paths = [...text.matchAll(/\b(?:from|import)\b[\s(]*'(\.[^']+)\.js'/g)].map(([, path]) => path as string);
    return [file, paths.map((path) => `${join(file, '..', path)}.ts`)] as const;
  });
  return new Map((await Promise.all(imports)).map(([file, paths]) => [file, paths]));
}

function reachableFrom(graph: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const found = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    open.push(...(graph.get(file) ?? []));
  }
  return found;
}
