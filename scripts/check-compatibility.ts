/**
 * Compares `schema.graphql` and `openapi.json` with those of the last release, or of the commit or tag given as
 * argument. Fails on changes that break clients, and lists additions. With `--release 1.2.3` it writes the list into
 * the changelog of the contract instead.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGES, compareWithRelease, writeChanges } from './compatibility.js';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { release: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const today = new Date().toISOString().slice(0, 10);
const verdict = compareWithRelease({ root, base: positionals[0], today });
const { failure, lines, summary } = verdict;

if (failure !== undefined) {
  process.exitCode = 1;
  process.stderr.write(failure);
} else if (values.release !== undefined) {
  writeChanges(root, values.release, verdict, today);
  process.stdout.write(`${CHANGES} has the changes of ${values.release}.\n`);
} else process.stdout.write([...(positionals[0] === undefined ? [] : lines), summary, ''].join('\n'));
