import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { createDoors } from './app/doors.js';
import { createFoundation, type AppDeps } from './app/foundation.js';
import { createJobs } from './app/jobs.js';
import { createServices } from './app/services.js';
import type { Database } from './database/database.js';
import type { Engine } from './engine/engine.js';
import type { Metrics } from './http/metrics.js';
import type { Jobs } from './jobs/jobs.js';

export interface App {
  listener: RequestListener;
  /** Takes the requests for a WebSocket: the server's `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  database: Database;
  engine: Engine;
  metrics: Metrics;
  /** Queued and periodic work; nothing is worked until it is started. */
  jobs: Jobs;
  /** Readiness says no, no job is begun, and live connections are sent elsewhere, from now on. */
  drain(): void;
  /** Lets go of everything; call it when no request is under way any more. */
  close(): Promise<void>;
}

/** Puts the gateway together, in reading order; opens no port. */
export async function createApp(deps: AppDeps): Promise<App> {
  const foundation = await createFoundation(deps);
  const { database, store, content, feed, usage, access, catalogs, log } = foundation;
  const services = createServices(foundation);
  const { hub } = services;
  feed.start({ access: [access.cache, catalogs], notification: [hub] });
  const jobs = createJobs(foundation);
  const { listener, engine, metrics, health, apollo, live } = await createDoors(foundation, services);

  // A crash may have left bytes that no row refers to. Nobody waits for the sweep.
  const sweeping = new AbortController();
  const sweep = content
    .sweep(sweeping.signal)
    .catch((err: unknown) => log.warn({ err }, 'sweeping the storage failed'));

  return {
    listener,
    database,
    engine,
    metrics,
    jobs,
    upgrade: (request, socket, head) => live.webSockets.upgrade(request, socket, head),
    drain() {
      health.drain();
      live.drain();
      // Beside the requests that are still answered, not after them.
      void jobs.stop();
    },
    async close() {
      sweeping.abort();
      feed.close();
      // At the same time: each of them waits for a silent database as long as it may.
      await Promise.all([jobs.stop(), apollo.stop(), sweep, hub.close(), usage.close()]);
      await store.close();
      await database.close();
    },
  };
}
