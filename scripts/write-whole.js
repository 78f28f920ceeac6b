import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes beside and renames, so that a reader meets the old file or the new one and never a half. Returns the bytes. */
export function writeWhole(path, content) {
  const scratch = `${path}.${process.pid}.scratch`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(scratch, content);
  renameSync(scratch, path);
  return Buffer.byteLength(content);
}
