import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Bytes of resident memory of a process. */
export function residentBytes(pid: number): number {
  if (process.platform === 'linux') {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Samples until `done`; returns the maximum. */
export async function peakDuring(pid: number, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = () => (peak = Math.max(peak, residentBytes(pid)));
  const timer = setInterval(look, process.platform === 'linux' ? 5 : 100);
  await work.finally(() => clearInterval(timer));
  look();
  return peak;
}
