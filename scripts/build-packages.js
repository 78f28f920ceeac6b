/** Compiles `packages/` into their folders `dist`: the client first, because the command line is compiled against it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
/**
 * The verification of audit trails and proofs, which auditors run without any package, and the types of its functions.
 */
const SCRIPTS = ['verify-audit-trail.mjs', 'verify-proof.mjs', 'replay-audit-trail.mjs'];
const TYPES = ['verify-audit-trail.d.mts', 'verify-proof.d.mts'];

build('client');
for (const name of SCRIPTS)
  copyFileSync(new URL(`scripts/${name}`, root), new URL(`packages/client/dist/${name}`, root));
for (const name of TYPES)
  copyFileSync(new URL(`packages/client/src/${name}`, root), new URL(`packages/client/dist/${name}`, root));
build('cli');

function build(name) {
  const folder = new URL(`packages/${name}/`, root);
  rmSync(new URL('dist', folder), { recursive: true, force: true });
  try {
    execFileSync(process.execPath, [tsc, '-p', fileURLToPath(folder)], { stdio: 'inherit' });
  } catch {
    // The compiler has printed the errors.
    process.exit(1);
  }
}
