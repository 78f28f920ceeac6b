import { spawn, type ChildProcess } from 'node:child_process';
import type { ServerAccount } from './server-account.js';

export interface WatchedProcess {
  child: ChildProcess;
  /** Resolves with the exit code when the process has ended; with null after a signal or a failed start. */
  ended: Promise<number | null>;
}

/** The whole environment of PostgreSQL's programs: the gateway's may hold PG* variables meant for other servers. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * The shell is the parent of the program, and only the gateway holds the other end of its standard input: when the
 * gateway ends, in whatever way, the pipe closes and the program is interrupted. Signals to the whole group, such as
 * Ctrl-C, are ignored by the shell.
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

/** Starts a program that ends with this process. Closing the child's standard input interrupts it. */
export function spawnWatched(
  command: readonly string[],
  options: { account: ServerAccount | undefined; cwd: string; stdout: number | 'ignore'; stderr: number | 'pipe' },
): WatchedProcess {
  const { account, cwd, stdout, stderr } = options;
  const child = spawn('/bin/sh', ['-c', WATCHER, 'gateway-watcher', ...command], {
    ...account,
    cwd,
    env: ENVIRONMENT,
    stdio: ['pipe', stdout, stderr],
    // A session of its own: Ctrl-C in a terminal reaches the gateway only, which finishes its requests first.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve).once('error', () => resolve(null));
  });
  child.stdin?.on('error', () => undefined);
  return { child, ended };
}
