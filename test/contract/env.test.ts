import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig, type Config } from '../../src/config.js';
import { parseStorageUrl } from '../../src/storage/storage-location.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'src');

/** The variables for every installation, in this order; all others follow. */
const MAIN_VARIABLES = [
  ...['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'STORAGE_URL', 'PUBLIC_URL', 'APP_URL', 'SMTP_URL', 'SECRET_KEY'],
  ...['DEMO', 'LOG_LEVEL', 'TRUST_PROXY'],
];

/** Files that pass the environment to config.ts, or to a child process. */
const MAY_TOUCH_THE_ENVIRONMENT = /^main\.ts$|^database\/embedded\//;

const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
const shown = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, key = '', value = '']) => ({ key, value }));
const keys = shown.map(({ key }) => key);

test('config.ts and .env.example know the same variables, each once', () => {
  const source = readFileSync(join(SOURCES, 'config.ts'), 'utf8');
  const read = new Set([...source.matchAll(/\breader\.\w+\(\s*'([A-Z0-9_]+)'/g)].map(([, key = '']) => key));
  expect(read.size).toBeGreaterThanOrEqual(MAIN_VARIABLES.length);
  expect(keys.toSorted()).toEqual([...read].toSorted());
});

test('tables of the guides have the defaults of their variables', () => {
  const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const tables = guides.flatMap((name) => readFileSync(join(ROOT, 'docs', name), 'utf8').match(/^\|.*\|$/gm) ?? []);
  const figures = tables.flatMap((row) => {
    const [, key = ''] = /\| `([A-Z][A-Z0-9_]+)` +\|/.exec(row) ?? [];
    const [, figure] = /\| ([0-9][0-9,]*) +\|/.exec(row) ?? [];
    return figure === undefined || !keys.includes(key) ? [] : [`${key}=${figure.replaceAll(',', '')}`];
  });
  expect(figures.length).toBeGreaterThan(10);
  const defaults = shown.map(({ key, value }) => `${key}=${value}`);
  expect(figures.filter((figure) => !defaults.includes(figure))).toEqual([]);
});

test('.env.example begins with the main variables', () => {
  expect(keys.slice(0, MAIN_VARIABLES.length)).toEqual(MAIN_VARIABLES);
});

test('.env.example says of every variable what it means', () => {
  const blocks = example.trim().split('\n\n').slice(1);
  expect(blocks).toHaveLength(keys.length);
  for (const block of blocks) expect(block).toMatch(/^(# \S.*\n)+#[A-Z0-9_]+=.*$/);
});

describe('the value shown in .env.example', () => {
  let folder: string;
  const cwd = process.cwd();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'env-'));
    // DATA_DIR's default is relative, and reading the configuration stores a generated key there.
    process.chdir(folder);
  });

  afterAll(() => {
    process.chdir(cwd);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(shown)('$key=$value is the default', ({ key, value }) => {
    expect(comparable(readConfig({ [key]: value }))).toEqual(comparable(readConfig({})));
  });

  test('all of them together change nothing', () => {
    const all = Object.fromEntries(shown.map(({ key, value }) => [key, value]));
    expect(comparable(readConfig(all))).toEqual(comparable(readConfig({})));
  });
});

/** One folder can be written in several ways. */
function comparable(config: Readonly<Config>) {
  return { ...config, storageUrl: parseStorageUrl(config.storageUrl) };
}

test('only config.ts reads the environment', () => {
  const readers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !MAY_TOUCH_THE_ENVIRONMENT.test(path))
    .filter((path) => touchesTheEnvironment(readFileSync(join(SOURCES, path), 'utf8')));
  expect(readers).toEqual([]);
});

test.each(['process.env.PORT', "process['env']", 'const { env } = process;', "import { env } from 'node:process';"])(
  'would notice %s',
  (source) => expect(touchesTheEnvironment(source)).toBe(true),
);

function touchesTheEnvironment(source: string): boolean {
  return (
    /\bprocess\s*\??\.\s*env\b|\bprocess\s*\[\s*['"`]env\b/.test(source) ||
    /\benv\b[^{};]*\}\s*=\s*process\b|from '(node:)?process'/.test(source)
  );
}
