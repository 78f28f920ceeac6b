import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.js';
import { type PostgresPrograms, spawnWatched, type WatchedProcess } from './postgres-programs.js';
import type { ServerAccount } from './server-account.js';
import { StartupError } from '../../errors.js';

export interface PostmasterSettings {
  programs: PostgresPrograms;
  account: ServerAccount | undefined;
  cluster: Cluster;
  logFile: string;
  port: number;
  /** Server parameters by name. */
  parameters: Record<string, string | number>;
}

export interface Postmaster {
  pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<unknown>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. No process remains. */
  stop(): Promise<void>;
}

/** Recovery after a crash may take long. */
const READY_MS = 60_000;
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const POLL_MS = 15;

/** PostgreSQL's file name of a socket, without the port. */
const SOCKET_PREFIX = '.s.PGSQL.';
/** A placeholder as long as any port. */
const ANY_PORT = '00000';

/** Starts the server and waits until it accepts connections. Throws when it ends before. */
export async function startPostmaster(settings: PostmasterSettings): Promise<Postmaster> {
  const { files } = settings.cluster;
  await endOrphan(files);
  const server = launch(settings);
  const stop = () => stopProcess(server);
  try {
    const pid = await untilReady(files, server.ended);
    // The server does not keep an idle gateway alive, and ends with it.
    server.child.unref();
    (server.child.stdin as Socket).unref();
    return { pid, ended: server.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch({ programs, account, cluster, logFile, port, parameters }: PostmasterSettings): WatchedProcess {
  const all = { listen_addresses: '127.0.0.1', port, ...parameters };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a', 0o600);
  try {
    const command = [programs.postgres, '-D', cluster.filesAsSeen, ...options];
    return spawnWatched(command, { account, cwd: cluster.files, stdout: log, stderr: log });
  } finally {
    closeSync(log);
  }
}

/** Whether a socket can be created in this folder: some file systems have none, and paths are limited in length. */
export async function allowsSocket(files: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(join(files, `${SOCKET_PREFIX}${ANY_PORT}`), () => probe.close(() => resolve(true)));
  });
}

/** Waits for the state that PostgreSQL writes into postmaster.pid. Returns the server's process id. */
async function untilReady(files: string, ended: Promise<unknown>): Promise<number> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { pid, status } = await readPidFile(files);
    if (pid && status === 'ready') return pid;
    if (hasEnded) throw new Error('PostgreSQL ended while it was starting');
  }
  throw new Error(`PostgreSQL was not ready within ${READY_MS / 1000} seconds`);
}

async function stopProcess({ child, ended }: WatchedProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.ref();
  // The watcher interrupts the server, which is PostgreSQL's fast shutdown.
  child.stdin?.destroy();
  for (const [milliseconds, signal] of [
    [FAST_SHUTDOWN_MS, 'SIGQUIT'],
    [IMMEDIATE_SHUTDOWN_MS, 'SIGKILL'],
  ] as const) {
    const timer = new AbortController();
    const late = sleep(milliseconds, 'late', { signal: timer.signal }).catch(() => undefined);
    const first = await Promise.race([ended, late]);
    timer.abort();
    if (first !== 'late') return;
    signalTo(-child.pid, signal);
  }
  await ended;
}

/**
 * Kills a server whose files belong to another one now: it must not write, or remove the pid file as in a shutdown.
 * Its processes end once they wait for something, and at once where the system names them.
 */
export async function killServer(pid: number): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  signalTo(pid, 'SIGKILL');
  for (const child of children.match(/\d+/g) ?? []) signalTo(Number(child), 'SIGQUIT');
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Shuts down a server of a killed gateway, and removes pid files of an ended one, also that of its socket: PostgreSQL
 * would take any process with that id for a server. The lock of the data folder excludes other gateways.
 */
async function endOrphan(files: string): Promise<void> {
  const { pid } = await readPidFile(files);
  if (pid && !(await stopOrphan(pid, files)))
    throw new StartupError(`An earlier database server (process ${pid}) still runs on ${files} and does not stop.`);
  const left = (await readdir(files)).filter((name) => name === 'postmaster.pid' || name.startsWith(SOCKET_PREFIX));
  for (const name of left) await rm(join(files, name), { force: true });
}

async function stopOrphan(pid: number, files: string): Promise<boolean> {
  for (const [signal, milliseconds] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    if (!(await isServerOf(pid, files))) return true;
    signalTo(pid, signal);
    for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await sleep(POLL_MS))
      if (!(await isServerOf(pid, files))) return true;
  }
  return false;
}

/** Whether the process is PostgreSQL on these files, not another one with a reused id. */
async function isServerOf(pid: number, files: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const shown = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => null);
    return shown?.stdout.includes(`postgres -D ${files} `) ?? false;
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  const [folder, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(files)]);
  return name.trim() === 'postgres' && folder?.ino === own.ino && folder.dev === own.dev;
}

export async function readPidFile(files: string): Promise<{ pid?: number; port?: number; status?: string }> {
  const lines = (await readFile(join(files, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  // A standalone backend writes a negative number; the gateway starts none.
  return pid > 1 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() } : {};
}
