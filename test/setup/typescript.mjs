/**
 * Loads TypeScript (`--import`): SWC compiles each file in the importing thread, unless another process has compiled
 * the same text before. Node's compile cache stores the resulting bytecode, and that of all packages, for the next
 * process.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, getCompileCacheDir, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const CONFIG = fileURLToPath(new URL('../../.swcrc', import.meta.url));

enableCompileCache();
process.setSourceMapsEnabled(true);

/** Stores the output of SWC for the files of this checkout, in the folder of Node's compile cache. */
export const COMPILED = join(getCompileCacheDir() ?? tmpdir(), `gateway-${sha256(CONFIG).slice(0, 12)}`);
const TOOLS = `${require('@swc/core/package.json').version}\n${readFileSync(CONFIG, 'utf8')}`;

registerHooks({
  resolve(specifier, context, next) {
    const source = isOurs(specifier, context) ? sourceOf(new URL(specifier, context.parentURL)) : undefined;
    return source ? { url: source.href, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
  },
});

/** Packages import compiled files only. */
function isOurs(specifier, { parentURL }) {
  return specifier.startsWith('.') && !parentURL?.includes('/node_modules/');
}

/** Imports name the compiled file; those of generated clients have no extension. */
function sourceOf({ href }) {
  const endings = [href.replace(/\.js$/, '.ts'), `${href}.ts`, `${href}/index.ts`];
  return endings.map((each) => new URL(each)).find((each) => each.pathname.endsWith('.ts') && existsSync(each));
}

function compile(path) {
  const text = readFileSync(path, 'utf8');
  const place = join(COMPILED, sha256(path));
  const head = `// ${sha256(`${TOOLS}\n${text}`)}\n`;
  const kept = existsSync(place) ? readFileSync(place, 'utf8') : '';
  if (kept.startsWith(head)) return kept.slice(head.length);
  // Loading the compiler takes long.
  const { code } = require('@swc/core').transformSync(text, { filename: path, configFile: CONFIG });
  keep(place, head + code);
  return code;
}

/**
 * Writes atomically, since others read it concurrently. If the folder is not writable, the next process compiles again.
 */
function keep(place, text) {
  const scratch = `${place}.${process.pid}`;
  try {
    mkdirSync(COMPILED, { recursive: true });
    writeFileSync(scratch, text);
    renameSync(scratch, place);
  } catch {
    rmSync(scratch, { force: true });
  }
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
