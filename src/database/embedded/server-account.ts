import { constants } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { StartupError } from '../../errors.js';

/** The account of the server where it is not the gateway's: PostgreSQL refuses to run as root. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

const ROOT = 0;
/** Tried in this order; nearly every system has the second, and the gateway creates no users. */
const UNPRIVILEGED_NAMES = ['postgres', 'nobody'];

/** Chooses the account for the database files in `home`, which may not exist; undefined for this process's own. */
export async function chooseAccount(home: string): Promise<ServerAccount | undefined> {
  const uid = process.getuid?.();
  if (uid === undefined)
    throw new StartupError('The embedded database needs Linux or macOS; set DATABASE_URL instead.');
  const owner = await stat(home).catch(() => undefined);
  if (uid === ROOT) return owner && owner.uid !== ROOT ? { uid: owner.uid, gid: owner.gid } : findUnprivileged();
  if (owner && owner.uid !== uid) {
    throw new StartupError(
      `The database files in ${home} belong to user ${owner.uid}, not to user ${uid}: start the gateway as root or as their owner, or set another DATA_DIR.`,
    );
  }
  if (!owner) requireName(uid);
  return undefined;
}

/** Whether `account` may reach `path` and has `mode` (read, execute) there. Access control lists are ignored. */
export async function isReachable(path: string, account: ServerAccount | undefined, mode: number): Promise<boolean> {
  if (!account) return true;
  const real = await realpath(path);
  if (!allows(await stat(real), account, mode)) return false;
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (!allows(await stat(folder), account, constants.X_OK)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function allows(file: { uid: number; gid: number; mode: number }, account: ServerAccount, mode: number): boolean {
  const shift = file.uid === account.uid ? 6 : file.gid === account.gid ? 3 : 0;
  return ((file.mode >> shift) & mode) === mode;
}

async function findUnprivileged(): Promise<ServerAccount> {
  const entries = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const name of UNPRIVILEGED_NAMES) {
    const [, , uid, gid] = entries.find((entry) => entry[0] === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartupError(
    'PostgreSQL does not run as root and this system has neither a user postgres nor a user nobody: start the gateway as another user, or set DATABASE_URL.',
  );
}

/** initdb fails for a user without a name. */
function requireName(uid: number): void {
  try {
    userInfo();
  } catch {
    throw new StartupError(
      `User ${uid} has no entry in /etc/passwd, without which PostgreSQL makes no new database: add one, or set DATABASE_URL.`,
    );
  }
}
