/** Compiles `packages/` into their folders `dist`: the client first, because the command line is compiled against it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
/** The verification of audit trails: one file, which auditors run without any package. */
const VERIFIER = 'verify-audit-trail';

build('client');
copyFileSync(new URL(`scripts/${VERIFIER}.mjs`, root), new URL(`packages/client/dist/${VERIFIER}.mjs`, root));
copyFileSync(
  new URL(`packages/client/src/${VERIFIER}.d.mts`, root),
  new URL(`packages/client/dist/${VERIFIER}.d.mts`, root),
);
build('cli');

function build(name) {
  const folder = new URL(`packages/${name}/`, root);
  rmSync(new URL('dist', folder), { recursive: true, force: true });
  try {
    execFileSync(process.execPath, [tsc, '-p', fileURLToPath(folder)], { stdio: 'inherit' });
  } catch {
    // The compiler has said what is wrong.
    process.exit(1);
  }
}
