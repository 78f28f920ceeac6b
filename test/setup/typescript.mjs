/**
 * Loads TypeScript (`--import`): SWC compiles each file in the thread that imports it, unless another process has compiled
 * the same text before. The compile cache of Node keeps what V8 makes of it, and of all packages, for the next process.
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

/** Holds what SWC has made of the files of this checkout, in Node's compile cache. */
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

/** Imports name the compiled file; those of generated clients leave the ending out. */
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
  // The compiler itself takes long to load.
  const { code } = require('@swc/core').transformSync(text, { filename: path, configFile: CONFIG });
  keep(place, head + code);
  return code;
}

/** Whole at once: others read it meanwhile. Where nothing can be written, the next process compiles it again. */
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
