import { readdir, readFile } from 'node:fs/promises';

/** Microseconds in a tick of /proc: Linux counts a hundred a second wherever Node runs. */
const TICK = 10_000;

/**
 * Microseconds of processor time that the processes below `postmaster` have taken, those that have ended included; undefined
 * where the system has no /proc.
 */
export async function postgresCpu(postmaster: number): Promise<number | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return undefined;
  const times = await Promise.all(pids.map((pid) => timeBelow(pid, postmaster)));
  return times.reduce((sum, time) => sum + time, 0);
}

async function timeBelow(pid: string, parent: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in parentheses, may hold anything; the fields are counted from behind it (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Of the parent itself: what its children had taken that have ended.
  if (Number(pid) === parent) return (Number(fields[13]) + Number(fields[14])) * TICK;
  if (Number(fields[1]) !== parent) return 0;
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
