/**
 * Loads TypeScript (`--import`): SWC compiles each file in the thread that imports it. The compile cache of Node keeps what
 * V8 makes of it, and of all packages, for the next process.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

const OPTIONS = { configFile: fileURLToPath(new URL('../../.swcrc', import.meta.url)) };

enableCompileCache();
process.setSourceMapsEnabled(true);

registerHooks({
  resolve(specifier, context, next) {
    const source = specifier.startsWith('.') ? sourceOf(new URL(specifier, context.parentURL)) : undefined;
    return source ? { url: source.href, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: transformFileSync(fileURLToPath(url), OPTIONS).code, shortCircuit: true };
  },
});

/** Imports name the compiled file; those of generated clients leave the ending out. */
function sourceOf(url) {
  const endings = [url.href.replace(/\.js$/, '.ts'), `${url.href}.ts`, `${url.href}/index.ts`];
  return endings.map((href) => new URL(href)).find((each) => each.pathname.endsWith('.ts') && existsSync(each));
}
