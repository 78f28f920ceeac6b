import { MikroORM } from '@mikro-orm/postgresql';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';
import { ormOptions } from '../src/database/orm-options.js';

/** Fails unless the migrations, run on an empty database, lead to the schema of the entities. */
const dataDir = mkdtempSync(join(tmpdir(), 'gateway-migrations-'));
const server = await startEmbeddedPostgres({ dataDir, durable: false });
try {
  await migrate(server.url);
  const orm = await MikroORM.init(ormOptions({ url: server.url }));
  const difference = (await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false, dropTables: false })).trim();
  await orm.close(true);
  if (difference !== '') {
    process.stderr.write(
      `The migrations do not lead to the entities; run "npm run migration:create -- --name <name>". Missing:\n${difference}\n`,
    );
    process.exitCode = 1;
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
