import { transformFileAsync } from '@babel/core';
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
/** Ignored by Git, and inside the project, so that programs find their packages. */
const FOLDER = join(import.meta.dirname, 'generated');

const runNode = async (folder: string, ...args: string[]) => {
  await promisify(execFile)(process.execPath, args, { cwd: join(FOLDER, folder) });
};
const bin = (path: string) => join(ROOT, 'node_modules', path);

/** Copies the programs beside the configuration in docs/graphql.md, and generates their imports. */
export async function generateClients(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await cp(join(import.meta.dirname, 'programs'), FOLDER, { recursive: true });
  const guide = await readFile(join(ROOT, 'docs/graphql.md'), 'utf8');
  const configure = async (title: string, path: string) => {
    const code = guide.split(`\n// ${title}\n`)[1]?.split('```')[0];
    if (code === undefined) throw new Error(`docs/graphql.md does not show ${title}`);
    await writeFile(join(FOLDER, path), code);
  };
  await Promise.all([
    configure('codegen.ts', 'graphql-codegen/codegen.ts'),
    configure('tsconfig.json', 'gql-tada/tsconfig.json'),
    configure('apollo.ts', 'apollo-client/src/apollo.ts'),
    configure('graphcache.ts', 'urql-graphcache/src/graphcache.ts'),
    cp(join(ROOT, 'schema.graphql'), join(FOLDER, 'graphql-codegen/schema.graphql')),
    cp(join(ROOT, 'schema.graphql'), join(FOLDER, 'gql-tada/schema.graphql')),
  ]);
  await Promise.all([
    runNode('graphql-codegen', bin('@graphql-codegen/cli/esm/bin.js'), '--config', 'codegen.ts'),
    replaceGraphQLTags(join(FOLDER, 'relay/src')),
    runNode('gql-tada', bin('gql.tada/bin/cli.js'), 'generate', 'output'),
    runNode(
      '.',
      bin('openapi-typescript/bin/cli.js'),
      join(ROOT, 'openapi.json'),
      '-o',
      'openapi-typescript/src/openapi.d.ts',
    ),
  ]);
}

/** Like the build of Relay's users: each tag becomes an import of relay-compiler's output. */
async function replaceGraphQLTags(folder: string): Promise<void> {
  const options = { plugins: ['relay'], parserOpts: { plugins: ['typescript' as const] }, configFile: false };
  const built = await transformFileAsync(join(folder, 'program.ts'), options);
  await writeFile(join(folder, 'built.ts'), `// @ts-nocheck\n${built?.code}`);
}

/** Errors that the compiler finds in all programs. */
export async function compileClients(): Promise<string> {
  try {
    await runNode('.', bin('typescript/bin/tsc'), '-p', '.');
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

export async function loadClient(path: string) {
  return (await import(pathToFileURL(join(FOLDER, path)).href)) as {
    run(connection: object): Promise<unknown>;
    /** Clients whose caches store search results. */
    search?(connection: object, words: string[]): Promise<unknown>;
    /** Of Apollo Client. */
    parts?(connection: object): Promise<unknown>;
  };
}
