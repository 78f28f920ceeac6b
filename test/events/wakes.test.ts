import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mock } from 'node:test';
import { EventWakes } from '../../src/services/events/event-wakes.js';
import { EventStream } from '../../src/services/events/live-events.service.js';
import { forbidden, unavailable } from '../../src/errors.js';
import { LIMITS } from '../../src/values/limits.js';

const everything = (userId: string) => ({ userId, organizationId: null, actions: null });

/** Rows of each read of the affected readers, in turn; a read without any fails. */
let found: object[][];
let errors: number;
let isFresh: boolean;
let wakes: EventWakes;

beforeEach(() => {
  found = [];
  errors = 0;
  isFresh = true;
  wakes = new EventWakes({
    database: {
      rows: async () => {
        const rows = found.shift();
        if (rows === undefined) throw new Error('The database is away');
        return rows as never;
      },
    },
    freshness: { isFresh: () => isFresh },
    stallSeconds: 120,
    onError: () => (errors += 1),
  });
});

afterEach(async () => {
  mock.timers.reset();
  await wakes.close();
});

test('a wake between two waits is not lost', async () => {
  const wait = wakes.join(everything('a'));
  wakes.missed();
  expect(await wait.comes()).toBe(true);
  expect(await wait.comes(0)).toBe(false);
});

test('where announcements do not arrive, those who wait look every few seconds', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const wait = wakes.join(everything('a'));
  mock.timers.tick(5_000);
  expect(await wait.comes(0)).toBe(false);
  isFresh = false;
  mock.timers.tick(5_000);
  expect(await wait.comes(0)).toBe(true);
});

test('an instance takes only so many requests that wait, and gives a place back once', () => {
  const waits = Array.from({ length: LIMITS.events.waiting }, (_, number) => wakes.poll(everything(`u${number}`)));
  expect(() => wakes.poll(everything('late'))).toThrow('RATE_LIMITED');
  waits[0]!.end();
  waits[0]!.end();
  wakes.poll(everything('late'));
  expect(() => wakes.poll(everything('later'))).toThrow('RATE_LIMITED');
  for (const wait of waits) wait.end();
  expect(wakes.figures.waiting).toBe(1);
});

test('a subscription takes no place of a request that waits', () => {
  for (let count = 0; count < LIMITS.events.waitingPerUser; count += 1) wakes.join(everything('a'));
  for (let count = 0; count < LIMITS.events.waitingPerUser; count += 1) wakes.poll(everything('a'));
  expect(() => wakes.poll(everything('a'))).toThrow('RATE_LIMITED');
});

test('who is concerned is found later when the database was away', async () => {
  const wait = wakes.join(everything('a'));
  wakes.announced('1 2');
  expect(await wait.comes(0)).toBe(false);
  expect(errors).toBe(1);
  found.push([{ userId: 'a', organizationId: 1, action: 'INCIDENT_OPENED' }]);
  expect(await wait.comes()).toBe(true);
});

test('a wait that has ended is over at once, and so is one that begins when the instance goes away', async () => {
  const wait = wakes.join(everything('a'));
  wakes.drain();
  expect([wait.hasEnded, wakes.poll(everything('a')).hasEnded]).toEqual([false, true]);
  await wakes.close();
  expect([wait.hasEnded, await wait.comes(), wakes.join(everything('a')).hasEnded]).toEqual([true, false, true]);
});

test('a subscription waits for a database that is away, and ends with any other error', async () => {
  const page = { rows: [{ id: '1/1' }], cursors: ['c1'], next: 'c1', hasNextPage: false };
  const nothing = { rows: [], cursors: [], next: 'c0', hasNextPage: false };
  const reads: (object | Error)[] = [nothing, unavailable(1), page, forbidden()];
  const wait = wakes.join(everything('a'));
  const places: string[] = [];
  const stream = new EventStream(
    wait,
    async (place) => {
      places.push(place);
      const read = reads.shift();
      if (read instanceof Error) throw read;
      return read as typeof page;
    },
    () => 0,
  );
  await stream.begin('latest');
  wait.wake();
  expect((await stream.next()).value).toEqual({ node: { id: '1/1' }, cursor: 'c1' });
  wait.wake();
  await expect(stream.next()).rejects.toThrow('FORBIDDEN');
  expect([places, wait.hasEnded]).toEqual([['latest', 'c0', 'c0', 'c1'], true]);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('a subscription to one organization is judged while nothing comes, and ends when it may not go on', async () => {
  const nothing = { rows: [], cursors: [], next: 'c0', hasNextPage: false };
  const judgements: (Error | undefined)[] = [undefined, unavailable(1), forbidden()];
  const judge = async () => {
    const error = judgements.shift();
    if (error !== undefined) throw error;
  };
  const wait = wakes.join(everything('a'));
  const stream = new EventStream(
    wait,
    async () => nothing,
    () => 0,
    judge,
  );
  await stream.begin('latest');
  await expect(stream.next()).rejects.toThrow('FORBIDDEN');
  expect([judgements, wait.hasEnded]).toEqual([[], true]);
});

test('a subscription goes on while others lose access again and again', async () => {
  const next = { '': 'c1', c1: 'c2', c2: 'c3' } as Record<string, string>;
  let losses = 0;
  const stream = new EventStream(
    wakes.join(everything('a')),
    async (place) => {
      if ((losses += 1) > 20) throw new Error('read again and again');
      const cursor = next[place]!;
      return { rows: [{ id: cursor }], cursors: [cursor], next: cursor, hasNextPage: true };
    },
    () => losses,
  );
  await stream.begin('');
  for (const cursor of ['c1', 'c2', 'c3']) expect((await stream.next()).value).toMatchObject({ cursor });
  await stream.return();
});
