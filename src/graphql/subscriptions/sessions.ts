import type { Access, HeldToken, TokenOrigin } from '../../auth/access.js';
import { ANONYMOUS, type Caller, type UserCaller } from '../../auth/caller.js';
import type { RateLimits, RateMeter } from '../../auth/rate-limits.js';
import { digestToken } from '../../auth/token.js';
import { originOf, type Batch, type GraphQLContext, type RequestHead, type tokenOf } from '../../context.js';
import { rateLimited } from '../../errors.js';
import { clientAddress } from '../../http/client-address.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';

/**
 * Open subscriptions of this instance. Their tokens are checked once a second, mostly from memory, otherwise in one
 * statement. While the database is away they stay open: there is nothing new to send.
 */
export class LiveSessions {
  private readonly open = new Map<LiveSession, () => void>();
  private readonly tallies = new LiveTallies();
  private readonly timer: NodeJS.Timeout;
  private checking = false;
  private subscriptionCount = 0;
  private isDraining = false;

  constructor(
    private readonly access: Pick<Access, 'revalidateTokens'>,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => void this.check(), LIMITS.live.checkSeconds * 1000).unref();
  }

  /** For metrics. */
  get figures(): { connections: number; subscriptions: number } {
    return { connections: this.open.size, subscriptions: this.subscriptionCount };
  }

  /** Whether one connection more may be had at all. */
  get hasCapacity(): boolean {
    return !this.isDraining && this.open.size < LIMITS.live.connections;
  }

  /** Throws RATE_LIMITED when there is no place for it. */
  enter(session: LiveSession): void {
    if (!this.hasCapacity) throw rateLimited(10);
    this.open.set(session, this.tallies.take('connections', session));
  }

  leave(session: LiveSession): void {
    this.open.get(session)?.();
    this.open.delete(session);
  }

  /** Counts a subscription of the session; returns what gives its place back. Throws RATE_LIMITED. */
  subscribed(session: LiveSession): () => void {
    if (this.subscriptionCount >= LIMITS.live.subscriptions) throw rateLimited(10);
    const giveBack = this.tallies.take('subscriptions', session);
    this.subscriptionCount += 1;
    let isOpen = true;
    return () => {
      giveBack();
      if (isOpen) this.subscriptionCount -= 1;
      isOpen = false;
    };
  }

  /** Sends everybody away, to another instance, and takes nobody in. */
  drain(): void {
    this.isDraining = true;
    clearInterval(this.timer);
    for (const session of this.open.keys()) session.end.goAway();
  }

  private async check(): Promise<void> {
    if (this.checking || this.open.size === 0) return;
    this.checking = true;
    try {
      const sessions = [...this.open.keys()];
      const callers = await this.access.revalidateTokens(sessions);
      for (const session of sessions) {
        const caller = callers.get(session);
        session.recognize(caller);
        if (caller === undefined && this.open.has(session)) session.end.refuse();
      }
    } catch (err) {
      this.log.debug({ err }, 'live tokens cannot be looked at');
    } finally {
      this.checking = false;
    }
  }
}

/** How a session ends from our side; the transport says it in its own words. */
export interface SessionEnd {
  /** It may not go on: the token is no longer good. */
  refuse(): void;
  /** This instance is going away: the client had better connect to another one. */
  goAway(): void;
}

/** A caller who stays: the context of all that it asks for. Who calls is looked up again while it stays. */
export class LiveSession implements GraphQLContext, HeldToken {
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

export interface LiveDeps {
  access: Access;
  limits: RateLimits;
  log: Logger;
  /** How many proxies in front are believed about where a request comes from. */
  trustProxy: number;
}

interface SessionDeps extends Omit<LiveDeps, 'access'> {
  access: Pick<Access, 'authenticate'>;
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
