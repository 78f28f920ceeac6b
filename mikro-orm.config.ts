import { ormOptions } from './src/database/orm-options.js';

/** For the ORM's command line only (`npm run migration:create`); the gateway reads config.ts. */
export default ormOptions({ url: process.env['DATABASE_URL'] ?? 'postgresql://localhost/gateway' });
