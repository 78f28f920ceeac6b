export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  // What takes long is in setup/campaigns.mjs.
  testMatch: ['**/*.test.ts'],
  // Node loads and compiles what tests import (test/setup/native-modules.mjs).
  transform: {},
  testRunner: '<rootDir>/test/setup/test-runner.mjs',
  testSequencer: '<rootDir>/test/setup/sequencer.mjs',
  injectGlobals: false,
  globalSetup: '<rootDir>/test/setup/global.mjs',
  globalTeardown: '<rootDir>/test/setup/teardown.mjs',
  // Two for each processor of a small machine: tests of time limits and outages mostly wait.
  maxWorkers: 4,
  workerIdleMemoryLimit: '1GB',
  // Beside other work, a worker with nothing left to do takes longer than the usual half second to end.
  workerGracefulExitTimeout: 30_000,
  // Far more than any test takes, so that other work of the machine fails none.
  testTimeout: 300_000,
};
