import type { Access } from '../../access/access.js';
import { rateLimited } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../vocabulary/limits.js';
import { LiveTallies, type LiveSession } from './live-session.js';

/**
 * Everybody who is connected to this instance and stays. Once a second it is looked whether their tokens are still good:
 * from memory as a rule, in one statement otherwise. While the database is away nobody can be told, and nothing new is
 * there to be told either.
 */
export class LiveSessions {
  private readonly open = new Map<LiveSession, () => void>();
  private readonly tallies = new LiveTallies();
  private readonly timer: NodeJS.Timeout;
  private checking = false;
  private subscriptionCount = 0;
  private isDraining = false;

  constructor(
    private readonly access: Pick<Access, 'stillHold'>,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => void this.check(), LIMITS.live.checkSeconds * 1000).unref();
  }

  /** For metrics. */
  get figures(): { connections: number; subscriptions: number } {
    return { connections: this.open.size, subscriptions: this.subscriptionCount };
  }

  /** Whether one connection more may be had at all. */
  get hasRoom(): boolean {
    return !this.isDraining && this.open.size < LIMITS.live.connections;
  }

  /** Throws RATE_LIMITED when there is no place for it. */
  enter(session: LiveSession): void {
    if (!this.hasRoom) throw rateLimited(10);
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
      const callers = await this.access.stillHold(sessions);
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
