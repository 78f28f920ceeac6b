import type { Access } from '../../auth/access.js';
import { ANONYMOUS, type Caller, type Credential } from '../../auth/caller.js';
import { credentialOf, type GraphQLContext, type SentToken } from '../../http/context.js';
import { seldom } from '../../common/seldom.js';
import { rateLimited, unauthenticated, unavailable } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';

/** A caller who stays connected, and the context of all subscriptions of the connection. */
export interface LiveSession extends GraphQLContext, Credential {
  /** Looked up again and again; anonymous once the token is not valid any more. */
  caller: Caller;
  /** How many are open. */
  subscriptions: number;
  readonly end: SessionEnd;
}

/** Milliseconds that a client is given to read the end, or to close the connection in return. */
export const CLOSE_TIME = 2_000;

/** How a session is ended from our side; each transport says it in its own way. */
export interface SessionEnd {
  /** The token is not valid any more. */
  refuse(): void;
  /** This instance is going away: the client had better connect to another one. */
  goAway(): void;
}

/** Throws UNAUTHENTICATED without a valid token. */
export function sessionOf(context: GraphQLContext, sent: SentToken | undefined, end: SessionEnd): LiveSession {
  if (context.caller.kind !== 'user' || sent === undefined) throw unauthenticated();
  return { ...context, ...credentialOf(context, sent), subscriptions: 0, end };
}

/**
 * Sessions of this instance. Their tokens are checked once a second, mostly from memory, otherwise in one statement.
 * While the database is away they stay open: there is nothing new to send.
 */
export class LiveSessions {
  private readonly open = new Set<LiveSession>();
  private readonly timer: NodeJS.Timeout;
  private checking = false;
  private isDraining = false;
  /** Until then, a token that was revoked meanwhile may stay connected. */
  private readonly report = seldom((err: unknown) => this.log.warn({ err }, 'tokens of subscribers cannot be checked'));

  constructor(
    private readonly access: Pick<Access, 'revalidateTokens'>,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => void this.check(), LIMITS.live.checkSeconds * 1000).unref();
  }

  /** For metrics. */
  get figures(): { connections: number; subscriptions: number } {
    return countsOf([...this.open]);
  }

  /** Whether there is a place for one more. */
  get hasCapacity(): boolean {
    return !this.isDraining && this.open.size < LIMITS.live.connections;
  }

  /** Throws RATE_LIMITED when there is no place for it, and UNAVAILABLE once this instance is going away. */
  enter(session: LiveSession): void {
    if (this.isDraining) throw unavailable(10);
    if (!this.hasCapacity) throw rateLimited(10);
    if (this.countsOfToken(session).connections >= LIMITS.live.connectionsPerToken) throw rateLimited(60);
    this.open.add(session);
  }

  leave(session: LiveSession): void {
    this.open.delete(session);
  }

  /** Counts a subscription of the session; returns a function that ends it, which is idempotent. Throws RATE_LIMITED. */
  subscribed(session: LiveSession): () => void {
    if (this.figures.subscriptions >= LIMITS.live.subscriptions) throw rateLimited(10);
    if (this.countsOfToken(session).subscriptions >= LIMITS.live.subscriptionsPerToken) throw rateLimited(60);
    session.subscriptions += 1;
    let isOpen = true;
    return () => {
      if (isOpen) session.subscriptions -= 1;
      isOpen = false;
    };
  }

  /** Sends every session to another instance, and takes no new one. */
  drain(): void {
    this.isDraining = true;
    clearInterval(this.timer);
    for (const { end } of this.open) end.goAway();
  }

  /** Looks at the token again, before something is sent: whether it is still valid. Otherwise the session is ended. */
  async isStillValid(session: LiveSession): Promise<boolean> {
    try {
      this.renew(session, (await this.access.revalidateTokens([session])).get(session));
    } catch (err) {
      this.report(err);
    }
    return session.caller.kind === 'user';
  }

  private renew(session: LiveSession, caller: Caller | undefined): void {
    session.caller = caller ?? ANONYMOUS;
    if (caller === undefined && this.open.has(session)) session.end.refuse();
  }

  private countsOfToken({ digest }: LiveSession) {
    return countsOf([...this.open].filter((session) => session.digest === digest));
  }

  private async check(): Promise<void> {
    if (this.checking || this.open.size === 0) return;
    this.checking = true;
    try {
      const sessions = [...this.open];
      const callers = await this.access.revalidateTokens(sessions);
      for (const session of sessions) this.renew(session, callers.get(session));
    } catch (err) {
      this.report(err);
    } finally {
      this.checking = false;
    }
  }
}

/** Counted anew each time: there are few sessions, and none can be counted twice or forgotten. */
function countsOf(sessions: readonly LiveSession[]): { connections: number; subscriptions: number } {
  const subscriptions = sessions.reduce((sum, session) => sum + session.subscriptions, 0);
  return { connections: sessions.length, subscriptions };
}
