import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RateLimitSettings } from './auth/rate-limits.js';
import type { ConnectionLimits } from './http/connections.js';
import { makeDataDir } from './data-dir.js';
import { defaultSender, type Sender } from './mail/mailer.js';
import { SILENCE_SECONDS } from './storage/storage-location.js';
import { LIMITS } from './values/limits.js';
import { ConfigError, EnvReader, MIN_SECRET, type Origins } from './env-reader.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const LOOPBACK_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

const HTTP = ['http://', 'https://'];
/** Endpoint variables of OpenTelemetry signals that the gateway does not send. */
const UNUSED_ENDPOINTS = ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'];

const INTROSPECTION = { '0': 'off', token: 'token', '1': 'open' } as const;
const MEBIBYTE = 1024 * 1024;

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash. */
  publicUrl: string;
  /** The base of links in mails, to an application that shows their subjects; `publicUrl` when unset. */
  appUrl: string | undefined;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** URL of the role that owns the tables; undefined where `databaseUrl` does. */
  migrationDatabaseUrl: string | undefined;
  databasePoolSize: number;
  /** Time limit of one statement of a request; other limits of the database follow from it. */
  databaseStatementSeconds: number;
  /** URL for announcements, bypassing a pooler; `databaseUrl` when undefined. */
  listenDatabaseUrl: string | undefined;
  /** A standby of `databaseUrl` for long reads; none when undefined. */
  replicaUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  storageUrl: string;
  /** Seconds that an S3 service may be silent. */
  storageSilenceSeconds: number;
  /** Whether this instance removes stored content that no row references. */
  storageSweep: boolean;
  smtpUrl: string | undefined;
  mailFrom: Sender;
  secretKey: string;
  /** Earlier secret keys, by which audit trails were sealed and signed. */
  earlierSecretKeys: readonly string[];
  /** Whether an earlier key is lost: data sealed with it can no longer be verified or opened. */
  isEarlierKeyLost: boolean;
  /** Address for mails with checkpoints of audit trails; none when undefined. */
  auditCheckpointMail: string | undefined;
  demo: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Express's "trust proxy": the number of trusted proxies in front; 0 is none. */
  trustProxy: number;
  /** Seconds for which browsers only use HTTPS; 0 sends no header. */
  hstsSeconds: number;
  corsOrigins: Origins;
  /** Callers who may read the GraphQL schema: none, those with a token, or all. */
  introspection: 'off' | 'token' | 'open';
  /** The explorer of `GET /graphql`: GraphiQL from our own files, or Apollo Sandbox. */
  explorer: boolean;
  /** Whether the schema is also that of a subgraph, for a router in front (docs/routers.md). */
  federation: boolean;
  /** Whether simple GraphQL queries bypass Apollo's pipeline (docs/adr/0005); off for comparison. */
  directOperations: boolean;
  /** Contact for `/.well-known/security.txt`; without one there is no such file. */
  securityContact: string | undefined;
  /** Whether /metrics is also served on the public port. */
  metricsPublic: boolean;
  /** Another port for /metrics on the same host; none when undefined. */
  metricsPort: number | undefined;
  connections: ConnectionLimits;
  downloadLinkMinutes: number;
  /** Days after which reports of devices are thinned; 90 is never. */
  deviceReportsWholeDays: number;
  /**
   * Networks in CIDR form of identity providers and receivers of webhooks, beside public ones; plain http is allowed
   * for loopback ones.
   */
  outgoingNetworks: readonly string[];
  /** Whether this instance runs jobs: mails, reminders, retention. It enqueues them in either case. */
  jobs: boolean;
  /**
   * Endpoint of traces, as OTLP; none when undefined. The SDK reads this and its other variables itself
   * (docs/telemetry.md).
   */
  otlpEndpoint: string | undefined;
  /** Variables with endpoints for metrics and logs, which are not used. */
  unusedEndpoints: readonly string[];
  serviceName: string;
  rateLimits: RateLimitSettings;
  quotas: Quotas;
}

/** Quotas of a user and of an organization, set by the operator. Infinity disables one. */
export interface Quotas {
  /** Organizations that one user owns, including deleted ones that can be restored. */
  organizationsPerUser: number;
  /** Including deactivated members. */
  membersPerOrganization: number;
  openInvitationsPerOrganization: number;
  /** Bytes of an organization's documents, attachments and logo. */
  storedBytesPerOrganization: number;
  /** Invitation mails of one user in 24 hours, for all organizations. */
  mailsPerSender: number;
  /** Bytes of answers stored for an `Idempotency-Key`, in 24 hours. */
  idempotencyBytesPerUser: number;
  idempotencyBytesPerOrganization: number;
}

/**
 * Reads the environment (`.env.example` lists the same keys); all other code gets the frozen result. Throws
 * ConfigError with all errors. An empty variable counts as unset. Creates a missing key under `dataDir`, unless the
 * gateway must exist already (`empty`).
 */
export function readConfig(
  env: Record<string, string | undefined>,
  { empty = 'made' }: { empty?: 'made' | 'refused' } = {},
): Readonly<Config> {
  const reader = new EnvReader(env);
  const databaseUrl = reader.database('DATABASE_URL');
  const embedded = databaseUrl === undefined;
  const host = reader.text('HOST') ?? '127.0.0.1';
  const port = reader.integer('PORT', 4000, 0, 65_535);
  const dataDir = resolve(reader.folder('DATA_DIR', './data'));
  const publicUrl = (reader.publicUrl('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/+$/, '');
  const demo = reader.flag('DEMO', embedded);
  const [otlpEndpoint, tracesEndpoint] = [
    reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', HTTP),
    reader.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', HTTP),
  ];
  const config: Config = {
    host,
    port,
    publicUrl,
    appUrl: reader.publicUrl('APP_URL')?.replace(/\/+$/, ''),
    databaseUrl,
    migrationDatabaseUrl: reader.database('MIGRATION_DATABASE_URL'),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    databaseStatementSeconds: reader.integer('DATABASE_STATEMENT_SECONDS', 7, 1, 60),
    listenDatabaseUrl: reader.database('LISTEN_DATABASE_URL'),
    replicaUrl: reader.database('REPLICA_URL', { several: false }),
    dataDir,
    storageUrl: reader.storage('STORAGE_URL', pathToFileURL(resolve(dataDir, 'files')).href),
    storageSilenceSeconds: reader.integer('STORAGE_SILENCE_SECONDS', SILENCE_SECONDS, 1, SILENCE_SECONDS),
    storageSweep: reader.flag('STORAGE_SWEEP', true),
    smtpUrl: reader.smtp('SMTP_URL'),
    mailFrom: reader.sender('MAIL_FROM', defaultSender(publicUrl)),
    secretKey: reader.secret('SECRET_KEY', { optional: embedded }),
    ...reader.earlierKeys('EARLIER_SECRET_KEYS'),
    auditCheckpointMail: reader.mailAddress('AUDIT_CHECKPOINT_MAIL'),
    demo,
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    trustProxy: reader.integer('TRUST_PROXY', 0, 0, 16),
    hstsSeconds: reader.integer('HSTS_SECONDS', 0, 0, 10 * 365 * 86_400),
    // A frontend in development is served from another port of the same machine.
    corsOrigins: reader.origins('CORS_ORIGINS', demo && LOOPBACK_HOSTS.includes(host) ? [LOOPBACK_ORIGIN] : []),
    introspection: INTROSPECTION[reader.oneOf('GRAPHQL_INTROSPECTION', ['0', 'token', '1'], demo ? '1' : 'token')],
    explorer: reader.flag('GRAPHQL_EXPLORER', true),
    federation: reader.flag('GRAPHQL_FEDERATION', false),
    directOperations: reader.flag('GRAPHQL_DIRECT', true),
    securityContact: reader.url('SECURITY_CONTACT', ['https://', 'mailto:', 'tel:'])?.href,
    metricsPublic: reader.flag('METRICS_PUBLIC', false),
    metricsPort: reader.text('METRICS_PORT') === undefined ? undefined : reader.integer('METRICS_PORT', 0, 1, 65_535),
    connections: {
      maxConnections: reader.integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
      maxConnectionsPerAddress: reader.integer('MAX_CONNECTIONS_PER_ADDRESS', 500, 0, 1_000_000),
      headerSeconds: reader.integer('HEADER_SECONDS', 20, 1, 600),
      requestSeconds: reader.integer('REQUEST_SECONDS', 300, 1, 86_400),
      minBodyRate: reader.integer('MIN_BODY_RATE', 1_000, 0, 1_000_000),
      bodyGraceSeconds: reader.integer('BODY_GRACE_SECONDS', 15, 1, 600),
      stallSeconds: reader.integer('STALL_SECONDS', 120, 1, 3_600),
    },
    downloadLinkMinutes: reader.integer('DOWNLOAD_LINK_MINUTES', LIMITS.document.downloadLinkMinutes, 1, 7 * 24 * 60),
    deviceReportsWholeDays: reader.integer(
      'DEVICE_REPORTS_WHOLE_DAYS',
      LIMITS.check.keptDays,
      1,
      LIMITS.check.keptDays,
    ),
    outgoingNetworks: reader.networks(
      'OUTGOING_NETWORKS',
      // The former name of the variable. Providers and receivers of the demo run on the same machine.
      reader.networks('SIGN_IN_NETWORKS', demo && LOOPBACK_HOSTS.includes(host) ? LOOPBACK : []),
    ),
    jobs: reader.flag('JOBS', true),
    otlpEndpoint: (tracesEndpoint ?? otlpEndpoint)?.href,
    unusedEndpoints: UNUSED_ENDPOINTS.filter((key) => reader.text(key) !== undefined),
    serviceName: reader.text('OTEL_SERVICE_NAME') ?? 'compliance-gateway',
    rateLimits: {
      perToken: {
        reads: reader.limit('RATE_LIMIT_READS', 6_000),
        writes: reader.limit('RATE_LIMIT_WRITES', 1_200),
        uploads: reader.limit('RATE_LIMIT_UPLOADS', 300),
        searches: reader.limit('RATE_LIMIT_SEARCHES', 300),
        graphql: reader.limit('RATE_LIMIT_GRAPHQL', 30_000),
      },
      perUser: reader.limit('RATE_LIMIT_PER_USER', 3),
      perAddress: reader.limit('RATE_LIMIT_PER_ADDRESS', 20),
      failedAuthentication: reader.limit('RATE_LIMIT_FAILED_AUTHENTICATION', 60),
      concurrent: {
        uploads: reader.limit('CONCURRENT_UPLOADS', 16),
        searches: reader.limit('CONCURRENT_SEARCHES', 8),
        packs: reader.limit('CONCURRENT_PACKS', 3),
      },
    },
    quotas: {
      organizationsPerUser: reader.limit('QUOTA_ORGANIZATIONS_PER_USER', 50),
      membersPerOrganization: reader.limit('QUOTA_MEMBERS_PER_ORGANIZATION', 1_000),
      openInvitationsPerOrganization: reader.limit('QUOTA_OPEN_INVITATIONS_PER_ORGANIZATION', 500),
      storedBytesPerOrganization: reader.limit('QUOTA_STORED_MB_PER_ORGANIZATION', 10_240) * MEBIBYTE,
      mailsPerSender: reader.limit('QUOTA_MAILS_PER_SENDER', 200),
      idempotencyBytesPerUser: reader.limit('QUOTA_IDEMPOTENCY_MB_PER_USER', 64) * MEBIBYTE,
      idempotencyBytesPerOrganization: reader.limit('QUOTA_IDEMPOTENCY_MB_PER_ORGANIZATION', 256) * MEBIBYTE,
    },
  };
  for (const [key, url] of [
    ['MIGRATION_DATABASE_URL', config.migrationDatabaseUrl],
    ['LISTEN_DATABASE_URL', config.listenDatabaseUrl],
    ['REPLICA_URL', config.replicaUrl],
  ] as const)
    if (embedded && url !== undefined) reader.errors.push(`${key} goes with DATABASE_URL, which is not set`);
  if (reader.text('SIGN_IN_NETWORKS') !== undefined && reader.text('OUTGOING_NETWORKS') !== undefined)
    reader.errors.push('OUTGOING_NETWORKS and SIGN_IN_NETWORKS are two names of one setting: set the former alone');
  if (config.metricsPort !== undefined && config.metricsPort === port)
    reader.errors.push(`METRICS_PORT must be another port than PORT (${port})`);
  const { headerSeconds, requestSeconds } = config.connections;
  if (headerSeconds > requestSeconds)
    reader.errors.push(
      `HEADER_SECONDS (${headerSeconds}) must not be more than REQUEST_SECONDS (${requestSeconds}), which begin with them`,
    );
  reader.refuseMisspelt();
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
  if (config.secretKey === '') config.secretKey = storedSecret(dataDir, empty);
  return Object.freeze(config);
}

/** The embedded gateway's own key: created once and stored in the data folder, so that links survive a restart. */
function storedSecret(dataDir: string, empty: 'made' | 'refused'): string {
  const path = resolve(dataDir, 'secret.key');
  if (empty === 'refused' && !existsSync(path))
    throw new ConfigError([
      `There is no secret.key in ${dataDir}: set DATA_DIR to the folder of the gateway, or SECRET_KEY`,
    ]);
  try {
    makeDataDir(dataDir);
    if (!existsSync(path)) makeSecret(path);
    const secret = readFileSync(path, 'utf8').trim();
    if (secret.length >= MIN_SECRET) return secret;
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    ]);
  }
  // A crash or a full disk truncated it: signing with a short key would be unsafe.
  throw new ConfigError([
    `${path} holds no whole key: put it back from a copy; for a new data folder, remove it, and a new one is made`,
  ]);
}

function makeSecret(path: string): void {
  // 'wx' fails when the file exists: two concurrent starts use the same key.
  const options = { mode: 0o600, flag: 'wx', flush: true };
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // A partial file would block a later attempt.
    rmSync(path, { force: true });
    throw error;
  }
}
