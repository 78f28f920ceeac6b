import { LIMITS } from '../../values/limits.js';
import type { Selection } from '../../common/selection.js';
import type { LiveNotification, LiveNotifications } from './live-notifications.js';
import type { Subscriber, NotificationBroadcaster } from './broadcaster.js';

/** What one subscriber wants. */
export interface StreamRequest {
  userId: string;
  organizationId: number | null;
  /** Everything after this id is wanted. */
  since: number;
  organizationSelection: Selection;
  /** Whether the subscriber may see it; asked before each delivery. Throws when it may see nothing any longer. */
  admits(notification: LiveNotification): Promise<boolean>;
}

/** Notifications of one read of history: the client's own pace decides when the next one is made. */
const PAGE = 100;

/**
 * One subscriber's notifications: first the history since an id, up to the place where it joined the hub, then what the
 * hub hands out after that place; so none is missing and none comes twice. What waits is bounded: what a subscriber has no
 * place for is not kept but read again, as history, when it has taken the rest.
 *
 * Not a generator: `return` must end it also while `next` waits, and a generator would wait with it.
 */
export class NotificationStream implements AsyncIterableIterator<LiveNotification>, Subscriber {
  readonly userId: string;
  readonly organizationId: number | null;
  readonly organizationSelection: Selection;
  private history: { after: number; upTo: number; page: LiveNotification[] } | undefined;
  private waiting: LiveNotification[] = [];
  /** The id of the last that was pulled. */
  private last = 0;
  /** The id of the newest that was handed out and had no place; undefined while all had. */
  private passedUp: number | undefined;
  private wake: (() => void) | undefined;
  private isOver = false;

  private constructor(
    private readonly request: StreamRequest,
    private readonly broadcaster: NotificationBroadcaster,
    private readonly notifications: LiveNotifications,
  ) {
    this.userId = request.userId;
    this.organizationId = request.organizationId;
    this.organizationSelection = request.organizationSelection;
  }

  /** Joins the hub. What came after `since` and before that is read as history, page by page. */
  static async open(
    request: StreamRequest,
    broadcaster: NotificationBroadcaster,
    notifications: LiveNotifications,
  ): Promise<NotificationStream> {
    const stream = new NotificationStream(request, broadcaster, notifications);
    const joinedAt = await broadcaster.join(stream);
    const { since } = request;
    if (since < joinedAt) stream.history = { after: since, upTo: joinedAt, page: [] };
    return stream;
  }

  /** What the hub hands out. It never waits: what has no place is passed over, and read as history later. */
  take(notification: LiveNotification): void {
    // An id that the client has seen already: it was ahead of this instance.
    if (notification.id <= this.request.since) return;
    if (this.passedUp !== undefined || this.waiting.length >= LIMITS.live.queued) this.passedUp = notification.id;
    else this.waiting.push(notification);
    this.wake?.();
  }

  /**
   * The next one that the caller may still see, once there is one; done when the stream has ended. Throws what `admits`
   * throws.
   */
  async next(): Promise<IteratorResult<LiveNotification, undefined>> {
    try {
      for (;;) {
        const value = await this.pull();
        if (value === undefined) return DONE;
        if (await this.request.admits(value)) return { done: false, value };
      }
    } catch (error) {
      // Nobody calls `return` after a rejection.
      this.end();
      throw error;
    }
  }

  /** Leaves the hub; a `next` that waits is done. */
  async return(): Promise<IteratorResult<LiveNotification, undefined>> {
    this.end();
    return DONE;
  }

  /** As `return`, for who gives up with an error. */
  async throw(error: unknown): Promise<never> {
    this.end();
    throw error;
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
    for (;;) {
      if (this.isOver) return undefined;
      const old = await this.nextOfHistory();
      if (this.isOver) continue;
      const notification = old ?? (this.history === undefined ? this.waiting.shift() : undefined);
      if (notification !== undefined) {
        this.last = notification.id;
        return notification;
      }
      if (this.history === undefined && !this.fallBack()) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Whether there is history to read that had no place when it was handed out; what comes from now on has one again. */
  private fallBack(): boolean {
    if (this.passedUp === undefined) return false;
    this.history = { after: this.last, upTo: this.passedUp, page: [] };
    this.passedUp = undefined;
    return true;
  }

  private async nextOfHistory(): Promise<LiveNotification | undefined> {
    const { history } = this;
    if (history === undefined) return undefined;
    if (history.page.length === 0) await this.readHistory(history);
    return history.page.shift();
  }

  private async readHistory(history: { after: number; upTo: number; page: LiveNotification[] }): Promise<void> {
    const { userId, organizationId, organizationSelection } = this;
    const range = { users: [userId], organizationId, after: history.after, upTo: history.upTo, limit: PAGE };
    history.page = await this.notifications.read(range, organizationSelection);
    history.after = history.page.at(-1)?.id ?? history.upTo;
    if (history.page.length === 0) this.history = undefined;
  }
}

const DONE = { done: true, value: undefined } as const;
