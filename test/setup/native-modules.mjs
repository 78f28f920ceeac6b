/**
 * Preloaded before Jest and in its workers (`--import`): Node itself loads the imports of tests, so that the files of a
 * worker share one copy of the gateway's modules. `@jest/globals` are those of the running file.
 */
import { registerHooks } from 'node:module';
import './typescript.mjs';

const GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});
