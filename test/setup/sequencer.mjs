import Sequencer from '@jest/test-sequencer';

/** Files that start processes and wait for them run first: at the end, one worker would run them alone. */
const SLOW = /\/(?:resilience|database|clients|storage|portal)\//;

export default class SlowFirst extends Sequencer {
  sort(tests) {
    const [slow = [], rest = []] = [true, false].map((isSlow) =>
      tests.filter(({ path }) => SLOW.test(path) === isSlow),
    );
    return [...super.sort(slow), ...super.sort(rest)];
  }
}
