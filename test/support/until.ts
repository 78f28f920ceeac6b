import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any operation of the tests takes, also on a busy machine. */
const STALL_MS = 120_000;

type Read<Result> = () => Promise<Result> | Result;

/**
 * Repeats `read` until it returns a value; undefined, null, false and a rejection do not count. Its pauses become
 * longer. A description may precede it; otherwise the error shows the source of `read`.
 */
export async function until<Result>(
  ...[first, second, stallMs = STALL_MS]: [read: Read<Result>] | [what: string, read: Read<Result>, stallMs?: number]
): Promise<Exclude<Result, undefined | null | false>> {
  const read = (second ?? first) as Read<Result>;
  let last: unknown;
  const deadline = Date.now() + stallMs;
  for (let pause = 5; Date.now() < deadline; pause = Math.min(pause * 1.2, 250)) {
    try {
      const answer = await read();
      if (answer !== undefined && answer !== null && answer !== false) {
        return answer as Exclude<Result, undefined | null | false>;
      }
      last = answer;
    } catch (error) {
      last = error;
    }
    await sleep(pause);
  }
  throw new Error(`Waited in vain until ${first}; at last: ${String(last)}`);
}
