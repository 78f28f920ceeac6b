import { execFile, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.js';
import type { PostgresPrograms } from './postgres-programs.js';
import type { ServerAccount } from './server-account.js';
import { StartupFault } from './startup-fault.js';
import { spawnWatched, type WatchedProcess } from './watched-process.js';

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
  /** Resolves when the process has gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. Leaves no process behind. */
  stop(): Promise<void>;
}

/** Recovery after a crash may have much to replay; a server that is neither ready nor dead by then is stuck. */
const READY_MS = 60_000;
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const POLL_MS = 15;

/** Starts the server and waits until it takes connections. Throws when it ends before that. */
export async function startPostmaster(settings: PostmasterSettings): Promise<Postmaster> {
  const { cluster } = settings;
  await endOrphan(cluster.files);
  const { child, ended: exited } = launch(settings);
  const ended = exited.then(() => undefined);
  const stop = () => stopChild(child, ended);
  try {
    const pid = await waitUntilReady(cluster.files, ended);
    // A gateway that has nothing else to do may end without a word, and the server ends with it.
    child.unref();
    (child.stdin as Socket).unref();
    return { pid, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch({ programs, account, cluster, logFile, port, parameters }: PostmasterSettings): WatchedProcess {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, ...parameters };
  const command = [programs.postgres, '-D', cluster.filesAsSeen];
  for (const [name, value] of Object.entries(all)) command.push('-c', `${name}=${value}`);
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawnWatched(command, { account, cwd: cluster.files, stdout: log, stderr: log });
  } finally {
    closeSync(log);
  }
}

/** PostgreSQL itself writes into postmaster.pid how far it is. Returns the server's process id. */
async function waitUntilReady(files: string, ended: Promise<void>): Promise<number> {
  let gone = false;
  void ended.then(() => (gone = true));
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { pid, status } = await readPidFile(files);
    if (pid && status === 'ready') return pid;
    if (gone) throw new Error('PostgreSQL ended while it was starting');
  }
  throw new Error(`PostgreSQL was not ready within ${READY_MS / 1000} seconds`);
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.pid === undefined) return;
  child.ref();
  // The watcher takes the end of its input as the order to shut down.
  child.stdin?.destroy();
  if (await endsWithin(ended, FAST_SHUTDOWN_MS)) return;
  signalGroup(child.pid, 'SIGQUIT');
  if (await endsWithin(ended, IMMEDIATE_SHUTDOWN_MS)) return;
  signalGroup(child.pid, 'SIGKILL');
  await ended;
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // Gone in the meantime, which is what the signal was for.
  }
}

async function endsWithin(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([ended.then(() => true), late]).finally(() => timer.abort());
}

/**
 * Shuts down a server that a killed gateway left behind, and removes the pid file of one that is no more: PostgreSQL
 * would take any living process with that number for a server. Our lock on DATA_DIR says that no gateway owns it.
 */
async function endOrphan(files: string): Promise<void> {
  const { pid } = await readPidFile(files);
  if (pid && (await isServerOf(pid, files))) {
    process.kill(pid, 'SIGINT');
    if (!(await isGoneWithin(pid, files, FAST_SHUTDOWN_MS))) process.kill(pid, 'SIGQUIT');
    if (!(await isGoneWithin(pid, files, IMMEDIATE_SHUTDOWN_MS))) {
      throw new StartupFault(`An earlier database server (process ${pid}) still runs on ${files} and does not stop.`);
    }
  }
  await rm(join(files, 'postmaster.pid'), { force: true });
}

async function isGoneWithin(pid: number, files: string, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await sleep(POLL_MS)) {
    if (!(await isServerOf(pid, files))) return true;
  }
  return false;
}

/** Whether that process is PostgreSQL and works on these files, not another that got the same number. */
async function isServerOf(pid: number, files: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const shown = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => null);
    return shown?.stdout.includes(`postgres -D ${files} `) ?? false;
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  const [folder, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(files)]);
  return name.trim() === 'postgres' && folder?.ino === own.ino && folder.dev === own.dev;
}

async function readPidFile(files: string): Promise<{ pid?: number; status?: string }> {
  const text = await readFile(join(files, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  // A standalone backend writes a negative number; none is ever ours.
  return pid > 1 ? { pid, status: lines[7]?.trim() } : {};
}
