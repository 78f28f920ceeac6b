/**
 * Jest's own test runner, except that Node loads the modules: Jest's loader would evaluate the whole gateway again for
 * each file (see docs/adr). Nothing mocks modules, so that no file sees another's changes.
 */
import circus from 'jest-circus/runner';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import 'reflect-metadata';
import { setGlobals } from './jest-globals.mjs';

const require = createRequire(import.meta.url);

/** What jest-circus keeps its listeners under. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The part of jest-runtime that jest-circus calls. */
const runtime = {
  /** A fresh copy for each file: hooks and tests are collected in the module itself. */
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
  // Jest maps only lines of what it has compiled; without its hook, Node maps them.
  Error.prepareStackTrace = undefined;
  return circus.default(globalConfig, config, environment, runtime, testPath, send);
}
