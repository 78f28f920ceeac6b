import { setTimeout as sleep } from 'node:timers/promises';

/** Far more than anything here takes, even on a machine that is busy with something else. */
const PATIENCE_MS = 30_000;

/** Asks again and again until the answer is there; undefined, null, false and a rejection are none. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result> | Result,
  patience = PATIENCE_MS,
): Promise<Exclude<Result, undefined | null | false>> {
  let last: unknown;
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(20)) {
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
