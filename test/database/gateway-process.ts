/**
 * A process in place of a gateway, which tests can kill. Starts the embedded database in the folder of its first
 * argument, runs the following statements, and prints `{url, pid}` or `{refused}` as one line.
 */
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { StartupError } from '../../src/errors.js';

const [dataDir, ...statements] = process.argv.slice(2);

try {
  const database = await startEmbeddedPostgres({ dataDir: dataDir! });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  console.log(JSON.stringify({ url: database.url, pid: database.pid }));
  process.once('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.log(JSON.stringify({ refused: error.message }));
}
