import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
import { StartupFault } from './startup-fault.js';

export interface DataDirLock {
  release(): Promise<void>;
}

const HEARTBEAT_MS = 2_000;
/** A beat is late at most by this much; whoever has been silent for longer is dead. */
const SILENCE_MS = 5_000;
const CLAIMS = 4;

/**
 * Makes this process the only gateway on `dataDir`. Each gateway puts down a file whose name is its identity and then
 * looks for others: a name cannot be half written, and what a killed gateway left behind is told from a living one by
 * the process table. Throws StartupFault when another gateway lives.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = join(dataDir, 'lock');
  await mkdir(folder, { recursive: true });
  const identity = await ownIdentity();
  const own = join(folder, fileNameOf(identity));
  for (let claim = 1; ; claim++) {
    const placed = await place(own);
    const holder = placed ? await findLiving(folder, identity) : identity;
    if (!holder) return hold(own);
    if (placed) await rm(own, { force: true });
    // Two gateways started in the same instant see each other and both step back; the odd pause lets one be first.
    if (!placed || claim === CLAIMS) throw inUse(dataDir, holder);
    await sleep(20 + Math.random() * 130);
  }
}

function inUse(dataDir: string, holder: ProcessIdentity): StartupFault {
  return new StartupFault(`Another gateway (process ${holder.pid}) is already running on ${dataDir}.`);
}

/** False when this process has placed it before: then it holds the lock already. */
async function place(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The first other gateway that lives; the files of dead ones are removed on the way. */
async function findLiving(folder: string, self: ProcessIdentity): Promise<ProcessIdentity | undefined> {
  for (const name of await readdir(folder)) {
    const other = parseFileName(name);
    if (!other || name === fileNameOf(self)) continue;
    const path = join(folder, name);
    const alive = other.realm === self.realm ? await isRunning(other) : await isBeating(path);
    if (alive) return other;
    await rm(path, { force: true });
  }
  return undefined;
}

/**
 * Whether a gateway that our process table cannot show (another container on the same volume, or a machine before its
 * reboot) is alive: it touches its file every two seconds. Takes up to five seconds when the last touch is recent.
 */
async function isBeating(path: string): Promise<boolean> {
  const first = await lastTouch(path);
  const deadline = Date.now() + SILENCE_MS;
  if (Date.now() - first > 2 * SILENCE_MS) return false;
  while (Date.now() < deadline) {
    await sleep(200);
    if ((await lastTouch(path)) > first) return true;
  }
  return false;
}

async function lastTouch(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

function hold(path: string): DataDirLock {
  const beat = setInterval(() => {
    const now = new Date();
    // A missed beat is made good by the next one; a folder that is gone has nothing left to protect.
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      await rm(path, { force: true });
    },
  };
}

function fileNameOf({ pid, start, realm }: ProcessIdentity): string {
  return `gateway.${pid}.${start}.${realm}`;
}

function parseFileName(name: string): ProcessIdentity | undefined {
  const [prefix, pid, start, realm] = name.split('.');
  if (prefix !== 'gateway' || !pid || !start || !realm) return undefined;
  return { pid: Number(pid), start, realm };
}
