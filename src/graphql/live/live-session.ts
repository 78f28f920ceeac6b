import type { Access, HeldToken, TokenOrigin } from '../../access/access.js';
import type { RateLimits, RateMeter } from '../../access/rate-limits.js';
import { digestToken } from '../../access/token.js';
import { ANONYMOUS, type Caller, type UserCaller } from '../../access/caller.js';
import { originOf, type RequestContext, type RequestHead, type tokenOf } from '../../context.js';
import type { Batch } from '../../engine/batch.js';
import { clientAddress } from '../../http/client-address.js';
import { rateLimited } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../vocabulary/limits.js';

/** How a session ends from our side; the transport says it in its own words. */
export interface SessionEnd {
  /** It may not go on: the token is no longer good. */
  refuse(): void;
  /** This instance is going away: the client had better connect to another one. */
  goAway(): void;
}

/** A caller who stays: the context of all that it asks for. Who calls is looked up again while it stays. */
export class LiveSession implements RequestContext, HeldToken {
  readonly batches = new Map<string, Batch>();
  readonly digest: string;
  private held: UserCaller | undefined;

  constructor(
    token: string,
    readonly origin: TokenOrigin,
    caller: UserCaller,
    readonly requestId: string,
    readonly log: Logger,
    readonly end: SessionEnd,
    readonly meter: RateMeter,
  ) {
    this.digest = digestToken(token);
    this.held = caller;
  }

  get caller(): Caller {
    return this.held ?? ANONYMOUS;
  }

  get address(): string | undefined {
    return this.origin.address;
  }

  /** From now on this is who calls; nobody when the token is no longer good. */
  recognize(caller: UserCaller | undefined): void {
    this.held = caller;
  }
}

/** The session of whoever sent this token; undefined when it is no good one. Throws RATE_LIMITED after many of those. */
export async function identified(
  request: RequestHead,
  sent: ReturnType<typeof tokenOf>,
  { access, limits, log, trustProxy, requestId, end }: SessionDeps,
): Promise<LiveSession | undefined> {
  if (sent === undefined) return undefined;
  const origin = originOf(sent.form, clientAddress(request, trustProxy), limits);
  const caller = await access.authenticate(sent.token, origin);
  if (caller.kind === 'user') {
    const meter = limits.meter(caller, origin.address);
    return new LiveSession(sent.token, origin, caller, requestId, log, end, meter);
  }
  limits.authenticationFailed(origin.address);
  return undefined;
}

interface SessionDeps {
  access: Pick<Access, 'authenticate'>;
  limits: RateLimits;
  log: Logger;
  trustProxy: number;
  requestId: string;
  end: SessionEnd;
}

/** What one token has open on this instance. */
interface Tally {
  connections: number;
  subscriptions: number;
}

/** Counts what each token has open, so that one of them cannot take the places of all. */
export class LiveTallies {
  private readonly tallies = new Map<string, Tally>();

  /** Throws RATE_LIMITED; otherwise returns what gives the place back. Giving it back twice changes nothing. */
  take(what: keyof Tally, { digest }: Pick<LiveSession, 'digest'>): () => void {
    const tally = this.tallies.get(digest) ?? { connections: 0, subscriptions: 0 };
    if (tally[what] >= MOST[what]) throw rateLimited(60);
    tally[what] += 1;
    this.tallies.set(digest, tally);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      tally[what] -= 1;
      if (tally.connections === 0 && tally.subscriptions === 0) this.tallies.delete(digest);
    };
  }
}

const MOST: Tally = { connections: LIMITS.live.connectionsPerToken, subscriptions: LIMITS.live.subscriptionsPerToken };
