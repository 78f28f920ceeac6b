/** Milliseconds in which further calls have no effect. */
const QUIET = 60_000;

/** For log lines: limits them to one a minute. */
export function seldom<Args extends unknown[]>(write: (...args: Args) => void): (...args: Args) => void {
  let writtenAt = -Infinity;
  return (...args) => {
    if (performance.now() - writtenAt < QUIET) return;
    writtenAt = performance.now();
    write(...args);
  };
}
