import { Ctx, Query, Resolver } from 'type-graphql';
import { WINDOW_SECONDS } from '../access/rate-limits.js';
import type { RequestContext } from '../context.js';
import { RateLimit } from '../schema/rate-limit.type.js';

@Resolver()
export class RateLimitResolver {
  @Query(() => RateLimit, {
    description: 'What the caller may still do in this minute. Asking for nothing else costs nothing.',
  })
  rateLimit(@Ctx() { meter }: RequestContext): RateLimit {
    const now = Date.now();
    const policies = meter.states().map(({ policy, limit, remaining, resetInSeconds }) => ({
      ...{ name: policy, limit, remaining, resetInSeconds },
      windowSeconds: WINDOW_SECONDS,
      resetAt: new Date(now + resetInSeconds * 1000),
    }));
    return { cost: meter.points, policies };
  }
}
