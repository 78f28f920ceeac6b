/**
 * Generates `schema.graphql`, `openapi.json`, the types of the client and of the documents in `web/`, and the table of
 * events. With `--check` it writes nothing and fails if a file is outdated, so that API changes show in the review.
 */
import { generate } from '@graphql-codegen/cli';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSchema } from '../src/resolvers/index.js';
import codegen from '../web/codegen.js';
import { CLIENT_TYPES, clientTypesOf } from './client-types.js';
import { contractsOf } from './contracts.js';
import { EVENT_GUIDE, withEventTable } from './event-table.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');
const contracts = contractsOf(await createSchema());

const types = {
  [CLIENT_TYPES]: await clientTypesOf(contracts['openapi.json']!),
  ...(await typesOf(contracts['schema.graphql']!)),
  [EVENT_GUIDE]: await withEventTable(readFileSync(`${root}${EVENT_GUIDE}`, 'utf8')),
};

for (const [name, text] of Object.entries({ ...contracts, ...types })) {
  if (!isCheck) write(`${root}${name}`, text);
  else if (textOf(`${root}${name}`) !== text) {
    process.exitCode = 1;
    process.stderr.write(`${name} is not what the code says. Run "npm run print:contracts" and commit the result.\n`);
  }
}

/** Types of the documents in web/: text by file name. */
async function typesOf(schema: string): Promise<Record<string, string>> {
  const files: { filename: string; content: string }[] = await generate(
    { ...codegen, schema, cwd: root, silent: true },
    false,
  );
  return Object.fromEntries(files.map(({ filename, content }) => [filename, content]));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
