import { describe, expect, it } from '@jest/globals';
import { Gate, KeyedGates } from '../../src/gate.js';

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

describe('a gate', () => {
  it('lets in as many as it has places, and the others in the order in which they came', async () => {
    const gate = new Gate(2);
    const all = Array.from({ length: 5 }, work);
    const taken = all.map(({ run }) => gate.run(run));
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

  it('passes on the place of work that failed, and answers with what work came to', async () => {
    const gate = new Gate(1);
    await expect(gate.run(() => Promise.reject(new Error('in the middle')))).rejects.toThrow('in the middle');
    expect(await gate.run(async () => 'done')).toBe('done');
  });

  it('is UNAVAILABLE to who waits too long, which is no loss to others', async () => {
    const gate = new Gate(1, 1);
    const [first, late] = [work(), work()];
    const taken = gate.run(first.run);
    await expect(gate.run(late.run)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    first.end();
    await taken;
    expect(late.begun()).toBe(false);
    expect(await gate.run(async () => 'done')).toBe('done');
  });
});

describe('gates by key', () => {
  it('make one key wait for its own places and no other key', async () => {
    const gates = new KeyedGates(() => new Gate(1, 1, () => new Error('busy')));
    const [first, second] = [work(), work()];
    const taken = [gates.run('one', first.run), gates.run('other', second.run)];
    await Promise.resolve();
    expect([first.begun(), second.begun()]).toEqual([true, true]);
    await expect(gates.run('one', work().run)).rejects.toThrow('busy');
    first.end();
    second.end();
    await Promise.all(taken);
    expect(await gates.run('one', async () => 'done')).toBe('done');
  });
});
