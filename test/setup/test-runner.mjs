/**
 * Jest's own test runner, except that Node loads the modules: Jest's loader would evaluate the whole gateway again for
 * each file (see docs/adr). No test mocks modules, so that shared modules do not affect other files.
 */
import circus from 'jest-circus/runner';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import 'reflect-metadata';
import { setGlobals } from './jest-globals.mjs';

const require = createRequire(import.meta.url);

/** The key of jest-circus for its listeners. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The part of jest-runtime that jest-circus calls. */
const runtime = {
  /** Imports a fresh copy for each file: hooks and tests are collected in the module itself. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[EVENT_HANDLERS];
    return require(path);
  },
  requireModule: require,
  setGlobalsForRuntime: setGlobals,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
};

export default function run(globalConfig, config, environment, _runtime, testPath, send) {
  // Jest maps only lines that it has compiled; without its hook, Node maps them.
  Error.prepareStackTrace = undefined;
  return circus.default(globalConfig, config, environment, runtime, testPath, send);
}
