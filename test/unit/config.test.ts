import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/env-reader.js';
import { readConfig, type Config } from '../../src/config.js';
import { parseStorageUrl } from '../../src/storage/storage-location.js';

type Environment = Record<string, string | undefined>;

const KEY = 'a signing key of thirty-two chars';
const DATABASE = 'postgresql://gateway:secret@db:5432/gateway';

/** Set where the system limits the size of written files, like a full disk does. */
const limited = existsSync('/usr/bin/prlimit') ? test : test.skip;

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function read(env: Environment = {}): Readonly<Config> {
  return readConfig({ DATA_DIR: dataDir, ...env });
}

function errorsOf(env: Environment): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

const RATE_LIMITS = {
  perToken: { reads: 6_000, writes: 1_200, uploads: 300, searches: 300, graphql: 30_000 },
  perUser: 3,
  perAddress: 20,
  failedAuthentication: 60,
  concurrent: { uploads: 16, searches: 8, packs: 3 },
};

const QUOTAS = {
  organizationsPerUser: 50,
  membersPerOrganization: 1_000,
  openInvitationsPerOrganization: 500,
  storedBytesPerOrganization: 10 * 1024 ** 3,
  mailsPerSender: 200,
  idempotencyBytesPerUser: 64 * 1024 ** 2,
  idempotencyBytesPerOrganization: 256 * 1024 ** 2,
};

test('takes limits as numbers, and 0 or off for none', () => {
  const { perToken, perUser, concurrent } = read({
    RATE_LIMIT_READS: '10',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_PER_USER: 'OFF',
    RATE_LIMIT_UPLOADS: '00',
    CONCURRENT_PACKS: '1',
  }).rateLimits;
  expect([perToken.reads, perToken.writes, perToken.uploads]).toEqual([10, Infinity, Infinity]);
  expect([perUser, concurrent.packs]).toEqual([Infinity, 1]);
  for (const value of ['-1', '1.5', 'none', '1e3'])
    expect(errorsOf({ RATE_LIMIT_READS: value })).toEqual([
      'RATE_LIMIT_READS must be a whole number from 0 to 999999999999, or off',
    ]);
});

test('listens on port 4000 of this machine only, with a database of its own and demo data, when nothing is set', () => {
  const { secretKey, ...config } = read();
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://localhost:4000',
    databaseUrl: undefined,
    databasePoolSize: 10,
    databaseStatementSeconds: 7,
    dataDir,
    storageUrl: `file://${join(dataDir, 'files')}`,
    storageSilenceSeconds: 8,
    storageSweep: true,
    outgoingNetworks: ['127.0.0.0/8', '::1/128'],
    smtpUrl: undefined,
    mailFrom: { name: 'Compliance Gateway', address: 'no-reply@localhost' },
    earlierSecretKeys: [],
    isEarlierKeyLost: false,
    auditCheckpointMail: undefined,
    demo: true,
    logLevel: 'info',
    trustProxy: 0,
    hstsSeconds: 0,
    corsOrigins: [expect.any(RegExp)],
    introspection: 'open',
    explorer: true,
    federation: false,
    directOperations: true,
    metricsPublic: false,
    metricsPort: undefined,
    connections: {
      maxConnections: 10_000,
      maxConnectionsPerAddress: 500,
      headerSeconds: 20,
      requestSeconds: 300,
      minBodyRate: 1_000,
      bodyGraceSeconds: 15,
      stallSeconds: 120,
    },
    downloadLinkMinutes: 15,
    deviceReportsWholeDays: 90,
    jobs: true,
    otlpEndpoint: undefined,
    unusedEndpoints: [],
    serviceName: 'compliance-gateway',
    rateLimits: RATE_LIMITS,
    quotas: QUOTAS,
  });
  expect(secretKey).toMatch(/^[\w-]{43}$/);
});

test.each([
  [{}, true],
  [{ HOST: '::1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ DEMO: '0' }, false],
  [{ CORS_ORIGINS: 'none' }, false],
])('with %j, pages on every port of this machine, and of no other, may call: %s', (env, expected) => {
  const { corsOrigins } = read(env);
  const allowed = (origin: string) => [...corsOrigins].some((each) => each instanceof RegExp && each.test(origin));
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8080', 'http://localhost'])
    expect([origin, allowed(origin)]).toEqual([origin, expected]);
  for (const origin of [
    'https://localhost.example.com',
    'http://localhost:5173.example.com',
    'http://example.com',
    'null',
  ])
    expect([origin, allowed(origin)]).toEqual([origin, false]);
});

test('takes every variable', () => {
  const env = {
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: 'https://gateway.example.com/base',
    APP_URL: 'https://app.example.com/',
    DATABASE_URL: DATABASE,
    DATABASE_POOL_SIZE: '25',
    DATABASE_STATEMENT_SECONDS: '20',
    STORAGE_URL: 's3://key:secret@store:9000/evidence?tls=0',
    STORAGE_SILENCE_SECONDS: '3',
    STORAGE_SWEEP: '0',
    SIGN_IN_NETWORKS: '10.1.0.0/16',
    SMTP_URL: 'smtps://mail:465',
    SECRET_KEY: KEY,
    EARLIER_SECRET_KEYS: 'an earlier key of thirty-two chars, a still earlier one of thirty-six chars',
    AUDIT_CHECKPOINT_MAIL: 'anchor@example.com',
    DEMO: '1',
    LOG_LEVEL: 'debug',
    TRUST_PROXY: '2',
    CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
    GRAPHQL_INTROSPECTION: '0',
    GRAPHQL_EXPLORER: 'false',
    GRAPHQL_FEDERATION: '1',
    GRAPHQL_DIRECT: '0',
    METRICS_PUBLIC: 'true',
    METRICS_PORT: '9100',
    MAX_CONNECTIONS: '100',
    MAX_CONNECTIONS_PER_ADDRESS: '10',
    HEADER_SECONDS: '5',
    REQUEST_SECONDS: '60',
    MIN_BODY_RATE: '2000',
    BODY_GRACE_SECONDS: '3',
    STALL_SECONDS: '30',
    DOWNLOAD_LINK_MINUTES: '60',
    DEVICE_REPORTS_WHOLE_DAYS: '7',
    MAIL_FROM: 'Security Desk <desk@example.com>',
    JOBS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_SERVICE_NAME: 'gateway-of-rome',
    HSTS_SECONDS: '600',
  };
  expect(read(env)).toEqual({
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://gateway.example.com/base',
    appUrl: 'https://app.example.com',
    databaseUrl: DATABASE,
    databasePoolSize: 25,
    databaseStatementSeconds: 20,
    dataDir,
    storageUrl: 's3://key:secret@store:9000/evidence?tls=0',
    storageSilenceSeconds: 3,
    storageSweep: false,
    outgoingNetworks: ['10.1.0.0/16'],
    smtpUrl: 'smtps://mail:465',
    mailFrom: { name: 'Security Desk', address: 'desk@example.com' },
    secretKey: KEY,
    earlierSecretKeys: ['an earlier key of thirty-two chars', 'a still earlier one of thirty-six chars'],
    isEarlierKeyLost: false,
    auditCheckpointMail: 'anchor@example.com',
    demo: true,
    logLevel: 'debug',
    trustProxy: 2,
    hstsSeconds: 600,
    corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
    introspection: 'off',
    explorer: false,
    federation: true,
    directOperations: false,
    metricsPublic: true,
    metricsPort: 9100,
    connections: {
      maxConnections: 100,
      maxConnectionsPerAddress: 10,
      headerSeconds: 5,
      requestSeconds: 60,
      minBodyRate: 2_000,
      bodyGraceSeconds: 3,
      stallSeconds: 30,
    },
    downloadLinkMinutes: 60,
    deviceReportsWholeDays: 7,
    jobs: false,
    otlpEndpoint: 'http://collector:4318',
    unusedEndpoints: [],
    serviceName: 'gateway-of-rome',
    rateLimits: RATE_LIMITS,
    quotas: QUOTAS,
  });
});

test('anonymous callers may introspect the schema of a demo, and callers with a token that of any gateway', () => {
  const introspection = (env: Record<string, string>) => read({ SECRET_KEY: KEY, ...env }).introspection;
  expect(introspection({ DEMO: '1' })).toBe('open');
  expect(introspection({ DEMO: '0' })).toBe('token');
  expect(introspection({ DATABASE_URL: 'postgres://localhost/gateway' })).toBe('token');
  for (const [value, meaning] of [
    ['0', 'off'],
    ['token', 'token'],
    ['1', 'open'],
  ] as const) {
    expect(introspection({ DEMO: '0', GRAPHQL_INTROSPECTION: value })).toBe(meaning);
    expect(introspection({ DEMO: '1', GRAPHQL_INTROSPECTION: value })).toBe(meaning);
  }
});

test('the public address follows the port, and ends without a slash', () => {
  expect(read({ PORT: '5000' }).publicUrl).toBe('http://localhost:5000');
  expect(read({ PUBLIC_URL: 'https://gateway.example.com//' }).publicUrl).toBe('https://gateway.example.com');
});

test('seeds no demo data into an external database, unless configured', () => {
  expect(read({ DATABASE_URL: DATABASE, SECRET_KEY: KEY }).demo).toBe(false);
  expect(read({ DATABASE_URL: DATABASE, SECRET_KEY: KEY, DEMO: '1' }).demo).toBe(true);
  expect(read({ DEMO: '0' }).demo).toBe(false);
});

test.each(['', ' ', '\t'])('a variable with the value %j counts as unset', (nothing) => {
  const keys = [
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'APP_URL',
    'DATABASE_URL',
    'DATABASE_POOL_SIZE',
    'STORAGE_URL',
    'SMTP_URL',
  ];
  keys.push('SECRET_KEY', 'DEMO', 'LOG_LEVEL', 'TRUST_PROXY', 'CORS_ORIGINS', 'GRAPHQL_INTROSPECTION');
  keys.push(
    'GRAPHQL_EXPLORER',
    'GRAPHQL_FEDERATION',
    'GRAPHQL_DIRECT',
    'METRICS_PUBLIC',
    'METRICS_PORT',
    'DOWNLOAD_LINK_MINUTES',
    'DEVICE_REPORTS_WHOLE_DAYS',
    'MAIL_FROM',
    'JOBS',
  );
  keys.push('MAX_CONNECTIONS', 'MAX_CONNECTIONS_PER_ADDRESS', 'HEADER_SECONDS', 'REQUEST_SECONDS');
  keys.push('MIN_BODY_RATE', 'BODY_GRACE_SECONDS', 'STALL_SECONDS');
  expect(read(Object.fromEntries(keys.map((key) => [key, nothing])))).toEqual(read());
});

test('spaces around a value do not belong to it', () => {
  expect(read({ PORT: ' 8080 ', LOG_LEVEL: 'warn\n' })).toMatchObject({ port: 8080, logLevel: 'warn' });
});

test.each<[key: string, accepted: string[]]>([
  ['PORT', ['0', '1', '65535']],
  [
    'DATABASE_URL',
    [
      'postgres://db/x',
      'postgresql://u:p@db:5432/x?sslmode=require',
      'postgres:///x?host=/run/postgresql',
      'postgresql://u:a,b@one:5432,two,[::1]:5433/x?target_session_attrs=read-write',
    ],
  ],
  ['DATABASE_POOL_SIZE', ['2', '200']],
  ['DATABASE_STATEMENT_SECONDS', ['1', '60']],
  ['PUBLIC_URL', ['http://x', 'https://x.example/base/']],
  ['STORAGE_URL', ['file:./files', 'file:/srv/files', 's3://host/bucket', 's3://k:s@host:1/bucket/a/b?region=x']],
  ['SMTP_URL', ['smtp://mail', 'smtps://u:p@mail:465']],
  ['SECRET_KEY', ['x'.repeat(32)]],
  ['DEMO', ['0', '1', 'true', 'false']],
  ['LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']],
  ['TRUST_PROXY', ['0', '16']],
  ['SECURITY_CONTACT', ['mailto:security@example.com', 'https://example.com/report', 'tel:+39-02-1234567']],
  ['CORS_ORIGINS', ['*', 'https://a.example', 'https://a.example,http://b.example:81']],
  ['METRICS_PORT', ['1', '65535']],
  ['MAX_CONNECTIONS', ['1', '1000000']],
  ['MAX_CONNECTIONS_PER_ADDRESS', ['0', '1000000']],
  ['MIN_BODY_RATE', ['0', '1000000']],
  ['DOWNLOAD_LINK_MINUTES', ['1', '10080']],
  ['DEVICE_REPORTS_WHOLE_DAYS', ['1', '90']],
  ['MAIL_FROM', ['desk@example.com', 'Desk <desk@[192.0.2.1]>', 'Ufficio sicurezza — Ufi <a.b+c@sub.example.com>']],
  ['JOBS', ['0', '1']],
])('%s takes %j', (key, accepted) => {
  for (const value of accepted) expect([value, errorsOf({ SECRET_KEY: KEY, [key]: value })]).toEqual([value, []]);
});

test.each<[key: string, refused: string[], sentence: string | RegExp]>([
  ['PORT', ['65536', '-1', '4000.5', '4e3', '0x10', 'http'], 'PORT must be a whole number from 0 to 65535'],
  [
    'DATABASE_URL',
    ['mysql://db/x', 'db:5432', 'nonsense', 'postgres:nonsense', 'postgresql:/db/x', 'postgres://db:65536/x'],
    'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
  ],
  ...['DATABASE_URL', 'LISTEN_DATABASE_URL'].map((key): [string, string[], string] => [
    key,
    ['postgres://', 'postgres:///x', 'postgres://db', 'postgres://db/'],
    `${key} must name a host and a database, as in postgresql://user:password@host:5432/name`,
  ]),
  [
    'DATABASE_URL',
    ['postgres://one,/x', 'postgres://,two/x', 'postgres://one,two/'],
    'DATABASE_URL must name a host and a database, as in postgresql://user:password@host:5432/name',
  ],
  [
    'DATABASE_URL',
    ['postgres://one,two/x?target_session_attrs=any', 'postgres://one/x?target_session_attrs=standby'],
    'DATABASE_URL has a target_session_attrs other than primary and read-write',
  ],
  ['REPLICA_URL', ['postgres://one,two/x'], /^REPLICA_URL must name one server$/],
  [
    'DATABASE_URL',
    ['postgres://u:%zz@db/x', 'postgres://db/%'],
    'DATABASE_URL has a % that does not begin a percent-encoded character',
  ],
  [
    'DATABASE_URL',
    ['postgres://db/x?sslmode=verify-full&sslrootcert=/no/such/file'],
    /^DATABASE_URL cannot be used \(ENOENT/,
  ],
  ['DATABASE_POOL_SIZE', ['1', '201', 'many'], 'DATABASE_POOL_SIZE must be a whole number from 2 to 200'],
  [
    'PUBLIC_URL',
    ['ftp://x', 'x.example', 'http:x', 'https:/x'],
    'PUBLIC_URL must be a URL that begins with http:// or https://',
  ],
  [
    'PUBLIC_URL',
    ['http://x?a=1', 'http://x/#a', 'http://u:p@x', 'http://x?'],
    'PUBLIC_URL must have neither a user name, nor a query, nor a fragment',
  ],
  ['STORAGE_URL', ['ftp://x/y', '/srv/files', 's3://host', 's3://k@host/bucket'], /^STORAGE_URL: must /],
  [
    'STORAGE_URL',
    ['file:~/files', 'file:$HOME/files', 'file:"/srv/files"'],
    'STORAGE_URL: begins with a ~, a $ or a quotation mark, which nothing replaces here.',
  ],
  [
    'DATA_DIR',
    ['~', '~/data', '~ada/data', '$HOME/data', '${HOME}/data', '"./data"', "'/srv/data'"],
    'DATA_DIR begins with a ~, a $ or a quotation mark, which nothing replaces here',
  ],
  [
    'SECURITY_CONTACT',
    ['security@example.com', 'http://example.com'],
    'SECURITY_CONTACT must be a URL that begins with https:// or mailto: or tel:',
  ],
  [
    'SMTP_URL',
    ['http://mail', 'mail', 'smtp:mail', 'smtps:/mail'],
    'SMTP_URL must be a URL that begins with smtp:// or smtps://',
  ],
  ['SMTP_URL', ['smtp://', 'smtps:///x'], 'SMTP_URL must name a host'],
  ['SMTP_URL', ['smtp://mail/x', 'smtp://mail:25//'], 'SMTP_URL has a path, of which nothing takes notice'],
  [
    'SMTP_URL',
    ['smtp://mail#x', 'smtp://mail/#'],
    'SMTP_URL has a #, from which on nothing is read: %23 is that character',
  ],
  [
    'DATABASE_URL',
    ['postgres://u:p@h/name#x', 'postgres://u:p@h/name?sslmode=require#'],
    'DATABASE_URL has a #, from which on nothing is read: %23 is that character',
  ],
  ['SMTP_URL', ['smtp://u:%zz@mail'], 'SMTP_URL has a % that does not begin a percent-encoded character'],
  ['SECRET_KEY', ['x', 'x'.repeat(31)], 'SECRET_KEY must have at least 32 characters'],
  ['DEMO', ['yes', '2', 'TRUE'], 'DEMO must be 1 or 0'],
  ['LOG_LEVEL', ['verbose', 'INFO'], /^LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent$/],
  ['TRUST_PROXY', ['17', 'true'], 'TRUST_PROXY must be a whole number from 0 to 16'],
  [
    'CORS_ORIGINS',
    ['a.example', 'https://a.example/', 'https://a.example,', '*,*'],
    /^CORS_ORIGINS must be \*, none or a list/,
  ],
  ['GRAPHQL_INTROSPECTION', ['on'], 'GRAPHQL_INTROSPECTION must be one of 0, token, 1'],
  ['GRAPHQL_EXPLORER', ['off'], 'GRAPHQL_EXPLORER must be 1 or 0'],
  ['GRAPHQL_FEDERATION', ['on'], 'GRAPHQL_FEDERATION must be 1 or 0'],
  ['METRICS_PUBLIC', ['public'], 'METRICS_PUBLIC must be 1 or 0'],
  ['METRICS_PORT', ['0', '65536'], 'METRICS_PORT must be a whole number from 1 to 65535'],
  ['MAX_CONNECTIONS', ['0', '1e6'], 'MAX_CONNECTIONS must be a whole number from 1 to 1000000'],
  ['HEADER_SECONDS', ['0', '601'], 'HEADER_SECONDS must be a whole number from 1 to 600'],
  ['REQUEST_SECONDS', ['0'], 'REQUEST_SECONDS must be a whole number from 1 to 86400'],
  ['BODY_GRACE_SECONDS', ['0'], 'BODY_GRACE_SECONDS must be a whole number from 1 to 600'],
  ['STALL_SECONDS', ['0'], 'STALL_SECONDS must be a whole number from 1 to 3600'],
  ['DEVICE_REPORTS_WHOLE_DAYS', ['0', '91'], 'DEVICE_REPORTS_WHOLE_DAYS must be a whole number from 1 to 90'],
  ['DOWNLOAD_LINK_MINUTES', ['0', '10081', '1.5'], 'DOWNLOAD_LINK_MINUTES must be a whole number from 1 to 10080'],
  [
    'MAIL_FROM',
    ['desk', '<desk@example.com>', 'A "B" <desk@example.com>', 'a@b.c, d@e.f', 'A\nBcc: x <a@b.c>', 'A <a@b.c> x'],
    'MAIL_FROM must be an e-mail address, or a name and an address in angle brackets',
  ],
  ['JOBS', ['2', 'off'], 'JOBS must be 1 or 0'],
])('%s refuses %j in one sentence', (key, refused, sentence) => {
  for (const value of refused) {
    const errors = errorsOf({ SECRET_KEY: KEY, [key]: value });
    expect({ value, errors }).toEqual({
      value,
      errors: [typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)],
    });
  }
});

test.each<[key: string, query: string]>([
  ['DATABASE_URL', 'sslmod=require'],
  ['DATABASE_URL', 'SSLMODE=require'],
  ['DATABASE_URL', 'sslmode=disable&sslmode=require'],
  ['DATABASE_URL', 'sslmode=require&channel_binding=require'],
  ['MIGRATION_DATABASE_URL', 'ssl_mode=require'],
  ['LISTEN_DATABASE_URL', 'connectionTimeoutMillis=1'],
  ['REPLICA_URL', 'statement_timeout=0'],
  ['SMTP_URL', 'requireTls=true'],
  ['SMTP_URL', 'requireTLS=true&requireTLS=false'],
  ['SMTP_URL', 'tls.rejectUnauthorised=false'],
])('%s refuses the parameters %s, which would change nothing', (key, query) => {
  const address = key === 'SMTP_URL' ? `smtp://mail?${query}` : `postgres://db/x?${query}`;
  expect(errorsOf({ DATABASE_URL: DATABASE, SECRET_KEY: KEY, [key]: address })).toEqual([
    expect.stringMatching(new RegExp(`^${key} knows only the parameters \\w.*, each once$`)),
  ]);
});

test('SMTP_URL takes its parameters as true or false, and not two that contradict each other', () => {
  const url = (query: string) => ({ SMTP_URL: `smtp://mail?${query}` });
  for (const query of [
    'requireTLS=true',
    'ignoreTLS=true',
    'requireTLS=true&tls.servername=mail.example&name=a.example',
  ])
    expect([query, errorsOf(url(query))]).toEqual([query, []]);
  for (const query of ['requireTLS=', 'requireTLS=1', 'requireTLS', 'ignoreTLS=0'])
    expect(errorsOf(url(query))).toEqual([expect.stringMatching(/^SMTP_URL must give \w+TLS as true or false$/)]);
  expect(errorsOf(url('requireTLS=true&ignoreTLS=true'))).toEqual(['SMTP_URL has both requireTLS and ignoreTLS']);
  expect(errorsOf({ SMTP_URL: 'smtps://mail?ignoreTLS=true' })).toEqual([
    'SMTP_URL has ignoreTLS, of which smtps: takes no notice',
  ]);
});

test.each([
  ['DATABASE_URI', 'DATABASE_URL is'],
  ['DATABASEURL', 'DATABASE_URL is'],
  ['DATABASE_URLS', 'DATABASE_URL is'],
  ['STORAGE_ULR', 'STORAGE_URL is'],
  ['MAIL_FORM', 'MAIL_FROM is'],
  ['RATE_LIMIT_WRITE', 'RATE_LIMIT_WRITES is'],
  ['QUOTA_MEMBERS_PER_ORGANISATION', 'QUOTA_MEMBERS_PER_ORGANIZATION is'],
  ['QUOTA_MEMBERS', '.env.example has them all'],
  ['CONCURRENT_IMPORTS', '.env.example has them all'],
  ['database_url', 'DATABASE_URL is'],
  ['jobs', 'JOBS is'],
  ['app_url', 'APP_URL is'],
  ['Rate_Limit_Reads', 'RATE_LIMIT_READS is'],
  ['quota_members', '.env.example has them all'],
])('%s is refused as a variable that is none, instead of changing nothing', (name, rest) => {
  expect(errorsOf({ [name]: '5' })).toEqual([`${name} is no variable of the gateway: ${rest}`]);
  expect(errorsOf({ [name]: ' ' })).toEqual([]);
});

test('variables of other programs in the same environment are no error', () => {
  const names = ['DATABASE_USER', 'DATABASE_HOST', 'API_URL', 'BASE_URL', 'SMTP_HOST', 'PORTS', 'HOSTS', 'STORAGE_KEY'];
  names.push(
    'GRAPHQL_SERVICE_HOST',
    'METRICS_SERVICE_PORT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
    'PATH',
  );
  expect(errorsOf(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test.each(['MIGRATION_DATABASE_URL', 'LISTEN_DATABASE_URL', 'REPLICA_URL'])(
  '%s is refused where there is no DATABASE_URL that it could go with',
  (key) => expect(errorsOf({ [key]: DATABASE })).toEqual([`${key} goes with DATABASE_URL, which is not set`]),
);

test.each(['a b', '50%', 'c%41d', 'e#f', 'g?h', 'back\\slash', 'größer', '~', '$x'])(
  'files are in DATA_DIR, whatever its name (%j)',
  (name) => {
    const { storageUrl } = read({ DATA_DIR: join(dataDir, name) });
    expect(parseStorageUrl(storageUrl)).toEqual({ kind: 'local', directory: join(dataDir, name, 'files') });
  },
);

test('the headers of a request may not take longer than the whole of it, also where one of both is the default', () => {
  const complaint = (header: number, request: number) => [
    `HEADER_SECONDS (${header}) must not be more than REQUEST_SECONDS (${request}), which begin with them`,
  ];
  expect(errorsOf({ REQUEST_SECONDS: '19' })).toEqual(complaint(20, 19));
  expect(errorsOf({ HEADER_SECONDS: '301' })).toEqual(complaint(301, 300));
  expect(errorsOf({ HEADER_SECONDS: '7', REQUEST_SECONDS: '7' })).toEqual([]);
});

test('metrics have another port than requests, also where one of both is the default', () => {
  const complaint = (port: number) => [`METRICS_PORT must be another port than PORT (${port})`];
  expect(errorsOf({ METRICS_PORT: '4000' })).toEqual(complaint(4000));
  expect(errorsOf({ METRICS_PORT: '9464', PORT: '9464', DEMO: 'x' })).toEqual([
    'DEMO must be 1 or 0',
    ...complaint(9464),
  ]);
  expect(errorsOf({ METRICS_PORT: '9464', PORT: '0' })).toEqual([]);
});

test('traces are sent where one of both variables names an endpoint, each of which is a URL', () => {
  const traces = 'https://collector/v1/traces';
  const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector' };
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces }).otlpEndpoint).toBe(traces);
  expect(read({ ...general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces }).otlpEndpoint).toBe(traces);
  expect(errorsOf({ ...general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' })).toEqual([
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL that begins with http:// or https://',
  ]);
});

test('a setting is refused under both of its names', () => {
  const networks = { OUTGOING_NETWORKS: '10.0.0.0/8', SIGN_IN_NETWORKS: '10.0.0.0/8' };
  expect(errorsOf(networks)).toEqual([expect.stringMatching(/^OUTGOING_NETWORKS and SIGN_IN_NETWORKS are two names/)]);
});

test('one of the earlier keys may be lost, which is no key', () => {
  const { earlierSecretKeys, isEarlierKeyLost } = read({ EARLIER_SECRET_KEYS: `${KEY}, lost` });
  expect({ earlierSecretKeys, isEarlierKeyLost }).toEqual({ earlierSecretKeys: [KEY], isEarlierKeyLost: true });
  expect(errorsOf({ EARLIER_SECRET_KEYS: 'gone' })).toHaveLength(1);
});

test('earlier keys that have commas are a JSON array of texts, and one without is as before', () => {
  const keys = [`first, ${KEY}`, ` ${KEY},`];
  expect(read({ EARLIER_SECRET_KEYS: JSON.stringify(keys) }).earlierSecretKeys).toEqual(keys);
  expect(read({ EARLIER_SECRET_KEYS: JSON.stringify([...keys, 'lost']) })).toMatchObject({
    ...{ earlierSecretKeys: keys, isEarlierKeyLost: true },
  });
  expect(read({ EARLIER_SECRET_KEYS: `[${KEY}` }).earlierSecretKeys).toEqual([`[${KEY}`]);
  for (const wrong of [keys[0]!, `[${KEY}, ${KEY}]`, `['${KEY}']`, `["${KEY}", 1]`])
    expect(errorsOf({ EARLIER_SECRET_KEYS: wrong })).toEqual([expect.stringContaining('as in ["first", "second"]')]);
});

test('reports every error at once', () => {
  const env = { PORT: 'http', DATABASE_URL: 'mysql://db', DEMO: 'yes', LOG_LEVEL: 'loud', STORAGE_URL: 'ftp://x' };
  const errors = errorsOf({ ...env, SECRET_KEY: 'short' });
  expect(errors.map((error) => /^\w+/.exec(error)?.[0]).toSorted()).toEqual(
    [...Object.keys(env), 'SECRET_KEY'].toSorted(),
  );
});

test('reports the errors in a message that an operator can read', () => {
  expect(new ConfigError(['PORT is wrong', 'HOST as well']).message).toBe(
    'The configuration has errors:\n- PORT is wrong\n- HOST as well',
  );
  expect(new ConfigError(['PORT is wrong']).message).toBe('The configuration has an error:\n- PORT is wrong');
});

test('never repeats a secret in an error', () => {
  const secret = 'hunter2-hunter2';
  const errors = errorsOf({
    DATABASE_URL: `mysql://u:${secret}@db/x`,
    SMTP_URL: `ftp://u:${secret}@mail`,
    STORAGE_URL: `s3://key:${secret}@host`,
    SECRET_KEY: secret,
  });
  expect(errors).toHaveLength(4);
  expect(errors.join()).not.toContain(secret);
});

describe('SECRET_KEY', () => {
  const keyFile = () => join(dataDir, 'secret.key');

  test('is required together with DATABASE_URL', () => {
    expect(errorsOf({ DATABASE_URL: DATABASE })).toEqual(['SECRET_KEY is required together with DATABASE_URL']);
    expect(existsSync(keyFile())).toBe(false);
  });

  test('is otherwise made once and stored under DATA_DIR, for its owner only', () => {
    const { secretKey } = read();
    expect(readFileSync(keyFile(), 'utf8').trim()).toBe(secretKey);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(read().secretKey).toBe(secretKey);
  });

  test('is not made where the gateway has to be there already, and a wrong folder neither', () => {
    const wrong = join(dataDir, 'wrong/folder');
    for (const DATA_DIR of [dataDir, wrong])
      expect(() => readConfig({ DATA_DIR }, { empty: 'refused' })).toThrow(
        `There is no secret.key in ${DATA_DIR}: set DATA_DIR to the folder of the gateway, or SECRET_KEY`,
      );
    expect(readdirSync(dataDir)).toEqual([]);
    const { secretKey } = read();
    expect(readConfig({ DATA_DIR: dataDir }, { empty: 'refused' }).secretKey).toBe(secretKey);
  });

  test('differs from one data folder to the next', () => {
    expect(read({ DATA_DIR: join(dataDir, 'other') }).secretKey).not.toBe(read().secretKey);
  });

  test('given in the environment wins over a stored one, and is written nowhere', () => {
    writeFileSync(keyFile(), 'kept');
    expect(read({ SECRET_KEY: KEY }).secretKey).toBe(KEY);
    expect(readFileSync(keyFile(), 'utf8')).toBe('kept');
  });

  test('is not made when the configuration has an error', () => {
    expect(errorsOf({ PORT: 'x' })).toHaveLength(1);
    expect(existsSync(keyFile())).toBe(false);
  });

  test.each(['', 'short\n'])('is refused when the kept one was cut off to %j: nothing is signed with it', (rest) => {
    writeFileSync(keyFile(), rest);
    expect(errorsOf({})).toEqual([expect.stringMatching(/secret\.key/)]);
  });

  limited('that cannot be written, as to a full disk, leaves nothing in the way of the next start', () => {
    const program = `
      const { readConfig } = await import('./src/config.js');
      try {
        readConfig({ DATA_DIR: process.argv[1] });
      } catch (error) {
        console.log(error.message);
      }`;
    const node = [process.execPath, '--import', '@swc-node/register/esm-register', '--input-type=module'];
    const said = execFileSync('prlimit', ['--fsize=0', ...node, '--eval', program, dataDir], { encoding: 'utf8' });
    expect(said).toContain('DATA_DIR cannot be written to (EFBIG)');
    expect(existsSync(keyFile())).toBe(false);
    expect(read().secretKey).toHaveLength(43);
  });

  test('cannot be stored where DATA_DIR is a file: one sentence', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(errorsOf({ DATA_DIR: file })).toEqual([expect.stringMatching(/^DATA_DIR cannot be written to \(\w+\)$/)]);
  });
});

test('makes DATA_DIR absolute', () => {
  const { dataDir: absolute } = readConfig({ DATA_DIR: './some/folder', SECRET_KEY: KEY });
  expect(absolute).toBe(join(process.cwd(), 'some/folder'));
});

test('cannot be changed once it is read', () => {
  const config = read() as Config;
  expect(Object.isFrozen(config)).toBe(true);
  expect(() => (config.port = 1)).toThrow(TypeError);
});
