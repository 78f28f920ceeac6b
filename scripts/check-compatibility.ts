/**
 * Compares `schema.graphql` and `openapi.json` with those of the last release (`released/`) and fails on what would break a
 * client. `--release` makes the present contracts the released ones; `--markdown` prints the changes for CHANGELOG.md.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { schemaChanges, type ContractChanges } from './contract-changes.js';
import { openApiChanges } from './openapi-changes.js';

const root = new URL('..', import.meta.url);
const released = new URL('released/', root);
const textOf = (name: string, folder = root) => readFileSync(new URL(name, folder), 'utf8');

if (process.argv.includes('--release')) {
  for (const name of ['schema.graphql', 'openapi.json']) copyFileSync(new URL(name, root), new URL(name, released));
} else {
  const changes: Record<string, ContractChanges> = {
    GraphQL: schemaChanges(textOf('schema.graphql', released), textOf('schema.graphql')),
    REST: openApiChanges(JSON.parse(textOf('openapi.json', released)), JSON.parse(textOf('openapi.json'))),
  };
  for (const [api, { breaking, additive }] of Object.entries(changes)) {
    if (process.argv.includes('--markdown'))
      for (const line of [...breaking.map((change) => `**breaking**: ${change}`), ...additive])
        process.stdout.write(`- ${api}: ${line}\n`);
    for (const line of breaking) process.stderr.write(`${api}: ${line}\n`);
    if (breaking.length > 0) process.exitCode = 1;
  }
  if (process.exitCode === 1)
    process.stderr.write('These changes break clients of the last release: see docs/compatibility.md.\n');
}
