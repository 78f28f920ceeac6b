/**
 * Compiles src/**\/*.ts into dist/**\/*.js and catalog/**\/*.yaml into dist/catalog.json, if they have changed since
 * the last build. The record of the last build is removed before the first file is written and stored after the last:
 * after an interrupted build, the next one compiles everything.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeWhole } from './write-whole.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sourceDir = join(root, 'src');
const outputDir = join(root, 'dist');
const recordFile = join(outputDir, '.build.json');
const catalogDir = join(root, 'catalog');
const CATALOG = 'catalog.json';
const CATALOG_READER = join('services', 'workflows', 'catalog-text');
/** Concurrent starts may build at the same time: a scratch file this young may belong to another build. */
const SCRATCH_LIFETIME_MS = 60_000;

await build();
await import('./assets.js');

async function build() {
  const tools = toolsHash();
  if (tools === undefined) return requireEarlierBuild();
  const sources = readSources();
  const record = readRecord();
  const stale = [...sources].filter(([output, source]) => record.tools !== tools || !isCurrent(record, output, source));
  const unwanted = existsSync(outputDir) ? findUnwanted(sources) : [];
  if (stale.length === 0 && unwanted.length === 0) return;

  rmSync(recordFile, { force: true });
  for (const path of unwanted) rmSync(path, { recursive: true, force: true });
  const sizes = new Map(await transpile(stale.filter(([output]) => output !== CATALOG)));
  if (stale.some(([output]) => output === CATALOG)) sizes.set(CATALOG, await writeCatalog());
  const outputs = [...sources].map(([output, { hash }]) => [
    output,
    { hash, size: sizes.get(output) ?? record.outputs[output].size },
  ]);
  writeWhole(recordFile, JSON.stringify({ tools, outputs: Object.fromEntries(outputs) }));
}

/** Every source by the path of its output, relative to the output folder. */
function readSources() {
  const sources = new Map([
    [CATALOG, { hash: sha256(readFileSync(`${join(sourceDir, CATALOG_READER)}.ts`), ...catalogTexts()) }],
  ]);
  for (const name of readdirSync(sourceDir, { recursive: true }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
    const path = join(sourceDir, name);
    sources.set(name.slice(0, -3) + '.js', { path, hash: sha256(readFileSync(path)) });
  }
  return sources;
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'));
  } catch {
    return { tools: '', outputs: {} };
  }
}

/**
 * Hash of compiler and settings; another one makes every output stale. Undefined without the compiler, a development
 * package.
 */
function toolsHash() {
  try {
    const { resolve } = createRequire(import.meta.url);
    const tools = ['@swc/core', 'yaml'].map((name) => resolve(`${name}/package.json`));
    return sha256(
      ...[...tools, join(root, '.swcrc'), fileURLToPath(import.meta.url)].map((path) => readFileSync(path)),
    );
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
}

/** A production installation runs the output that was built with the development packages. */
function requireEarlierBuild() {
  if (existsSync(recordFile)) return;
  console.error('The gateway is not built and the compiler is not installed: run npm ci && npm run build first.');
  process.exit(1);
}

function isCurrent(record, output, source) {
  const known = record.outputs[output];
  if (known?.hash !== source.hash) return false;
  return statSync(join(outputDir, output), { throwIfNoEntry: false })?.size === known.size;
}

/** Outputs in dist without a source: those of removed files, empty folders, scratch files of an interrupted build. */
function findUnwanted(sources) {
  const folders = new Set([...sources.keys()].flatMap(ancestors));
  return readdirSync(outputDir, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => {
      const name = relative(outputDir, path);
      if (path === recordFile || sources.has(name)) return false;
      return entry.isDirectory() ? !folders.has(name) : !isYoungScratch(path);
    })
    .map(({ path }) => path);
}

function ancestors(output) {
  const parts = output.split(sep).slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join(sep));
}

function isYoungScratch(path) {
  if (!path.endsWith('.scratch')) return false;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < SCRATCH_LIFETIME_MS;
}

/** Loads the compiler only if there is work: loading it takes longer than detecting that there is none. */
async function transpile(stale) {
  if (stale.length === 0) return [];
  const { transformFile } = await import('@swc/core');
  return Promise.all(
    stale.map(async ([output, { path }]) => {
      const target = join(outputDir, output);
      const sourceFileName = relative(dirname(target), path).split(sep).join('/');
      const { code } = await transformFile(path, { sourceFileName, cwd: root, root });
      return [output, writeWhole(target, code)];
    }),
  );
}

/** Every file of the catalogue, parsed: parsing YAML would add a quarter of a second to each start. */
async function writeCatalog() {
  const { readCatalogText } = await import(pathToFileURL(`${join(outputDir, CATALOG_READER)}.js`));
  const read = catalogTexts().map((text) => [text, readCatalogText(text).data]);
  return writeWhole(join(outputDir, CATALOG), JSON.stringify(Object.fromEntries(read)));
}

function catalogTexts() {
  const names = readdirSync(catalogDir, { recursive: true }).sort();
  return names.filter((name) => name.endsWith('.yaml')).map((name) => readFileSync(join(catalogDir, name), 'utf8'));
}

function sha256(...contents) {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('hex');
}
