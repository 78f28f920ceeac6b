import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, lchown, mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresPrograms, spawnWatched } from './postgres-programs.js';
import { isReachable, type ServerAccount } from './server-account.js';
import { StartupError } from '../../errors.js';

/** The database files of one data folder. */
export interface Cluster {
  /** PostgreSQL's data directory. */
  files: string;
  /** The path of `files` for the server, which runs in its own account with `files` as its working directory. */
  filesAsSeen: string;
  password: string;
}

interface ClusterSettings {
  dataDir: string;
  programs: PostgresPrograms;
  account: ServerAccount | undefined;
  /** False trades safety against crashes of the machine and password guessing for speed. */
  durable: boolean;
}

export const SUPERUSER = 'gateway';
const STAGING_PREFIX = 'postgres.new-';

export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Opens the cluster in `dataDir`, or creates it. The caller must have the lock of `dataDir`. */
export async function openCluster(settings: ClusterSettings): Promise<Cluster> {
  const { dataDir, account } = settings;
  const home = clusterHome(dataDir);
  await removeStaging(dataDir);
  if (!existsSync(home)) await createCluster(home, settings);
  const files = join(home, 'files');
  if (!existsSync(join(files, 'PG_VERSION'))) {
    throw new StartupError(`${home} holds no database of the gateway: move it away, or set another DATA_DIR.`);
  }
  await giveTo(home, account);
  const password = await readFile(join(home, 'password'), 'utf8');
  return { files, filesAsSeen: await nameAsSeen(files, account), password: password.trim() };
}

/** Created in a staging folder and renamed: complete or absent, whenever the process is killed. */
async function createCluster(home: string, settings: ClusterSettings): Promise<void> {
  const { dataDir, programs, account, durable } = settings;
  const staging = await mkdtemp(join(dataDir, STAGING_PREFIX));
  const files = join(staging, 'files');
  await mkdir(files, { mode: 0o700 });
  await writeFile(join(staging, 'password'), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true });
  await giveTo(staging, account);
  const seen = await nameAsSeen(files, account);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${seen}/../password`];
  // Logins are slow by design, and tests make thousands.
  const fast = ['--no-sync', '--set=scram_iterations=1'];
  const rest = ['--no-instructions', ...(durable ? [] : fast)];
  const command = [programs.initdb, `--pgdata=${seen}`, ...locale, ...access, ...rest];
  const { child, ended } = spawnWatched(command, { account, cwd: files, stdout: 'ignore', stderr: 'pipe' });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  if ((await ended) !== 0) {
    await removeStaging(dataDir);
    throw new StartupError(`The database could not be created: ${complaint.trim().replace(/\s*\n\s*/g, ' ')}`);
  }
  await syncFolder(staging);
  await rename(staging, home);
  await syncFolder(dataDir);
}

/**
 * Where the account cannot traverse the folders above (a DATA_DIR under /root), the server gets its files as working
 * directory, which Linux can name without traversing them.
 */
async function nameAsSeen(files: string, account: ServerAccount | undefined): Promise<string> {
  if (await isReachable(files, account, constants.X_OK)) return files;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new StartupError(
    `User ${account?.uid}, as whom the embedded database runs, cannot reach ${files}: set another DATA_DIR.`,
  );
}

/** After a restore from a backup the files may belong to root or be readable by others; PostgreSQL refuses both. */
async function giveTo(home: string, account: ServerAccount | undefined): Promise<void> {
  if (account && (await stat(home)).uid !== account.uid) {
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    for (const entry of entries) await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
    // The folder itself comes last: an interrupted run is detected by its owner at the next start.
    await lchown(home, account.uid, account.gid);
  }
  await chmod(join(home, 'files'), 0o700);
}

/**
 * Removes files of a killed process. A program that is still ending may write there; then the next start removes
 * them.
 */
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
