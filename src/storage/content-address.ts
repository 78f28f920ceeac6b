import { notFound } from '../errors.js';

const SHA256 = /^[0-9a-f]{64}$/;

export const isContentAddress = (text: string): boolean => SHA256.test(text);

/**
 * Where a blob lies below the storage's root: `blobs/ab/cd/<sha256>`. Two levels keep a directory small with millions
 * of blobs. What is no SHA-256 is nowhere (NOT_FOUND), so that no text from outside ever becomes part of a path.
 */
export function blobKey(sha256: string): string {
  if (!isContentAddress(sha256)) throw notFound();
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}
