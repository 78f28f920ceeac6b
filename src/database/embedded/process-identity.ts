import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Names one run of one process: a pid alone is given to another process sooner or later, a pid with its time of
 * start, within one boot and one pid namespace, is not.
 */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot on Linux, Unix seconds elsewhere; only compared, never computed with. */
  start: string;
  /** The boot and the pid namespace in which `pid` means something. */
  realm: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const start = await startOf(process.pid);
  if (start === undefined) throw new Error('This process cannot see its own time of start');
  return { pid: process.pid, start, realm: await currentRealm() };
}

/** Whether that very process still runs; only to be asked about a process of our own realm. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await startOf(identity.pid)) === identity.start;
}

/** When the process began, or undefined when there is none. A zombie counts as none: it holds nothing any more. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startByPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the command in parentheses and may hold anything, so fields are counted from its end.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return fields[19];
}

async function startByPs(pid: number): Promise<string | undefined> {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const answer = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }).catch(() => null);
  const [state, ...started] = (answer?.stdout ?? '').trim().split(/\s+/);
  if (!state || state.startsWith('Z')) return undefined;
  return String(Date.parse(`${started.join(' ')} UTC`) / 1000);
}

async function currentRealm(): Promise<string> {
  if (process.platform !== 'linux') return 'host';
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => 'unknown');
  return `${boot.trim()}-${namespace}`.replace(/[^a-z0-9-]/g, '');
}
