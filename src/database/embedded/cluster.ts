import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresPrograms } from './postgres-programs.js';
import { isReachable, type ServerAccount } from './server-account.js';
import { StartupFault } from './startup-fault.js';
import { spawnWatched } from './watched-process.js';

/** The database files of one DATA_DIR. */
export interface Cluster {
  /** What PostgreSQL calls its data directory. */
  files: string;
  /** How the server, in its own account and with `files` as its working directory, names `files`. */
  filesAsSeen: string;
  password: string;
}

interface ClusterSettings {
  dataDir: string;
  programs: PostgresPrograms;
  account: ServerAccount | undefined;
  /** False gives up safety against a crash of the machine for speed. */
  durable: boolean;
}

export const SUPERUSER = 'gateway';
const STAGING_PREFIX = 'postgres.new-';

export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Opens the cluster under `dataDir`, made now if there is none. The caller holds the lock of `dataDir`. */
export async function openCluster(settings: ClusterSettings): Promise<Cluster> {
  const home = clusterHome(settings.dataDir);
  await removeStaging(settings.dataDir);
  if (!(await exists(home))) await createCluster(home, settings);
  const files = join(home, 'files');
  if (!(await exists(join(files, 'PG_VERSION')))) {
    throw new StartupFault(`${home} holds no database of the gateway: move it away, or set another DATA_DIR.`);
  }
  await giveTo(home, settings.account);
  const password = await readFile(join(home, 'password'), 'utf8');
  return { files, filesAsSeen: await nameAsSeen(files, settings.account), password: password.trim() };
}

/** Made beside its place and moved there whole, so that a kill at any moment leaves all of it or nothing. */
async function createCluster(home: string, settings: ClusterSettings): Promise<void> {
  const staging = await mkdtemp(join(settings.dataDir, STAGING_PREFIX));
  try {
    const files = join(staging, 'files');
    await mkdir(files, { mode: 0o700 });
    await writeFile(join(staging, 'password'), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true });
    await giveTo(staging, settings.account);
    await initialise(files, settings);
    await syncFolder(staging);
    await rename(staging, home);
    await syncFolder(settings.dataDir);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(files: string, { programs, account, durable }: ClusterSettings): Promise<void> {
  const seen = await nameAsSeen(files, account);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${seen}/../password`];
  const rest = ['--no-instructions', ...(durable ? [] : ['--no-sync'])];
  const command = [programs.initdb, `--pgdata=${seen}`, ...locale, ...access, ...rest];
  const { child, ended } = spawnWatched(command, { account, cwd: files, stdout: 'ignore', stderr: 'pipe' });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  if ((await ended) !== 0) {
    throw new StartupFault(`The database could not be created: ${complaint.trim().replace(/\s*\n\s*/g, ' ')}`);
  }
}

/**
 * Where the account cannot pass the folders above (a DATA_DIR under /root), it can still stand inside: the server is
 * started with its files as working directory, and Linux names that directory without walking the folders above it.
 */
async function nameAsSeen(files: string, account: ServerAccount | undefined): Promise<string> {
  if (await isReachable(files, account, constants.X_OK)) return files;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new StartupFault(
    `User ${account?.uid}, as whom the embedded database runs, cannot reach ${files}: set another DATA_DIR.`,
  );
}

/** After a restore from a copy the files may be root's, or open to others, and PostgreSQL refuses both. */
async function giveTo(home: string, account: ServerAccount | undefined): Promise<void> {
  if (account && (await stat(home)).uid !== account.uid) {
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    for (const entry of entries) await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
    // The folder itself comes last: it is what the next start looks at when this one is killed half-way.
    await lchown(home, account.uid, account.gid);
  }
  await chmod(join(home, 'files'), 0o700);
}

/** What a kill left behind. A program of that start may still be ending and writing; then the next start removes it. */
async function removeStaging(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 };
    await rm(join(dataDir, name), options).catch(() => undefined);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
