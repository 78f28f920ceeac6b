import { ConfigError } from '../env-reader.js';
import { readConfig } from '../config.js';
import { migrate } from '../database/migrate.js';
import type { Terminal } from './bootstrap.js';

/**
 * Brings the database of DATABASE_URL to the newest schema. With MIGRATION_DATABASE_URL only this program knows the role that
 * owns the tables, and the gateway is given the other one.
 */
export async function migrateOnly(
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Promise<void> {
  // Only the addresses are read, as the gateway reads them: a migration needs neither the signing key nor the storage.
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = env;
  const config = readConfig({
    ...{ DATABASE_URL, MIGRATION_DATABASE_URL },
    SECRET_KEY: 'no key: a migration signs nothing',
  });
  if (config.databaseUrl === undefined) {
    throw new ConfigError(['DATABASE_URL is required: the embedded database is migrated by the gateway that owns it']);
  }
  await migrate(config.databaseUrl, config.migrationDatabaseUrl);
  terminal.stdout.write('The database has the newest schema.\n');
}
