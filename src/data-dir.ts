import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the data folder, readable for its owner only, if it is missing. Throws the system's error, also for files in it. */
export function makeDataDir(path: string): void {
  makeFolder(path, isServerElsewhere() ? 0o711 : 0o700);
  // Checked by its own entry, which a file does not have.
  accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
}

/** When started by root, the embedded database runs under another account, and only Linux accepts a folder it cannot reach. */
function isServerElsewhere(): boolean {
  return process.platform !== 'linux' && process.getuid?.() === 0;
}

/** A warning when other users of the machine can read the folder; an operator's folder is not changed. */
export function exposureOf(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  return `Other users of this machine can reach into the data folder ${path} (mode ${mode.toString(8)}): run chmod 700 ${path}`;
}

/** One folder at a time: where the kernel allows none, as in /proc, Node's recursive mkdir does not end. */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another gateway that starts at the same time may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
