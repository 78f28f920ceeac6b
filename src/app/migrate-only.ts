import { ConfigError, EnvReader } from '../env-reader.js';
import { migrate } from '../database/migrate.js';
import type { Terminal } from './command.js';

/**
 * Migrates the database of DATABASE_URL to the newest schema. With MIGRATION_DATABASE_URL only this program has the role that
 * owns the tables; the gateway uses the other one.
 */
export async function migrateOnly(
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Promise<void> {
  // Reads only the addresses: a migration needs neither the signing key nor the storage.
  const reader = new EnvReader(env);
  const databaseUrl = reader.database('DATABASE_URL');
  const migrationDatabaseUrl = reader.database('MIGRATION_DATABASE_URL');
  reader.refuseMisspelt([]);
  if (databaseUrl === undefined && reader.errors.length === 0)
    reader.errors.push('DATABASE_URL is required: the embedded database is migrated by the gateway that owns it');
  if (databaseUrl === undefined || reader.errors.length > 0) throw new ConfigError(reader.errors);
  await migrate(databaseUrl, migrationDatabaseUrl);
  terminal.stdout.write('The database has the newest schema.\n');
}
