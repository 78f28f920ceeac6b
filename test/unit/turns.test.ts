import { describe, expect, it } from '@jest/globals';
import { Turns } from '../../src/services/turns.js';

/** Work that goes on until it is ended. */
function work() {
  let begun = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    begun = true;
    await ended;
  };
  return { run, end, begun: () => begun };
}

describe('turns', () => {
  it('are taken by as many as there are, and by the others in the order in which they came', async () => {
    const turns = new Turns(2);
    const all = Array.from({ length: 5 }, work);
    const taken = all.map(({ run }) => turns.take(run));
    const begun = () => all.map((each) => each.begun());
    expect(begun()).toEqual([true, true, false, false, false]);
    all[1]!.end();
    await taken[1];
    expect(begun()).toEqual([true, true, true, false, false]);
    all[0]!.end();
    all[2]!.end();
    await Promise.all([taken[0], taken[2]]);
    expect(begun()).toEqual([true, true, true, true, true]);
    for (const { end } of all) end();
    await Promise.all(taken);
  });

  it('pass on from work that failed, and answer with what it came to', async () => {
    const turns = new Turns(1);
    await expect(turns.take(() => Promise.reject(new Error('in the middle')))).rejects.toThrow('in the middle');
    expect(await turns.take(async () => 'done')).toBe('done');
  });

  it('that do not come in time are UNAVAILABLE, and are no loss to others', async () => {
    const turns = new Turns(1, 1);
    const [first, late] = [work(), work()];
    const taken = turns.take(first.run);
    await expect(turns.take(late.run)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    first.end();
    await taken;
    expect(late.begun()).toBe(false);
    expect(await turns.take(async () => 'done')).toBe('done');
  });
});
