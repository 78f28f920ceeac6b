import { spawn, type ChildProcess } from 'node:child_process';
import type { ServerAccount } from './server-account.js';

export interface WatchedProcess {
  child: ChildProcess;
  /** Resolves with the exit code when the process has gone; with null when a signal ended it or it never began. */
  ended: Promise<number | null>;
}

interface WatchedOptions {
  account: ServerAccount | undefined;
  cwd: string;
  /** Where standard output and standard error go: a file descriptor, nowhere, or the child's own stream. */
  stdout: number | 'ignore';
  stderr: number | 'pipe';
}

/** Everything that PostgreSQL's programs need of an environment; ours may hold PG* variables meant for others. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Keeps watch over a program: the watcher's standard input is a pipe that only the gateway holds open. When the gateway
 * ends, in whatever way, the pipe ends and the program is interrupted. The watcher is the program's parent, so the
 * number it signals cannot have passed to another process. Signals are for the program alone: a terminal or a service
 * manager that signals everybody must not take the watcher away from it.
 */
const WATCHER = `
trap '' HUP INT QUIT TERM
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
(read -r line <&3; kill -INT $program) &
watch=$!
exec 3<&-
wait $program
status=$?
kill -KILL $watch 2>/dev/null
exit $status
`;

/** Starts a program that ends with this process. Ending the child's standard input interrupts it. */
export function spawnWatched(
  command: readonly string[],
  { account, cwd, stdout, stderr }: WatchedOptions,
): WatchedProcess {
  const child = spawn('/bin/sh', ['-c', WATCHER, 'gateway-watcher', ...command], {
    ...account,
    cwd,
    env: ENVIRONMENT,
    stdio: ['pipe', stdout, stderr],
    // In a session of its own, so that Ctrl-C in a terminal leaves it to the gateway to drain first.
    detached: true,
  });
  // A failure to spawn is told by an event; without a listener it would end the gateway.
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve).once('error', () => resolve(null));
  });
  child.stdin?.on('error', () => undefined);
  return { child, ended };
}
