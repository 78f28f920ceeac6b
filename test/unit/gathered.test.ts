import { describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Gathered } from '../../src/common/gathered.js';
import { unavailable } from '../../src/errors.js';

interface Batch {
  items: readonly string[];
  context: string | undefined;
  end: (outcomes: readonly (string | undefined)[]) => void;
  fail: (error: unknown) => void;
}

/** Batches that run until they are ended; the key of an item is the part before its colon. */
function gathered() {
  const context = new AsyncLocalStorage<string>();
  const batches: Batch[] = [];
  const alone: string[] = [];
  const all = new Gathered<string, string>({
    together: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly (string | undefined)[]>();
      batches.push({ items, context: context.getStore(), end: resolve, fail: reject });
      return promise;
    },
    alone: async (item) => {
      alone.push(`${item} within ${context.getStore()}`);
      if (item.includes('bad')) throw new Error(item);
      return `${item} alone`;
    },
    keyOf: (item) => /^(\w+):/.exec(item)?.[1],
  });
  const send = (...items: string[]) => items.map((item) => context.run(`request of ${item}`, () => all.do(item)));
  return { batches, alone, send };
}

const upper = (items: readonly string[]) => items.map((item) => item.toUpperCase());

describe('what is gathered', () => {
  it('is done at once while fewer than two batches are under way, then by those that come next together', async () => {
    const { batches, send } = gathered();
    const sent = send('a', 'b', 'c', 'd', 'e');
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b']]);
    batches[1]!.end(['B']);
    expect(await sent[1]).toBe('B');
    expect(batches.slice(2)).toMatchObject([{ items: ['c', 'd', 'e'], context: 'request of c' }]);
    batches[2]!.end(['C', 'D', 'E']);
    batches[0]!.end(['A']);
    expect(await Promise.all(sent)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('is twenty at most of a batch', async () => {
    const { batches, send } = gathered();
    const items = Array.from({ length: 43 }, (_, index) => String(index));
    const sent = send(...items);
    for (let at = 0; at < 5; at += 1) {
      batches[at]?.end(upper(batches[at]!.items));
      await turn();
    }
    expect(batches.map((batch) => batch.items.length)).toEqual([1, 1, 20, 20, 1]);
    expect(await Promise.all(sent)).toEqual(upper(items));
  });

  it('has one of a key in a batch, and what has no key beside it', async () => {
    const { batches, send } = gathered();
    const sent = send('1', '2', 'k:1', 'x', 'k:2', 'y', 'l:1');
    for (let at = 0; at < 4; at += 1) {
      batches[at]?.end(upper(batches[at]!.items));
      await turn();
    }
    expect(batches.slice(2).map(({ items }) => items)).toEqual([['k:1', 'x', 'y', 'l:1'], ['k:2']]);
    await Promise.all(sent);
  });

  it('is done alone, within its own request, where the batch leaves it out or fails', async () => {
    const { batches, alone, send } = gathered();
    const sent = send('a', 'b', 'c', 'bad');
    batches[0]!.end([undefined]);
    expect(await sent[0]).toBe('a alone');
    const outcomes = Promise.allSettled(sent);
    batches[2]!.fail(new Error('one of them'));
    batches[1]!.end(['B']);
    expect(await outcomes).toMatchObject([
      { value: 'a alone' },
      { value: 'B' },
      { value: 'c alone' },
      { reason: { message: 'bad' } },
    ]);
    expect(alone).toEqual(['a', 'c', 'bad'].map((item) => `${item} within request of ${item}`));
  });

  it('is refused with all that wait when the database is away, and done when it is back', async () => {
    const { batches, alone, send } = gathered();
    const outcomes = Promise.allSettled(send('a', 'b', 'c', 'd'));
    batches[0]!.fail(unavailable());
    batches[1]!.end(['B']);
    const refused = { status: 'rejected', reason: { code: 'UNAVAILABLE' } };
    expect(await outcomes).toMatchObject([refused, { value: 'B' }, refused, refused]);
    expect(alone).toEqual([]);
    const [later] = send('e');
    batches[2]!.end(['E']);
    expect(await later).toBe('E');
  });
});
