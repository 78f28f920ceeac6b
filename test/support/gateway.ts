import type { Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp, type App } from '../../src/app/app.js';
import type { AppDeps } from '../../src/services/foundation.js';
import type { Config } from '../../src/config.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createLogger, type Logger } from '../../src/logger.js';
import { tooSlow } from '../../src/app/server.js';
import { CATALOG, REGIMES } from './catalog.js';
import { GraphQLClient, RestClient } from './clients.js';
import { watchContract } from './contract/watch.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { settled } from './settled.js';

/** A whole gateway on a free port of the loopback interface, with its own database and folder. */
export interface TestGateway {
  url: string;
  config: Config;
  app: App;
  database: TestDatabase;
  /** Folder of its files; removed with the gateway. */
  dataDir: string;
  rest: RestClient;
  graphql: GraphQLClient;
  /** Resolves when members are notified of every committed change. Clients await it before they read notifications. */
  settled(): Promise<void>;
  /** Number of open connections. */
  connections(): Promise<number>;
  /** Throws if a REST exchange violated the OpenAPI document. */
  close(): Promise<void>;
}

/** Options of a test gateway. */
export interface GatewayOptions {
  config?: Partial<Config>;
  log?: Logger;
  /** The clock of time-dependent rules; the machine's when absent. */
  now?: () => Date;
  /** TXT records; those of DNS when absent. */
  resolveTxt?: (name: string) => Promise<string[][]>;
  /** Client for addresses that users have chosen. */
  outgoing?: AppDeps['outgoing'];
  /** A database to share with another gateway; it is not dropped with this one. */
  database?: TestDatabase;
  dataDir?: string;
}

/** Starts a gateway, which its test closes; tests of a whole file use `startSharedGateway` instead. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gateway-test-')));
  const log = options.log ?? createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const limits = { ...CONNECTION_LIMITS, ...options.config?.connections };
  const { server } = createHttpServer(limits, { log, tooSlow });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = testConfig(url, dataDir, options.config);
  const app = await createApp({
    config,
    databaseUrl: database.url,
    catalog: CATALOG,
    regimes: REGIMES,
    log,
    ...(options.now && { now: options.now }),
    ...(options.resolveTxt && { resolveTxt: options.resolveTxt }),
    ...(options.outgoing && { outgoing: options.outgoing }),
  });
  const watch = watchContract(app.listener);
  server.on('request', watch.listener);
  server.on('upgrade', app.upgrade);
  // The module of a test file is never unloaded, and neither is its gateway: large objects are reachable by one name,
  // until it is closed.
  let running: Running | undefined = { app, server, breaches: watch.breaches };
  const current = () => {
    if (running === undefined) throw new Error('The gateway is closed');
    return running;
  };
  const settle = () => settled(current().app.database);
  return {
    url,
    config,
    get app() {
      return current().app;
    },
    database,
    dataDir,
    rest: new RestClient(url, settle, watch.breaches),
    graphql: new GraphQLClient(url, settle),
    settled: settle,
    connections: () => promisify((done: Counted) => current().server.getConnections(done))(),
    async close() {
      if (running === undefined) return;
      const { app, server, breaches } = running;
      app.drain();
      await closeServer(server);
      await app.close();
      running = undefined;
      if (options.database === undefined) await database.drop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      if (breaches.length > 0) throw new Error(`The OpenAPI document is not kept:\n${breaches.join('\n')}`);
    },
  };
}

interface Running {
  app: App;
  server: Server;
  breaches: readonly string[];
}

type Counted = (error: Error | null, count: number) => void;

/** Those of the configuration, without a limit per address: all clients of a test have the same. */
const CONNECTION_LIMITS = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 0,
  headerSeconds: 20,
  requestSeconds: 300,
  minBodyRate: 1_000,
  bodyGraceSeconds: 15,
  stallSeconds: 120,
};

/** Rate limits that are enabled and never reached; headers and costs are those of every installation. */
export const HIGH_RATE_LIMITS: Config['rateLimits'] = {
  perToken: { reads: 1e9, writes: 1e9, uploads: 1e9, searches: 1e9, graphql: 1e9 },
  perUser: 3,
  perAddress: 20,
  failedAuthentication: 1e9,
  concurrent: { uploads: 1e4, searches: 1e4, packs: 1e4 },
};

/** Quotas that are enabled and hardly reached; the one of open invitations is the default. */
export const HIGH_QUOTAS: Config['quotas'] = {
  organizationsPerUser: 1e6,
  membersPerOrganization: 1e6,
  openInvitationsPerOrganization: 500,
  storedBytesPerOrganization: 1e12,
  mailsPerSender: 1e6,
  idempotencyBytesPerUser: 1e12,
  idempotencyBytesPerOrganization: 1e12,
};

/** A whole configuration for tests, with these changes. */
export function testConfig(publicUrl: string, dataDir: string, overrides: Partial<Config> = {}): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    appUrl: undefined,
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    databasePoolSize: 10,
    // Load from other processes must not be taken for an outage.
    databaseStatementSeconds: 60,
    listenDatabaseUrl: undefined,
    replicaUrl: undefined,
    dataDir,
    storageUrl: `file:${join(dataDir, 'files')}`,
    storageSilenceSeconds: 8,
    storageSweep: true,
    smtpUrl: undefined,
    earlierSecretKeys: [],
    isEarlierKeyLost: false,
    auditCheckpointMail: undefined,
    mailFrom: { name: 'Compliance Gateway', address: 'no-reply@gateway.example' },
    secretKey: 'a key for tests that is long enough to be one',
    demo: false,
    logLevel: 'silent',
    trustProxy: 0,
    hstsSeconds: 0,
    corsOrigins: [],
    securityContact: undefined,
    introspection: 'open',
    explorer: true,
    federation: false,
    // GRAPHQL_DIRECT=0 runs the suite with Apollo executing all requests.
    directOperations: process.env['GRAPHQL_DIRECT'] !== '0',
    metricsPublic: false,
    metricsPort: undefined,
    connections: CONNECTION_LIMITS,
    downloadLinkMinutes: 15,
    deviceReportsWholeDays: 90,
    jobs: false,
    outgoingNetworks: ['127.0.0.0/8'],
    otlpEndpoint: undefined,
    unusedEndpoints: [],
    serviceName: 'compliance-gateway',
    rateLimits: HIGH_RATE_LIMITS,
    quotas: HIGH_QUOTAS,
    ...overrides,
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  await closed;
  // The functions of a test gateway reference the server, whose listeners reference everything.
  server.removeAllListeners();
}
