import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { entities } from '../entities/index.js';
import { migrations } from './migrations/index.js';
import { PrimaryClient, serversOf } from './primary-client.js';
import { NO_LIMITS, sessionOptions, type TimeLimits } from './time-limits.js';

/**
 * A prepared statement keeps its first plan, instead of one for each call's values as long as those look cheaper: planning took
 * more than running for many. One that is planned while a table is small must not read it whole when it has grown (docs/adr/0042).
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

interface OrmSettings {
  /** Address of the database, of one or several servers; any text when only metadata is read. */
  url: string;
  /** Connections held at most. */
  poolSize?: number;
  /** None when absent, as migrations need it. */
  limits?: TimeLimits;
}

/** The ORM's options, the same for the running gateway, the migrator and the command line. */
export function ormOptions({ url, poolSize = 10, limits = NO_LIMITS }: OrmSettings) {
  // Migrations run each statement once, over whole tables.
  const plans = limits === NO_LIMITS ? '' : PLANNED_ONCE;
  return defineConfig({
    clientUrl: serversOf(url)[0],
    entities,
    extensions: [Migrator],
    // The environment has one reader, config.ts; the ORM must not look there on its own.
    preferEnvVars: false,
    forceUtcTimezone: true,
    // It would connect at once, and create the database where there is none.
    ensureDatabase: false,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      // The ORM reads host, user and database of the address; the driver its parameters as well, such as sslmode.
      connectionString: url,
      Client: PrimaryClient,
      // UTC in each session: the text of a timestamptz is then the wire form but for two characters (see wire.ts). A change that
      // has waited for the lock of another one goes on from what that one wrote. The tables are in the schema `public`.
      options: `-c TimeZone=UTC -c DateStyle=ISO -c default_transaction_isolation=read\\ committed -c search_path=public ${plans} ${sessionOptions(limits)}`,
      connectionTimeoutMillis: limits.connect,
      keepAlive: true,
      // Statements may be sent before earlier ones are answered (see pipelined-connections.ts).
      pipeline: true,
      application_name: 'compliance-gateway',
    },
    // The triggers that announce changed access are written by hand in a migration; the ORM must leave them alone.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    migrations: {
      tableName: 'schema_migration',
      migrationsList: migrations,
      path: 'src/database/migrations',
      pathTs: 'src/database/migrations',
      snapshotName: 'snapshot',
      // It is what the entities say, written by `migration:create`; a database that is migrated must not rewrite the sources.
      snapshotOnMigrate: false,
      transactional: true,
      silent: true,
      allOrNothing: true,
    },
  });
}
