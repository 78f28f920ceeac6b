import { randomInt, randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { exposureOf, makeDataDir } from '../data-dir.js';
import { clusterHome, openCluster, SUPERUSER } from './embedded/cluster.js';
import { lockDataDir, type DataDirLock } from './embedded/data-dir-lock.js';
import { preparePrograms } from './embedded/postgres-programs.js';
import {
  allowsSocket,
  killServer,
  readPidFile,
  startPostmaster,
  type Postmaster,
  type PostmasterSettings,
} from './embedded/postmaster.js';
import { chooseAccount } from './embedded/server-account.js';
import { StartupError } from '../errors.js';

export interface EmbeddedPostgresOptions {
  /** The folder for `postgres/` (the cluster and its password), `postgres.log` and `lock/`. */
  dataDir: string;
  /** Receives sentences for the operator: an unexpected end, a restart. */
  log?: (message: string) => void;
  /** False trades safety against crashes and password guessing for speed: for tests only. Default true. */
  durable?: boolean;
  /** Default 100. */
  maxConnections?: number;
}

export interface EmbeddedDatabase {
  /** URL of the database `gateway`, with the password; constant for the life of this object. */
  readonly url: string;
  /** Process id of the running server; changes with a restart. */
  readonly pid: number;
  /** Shuts the server down and frees `dataDir`. Idempotent, also when the server has crashed. */
  stop(): Promise<void>;
}

const DATABASE = 'gateway';
const MAX_LOG_BYTES = 5 * 1024 * 1024;
const LOG_CHECK_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;
const PORT_ATTEMPTS = 3;

/**
 * Starts a PostgreSQL server on the loopback interface with its files in `dataDir`, and restarts it on the same port
 * after a crash. It ends with this process in any case. Throws StartupError (one sentence) when another gateway uses
 * `dataDir`, or the machine cannot run it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => undefined);
  const lock = await takeDataDir(dataDir);
  try {
    const exposure = exposureOf(dataDir);
    if (exposure !== undefined) log(exposure);
    const { settings, postmaster } = await startOnFreePort(await prepare(dataDir, options));
    await createDatabase(addressOf(settings, 'postgres'));
    return supervise(settings, postmaster, log, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The database in `dataDir` for a program beside the gateway: started if none runs, else the running one, which
 * `stop` does not end. Throws StartupError, also without a database.
 */
export async function attachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<Attached> {
  const home = clusterHome(resolve(options.dataDir));
  const password = await passwordIn(options.dataDir);
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    const { port, status } = await readPidFile(join(home, 'files'));
    if (!(error instanceof StartupError) || port === undefined || status !== 'ready') throw error;
    const url = urlOf(password.trim(), port, DATABASE);
    if (!(await worksOn(join(home, 'files'), url))) throw error;
    return { url, stop: async () => undefined };
  }
}

/**
 * Whether the server uses these files, not an original of which they are a copy: it sees a file that is put among
 * them.
 */
async function worksOn(files: string, connectionString: string): Promise<boolean> {
  const mark = `attached-${randomUUID()}`;
  const client = new Client({ connectionString });
  try {
    await client.connect();
    await writeFile(join(files, mark), '', { flag: 'wx' });
    const { rows } = await client.query('select (pg_stat_file($1, true)).size is not null as sees', [mark]);
    return rows[0].sees;
  } catch {
    return false;
  } finally {
    await Promise.all([client.end(), rm(join(files, mark), { force: true })]);
  }
}

/**
 * As `startEmbeddedPostgres`, but throws StartupError without a database: a wrong `dataDir` must not look like an
 * empty one.
 */
export async function startExistingPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  await passwordIn(options.dataDir);
  return startEmbeddedPostgres(options);
}

async function passwordIn(dataDir: string): Promise<string> {
  return readFile(join(clusterHome(resolve(dataDir)), 'password'), 'utf8').catch(() => {
    throw new StartupError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
  });
}

type Attached = Pick<EmbeddedDatabase, 'url' | 'stop'>;

async function takeDataDir(dataDir: string): Promise<DataDirLock> {
  try {
    makeDataDir(dataDir);
    return await lockDataDir(dataDir);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new StartupError(`The data folder ${dataDir} cannot be written (${code}): set another DATA_DIR.`);
  }
}

type Prepared = Omit<Settings, 'port'>;

interface Settings extends PostmasterSettings {
  hasSocket: boolean;
}

async function prepare(dataDir: string, options: EmbeddedPostgresOptions): Promise<Prepared> {
  const { durable = true, maxConnections = 100 } = options;
  const account = await chooseAccount(clusterHome(dataDir));
  const programs = await preparePrograms(dataDir, account);
  const cluster = await openCluster({ dataDir, programs, account, durable });
  const logFile = join(dataDir, 'postgres.log');
  await boundLog(logFile);
  const hasSocket = await allowsSocket(cluster.files);
  const parameters = {
    // The working directory of the server is the folder of its files.
    unix_socket_directories: hasSocket ? '.' : '',
    shared_buffers: '128MB',
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', io_method: 'sync' }),
  };
  return { programs, account, cluster, logFile, parameters, hasSocket };
}

async function startOnFreePort(prepared: Prepared): Promise<{ settings: Settings; postmaster: Postmaster }> {
  const logStart = await sizeOf(prepared.logFile);
  for (let attempt = 1; ; attempt++) {
    const settings = { ...prepared, port: await findFreePort() };
    try {
      return { settings, postmaster: await startPostmaster(settings) };
    } catch (error) {
      // Another program may have taken the free port meanwhile.
      if (attempt < PORT_ATTEMPTS && !(await isFree(settings.port))) continue;
      throw await explain(error as Error, settings.logFile, logStart);
    }
  }
}

/**
 * Below the range of ports for outgoing connections: otherwise a client that reconnects during a restart could get
 * the port it calls, connect to itself, and block the server.
 */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Adds the reason that the server has logged since `from`. */
async function explain(error: Error, logFile: string, from: number): Promise<StartupError> {
  if (error instanceof StartupError) return error;
  const lines = (await textFrom(logFile, from).catch(() => '')).split('\n');
  const reason = lines.findLast((line) => /FATAL|PANIC|error/.test(line))?.replace(/^.*?(FATAL|PANIC):\s*/, '');
  return new StartupError(`The embedded database did not start: ${reason ?? error.message} (see ${logFile}).`);
}

async function textFrom(path: string, position: number): Promise<string> {
  const handle = await open(path, 'r');
  const { buffer, bytesRead } = await handle.read({ position }).finally(() => handle.close());
  return buffer.toString('utf8', 0, bytesRead);
}

async function createDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Through the socket, if any: a statement takes both ends a quarter less time than over the loopback interface. */
function addressOf({ cluster, port, hasSocket }: Settings, database: string): string {
  const url = urlOf(cluster.password, port, database);
  return hasSocket ? `${url}&host=${encodeURIComponent(cluster.files)}` : url;
}

/** Explicit, because PGSSLMODE of the environment may be for other servers: this one has no certificate. */
function urlOf(password: string, port: number | undefined, database: string): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function supervise(
  settings: Settings,
  first: Postmaster,
  log: (message: string) => void,
  lock: DataDirLock,
): EmbeddedDatabase {
  let current = first;
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();
  const watching = watch();
  const logCheck = setInterval(() => void boundLog(settings.logFile).catch(() => undefined), LOG_CHECK_MS).unref();
  void lock.lost.then(giveUp);

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await current.ended;
      if (stopping.signal.aborted) return;
      log('The embedded database ended unexpectedly and is started again.');
      current = (await restart(settings, log, stopping.signal)) ?? current;
    }
  }

  async function giveUp(): Promise<void> {
    if (stopping.signal.aborted) return;
    log(
      'Another gateway has taken the data folder while this one was suspended: the database of this one ends. End it.',
    );
    stopping.abort();
    await killServer(current.pid);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    clearInterval(logCheck);
    await current.stop();
    // A restart under way has now failed or started another server.
    await watching;
    await current.stop();
    await lock.release();
  }

  return {
    url: addressOf(settings, DATABASE),
    get pid() {
      return current.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Retries until the server runs, with growing pauses; undefined after `signal`. */
async function restart(
  settings: PostmasterSettings,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<Postmaster | undefined> {
  for (let pause = 100; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    const logStart = await sizeOf(settings.logFile);
    try {
      return await startPostmaster(settings);
    } catch (error) {
      log((await explain(error as Error, settings.logFile, logStart)).message);
    }
  }
  return undefined;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The server appends to its log, which can therefore be truncated while it runs. */
async function boundLog(path: string): Promise<void> {
  if ((await sizeOf(path)) > MAX_LOG_BYTES) await truncate(path);
}
