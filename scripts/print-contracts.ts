/**
 * Writes `schema.graphql`, `openapi.json` and the types of the client from the code. With `--check` it writes nothing and
 * fails when a file is not what the code says, so that a change of either API shows in the review of the change that made it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createSchema } from '../src/resolvers/index.js';
import { CLIENT_TYPES, clientTypesOf } from './client-types.js';
import { contractsOf } from './contracts.js';

const root = new URL('..', import.meta.url);
const isCheck = process.argv.includes('--check');

const contracts = contractsOf(await createSchema());
const types = await clientTypesOf(contracts['openapi.json'] as string);

for (const [name, text] of Object.entries({ ...contracts, [CLIENT_TYPES]: types })) {
  const file = new URL(name, root);
  if (!isCheck) writeFileSync(file, text);
  else if (textOf(file) !== text) {
    process.exitCode = 1;
    process.stderr.write(`${name} is not what the code says. Run "npm run print:contracts" and commit the result.\n`);
  }
}

function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
