import 'reflect-metadata';
import { ConfigError, readConfig } from './config.js';
import { migrate } from './database/migrate.js';
import { exitWithError } from './exit-with-error.js';

// Acts when it is imported: brings the database of DATABASE_URL to the newest schema and ends, for deployments in which
// a separate role may change tables.
migrateOnly(process.env).then(() => process.stdout.write('The database has the newest schema.\n'), exitWithError);

async function migrateOnly(env: Record<string, string | undefined>): Promise<void> {
  // Only the address is read, as the gateway reads it: who migrates needs neither the signing key nor the storage.
  const config = readConfig({ DATABASE_URL: env['DATABASE_URL'], SECRET_KEY: 'no key: a migration signs nothing' });
  if (config.databaseUrl === undefined) {
    throw new ConfigError(['DATABASE_URL is required: the embedded database is migrated by the gateway that owns it']);
  }
  await migrate(config.databaseUrl);
}
