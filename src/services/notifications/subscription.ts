import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { invalidInput } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import type { LiveNotification, LiveNotifications } from './live-notifications.js';
import type { NotificationBroadcaster, Subscriber } from './broadcaster.js';
import { LIMITS } from '../../values/limits.js';

export interface LiveQuery {
  organizationId?: number | null;
  /** The last id that the caller has seen. */
  since?: number | null;
}

/** New notifications of the caller as they are made. */
export class NotificationLiveService {
  constructor(
    private readonly access: Access,
    private readonly broadcaster: NotificationBroadcaster,
    private readonly notifications: LiveNotifications,
  ) {}

  /**
   * Notifications in the order of their ids. The caller is authorized again before each delivery, because a token can
   * lose its scope and a user the membership meanwhile. Throws NOT_FOUND for a foreign organization.
   */
  async follow(caller: () => Caller, query: LiveQuery, selection: Selection): Promise<NotificationStream> {
    const { organizationId = null } = query;
    const { userId } = this.access.authorizeSelf(caller(), 'read');
    if (query.since != null && query.since < 0)
      throw invalidInput([{ path: ['since'], sentence: 'must be 0 or more' }]);
    if (organizationId !== null) await this.access.authorize(caller(), 'READ_ORGANIZATION', organizationId);
    const admits = async (notification: LiveNotification) =>
      this.access.allows(this.access.authorizeSelf(caller(), 'read'), 'READ_ORGANIZATION', notification.organizationId);
    // Earlier notifications are not new, even if this instance has not received their announcement yet.
    const since = query.since ?? (await this.notifications.newestId());
    const request = { userId, organizationId, since, organizationSelection: selection.of('organization'), admits };
    return NotificationStream.open(request, this.broadcaster, this.notifications);
  }
}

/** What one subscriber wants. */
export interface StreamRequest {
  userId: string;
  organizationId: number | null;
  /** Everything after this id is wanted. */
  since: number;
  organizationSelection: Selection;
  /** Whether the subscriber may see it, decided before each delivery. Throws when it may see no further one. */
  admits(notification: LiveNotification): Promise<boolean>;
}

/** Notifications of one read of history: the client's own pace decides when the next one is made. */
const PAGE = 100;

/**
 * One subscriber's notifications: the history since an id, then what the broadcaster dispatches, without gaps and
 * duplicates. The buffer is bounded; what does not fit is read again as history. Not a generator: `return` must end it
 * also while `next` waits.
 */
export class NotificationStream implements AsyncIterableIterator<LiveNotification>, Subscriber {
  readonly userId: string;
  readonly organizationId: number | null;
  readonly organizationSelection: Selection;
  private history: { after: number; upTo: number; page: LiveNotification[] } | undefined;
  private waiting: LiveNotification[] = [];
  /** The id of the last that was pulled. */
  private last = 0;
  /** The newest id that was dispatched and did not fit; undefined while all did. */
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

  /** Joins the broadcaster. What came after `since` and before that is read as history, page by page. */
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

  /** Called by the broadcaster. It never waits: what does not fit is skipped and read as history later. */
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
      // The executor does not call `return` after a rejection.
      this.end();
      throw error;
    }
  }

  /** Leaves the broadcaster; a `next` that waits is done. */
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

  /** Whether there is history to read that did not fit before; later notifications are buffered again. */
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
