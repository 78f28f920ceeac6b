import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { entities } from '../entities/index.js';
import { migrations } from './migrations/index.js';
import { PrimaryClient, serversOf } from './primary-client.js';
import { NO_LIMITS, sessionOptions, type TimeLimits } from './time-limits.js';

/**
 * Prepared statements use a generic plan from the start: planning for each call's values took longer than running. A
 * statement planned while a table is small must not scan it when it has grown (docs/adr/0042). Before PostgreSQL 18 that
 * makes scans of the smallest tables so expensive that they would be compiled at each run.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

interface OrmSettings {
  /** URL of the database, of one or several servers; any text when only metadata is read. */
  url: string;
  /** The most connections. */
  poolSize?: number;
  /** Unlimited when absent, as for migrations. */
  limits?: TimeLimits;
}

/** The ORM's options, shared by the gateway, the migrator and the command line. */
export function ormOptions({ url, poolSize = 10, limits = NO_LIMITS }: OrmSettings) {
  // Migrations run each statement once, over whole tables.
  const plans = limits === NO_LIMITS ? '' : PLANNED_ONCE;
  return defineConfig({
    clientUrl: serversOf(url)[0],
    entities,
    extensions: [Migrator],
    // Only config.ts reads the environment.
    preferEnvVars: false,
    forceUtcTimezone: true,
    // It would connect immediately, and create a missing database.
    ensureDatabase: false,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      // The ORM reads host, user and database of the URL; the driver also its parameters, such as sslmode.
      connectionString: url,
      Client: PrimaryClient,
      // In UTC, the text of a timestamptz differs from the wire format in two characters (see wire.ts). In `read committed`, a
      // change that has waited for the lock of another one continues with its values. Functions have backslashes in literals.
      options: `-c TimeZone=UTC -c DateStyle=ISO -c default_transaction_isolation=read\\ committed -c search_path=public -c standard_conforming_strings=on ${plans} ${sessionOptions(limits)}`,
      connectionTimeoutMillis: limits.connect,
      keepAlive: true,
      // Statements may be sent before earlier ones are answered (see pipelined-connections.ts).
      pipeline: true,
      application_name: 'compliance-gateway',
    },
    // The triggers that announce changes of access are handwritten in a migration; the ORM must ignore them.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    migrations: {
      tableName: 'schema_migration',
      migrationsList: migrations,
      path: 'src/database/migrations',
      pathTs: 'src/database/migrations',
      snapshotName: 'snapshot',
      // The snapshot follows from the entities, written by `migration:create`; migrating a database must not rewrite it.
      snapshotOnMigrate: false,
      transactional: true,
      silent: true,
      allOrNothing: true,
    },
  });
}
