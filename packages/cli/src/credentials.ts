import { constants } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './errors.js';
import { replace } from './files.js';

export interface Credentials {
  url: string;
  token: string;
}

/** The platform's folder for the configuration of a user's programs. */
export function credentialsFile(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = env;
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: APPDATA || join(homedir(), 'AppData', 'Roaming'),
  };
  const folder = XDG_CONFIG_HOME || (folders[process.platform] ?? join(homedir(), '.config'));
  return join(folder, 'compliance-gateway', 'credentials.json');
}

/** Undefined if there are none; rejects a file that other users can read. */
export async function readCredentials(): Promise<Credentials | undefined> {
  const path = credentialsFile();
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read (${error.code})`);
  });
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & (constants.S_IRWXG | constants.S_IRWXO)) !== 0)
      throw new CommandError(`Other users can read the token in ${path}: run chmod 600 on it, and replace the token`);
    const { url, token } = JSON.parse(await file.readFile('utf8')) as Partial<Credentials>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch (error) {
    if (error instanceof CommandError) throw error;
  } finally {
    await file.close();
  }
  throw new CommandError(`${path} has no address and token: run "compliance login" again`);
}

/** The file is never readable for other users, not even while it is written. */
export async function writeCredentials(credentials: Credentials): Promise<string> {
  const path = credentialsFile();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replace(path, (scratch) =>
    writeFile(scratch, `${JSON.stringify(credentials)}\n`, { flag: 'wx', mode: 0o600, flush: true }),
  );
  return path;
}

export async function removeCredentials(): Promise<void> {
  await rm(credentialsFile(), { force: true });
}
