/**
 * The database server of one test run, in a process of its own because Jest's setup runs no TypeScript. Prints its
 * address as one line. Ends, and takes its files along, when its standard input ends: so a run that is broken off
 * with Ctrl-C, or killed, leaves nothing behind either.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';

// These reach every process of the terminal or group; Jest is the one to decide, and we follow when it has gone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'));
const removeFiles = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
try {
  const database = await startEmbeddedPostgres({ dataDir, durable: false, maxConnections: 200 });
  process.stdin.once('end', () => void database.stop().then(removeFiles)).resume();
  process.stdout.write(`${database.url}\n`);
} catch (error) {
  await removeFiles();
  throw error;
}
