import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { isUnavailable } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { rightToFollow } from '../shared/followed-organization.js';
import { actionsOf } from './audience.js';
import type { EventWait, EventWakes } from './event-wakes.js';
import { LATEST, type EventPage, type EventQuery, type EventService } from './events.service.js';

/** An event with the cursor behind it. */
export interface EventAfter {
  node: object;
  cursor: string;
}

/** Live events of the caller. */
export class LiveEventService {
  constructor(
    private readonly access: Access,
    private readonly events: EventService,
    private readonly wakes: EventWakes,
  ) {}

  /**
   * Events behind a cursor, or new ones. The caller is authorized again with each page. Throws as
   * `EventService.list`.
   */
  async follow(
    caller: () => Caller,
    { after, types, organizationId = null }: Omit<EventQuery, 'first'>,
    selection: Selection,
  ): Promise<EventStream> {
    const { userId } = this.access.authorizeToken(caller(), 'read');
    const wait = this.wakes.join({ userId, organizationId, actions: actionsOf(types) });
    const read = async (place: string) => {
      const query = { after: place, first: LIMITS.page.maxSize, types, organizationId };
      return this.events.list(await this.access.connected(caller()), query, selection);
    };
    const generation = () => this.access.cache.currentGeneration();
    const judge = organizationId === null ? undefined : rightToFollow(this.access, caller, organizationId);
    const stream = new EventStream(wait, read, generation, judge);
    await stream.begin(after ?? LATEST);
    return stream;
  }
}

/**
 * Milliseconds that a page stays valid, unless a loss of access of any user is announced: the caller may have lost
 * the right to the rest of it.
 */
const BELIEVED = LIMITS.live.checkSeconds * 1000;
/** Milliseconds before a read that failed is tried again. */
const RETRY = 500;

/**
 * The events of one subscriber. It buffers one page: the subscriber's pace decides when the next is read, and a wake
 * only signals that there is more. Not a generator: `return` must end it also while `next` waits.
 */
export class EventStream implements AsyncIterableIterator<EventAfter> {
  private page: EventAfter[] = [];
  private readAt = -Infinity;
  private readIn = 0;
  /** Whether the page replaces a discarded one: it is not discarded before one of its events was delivered. */
  private isReadAnew = false;
  /** Cursor behind the last delivered event. */
  private place = '';
  /** Cursor behind the page. */
  private following = '';
  private isBehind = true;

  constructor(
    private readonly wait: EventWait,
    private readonly read: (after: string) => Promise<EventPage>,
    /** Changes with each announcement. */
    private readonly generation: () => number,
    /** For a stream of one organization: throws where it may not continue. */
    private readonly judge?: () => Promise<void>,
  ) {}

  async begin(after: string): Promise<void> {
    this.place = after;
    this.following = after;
    try {
      await this.turn();
    } catch (error) {
      this.wait.end();
      throw error;
    }
  }

  /** The next event; done when the stream has ended. Throws GONE when it has fallen too far behind. */
  async next(): Promise<IteratorResult<EventAfter, undefined>> {
    try {
      while (!this.wait.hasEnded) {
        if (this.page.length > 0 && !this.isBelieved) this.forget();
        const value = this.page.shift();
        if (value !== undefined) {
          this.isReadAnew = false;
          this.place = value.cursor;
          return { done: false, value };
        }
        if (this.isBehind || (await this.wait.comes(this.judge && BELIEVED))) await this.turnAgain();
        else if (!this.wait.hasEnded) await this.judgeAgain();
      }
      return DONE;
    } catch (error) {
      // The executor does not call `return` after a rejection.
      this.wait.end();
      throw error;
    }
  }

  /** A waiting `next` resolves as done. */
  async return(): Promise<IteratorResult<EventAfter, undefined>> {
    this.wait.end();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private get isBelieved(): boolean {
    if (this.isReadAnew) return true;
    return this.readIn === this.generation() && performance.now() - this.readAt <= BELIEVED;
  }

  private forget(): void {
    this.page = [];
    this.following = this.place;
    this.isBehind = true;
    this.isReadAnew = true;
  }

  private async turn(): Promise<void> {
    this.readIn = this.generation();
    const { rows, cursors, next, hasNextPage } = await this.read(this.following);
    this.page = rows.map((node, index) => ({ node, cursor: cursors[index] as string }));
    this.readAt = performance.now();
    this.following = next;
    this.isBehind = hasNextPage;
  }

  private async judgeAgain(): Promise<void> {
    try {
      await this.judge?.();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /** Waits while the database is unavailable: no event is lost. */
  private async turnAgain(): Promise<void> {
    this.isBehind = true;
    try {
      await this.turn();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await this.wait.comes(RETRY);
    }
  }
}

const DONE = { done: true, value: undefined } as const;
