import { type DomainError, unavailable } from '../errors.js';

/** Errors of the disk or of the machine, which pass without a change of our code: the caller may try again. */
const AWAY = new Set([
  'EACCES',
  'EBUSY',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOSPC',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
]);

/** Runs a step of local storage; an error of disk or machine becomes UNAVAILABLE. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw AWAY.has(errorCode(error) ?? '') ? unavailableBecause(error) : error;
  }
}

/** Runs a step on a file that may be gone: undefined when it is. */
export async function ifPresent<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** UNAVAILABLE, with what was wrong as its `cause`: for the log, never for the caller. */
export function unavailableBecause(cause: unknown): DomainError {
  return unavailable(undefined, { service: 'storage', cause });
}

/** The operating system's name of an error (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
