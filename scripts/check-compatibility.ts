/**
 * Compares `schema.graphql` and `openapi.json` with those of a commit or a tag, the argument: prints what is new for
 * CHANGELOG.md, and fails on what would break a client.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { schemaChanges, type ContractChanges } from './contract-changes.js';
import { openApiChanges } from './openapi-changes.js';

const [base] = process.argv.slice(2);
if (base === undefined) {
  process.stderr.write('Usage: npm run check:compatibility -- <commit or tag>\n');
  process.exit(2);
}
const root = new URL('..', import.meta.url);
const before = (name: string) =>
  execFileSync('git', ['show', `${base}:${name}`], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const now = (name: string) => readFileSync(new URL(name, root), 'utf8');

const changes: Record<string, ContractChanges> = {
  GraphQL: schemaChanges(before('schema.graphql'), now('schema.graphql')),
  REST: openApiChanges(JSON.parse(before('openapi.json')), JSON.parse(now('openapi.json'))),
};
for (const [api, { breaking, additive }] of Object.entries(changes)) {
  for (const line of additive) process.stdout.write(`- ${api}: ${line}\n`);
  for (const line of breaking) process.stderr.write(`- ${api}, breaking: ${line}\n`);
  if (breaking.length > 0) process.exitCode = 1;
}
