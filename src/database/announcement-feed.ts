import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Freshness } from '../auth/access-cache.js';
import type { Logger } from '../logger.js';
import { databaseTime, type DatabaseClock } from './clock.js';
import { socketOf } from './pool.js';
import { PrimaryClient } from './primary-client.js';
import { sql, statement, type Queryable } from './sql.js';

/** Milliseconds between two heartbeats on the listening connection. */
const HEARTBEAT = 250;
/**
 * Milliseconds after sending a heartbeat for which cached access is valid; less than a second with the heartbeat's
 * own time.
 */
const TRUST = 800;
/** Milliseconds without a received heartbeat after which the connection is closed. */
const UNHEARD = 5_000;
/** Milliseconds before a lost connection, or one that receives no announcements, is retried. */
const RETRY = 500;
const RETRY_DEAF = 10_000;

const announce = statement<{ channel: string; payload: string }>()(
  (p) => sql<{ now: number }>`select pg_notify(${p('channel')}, ${p('payload')}), ${databaseTime} as now`,
);
const PROBE = 'probe';

const NOT_ARRIVING =
  'Announcements of the database do not arrive, so nothing about tokens and roles is remembered and each request asks ' +
  'the database. A connection pooler in transaction mode does not carry LISTEN: set LISTEN_DATABASE_URL to an address ' +
  'of the database itself.';

/** Receives announcements of a channel: one payload each, or that some may have been missed. */
export interface AnnouncementListener {
  announced(payload: string): void;
  missed(): void;
}

/** The listeners of each channel on which triggers and statements announce (LISTEN). */
type Listeners = Readonly<
  Record<'access' | 'delivery' | 'document' | 'event' | 'notification', readonly AnnouncementListener[]>
>;

interface FeedSettings {
  /** A URL that leads to the database itself, for listening. */
  url: string;
  /** For probes on another connection. */
  database: Queryable;
  /** Set by received heartbeats. */
  clock: DatabaseClock;
  log: Logger;
}

/**
 * Receives the announcements of the database on one connection. Connections can fail silently and poolers can drop
 * announcements, so a probe of another connection must arrive first, then regular heartbeats to itself, which
 * PostgreSQL delivers after all earlier announcements. Cached access is valid only shortly after a heartbeat.
 */
export class AnnouncementFeed implements Freshness {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = -Infinity;
  private closed = false;
  private listeners: Listeners | undefined;
  /** Whether the operator was warned since announcements arrived last. */
  private warned = false;
  private onProbe: () => void = () => undefined;
  /** Of this instance only. */
  private readonly ownChannel = `heartbeat_${randomBytes(16).toString('hex')}`;

  constructor(private readonly settings: FeedSettings) {}

  isFresh(): boolean {
    return performance.now() - this.heardAt < TRUST;
  }

  /** Starts in the background: until the first heartbeat no cache is valid, and nothing waits for it. */
  start(listeners: Listeners): void {
    this.listeners = listeners;
    void this.connect();
  }

  close(): void {
    this.closed = true;
    this.drop();
  }

  private async connect(): Promise<void> {
    const client = new PrimaryClient({
      connectionString: this.settings.url,
      application_name: 'compliance-gateway access',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload = '' }) => this.take(channel, payload));
    try {
      await client.connect();
      for (const channel of [...Object.keys(this.listeners ?? {}), this.ownChannel])
        await client.query(`listen ${channel}`);
      if (!(await this.hearsOthers())) return this.deaf(client);
      // Earlier announcements were missed.
      for (const listener of Object.values(this.listeners ?? {}).flat()) listener.missed();
      await this.beat(client, performance.now());
    } catch (error) {
      this.lost(client, error);
    }
  }

  private take(channel: string, payload: string): void {
    if (channel !== this.ownChannel)
      return this.listeners?.[channel as keyof Listeners]?.forEach((listener) => listener.announced(payload));
    if (payload === PROBE) return this.onProbe();
    this.heardAt = Math.max(this.heardAt, Number(payload));
    this.warned = false;
  }

  /** Whether an announcement of another connection arrives while this one is idle. */
  private async hearsOthers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((resolve) => {
      this.onProbe = () => resolve(true);
      timer = setTimeout(() => resolve(false), UNHEARD);
    });
    try {
      const since = performance.now();
      const { now } = await announce.one(this.settings.database, { channel: this.ownChannel, payload: PROBE });
      this.settings.clock.was(now, since);
      return await heard;
    } finally {
      clearTimeout(timer);
    }
  }

  /** `since` is the last time at which announcements were known to arrive. */
  private async beat(client: pg.Client, since: number): Promise<void> {
    if (this.closed || client !== this.client) return;
    if (performance.now() - Math.max(since, this.heardAt) > UNHEARD) return this.deaf(client);
    try {
      const begunAt = performance.now();
      const beat = announce.bind({ channel: this.ownChannel, payload: String(begunAt) });
      const { rows } = await client.query<{ now: number }>(beat);
      this.settings.clock.was(rows[0]!.now, begunAt);
      this.timer = setTimeout(() => void this.beat(client, since), HEARTBEAT).unref();
    } catch (error) {
      this.lost(client, error);
    }
  }

  private deaf(client: pg.Client): void {
    if (client !== this.client) return;
    this.warn({}, NOT_ARRIVING);
    this.again(RETRY_DEAF);
  }

  private lost(client: pg.Client, err?: unknown): void {
    if (client !== this.client) return;
    if (err !== undefined)
      this.warn({ err }, 'The connection that announcements arrive over failed; it is made again.');
    this.again(RETRY);
  }

  private again(after: number): void {
    this.drop();
    if (!this.closed) this.timer = setTimeout(() => void this.connect(), after).unref();
  }

  private drop(): void {
    const { client } = this;
    this.client = undefined;
    this.heardAt = -Infinity;
    clearTimeout(this.timer);
    // Destroys the socket: a silent network would never answer an orderly end.
    if (client !== undefined) socketOf(client).destroy();
  }

  private warn(what: object, sentence: string): void {
    if (this.warned || this.closed) return;
    this.warned = true;
    this.settings.log.warn(what, sentence);
  }
}
