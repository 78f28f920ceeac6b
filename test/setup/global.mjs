/**
 * Global setup: starts one PostgreSQL server for the whole run (or uses that of TEST_DATABASE_URL), with a migrated
 * template. The workers find both through the environment (test/support/database.ts).
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { COMPILED } from './typescript.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Several times the space of the largest run. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

export default async function setUp() {
  await useMemory();
  // In parallel with the start of the server; otherwise each worker compiles the gateway itself. Errors appear in the
  // tests.
  const compiling = existsSync(COMPILED) ? undefined : once(run('compile.ts', [], 'inherit'), 'exit');
  const server = process.env.TEST_DATABASE_URL ? borrowServer(process.env.TEST_DATABASE_URL) : await startServer();
  const template = `gateway_test_${randomBytes(6).toString('hex')}`;
  globalThis.testDatabase = { stop: () => server.stop(template) };
  try {
    await runToEnd('template.ts', server.url, template);
    await compiling;
  } catch (error) {
    await server.stop(template);
    throw error;
  }
  process.env.TEST_ADMIN_URL = server.url;
  process.env.TEST_TEMPLATE = template;
}

/**
 * Databases consist of hundreds of files each: they are in memory if it is sufficient. The compile cache remains on the
 * disk.
 */
async function useMemory() {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY).catch(() => ({}));
  if (process.env.TMPDIR !== undefined || bavail * bsize < ENOUGH_BYTES) return;
  const cache = getCompileCacheDir();
  if (cache) process.env.NODE_COMPILE_CACHE ??= dirname(cache);
  process.env.TMPDIR = MEMORY;
}

/** Leaves an external server running, and drops the databases of this run. */
function borrowServer(url) {
  return { url, stop: (template) => dropAll(url, template) };
}

async function startServer() {
  const child = run('server.ts', [], ['pipe', 'pipe', 'inherit']);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([once(lines, 'line'), ended.then(() => [])]);
  if (!url) throw new Error('The database server of the tests did not start');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { url, stop };
}

async function runToEnd(script, ...args) {
  const [code] = await once(run(script, args, 'inherit'), 'exit');
  if (code !== 0) throw new Error(`${script} failed`);
}

function run(script, args, stdio) {
  const loader = ['--import', join(here, 'typescript.mjs')];
  return spawn(process.execPath, [...loader, join(here, script), ...args], { cwd: root, stdio });
}

async function dropAll(url, prefix) {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
  for (const { datname } of rows) {
    await admin.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`);
  }
  await admin.end();
}
