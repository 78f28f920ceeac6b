/**
 * Copies what browsers load from development packages into assets/: Scalar for /docs, GraphiQL for /graphiql. A
 * production installation carries these files instead of the packages. Does nothing when they are there already.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'assets');
const SCALAR = '@scalar/fastify-api-reference';
const GRAPHIQL = '@graphql-yoga/render-graphiql';

await copyBrowserFiles();

async function copyBrowserFiles() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = [SCALAR, GRAPHIQL].map((name) => `${name} ${devDependencies[name]}\n`).join('');
  const notice = join(folder, 'NOTICE.txt');
  if (existsSync(notice) && readFileSync(notice, 'utf8').startsWith(versions)) return;
  if (!existsSync(join(root, 'node_modules', GRAPHIQL))) {
    console.error(
      'The folder assets/ is missing or out of date, and its packages are not installed: run npm ci && npm run build first.',
    );
    process.exit(1);
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries({ ...(await scalar()), ...(await graphiql()) })) write(name, content);
  const licence = readFileSync(join(root, 'node_modules', SCALAR, 'LICENSE'), 'utf8');
  write('NOTICE.txt', `${versions}\nBoth are published under the MIT License. That of ${SCALAR}:\n\n${licence}`);
}

/** The plugin for Fastify is the smallest package that carries the bundle, and serves it. */
async function scalar() {
  const { default: fastify } = await import('fastify');
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(plugin, { routePrefix: '/reference', configuration: { content: { openapi: '3.1.0' } } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`${SCALAR} answered ${statusCode}`);
  return { 'scalar.js': body };
}

async function graphiql() {
  const { js, css, editorWorkerService, jsonWorker, graphqlWorker } =
    await import('@graphql-yoga/render-graphiql/graphiql');
  return {
    'graphiql.js': js,
    'graphiql.css': css,
    'editor.worker.js': editorWorkerService,
    'json.worker.js': jsonWorker,
    'graphql.worker.js': graphqlWorker,
  };
}

/** Writes beside and renames, so that no reader meets half a file. */
function write(name, content) {
  const scratch = join(folder, `${name}.${process.pid}.scratch`);
  writeFileSync(scratch, content);
  renameSync(scratch, join(folder, name));
}
