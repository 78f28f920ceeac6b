export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/setup/global.mjs',
  globalTeardown: '<rootDir>/test/setup/teardown.mjs',
  // One more than processors of a small machine: tests of time limits and outages mostly wait.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
};
