import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the data folder, for its owner only, where there is none. Throws what the system says against it, or against files in it. */
export function makeDataDir(path: string): void {
  makeFolder(path, isServerElsewhere() ? 0o711 : 0o700);
  // By its own entry: a file has none.
  accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
}

/** Started by root, the embedded database has another account, and only Linux accepts a folder that it cannot reach. */
function isServerElsewhere(): boolean {
  return process.platform !== 'linux' && process.getuid?.() === 0;
}

/** One sentence when other users of the machine can look into the folder; an operator's folder is not changed. */
export function exposureOf(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  return `Other users of this machine can reach into the data folder ${path} (mode ${mode.toString(8)}): run chmod 700 ${path}`;
}

/** Folder by folder: where the kernel allows none, as in /proc, Node's recursive way never ends. */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another gateway that starts just now may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
