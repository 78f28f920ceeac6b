import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from './orm-options.js';

/**
 * Brings the database at `url` to the newest schema. Instances that start together take turns: the advisory lock lets
 * one of them work while the others wait, and they then find nothing left to do.
 */
export async function migrate(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 2 }));
  try {
    await orm.em.transactional(async (em) => {
      await em.execute(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await orm.migrator.up();
    });
  } finally {
    await orm.close(true);
  }
}

/** Any number, the same in every instance. */
const MIGRATION_LOCK = 7_214_001;
