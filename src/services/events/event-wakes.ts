import type { Freshness } from '../../auth/access-cache.js';
import type { AnnouncementListener } from '../../database/announcement-feed.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { rateLimited } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { readableBy } from './audience.js';

export interface AwaitedEvents {
  readonly userId: string;
  /** All organizations of the user when null. */
  readonly organizationId: number | null;
  /** All actions when null. */
  readonly actions: readonly string[] | null;
}

/** Places in the sequence, both included. */
interface Places {
  first: number;
  last: number;
}

const [v, m] = [table('event', 'v'), table('membership', 'm')];

/** The users who may have new events there; reading authorizes them. */
const concerned = statement<Places & { users: readonly string[] }>()(
  (p) => sql<{ userId: string; organizationId: number; action: string }>`
    select distinct ${m.user_id} as "userId", ${v.organization_id} as "organizationId", ${v.action}
      from ${v.table} join ${m.table} on ${m.organization_id} = ${v.organization_id}
     where ${v.seq} between ${p('first')}::bigint and ${p('last')}::bigint
       and ${m.user_id} = any(${p('users')}::uuid[]) and ${ACTIVE_MEMBER} and ${readableBy(m.role, v.action)}`,
);

/** Milliseconds before a read that failed is tried again. */
const RETRY = 500;
/** Milliseconds between two polls while announcements do not arrive. */
const UNHEARD = 5_000;

interface WakeSettings {
  database: Queryable;
  freshness: Freshness;
  /** Seconds after which a connection without traffic is closed. */
  stallSeconds: number;
  onError(error: unknown): void;
}

/**
 * Wakes requests and subscriptions of this instance that wait for events. Announcements contain only places: one
 * statement finds the affected users, who read by their cursors. A lost announcement causes a delay, not a lost
 * event.
 */
export class EventWakes implements AnnouncementListener {
  private readonly waits = new Map<string, Set<EventWait>>();
  private polls = 0;
  private announcedPlaces: Places | undefined;
  private running: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private unheard: NodeJS.Timeout | undefined;
  private isDraining = false;
  private isClosed = false;

  constructor(private readonly settings: WakeSettings) {}

  /** Figures for metrics. */
  get figures(): { waiting: number } {
    return { waiting: this.polls };
  }

  /** The most seconds that a request may wait, so that its connection does not count as stalled. */
  get longestPoll(): number {
    return Math.min(LIMITS.events.maxWaitSeconds, this.settings.stallSeconds / 2);
  }

  /** Receives an announcement of the channel "event". */
  announced(payload: string): void {
    const [first = 0, last = 0] = payload.split(' ').map(Number);
    this.add({ first, last });
    this.dispatchSoon();
  }

  /** Announcements may have been missed: wakes all. */
  missed(): void {
    for (const siblings of this.waits.values()) for (const wait of siblings) wait.wake();
  }

  /** Adds a waiting subscriber until its `end`. */
  join(awaited: AwaitedEvents, left: () => void = () => undefined): EventWait {
    const { userId } = awaited;
    const siblings = this.waits.get(userId) ?? new Set();
    const wait: EventWait = new EventWait(awaited, () => {
      siblings.delete(wait);
      if (siblings.size === 0) this.waits.delete(userId);
      if (this.waits.size === 0) clearInterval(this.unheard);
      left();
    });
    if (this.waits.size === 0) this.unheard = setInterval(() => this.listenOtherwise(), UNHEARD).unref();
    this.waits.set(userId, siblings.add(wait));
    if (this.isClosed) wait.end();
    return wait;
  }

  /** Waits for a request. Throws RATE_LIMITED when too many wait; ends at once when the instance stops. */
  poll(awaited: AwaitedEvents): EventWait {
    const own = [...(this.waits.get(awaited.userId) ?? [])].filter((wait) => wait.isPoll).length;
    if (own >= LIMITS.events.waitingPerUser) throw rateLimited(1);
    if (this.polls >= LIMITS.events.waiting) throw rateLimited(10);
    this.polls += 1;
    const wait = this.join(awaited, () => (this.polls -= 1));
    wait.isPoll = true;
    if (this.isDraining) wait.end();
    return wait;
  }

  /** Answers waiting requests with the events they have; subscriptions end with their connections. */
  drain(): void {
    this.isDraining = true;
    for (const siblings of this.waits.values()) for (const wait of siblings) if (wait.isPoll) wait.end();
  }

  /** Resolves after the current read. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    for (const siblings of this.waits.values()) for (const wait of siblings) wait.end();
    await this.running;
  }

  private listenOtherwise(): void {
    if (!this.settings.freshness.isFresh()) this.missed();
  }

  private add({ first, last }: Places): void {
    const { first: least = first, last: most = last } = this.announcedPlaces ?? {};
    this.announcedPlaces = { first: Math.min(least, first), last: Math.max(most, last) };
  }

  private dispatchSoon(): void {
    if (this.isClosed) return;
    clearTimeout(this.retry);
    this.running ??= this.dispatch().finally(() => (this.running = undefined));
  }

  private async dispatch(): Promise<void> {
    while (this.announcedPlaces !== undefined && !this.isClosed) {
      const places = this.announcedPlaces;
      this.announcedPlaces = undefined;
      const users = [...this.waits.keys()];
      if (users.length === 0) continue;
      try {
        for (const { userId, ...event } of await concerned.all(this.settings.database, { ...places, users }))
          for (const wait of this.waits.get(userId) ?? []) if (wait.isFor(event)) wait.wake();
      } catch (error) {
        this.settings.onError(error);
        this.add(places);
        if (!this.isClosed) this.retry = setTimeout(() => this.dispatchSoon(), RETRY).unref();
        return;
      }
    }
  }
}

/** A wait for events. Wakes between two calls of `comes` are not lost. */
export class EventWait {
  isPoll = false;
  private isDue = false;
  private isOver = false;
  private onChange: () => void = () => undefined;

  constructor(
    private readonly awaited: AwaitedEvents,
    private readonly left: () => void,
  ) {}

  get hasEnded(): boolean {
    return this.isOver;
  }

  isFor({ organizationId, action }: { organizationId: number; action: string }): boolean {
    const { organizationId: only, actions } = this.awaited;
    return (only === null || only === organizationId) && actions?.includes(action) !== false;
  }

  wake(): void {
    this.isDue = true;
    this.onChange();
  }

  /** Idempotent. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.left();
    this.onChange();
  }

  /** Whether there may be new events; false after the time or the end of the wait. */
  async comes(milliseconds?: number): Promise<boolean> {
    if (!this.isDue && !this.isOver) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.onChange = resolve;
        if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds).unref();
      });
      clearTimeout(timer);
    }
    const isDue = this.isDue && !this.isOver;
    this.isDue = false;
    return isDue;
  }
}
