import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a temporary file and renames it, so that a reader finds the old or the new file, never a part. Returns the
 * bytes.
 */
export function writeWhole(path, content) {
  const scratch = `${path}.${process.pid}.scratch`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(scratch, content);
  renameSync(scratch, path);
  return Buffer.byteLength(content);
}
