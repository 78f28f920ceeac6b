import type { Selection } from '../../common/selection.js';
import type { LiveNotification, LiveNotifications } from './live-notifications.js';

/** A subscriber to the notifications of one user. */
export interface Subscriber {
  readonly userId: string;
  readonly organizationId: number | null;
  /** What it wants of the organization of each. */
  readonly organizationSelection: Selection;
  take(notification: LiveNotification): void;
}

/** Rows of one read. */
const BATCH = 500;
/** Milliseconds before a read that failed is tried again. */
const RETRY = 500;

/**
 * Dispatches new notifications to this instance's subscribers: one read for all of them, and none without subscribers.
 * It keeps a position in the order of ids, up to which everything was dispatched, so that missed announcements do no
 * harm.
 */
export class NotificationBroadcaster {
  /** Undefined until the database was read once. */
  private position: number | undefined;
  private target = 0;
  private isTargetKnown = false;
  private readonly subscribers = new Map<string, Set<Subscriber>>();
  private joining: { subscriber: Subscriber; joined(position: number): void }[] = [];
  private running: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly notifications: LiveNotifications,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Takes one announcement of the channel "notification": the highest id of a statement that has committed. */
  announced(payload: string): void {
    this.target = Math.max(this.target, Number(payload) || 0);
    this.wake();
  }

  /** Announcements may have been missed: the newest id is unknown. */
  missed(): void {
    this.isTargetKnown = false;
    this.wake();
  }

  /** Resolves with the id after which the subscriber is given everything; what is up to it is to be read as history. */
  join(subscriber: Subscriber): Promise<number> {
    return new Promise((joined) => {
      this.joining.push({ subscriber, joined });
      this.wake();
    });
  }

  /** Hands nothing more to the subscriber; harmless when it never joined. */
  leave(subscriber: Subscriber): void {
    this.joining = this.joining.filter((waiting) => waiting.subscriber !== subscriber);
    const siblings = this.subscribers.get(subscriber.userId);
    siblings?.delete(subscriber);
    if (siblings?.size === 0) this.subscribers.delete(subscriber.userId);
  }

  /** Resolves when the current read was dispatched; no further one begins. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.running;
  }

  private wake(): void {
    if (this.closed || this.running !== undefined) return;
    clearTimeout(this.retry);
    this.running = this.advance().then(
      () => {
        this.running = undefined;
        // A subscriber or an announcement may have come after the last check.
        if (this.joining.length > 0 || !this.isCurrent()) this.wake();
      },
      (error: unknown) => {
        this.running = undefined;
        this.onError(error);
        if (!this.closed) this.retry = setTimeout(() => this.wake(), RETRY).unref();
      },
    );
  }

  /** Subscribers join between two reads only: each read is then for all who are there, from one place on. */
  private async advance(): Promise<void> {
    for (;;) {
      if (!this.isTargetKnown) await this.findTarget();
      this.position ??= this.target;
      this.admit(this.position);
      if (this.isCurrent()) return;
      this.position = await this.dispatch(this.position, this.target);
      if (this.closed) return;
    }
  }

  private isCurrent(): boolean {
    return this.isTargetKnown && this.position !== undefined && this.position >= this.target;
  }

  private async findTarget(): Promise<void> {
    // Set before the read: what is missed meanwhile is read again.
    this.isTargetKnown = true;
    try {
      this.target = Math.max(this.target, await this.notifications.newestId());
    } catch (error) {
      this.isTargetKnown = false;
      throw error;
    }
  }

  private admit(position: number): void {
    for (const { subscriber, joined } of this.joining) {
      const siblings = this.subscribers.get(subscriber.userId);
      if (siblings === undefined) this.subscribers.set(subscriber.userId, new Set([subscriber]));
      else siblings.add(subscriber);
      joined(position);
    }
    this.joining = [];
  }

  private async dispatch(after: number, upTo: number): Promise<number> {
    if (this.subscribers.size === 0) return upTo;
    const range = { users: [...this.subscribers.keys()], after, upTo, organizationId: null, limit: BATCH };
    const batch = await this.notifications.read(range, this.mostRequested());
    for (const notification of batch) {
      for (const subscriber of this.subscribers.get(notification.userId) ?? []) {
        const { organizationId } = subscriber;
        if (organizationId === null || organizationId === notification.organizationId) subscriber.take(notification);
      }
    }
    return batch.length < BATCH ? upTo : (batch.at(-1)?.id ?? upTo);
  }

  private mostRequested(): Selection {
    const fields = new Set<string>();
    for (const siblings of this.subscribers.values())
      for (const { organizationSelection } of siblings)
        for (const field of organizationSelection.fields) fields.add(field);
    return selectionOf(fields);
  }
}

/** Columns of one record, with nothing below them. */
function selectionOf(fields: ReadonlySet<string>): Selection {
  return { fields: [...fields], has: (field) => fields.has(field), of: () => selectionOf(new Set()) };
}
