/**
 * Copies single files of development packages into assets/: Scalar for /docs, GraphiQL for /graphiql, PDFKit and its
 * fonts. A production installation has these files instead of the packages. Does nothing if they exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWhole } from './write-whole.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'assets');
const SCALAR = '@scalar/fastify-api-reference';
const GRAPHIQL = '@graphql-yoga/render-graphiql';
const PDFKIT = 'pdfkit';
const FONTS = 'dejavu-fonts-ttf';

await copyAssets();
await import('./web.js');

async function copyAssets() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = [SCALAR, GRAPHIQL, PDFKIT, FONTS].map((name) => `${name} ${devDependencies[name]}\n`).join('');
  const notice = join(folder, 'NOTICE.txt');
  if (existsSync(notice) && readFileSync(notice, 'utf8').startsWith(versions)) return;
  if (!existsSync(join(root, 'node_modules', PDFKIT))) {
    console.error(
      'The folder assets/ is missing or out of date, and its packages are not installed: run npm ci && npm run build first.',
    );
    process.exit(1);
  }
  const files = { ...(await scalar()), ...(await graphiql()), ...pdf() };
  for (const [name, content] of Object.entries(files)) writeWhole(join(folder, name), content);
  const [mit, fonts] = [SCALAR, FONTS].map((name) => fileOf(name, 'LICENSE'));
  writeWhole(
    notice,
    `${versions}\nAll but the fonts are published under the MIT License. That of ${SCALAR}:\n\n${mit}\nThat of the fonts:\n\n${fonts}`,
  );
}

function fileOf(name, path) {
  return readFileSync(join(root, 'node_modules', name, path));
}

/** The plugin for Fastify is the smallest package that contains the bundle, and serves it. */
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

/** Bundles PDFKit with its dependencies into one file. */
function pdf() {
  return {
    'pdfkit.cjs': fileOf(PDFKIT, 'js/pdfkit.standalone.js'),
    'sans.ttf': fileOf(FONTS, 'ttf/DejaVuSans.ttf'),
    'sans-bold.ttf': fileOf(FONTS, 'ttf/DejaVuSans-Bold.ttf'),
  };
}
