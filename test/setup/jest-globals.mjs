/** The exports of `@jest/globals`: replaced for each test file by test-runner.mjs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
