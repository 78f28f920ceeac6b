import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '../../resilience/support/memory.js';
import { send } from './http.js';

/** Microseconds in a tick of /proc: Linux counts a hundred per second on all platforms of Node. */
const TICK = 10_000;

/** Microseconds of processor time, user and system, that a process has taken. */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain any character; fields are counted from behind it (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/**
 * Connections from 127.0.0.`from` to 127.0.0.`to` with an open descriptor in the process that listens on `port`: in
 * /proc/net/tcp closed ones have no inode, whatever the other end does.
 */
export function openConnections(port: number, from: number, to: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines.filter((line) => {
    const fields = line.trim().split(/\s+/);
    const lastByte = parseInt(fields[2]?.slice(0, 2) ?? '0', 16);
    return fields[1] === local && lastByte >= from && lastByte <= to && fields[9] !== '0';
  }).length;
}

export function megabytesOf(pid: number): number {
  return Math.round(residentBytes(pid) / 1e6);
}

/** Resident megabytes at rest: small requests trigger collections until the figure does not decrease any more. */
export async function megabytesAtRest(gateway: { port: number; pid: number }): Promise<number> {
  let lowest = Infinity;
  for (let quiet = 0; quiet < 3;) {
    for (let at = 0; at < 200; at += 1) await send(gateway, { path: '/health/live' });
    await sleep(500);
    const now = megabytesOf(gateway.pid);
    quiet = now < lowest - 5 ? 0 : quiet + 1;
    lowest = Math.min(lowest, now);
  }
  return lowest;
}

/** Whether a figure falls to `limit` within some seconds; returns the seconds and the last figure. */
export async function fallsTo(
  limit: number,
  seconds: number,
  figure: () => number,
): Promise<{ passed: boolean; after: number; last: number }> {
  const startedAt = performance.now();
  for (;;) {
    const last = figure();
    const after = Math.round((performance.now() - startedAt) / 100) / 10;
    if (last <= limit) return { passed: true, after, last };
    if (after > seconds) return { passed: false, after, last };
    await sleep(250);
  }
}
