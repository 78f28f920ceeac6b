/**
 * The database server of a test run, in a separate process because Jest's setup runs no TypeScript. Prints its address
 * as one line. Ends and removes its files when its standard input closes, so that an interrupted or killed run leaves
 * nothing behind.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';

// These signals reach every process of the terminal or group; Jest handles them, and this process ends after it.
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
