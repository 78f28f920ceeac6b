import pg from 'pg';
import type { Freshness } from '../access/caller-cache.js';

/** Milliseconds between two heartbeats on the listening connection. */
const HEARTBEAT = 250;
/** Remembered access is believed for so long after a heartbeat was sent; with a heartbeat's own time below a second. */
const TRUST = 800;
/** Milliseconds before a lost connection is tried again. */
const RETRY = 500;

/** Whoever takes the announcements: one payload each, or that some may have been missed. */
export interface AccessListener {
  announced(payload: string): void;
  clear(): void;
}

/**
 * Hears the announcements of changed access (LISTEN "access"). A connection can die without a word, so silence proves
 * nothing: a heartbeat goes over the very same connection, and PostgreSQL delivers what was announced before it
 * answers. What was remembered is believed only for a moment after such an answer.
 */
export class AccessFeed implements Freshness {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = -Infinity;
  private closed = false;
  private listeners: readonly AccessListener[] = [];

  constructor(private readonly url: string) {}

  isFresh(): boolean {
    return performance.now() - this.heardAt < TRUST;
  }

  /** Starts in the background: until the first heartbeat nothing is believed, and nothing waits for it. */
  start(...listeners: AccessListener[]): void {
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
    client.on('notification', ({ payload }) => this.listeners.forEach((listener) => listener.announced(payload ?? '')));
    try {
      await client.connect();
      await client.query('listen access');
      // Whatever was announced while nobody listened is unknown.
      this.listeners.forEach((listener) => listener.clear());
      await this.beat(client);
    } catch {
      this.lost(client);
    }
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
