import { setTimeout as sleep } from 'node:timers/promises';

/** Far more than anything here takes, also on a machine that is busy with something else. */
const STALL_MS = 120_000;

/**
 * Repeats `ask` until it returns something; undefined, null, false and a rejection count as nothing. The longer it takes,
 * the longer are its pauses.
 */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result> | Result,
  stallMs = STALL_MS,
): Promise<Exclude<Result, undefined | null | false>> {
  let last: unknown;
  const deadline = Date.now() + stallMs;
  for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 1.2, 250)) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) {
        return answer as Exclude<Result, undefined | null | false>;
      }
      last = answer;
    } catch (error) {
      last = error;
    }
    await sleep(pause);
  }
  throw new Error(`Waited in vain until ${what}; at last: ${String(last)}`);
}
