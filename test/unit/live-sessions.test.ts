import { expect, test } from '@jest/globals';
import { LiveSessions, type LiveSession } from '../../src/graphql/subscriptions/live-sessions.js';

import { LIMITS } from '../../src/values/limits.js';

/** A session with a separate token. */
const session = (digest: number | string, ended: () => void = () => undefined) =>
  ({
    digest: String(digest),
    subscriptions: 0,
    end: { goAway: ended, refuse: ended },
  }) as unknown as LiveSession;

test('5,000 connections are accepted and not one more, and one again when one has left', () => {
  const sessions = new LiveSessions({ revalidateTokens: async () => new Map() }, {} as never);
  const all = Array.from({ length: LIMITS.live.connections }, (_, digest) => session(digest));
  for (const each of all) {
    expect(sessions.hasCapacity).toBe(true);
    sessions.enter(each);
  }
  expect(sessions.hasCapacity).toBe(false);
  expect(() => sessions.enter(session('more'))).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(sessions.figures.connections).toBe(5_000);
  sessions.leave(all[0]!);
  sessions.enter(session('more'));
  expect(sessions.hasCapacity).toBe(false);
  sessions.drain();
});
