import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { readComposeFile } from '../../scripts/compose-file.js';
import { readConfig } from '../../src/config.js';
import type { S3Location } from '../../src/storage/blob-store.js';
import { openBlobStore, parseStorageUrl } from '../../src/storage/storage-location.js';
import { adminUrl } from '../support/database.js';
import { startS3, type S3Service } from '../support/s3.js';

const ROOT = resolve(import.meta.dirname, '../..');
const OURS = ['gateway', 'migrate', 'bucket'];
const ONE_SHOT = ['migrate', 'bucket'];
/** Only with the profile of that name. */
const TELEMETRY = ['collector', 'traces', 'prometheus', 'grafana'];
/** Services whose images have no program for a health check. */
const SILENT = ['collector', 'traces'];

const composeText = read('docker-compose.yml');
const { file: compose, errors } = readComposeFile(composeText);
const { services } = compose;

/** One instruction of the Dockerfile, without comments and with continued lines joined. */
interface Instruction {
  name: string;
  value: string;
}

const dockerfile: Instruction[] = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', value: line.slice(line.indexOf(' ') + 1).trim() }));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function service(name: string) {
  const found = services[name];
  if (found === undefined) throw new Error(`There is no service ${name}`);
  return found;
}

function instructions(name: string): string[] {
  return dockerfile.filter((instruction) => instruction.name === name).map(({ value }) => value);
}

describe('docker-compose.yml', () => {
  test('is a Compose file without an error', () => {
    expect(errors).toEqual([]);
  });

  test('has the gateway, PostgreSQL 17, an S3 service, a mail catcher, and what prepares them', () => {
    const always = Object.keys(services).filter((name) => service(name).profiles === undefined);
    expect(always.toSorted()).toEqual([...OURS, 'mail', 'postgres', 'store'].toSorted());
    expect(service('postgres').image).toMatch(/^postgres:17(\.|$)/);
  });

  test('gives the gateway only variables that it reads, and values that it accepts', () => {
    const environment = service('gateway').environment ?? {};
    const known = [...read('src/config.ts').matchAll(/\breader\.\w+\(\s*'([A-Z0-9_]+)'/g)].map(([, key]) => key);
    expect(Object.keys(environment).filter((key) => !known.includes(key))).toEqual([]);
    expect(readConfig(environment)).toMatchObject({ host: '0.0.0.0', port: 4000, dataDir: '/data', demo: true });
  });

  test('has a profile for telemetry, which the gateway sends to and whose files are there', () => {
    const inProfile = Object.keys(services).filter((name) => service(name).profiles?.includes('telemetry'));
    expect(inProfile.toSorted()).toEqual(TELEMETRY.toSorted());
    const address = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+) docker compose/.exec(composeText)?.[1] ?? '';
    expect(inProfile).toContain(new URL(address).hostname);
    const { file } = readComposeFile(composeText, { OTEL_EXPORTER_OTLP_ENDPOINT: address });
    const { environment = {}, build } = file.services['gateway'] ?? {};
    expect(readConfig(environment)).toMatchObject({ otlpEndpoint: address, metricsPort: 9464 });
    expect(build?.args).toEqual({ TELEMETRY: address });
    expect(instructions('ARG')).toEqual(['TELEMETRY=']);
    const files = Object.values(compose.configs ?? {}).flatMap((config) => config.file ?? []);
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(files).toHaveLength(6);
  });

  test('has the data folder, and with it demo.json, in a volume', () => {
    expect(service('gateway').volumes).toContainEqual(expect.stringMatching(/:\/data$/));
  });

  test('connects the gateway to the services beside it', () => {
    const { DATABASE_URL, STORAGE_URL, SMTP_URL } = service('gateway').environment as Record<string, string>;
    for (const url of [DATABASE_URL, STORAGE_URL, SMTP_URL]) {
      expect(Object.keys(services)).toContain(new URL(url as string).hostname);
    }
  });

  test('gives only the migration the role that owns the tables, and the gateway another one', () => {
    const { DATABASE_URL } = service('gateway').environment as Record<string, string>;
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = service('postgres').environment ?? {};
    const owner = `${POSTGRES_USER}:${POSTGRES_PASSWORD}`;
    expect(service('migrate').environment).toEqual({
      DATABASE_URL,
      MIGRATION_DATABASE_URL: `postgresql://${owner}@postgres:5432/${POSTGRES_DB}`,
    });
    const { username, password, pathname } = new URL(DATABASE_URL as string);
    expect([pathname, username === POSTGRES_USER]).toEqual([`/${POSTGRES_DB}`, false]);
    const [{ source, target } = { source: '', target: '' }] = service('postgres').configs ?? [];
    expect(target).toMatch(/^\/docker-entrypoint-initdb\.d\/.+\.sql$/);
    expect(compose.configs?.[source]?.content).toBe(`create role ${username} login password '${password}';`);
  });

  test('gives every program the same S3 service, key and secret', () => {
    const { endpoint, region, credentials, pathStyle } = storage();
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = service('store').environment ?? {};
    expect({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, pathStyle }).toEqual({
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
      pathStyle: true,
    });
    expect(service('bucket').environment).toEqual({
      AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY,
      AWS_REGION: region,
      AWS_ENDPOINT_URL_S3: endpoint,
    });
    expect(service('store').command).toContain(`-s3.port=${new URL(endpoint).port}`);
  });

  test('starts the gateway after the migration and the bucket are done, and those after their servers answer', () => {
    const done = { condition: 'service_completed_successfully' };
    expect(service('gateway').depends_on).toMatchObject({ migrate: done, bucket: done });
    expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(service('bucket').depends_on).toEqual({ store: { condition: 'service_healthy' } });
  });

  test('checks the health of every program that stays', () => {
    const silent = Object.entries(services).filter(([, { healthcheck }]) => healthcheck.test === undefined);
    expect(silent.map(([name]) => name).toSorted()).toEqual([...ONE_SHOT, ...SILENT].toSorted());
    expect(service('gateway').healthcheck.test?.slice(0, 2)).toEqual(['CMD', 'node']);
    expect(service('gateway').healthcheck.test?.join(' ')).toContain('/health/ready');
  });

  test.each(OURS)('%s runs as an ordinary user on a file system that it cannot change', (name) => {
    expect(service(name)).toMatchObject({
      user: 'node',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('takes every password and key from the environment, with a default that says what it is', () => {
    const secrets = [...composeText.matchAll(/^ *[A-Z_]*(?:PASSWORD|SECRET|ACCESS_KEY|_KEY)[A-Z_]*: (.*)$/gm)];
    expect(secrets.length).toBeGreaterThanOrEqual(6);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{[A-Z_]+:-local-development[a-z-]*\}$/);
    for (const [, credentials] of composeText.matchAll(/:\/\/([^\s/]+)@/g)) {
      expect(credentials).toMatch(
        /^(gateway|owner|\$\{STORE_KEY:-local-development\}):\$\{[A-Z_]+:-local-development-only\}$/,
      );
    }
  });

  test('lets the environment replace what it shows', () => {
    const { file } = readComposeFile(composeText, { GATEWAY_PORT: '8080', DEMO: '0', POSTGRES_PASSWORD: '' });
    expect(file.services['gateway']?.ports).toEqual(['127.0.0.1:8080:4000']);
    expect(file.services['gateway']?.environment).toMatchObject({ PUBLIC_URL: 'http://localhost:8080', DEMO: '0' });
    expect(file.services['postgres']?.environment?.['POSTGRES_PASSWORD']).toBe('local-development-only');
  });
});

describe('the check of docker-compose.yml', () => {
  test.each<[what: string, from: string | RegExp, to: string]>([
    ['a misspelt key', 'depends_on:', 'depend_on:'],
    ['a misspelt condition', 'service_healthy', 'service_health'],
    ['a bad duration', 'interval: 5s', 'interval: 5 seconds'],
    ['a duration without a unit', 'stop_grace_period: 60s', 'stop_grace_period: 60'],
    ['a service without an image', 'image: postgres:17', 'user: root'],
    ['an image without a version', 'image: postgres:17', 'image: postgres'],
    ['an image that moves', 'image: postgres:17', 'image: postgres:latest'],
    ['an image beside a build', 'build: {', 'image: gateway:1\n  build: {'],
    ['a port that the network sees', '127.0.0.1:${GATEWAY_PORT', '0.0.0.0:${GATEWAY_PORT'],
    ['a number where a text is needed', "PORT: '4000'", 'PORT: 4000'],
    ['a service that is not there', 'postgres: { condition', 'database: { condition'],
    [
      'a health check that is never called',
      'migrate: { condition: service_completed_successfully }',
      'migrate: { condition: service_healthy }',
    ],
    ['a config that is not there', /^ {2}gateway-role:$/m, '  another-role:'],
    ['a volume that is not there', /^ {2}store-data:$/m, '  stored-data:'],
    ['a missing default', '${DEMO:-1}', '${DEMO}'],
    ['a lone dollar', 'DEMO: ${DEMO:-1}', 'DEMO: $DEMO'],
    ['a key twice', "PORT: '4000'", "PORT: '4000'\n      PORT: '4001'"],
    ['a health check without a command', "['CMD', '/mailpit', 'readyz']", "['CMD']"],
    ['a health check in a shell', "['CMD', '/mailpit', 'readyz']", '/mailpit readyz'],
    ['a restart policy that does not exist', 'restart: unless-stopped', 'restart: sometimes'],
    ['an alias of nothing', '<<: *gateway', '<<: *gatewy'],
  ])('refuses %s', (_what, from, to) => {
    const broken = composeText.replace(from, () => to);
    expect(broken).not.toBe(composeText);
    expect(readComposeFile(broken).errors).not.toEqual([]);
  });

  test('refuses services that wait for each other', () => {
    const circular = composeText.replace(
      /^ {2}postgres:$/m,
      '  postgres:\n    depends_on:\n      gateway: { condition: service_healthy }',
    );
    expect(readComposeFile(circular).errors.join()).toContain('wait for each other');
  });
});

describe('the Dockerfile', () => {
  test('builds in one stage and runs in another, each on Node 24', () => {
    const bases = instructions('FROM').map((value) => value.split(' ', 1)[0]);
    expect(bases.length).toBeGreaterThan(1);
    for (const base of bases) expect(base).toMatch(/^node:24(\.\d+\.\d+)?(-slim)?$/);
    expect(bases.at(-1)).toMatch(/-slim$/);
  });

  test('copies only what is there and what .dockerignore lets through', () => {
    const sources = instructions('COPY')
      .filter((value) => !value.startsWith('--from='))
      .flatMap((value) => value.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
      expect(letThrough()).toContain(source);
    }
  });

  test('.dockerignore lets nothing through that the Dockerfile does not copy', () => {
    const copied = instructions('COPY').flatMap((value) => value.split(' '));
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    expect(letThrough().filter((path) => !copied.includes(path))).toEqual([]);
  });

  test('ships the data that the program reads', () => {
    expect(instructions('COPY')).toEqual(expect.arrayContaining(['catalog catalog', 'demo demo']));
  });

  test('takes from another stage only what that stage has', () => {
    const stages = instructions('FROM').map((value) => / AS (\w+)$/.exec(value)?.[1]);
    for (const value of instructions('COPY').filter((copy) => copy.startsWith('--from='))) {
      expect(stages).toContain(/^--from=(\w+) \/app\//.exec(value)?.[1]);
    }
  });

  test('runs as an ordinary user, and that user owns the data folder', () => {
    const names = dockerfile.map(({ name }) => name);
    expect(instructions('USER')).toEqual(['node']);
    expect(names.lastIndexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'));
    expect(instructions('RUN').join('\n')).toContain('install -d -o node -g node -m 0700 /data');
    expect(instructions('ENV').join(' ')).toContain('DATA_DIR=/data');
  });

  test('starts Node itself, so that SIGTERM reaches it, and says when it is well', () => {
    expect(instructions('STOPSIGNAL')).toEqual(['SIGTERM']);
    const [entrypoint = ''] = instructions('ENTRYPOINT');
    const [command = ''] = instructions('CMD');
    expect((JSON.parse(entrypoint) as string[])[0]).toBe('node');
    expect(JSON.parse(command)).toEqual(['dist/main.js']);
    const [check = ''] = instructions('HEALTHCHECK');
    const program = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(program.slice(0, 2)).toEqual(['node', '-e']);
    expect(program[2]).toContain('/health/ready');
  });

  test('builds every program that docker-compose.yml starts', () => {
    const started = OURS.flatMap((name) => service(name).command ?? []).filter((word) => word.startsWith('dist/'));
    expect(started).toEqual(['dist/main.js']);
    for (const path of started) {
      expect(existsSync(join(ROOT, path.replace(/^dist\/(.*)\.js$/, 'src/$1.ts')))).toBe(true);
    }
  });

  function letThrough(): string[] {
    return [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
  }
});

describe('the program of the service "bucket"', () => {
  let s3: S3Service;
  let url: URL;

  beforeAll(async () => {
    s3 = await startS3();
    url = new URL(s3.url);
  });

  afterAll(() => s3.stop());

  test('makes the bucket that the gateway uses, and has nothing to do the second time', async () => {
    const address = `s3://${url.username}:${url.password}@${url.host}/${storage().bucket}?tls=0`;
    const store = await openBlobStore(address, { stagingDir: ROOT });
    await expect(store.ping()).rejects.toThrow();
    for (let time = 1; time <= 2; time += 1) expect(await makeBucket(url.host)).toEqual({ code: 0, notified: '' });
    await store.ping();
    await store.close();
  });

  test('fails when there is no answer', async () => {
    expect((await makeBucket('127.0.0.1:1')).code).toBe(1);
  });

  function makeBucket(host: string) {
    return runNode(service('bucket').command ?? [], {
      AWS_ACCESS_KEY_ID: url.username,
      AWS_SECRET_ACCESS_KEY: url.password,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: `http://${host}`,
    });
  }
});

describe('the program of the service "migrate"', () => {
  const program = ['--import', './test/setup/typescript.mjs', 'src/main.ts', 'migrate'];
  const name = `gateway_migrate_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;

  beforeAll(() => asAdmin(adminUrl(), `create database ${escapeIdentifier(name)}`));
  afterAll(() => asAdmin(adminUrl(), `drop database if exists ${escapeIdentifier(name)} with (force)`));

  test('brings an empty database to the newest schema, needs nothing but its address, and may run again', async () => {
    for (let time = 1; time <= 2; time += 1) {
      expect((await runNode(program, { DATABASE_URL: url.href })).code).toBe(0);
    }
    expect(await asAdmin(url.href, 'select count(*)::int as count from organization')).toEqual([{ count: 0 }]);
  });

  test.each([
    ['no address', undefined, /^- DATABASE_URL is required/m],
    ['an address of something else', 'mysql://db/x', /^- DATABASE_URL must be a URL/m],
    [
      'no server at the address',
      'postgresql://u:hunter2@localhost:1/x',
      /cannot be reached or migrated \(ECONNREFUSED\b.*\)\.$/m,
    ],
  ])('says in a sentence, without a stack or the password, what is wrong: %s', async (_what, address, sentence) => {
    const { code, notified } = await runNode(program, { DATABASE_URL: address });
    expect({ code, notified }).toEqual({ code: 1, notified: expect.stringMatching(sentence) });
    expect(notified).not.toMatch(/^ +at |hunter2/m);
  });
});

function storage(): S3Location {
  return parseStorageUrl(service('gateway').environment?.['STORAGE_URL'] ?? '') as S3Location;
}

async function asAdmin(address: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** Runs Node like a container: in the folder of the packages, with only these variables and PATH. */
function runNode(args: string[], env: Record<string, string | undefined>): Promise<{ code: number; notified: string }> {
  return new Promise((done) => {
    const settled = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } };
    const child = execFile(process.execPath, args, settled, (_error, _stdout, notified) => {
      done({ code: child.exitCode ?? -1, notified });
    });
  });
}
