import { readdir, readFile } from 'node:fs/promises';

/** Microseconds in a tick of /proc: Linux counts a hundred per second on all platforms of Node. */
const TICK = 10_000;

/**
 * Processor time in microseconds of the processes below `postmaster`, including those that have ended; undefined where
 * the system has no /proc.
 */
export async function postgresCpu(postmaster: number): Promise<number | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return undefined;
  const times = await Promise.all(pids.map((pid) => timeBelow(pid, postmaster)));
  return times.reduce((sum, time) => sum + time, 0);
}

async function timeBelow(pid: string, parent: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may contain any character; fields are counted from behind it (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The parent's own count of ended children.
  if (Number(pid) === parent) return (Number(fields[13]) + Number(fields[14])) * TICK;
  if (Number(fields[1]) !== parent) return 0;
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
