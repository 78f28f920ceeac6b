import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '../../errors.js';

export interface DataDirLock {
  /** Resolves when another gateway has taken the folder, because this process was suspended. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/**
 * One run of a process, as `gateway.<pid>.<start>.<system>.<folder>`: pids are reused, a pid with its start time is
 * not.
 */
type LockName = string;

const HEARTBEAT_MS = 2_000;
/** The longest delay of a heartbeat; a process that is silent for longer is dead. */
const SILENCE_MS = 5_000;
const ATTEMPTS = 4;

/**
 * Makes this process the only gateway on `dataDir`: each gateway creates a file with its own name, then looks for
 * others. A name is written atomically, and the process table shows whether its gateway is alive. Throws StartupError
 * when another gateway is running.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = join(dataDir, 'lock');
  await mkdir(folder, { recursive: true });
  // A copy of the folder has another inode.
  const { ino } = await stat(folder, { bigint: true });
  const own = `gateway.${process.pid}.${await startOf(process.pid)}.${await currentSystem()}.${ino}`;
  for (let attempt = 1; ; attempt++) {
    const placed = await place(join(folder, own));
    const owner = placed ? await findRunning(folder, own) : own;
    if (owner === undefined) return startHeartbeat(join(folder, own));
    if (placed) await rm(join(folder, own), { force: true });
    if (!placed || attempt === ATTEMPTS) {
      const [, pid, , , place = String(ino)] = owner.split('.');
      throw new StartupError(
        place === String(ino)
          ? `Another gateway (process ${pid}) is already running on ${dataDir}.`
          : `Another gateway (process ${pid}) is running on the folder that ${dataDir} is a copy of: stop it, or remove ${folder}.`,
      );
    }
    // Two gateways that start at the same time see each other and both retry; the random pause resolves it.
    await sleep(20 + Math.random() * 130);
  }
}

/** False when this process has created it before, and so has the lock already. */
async function place(path: string): Promise<boolean> {
  return writeFile(path, '', { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** The first other gateway that is running; removes the files of dead ones. */
async function findRunning(folder: string, own: LockName): Promise<LockName | undefined> {
  const [, , , ownSystem] = own.split('.');
  for (const name of await readdir(folder)) {
    const [prefix, pid, start, system] = name.split('.');
    if (prefix !== 'gateway' || system === undefined || name === own) continue;
    const path = join(folder, name);
    const running = system === ownSystem ? (await startOf(Number(pid))) === start : await isBeating(path);
    if (running) return name;
    await rm(path, { force: true });
  }
  return undefined;
}

/**
 * Whether a gateway outside our process table (another container on the same volume, or the machine before a reboot)
 * is running: it touches its file every two seconds. The time of the file is not compared, because clocks differ.
 */
async function isBeating(path: string): Promise<boolean> {
  const first = await lastTouch(path);
  for (const deadline = Date.now() + SILENCE_MS; Date.now() < deadline;) {
    await sleep(200);
    const last = await lastTouch(path);
    if (last === undefined) return false;
    if (last !== first) return true;
  }
  return false;
}

/** Undefined when the file does not exist. Throws other errors: the gateway may be running. */
async function lastTouch(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return found?.mtimeMs;
}

function startHeartbeat(path: string): DataDirLock {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(({ code }: NodeJS.ErrnoException) => {
      // Another gateway removes the file of one that seems dead.
      if (code === 'ENOENT') resolve();
    });
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    lost,
    async release() {
      clearInterval(beat);
      await rm(path, { force: true });
    },
  };
}

/** Start time of the process, for comparison only; undefined when there is none, or a zombie. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const shown = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }).catch(
      () => null,
    );
    const [state = 'Z', ...started] = (shown?.stdout ?? '').trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join('-').replaceAll(':', '-');
  }
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the command in parentheses and may contain anything, so fields are counted from its end.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? ['Z'];
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** The boot and the pid namespace in which process ids are valid. */
async function currentSystem(): Promise<string> {
  if (process.platform !== 'linux') return 'host';
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => 'unknown');
  return `${boot.trim()}-${namespace}`.replaceAll(/[^a-z0-9-]/g, '');
}
