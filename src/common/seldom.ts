/** Milliseconds in which further calls do nothing after one did something. */
const QUIET = 60_000;

/** For lines of the log: one a minute says as much as hundreds. */
export function seldom<Args extends unknown[]>(write: (...args: Args) => void): (...args: Args) => void {
  let writtenAt = -Infinity;
  return (...args) => {
    if (performance.now() - writtenAt < QUIET) return;
    writtenAt = performance.now();
    write(...args);
  };
}
