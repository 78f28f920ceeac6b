import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CompiledStatement } from './compiled-statements.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * All statements of the gateway, compiled in a separate process: imports of this one were compiled before they could be
 * recorded.
 */
export async function allStatements(): Promise<CompiledStatement[]> {
  const program = ['--import', './test/setup/native-modules.mjs', 'test/support/sharding/compiled-statements.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as CompiledStatement[];
}
