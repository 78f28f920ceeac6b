import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Variables } from '../../graphql/executor.js';
import { unauthenticated } from '../../errors.js';
import { requestContextOf } from '../../http/request-context.js';
import type { EventWakes } from '../../services/events/event-wakes.js';
import { LIMITS } from '../../values/limits.js';
import { guardOf, type StreamAccess } from '../../http/stream-guard.js';
import type { Answer } from '../view/operation.js';

export interface LongPollDeps {
  access: StreamAccess;
  eventWakes: Pick<EventWakes, 'poll' | 'longestPoll'>;
}

interface LongPoll {
  request: IncomingMessage;
  response: ServerResponse;
  variables: Variables;
  /** How long it waits, if at all. */
  seconds: number | undefined;
  /** Points of `reads` for each further look. */
  points: number;
}

/** Milliseconds between two checks of token and rights. */
const CHECK = LIMITS.live.checkSeconds * 1000;

/** How long a request that does not wait may look on, in seconds. */
const LOOKING = 5;

/**
 * The next page of events as soon as there is something on it, and an empty one at the end of the time (docs/events.md). One look
 * takes in so much and no more: while there is more behind what it took in, the next one follows. While it waits it holds no
 * connection to the database. Throws what the caller has lost meanwhile.
 */
export async function longPoll(
  { request, response, variables, seconds, points }: LongPoll,
  execute: (variables: Variables) => Promise<Answer>,
  { access, eventWakes }: LongPollDeps,
): Promise<Answer> {
  const requestContext = requestContextOf(request);
  const { caller, meter } = await requestContext.context();
  if (caller.kind !== 'user') throw unauthenticated();
  // Apart from requests that are answered at once, whose durations are watched.
  if (seconds) requestContext.route += ' (wait)';
  const awaited = {
    userId: caller.userId,
    organizationId: (variables['organization_id'] as number | undefined) ?? null,
    actions: (variables['types'] as readonly string[] | undefined) ?? null,
  };
  // Before the first look, so that nothing comes unseen between the two.
  const wait = seconds ? eventWakes.poll(awaited) : undefined;
  const leave = () => wait?.end();
  response.once('close', leave);
  try {
    const guard = await guardOf(request, access);
    const endsAt = performance.now() + (seconds ? Math.min(seconds, eventWakes.longestPoll) : LOOKING) * 1000;
    let answer = await execute(variables);
    for (;;) {
      const left = endsAt - performance.now();
      const isOver = wait?.hasEnded || left <= 0;
      if ((answer.data as readonly unknown[]).length > 0 || isOver) return answer;
      const { hasNextPage } = answer.payload['behind'] as { hasNextPage: boolean };
      if (!hasNextPage && wait === undefined) return answer;
      const isDue = hasNextPage || (await wait?.comes(Math.min(left, CHECK)));
      await guard?.();
      if (!isDue) continue;
      meter.count('reads', points);
      answer = await execute({ ...variables, after: answer.payload['next'] });
    }
  } finally {
    response.off('close', leave);
    leave();
  }
}
