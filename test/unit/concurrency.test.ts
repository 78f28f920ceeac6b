import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { KeyedSemaphores, Semaphore } from '../../src/common/concurrency.js';

/** Work that runs until it is ended. */
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

describe('a semaphore', () => {
  it('gives as many places as it has, and then to the others in the order in which they came', async () => {
    const semaphore = new Semaphore(2);
    const all = Array.from({ length: 5 }, work);
    const taken = all.map(({ run }) => semaphore.run(run));
    const begun = () => all.map((each) => each.begun());
    await turn();
    expect(begun()).toEqual([true, true, false, false, false]);
    all[1]!.end();
    await taken[1];
    await turn();
    expect(begun()).toEqual([true, true, true, false, false]);
    all[0]!.end();
    all[2]!.end();
    await Promise.all([taken[0], taken[2]]);
    await turn();
    expect(begun()).toEqual([true, true, true, true, true]);
    for (const { end } of all) end();
    await Promise.all(taken);
  });

  it('passes on the place of work that failed, and answers with what work came to', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('in the middle')))).rejects.toThrow('in the middle');
    expect(await semaphore.run(async () => 'done')).toBe('done');
  });

  it('is UNAVAILABLE after too long a wait, and loses no place by it', async () => {
    const semaphore = new Semaphore(1, 1);
    const [first, late] = [work(), work()];
    const taken = semaphore.run(first.run);
    await expect(semaphore.run(late.run)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    first.end();
    await taken;
    expect(late.begun()).toBe(false);
    expect(await semaphore.run(async () => 'done')).toBe('done');
  });
});

describe('semaphores by key', () => {
  it('make one key wait for its own places and no other key', async () => {
    const semaphores = new KeyedSemaphores(() => new Semaphore(1, 1, () => new Error('busy')));
    const run = async <Result>(key: string, within: () => Promise<Result>) => {
      const release = await semaphores.acquire(key);
      return within().finally(release);
    };
    const [first, second] = [work(), work()];
    const taken = [run('one', first.run), run('other', second.run)];
    await turn();
    expect([first.begun(), second.begun()]).toEqual([true, true]);
    await expect(run('one', work().run)).rejects.toThrow('busy');
    first.end();
    second.end();
    await Promise.all(taken);
    expect(await run('one', async () => 'done')).toBe('done');
    // No entry remains for an unused key.
    expect(semaphores['semaphores'].size).toBe(0);
  });
});
