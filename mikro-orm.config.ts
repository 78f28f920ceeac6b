import { MigrationGenerator } from './scripts/migration-generator.js';
import { ormOptions } from './src/database/orm-options.js';

const options = ormOptions({ url: process.env['DATABASE_URL'] ?? 'postgresql://localhost/gateway' });

/** For the ORM's command line only (`npm run migration:create`); the gateway reads config.ts. */
export default { ...options, migrations: { ...options.migrations, generator: MigrationGenerator } };
