import { setTimeout as sleep } from 'node:timers/promises';

/** Far more than anything here takes, also on a machine that is busy with something else. */
const STALL_MS = 120_000;

/** Repeats `ask` until it returns something; undefined, null, false and a rejection count as nothing. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result> | Result,
  stallMs = STALL_MS,
): Promise<Exclude<Result, undefined | null | false>> {
  let last: unknown;
  for (const deadline = Date.now() + stallMs; Date.now() < deadline; await sleep(20)) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) {
        return answer as Exclude<Result, undefined | null | false>;
      }
      last = answer;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Waited in vain until ${what}; at last: ${String(last)}`);
}
