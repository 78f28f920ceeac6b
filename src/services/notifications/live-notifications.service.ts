import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { invalidInput, isUnavailable } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { rightToFollow } from '../shared/followed-organization.js';
import type { LiveNotification, NotificationBroadcaster, Subscriber } from './notification-broadcaster.js';

export interface LiveQuery {
  organizationId?: number | null;
  /** The last id that the client has received. */
  afterDatabaseId?: number | null;
}

/** Live notifications of the caller. */
export class LiveNotificationService {
  constructor(
    private readonly access: Access,
    private readonly broadcaster: NotificationBroadcaster,
  ) {}

  /**
   * Notifications in the order of their ids. The caller is authorized again before each delivery, because a token can
   * lose its scope and a user its membership. Throws NOT_FOUND for a foreign organization, and later for one that may
   * not be read any more.
   */
  async follow(caller: () => Caller, query: LiveQuery, selection: Selection): Promise<NotificationStream> {
    const { organizationId = null, afterDatabaseId: after } = query;
    const { userId } = this.access.authorizeSelf(caller(), 'read');
    if (after != null && after < 0) throw invalidInput([{ path: ['afterDatabaseId'], sentence: 'must be 0 or more' }]);
    const judge = organizationId === null ? undefined : rightToFollow(this.access, caller, organizationId);
    if (organizationId !== null) await this.access.authorize(caller(), 'READ_ORGANIZATION', organizationId);
    const admits = async ({ organizationId: id }: LiveNotification) => {
      const now = this.access.authorizeSelf(await this.access.connected(caller()), 'read');
      return this.access.allows(now, 'READ_ORGANIZATION', id);
    };
    const wanted = { userId, organizationId, organizationSelection: selection.of('organization'), admits, judge };
    const stream = new NotificationStream(wanted, this.broadcaster);
    await stream.begin(after);
    return stream;
  }
}

type Wanted = Subscriber['wanted'] & {
  /** Whether the subscriber may see it, decided before each delivery. Throws when the stream must end. */
  admits(notification: LiveNotification): Promise<boolean>;
  /** For a stream of one organization: throws where it may not continue. */
  judge: (() => Promise<void>) | undefined;
};

/** Notifications of one page of history; the client's pace decides when the next is read. */
const PAGE = 100;
/** Milliseconds before a failed read is retried. */
const RETRY = 500;
/** Milliseconds between two checks of the right to the organization of the stream. */
const CHECK = LIMITS.live.checkSeconds * 1000;

/**
 * The notifications of one subscriber: the history after an id, then dispatched ones, without gaps and duplicates.
 * Those that exceed the buffer are read as history. Not a generator: `return` must end it also while `next` waits.
 */
export class NotificationStream implements AsyncIterableIterator<LiveNotification>, Subscriber {
  /** Dispatched or read, and not delivered yet. */
  private waiting: LiveNotification[] = [];
  /** All notifications with higher ids are to be delivered. */
  private last = 0;
  /** Whether notifications beyond the buffer may exist, which are read as history. */
  private isBehind = true;
  private wake: (() => void) | undefined;
  private isOver = false;

  constructor(
    readonly wanted: Wanted,
    private readonly broadcaster: NotificationBroadcaster,
  ) {}

  /** Begins after an id that the client has received, or with new notifications. */
  async begin(after: number | null | undefined): Promise<void> {
    await this.broadcaster.join(this);
    try {
      this.isBehind = after != null;
      // Earlier notifications are not new, even if their announcement is still to come.
      const newest = await this.broadcaster.newestId();
      // A higher id is from before the database was set back: it will be assigned again.
      this.last = Math.min(after ?? newest, newest);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /**
   * Receives a notification from the broadcaster without waiting: those beyond the buffer are read as history later.
   */
  take(notification: LiveNotification): void {
    if (this.waiting.length >= LIMITS.live.queued) this.isBehind = true;
    if (!this.isBehind) this.waiting.push(notification);
    this.wake?.();
  }

  /** The next notification that the caller may see; done when the stream has ended. Throws as `admits`. */
  async next(): Promise<IteratorResult<LiveNotification, undefined>> {
    try {
      for (;;) {
        const value = await this.pull();
        if (value === undefined) return DONE;
        if (await this.withRetries(() => this.wanted.admits(value))) return { done: false, value };
      }
    } catch (error) {
      // The executor does not call `return` after a rejection.
      this.end();
      throw error;
    }
  }

  /** Leaves the broadcaster; a waiting `next` resolves as done. */
  async return(): Promise<IteratorResult<LiveNotification, undefined>> {
    this.end();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.waiting = [];
    this.broadcaster.leave(this);
    this.wake?.();
  }

  /** Undefined when the stream is over. */
  private async pull(): Promise<LiveNotification | undefined> {
    while (!this.isOver) {
      const next = this.waiting.shift();
      if (next === undefined) {
        if (this.isBehind) await this.readHistory();
        else await this.idle();
      } else if (next.id > this.last) {
        this.last = next.id;
        return next;
      }
    }
    return undefined;
  }

  private async idle(): Promise<void> {
    const { judge } = this.wanted;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      if (judge !== undefined) timer = setTimeout(resolve, CHECK).unref();
    });
    clearTimeout(timer);
    if (judge !== undefined) await this.withRetries(judge);
  }

  /** Reads a page. Notifications dispatched meanwhile follow a page that is not full; they may also be on it. */
  private async readHistory(): Promise<void> {
    const { userId, organizationId, organizationSelection } = this.wanted;
    this.isBehind = false;
    const range = { users: [userId], organizationId, after: this.last, limit: PAGE };
    const page = await this.withRetries(() => this.broadcaster.read(range, organizationSelection));
    if (page === undefined) return;
    if (page.length < PAGE) return void this.waiting.unshift(...page);
    this.isBehind = true;
    this.waiting = page;
  }

  /**
   * Waits while the database is unavailable: no notification is lost. Undefined when the stream has ended meanwhile.
   */
  private async withRetries<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
    while (!this.isOver) {
      try {
        return await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
          setTimeout(resolve, RETRY).unref();
        });
      }
    }
    return undefined;
  }
}

const DONE = { done: true, value: undefined } as const;
