import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

/** Exit code and output of a program. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcess;
  /** The output until now. */
  written: { out: string; err: string };
  ended: Promise<Ended>;
}

/** `packages/` as installed by users: built, packed, and installed in an empty folder without a network. */
export class InstalledPackages {
  private constructor(
    /** A project of a user. */
    readonly folder: string,
  ) {}

  static async install(): Promise<InstalledPackages> {
    const folder = await mkdtemp(join(tmpdir(), 'installed-packages-'));
    const [archives, project] = [join(folder, 'archives'), join(folder, 'project')];
    await Promise.all([mkdir(archives), mkdir(project), mkdir(join(folder, 'home'))]);
    await execute(process.execPath, [join(ROOT, 'scripts/build-packages.js')]);
    // Dependencies of the client are installed from here as well: npm has neither a network nor a cache.
    const packed = [
      'packages/client',
      'packages/cli',
      'node_modules/openapi-fetch',
      'node_modules/openapi-typescript-helpers',
    ];
    const options = ['--ignore-scripts', '--cache', join(folder, 'cache'), '--offline', '--loglevel', 'error'];
    await npm(ROOT, 'pack', ...packed.map((path) => `./${path}`), '--pack-destination', archives, ...options);
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const files = (await readdir(archives)).map((name) => join(archives, name));
    await npm(project, 'install', ...files, ...options, '--no-audit', '--no-fund');
    return new InstalledPackages(project);
  }

  /** A module of the client. */
  async load<Module>(path: string): Promise<Module> {
    const file = join(this.folder, 'node_modules/@compliance-gateway/client/dist', path);
    return (await import(pathToFileURL(file).href)) as Module;
  }

  /**
   * Runs a command line to its end, with these variables and only PATH of the environment. Quoted words may have
   * spaces.
   */
  run(words: string, env: Record<string, string>, input = ''): Promise<Ended> {
    const { child, ended } = this.start(words, env);
    // A command that does not read it may have ended before.
    child.stdin!.on('error', () => undefined).end(input);
    return ended;
  }

  /** Starts a command line; the test ends it. */
  start(words: string, env: Record<string, string>): Started {
    const args = [...words.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    return this.launch([join(this.folder, 'node_modules/.bin/compliance'), ...args], env);
  }

  /** Writes a file of the project. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Runs a program that imports the client. */
  async program(code: string, env: Record<string, string>): Promise<Started> {
    const file = join(this.folder, `program-${(await readdir(this.folder)).length}.mjs`);
    await writeFile(file, code);
    return this.launch([file], env);
  }

  async remove(): Promise<void> {
    await rm(resolve(this.folder, '..'), { recursive: true });
  }

  private launch(args: readonly string[], env: Record<string, string>): Started {
    const home = resolve(this.folder, '../home');
    const own = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, ...env };
    const child = spawn(process.execPath, args, { cwd: this.folder, env: own });
    const written = { out: '', err: '' };
    child.stdout.on('data', (piece) => (written.out += String(piece)));
    child.stderr.on('data', (piece) => (written.err += String(piece)));
    const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, ...written })));
    return { child, written, ended };
  }
}

/** The JSON output of a program, one value on each line. */
export function jsonIn({ out }: Ended) {
  const lines = out.trim().split('\n');
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return lines.map((line) => JSON.parse(line) as any);
}

/** The npm that runs `npm test`, otherwise the one of PATH. */
async function npm(cwd: string, ...args: string[]): Promise<void> {
  const script = process.env['npm_execpath'];
  if (script === undefined) await execute('npm', args, { cwd });
  else await execute(process.execPath, [script, ...args], { cwd });
}
