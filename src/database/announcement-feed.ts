import pg from 'pg';
import type { Freshness } from '../access/caller-cache.js';

/** Milliseconds between two heartbeats on the listening connection. */
const HEARTBEAT = 250;
/** Remembered access is believed for so long after a heartbeat was sent; with a heartbeat's own time below a second. */
const TRUST = 800;
/** Milliseconds before a lost connection is tried again. */
const RETRY = 500;

/** Whoever takes the announcements of a channel: one payload each, or that some may have been missed. */
export interface AnnouncementListener {
  announced(payload: string): void;
  missed(): void;
}

/** What triggers announce (LISTEN), and who takes it. Names of channels are ours. */
export type Listeners = Readonly<Record<'access' | 'notification', readonly AnnouncementListener[]>>;

/**
 * Hears the announcements of the database, all channels over one connection. A connection can die without a word, so
 * silence proves nothing: a heartbeat goes over the very same connection, and PostgreSQL delivers what was announced
 * before it answers. What was remembered is believed only for a moment after such an answer.
 */
export class AnnouncementFeed implements Freshness {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = -Infinity;
  private closed = false;
  private listeners: Listeners | undefined;

  constructor(private readonly url: string) {}

  isFresh(): boolean {
    return performance.now() - this.heardAt < TRUST;
  }

  /** Starts in the background: until the first heartbeat nothing is believed, and nothing waits for it. */
  start(listeners: Listeners): void {
    this.listeners = listeners;
    void this.connect();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'compliance-gateway access',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) =>
      this.listenersOf(channel).forEach((listener) => listener.announced(payload ?? '')),
    );
    try {
      await client.connect();
      for (const channel of Object.keys(this.listeners ?? {})) await client.query(`listen ${channel}`);
      // Whatever was announced while nobody listened is unknown.
      for (const listener of Object.values(this.listeners ?? {}).flat()) listener.missed();
      await this.beat(client);
    } catch {
      this.lost(client);
    }
  }

  private listenersOf(channel: string): readonly AnnouncementListener[] {
    return this.listeners?.[channel as keyof Listeners] ?? [];
  }

  private async beat(client: pg.Client): Promise<void> {
    if (this.closed || client !== this.client) return;
    const sentAt = performance.now();
    try {
      await client.query('select 1');
      this.heardAt = sentAt;
      this.timer = setTimeout(() => void this.beat(client), HEARTBEAT).unref();
    } catch {
      this.lost(client);
    }
  }

  private lost(client: pg.Client): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.heardAt = -Infinity;
    clearTimeout(this.timer);
    void client.end().catch(() => undefined);
    if (!this.closed) this.timer = setTimeout(() => void this.connect(), RETRY).unref();
  }
}
